"""Whose turn it is: who is due, what the beginning of a turn comes to, and the rounds that follow from it."""

from itertools import chain

from msgspec import Struct

from eventstore.events import (
    CombatantJoined,
    InitiativeRolled,
    PhaseReached,
    RoundEnded,
    SegmentReached,
    TurnEnded,
    TurnStarted,
)
from projections.occurrence import Occurrence
from projections.rulesets.nameless_journey.effects import count_off, end_brief
from projections.rulesets.nameless_journey.order import is_new, places, rollers, undecided
from projections.rulesets.nameless_journey.resources import allowance_is_over, are_whole_again, reactions_are_back
from projections.rulesets.nameless_journey.sheet import MINUTE, ROUND
from projections.rulesets.nameless_journey.state import Lost, NamelessState, Turn
from projections.rulesets.nameless_journey.vitals import is_out
from projections.rulesets.ruleset import derives
from projections.time import Point

UNPLACED, DUE, EARLY, AGAIN = "unplaced", "due", "early", "again"


class Arrival(Struct, frozen=True):
    """Is what the beginning of a turn comes to.

    `word`: without a roll, due, a newcomer too early, or a further turn in the round.
    `opens` says that a round opens with it, `jumped` who is due above it, `left_out` whom the closing round still owed.
    """

    word: str
    opens: bool = False
    jumped: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def due(state: NamelessState) -> list[str]:
    """Return who is due in this round, in order: placed, not out, without a turn in it, and not waiting for the next."""
    if not state.clock.round:
        return []
    waiting = [who for who in places(state) if who not in state.had and who not in state.later]
    return sorted((who for who in waiting if not is_out(state, who)), key=lambda who: spot(state, who))


@derives("initiative.late-arrival-inserted")
def spot(state: NamelessState, who: str) -> tuple[int, ...]:
    """Return where somebody comes in this round: at its place, or for once right after the turn it came in on.

    Whoever has lost its place, as a ruled order lapses, comes last.
    """
    found: list[int] = []
    at: str | None = who
    while at is not None:
        found.append(places(state).get(at, len(state.combatants)))
        at = state.anchors.get(at)
    return tuple(reversed(found))


def first_up(state: NamelessState) -> str:
    """Return the first in the order who is not out."""
    return next((who for who in places(state) if not is_out(state, who)), "")


@derives("round.begins-with-first-in-order")
def is_over(state: NamelessState) -> bool:
    """Say whether the next turn opens a round whosever it is, or can only be that of the first, who was jumped.

    A newcomer that comes in right after the last turn, and was not jumped, still has its turn in this round.
    """
    waiting = due(state)
    if not waiting or waiting != [first_up(state)]:
        return not waiting
    return bool(state.had) and (waiting[0] not in state.anchors or waiting[0] in state.jumped)


@derives("initiative.highest-first", "round.begins-with-first-in-order")
def arrival(state: NamelessState, who: str) -> Arrival:
    """Return what it comes to that the turn of somebody begins."""
    if who not in places(state):
        return Arrival(UNPLACED)
    waiting = due(state)
    if is_out(state, who):
        return _of_somebody_out(state, who, waiting)
    if not waiting or (waiting == [who] and is_over(state)):
        return _opening(state, who, ())
    if who in waiting:
        return Arrival(DUE, jumped=_above(state, who, waiting))
    return _of_somebody_not_due(state, who, waiting)


def _of_somebody_not_due(state: NamelessState, who: str, waiting: list[str]) -> Arrival:
    if who in state.newcomers:
        return Arrival(EARLY)
    return _opening(state, who, tuple(waiting)) if who == first_up(state) else Arrival(AGAIN)


def _of_somebody_out(state: NamelessState, who: str, waiting: list[str]) -> Arrival:
    """Nobody has to have a turn who is out; one that it has all the same has its place in this round."""
    passed = [spot(state, each) for each in state.had]
    if not waiting and (who in state.had or not passed or spot(state, who) < min(passed)):
        return _opening(state, who, ())
    if who in state.had:
        return Arrival(AGAIN)
    return Arrival(DUE, jumped=_above(state, who, waiting))


def _above(state: NamelessState, who: str, waiting: list[str]) -> tuple[str, ...]:
    own = spot(state, who)
    return tuple(each for each in waiting if each not in state.jumped and spot(state, each) < own)


def _opening(state: NamelessState, who: str, waiting: tuple[str, ...]) -> Arrival:
    """Return the arrival that opens a round: everybody who is not out is due in it, whoever stands above is jumped."""
    own = places(state)[who]
    above = [each for each, place in places(state).items() if place < own and not is_out(state, each)]
    return Arrival(DUE, True, tuple(above), tuple(each for each in waiting if each not in state.jumped))


# ---------------------------------------------------------------- newcomers


@derives("initiative.late-arrival-waits", "initiative.late-arrival-no-reaction", on=CombatantJoined)
def newcomer_waits(state: NamelessState, fact: Occurrence[CombatantJoined]) -> None:
    """Let whoever joins after the first turn wait for a turn of its own."""
    who = fact.event.combatant
    if state.started and who not in state.rolls:
        state.newcomers[who] = fact.seq


@derives("initiative.late-arrival-inserted", on=InitiativeRolled)
def newcomer_is_put_in(state: NamelessState, fact: Occurrence[InitiativeRolled]) -> None:
    """Put whoever rolls after the first turn in its place: due in this round only below all who had their turn in it."""
    if state.started:
        for who in rollers(state, fact.event):
            if is_new(state, who, fact):
                _put_in(state, who, fact.seq)


