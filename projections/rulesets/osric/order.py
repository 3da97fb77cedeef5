"""Initiative: a side's die names the segment in which the other side acts; the order of a round and of surprise."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from msgspec import structs

from eventstore.events import ActionTaken, CombatantJoined, ConditionGained, InitiativeRolled, RulingMade
from eventstore.shapes import Action
from projections.because import Because, Cites, Derived
from projections.mechanics.conditions import has
from projections.mechanics.dues import Due, outstanding, owe, pay
from projections.mechanics.memo import remembered
from projections.mechanics.pools import HP
from projections.mechanics.rolls import face
from projections.occurrence import Occurrence
from projections.rulesets.osric.state import BY_CHOICE, SEGMENTS, SPELL, Order, OsricState, Out, Rolled
from projections.rulesets.osric.surprise import because_length, because_play, free, grants_die, listed
from projections.rulesets.ruleset import derives
from projections.scheduling.ladder import Rung, rungs
from projections.scheduling.ladder_schedule import Place
from projections.state import Combatant, Ruled, Slot
from projections.time import Boundary, Point

READIED = "weapon readied"
HASTED = "hasted"
DIE, FIRST_ACT = "initiative die", "first act"
FREE, HOLD = ("talk",), "hold"
WAITING = (*FREE, HOLD)
"""Kinds of action that use up nothing, and that no dice or segment have to be there for; `FREE` are never out of place."""


def brings_nothing_about(_state: OsricState, fact: Occurrence[Any]) -> bool:
    """Return whether an act has no outcome: talk."""
    return isinstance(fact.event, ActionTaken) and fact.event.action.kind in FREE


# ---------------------------------------------------------------- dice


@derives("initiative.fresh-each-round", at="round opened")
def dice_are_due(state: OsricState, boundary: Boundary) -> None:
    """Let each side owe a die, fresh in each round."""
    state.ruled_order = None
    for side in dict.fromkeys(one.side for one in state.here()):
        owe(state.round.dues, Due(side, DIE, FIRST_ACT, Because(dice_are_due.rules, (boundary.seq,))))


@derives("initiative.d6-each-side", on=CombatantJoined)
def newcomers_owe_a_die(state: OsricState, fact: Occurrence[CombatantJoined]) -> None:
    """Let a side that joins before the first die of a round owe one as well."""
    if not state.round.dice:
        one = state.combatants[fact.event.combatant]
        owe(state.round.dues, Due(one.side, DIE, FIRST_ACT, Because(newcomers_owe_a_die.rules, (fact.seq,))))


def another_die(state: OsricState, side: str) -> Derived[bool]:
    """Return whether a ruling of this round grants a side another initiative die."""
    said = ("initiative of this round", "another initiative die", "second die", "roll again")
    return grants_die(state, die_falls.rules[0], side, said)


@derives("initiative.d6-each-side", on=InitiativeRolled)
def die_falls(state: OsricState, fact: Occurrence[InitiativeRolled]) -> None:
    """Keep a side's die of the round; the first one stands unless a ruling grants another."""
    event, dice = fact.event, state.round.dice
    side = side_of(state, event)
    granted = another_die(state, side) if side in dice else None
    if event.die is not None and (granted is None or granted.value):
        state.round.sides.clear()
        pay(state.round.dues, side, DIE)
        dice[side] = Rolled(face(event.die), fact.seq, granted=granted.because.events if granted else ())


def side_of(state: OsricState, event: InitiativeRolled) -> str:
    """Return the side that an initiative die is for; one rolled by a combatant is its side's. "" where nobody is named."""
    one = state.combatants.get(event.combatant or "")
    return event.side or (one.side if one else "")


def missing_dice(state: OsricState) -> list[str]:
    """Return the sides that owe a die and have a combatant who is up."""
    owing = [due.who for due in outstanding(state.round.dues, FIRST_ACT)]
    return [side for side in owing if any(one.side == side and not fallen(state, one.id) for one in state.here())]


def over(state: OsricState) -> tuple[int, ...]:
    """Return the events that opened and closed the round, or the fight with it; none while it runs."""
    if state.clock.open:
        return (*state.clock.events[:1], state.closed) if state.closed else ()
    return state.clock.events


