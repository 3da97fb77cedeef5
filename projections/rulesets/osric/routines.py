"""Attack routines: how many are used and allowed, the routine of an act, and the key of any act."""

from typing import TYPE_CHECKING

from eventstore.events import Fact
from eventstore.shapes import Action
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.ruleset.ruleset import derives
from projections.rulesets.osric.durations import wears_off_by
from projections.rulesets.osric.interrupts import CHARGE, is_interrupt
from projections.rulesets.osric.keys import FREE, held_key, hold_fault, own_key, side_key, surprise_key
from projections.rulesets.osric.order import HASTED, routines_due
from projections.rulesets.osric.state import BY_CHOICE, BY_DICE, NOWHERE, SEGMENTS, KeyedAct, Order, OsricState, key_at
from projections.rulesets.osric.surprise import because_length, free
from projections.time import Point

if TYPE_CHECKING:
    from projections.rulesets.osric.reading import Reading


Key = Derived[Order]


@derives("attack.one-routine", "attack.two-weapons-one-routine")
def takes_routine(kind: str) -> bool:
    """Return whether an action of a kind uses a routine: an attack or a charge, with any number of blows and weapons."""
    return kind in ("attack", CHARGE)


def used(state: OsricState, who: str, point: Point) -> list[KeyedAct]:
    """Return the acts by which a combatant has used routines in this round, or in this surprise segment.

    Acts while out of action are not among them.
    """
    acts = state.round.routines.get((who, point.round, 0 if point.round else point.segment), ())
    return [act for act in acts if act.seq not in state.round.barred]


def keep(state: OsricState, act: KeyedAct) -> None:
    """Keep an act that uses a routine."""
    if act.routine and not act.extra:
        key = act.key
        place = act.combatant, key.round, 0 if key.round else key.segment
        state.round.routines.setdefault(place, []).append(act)


def number_of(fact: "Reading[Fact]") -> int:
    """Return the number of an act's routine: the stated one, else that of its charge, else a new one.

    A blow out of turn without a stated number has one below 0.
    """
    action, point = fact.action, fact.point
    if not takes_routine(fact.doing):
        return 0
    if action.routine:
        return action.routine
    if is_interrupt(action):
        return -fact.seq
    before = [act for act in fact.used if act.routine >= 1]
    last = before[-1] if before else None
    if last and last.kind == CHARGE and fact.doing == "attack" and _together(last, point):
        return last.routine
    return max((act.routine for act in before), default=0) + 1


def _together(act: KeyedAct, point: Point) -> bool:
    return point.segment in (0, act.key.segment)


def is_new(fact: "Reading[Fact]") -> bool:
    """Return whether an act is the first of its routine."""
    return fact.number not in [act.routine for act in fact.used]


def count_used(state: OsricState, who: str, point: Point) -> int:
    """Return how many routines a combatant has used."""
    return len({act.routine for act in used(state, who, point)})


def allowed(state: OsricState, one: Combatant, point: Point) -> int:
    """Return how many routines a combatant may use in the round, or in one surprise segment."""
    due = routines_due(state, one).value - wears_off_by(state, one.id, HASTED, point)
    return min(1, due) if point.round == 0 and state.option("surprise-routines") == "one" else due


@derives("attack.further-routine-waits")
def first_further_segment(state: OsricState, one: Combatant, action: Action | None = None) -> int:
    """Return the first segment of the round in which a combatant may use a further routine; NOWHERE if dice are missing."""
    own = own_key(state, one, action).value
    others = [key.segment for side in state.round.dice if side != one.side and (key := side_key(state, side).value)]
    if own is None or not others:
        return NOWHERE
    how = state.option("second-routine")
    first = max(own.segment, max(others) + (how != "same-segment-after"))
    return max(first, 7) if how == "segment-seven-on" else first


# ---------------------------------------------------------------- the key of an act


@derives("attack.further-routine-waits", "attack.one-routine")
def key_of_act(state: OsricState, fact: "Reading[Fact]") -> Key:
    """Return the key of any act: for an interrupt that of its opening, for a further routine or talk one by choice."""
    point, one, number = fact.point, fact.one, fact.number
    if is_interrupt(fact.action):
        return interrupt_key(state, fact)
    has_segment = point.segment or fact.segment is not None
    if point.round and has_segment and not 1 <= point.segment <= SEGMENTS:
        return Derived(key_at(point), Because(("time.round-is-ten-segments",), (fact.seq,)))
    if not is_new(fact):
        part_of = next(act for act in fact.used if act.routine == number)
        key = part_of.key if _together(part_of, point) else key_at(point)
        return Derived(key, Because(("attack.one-routine",), (fact.seq, part_of.seq), (part_of.because,)))
    if number and point.round and point.segment and fact.used:
        band = BY_DICE if point.segment < first_further_segment(state, one, fact.action) else BY_CHOICE
        events, own = (fact.seq, *(act.seq for act in fact.used)), own_key(state, one, fact.action)
        because = Because(("attack.further-routine-waits",), events, (own,))
        return Derived(key_at(point, band), because)
    usual = act_key(state, fact)
    costs_nothing = fact.doing in FREE and point.round and point.segment and usual.value == key_at(point)
    return Derived(key_at(point, BY_CHOICE), usual.because) if costs_nothing else usual


@derives("segments.held-action", "segments.seven-to-ten")
def act_key(state: OsricState, fact: "Reading[Fact]") -> Key:
    """Return the key of an act: by the dice in its own segment, by choice after it, as recorded before it."""
    point, one = fact.point, fact.one
    if point.round == 0:
        because = Because(free.rules, (fact.seq,), (because_length(state, one),))
        return Derived(surprise_key(state, one, point.segment), because)
    own = own_key(state, one, fact.action)
    here = Because((), (fact.seq,), (own,))
    if own.value is None or point.segment == 0:
        return Derived(own.value or key_at(point), here)
    if point.segment <= own.value.segment or hold_fault(state, one, point):
        return Derived(own.value if point.segment == own.value.segment else key_at(point), here)
    held = held_key(state, one, Derived(own.value, own.because), point)
    return Derived(held.value, Because(held.because.rules, (fact.seq,), (held,)))


@derives("interrupt.out-of-turn")
def interrupt_key(state: OsricState, fact: "Reading[Fact]") -> Key:
    """Return the key of a blow out of turn: directly before its opening."""
    opening = None if fact.fault else fact.opening
    if opening is None:
        return Derived(key_at(fact.point), Because(interrupt_key.rules, (fact.seq,)))
    key, cut = opening.key, 1 if state.option("interrupt-order") == "at-once" else 0
    kind = {"flee": "interrupt.fleeing-attack", CHARGE: "interrupt.set-spears"}.get(opening.kind)
    spear = state.spears.get(fact.who) if opening.kind == CHARGE else None
    events = (fact.seq, opening.seq, *((spear.seq,) if spear else ()))
    rules = (kind or "interrupt.others-by-ruling", *interrupt_key.rules)
    because = Because(rules, events, (opening.because,))
    return Derived(Order(key.round, key.segment, key.band, key.lead, key.rank, cut), because)
