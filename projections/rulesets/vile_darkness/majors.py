"""The one major action of a round: what uses it, what forfeits it, how many are left."""

from projections.because import Because, Derived
from projections.mechanics.work import WITHDRAWN
from projections.rulesets.ruleset import derives
from projections.rulesets.vile_darkness.initiative import standing
from projections.rulesets.vile_darkness.memo import remembered
from projections.rulesets.vile_darkness.state import LOW, Act, Casting, VileState, behind
from projections.rulesets.vile_darkness.table import is_continued, row_of
from projections.rulesets.vile_darkness.works import is_of_round, status
from projections.state import Combatant


@derives("major.one-per-round")
@remembered
def spends(state: VileState, who: str, before: int = 0) -> list[int]:
    """Return the records that use somebody's major action in this round: acts, work from its beginning, forfeits.

    With `before` only those ahead of a record count.
    """
    works = [each.seq for each in state.works if each.who == who and _spends(state, each)]
    acts = [each for each in state.round.acts_of.get(who, ()) if _is_spent(state, each)]
    found = [*works, *(each.seq for each in acts if not each.work)]
    return sorted({seq for seq in found if not before or state.precedes(seq, before)}, key=state.at)


def _is_spent(state: VileState, act: Act) -> bool:
    return (row_of(state, act).weight == "major" and not is_continued(state, act)) or forfeits(state, act)


@derives("time.over-ten-carries-over")
def _spends(state: VileState, work: Casting) -> bool:
    """Say whether work uses the major action of this round: of each that it touches, or by option of its first alone."""
    if status(state, work).value == WITHDRAWN:
        return False
    if state.option("carried-over") == "spends-first":
        return work.round == state.clock.round
    return is_of_round(state, work)


@derives("delay.low-forfeits-major")
def forfeits(state: VileState, act: Act) -> bool:
    """Say whether an act is a delay that costs the major action: one announced by somebody in LOW."""
    return act.kind == "delay" and act.slot not in ("DECLARE", "ROLL") and standing(state, act).value == LOW


@derives(
    "major.one-per-round", "simple.one-segment-minor", "immediate.leaves-other-actions", "free.leaves-other-actions"
)
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
    of = tuple(standing(state, each) for each in acts if each.kind == "delay")
    told = behind(*used, state.round.opened)
    because = Because((*rules, *spends.rules), (one.joined,), {}, (*of, told))
    return Derived(0 if used else 1, because)
