"""Whose turn it is: who is due in a round, who is jumped, left out, or too early, and when a new round opens."""

from msgspec import Struct

from projections.rulesets.ruleset import derives
from projections.rulesets.semiautomagic.order import places
from projections.rulesets.semiautomagic.state import SemiautomagicState
from projections.rulesets.semiautomagic.vitals import is_out

UNPLACED, DUE, EARLY, SECOND = "unplaced", "due", "early", "second"


class Coming(Struct, frozen=True, gc=False):
    """Is a turn as it comes up: how it stands to the order, whether a new round opens with it, and whom it passes by.

    `jumped` are those due above it, `left_out` those who had no turn in the round that closes.
    """

    how: str = DUE
    opens: bool = False
    jumped: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def out(state: SemiautomagicState, who: str) -> bool:
    """Say whether a combatant is out."""
    return is_out(state.combatants.get(who))


def is_new(state: SemiautomagicState, who: str) -> bool:
    """Say whether a combatant is a newcomer in its first round."""
    return bool(state.round_number) and state.standings[who].newcomer == state.round_number


def before(order: list[str], who: str) -> list[str]:
    """Return those who stand above somebody in an order."""
    return order[: order.index(who)] if who in order else []


def after(order: list[str], who: str) -> list[str]:
    """Return those who stand below somebody in an order."""
    return order[order.index(who) + 1 :] if who in order else []


@derives("initiative.late-arrival")
def in_time(state: SemiautomagicState, who: str) -> bool:
    """Say whether a newcomer's place still lies below every place that has had its turn."""
    return not any(other in state.had for other in after(places(state), who))


@derives("initiative.late-arrival")
def acts_next(state: SemiautomagicState, who: str) -> bool:
    """Say whether a newcomer whose place has gone by acts right after the present turn, as an option has it."""
    if state.option("late-place-passed") != "acts-next" or not is_new(state, who) or who in state.had:
        return False
    return not in_time(state, who)


def is_due(state: SemiautomagicState, who: str) -> bool:
    """Say whether a combatant with a check, if it is not out, still has its turn of this round to come."""
    if who in state.had or who in state.passed or not state.round_number:
        return False
    if not is_new(state, who) or who in state.jumped:
        return True
    return who not in state.early and (in_time(state, who) or acts_next(state, who))


def due(state: SemiautomagicState) -> list[str]:
    """Return who is due in this round, in the order in which they are."""
    found = [who for who in places(state) if is_due(state, who) and not out(state, who)]
    return [who for who in found if acts_next(state, who)] + [who for who in found if not acts_next(state, who)]


def coming(state: SemiautomagicState, who: str) -> Coming:
    """Return how a turn that comes up stands to the order and the round."""
    if who not in state.standings:
        return Coming(UNPLACED)
    waiting, first = due(state), is_first(state, who)
    if not waiting or (waiting == [who] and first and state.had):
        return Coming(opens=True, jumped=_above(state, who))
    if who in waiting or (who not in state.had and (who in state.passed or out(state, who))):
        above = before(waiting, who) if who in waiting else [o for o in _above(state, who) if o in waiting]
        return Coming(jumped=_unreported(state, above))
    if is_new(state, who) and who not in state.had and who not in state.early:
        return Coming(EARLY)
    if first:
        missed = _unreported(state, waiting)
        return Coming(
            opens=True,
            jumped=tuple(other for other in missed if acts_next(state, other)),
            left_out=tuple(other for other in missed if not acts_next(state, other)),
        )
    return Coming(SECOND)


def is_first(state: SemiautomagicState, who: str) -> bool:
    """Say whether nobody who could act stands above a combatant."""
    return not _above(state, who)


def _above(state: SemiautomagicState, who: str) -> tuple[str, ...]:
    return tuple(other for other in before(places(state), who) if not out(state, other))


def _unreported(state: SemiautomagicState, found: list[str]) -> tuple[str, ...]:
    return tuple(other for other in found if other not in state.jumped)
