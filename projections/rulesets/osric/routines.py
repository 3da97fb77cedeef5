"""Attack routines: how many are used and allowed, the routine of an act, and the key of any act; blows out of turn: the acts
of opponents that permit them (openings), set spears, and their cost.
"""

from typing import TYPE_CHECKING

from msgspec import structs

from eventstore import events
from eventstore.shapes import Action
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.mechanics.acts import name_or_kind
from projections.mechanics.grants import has_grant
from projections.mechanics.work import is_same
from projections.occurrence import Occurrence
from projections.ruleset.catalogue import read_catalogue
from projections.ruleset.ruleset import derives
from projections.rulesets.osric import order
from projections.rulesets.osric.durations import is_over_by
from projections.rulesets.osric.sheet import RULES
from projections.rulesets.osric.state import BY_CHOICE, BY_DICE, NOWHERE, SEGMENTS, KeyedAct, Order, OsricState, Spear
from projections.rulesets.osric.surprise import is_free, length_reason, specific_rulings
from projections.time import Point

if TYPE_CHECKING:
    from projections.rulesets.osric.reading import Reading


SPEAR, SET_SPEAR = "spear set", "set-spear"
INTERRUPT: str = next(row["cost"] for row in read_catalogue(RULES).action if row.get("slot") == "trigger")
"""The cost of a blow that answers a trigger."""
FLEE, CHARGE = "flee", "charge"


def is_interrupt(action: Action) -> bool:
    """Return whether an action is a blow out of turn."""
    return action.cost is not None and action.plain_cost == INTERRUPT


def only_opening(state: OsricState, fact: "Reading[events.Fact]") -> KeyedAct | None:
    """Return the opening that a blow of this combatant can answer here, if there is only one."""
    said, acts = fact.said, [*(state.openings | state.round.acts).values()]
    if said.plain_kind != "attack" or (said.cost and not is_interrupt(said)):
        return None
    if not is_interrupt(said):
        met = [act.answers for act in state.round.acts_of.get(fact.who, ())]
        new = [act for act in state.openings.values() if act.kind == CHARGE and act.seq not in met]
        acts = [act for act in new if fact.segment is None and act.combatant in fact.at]
    those = [act for act in acts if not opening_fault(state, fact, act)]
    return those[0] if len(those) == 1 else None


def opening_fault(state: OsricState, fact: "Reading[events.Fact]", opening: KeyedAct | None) -> str:
    """Return the kind of opening that does not justify a blow, "none" without an opening; "" if the blow is justified."""
    if opening is None:
        return "none"
    point, is_of_opponent = fact.point, fact.one.side != state.combatants[opening.combatant].side
    there = is_of_opponent and opening.key.round == point.round and point.segment in (0, opening.key.segment)
    if is_allowed_by_ruling(state, fact, opening):
        return "" if there else "none"
    if opening.kind == FLEE:
        return "" if there and _is_first_strike_at_flight(state, fact, opening) else FLEE
    if opening.kind == CHARGE:
        return "" if there and _meets_spear(fact, opening) else CHARGE
    return "none"


@derives("interrupt.fleeing-attack")
def _is_first_strike_at_flight(state: OsricState, fact: "Reading[events.Fact]", flight: KeyedAct) -> bool:
    left, at = flight.action.targets, fact.at
    before = [act for act in state.round.acts_of.get(fact.who, ()) if act.answers == flight.seq]
    routine = fact.said.routine
    again = any(routine is None or act.action.routine != routine for act in before)
    return not again and (not left or fact.who in left) and (not at or flight.combatant in at)


@derives("interrupt.set-spears")
def _meets_spear(fact: "Reading[events.Fact]", charge: KeyedAct) -> bool:
    aim, at = charge.action.targets, fact.at
    return fact.who in charge.spears and (not aim or fact.who in aim) and (not at or charge.combatant in at)


@derives("interrupt.others-by-ruling")
def is_allowed_by_ruling(state: OsricState, fact: "Reading[events.Fact]", opening: KeyedAct) -> bool:
    """Return whether a ruling allows openings of this kind, this opening, or blows by this combatant."""
    rule = "interrupt.others-by-ruling"
    rulings = [_as_ruling_on_interrupts(each, rule) for each in specific_rulings(state.rulings)]
    said, who = (opening.action.kind, opening.action.name or opening.action.kind), (fact.who, fact.one.side)
    return has_grant(rulings, rule, who=who, event=(opening.seq,), said=said, kinds=("grant", "fact")).value


