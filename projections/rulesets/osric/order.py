"""The order of a round and of surprise: the dice, the segment that the other side's die names, the shifts of a
combatant's place; the routines that are due.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import combinations, groupby

from msgspec import structs

from eventstore.events import ActionTaken, CombatantJoined, ConditionGained, InitiativeRolled, RulingMade
from eventstore.shapes import Action
from projections.because import NOTHING_CITED, Because, Cites, Derived, asked_options
from projections.fight import Combatant, Ruled, Slot
from projections.folds.side_dice import keep_die, side_of, sides_without_die
from projections.mechanics.acts import is_shot
from projections.mechanics.conditions import has_effect
from projections.mechanics.memo import memoize
from projections.mechanics.pools import HP
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.rulesets.osric.state import BY_CHOICE, SEGMENTS, SPELL, Order, OsricState, Out
from projections.rulesets.osric.surprise import grants_die, is_free, length_reason, play_reason, segments_from
from projections.scheduling.ladder_schedule import LadderPlace
from projections.time import Boundary, Point


@derives("initiative.fresh-each-round", at="round opened")
def owe_new_dice(state: OsricState, boundary: Boundary) -> None:
    """Record that each side owes a new die in each round."""
    state.ruled_order = None
    state.round.owing = dict.fromkeys((one.side for one in state.here()), boundary.seq)


@derives("initiative.d6-each-side", on=CombatantJoined, phase="reading")
def owe_die_of_newcomers(state: OsricState, fact: Occurrence[CombatantJoined]) -> None:
    """Record that a side that joins before the first die of a round owes one as well."""
    if not state.round.dice:
        state.round.owing.setdefault(state.combatants[fact.event.combatant].side, fact.seq)


def may_roll_again(state: OsricState, side: str) -> Derived[bool]:
    """Return whether a ruling of this round grants a side another initiative die."""
    said = ("initiative of this round", "another initiative die", "second die", "roll again")
    return grants_die(state, "initiative.d6-each-side", side, said)


@derives("initiative.d6-each-side", on=InitiativeRolled, phase="reading")
def keep_initiative(state: OsricState, fact: Occurrence[InitiativeRolled]) -> None:
    """Keep a side's die of the round; the first one stands unless a ruling grants another."""
    side = side_of(state, fact.event)
    if keep_die(state.round.dice, side, fact.event.die, fact.seq, partial(may_roll_again, state)):
        state.round.sides.clear()
        state.round.owing.pop(side, None)


def missing_dice(state: OsricState) -> list[str]:
    """Return the sides that owe a die and have a combatant who is up."""
    up = {one.side for one in state.here() if not time_out(state, one.id)}
    return [side for side in state.round.owing if side in up]


def end_records(state: OsricState) -> tuple[int, ...]:
    """Return the events that opened and closed the round, or the fight with it; none while it runs."""
    if state.clock.open:
        return (*state.clock.events[:1], state.closed) if state.closed else ()
    return state.clock.events


def words_on_dice(state: OsricState) -> tuple[str, ...]:
    """Return sentences on the dice that the order still lacks."""
    return sides_without_die(missing_dice(state) if state.clock.point.round and not end_records(state) else [])


def time_out(state: OsricState, who: str) -> Out | None:
    """Return a combatant's running time out of action; None while it is up."""
    times = state.outs.get(who, ())
    return times[-1] if times and times[-1].until is None else None


def is_up_again(state: OsricState, who: str) -> bool:
    """Say whether a combatant was out of action and is so no longer."""
    return bool(state.outs.get(who)) and time_out(state, who) is None


READIED = "weapon readied"
FREE, HOLD = ("talk",), "hold"
WAITING = (*FREE, HOLD)
"""Kinds of action that use up nothing, and that need neither dice nor a segment; `FREE` are never out of place."""


# ---------------------------------------------------------------- what moves a combatant's place


@derives("initiative.missile-dexterity", on=ConditionGained, phase="reading")
def note_readied_weapon(state: OsricState, fact: Occurrence[ConditionGained]) -> None:
    """Note the combatants who ready a weapon after the dice: it was not in hand when the dice fell."""
    if fact.event.condition.casefold() == READIED and state.round.dice:
        state.round.readied.update(dict.fromkeys(fact.event.targets, fact.seq))


