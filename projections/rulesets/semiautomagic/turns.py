"""Turns: how they begin, are put off, taken, interrupted, ended or lost; and the clock."""

from collections.abc import Iterator

from eventstore import events
from eventstore.events import CombatantLeft, Fact, RoundEnded, RoundStarted, TurnDelayed, TurnEnded, TurnResumed
from projections.because import Because, Cites
from projections.fight import Clock
from projections.mechanics import turnlist
from projections.occurrence import Occurrence
from projections.ruleset.boundaries import boundaries_of_turn
from projections.ruleset.ruleset import derives
from projections.rulesets.semiautomagic import seconds
from projections.rulesets.semiautomagic.order import move_place, place_reason
from projections.rulesets.semiautomagic.seconds import Reading, beginning, complete_acts, give_up, lose_act
from projections.rulesets.semiautomagic.state import SECONDS, SecondsState, TimedTurn
from projections.scheduling.turn_schedule import turn_list, unseen_opening
from projections.time import Boundary, Point

# ---------------------------------------------------------------- whose turn it is


def combatants_due(state: SecondsState) -> Iterator[str]:
    """Return the combatants who are due in this round, in order; nobody once the fight is closed."""
    return iter(()) if state.closed else turnlist.combatants_due(turn_list(state), state.is_out)


@derives("round.one-turn-each", "round.six-seconds")
def boundaries_crossed(state: SecondsState, fact: Occurrence[Fact]) -> tuple[Boundary, ...]:
    """Return the boundaries that a fact crosses; a round opens with its first turn or, if withheld, as announced."""
    seq = fact.seq
    match fact.event:
        case events.TurnStarted() as event:
            members = (event.combatant, *(who for who in event.together if who in state.combatants))
            coming = boundaries_of_turn(state.turns, beginning(state, event), members, seq, state.clock.round)
            return (*_ends_of_turns(state, 0, seq), *coming)
        case TurnResumed() as event:
            broken = seconds.turn_interrupted(state, event.second)
            over = _ends_of_turns(state, state.stack.index(broken) + 1 if broken else 0, seq)
            return (*over, Boundary("turn resumed", seq, event.combatant))
        case CombatantLeft(combatant=who):
            return tuple(each for each in _ends_of_turns(state, 0, seq) if each.who == who)
        case TurnEnded(combatant=who) | TurnDelayed(combatant=who):
            turn = state.playing(who)
            keep = state.stack.index(turn) + isinstance(fact.event, TurnDelayed) if turn else len(state.stack)
            return _ends_of_turns(state, keep, seq)
        case RoundStarted() | RoundEnded() as event if _is_end_of_round(state, event):
            return (*_ends_of_turns(state, 0, seq), *unseen_opening(state, fact))
    return ()


def _is_end_of_round(state: SecondsState, event: RoundStarted | RoundEnded) -> bool:
    """Return whether a recorded round is the end of the present one: as it is over, or as the next begins."""
    return isinstance(event, RoundEnded) or event.round == state.clock.round + 1


def _ends_of_turns(state: SecondsState, keep: int, seq: int) -> tuple[Boundary, ...]:
    """Return the ends of the turns being played except the first `keep`; the last one to interrupt comes first."""
    return tuple(Boundary("turn ended", seq, turn.combatant) for turn in reversed(state.stack[keep:]))


@derives("round.six-seconds", "round.one-turn-each", at="round opened")
def open_round(state: SecondsState, boundary: Boundary) -> None:
    """Open the next round; for combatants without a turn in the last one, six seconds have passed."""
    missed = [who for who, seq in state.turns.progress.passed.items() if seq == boundary.seq]
    state.round.missed = dict.fromkeys((*missed, *combatants_due(state)), boundary.seq)
    turnlist.open_round(state.turns)


@derives("round.one-turn-each", "delayed-effect.on-own-turn", at="place passed")
def pass_place(state: SecondsState, boundary: Boundary) -> None:
    """Let six seconds of a combatant pass without a turn; one who is out loses its actions, others only time."""
    who, seq = boundary.who, boundary.seq
    lose_turn_in_hand(state, who, seq)
    placed = [each for each in (who, boundary.name) if each in state.standings]
    why: tuple[Cites, ...] = (state.combatants[who].standing, *(place_reason(state, each) for each in placed))
    for act in list(state.rest_of(who)):
        if state.is_out(who):
            lose_act(state, act, seq, *why)
        else:
            act.paused += SECONDS
            act.because = Because(of=(act.because, Because(("round.one-turn-each",), (seq,))))
    own = state.clock_of(who)
    own.number, own.round, own.passed = own.number + 1, state.clock.round, Because((), (seq,), why)
    turnlist.pass_place(state.turns, who, seq)


@derives("round.one-turn-each", "initiative.highest-first", at="turn began")
def begin_turn(state: SecondsState, boundary: Boundary) -> None:
    """Begin a turn; a combatant back after its place was passed still has the six seconds of this round."""
    who, seq, progress = boundary.who, boundary.seq, turn_list(state).progress
    state.started = state.started or seq
    lose_turn_in_hand(state, who, seq)
    own = state.clock_of(who)
    own.number += who not in progress.passed or who in progress.had
    own.round = state.clock.round
    turnlist.begin_turn(state.turns, who, seq, state.is_out)
    play_turn(state, TimedTurn(who, _next_point(state), seq, number=own.number, round=state.clock.round, events=(seq,)))
    state.placed_at = (seq, state.stack[-1].at(0))


def play_turn(state: SecondsState, turn: TimedTurn) -> None:
    """Start playing a turn; facts from here on happen now, not at the second of an action of an earlier turn."""
    seconds.carry_acts_over(state, turn)
    state.stack.append(turn)
    state.round.turns.append(turn)
    own = state.clock_of(turn.combatant)
    own.turn, own.passed, state.latest = turn, None, turn
    state.moments.clear()


