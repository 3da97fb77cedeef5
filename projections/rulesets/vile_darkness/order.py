"""The order of a round: its slots from the first to the last, with who stands where, done and due."""

from msgspec import structs

from eventstore.shapes import Action
from projections.because import Because, Derived
from projections.folds.vitals import standing
from projections.mechanics.ladder import rungs
from projections.mechanics.work import BEGUN, SPOILED
from projections.rulesets.ruleset import derives
from projections.rulesets.vile_darkness import table
from projections.rulesets.vile_darkness.initiative import rolling
from projections.rulesets.vile_darkness.majors import left, spends
from projections.rulesets.vile_darkness.memo import remembered
from projections.rulesets.vile_darkness.place import expected, key_of, phase_of, slot_of
from projections.rulesets.vile_darkness.state import Act, Casting, Key, VileState
from projections.rulesets.vile_darkness.table import row_of
from projections.rulesets.vile_darkness.works import due, is_of_round, status
from projections.state import Slot

SILENT = ("immediate", "delay")
"""Kinds of acts that take no place in the order."""


@remembered
def ordered(state: VileState) -> list[Act]:
    """Return the acts of the round that take a place in its order, as they were told."""
    told = state.round.acts.values()
    acts = [each for each in told if each.kind not in SILENT and row_of(state, each).slot != "trigger"]
    return [each for each in acts if not state.combatants[each.who].left]


def waiting(state: VileState) -> list[Act]:
    """Return what is still to come: work that completes in this round, and whoever has not acted yet."""
    if not state.clock.open or state.closed:
        return []
    works = [_completion(state, each) for each in state.works if _is_due(state, each)]
    return [*works, *(each for each in (*idle(state), *owed(state)) if not is_past(state, each))]


@derives("multi.remaining-routines")
def owed(state: VileState) -> list[Act]:
    """Return the routines that multi-attackers who have begun still owe."""
    found: list[Act] = []
    for one in state.here():
        done = max((each.routine for each in state.round.acts_of.get(one.id, ())), default=0)
        rest = range(done + 1, table.routines(state, one.id) + 1) if done and one.status != "out" else ()
        action = Action(kind="attack")
        found += [structs.replace(expected(state, one), kind="attack", action=action, routine=each) for each in rest]
    return found


def idle(state: VileState) -> list[Act]:
    """Return what those who have their major action left are expected to do with it."""
    return [expected(state, one) for one in state.here() if one.status != "out" and not spends(state, one.id)]


def is_past(state: VileState, act: Act) -> bool:
    """Say whether play has gone by the last slot in which somebody could do what is expected of it."""
    slot = slot_of(state, act).value
    last = f"{slot[0]}.D4" if phase_of(slot) else slot
    names = table.slots(state)
    return bool(slot) and state.clock.phase in names and names.index(state.clock.phase) > names.index(last)


def _is_due(state: VileState, work: Casting) -> bool:
    """Say whether work has a place of its own in the order: it completes in this round, or was to until it was broken."""
    told = any(each.work == work.seq for each in state.round.acts_of.get(work.who, ()))
    stands = status(state, work).value in (BEGUN, SPOILED) and is_of_round(state, work)
    return stands and not told and due(state, work).value.round == state.clock.round


def _completion(state: VileState, work: Casting) -> Act:
    one = expected(state, state.combatants[work.who])
    action = structs.replace(one.action, kind=work.kind, name=work.name)
    return structs.replace(one, kind=work.kind, action=action, work=work.seq)


@derives("round.step-order", "group.high-before-low")
def slots(state: VileState) -> tuple[Slot, ...]:
    """Return the order of the round: equal keys act at once."""
    those = [*ordered(state), *waiting(state)]
    keys = {id(each): key_of(state, each) for each in those}
    found = rungs(those, lambda each: keys[id(each)].value)
    return tuple(_slot(state, rung.key, rung.members, keys) for rung in found)


def absent(state: VileState) -> Because:
    """Return why there is no more in the order: who has acted, who is out of the fight."""
    ones = state.combatants.values()
    return Because(of=(*(left(state, one) for one in state.here()), *(standing(one) for one in ones)))


def _slot(state: VileState, key: Key, members: tuple[Act, ...], keys: dict[int, Derived[Key | None]]) -> Slot:
    who = tuple(dict.fromkeys(each.who for each in members))
    lefts = (left(state, state.combatants[each]) for each in who)
    because = Because(slots.rules[:1], (), {}, (*(keys[id(each)] for each in members), *lefts))
    slot = slot_of(state, members[0]).value
    return Slot(who, structs.asdict(key), because, segment=key.segment or None, phase=slot)


def missing(state: VileState) -> tuple[str, ...]:
    """Return in sentences which dice the order still lacks."""
    if not state.clock.open:
        return ()
    sides = [side for side in rolling(state) if side not in state.round.dice]
    return (f"no initiative die of {', '.join(sides)} in this round",) if sides else ()