@derives("initiative.missile-dexterity", on=ActionTaken, phase="reading")
def ready_weapon_by_act(state: OsricState, fact: Occurrence[ActionTaken]) -> None:
    """Treat an act whose kind or name is readying as the readying of a weapon."""
    name = fact.event.action.name or ""
    called = fact.kind if fact.kind != "other" else name.partition(" ")[0].casefold()
    if called in ("ready", "readies") and state.round.dice and fact.point.round:
        state.round.readied[fact.event.combatant] = fact.seq


@derives("initiative.tie-gm-handles", on=RulingMade)
def keep_ruled_order(state: OsricState, fact: Occurrence[RulingMade]) -> None:
    """Keep the order that a ruling gives to equals and, by option, the segment that it gives to a side."""
    event = fact.event
    state.round.sides.clear()
    for address, value in (event.values or {}).items():
        named, _, field = address.rpartition(".")
        if field == "segment":
            if type(value) is int and state.option("many-sides") == "ruling":
                state.ruled[address] = Ruled(value, fact.seq, "round")
            state.round.named[named] = asked_options()
    if event.ruling == "tie" and event.combatants:
        state.round.orders[fact.point.segment] = dict.fromkeys(event.combatants, fact.seq)


def order_in_segment(state: OsricState, segment: int) -> dict[str, int]:
    """Return the order that a ruling names for a segment or the round, else that of the first rows there."""
    orders: dict[int, dict[str, int]] = state.round.orders
    rows: dict[int, dict[str, int]] = state.round.first_rows
    return orders.get(segment) or orders.get(0) or rows.get(segment, {})


# ---------------------------------------------------------------- the place of a side, and one's own


@derives("initiative.higher-die-first")
def highest_other(state: OsricState, side: str) -> int | None:
    """Return the highest die among the other sides; None while one is missing."""
    dice = state.round.dice
    others = [rolled.face for other, rolled in dice.items() if other != side]
    return max(others) if others and side in dice and not missing_dice(state) else None


@derives("initiative.other-sides-die")
def key_of_side(state: OsricState, side: str) -> Derived[Order | None]:
    """Return the place of a side: the highest die among the other sides names its segment."""
    known: Derived[Order | None] | None = state.round.sides.get(side)
    if known is None:
        known = _derive_side_key(state, side)
        if not state.round.owing:
            state.round.sides[side] = known
    return known


def _derive_side_key(state: OsricState, side: str) -> Derived[Order | None]:
    """Return the place of a side: in the segment that a ruling names, else in the one that the dice name."""
    dice, ruled = state.round.dice, state.ruled.get(f"{side}.segment")
    rolled = tuple(sorted(seq for die in dice.values() for seq in die.events))
    if not rolled and not ruled:
        return Derived(None, Because(owe_new_dice.rules, state.clock.events[:1] or (1,)))
    excused = tuple(one.standing for one in state.here() if one.side in state.round.owing and time_out(state, one.id))
    of: tuple[Cites, ...] = (ruled, *excused) if ruled else excused
    named = (state.round.named[side],) if side in state.round.named else ()
    if ruled:
        segment = ruled.value
    elif (named or len(dice) > 2) and state.option("many-sides") == "ruling":
        segment = None
    else:
        segment = highest_other(state, side)
    because = Because((*key_of_side.rules, *highest_other.rules), rolled, (*of, *named))
    key = None if segment is None else _make_key(state, segment, -dice[side].face if side in dice else 0)
    return Derived(key, because)


def _make_key(state: OsricState, raw: int, rank: int) -> Order:
    """Return a place in a segment limited to 1 to 10; the excess goes to `lead`, which orders acts in one segment."""
    segment = min(max(raw, 1), SEGMENTS)
    return Order(state.clock.round, segment, lead=raw - segment, rank=rank)


@derives("initiative.missile-dexterity", "initiative.dexterity-not-for-melee")
def own_key(
    state: OsricState, one: Combatant, action: Action | None, side: Derived[Order | None] | None = None
) -> Derived[Order | None]:
    """Return a combatant's own place for an act: in the segment that a ruling gives it, else that of its side, moved for a shot."""
    side = side or key_of_side(state, one.side)
    if (named := state.round.named.get(one.id)) is not None:
        side = Derived(side.value, Because((), (), (side, named)))
    if ruled := state.ruled.get(f"{one.id}.segment"):
        return Derived(_make_key(state, ruled.value, side.value.rank if side.value else 0), Because(of=(ruled, side)))
    own = _key_with_bonus(state, one, action, side)
    if (key := own.value) and shares_dice(state, one.side) and state.option("tie-handling") == "ruling":
        place = _rank_of_side(state, one, key.segment)
        key = structs.replace(key, lead=key.lead + place.value)
        return Derived(key, Because(own.because.rules, (), (own, place)))
    return own