def missing(state: OsricState) -> tuple[str, ...]:
    """Return in sentences which dice the order still lacks."""
    sides = missing_dice(state) if state.clock.point.round and not over(state) else []
    return (f"no initiative die of {', '.join(sides)} in this round",) if sides else ()


def fallen(state: OsricState, who: str) -> Out | None:
    """Return the running time out of action of a combatant; None where it is up."""
    times = state.outs.get(who, ())
    return times[-1] if times and times[-1].until is None else None


# ---------------------------------------------------------------- what moves a combatant's place


@derives("initiative.missile-dexterity", on=ConditionGained)
def weapon_is_readied(state: OsricState, fact: Occurrence[ConditionGained]) -> None:
    """Note who readies a weapon after the dice: it was not in hand when they fell."""
    if fact.event.condition.casefold() == READIED and state.round.dice:
        state.round.readied.update(dict.fromkeys(fact.event.targets, fact.seq))


@derives("initiative.missile-dexterity", on=ActionTaken)
def act_readies_a_weapon(state: OsricState, fact: Occurrence[ActionTaken]) -> None:
    """Treat an act whose kind or name is readying as the readying of a weapon."""
    action = fact.event.action
    called = action.kind if action.kind != "other" else (action.name or "").partition(" ")[0].casefold()
    if called in ("ready", "readies") and state.round.dice and fact.point.round:
        state.round.readied[fact.event.combatant] = fact.seq


@derives("initiative.tie-gm-handles", on=RulingMade)
def ruling_places(state: OsricState, fact: Occurrence[RulingMade]) -> None:
    """Keep the order that a ruling gives to equals and, by option, the segment that it gives to a side."""
    event = fact.event
    state.round.sides.clear()
    for address, value in (event.values or {}).items():
        named, _, field = address.rpartition(".")
        if field == "segment":
            state.round.named.add(named)
            if type(value) is int and state.option("many-sides") == "ruling":
                state.ruled[address] = Ruled(value, fact.seq, "round", state.chosen("many-sides"))
    if event.ruling == "tie" and event.combatants:
        state.round.orders[fact.point.segment] = event.combatants


def named_order(state: OsricState, segment: int) -> tuple[str, ...]:
    """Return the order that a ruling names for a segment, else for the whole round; empty where there is none."""
    orders: dict[int, tuple[str, ...]] = state.round.orders
    return orders.get(segment) or orders.get(0, ())


# ---------------------------------------------------------------- the place of a side, and one's own


@derives("initiative.higher-die-first")
def highest_other(state: OsricState, side: str) -> int | None:
    """Return the highest die among the other sides; None while one is missing."""
    dice = state.round.dice
    others = [rolled.face for other, rolled in dice.items() if other != side]
    return max(others) if others and side in dice and not missing_dice(state) else None


@derives("initiative.other-sides-die")
def side_key(state: OsricState, side: str) -> Derived[Order | None]:
    """Return the place of a side: the highest die among the other sides names its segment."""
    known: Derived[Order | None] | None = state.round.sides.get(side)
    if known is None:
        known = _side_key(state, side)
        if not state.round.dues:
            state.round.sides[side] = known
    return known


def _side_key(state: OsricState, side: str) -> Derived[Order | None]:
    """Return the place of a side: in the segment that a ruling names, else in the one that the dice name.

    Of sides in one segment the one with the higher die comes first. The reason cites all dice of the round, the ruling,
    and the fallen of sides that owe no die.
    """
    dice, ruled = state.round.dice, state.ruled.get(f"{side}.segment")
    rolled = tuple(sorted(seq for die in dice.values() for seq in die.events))
    if not rolled and not ruled:
        return Derived(None, Because(dice_are_due.rules, state.clock.events[:1] or (1,)))
    excused = tuple(one.standing for one in state.here() if one.side not in dice and fallen(state, one.id))
    of: tuple[Cites, ...] = (ruled, *excused) if ruled else excused
    because = Because((*side_key.rules, *highest_other.rules), rolled, _side_options(state, side), of)
    segment = ruled.value if ruled else _segment_by_dice(state, side)
    if segment is None:
        return Derived(None, because)
    return Derived(_key(state, segment, -dice[side].face if side in dice else 0), because)


