"""The timeline: acts, work under way and expected acts, in the order of the round's slots; the clock's move to a slot."""

from msgspec import structs

from eventstore.events import Fact
from eventstore.shapes import Action
from projections.because import Because
from projections.fight import Combatant, TimelineRow
from projections.folds.moves import STILL, not_open, to_slot
from projections.folds.rows import in_order, row_of_act, when_timed
from projections.mechanics.work import SPOILED, WITHDRAWN, Incident
from projections.occurrence import Occurrence
from projections.ruleset.schedule import ClockMove
from projections.rulesets.vile_darkness import works
from projections.rulesets.vile_darkness.initiative import standing
from projections.rulesets.vile_darkness.order import forfeit, forfeits, idle, is_past, left, missing, spends, waiting
from projections.rulesets.vile_darkness.place import expected, key_of, slot_of
from projections.rulesets.vile_darkness.reactions import stopped
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.state import Casting, Key, VileAct, VileState, cited_records
from projections.rulesets.vile_darkness.table import LASTING, SPELLS, row_of, slot_at, why_row
from projections.time import Point


def entries(state: VileState) -> tuple[TimelineRow, ...]:
    """Return the timeline of the round in the order of its keys."""
    if not state.clock.round:
        return ()
    rows = [_act(state, each) for each in state.round.acts.values() if each.kind not in LASTING]
    rows += [_work(state, each) for each in state.works]
    rows += [_due(state, each) for each in waiting(state)]
    rows += [_lost(state, each) for each in missed(state)]
    return in_order(state, rows)


def _entry(state: VileState, act: VileAct, how: str, because: Because, **more: object) -> TimelineRow:
    key, slot = key_of(state, act), slot_of(state, act)
    own = key.value or Key(state.clock.round, 0)
    point, why = Point(own.round, segment=act.point.segment), (because, why_row(state, act), when_timed(state, act.seq))
    more |= {"cost": act.action.cost or row_of(state, act).weight, "phase": slot.value}
    more |= {"order": structs.astuple(own), "key": structs.asdict(own)}
    return row_of_act(point, act.combatant, act.action, how, Because(of=why), **more)


def _act(state: VileState, act: VileAct) -> TimelineRow:
    if by := stopped(state, act):
        because = Because(("free.on-trigger-segment",), (act.seq, by), of=(state.combatants[act.combatant].standing,))
        return _entry(state, act, "lost", because, events=(act.seq,))
    if act.kind == "delay":
        since = [each.seq for each in state.round.acts_of[act.combatant] if state.precedes(act.seq, each.seq)]
        how = "held" if state.clock.open and not forfeits(state, act) and not since else "done"
        because = Because(("delay.high-waits-for-low",), (act.seq,), (standing(state, act), cited_records(*since[:1])))
        return _entry(state, act, how, because, events=(act.seq,))
    return _entry(state, act, "done", Because((), (act.seq,), (slot_of(state, act),)), events=(act.seq,))


def _work(state: VileState, casting: Casting) -> TimelineRow:
    how, when, found = works.status(state, casting), works.due(state, casting).value, works.window(state, casting)
    act = next((each for each in state.round.acts_of.get(casting.who, ()) if each.work == casting.seq), None)
    done = Action(kind=casting.kind, name=casting.name)
    shown = act or VileAct(casting.seq, casting.who, done, Point(casting.round), work=casting.seq)
    ended = works.because_ended(state, casting).value if how.value in (SPOILED, WITHDRAWN) else None
    timed = when_timed(state, ended.seq if ended else 0)
    row = _entry(state, shown, how.value, Because(of=(how.because, found, timed)), events=(casting.seq,))
    begun, last = map(works.point_of, found.value)
    until, broken = _break(state, casting, ended) if ended else (last, "")
    return structs.replace(row, point=begun, due=when, until=until, broken=broken)


