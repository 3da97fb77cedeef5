"""Initiative: a side's die names the segment in which the other side acts."""

from itertools import groupby
from typing import Any

from msgspec import structs

from eventstore.events import ActionTaken, ConditionGained, InitiativeRolled, RoundStarted, RulingMade
from eventstore.shapes import Action
from projections.because import Because
from projections.mechanics.conditions import has
from projections.occurrence import Occurrence
from projections.rulesets.osric.state import (
    BY_CHOICE,
    SEGMENTS,
    Order,
    OsricState,
    Rolled,
)
from projections.rulesets.osric.surprise import because_length, face, free, granted, listed
from projections.rulesets.ruleset import derives
from projections.rulesets.schedule import rounds_as_recorded
from projections.state import Combatant, Slot
from projections.time import Boundary, Point

READIED = "weapon readied"
HASTED = "hasted"


@derives("initiative.fresh-each-round", on=RoundStarted)
def dice_are_picked_up(state: OsricState, _fact: Occurrence[RoundStarted]) -> None:
    """Forget the dice, the ruled places and the acts of the round before."""
    state.dice.clear()
    state.ruled_order = None
    state.dice_missed = False
    state.readied.clear()
    state.named_segments.clear()
    state.named_orders.clear()
    state.acts.clear()
    state.seen.clear()
    state.first_rows.clear()
    state.highest = 0


@derives("initiative.d6-each-side", on=InitiativeRolled)
def die_falls(state: OsricState, fact: Occurrence[InitiativeRolled]) -> None:
    """Keep a side's die of the round; the first one stands unless a ruling grants another."""
    event = fact.event
    side = side_of(state, event)
    if side and event.die is not None:
        rolled = Rolled(face(event.die), fact.seq)
        if side not in state.dice or granted(state, die_falls.rules[0], side):
            state.dice[side] = rolled


def side_of(state: OsricState, event: InitiativeRolled) -> str:
    """Return the side that an initiative die is for; one rolled by a combatant is its side's."""
    one = state.combatants.get(event.combatant or "")
    return event.side or (one.side if one else "")


@derives("initiative.missile-dexterity", on=ConditionGained)
def weapon_is_readied(state: OsricState, fact: Occurrence[ConditionGained]) -> None:
    """Note who readies a weapon after the dice: it was not in hand as they fell."""
    if fact.event.condition.casefold() == READIED and state.dice:
        state.readied.update(dict.fromkeys(fact.event.targets, fact.seq))


@derives("initiative.missile-dexterity", on=ActionTaken)
def act_readies_a_weapon(state: OsricState, fact: Occurrence[ActionTaken]) -> None:
    """Take an act that is called readying for that."""
    action = fact.event.action
    called = action.kind if action.kind != "other" else (action.name or "").partition(" ")[0].casefold()
    if called in ("ready", "readies") and state.dice and fact.point.round:
        state.readied[fact.event.combatant] = fact.seq


@derives("initiative.tie-gm-handles", on=RulingMade)
def ruling_places(state: OsricState, fact: Occurrence[RulingMade]) -> None:
    """Let a ruling name the segment of a side (`guards.segment`), or the order of those who are level."""
    event = fact.event
    for address, value in (event.values or {}).items():
        who, _, field = address.partition(".")
        counts = event.ruling == "override" or state.option("many-sides") == "ruling"
        if field == "segment" and isinstance(value, int) and counts:
            state.named_segments[who] = (value, fact.seq)
    if event.ruling == "tie" and event.combatants:
        state.named_orders[fact.point.segment] = event.combatants


def named_order(state: OsricState, segment: int) -> tuple[str, ...]:
    """Return the order that a ruling names for a segment, or for the whole round; nobody where there is none."""
    return state.named_orders.get(segment) or state.named_orders.get(0) or ()


@derives("initiative.higher-die-first")
def highest_other(state: OsricState, side: str) -> int | None:
    """Return the highest die among the other sides; None while one is missing."""
    others = [rolled.face for other, rolled in state.dice.items() if other != side]
    return max(others) if others and side in state.dice and not missing_dice(state) else None


def missing_dice(state: OsricState) -> list[str]:
    """Return the sides that owe a die: those with somebody in the fight since before the first die of the round."""
    first = min((rolled.seq for rolled in state.dice.values()), default=0)
    up = [one for one in state.here() if one.id not in state.fallen and (not first or one.joined < first)]
    return [side for side in dict.fromkeys(one.side for one in up) if side not in state.dice]