def _key_with_bonus(
    state: OsricState, one: Combatant, action: Action | None, side: Derived[Order | None]
) -> Derived[Order | None]:
    """Return the place of a side, moved by a combatant's missile bonus for a shot, or an action not known (None)."""
    bonus = missile_bonus(state, one, action)
    if bonus and side.value is not None:
        rules = ("initiative.missile-dexterity", *side.because.rules)
        return Derived(_key_of_archer(state, side.value, bonus), Because(rules, (one.joined,), (side,)))
    if missile_bonus(state, one, None):  # the option on actions that the bonus moves is a reason
        return Derived(side.value, Because((), (), (side,)))
    return side


def _key_of_archer(state: OsricState, key: Order, bonus: int) -> Order:
    """Return the place of an archer: that of its side, as many segments earlier as its missile bonus; by option the
    first of all, if the bonus raises a losing or equal die above the other side's.
    """
    if state.option("missile-initiative") != "win-only":
        return _make_key(state, key.segment + key.lead - bonus, key.rank - bonus)
    die, other_die = -key.rank, key.segment + key.lead
    if not die <= other_die < die + bonus:
        return key
    segments = [placed.segment for side in state.round.dice if (placed := key_of_side(state, side).value)]
    return Order(key.round, min([key.segment, *segments]), lead=-1, rank=-(die + bonus))


def missile_bonus(state: OsricState, one: Combatant, action: Action | None) -> int:
    """Return the bonus that moves an act: for a shot with a weapon that was in hand when the dice fell."""
    bonus = 0 if one.id in state.round.readied else int(one.sheet.missile_bonus)
    if not bonus or action is None or is_shot(action):
        return bonus
    return bonus if state.option("missile-bonus-for") == "weapon-in-hand" else 0


def shares_dice(state: OsricState, side: str) -> bool:
    """Return whether another side's die is equal."""
    dice = state.round.dice
    own = dice.get(side)
    return own is not None and any(r.face == own.face for other, r in dice.items() if other != side)


def _rank_of_side(state: OsricState, one: Combatant, segment: int) -> Derived[int]:
    """Return the index of a side among those with the same die: by a ruled order, else by their first rows in the segment."""
    dice, sides = state.round.dice, dict[str, int]()
    for who, seq in order_in_segment(state, segment).items():
        sides.setdefault(state.combatants[who].side if who in state.combatants else who, seq)
    level = {side: seq for side, seq in sides.items() if side in dice and dice[side].face == dice[one.side].face}
    index = [*level].index(one.side) if one.side in level else len(level)
    return Derived(index, Because((), tuple(dict.fromkeys([*level.values()][: index + 1]))))


def action_in_own_segment(state: OsricState, one: Combatant) -> Derived[Action | None]:
    """Return the action of a combatant in its own segment: the one done, else the one declared; None if neither is known."""
    for act in state.round.acts_of.get(one.id, ()):
        if act.kind not in WAITING and not act.answers:
            return Derived(act.action, Because((), (act.seq, *act.declared)))
    declared = state.round.said.get(one.id)
    kind = declared.action.plain_kind if declared else HOLD
    if declared and kind not in WAITING and (kind == SPELL or not declared.withdrawn):
        return Derived(declared.action, Because((), (declared.seq,)))
    return Derived(None, NOTHING_CITED)


@derives("initiative.missile-dexterity")
@memoize
def key_without_shot(state: OsricState, one: Combatant) -> Derived[Order | None]:
    """Return the place without a shot, for a combatant who may shoot and has declared nothing; None for any other."""
    if not missile_bonus(state, one, None) or action_in_own_segment(state, one).value is not None:
        return Derived(None, NOTHING_CITED)
    return own_key(state, one, Action(kind="attack"))


def other_segments(state: OsricState, those: list[Combatant], key: Order | None) -> dict[str, object]:
    """Return the part of a key with the segments in which possible archers act if they do not shoot."""
    others = {one.id: other.segment for one in those if (other := key_without_shot(state, one).value)}
    found = {who: segment for who, segment in others.items() if key and segment != key.segment}
    return {"else": found} if found else {}


def shown_key(state: OsricState, one: Combatant, side: Derived[Order | None] | None = None) -> Derived[Order | None]:
    """Return the place in which a combatant is shown: that of its act or declaration, else that of a shot."""
    if not one.sheet.missile_bonus:
        return own_key(state, one, None, side)
    action = action_in_own_segment(state, one)
    key = own_key(state, one, action.value, side)
    return Derived(key.value, Because(key.because.rules, (), (key, action)))


