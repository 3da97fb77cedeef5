"""The one major action of a round: what uses it, what forfeits it, how many are left."""

from projections.because import Because, Derived
from projections.mechanics.memo import remembered
from projections.mechanics.work import WITHDRAWN
from projections.rulesets.ruleset import derives
from projections.rulesets.vile_darkness.initiative import standing
from projections.rulesets.vile_darkness.state import LOW, Act, Casting, VileState, behind
from projections.rulesets.vile_darkness.table import is_continued, row_of, why_row
from projections.rulesets.vile_darkness.works import is_of_round, status, window
from projections.state import Combatant


@derives("major.one-per-round")
@remembered
def spends(state: VileState, who: str, before: int = 0) -> list[int]:
    """Return the records that use somebody's major action in this round: acts, work from its beginning, forfeits.

    With `before` only those ahead of a record count.
    """
    works = [each.seq for each in state.works if each.who == who and _spends(state, each).value]
    acts = [each for each in state.round.acts_of.get(who, ()) if _is_spent(state, each)]
    found = [*works, *(each.seq for each in acts if not each.work)]
    return sorted({seq for seq in found if not before or state.precedes(seq, before)}, key=state.at)


def _is_spent(state: VileState, act: Act) -> bool:
    return (row_of(state, act).weight == "major" and not is_continued(state, act)) or forfeits(state, act)


@derives("time.over-ten-carries-over")
def _spends(state: VileState, work: Casting) -> Derived[bool]:
    """Return whether work uses the major action of this round: of each that it touches, or by option of its first alone."""
    stands, later = status(state, work), work.round < state.clock.round
    first = later and state.option("carried-over") == "spends-first"
    because = Because((), (), state.chosen("carried-over") if later else {}, (stands, window(state, work)))
    return Derived(stands.value != WITHDRAWN and not first and is_of_round(state, work), because)


@derives("delay.low-forfeits-major")
def forfeits(state: VileState, act: Act) -> bool:
    """Say whether an act is a delay that costs the major action: one announced by somebody in LOW."""
    return act.kind == "delay" and act.slot not in ("DECLARE", "ROLL") and standing(state, act).value == LOW


@derives(
    "major.one-per-round", "simple.one-segment-minor", "immediate.leaves-other-actions", "free.leaves-other-actions"
)
@remembered
def left(state: VileState, one: Combatant) -> Derived[int]:
    """Return the major actions that somebody has left in this round."""
    used = spends(state, one.id)
    acts = state.round.acts_of.get(one.id, ())
    lost = any(forfeits(state, each) for each in acts)
    _, activity, immediate, free = left.rules
    rules = [*(forfeits.rules if lost else ())]
    rules += [activity] if any(each.kind == "simple" and each.seq in used for each in acts) else []
    rules += [free] if any(each.action.cost == "free-attack" for each in acts) else []
    rules += [immediate] if any(each.kind == "immediate" for each in acts) else []
    delays = tuple(standing(state, each) for each in acts if each.kind == "delay")
    works = tuple(_spends(state, each) for each in state.works if each.who == one.id)
    told = behind(*used, state.round.opened, *(seq for each in acts for seq in why_row(state, each).value))
    because = Because((*rules, *spends.rules), (one.joined,), {}, (*delays, *works, told))
    return Derived(0 if used else 1, because)