def _side_options(state: OsricState, side: str) -> dict[str, str]:
    """Return the options that decide on a side's place: on more sides than two, and on equal dice."""
    many = state.chosen("many-sides") if _is_of_many(state, side) else {}
    return many | (state.chosen("tie-handling") if shares_dice(state, side) else {})


def _is_of_many(state: OsricState, side: str) -> bool:
    """Return whether a side's segment may be a matter of ruling: there are more sides than two, or a ruling named it."""
    return len(state.round.dice) > 2 or side in state.round.named


def _segment_by_dice(state: OsricState, side: str) -> int | None:
    """Return the segment that the dice name for a side, maybe above 10; None where an option leaves it to a ruling."""
    if _is_of_many(state, side) and state.option("many-sides") == "ruling":
        return None
    return highest_other(state, side)


def _key(state: OsricState, raw: int, rank: int) -> Order:
    """Return a place in a segment limited to 1 to 10; what lies beyond the limit goes to `lead`, which orders equals."""
    segment = min(max(raw, 1), SEGMENTS)
    return Order(state.clock.round, segment, lead=raw - segment, rank=rank)


@derives("initiative.missile-dexterity", "initiative.dexterity-not-for-melee")
def own_key(
    state: OsricState, one: Combatant, action: Action | None, side: Derived[Order | None] | None = None
) -> Derived[Order | None]:
    """Return a combatant's own place for an act: that of its side, moved by the missile bonus for a shot.

    If the action is not known (None), a combatant with a missile bonus is placed as for a shot. `side` is the place of
    the side, if the caller has computed it.
    """
    side = side or side_key(state, one.side)
    if one.id in state.round.named:
        side = Derived(side.value, Because((), (), state.chosen("many-sides"), (side,)))
    if ruled := state.ruled.get(f"{one.id}.segment"):
        return Derived(_key(state, ruled.value, side.value.rank if side.value else 0), Because(of=(ruled, side)))
    bonus = missile_bonus(state, one, action)
    key, because = side.value, side.because
    if bonus and key is not None:
        moved = own_key.rules[:1]
        options = state.chosen("missile-initiative", "missile-bonus-for")
        because = Because((*moved, *because.rules), (one.joined,), options, (side,))
        key = _moved(state, key, bonus)
    elif missile_bonus(state, one, None):
        because = Because((), (), state.chosen("missile-bonus-for"), (side,))  # which might count for it
    if key is not None and state.option("tie-handling") == "ruling" and shares_dice(state, one.side):
        key = structs.replace(key, lead=key.lead + _place_of_side(state, one, key.segment))
    return Derived(key, because)


def _moved(state: OsricState, key: Order, bonus: int) -> Order:
    """Return the place of an archer: that of its side, as many segments earlier as its missile bonus.

    The bonus counts as part of the side's die, too, where places are equal. By option it counts only where it wins.
    """
    if state.option("missile-initiative") == "win-only":
        return _moved_if_it_wins(state, key, bonus)
    return _key(state, key.segment + key.lead - bonus, key.rank - bonus)


def _moved_if_it_wins(state: OsricState, key: Order, bonus: int) -> Order:
    """Return the place of an archer whose bonus counts only if it raises a losing or equal die above the other side's.

    Such an archer comes before everybody in the first segment in which a side acts. Any other keeps the place of its side.
    """
    die, other_die = -key.rank, key.segment + key.lead
    wins_by_bonus = die <= other_die < die + bonus
    if not wins_by_bonus:
        return key
    segments = [placed.segment for side in state.round.dice if (placed := side_key(state, side).value)]
    return Order(key.round, min([key.segment, *segments]), lead=-1, rank=-(die + bonus))


def missile_bonus(state: OsricState, one: Combatant, action: Action | None) -> int:
    """Return the bonus that moves an act: for a shot with a weapon that was in hand when the dice fell."""
    bonus = int(one.sheet.missile_bonus)
    if one.id in state.round.readied:
        return 0
    if action is None or state.option("missile-bonus-for") == "weapon-in-hand":
        return bonus
    return bonus if is_shot(action) else 0


def is_shot(action: Action) -> bool:
    """Return whether an action is an attack in the manner missile."""
    return action.kind == "attack" and "missile" in action.manner


def shares_dice(state: OsricState, side: str) -> bool:
    """Return whether another side's die is equal."""
    dice = state.round.dice
    own = dice.get(side)
    return own is not None and any(r.face == own.face for other, r in dice.items() if other != side)