# ---------------------------------------------------------------- held to a later segment, or acting in surprise


@derives("segments.held-action")
def hold_fault(state: OsricState, one: Combatant, point: Point) -> str:
    """Return why an option forbids holding an act until this segment; "" where none does."""
    if state.option("hold-until") == "segment-seven-on" and point.segment < 7:
        return "a held action comes in segments 7 to 10"
    if state.option("hold-announced") == "required" and one.id not in state.round.announced:
        return f"{one.id} did not announce that it holds"
    return ""


@derives("segments.held-action", "segments.seven-to-ten")
def held_key(state: OsricState, one: Combatant, own: Derived[Order], point: Point) -> Derived[Order]:
    """Return the key of an act that was held until this segment."""
    others = [other for other in all_who_may_act(state) if other.id != one.id]
    due = sorted(k for other in others if (k := shown_key(state, other).value) and k.segment == point.segment)
    how = state.option("hold-order")
    announced = (state.round.held[one.id],) if one.id in state.round.held else ()
    key = due[-1] if how == "at-once" and due else Order.at(point, BY_CHOICE)
    if how == "before" and due:
        key = Order(point.round, point.segment, lead=min(each.lead for each in due) - 1, rank=own.value.rank)
    return Derived(key, Because(("segments.held-action",), announced, (own,)))


@derives("surprise.shared-segment-at-once")
def surprise_key(state: OsricState, one: Combatant, segment: int) -> Order:
    """Return the key of an act in a surprise segment: all act simultaneously, unless an option orders them."""
    if state.option("surprise-shared") != "ruling":
        return Order(0, segment)
    rows = list(order_in_segment(state, segment))
    places = [rows.index(name) for name in (one.id, one.side) if name in rows]
    return Order(0, segment, lead=min(places, default=len(rows)))


# ---------------------------------------------------------------- who may act


def _has_place_in_round(state: OsricState, one: Combatant) -> bool:
    out = time_out(state, one.id)
    return not one.left and (out is None or out.key.round >= state.clock.point.round)


def all_who_may_act(state: OsricState) -> list[Combatant]:
    """Return the combatants who have a place in this round."""
    return [one for one in state.combatants.values() if _has_place_in_round(state, one)]


HASTED = "hasted"


@derives("initiative.tie-is-simultaneous")
def order_of_round(state: OsricState) -> tuple[Slot, ...]:
    """Return the order of the round, or of the surprise segments: combatants with equal keys act simultaneously."""
    if state.clock.point.round == 0:
        return slots_of_surprise(state)
    there = all_who_may_act(state)
    sides = {side: key_of_side(state, side) for side in dict.fromkeys(one.side for one in there)}
    keys = {one.id: shown_key(state, one, sides[one.side]) for one in there}
    values = {who: key.value for who, key in keys.items()}
    return tuple(_make_slot(state, place, those, keys) for place, those in _at_once(values))


def places(state: OsricState, one: Combatant) -> list[LadderPlace]:
    """Return the place of a combatant in the order of the round; it has no key while a die is missing."""
    return [LadderPlace(one.id, shown_key(state, one).value)] if _has_place_in_round(state, one) else []


def common_inputs(state: OsricState) -> tuple[object, ...] | None:
    """Return the inputs of all places: the places of the sides; None in surprise, and where rulings order sides with equal dice."""
    now = state.clock.point.round
    level = any(shares_dice(state, side) for side in state.round.dice)
    if not now or (level and state.option("tie-handling") == "ruling"):
        return None
    return now, *(key_of_side(state, side).value for side in state.sides)


def _at_once(keys: Mapping[str, Order | None]) -> Iterator[tuple[Order, tuple[str, ...]]]:
    """Yield the keys from first to last, each with those who have it, and so act simultaneously."""
    known = {who: key for who, key in keys.items() if key is not None}
    by_key = groupby(sorted(known, key=known.__getitem__), key=known.__getitem__)
    return ((key, tuple(those)) for key, those in by_key)