def _break(state: VileState, casting: Casting, ended: Incident) -> tuple[Point, str]:
    """Return the segment in which work was broken off, its last one if that is unknown, and the slot."""
    first, last = works.window(state, casting).value
    if ended.seq not in state.moments:
        return works.point_of(last), ""
    point, spell = state.moments[ended.seq].point, works.spell_behind(state, ended)
    tick = works.window(state, spell).value[1] if spell else ended.tick if point.segment else 0
    return works.point_of(min(tick, last) if tick >= first else last), slot_at(state, point.phase)


def missed(state: VileState) -> list[VileAct]:
    """Return the expected acts of combatants who missed their place, forfeited it, or are out of the fight."""
    here = state.here()
    gone = [one for one in here if one.status == "out" and not spends(state, one.id)]
    delays = [(one, delay) for one in here if (delay := forfeit(state, one.id))]
    there = [each for one in here if one.status != "out" for each in idle(state, one)]
    past = [each for each in there if not state.clock.open or is_past(state, each)]
    forfeits_ = [structs.replace(expected(state, one), low=delay.low) for one, delay in delays]
    return [*past, *(expected(state, one) for one in gone), *forfeits_]


def _lost(state: VileState, act: VileAct) -> TimelineRow:
    one = state.combatants[act.combatant]
    why = (one.standing,) if one.status == "out" else (slot_of(state, act),)
    because = Because(("round.step-order",), (*state.clock.events, one.joined), why)
    if forfeit(state, one.id):
        because = Because(forfeits.rules, (one.joined,), (left(state, one), slot_of(state, act)))
    return structs.replace(_entry(state, act, "lost", because), action=None, name=None, cost=None)


def _due(state: VileState, act: VileAct) -> TimelineRow:
    one = state.combatants[act.combatant]
    because = Because((), (one.joined,), (slot_of(state, act), left(state, one)))
    return structs.replace(_entry(state, act, "due", because), action=None, name=None, cost=None)


def casting(state: VileState, one: Combatant) -> TimelineRow | None:
    """Return the spell that a combatant is casting, or the item that it activates."""
    busy = reversed(works.bare_under_way(state, one.id))
    return next((_work(state, each) for each in busy if each.kind in SPELLS), None)


def moves(state: VileState, fact: Occurrence[Fact]) -> ClockMove:
    """Return the clock's move to the slot of an act, unless the fact states a slot; an answer to another act moves
    nothing.
    """
    act = None if getattr(fact.event, "phase", None) else Reading(state, fact).act
    if act is None or act.trigger or row_of(state, act).slot == "trigger":
        return STILL
    if not state.clock.open:
        return not_open(state)
    slot = slot_of(state, structs.replace(act, slot="")).value
    if why := _doubt(state, act, slot):
        return ClockMove(stays=f"{why}; the name of the slot moves it")
    return to_slot(state, act.combatant, slot, [each.slot for each in state.round.acts.values()])


def _doubt(state: VileState, act: VileAct, slot: str) -> str:
    """Return the reason why the slot of an act is uncertain; "" if it is certain."""
    who = act.combatant
    if is_anywhere(state, act) or _may_be_part(state, act):
        return f"{who} can do this in several slots"
    if who in state.round.waits and slot.startswith("L.") and slot != state.clock.phase:
        return f"{who} declared a delay, to {slot}"
    return "" if slot else next(iter(missing(state)), f"nothing says where {who} does this")


def _may_be_part(state: VileState, act: VileAct) -> bool:
    """Return whether a move may be part of an act in the present slot, such as a charge or a flight."""
    before = state.round.acts_of.get(act.combatant, ())
    return act.kind == "move" and any(each.slot == state.clock.phase for each in before)


def is_anywhere(state: VileState, act: VileAct) -> bool:
    """Return whether an act can be in several slots: a minor or an immediate action."""
    row = row_of(state, act)
    return bool(row.joined) or row.slot == "any"