def _place_of_side(state: OsricState, one: Combatant, segment: int) -> int:
    """Return the index of a side among those with the same die: by a ruled order, else by their first rows in the segment."""
    dice = state.round.dice
    rows = named_order(state, segment) or tuple(state.round.first_rows.get(segment, ()))
    sides = dict.fromkeys(state.combatants[who].side if who in state.combatants else who for who in rows)
    level = [side for side in sides if side in dice and dice[side].face == dice[one.side].face]
    return level.index(one.side) if one.side in level else len(level)


def own_action(state: OsricState, one: Combatant) -> Derived[Action | None]:
    """Return the action of a combatant in its own segment: the one done, else the one declared; None if neither is known."""
    for act in state.round.acts_of.get(one.id, ()):
        if act.action.kind not in WAITING and not act.answers:
            return Derived(act.action, Because((), (act.seq,)))
    declared = state.round.said.get(one.id)
    if declared and declared.action.kind not in WAITING and (declared.action.kind == SPELL or not declared.withdrawn):
        return Derived(declared.action, Because((), (declared.seq,)))
    return Derived(None, Because())


@derives("initiative.missile-dexterity")
@remembered
def other_key(state: OsricState, one: Combatant) -> Derived[Order | None]:
    """Return the place without a shot of a combatant who may shoot and has declared nothing; None of any other."""
    if not missile_bonus(state, one, None) or own_action(state, one).value is not None:
        return Derived(None, Because())
    return own_key(state, one, Action(kind="attack"))


def other_segments(state: OsricState, those: list[Combatant], key: Order | None) -> dict[str, Any]:
    """Return the part of a key with the segments in which possible archers act if they do not shoot."""
    others = {one.id: other.segment for one in those if (other := other_key(state, one).value)}
    found = {who: segment for who, segment in others.items() if key and segment != key.segment}
    return {"else": found} if found else {}


def shown_key(state: OsricState, one: Combatant, side: Derived[Order | None] | None = None) -> Derived[Order | None]:
    """Return the place in which a combatant is shown: of what it did or declared, else as for a shot."""
    if not one.sheet.missile_bonus:
        return own_key(state, one, None, side)
    action = own_action(state, one)
    key = own_key(state, one, action.value, side)
    return Derived(key.value, Because(key.because.rules, (), {}, (key, action)))


# ---------------------------------------------------------------- held to a later segment, or acting in surprise


@derives("segments.held-action")
def hold_fault(state: OsricState, one: Combatant, point: Point) -> str:
    """Return why an option forbids holding an act until this segment; "" where none does."""
    if state.option("hold-until") == "segment-seven-on" and point.segment < 7:
        return "a held action comes in segments 7 to 10"
    if state.option("hold-announced") == "required" and one.id not in state.round.announced:
        return f"{one.id} did not say that it holds"
    return ""


@derives("segments.held-action", "segments.seven-to-ten")
def held_key(state: OsricState, one: Combatant, own: Derived[Order], point: Point) -> Derived[Order]:
    """Return the key of an act that was held until this segment."""
    rank = own.value.rank
    others = [other for other in all_who_may_act(state) if other.id != one.id]
    due = sorted(k for other in others if (k := shown_key(state, other).value) and k.segment == point.segment)
    how = state.option("hold-order")
    announced = (state.round.held[one.id],) if one.id in state.round.held else ()
    because = Because(held_key.rules[:1], announced, state.chosen("hold-order"), (own,))
    if how == "before" and due:
        return Derived(Order(point.round, point.segment, lead=min(key.lead for key in due) - 1, rank=rank), because)
    if how == "at-once" and due:
        return Derived(due[-1], because)
    return Derived(Order(point.round, point.segment, band=BY_CHOICE), because)


@derives("surprise.shared-segment-at-once")
def surprise_key(state: OsricState, one: Combatant, segment: int) -> Order:
    """Return the key of an act in a surprise segment: all act at once, unless an option orders them."""
    if state.option("surprise-shared") != "ruling":
        return Order(0, segment)
    rows = list(named_order(state, segment) or state.round.first_rows.get(segment, ()))
    places = [rows.index(name) for name in (one.id, one.side) if name in rows]
    return Order(0, segment, lead=min(places, default=len(rows)))