def _as_ruling_on_interrupts(fact: Occurrence[events.RulingMade], rule: str) -> Occurrence[events.RulingMade]:
    event = fact.event
    if not (event.rule or "").startswith("interrupt."):
        return fact
    return structs.replace(fact, event=structs.replace(event, rule=None if event.subject else rule))


@derives("interrupt.fleeing-attack", "interrupt.set-spears")
def is_extra(state: OsricState, fact: "Reading[events.Fact]") -> bool:
    """Return whether a blow out of turn uses no routine of the round."""
    if not is_interrupt(fact.action):
        return False
    cost = state.option("interrupt-cost")
    fleeing = fact.opening is not None and fact.opening.kind == FLEE
    return cost == "all-free" or (cost == "flee-free" and fleeing)


# ---------------------------------------------------------------- spears


@derives("interrupt.set-spears", on=events.ActionDeclared)
def keep_declared_spear(state: OsricState, fact: Occurrence[events.ActionDeclared]) -> None:
    """Keep that a combatant declares a spear; another declaration before the dice replaces it."""
    event, number = fact.event, state.clock.round
    side = [one.id for one in state.here() if one.side == event.side]
    for name in [event.combatant] if event.combatant else side:
        if not state.round.dice:
            _forget_spear(state, name, None)
        if fact.kind == SET_SPEAR:
            state.spears.setdefault(name, Spear(fact.seq, number, name_or_kind(event.action)))


@derives("interrupt.set-spears", on=events.ActionAbandoned)
def drop_spear(state: OsricState, fact: Occurrence[events.ActionAbandoned]) -> None:
    """Forget a spear that was declared in this round and is given up."""
    _forget_spear(state, fact.event.combatant, fact.event.name)


def _forget_spear(state: OsricState, who: str, name: str | None) -> None:
    spear = state.spears.get(who)
    if spear and spear.said_in == state.clock.round and (is_same(name, spear.name) or is_same(name, SET_SPEAR)):
        del state.spears[who]


@derives("interrupt.set-spears", on=events.ActionTaken)
def set_or_move_spear(state: OsricState, fact: Occurrence[events.ActionTaken]) -> None:
    """Keep that a combatant sets a spear, and forget the spear of one who moves."""
    who, kind = fact.event.combatant, fact.kind
    if kind == SET_SPEAR:
        state.spears[who] = Spear(fact.seq)
    elif kind in ("move", FLEE, CHARGE):
        state.spears.pop(who, None)


@derives("interrupt.set-spears", on=(events.ConditionGained, events.ConditionLost))
def set_spear_by_condition(state: OsricState, fact: Occurrence[events.ConditionGained | events.ConditionLost]) -> None:
    """Treat the condition `spear set` as a set spear."""
    for who in fact.event.targets if fact.event.condition.casefold() == SPEAR else ():
        state.spears.pop(who, None)
        if isinstance(fact.event, events.ConditionGained):
            state.spears[who] = Spear(fact.seq)


Key = Derived[Order]


@derives("attack.one-routine", "attack.two-weapons-one-routine")
def takes_routine(kind: str) -> bool:
    """Return whether an action of a kind uses a routine: an attack or a charge, with any number of blows and weapons."""
    return kind in ("attack", CHARGE)


def routine_acts(state: OsricState, who: str, point: Point) -> list[KeyedAct]:
    """Return the acts by which a combatant, not out of action, has used routines in this round or surprise segment."""
    acts = state.round.routines.get((who, point.round, 0 if point.round else point.segment), ())
    return [act for act in acts if act.seq not in state.round.barred]


def routine_number(fact: "Reading[events.Fact]") -> int:
    """Return the number of an act's routine: as stated, below 0 out of turn, that of its charge, else a new one."""
    action, point = fact.action, fact.point
    if not takes_routine(fact.doing):
        return 0
    if action.routine:
        return action.routine
    if is_interrupt(action):
        return -fact.seq
    before = [act for act in fact.used if act.routine >= 1]
    last = before[-1] if before else None
    if last and last.kind == CHARGE and fact.doing == "attack" and _is_in_same_segment(last, point):
        return last.routine
    return max((act.routine for act in before), default=0) + 1


def _is_in_same_segment(act: KeyedAct, point: Point) -> bool:
    return point.segment in (0, act.key.segment)


def opens_routine(fact: "Reading[events.Fact]") -> bool:
    """Return whether an act is the first of its routine."""
    return fact.number not in [act.routine for act in fact.used]