def _next_point(state: SecondsState) -> Point:
    state.round.turn_count += 1
    return Point(state.clock.round, turn=state.round.turn_count)


@derives("delay.other-finishes", at="turn ended")
def end_turn(state: SecondsState, boundary: Boundary) -> None:
    """End a turn being played; the turn that it interrupted goes on, and so does a turn that interrupted it."""
    turn = next(each for each in reversed(state.stack) if each.combatant == boundary.who)
    state.stack.remove(turn)
    complete_acts(state, turn, SECONDS, boundary.seq)
    turn.ended = boundary.seq
    turn.events = (*turn.events, boundary.seq)


@derives("round.one-turn-each", on=(RoundStarted, RoundEnded))
def follow_claimed_round(state: SecondsState, fact: Occurrence[RoundStarted] | Occurrence[RoundEnded]) -> None:
    """Treat a recorded round as a claim: those due when it ends have been passed over."""
    if _is_end_of_round(state, fact.event):
        state.turns.progress.passed_over |= dict.fromkeys(combatants_due(state), fact.seq)


# ---------------------------------------------------------------- put off and taken


@derives("delay.turn-put-off", on=TurnDelayed)
def put_off_turn(state: SecondsState, fact: Occurrence[TurnDelayed]) -> None:
    """Keep a turn in hand, with its remaining seconds; a running action is given up, unless an option lets it run."""
    who = fact.event.combatant
    turn = state.playing(who)
    if turn is None:
        return
    for act in list(state.rest_of(who)):
        runs_on = state.option("delay-while-running") == "continues"
        act.because = Because((), (fact.seq,), (act.because,))
        if not runs_on:
            give_up(state, act, fact.seq)
    state.stack.remove(turn)
    turn.timed = [act for act in turn.timed if act.turn == turn.number or (act.incidents and act.end > turn.zero)]
    turn.put_off, turn.events = True, (*turn.events, fact.seq)
    turnlist.put_off_turn(state.turns, turn, fact.seq)


@derives("delay.taken-before-next-turn", "delay.other-finishes", on=TurnResumed)
def take_delayed_turn(state: SecondsState, fact: Reading[TurnResumed]) -> None:
    """Take a delayed turn (or, if none is in hand, one of six seconds), inside another turn or between two."""
    who, broken = fact.who, fact.broken
    turn = _make_taken_turn(state, who, fact.seq)
    anchor = broken or state.latest or turn
    if broken:
        after = second_of_break(fact.event.second, broken)
        seconds.pass_seconds(broken, min(after, SECONDS), Because((), (fact.seq,)))
        broken.cut = broken.spent
        broken.cut_by = (fact.seq, *(() if fact.event.second else (act.seq for act in broken.timed)))
        turn.within, turn.after = broken.combatant, after
    play_turn(state, turn)
    state.placed_at = (fact.seq, turn.at(0))
    move_place(state, who, anchor, fact.seq)


def _make_taken_turn(state: SecondsState, who: str, seq: int) -> TimedTurn:
    """Return a delayed turn as it is taken: the rest of the one in hand, or six seconds if there is none."""
    held, own = state.in_hand(who), state.clock_of(who)
    if held is None:
        own.number, own.round = own.number + 1, state.clock.round
        held = TimedTurn(who, Point(), seq, number=own.number, round=own.round)
    turnlist.resume_turn(state.turns, who, seq)
    held.ended, held.events = seq, (*held.events, seq)
    turn = TimedTurn(who, _next_point(state), seq, number=held.number, round=held.round, events=held.events)
    turn.put_off, turn.resumed, turn.earlier = True, seq, (*held.earlier, *held.timed)
    turn.waited, turn.waits, turn.since = held.waited, held.waits, held.since
    return turn


def second_of_break(stated: int | None, turn: TimedTurn) -> int:
    """Return the second of a turn after which it is interrupted: the stated one, else the last one spent."""
    if stated is not None:
        return stated
    return turn.cut if turn.only_continues else turn.spent


@derives("delay.lost-if-not-taken")
def lose_turn_in_hand(state: SecondsState, who: str, seq: int) -> None:
    """Lose a turn in hand, with an action that it would have finished."""
    turn = state.in_hand(who)
    if turn is None:
        return
    for act in list(state.rest_of(who)):
        lose_act(state, act, seq)
    turnlist.lose_turn(state.turns, who, seq)
    turn.events = (*turn.events, seq)
    if turn not in state.round.turns:
        state.round.turns.append(turn)


# ---------------------------------------------------------------- the clock


@derives("round.one-turn-each")
def clock_shown(state: SecondsState, _fact: Occurrence[Fact]) -> Clock:
    """Return the clock: the round, the turn being played with those that it interrupted, and the seconds passed."""
    now, turn, latest = state.clock, state.stack[-1] if state.stack else None, state.latest
    # the end of a turn in hand may still be recorded
    others = (*state.stack[:-1], *([latest] if latest and latest.is_held else ()))
    shown = turn or latest
    behind = turn.events if turn else (latest.ended or latest.held,) if latest else ()
    return Clock(
        Point(now.round, turn=shown.point.turn, second=shown.spent) if shown else Point(now.round),
        now.round,
        turn=turn.combatant if turn else "",
        together=tuple(dict.fromkeys(each.combatant for each in others)),
        turn_event=turn.seq if turn else now.turn_event,
        open=bool(now.round),
        round_event=state.round.opened,
        events=tuple(filter(None, dict.fromkeys((state.round.opened, *behind)))),
    )
