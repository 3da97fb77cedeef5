"""Initiative: one d20 plus Dexterity; the place in the order, and who stands level with whom."""

from collections.abc import Iterable
from decimal import Decimal

from msgspec import structs

from eventstore.events import CombatantJoined, InitiativeRolled, RulingMade
from eventstore.shapes import Dice, Die
from projections.because import Because
from projections.occurrence import Occurrence
from projections.rulesets.nameless_journey.state import NamelessState, Order, Roll
from projections.rulesets.ruleset import derives
from projections.state import Slot


def face(die: Die) -> int:
    """Return what a die shows: of dice in full, the kept ones."""
    if isinstance(die, Dice):
        return sum(shown for place, shown in enumerate(die.faces) if place not in die.dropped)
    return die


def rollers(state: NamelessState, event: InitiativeRolled) -> tuple[str, ...]:
    """Return whom a roll is for: each has its own bonus added, also where one die was thrown for several."""
    side = [one.id for one in state.here() if one.side == event.side] if event.side else []
    named = dict.fromkeys((event.combatant or "", *event.together, *side))
    return tuple(who for who in named if who in state.combatants)


@derives("initiative.d20-plus-dexterity")
def total_of(state: NamelessState, who: str, event: InitiativeRolled) -> int | None:
    """Return the total of a roll: the d20 and the Dexterity bonus; a bare total counts as it was written down."""
    dexterity = int(state.combatants[who].sheet.dexterity)
    if event.die is not None:
        return face(event.die) + dexterity
    if event.check is not None:
        return event.check + dexterity
    return None if event.total is None else int(Decimal(event.total))


@derives("initiative.d20-plus-dexterity", on=InitiativeRolled)
def die_falls(state: NamelessState, fact: Occurrence[InitiativeRolled]) -> None:
    """Keep a roll; of two the first counts. A further one among those who are level is bare."""
    event = fact.event
    state.placed = None
    for who in rollers(state, event):
        total = total_of(state, who, event)
        if event.tie_with:
            state.bare.setdefault(who, []).append((face(event.die or 0), fact.seq))
        elif total is not None and (who not in state.rolls or who in state.returned):
            state.returned.pop(who, None)
            state.rolls[who] = Roll(total, int(state.combatants[who].sheet.dexterity), fact.seq)


def is_new(state: NamelessState, who: str, fact: Occurrence[InitiativeRolled]) -> bool:
    """Say whether a roll, just recorded, gave somebody its place."""
    return who in state.rolls and state.rolls[who].seq == fact.seq


@derives("initiative.late-arrival-rolls", on=CombatantJoined)
def somebody_comes_back(state: NamelessState, fact: Occurrence[CombatantJoined]) -> None:
    """Let whoever comes back to the fight roll anew; until then the old place is still there."""
    who = fact.event.combatant
    state.placed = None
    if who in state.rolls:
        state.returned[who] = fact.seq


@derives("initiative.tie-by-dexterity", on=RulingMade)
def ruling_settles_a_tie(state: NamelessState, fact: Occurrence[RulingMade]) -> None:
    """Rank those whom a ruling on a tie names, in its order."""
    state.placed = None
    if fact.event.ruling == "tie":
        for rank, who in enumerate(dict.fromkeys(fact.event.combatants), 1):
            state.ruled_ties[who] = rank, fact.seq


@derives("initiative.d20-plus-dexterity", on=RulingMade)
def ruling_sets_a_total(state: NamelessState, fact: Occurrence[RulingMade]) -> None:
    """Put the total that a ruling names (`ana.initiative`) in the place of one that was rolled."""
    for address, value in (fact.event.values or {}).items() if fact.event.ruling == "override" else ():
        who, _, field = address.partition(".")
        if field == "initiative" and type(value) is int and who in state.rolls:
            state.rolls[who] = Roll(value, state.rolls[who].dexterity, fact.seq)


def level_with(state: NamelessState, who: str) -> list[str]:
    """Return who has the same total and the same bonus, oneself included, in the order of joining."""
    own = state.rolls[who]
    level = [w for w, r in state.rolls.items() if (r.total, r.dexterity) == (own.total, own.dexterity)]
    return sorted(level, key=lambda each: state.combatants[each].joined)