def count_used(state: OsricState, who: str, point: Point) -> int:
    """Return how many routines a combatant has used."""
    return len({act.routine for act in routine_acts(state, who, point)})


def routines_allowed(state: OsricState, one: Combatant, point: Point) -> int:
    """Return how many routines a combatant may use in the round, or in one surprise segment."""
    due = order.routines_due(state, one).value - is_over_by(state, one.id, order.HASTED, point)
    return min(1, due) if point.round == 0 and state.option("surprise-routines") == "one" else due


@derives("attack.further-routine-waits")
def first_further_segment(state: OsricState, one: Combatant, action: Action | None = None) -> int:
    """Return the first segment of the round in which a combatant may use a further routine; NOWHERE if dice are missing."""
    own = order.own_key(state, one, action).value
    keys = [order.key_of_side(state, side).value for side in state.round.dice if side != one.side]
    others = [key.segment for key in keys if key]
    if own is None or not others:
        return NOWHERE
    how = state.option("second-routine")
    first = max(own.segment, max(others) + (how != "same-segment-after"))
    return max(first, 7) if how == "segment-seven-on" else first


# ---------------------------------------------------------------- the key of an act


@derives("attack.further-routine-waits", "attack.one-routine")
def derive_key(state: OsricState, fact: "Reading[events.Fact]") -> Key:
    """Return the key of any act: for an interrupt that of its opening, for a further routine or talk one by choice."""
    point, one, number = fact.point, fact.one, fact.number
    if is_interrupt(fact.action):
        return interrupt_key(state, fact)
    has_segment = point.segment or fact.segment is not None
    if point.round and has_segment and not 1 <= point.segment <= SEGMENTS:
        return Derived(Order.at(point), Because(("time.round-is-ten-segments",), (fact.seq,)))
    if not opens_routine(fact):
        part_of = next(act for act in fact.used if act.routine == number)
        key = part_of.key if _is_in_same_segment(part_of, point) else Order.at(point)
        return Derived(key, Because(("attack.one-routine",), (fact.seq, part_of.seq), (part_of.because,)))
    if number and point.round and point.segment and fact.used:
        band = BY_DICE if point.segment < first_further_segment(state, one, fact.action) else BY_CHOICE
        events, own = (fact.seq, *(act.seq for act in fact.used)), order.own_key(state, one, fact.action)
        return Derived(Order.at(point, band), Because(("attack.further-routine-waits",), events, (own,)))
    usual = act_key(state, fact)
    costs_nothing = fact.doing in order.FREE and point.round and point.segment and usual.value == Order.at(point)
    return Derived(Order.at(point, BY_CHOICE), usual.because) if costs_nothing else usual


@derives("segments.held-action", "segments.seven-to-ten")
def act_key(state: OsricState, fact: "Reading[events.Fact]") -> Key:
    """Return the key of an act: by the dice in its own segment, by choice after it, as recorded before it."""
    point, one = fact.point, fact.one
    if point.round == 0:
        because = Because(is_free.rules, (fact.seq,), (length_reason(state, one),))
        return Derived(order.surprise_key(state, one, point.segment), because)
    own = order.own_key(state, one, fact.action)
    here = Because((), (fact.seq,), (own,))
    if own.value is None or point.segment == 0:
        return Derived(own.value or Order.at(point), here)
    if point.segment <= own.value.segment or order.hold_fault(state, one, point):
        return Derived(own.value if point.segment == own.value.segment else Order.at(point), here)
    held = order.held_key(state, one, Derived(own.value, own.because), point)
    return Derived(held.value, Because(held.because.rules, (fact.seq,), (held,)))


@derives("interrupt.out-of-turn")
def interrupt_key(state: OsricState, fact: "Reading[events.Fact]") -> Key:
    """Return the key of a blow out of turn: directly before its opening."""
    opening = None if fact.fault else fact.opening
    if opening is None:
        return Derived(Order.at(fact.point), Because(interrupt_key.rules, (fact.seq,)))
    key, cut = opening.key, 1 if state.option("interrupt-order") == "at-once" else 0
    kind = {"flee": "interrupt.fleeing-attack", CHARGE: "interrupt.set-spears"}.get(opening.kind)
    spear = state.spears.get(fact.who) if opening.kind == CHARGE else None
    events = (fact.seq, opening.seq, *((spear.seq,) if spear else ()))
    rules = (kind or "interrupt.others-by-ruling", *interrupt_key.rules)
    because = Because(rules, events, (opening.because,))
    return Derived(Order(key.round, key.segment, key.band, key.lead, key.rank, cut), because)
