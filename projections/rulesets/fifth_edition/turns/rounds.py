"""Turns and rounds: their boundaries, and who is still to have a turn."""

from __future__ import annotations

from collections.abc import Iterator

from eventstore.events import Fact, RoundEnded, RoundStarted, TurnEnded, TurnStarted
from projections.because import Because, Derived
from projections.folds.vitals import standing
from projections.mechanics.durations import Passed, by_turns
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.fifth_edition.turns.order import controlled, level_with, placed_by, ruled_by
from projections.rulesets.ruleset import derives
from projections.scheduling import turnlist
from projections.scheduling.boundaries import rounds_as_recorded, turn_comes_up
from projections.scheduling.turn_schedule import follow, turn_list, who_waits
from projections.time import Boundary


@derives("round.ends-after-all", "round.one-turn-each")
def boundaries_of(state: FifthState, fact: Occurrence[Fact]) -> tuple[Boundary, ...]:
    """Return the boundaries of a fact: rounds are those recorded; where none is, they follow from the turns.

    The turns before round 1 are in no round, so that no place goes by as they end.
    """
    event, seq = fact.event, fact.seq
    if isinstance(event, RoundStarted | RoundEnded):
        ended = (Boundary("turn ended", seq, who) for who in state.turns.running)
        over = turnlist.unpassed(turn_list(state)) if state.clock.round else ()
        passed = (Boundary("place passed", seq, who) for who in over)
        return (*ended, *passed, *rounds_as_recorded(state, fact))
    if isinstance(event, TurnEnded):
        names = with_mounts(state, event.combatant)
        return tuple(Boundary("turn ended", seq, who) for who in names if who in state.turns.running)
    if not isinstance(event, TurnStarted):
        return ()
    members = with_mounts(state, event.combatant, *event.together)
    ended = (Boundary("turn ended", seq, who) for who in state.turns.running)
    opens, out = not state.rounds_recorded and opens_round(state, members), state.rules.schedule.out(state)
    turns = turn_list(state)
    first = min((turnlist.spot(turns, who) for who in members), default=())
    above = turns.order if opens else turnlist.unpassed(turns)
    gone = tuple(who for who in above if out(who) and turnlist.spot(turns, who) < first)
    found = turnlist.Beginning("due", opens, goes_by=gone)
    return (*ended, *turn_comes_up(turns, found, members, seq, state.clock.round))


@derives("mount.controlled")
def with_mounts(state: FifthState, *those: str) -> list[str]:
    """Return the combatants among those who act, each with its controlled mount."""
    ridden = {rider: mount for mount, rider in controlled(state).items()}
    both = (each for who in those for each in (who, ridden.get(who, who)))
    return [each for each in dict.fromkeys(both) if each in state.combatants]


def still_due(state: FifthState) -> Derived[list[str]]:
    """Return the combatants that are still to have a turn in this round; the dead have none, and controlled mounts none of their own.

    Nobody is once the round was said to be over.
    """
    if is_closed(state):
        return Derived([], Because(opens_round.rules, state.clock.events))
    found, came = who_waits(state), state.chosen("newcomer") if state.latecomers else {}
    rolled = {seq for roll in state.rolls.values() for seq in roll.events}
    mounts = controlled(state)
    mounted = (state.mounts[rider].seq for rider in mounts.values())
    placed = Derived("places", Because((), (*sorted(rolled), *ruled_by(state), *mounted), came))
    waiting = [who for who in found.value if who not in mounts]
    return Derived(waiting, Because((), (), {}, (found, placed, *(standing(one) for one in state.here()))))


def is_closed(state: FifthState) -> bool:
    """Say whether a round was said to be over, and none has opened since."""
    return bool(state.clock.round) and not state.clock.open