def _put_in(state: NamelessState, who: str, seq: int) -> None:
    state.newcomers[who] = seq
    for among in (state.had, state.anchors, state.later, state.first_rounds):
        among.pop(who, None)
    state.first_rounds[who] = max(1, state.clock.round)
    own = spot(state, who)
    if all(spot(state, each) < own for each in state.had):
        return
    acting = next((turn.combatant for turn in reversed(state.turns) if turn.combatant in places(state)), "")
    if state.option("late-place-passed") == "after-current" and acting and who not in _anchored(state, acting):
        state.anchors[who] = acting
    else:
        state.later[who] = state.counted[who] = seq
        state.first_rounds[who] += 1


def _anchored(state: NamelessState, who: str) -> list[str]:
    """Return somebody and those after whose turns it comes."""
    found = [who]
    while found[-1] in state.anchors:
        found.append(state.anchors[found[-1]])
    return found


# ---------------------------------------------------------------- turns and rounds


@derives("round.begins-with-first-in-order", on=TurnStarted)
def turn_begins(state: NamelessState, fact: Occurrence[TurnStarted]) -> None:
    """End what ends with the turn before, open the round if one opens, and begin the turn of each who has it."""
    state.started = state.started or fact.seq
    state.turn_before, state.turn_seq = state.turn_seq, fact.seq
    end_brief(state, fact.seq)
    if state.turns:
        allowance_is_over(state, state.turns[-1].combatant)
    event = fact.event
    for who in dict.fromkeys((event.combatant, *event.together)):
        if who in state.combatants:
            _begins(state, who, fact)


def _begins(state: NamelessState, who: str, fact: Occurrence[TurnStarted]) -> None:
    came = arrival(state, who)
    if came.opens:
        _round_closes(state, fact)
        _round_opens(state, fact)
    state.jumped |= dict.fromkeys(came.jumped, fact.seq)
    state.open_ties |= dict.fromkeys(undecided(state, who), fact.seq)
    if came.word == DUE:
        _takes_place(state, who, fact)
    are_whole_again(state, who)
    state.turns.append(Turn(who, fact.seq, state.clock.point))


@derives("effect.counts-from-originators-turn")
def _takes_place(state: NamelessState, who: str, fact: Occurrence[TurnStarted]) -> None:
    """Let the places of those who are out above go by, then let this one count and be used."""
    own = spot(state, who)
    for each in places(state):
        if each not in state.counted and is_out(state, each) and spot(state, each) < own:
            _goes_by(state, each, fact.seq)
    if who not in state.counted:
        _goes_by(state, who, fact.seq)
    state.later.pop(who, None)
    state.newcomers.pop(who, None)
    state.had[who] = state.had_ever[who] = fact.seq


def _goes_by(state: NamelessState, who: str, seq: int) -> None:
    state.counted[who] = seq
    count_off(state, who, seq)


def _round_closes(state: NamelessState, fact: Occurrence[TurnStarted]) -> None:
    """Let every place that has not counted go by; what the round still owed is lost."""
    clock = state.clock
    if clock.round:
        owners = dict.fromkeys(running.owner for running in state.clocks.values() if running.owner)
        for who in dict.fromkeys(chain(places(state), owners)):
            if who not in state.counted:
                _goes_by(state, who, fact.seq)
    state.lost = [Lost(who, Point(clock.round), fact.seq) for who in due(state)]


@derives("round.begins-with-first-in-order")
def _round_opens(state: NamelessState, fact: Occurrence[TurnStarted]) -> None:
    """Open the next round with this turn: nobody has had a turn in it."""
    clock = state.clock
    clock.round += 1
    clock.point, clock.open = Point(clock.round, turn=1), True
    clock.round_event, clock.events = fact.seq, (fact.seq,)
    for among in (state.had, state.counted, state.later, state.anchors, state.jumped, state.moments, state.nearest):
        among.clear()
    for rows in (state.turns, state.acts, state.stretches):
        rows.clear()
    if clock.round > 1:
        count_off(state, "", fact.seq)
    reactions_are_back(state)


@derives("round.begins-with-first-in-order", on=TurnEnded)
def turn_ends(state: NamelessState, fact: Occurrence[TurnEnded]) -> None:
    """Mark a turn whose end is recorded, and end what ends with it."""
    last = state.turns[-1] if state.turns else None
    if last and last.combatant == fact.event.combatant and not last.ended:
        state.turns[-1] = Turn(last.combatant, last.seq, last.point, fact.seq)
        end_brief(state, fact.seq)


@derives("round.begins-with-first-in-order", on=(SegmentReached, PhaseReached))
def time_is_not_moved(state: NamelessState, _fact: Occurrence[SegmentReached] | Occurrence[PhaseReached]) -> None:
    """Keep to the turn: this text has no segments and no phases."""
    clock = state.clock
    clock.point, clock.phase = Point(clock.round, turn=len(state.turns)), ""


@derives("initiative.highest-first", on=RoundEnded)
def omission_was_reported(state: NamelessState, fact: Occurrence[RoundEnded]) -> None:
    """Keep who was reported as left out as somebody said that the round was over."""
    if fact.event.round in (None, state.clock.round) and not is_over(state):
        state.jumped |= dict.fromkeys(due(state), fact.seq)


@derives("round.five-seconds")
def second_of(round_: int) -> int:
    """Return the second at which a round opens; every turn of it bears that second."""
    return ROUND * (round_ - 1)


@derives("round.twelve-a-minute")
def minutes_of(round_: int) -> int:
    """Return how many minutes are over as a round opens."""
    return second_of(round_) // MINUTE
