"""The order of a round and of surprise, from the keys of the combatants; the routines that are due."""

from collections.abc import Iterator
from itertools import combinations

from msgspec import structs

from eventstore.events import RulingMade
from projections.because import Because, Derived
from projections.fight import Combatant, Ruled, Slot
from projections.folds.effects import why_freed
from projections.mechanics.conditions import has
from projections.mechanics.ladder import Rung, rungs
from projections.mechanics.memo import remembered
from projections.mechanics.pools import HP
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.rulesets.osric.keys import (
    all_who_may_act,
    fallen,
    is_back,
    may_act,
    other_key,
    other_segments,
    shares_dice,
    shown_key,
    side_key,
    surprise_key,
)
from projections.rulesets.osric.state import SEGMENTS, Order, OsricState
from projections.rulesets.osric.surprise import because_length, because_play, free, listed
from projections.scheduling.ladder_schedule import LadderPlace

HASTED = "hasted"


@derives("initiative.tie-is-simultaneous")
def slots(state: OsricState) -> tuple[Slot, ...]:
    """Return the order of the round, or of the surprise segments: combatants with equal keys act simultaneously."""
    if state.clock.point.round == 0:
        return surprise_slots(state)
    keys = _keys(state)
    return tuple(_slot(state, rung, keys) for rung in rungs(keys, lambda who: keys[who].value))


def places(state: OsricState, one: Combatant) -> list[LadderPlace]:
    """Return the place of a combatant in the order of the round; it has no key while a die is missing."""
    return [LadderPlace(one.id, shown_key(state, one).value)] if may_act(state, one) else []


def common(state: OsricState) -> tuple[object, ...] | None:
    """Return the inputs of all places: the places of the sides; None in surprise, and where rulings order sides with equal dice."""
    now = state.clock.point.round
    level = any(shares_dice(state, side) for side in state.round.dice)
    if not now or (level and state.option("tie-handling") == "ruling"):
        return None
    return now, *(side_key(state, side).value for side in state.sides)


def _keys(state: OsricState) -> dict[str, Derived[Order | None]]:
    """Return the keys of combatants with a place in this round, by combatant."""
    there = all_who_may_act(state)
    sides = {side: side_key(state, side) for side in dict.fromkeys(one.side for one in there)}
    return {one.id: shown_key(state, one, sides[one.side]) for one in there}


def _slot(state: OsricState, rung: Rung[str], keys: dict[str, Derived[Order | None]]) -> Slot:
    members = [state.combatants[who] for who in rung.members]
    reasons = sorted(
        (keys[one.id].because for one in members), key=lambda each: "initiative.missile-dexterity" in each.rules
    )
    rules = slots.rules if len({one.side for one in members}) > 1 else ()
    others = tuple(other_key(state, one) for one in members if one.sheet.missile_bonus)
    stand = tuple(one.standing for one in members if is_back(state, one.id))
    because = Because(rules, (), (*{id(each): each for each in reasons}.values(), *others, *stand))
    key = structs.asdict(rung.key) | other_segments(state, members, rung.key)
    return Slot(rung.members, key, because, segment=rung.key.segment)


def other_orders(state: OsricState) -> Iterator[list[list[str]]]:
    """Yield the other possible orders: one or more archers who have declared nothing do not shoot."""
    there = all_who_may_act(state) if state.clock.point.round else []
    keys = {one.id: shown_key(state, one).value for one in there}
    others = {one.id: key for one in there if (key := other_key(state, one).value) and key != keys[one.id]}
    for size in range(len(others)) if len(others) <= FEW else ():
        for moved in combinations(others, size + 1):
            placed = keys | {who: others[who] for who in moved}
            yield [list(rung.members) for rung in rungs(placed, placed.__getitem__)]


FEW = 6
"""The highest number of undecided archers for which other orders are tried."""


def surprise_slots(state: OsricState) -> tuple[Slot, ...]:
    """Return a slot for each surprise segment in which a combatant may act."""
    found, lengths = list[Slot](), [because_length(state, one) for one in state.here()]
    hurt = [one.standing for one in state.here() if len(one.pools[HP].changes) > 1]
    for segment in listed(state):
        if members := still_free(state, segment):
            shared = surprise_key.rules if len({one.side for one in members}) > 1 else ()
            because = Because((*shared, *free.rules), (), (because_play(state), *lengths, *hurt))
            key, those = structs.asdict(Order(0, segment)), tuple(one.id for one in members)
            found.append(Slot(those, key, because, segment=segment))
    return tuple(found)


def still_free(state: OsricState, segment: int) -> list[Combatant]:
    """Return the combatants who may act in a surprise segment: free ones who did not fall before it.

    A combatant who falls in it may still act, at the same time as the blow.
    """
    return [
        one
        for one in state.here()
        if free(state, one, segment)
        and ((out := fallen(state, one.id)) is None or out.key >= surprise_key(state, one, segment))
    ]


# ---------------------------------------------------------------- rows, and routines that are due


def keep_highest_row(state: OsricState, segment: int, seq: int, timed: int = 0) -> None:
    """Record a row in the highest segment so far; one that was timed by another is there because of that."""
    if state.round.highest < segment <= SEGMENTS:
        state.round.highest, state.round.highest_by = segment, []
    if state.round.highest == segment and timed not in state.round.highest_by:
        state.round.highest_by.append(seq)


@derives("attack.level-or-haste-adds-routine", on=RulingMade)
def ruling_gives_routines(state: OsricState, fact: Occurrence[RulingMade]) -> None:
    """Let a grant set how many routines a combatant has (`ada.routines`), including the one of a running haste."""
    for address, value in (fact.event.values or {}).items() if fact.event.ruling == "grant" else ():
        who, _, field = address.partition(".")
        if field == "routines" and type(value) is int:
            set_routines(state, who, value, fact.seq)


def set_routines(state: OsricState, who: str, value: int, seq: int) -> None:
    """Replace the sheet's routines so that, with a running haste, a combatant has the ruled number."""
    state.routines[who] = Ruled(value - is_hasted(state, who).value, seq)


def is_hasted(state: OsricState, who: str) -> Derived[bool]:
    """Return whether the condition hasted is on."""
    return has(state.conditions, who, HASTED)


def in_round(routines: int | str, number: int) -> int:
    """Return the routines of a round: of 3/2, one in the first and two in the second, alternately; before round 1 as in it."""
    if isinstance(routines, int):
        return routines
    count, rounds = map(int, routines.split("/"))
    return count * max(1, number) // rounds - count * (max(1, number) - 1) // rounds


@derives("attack.level-or-haste-adds-routine")
@remembered
def routines_due(state: OsricState, one: Combatant) -> Derived[int]:
    """Return how many attack routines a combatant has in a round: those of its sheet, and one more while hasted."""
    ruled, hasted = state.routines.get(one.id), is_hasted(state, one.id)
    said, events = ruled.value if ruled else one.sheet.routines, one.records("routines")
    if isinstance(said, str):
        events = (*events, *filter(None, (state.clock.round_event,)))
    given = in_round(said, state.clock.round)
    freed = None if hasted.value else why_freed(state, one.id).get(HASTED)
    because = Because(routines_due.rules, events, tuple(each for each in (ruled, hasted, freed) if each))
    return Derived(given + hasted.value, because)