# ---------------------------------------------------------------- the order


def may_act(state: OsricState, one: Combatant) -> bool:
    """Return whether a combatant has a place in this round: it is present and did not fall before the round."""
    out = fallen(state, one.id)
    return not one.left and (out is None or out.key.round >= state.clock.point.round)


def all_who_may_act(state: OsricState) -> list[Combatant]:
    """Return the combatants who have a place in this round."""
    return [one for one in state.combatants.values() if may_act(state, one)]


@derives("initiative.tie-is-simultaneous")
def slots(state: OsricState) -> tuple[Slot, ...]:
    """Return the order of the round, or of the surprise segments: equal keys act at once."""
    if state.clock.point.round == 0:
        return surprise_slots(state)
    keys = _keys(state)
    return tuple(_slot(state, rung, keys) for rung in rungs(keys, lambda who: keys[who].value))


def places(state: OsricState, one: Combatant) -> list[Place]:
    """Return the place of a combatant in the order of the round; it has no key while a die is missing."""
    return [Place(one.id, shown_key(state, one).value)] if may_act(state, one) else []


def common(state: OsricState) -> tuple[object, ...] | None:
    """Return the inputs of all places: the places of the sides; None in surprise, and where rulings order sides with equal dice."""
    now = state.clock.point.round
    if not now or state.option("tie-handling") == "ruling":
        return None
    return now, *(side_key(state, side).value for side in state.sides)


def _keys(state: OsricState) -> dict[str, Derived[Order | None]]:
    """Return the keys of those who have a place in this round, by combatant."""
    there = all_who_may_act(state)
    sides = {side: side_key(state, side) for side in dict.fromkeys(one.side for one in there)}
    return {one.id: shown_key(state, one, sides[one.side]) for one in there}


def _slot(state: OsricState, rung: Rung[str], keys: dict[str, Derived[Order | None]]) -> Slot:
    members = [state.combatants[who] for who in rung.members]
    reasons = sorted((keys[one.id].because for one in members), key=lambda each: own_key.rules[0] in each.rules)
    rules = slots.rules if len({one.side for one in members}) > 1 else ()
    because = Because(rules, (), {}, tuple({id(each): each for each in reasons}.values()))
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
    """Return a slot for each surprise segment in which anybody may act."""
    found = []
    for segment in listed(state):
        members = still_free(state, segment)
        if members:
            shared = len({one.side for one in members}) > 1
            rules, options = (*surprise_key.rules, *free.rules), state.chosen("surprise-shared")
            reasons: tuple[Cites, ...] = (
                because_play(state),
                *(because_length(state, one) for one in state.here()),
                *(one.standing for one in state.here() if len(one.pools[HP].changes) > 1),
            )
            because = Because(rules if shared else free.rules, (), options if shared else {}, reasons)
            found.append(
                Slot(tuple(o.id for o in members), structs.asdict(Order(0, segment)), because, segment=segment)
            )
    return tuple(found)


def still_free(state: OsricState, segment: int) -> list[Combatant]:
    """Return who may act in a surprise segment: those who are free and did not fall before it.

    A combatant who falls in it may still act, at the same time as the blow.
    """
    return [
        one
        for one in state.here()
        if free(state, one, segment)
        and ((out := fallen(state, one.id)) is None or out.key >= surprise_key(state, one, segment))
    ]


# ---------------------------------------------------------------- rows, and routines that are due


def keep_highest_row(state: OsricState, segment: int, seq: int) -> None:
    """Record a row in the highest segment so far."""
    if state.round.highest < segment <= SEGMENTS:
        state.round.highest, state.round.highest_by = segment, []
    if state.round.highest == segment:
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


@derives("attack.level-or-haste-adds-routine")
@remembered
def routines_due(state: OsricState, one: Combatant) -> Derived[int]:
    """Return how many attack routines a combatant has in a round: those of its sheet, and one more while hasted."""
    ruled, hasted = state.routines.get(one.id), is_hasted(state, one.id)
    given = int(ruled.value) if ruled else int(one.sheet.routines)
    freed = None if hasted.value else state.freed_by.get(one.id, {}).get(HASTED)
    because = Because(routines_due.rules, (one.joined,), {}, tuple(each for each in (ruled, hasted, freed) if each))
    return Derived(given + hasted.value, because)