def _make_slot(state: OsricState, place: Order, those: tuple[str, ...], keys: dict[str, Derived[Order | None]]) -> Slot:
    members, shot = [state.combatants[who] for who in those], "initiative.missile-dexterity"
    reasons = sorted((keys[one.id].because for one in members), key=lambda each: shot in each.rules)
    rules = order_of_round.rules if len({one.side for one in members}) > 1 else ()
    others = tuple(key_without_shot(state, one) for one in members if one.sheet.missile_bonus)
    stand = tuple(one.standing for one in members if is_up_again(state, one.id))
    because = Because(rules, (), (*{id(each): each for each in reasons}.values(), *others, *stand))
    key = structs.asdict(place) | other_segments(state, members, place)
    return Slot(those, key, because, segment=place.segment)


def other_orders(state: OsricState) -> Iterator[list[list[str]]]:
    """Yield the other possible orders: one or more archers who have declared nothing do not shoot."""
    there = all_who_may_act(state) if state.clock.point.round else []
    keys = {one.id: shown_key(state, one).value for one in there}
    others = {one.id: key for one in there if (key := key_without_shot(state, one).value) and key != keys[one.id]}
    for size in range(len(others)) if len(others) <= 6 else ():  # of more archers there are too many orders
        for moved in combinations(others, size + 1):
            placed = keys | {who: others[who] for who in moved}
            yield [list(those) for _, those in _at_once(placed)]


def slots_of_surprise(state: OsricState) -> tuple[Slot, ...]:
    """Return a slot for each surprise segment in which a combatant may act."""
    found, lengths = list[Slot](), [length_reason(state, one) for one in state.here()]
    hurt = [one.standing for one in state.here() if len(one.pools[HP].changes) > 1]
    for segment in segments_from(state):
        if members := free_combatants(state, segment):
            shared = surprise_key.rules if len({one.side for one in members}) > 1 else ()
            because = Because((*shared, *is_free.rules), (), (play_reason(state), *lengths, *hurt))
            key, those = structs.asdict(Order(0, segment)), tuple(one.id for one in members)
            found.append(Slot(those, key, because, segment=segment))
    return tuple(found)


def free_combatants(state: OsricState, segment: int) -> list[Combatant]:
    """Return the combatants who may act in a surprise segment: free ones who did not fall before it."""
    free = [one for one in state.here() if is_free(state, one, segment)]
    return [one for one in free if not (out := time_out(state, one.id)) or out.key >= surprise_key(state, one, segment)]


# ---------------------------------------------------------------- rows, and routines that are due


def keep_highest_row(state: OsricState, segment: int, seq: int, timed: int = 0) -> None:
    """Record a row in the highest segment so far; one that was timed by another is there because of that."""
    if state.round.highest < segment <= SEGMENTS:
        state.round.highest, state.round.highest_by = segment, []
    if state.round.highest == segment and timed not in state.round.highest_by:
        state.round.highest_by.append(seq)


@derives("attack.level-or-haste-adds-routine", on=RulingMade)
def set_routines_by_grant(state: OsricState, fact: Occurrence[RulingMade]) -> None:
    """Let a grant set how many routines a combatant has (`ada.routines`), including the one of a running haste."""
    for address, value in (fact.event.values or {}).items() if fact.event.ruling == "grant" else ():
        who, _, field = address.partition(".")
        if field == "routines" and type(value) is int:
            set_routines(state, who, value, fact.seq)


def set_routines(state: OsricState, who: str, value: int, seq: int) -> None:
    """Replace the sheet's routines so that, with a running haste, a combatant has the ruled number."""
    state.routines[who] = Ruled(value - has_effect(state.conditions, who, HASTED).value, seq)


def routines_of_round(routines: int | str, number: int) -> int:
    """Return the routines of a round: of 3/2, one in the first and two in the second, alternately; before round 1 as in it."""
    if isinstance(routines, int):
        return routines
    count, rounds = map(int, routines.split("/"))
    return count * max(1, number) // rounds - count * (max(1, number) - 1) // rounds


@derives("attack.level-or-haste-adds-routine")
@memoize
def routines_due(state: OsricState, one: Combatant) -> Derived[int]:
    """Return how many attack routines a combatant has in a round: those of its sheet, and one more while hasted."""
    ruled, hasted = state.routines.get(one.id), has_effect(state.conditions, one.id, HASTED)
    said, events = ruled.value if ruled else one.sheet.routines, one.records("routines")
    if isinstance(said, str):
        events = (*events, *filter(None, (state.clock.round_event,)))
    given = routines_of_round(said, state.clock.round)
    freed = None if hasted.value else state.freed_by.get(one.id, {}).get(HASTED)
    because = Because(routines_due.rules, events, tuple(each for each in (ruled, hasted, freed) if each))
    return Derived(given + hasted.value, because)