@derives("initiative.tie-by-dexterity")
def rolled_off(state: NamelessState, level: list[str]) -> list[list[str]]:
    """Return those who are level as their bare dice part them: higher first, and again while equal."""
    parts, waiting = [], [(level, 0)]
    while waiting:
        group, throw = waiting.pop()
        if len(group) < 2 or any(len(state.bare.get(who, ())) <= throw for who in group):
            parts.append(group)
            continue
        shown = {who: state.bare[who][throw][0] for who in group}
        waiting += [([w for w in group if shown[w] == number], throw + 1) for number in sorted(set(shown.values()))]
    return parts


def parted(state: NamelessState, level: list[str]) -> list[list[str]]:
    """Return those who are level in the parts that the option and the dice make of them."""
    return rolled_off(state, level) if state.option("full-tie") == "roll-off" else [level]


def undecided(state: NamelessState, who: str) -> list[str]:
    """Return those among whom a roll-off is still open, oneself included; nobody where nothing is open."""
    if who not in state.rolls or state.option("full-tie") != "roll-off" or who in state.ruled_ties:
        return []
    part = next((part for part in parted(state, level_with(state, who)) if who in part), [])
    unruled = [each for each in part if each not in state.ruled_ties]
    return unruled if len(unruled) > 1 else []


@derives("initiative.tie-by-dexterity")
def rank_among_level(state: NamelessState, who: str, level: list[str]) -> int:
    """Return the rank by ruling or roll-off, 0 without one."""
    if who in state.ruled_ties:
        return state.ruled_ties[who][0]
    parts = parted(state, level)
    return next((rank for rank, part in enumerate(parts, 1) if who in part), 0) if len(parts) > 1 else 0


@derives("initiative.highest-first")
def key_of(state: NamelessState, who: str) -> Order:
    """Return the order key of somebody who has rolled."""
    roll = state.rolls[who]
    level = level_with(state, who)
    tie = rank_among_level(state, who, level) if len(level) > 1 else 0
    return Order(state.clock.round, roll.total, roll.dexterity, tie, state.combatants[who].joined)


def places(state: NamelessState) -> dict[str, int]:
    """Return the place of everybody who has rolled, from the first; a ruled order stands above the rolls, or for one."""
    if state.placed is None:
        ranked = sorted(state.rolls, key=lambda who: key_of(state, who).place)
        ruled = state.ruled_order[1] if state.ruled_order else ()
        named = {who: place for place, group in enumerate(ruled) for who in group if who in state.combatants}
        rest = (who for who in ranked if who not in named)
        state.placed = dict(sorted(named.items(), key=lambda pair: pair[1]))
        state.placed |= {who: place for place, who in enumerate(rest, len(ruled))}
    return state.placed


def slots(state: NamelessState) -> tuple[Slot, ...]:
    """Return the order: everybody here who has rolled, one after the other."""
    keys = {who: key_of(state, who) for who in state.rolls if not state.combatants[who].left}
    ranked = sorted(keys, key=lambda who: keys[who].place)
    return tuple(Slot((who,), structs.asdict(keys[who]), order_because(state, who)) for who in ranked)


def placed_by(state: NamelessState, who: str) -> int:
    """Return the event that gave somebody its place: the roll, else the ruling on the order, else its joining."""
    if who in state.rolls:
        return state.rolls[who].seq
    ruled = state.ruled_order
    return ruled[0] if ruled and who in places(state) else state.combatants[who].joined


def order_because(state: NamelessState, who: str) -> Because:
    """Say which rolls, rulings, rules and options put somebody where it stands."""
    if who not in state.rolls:
        return Because(total_of.rules, (placed_by(state, who),))
    roll = state.rolls[who]
    because = Because((*key_of.rules, *total_of.rules), (roll.seq,))
    even = [each for each in state.rolls.values() if each.total == roll.total]
    if len(even) > 1:
        because += Because(rank_among_level.rules, tuple(each.seq for each in even))
    level = level_with(state, who)
    if len(level) > 1:
        because += Because((), _settling(state, level), state.chosen("full-tie"))
    if who in state.newcomers or who in state.first_rounds:
        because += Because(("initiative.late-arrival-inserted",), (state.combatants[who].joined,))
    return because


def _settling(state: NamelessState, level: Iterable[str]) -> tuple[int, ...]:
    ruled = [state.ruled_ties[who][1] for who in level if who in state.ruled_ties]
    return (*ruled, *(seq for who in level for _, seq in state.bare.get(who, ())))
