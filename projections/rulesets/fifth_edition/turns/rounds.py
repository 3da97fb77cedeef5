"""Turns and rounds: their boundaries, and who is still to have a turn."""

from __future__ import annotations

from collections.abc import Iterator

from eventstore.events import Fact, RoundEnded, RoundStarted, TurnEnded, TurnStarted
from projections.because import Because, Derived
from projections.folds.vitals import standing
from projections.mechanics.durations import Passed, by_turns
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.fifth_edition.turns.order import level_with
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
        over = unpassed(state) if isinstance(event, RoundStarted) and state.clock.round else ()
        passed = (Boundary("place passed", seq, who) for who in over)
        return (*ended, *passed, *rounds_as_recorded(state, fact))
    if isinstance(event, TurnEnded):
        return (Boundary("turn ended", seq, event.combatant),) if event.combatant in state.turns.running else ()
    if not isinstance(event, TurnStarted):
        return ()
    members = [who for who in dict.fromkeys((event.combatant, *event.together)) if who in state.combatants]
    ended = (Boundary("turn ended", seq, who) for who in state.turns.running)
    opens, out = not state.rounds_recorded and opens_round(state, members), state.rules.schedule.out(state)
    turns = turn_list(state)
    last = max((turnlist.spot(turns, who) for who in members), default=())
    above = turns.order if opens else unpassed(state)
    gone = tuple(who for who in above if who not in members and out(who) and turnlist.spot(turns, who) < last)
    found = turnlist.Beginning("due", opens, goes_by=gone)
    return (*ended, *turn_comes_up(turns, found, members, seq, state.clock.round))


def still_due(state: FifthState) -> Derived[list[str]]:
    """Return the combatants that are still to have a turn in this round; the dead have none."""
    found, came = who_waits(state), state.chosen("newcomer") if state.latecomers else {}
    rolled = {seq for roll in state.rolls.values() for seq in roll.events}
    ruled = (state.ruled_order[0],) if state.ruled_order else ()
    placed = Derived("places", Because((), (*sorted(rolled), *ruled), came))
    return Derived(found.value, Because((), (), {}, (found, placed, *(standing(one) for one in state.here()))))


@derives("round.ends-after-all")
def opens_round(state: FifthState, members: list[str]) -> bool:
    """Say whether a turn opens a round where no rounds are recorded.

    It does if all others that are due were passed over, and its combatant has had its turn. A combatant that is out, such as
    a dead one, opens a round only by a place above all turns of this round.
    """
    turns, out, who = turn_list(state), state.rules.schedule.out(state), next(iter(members), "")
    if not turns.rounds or turnlist.is_due(turns, who, out):
        return not turns.rounds
    waiting = [each for each in turnlist.due(turns, out) if each not in turns.progress.passed_over]
    had = turns.progress.had
    if who not in turns.places or waiting:
        return False
    if not out(who):
        return True
    return who in had or not had or turnlist.spot(turns, who) < min(turnlist.spot(turns, each) for each in had)


def unpassed(state: FifthState) -> list[str]:
    """Return the combatants here whose places have neither been used nor gone by in this round."""
    return [who for who in turnlist.unpassed(turn_list(state)) if not state.combatants[who].left]


@derives("initiative.ties-decided", "initiative.order-fixed")
def follows(state: FifthState, boundary: Boundary) -> None:
    """Apply a boundary to the turn list; combatants with an undecided tie keep the order in which they take their turns."""
    if boundary.kind == "turn began":
        take_rank(state, boundary)
        turns, who = turn_list(state), boundary.who
        if who in turns.places and who not in turns.progress.late:
            for above in turnlist.due(turns, state.rules.schedule.out(state)):
                if turnlist.spot(turns, above) < turnlist.spot(turns, who):
                    state.round.jumped.setdefault(above, boundary.seq)
    follow(state, boundary)


def take_rank(state: FifthState, turn: Boundary) -> None:
    """Keep the rank that a combatant with an undecided tie takes by having its turn."""
    who, undecided = turn.who, state.option("initiative-tie") == "as-decided"
    if undecided and who in state.rolls and who not in (*state.ties.ruled, *state.took) and is_a_decision(state, who):
        state.took[who] = (len(state.took), turn.seq)
        state.turns.arranged = False


@derives("initiative.ties-decided")
def is_a_decision(state: FifthState, who: str) -> bool:
    """Say whether another combatant with the same total has had its turn, or is to have one: the dead have none."""
    others, out = [each for each in level_with(state, who) if each != who], state.rules.schedule.out(state)
    return any(each in state.took or not out(each) for each in others)


@derives("round.ends-after-all", on=RoundStarted)
def rounds_are_recorded(state: FifthState, fact: Occurrence[RoundStarted]) -> None:
    """Keep that rounds are recorded, so that they do not follow from the turns."""
    state.rounds_recorded = state.rounds_recorded or fact.event.round > 0


@derives("initiative.latecomer", on=TurnStarted)
def turn_is_kept(state: FifthState, fact: Occurrence[TurnStarted]) -> None:
    """Keep the record of a turn, and end the wait of its latecomers."""
    state.started = state.started or fact.seq
    state.round.starts[fact.seq] = fact
    for who in (fact.event.combatant, *fact.event.together):
        state.arrives.pop(who, None)


@derives("duration.runs-out")
def counted_turns(state: FifthState, boundary: Boundary) -> Iterator[Passed]:
    """Yield the turns that a boundary counts: as they begin and end, and as the place of a combatant without a turn goes by."""
    if boundary.kind == "place passed":
        for timer in state.durations.by_owner.get(boundary.who, {}).values():
            timer.effect.of = (*timer.effect.of, why_no_turn(state, boundary.who))
        yield Passed(boundary.who)
    else:
        yield from by_turns(state, boundary)


def why_no_turn(state: FifthState, who: str) -> Derived[str]:
    """Return why a combatant has a place in this round and no turn."""
    rolled = state.rolls[who].events if who in state.rolls else ()
    opened = (state.clock.round_event,) if state.clock.round_event else ()
    return Derived(who, Because((), (*rolled, *opened), {}, (standing(state.combatants[who]),)))