@derives("round.ends-after-all")
def opens_round(state: FifthState, members: list[str]) -> bool:
    """Say whether a turn opens a round where no rounds are recorded.

    It does if the last one was said to be over, or if all others that are due were passed over, and its combatant has had its turn. A combatant that is out, such as
    a dead one, opens a round only by a place above all turns of this round.
    """
    if is_closed(state):
        return True
    turns, out, mounts = turn_list(state), state.rules.schedule.out(state), controlled(state).keys()
    who = next((each for each in members if each not in mounts), "")
    if not turns.rounds or turnlist.is_due(turns, who, out):
        return not turns.rounds
    had = turns.progress.had
    passed = turns.progress.passed_over.keys() | turns.progress.passed.keys()
    waiting = {*turnlist.due(turns, out)} - passed - mounts
    if waiting or who not in turns.places:
        return False
    above = turnlist.spot(turns, who) < min((turnlist.spot(turns, each) for each in had), default=())
    return not out(who) or who in had or above


@derives("initiative.ties-decided", "initiative.order-fixed")
def follows(state: FifthState, boundary: Boundary) -> None:
    """Apply a boundary to the turn list; combatants with an undecided tie keep the order in which they take their turns.

    Turns before round 1 are in no order: whoever surprises others has them.
    """
    if boundary.kind == "turn began" and (state.clock.round or not state.clock.round_event):
        take_rank(state, boundary)
        turns, who = turn_list(state), boundary.who
        if who in turns.places and who not in turns.progress.late:
            for above in turnlist.due(turns, state.rules.schedule.out(state)):
                if turnlist.spot(turns, above) < turnlist.spot(turns, who):
                    state.round.jumped.setdefault(above, boundary.seq)
    follow(state, boundary)


def take_rank(state: FifthState, turn: Boundary) -> None:
    """Keep the rank that a combatant with an undecided tie takes by having its turn, after those of the tie who have had theirs in this round."""
    who, had = turn.who, turn_list(state).progress.had
    if who not in (*state.ties.ruled, *state.took) and is_a_decision(state, who):
        before = [
            each for each in level_with(state, who) if each in had and each not in (who, *state.ties.ruled, *state.took)
        ]
        for each in (*sorted(before, key=had.__getitem__), who):
            state.took[each] = (len(state.took), turn.seq)
        state.turns.arranged = False


@derives("initiative.ties-decided")
def is_a_decision(state: FifthState, who: str) -> bool:
    """Say whether another combatant with the same total has had its turn, or is to have one: the dead have none."""
    others, out = [each for each in level_with(state, who) if each != who], state.rules.schedule.out(state)
    return any(each in state.took or not out(each) for each in others)


@derives("round.ends-after-all", on=RoundStarted)
def rounds_are_recorded(state: FifthState, fact: Occurrence[RoundStarted]) -> None:
    """Keep that rounds are recorded, so that they do not follow from the turns."""
    state.rounds_recorded |= fact.event.round > 0


@derives("initiative.latecomer", on=TurnStarted)
def turn_is_kept(state: FifthState, fact: Occurrence[TurnStarted]) -> None:
    """Keep the record of a turn, and end the wait of its latecomers."""
    state.started = True
    state.round.starts[fact.seq] = fact
    for who in (fact.event.combatant, *fact.event.together):
        state.arrives.pop(who, None)


@derives("duration.runs-out")
def counted_turns(state: FifthState, boundary: Boundary) -> Iterator[Passed]:
    """Yield the turns that a boundary counts: as they begin and end, and as the place of a combatant without a turn goes by.

    One that has left has a round instead.
    """
    passed = boundary.kind == "place passed" and not state.combatants[boundary.who].left
    for each in [Passed(boundary.who, absent=True)] if passed else by_turns(state, boundary):
        if passed:
            has_no_turn(state, each.owner, (*placed_by(state, boundary.who), state.clock.round_event))
        elif boundary.kind == "round opened":
            has_no_turn(state, each.owner, tuple(turn.seq for turn in state.last.turns))
        yield each


def has_no_turn(state: FifthState, who: str | None, events: tuple[int, ...]) -> None:
    """Let what a combatant's turns count rest on these records, by which its place or a round goes by, and on its status."""
    why = Because((), events, {}, tuple(standing(one) for one in state.combatants.values() if one.id == who))
    for timer in state.durations.running.values():
        if timer.owner == who:
            timer.effect.of = (*timer.effect.of, Derived(who, why))