def meets(state: OsricState, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
    """Return the boundaries of rounds: a recorded round is always the next one, whatever number it says."""
    found = rounds_as_recorded(state, fact)
    return tuple(
        structs.replace(each, number=state.clock.round + 1) if each.kind == "round opened" else each for each in found
    )


def missing(state: OsricState) -> tuple[str, ...]:
    """Return in sentences which dice the order still lacks."""
    sides = missing_dice(state) if state.clock.point.round and state.clock.open else []
    return (f"no initiative die of {', '.join(sides)} in this round",) if sides else ()


@derives("initiative.other-sides-die")
def side_key(state: OsricState, side: str) -> Order | None:
    """Return the place of a side by the dice: the highest die among the others names its segment."""
    named = state.named_segments.get(side)
    raw = named[0] if named else highest_other(state, side)
    if raw is None or (not named and len(state.dice) > 2 and state.option("many-sides") == "ruling"):
        return None
    return _key(state, raw, -state.dice[side].face if side in state.dice else 0)


def _key(state: OsricState, raw: int, rank: int) -> Order:
    segment = min(max(raw, 1), SEGMENTS)
    return Order(state.clock.round, segment, lead=raw - segment, rank=rank)


@derives("initiative.missile-dexterity", "initiative.dexterity-not-for-melee")
def own_key(state: OsricState, one: Combatant, action: Action | None = None) -> Order | None:
    """Return a combatant's own place: that of its side, moved by the missile bonus for a shot.

    Without an action, for somebody who has a missile bonus, as if a shot is meant.
    """
    key = side_key(state, one.side)
    named = state.named_segments.get(one.id)
    if named:
        return _key(state, named[0], key.rank if key else 0)
    bonus = missile_bonus(state, one, action)
    if key is None or not bonus:
        return _tied(state, one, key)
    if state.option("missile-initiative") == "win-only":
        return _tied(state, one, _won(state, one, key, bonus))
    return _tied(state, one, _key(state, key.segment + key.lead - bonus, key.rank - bonus))


def _won(state: OsricState, one: Combatant, key: Order, bonus: int) -> Order:
    """Return the place of an archer whose bonus counts only where it wins the initiative."""
    own, raw = -key.rank, key.segment + key.lead
    others = [k for side in state.dice if side != one.side and (k := side_key(state, side)) is not None]
    if own > raw or own + bonus <= raw or not others:
        return key
    return Order(key.round, min(k.segment for k in others), lead=-1, rank=-(own + bonus))


def missile_bonus(state: OsricState, one: Combatant, action: Action | None) -> int:
    """Return the bonus that moves an act: for a shot with a weapon that was in hand as the dice fell."""
    bonus = int(one.sheet.missile_bonus)
    if not bonus or one.id in state.readied:
        return 0
    if action is None or state.option("missile-bonus-for") == "weapon-in-hand":
        return bonus
    return bonus if is_shot(action) else 0


def is_shot(action: Action) -> bool:
    """Say whether an action is an attack in the manner missile."""
    return action.kind == "attack" and "missile" in action.manner


def _tied(state: OsricState, one: Combatant, key: Order | None) -> Order | None:
    """Add the place that a ruling, or the order of first rows, gives to sides with equal dice, where an option says so."""
    if key is None or state.option("tie-handling") != "ruling" or not shares_dice(state, one.side):
        return key
    return structs.replace(key, lead=key.lead + _place_of_side(state, one, key.segment))


def shares_dice(state: OsricState, side: str) -> bool:
    """Say whether another side's die is equal."""
    own = state.dice.get(side)
    return own is not None and any(r.face == own.face for other, r in state.dice.items() if other != side)


def _place_of_side(state: OsricState, one: Combatant, segment: int) -> int:
    """Return the place of a side in a ruled order, else in the order of the first rows of that segment.

    Only sides with the same die count.
    """
    rows = named_order(state, segment) or tuple(state.first_rows.get(segment, ()))
    sides = dict.fromkeys(state.combatants[who].side if who in state.combatants else who for who in rows)
    level = [side for side in sides if side in state.dice and state.dice[side].face == state.dice[one.side].face]
    return level.index(one.side) if one.side in level else len(level)


@derives("segments.held-action", "segments.seven-to-ten")
def act_key(state: OsricState, one: Combatant, action: Action | None, point: Point) -> Order:
    """Return the key of an act: by the dice in the own segment, by choice after it; too early it has none of its own."""
    if point.round == 0:
        return surprise_key(state, one, point.segment)
    own = own_key(state, one, action)
    if own is None or point.segment == 0 or point.round != own.round:
        return own if own is not None and point.segment == 0 else Order(point.round, point.segment)
    if point.segment <= own.segment or hold_fault(state, one, point):
        return own if point.segment == own.segment else Order(point.round, point.segment)
    return _held(state, one, own, point)


@derives("segments.held-action")
def hold_fault(state: OsricState, one: Combatant, point: Point) -> str:
    """Return why an option forbids that an act is held to this segment; "" where none does."""
    if state.option("hold-until") == "segment-seven-on" and point.segment < 7:
        return "a held action comes in segments 7 to 10"
    if state.option("hold-announced") == "required" and one.id not in state.held:
        return f"{one.id} did not say that it holds"
    return ""


def _held(state: OsricState, one: Combatant, own: Order, point: Point) -> Order:
    """Return the key of an act that was held to this segment."""
    others = [other for other in may_act(state) if other.id != one.id]
    due = sorted(k for other in others if (k := own_key(state, other)) and k.segment == point.segment)
    how = state.option("hold-order")
    if how == "before" and due:
        return Order(point.round, point.segment, lead=min(key.lead for key in due) - 1, rank=own.rank)
    if how == "at-once" and due:
        return due[-1]
    return Order(point.round, point.segment, band=BY_CHOICE)


@derives("surprise.shared-segment-at-once")
def surprise_key(state: OsricState, one: Combatant, segment: int) -> Order:
    """Return the key of an act in a surprise segment: everybody at once, unless an option lets an order count."""
    if state.option("surprise-shared") != "ruling":
        return Order(0, segment)
    rows = list(named_order(state, segment) or state.first_rows.get(segment, ()))
    places = [rows.index(name) for name in (one.id, one.side) if name in rows]
    return Order(0, segment, lead=min(places, default=len(rows)))


def may_act(state: OsricState) -> list[Combatant]:
    """Return who has a place in this round: those here who had not fallen before it."""
    now = state.clock.point.round
    return [one for one in state.here() if one.id not in state.fallen or state.fallen[one.id].key.round >= now]


@derives("initiative.tie-is-simultaneous")
def slots(state: OsricState) -> tuple[Slot, ...]:
    """Return the order of the round, or of the surprise segments: equal keys act at once."""
    if state.clock.point.round == 0:
        return surprise_slots(state)
    placed = [(key, one) for one in may_act(state) if (key := own_key(state, one)) is not None]
    placed.sort(key=lambda pair: pair[0])
    groups = [(key, [one for _, one in group]) for key, group in groupby(placed, lambda pair: pair[0])]
    tied = Because(slots.rules if any(len({one.side for one in group}) > 1 for _, group in groups) else ())
    return tuple(_slot(key, group, tied + order_because(state, group)) for key, group in groups)


def surprise_slots(state: OsricState) -> tuple[Slot, ...]:
    """Return who may act in each surprise segment; an idle one has no slot."""
    found = []
    for segment in listed(state):
        members = [one for one in state.here() if free(state, one, segment) and one.id not in state.fallen]
        if members:
            rules = (*surprise_key.rules, *free.rules) if len({one.side for one in members}) > 1 else free.rules
            because = sum((because_length(state, one) for one in state.here()), Because(rules))
            found.append(_slot(Order(0, segment), members, because))
    return tuple(found)


def _slot(key: Order, members: list[Combatant], because: Because) -> Slot:
    return Slot(tuple(one.id for one in members), structs.asdict(key), because, segment=key.segment)


def order_because(state: OsricState, members: list[Combatant]) -> Because:
    """Say which dice, rules and options put these where they are."""
    sides = {one.side for one in members}
    rules: tuple[str, ...] = (*side_key.rules, *highest_other.rules)
    options: dict[str, str] = {}
    shoots = [one for one in members if missile_bonus(state, one, None)]
    if shoots:
        rules = (own_key.rules[0], *rules) if len(shoots) == len(members) else (*rules, own_key.rules[0])
        options = state.chosen("missile-initiative", "missile-bonus-for")
    if len(sides) > 1:
        rules, options = (*slots.rules, *rules), options | state.chosen("tie-handling")
    if len(state.dice) > 2:
        options = options | state.chosen("many-sides")
    return Because(rules, tuple(sorted(_deciding(state, sides))), options)


def _deciding(state: OsricState, sides: set[str]) -> set[int]:
    """Return the events of the dice that decide the place of these sides: their own, and the highest of the others."""
    seqs = set()
    for side in sides & state.dice.keys():
        highest = highest_other(state, side)
        others = {r.seq for other, r in state.dice.items() if other != side and r.face == highest}
        seqs |= {state.dice[side].seq} | others
    return seqs | {seq for name, (_, seq) in state.named_segments.items() if name in sides}


@derives("attack.level-or-haste-adds-routine", on=RulingMade)
def ruling_gives_routines(state: OsricState, fact: Occurrence[RulingMade]) -> None:
    """Let a ruling say how many routines a combatant has (`ada.routines`), the one of a haste that is on included."""
    for address, value in (fact.event.values or {}).items() if fact.event.ruling in ("override", "grant") else ():
        who, _, field = address.partition(".")
        if field == "routines" and type(value) is int:
            state.ruled_routines[who] = (value - is_hasted(state, who), fact.seq)


def is_hasted(state: OsricState, who: str) -> bool:
    """Say whether the condition hasted is on."""
    return has(state.conditions, who, HASTED).value


@derives("attack.level-or-haste-adds-routine")
def routines_due(state: OsricState, one: Combatant) -> int:
    """Return how many attack routines a combatant has in a round: those of its sheet, and one more while hasted."""
    given, _ = state.ruled_routines.get(one.id, (int(one.sheet.routines), 0))
    return given + is_hasted(state, one.id)
