"""The clock: boundaries move its round and turn, clock facts its slot and segment."""

from __future__ import annotations

from msgspec import structs

from eventstore.events import EncounterClosed, PhaseReached, SegmentReached
from projections.address import NOTHING, Address, a_combatant_or_none, a_count, a_count_or_none
from projections.because import Because, Derived
from projections.fight import Clock
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.state import State
from projections.stream.placing import slot_number
from projections.time import Boundary, Point


def cross_boundary(state: State, boundary: Boundary) -> None:
    """Move the clock over a boundary; when a round opens, everything that belongs to a round is reset."""
    if move := _MOVES.get(boundary.kind):
        move(state, state.clock, boundary)


def _open_round(state: State, clock: Clock, boundary: Boundary) -> None:
    clock.round, clock.point = boundary.number, Point(round=boundary.number)
    clock.phase, clock.turn, clock.together, clock.open, clock.counts = "", "", (), True, False
    clock.round_event, clock.events = boundary.seq, (boundary.seq,)
    clock.turn_event = clock.segment_event = clock.phase_event = 0
    state.last, state.round = state.round, state.rules.round(number=boundary.number, opened=boundary.seq)
    _end_rulings(state, "round")


def _close_round(_state: State, clock: Clock, boundary: Boundary) -> None:
    clock.open = False
    clock.events = (*clock.events[:1], boundary.seq)


def _begin_turn(state: State, clock: Clock, boundary: Boundary) -> None:
    """Give the turn to a combatant; those whose turn begins by the same fact have it together."""
    if clock.turn and clock.turn_event == boundary.seq:
        clock.together = (*clock.together, boundary.who)
        return
    clock.point = Point(clock.point.round, clock.point.phase, clock.point.turn + 1, clock.point.segment)
    clock.turn, clock.together, clock.turn_event = boundary.who, (), boundary.seq
    clock.events = clock_facts(clock, boundary.seq)
    _end_rulings(state, "turn")


def _end_turn(_state: State, clock: Clock, boundary: Boundary) -> None:
    """End a combatant's share in the turn; the turn remains with the others who share it, if there are any."""
    others = tuple(other for other in clock.together if other != boundary.who)
    if clock.turn == boundary.who:
        clock.turn, clock.together, clock.turn_event = next(iter(others), ""), others[1:], boundary.seq
        clock.events = clock_facts(clock, boundary.seq)
    else:
        clock.together = others


_MOVES = {
    "round opened": _open_round,
    "round closed": _close_round,
    "turn began": _begin_turn,
    "turn resumed": _begin_turn,
    "turn ended": _end_turn,
    "turn put off": _end_turn,
}


def _end_rulings(state: State, scope: str) -> None:
    for address in [address for address, ruled in state.ruled.items() if ruled.until == scope]:
        del state.ruled[address]


def clock_facts(clock: Clock, seq: int) -> tuple[int, ...]:
    """Return the facts that set the clock: the opening of the round, and this one."""
    return tuple(dict.fromkeys((clock.round_event or seq, seq)))


@derives(on=PhaseReached)
def set_phase(state: State, fact: Occurrence[PhaseReached]) -> None:
    """Set the clock to a slot of the round, if the game has slots, and clear the segment."""
    if PhaseReached not in state.rules.schedule.within:
        return
    phase, clock = fact.event.phase, state.clock
    _set_clock(clock, structs.replace(clock.point, phase=slot_number(state, phase), segment=0, second=0), fact.seq)
    clock.phase, clock.events = phase, clock_facts(clock, fact.seq)
    clock.phase_event, clock.segment_event = fact.seq, fact.seq


@derives(on=SegmentReached)
def set_segment(state: State, fact: Occurrence[SegmentReached]) -> None:
    """Set the clock to a segment of the round, or of surprise, if the game has segments."""
    if SegmentReached not in state.rules.schedule.within:
        return
    clock = state.clock
    number = 0 if fact.event.surprise else clock.round
    _set_clock(clock, structs.replace(clock.point, round=number, segment=fact.event.segment, second=0), fact.seq)
    clock.segment_event, clock.events, clock.counts = fact.seq, clock_facts(clock, fact.seq), True


def _set_clock(clock: Clock, point: Point, seq: int) -> None:
    """Set the clock to a point; if the record before set it there already, either of them is enough."""
    again = point == clock.point and clock.set_by[-1:] == clock.events[-1:]
    clock.point, clock.set_by = point, (*(clock.set_by if again else ()), seq)


@derives(on=EncounterClosed)
def close_encounter(state: State, fact: Occurrence[EncounterClosed]) -> None:
    """Record which fact closed the encounter; closing it again changes nothing."""
    state.closed = state.closed or fact.seq


# ---------------------------------------------------------------- addresses


def because_clock(state: State) -> Because:
    """Return the facts that set the clock."""
    return Because(state.rules.clock_rules, state.clock.events or (1,))


def because_of(state: State, part: str) -> Because:
    """Return the facts that set a part of the clock (round, phase, segment, turn), else that which opened the round."""
    clock = state.clock
    own = {"turn": clock.turn_event, "segment": clock.segment_event, "phase": clock.phase_event}.get(part, 0)
    events = clock.set_by if own in clock.set_by else (own or clock.round_event or 1,)
    return Because(state.rules.clock_rules, events)


def _check_slot(state: State, value: object) -> str:
    known = (*state.rules.schedule.phases(state), NOTHING)
    return "" if value in known else f"one of {', '.join(known)}"


def _set_turn(state: State, value: str, seq: int) -> None:
    state.clock.turn, state.clock.together, state.clock.turn_event = ("" if value == NOTHING else value), (), seq
    state.clock.events = (*state.clock.events, seq)


def _set_round(state: State, value: int, seq: int) -> None:
    state.clock.round, state.clock.round_event = value, seq
    _set_point(state, seq, round=value)


def _set_segment(state: State, value: int | str, seq: int) -> None:
    state.clock.segment_event = seq
    _set_point(state, seq, segment=0 if isinstance(value, str) else value)


def _set_slot(state: State, value: str, seq: int) -> None:
    state.clock.phase, state.clock.phase_event = ("" if value == NOTHING else value), seq
    _set_point(state, seq, phase=slot_number(state, value))


def _set_point(state: State, seq: int, **parts: int) -> None:
    state.clock.point = structs.replace(state.clock.point, **parts)
    state.clock.events = (*state.clock.events, seq)


ADDRESSES = (
    Address(
        "turn",
        lambda s: Derived(s.clock.turn or NOTHING, because_of(s, "turn")),
        says="whose turn it is",
        wants=a_combatant_or_none,
        rule=_set_turn,
    ),
    Address(
        "round",
        lambda s: Derived(s.clock.point.round, because_of(s, "round")),
        says="the number of the round",
        unit="round #",
        wants=a_count,
        rule=_set_round,
    ),
    Address(
        "segment",
        lambda s: Derived(s.clock.point.segment or NOTHING, because_of(s, "segment")),
        says="the segment of the round",
        unit="segment #",
        wants=a_count_or_none,
        rule=_set_segment,
    ),
    Address(
        "phase",
        lambda s: Derived(s.clock.phase or NOTHING, because_of(s, "phase")),
        says="the phase of the round",
        wants=_check_slot,
        rule=_set_slot,
    ),
)
