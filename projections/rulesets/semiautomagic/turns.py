"""Turns: how they come up, are put off, taken, broken into and over, and what becomes of those that nobody takes."""

from eventstore.events import (
    CombatantLeft,
    RoundEnded,
    RoundStarted,
    RulingMade,
    TurnDelayed,
    TurnEnded,
    TurnResumed,
    TurnStarted,
)
from projections.occurrence import Occurrence
from projections.rulesets.ruleset import derives
from projections.rulesets.semiautomagic.order import draw, places
from projections.rulesets.semiautomagic.rounds import DUE, EARLY, UNPLACED, Coming, before, coming, due, is_due, out
from projections.rulesets.semiautomagic.seconds import (
    carried,
    clock_shows,
    confirm,
    give_up,
    lose,
    playing,
    rest_of,
    waits,
)
from projections.rulesets.semiautomagic.state import SECONDS, SemiautomagicState, Turn, own_second
from projections.time import Point

# ---------------------------------------------------------------- a turn comes up


@derives("round.one-turn-each", "initiative.highest-first", on=TurnStarted)
def turn_comes_up(state: SemiautomagicState, fact: Occurrence[TurnStarted]) -> None:
    """End the turn before, open a round where one is due, pass the places of those who are out, begin the turn."""
    end_turns(state, 0)
    state.started = state.started or fact.seq
    who = fact.event.combatant
    found = coming(state, who)
    if found.opens:
        opens(state, fact.seq)
    _reported(state, who, found)
    if found.how == DUE:
        for other in _passed_over(state, who):
            pass_place(state, other, fact.seq)
    for each in dict.fromkeys((who, *(other for other in fact.event.together if other in state.combatants))):
        _begins(state, each, fact.seq, found if each == who else Coming())
    forget_moments(state)
    clock_shows(state, fact.seq)


def _reported(state: SemiautomagicState, who: str, found: Coming) -> None:
    """Remember who has been reported, so that nobody is reported twice for the same."""
    above = before(places(state), who)
    state.jumped.update(other for other in found.jumped if other in above or not found.opens)
    state.open_reported.update(draw(state, who))
    if found.how == UNPLACED:
        state.unplaced_reported.add(who)
    if found.how == EARLY:
        state.early.add(who)
    if state.started == state.clock.turn_event:
        state.unplaced_reported.update(one.id for one in state.here() if one.id not in state.standings)


def _passed_over(state: SemiautomagicState, who: str) -> list[str]:
    return [other for other in before(places(state), who) if out(state, other) and is_due(state, other)]


def _begins(state: SemiautomagicState, who: str, seq: int, found: Coming) -> None:
    lose_hand(state, who, seq)
    if found.how == DUE and who in state.standings:
        state.had.setdefault(who, seq)
    turn = Turn(who, next_number(state, who), state.round_number, next_place(state), seq, events=(seq,))
    carried(state, turn)
    state.stack.append(turn)
    state.turns.append(turn)
    state.latest = turn


def next_number(state: SemiautomagicState, who: str) -> int:
    """Count a turn on the clock of a combatant, and return its number."""
    state.numbers[who] = state.numbers.get(who, 0) + 1
    state.rounds_of[who] = state.round_number
    return state.numbers[who]


def next_place(state: SemiautomagicState) -> Point:
    """Return the point of the next turn that is told of in this round."""
    state.places_told += 1
    return Point(state.round_number, turn=state.places_told)


@derives("round.six-seconds", "round.one-turn-each")
def opens(state: SemiautomagicState, seq: int) -> None:
    """Open the next round; whoever had no turn in the last one has its six seconds pass with it."""
    state.missed = {who: seq for who in places(state) if is_due(state, who)}
    for who in state.missed:
        pass_place(state, who, seq)
    state.round_number += 1
    state.opened = seq
    state.had.clear()
    state.passed.clear()
    state.jumped.clear()
    state.early.clear()
    state.turns.clear()
    state.outside.clear()
    state.places_told = 0
    kept = [each for each in state.flights if each.status == "begun"]
    state.flights = kept


def pass_place(state: SemiautomagicState, who: str, seq: int) -> None:
    """Let six seconds of somebody pass without a turn; one who is out loses what it was doing, others only time."""
    lose_hand(state, who, seq)
    number = next_number(state, who)
    state.passed[who] = seq
    for act in list(rest_of(state, who)):
        if out(state, who):
            lose(state, act, seq)
        elif act.first <= own_second(number, 0):
            act.last += SECONDS


@derives("delay.lost-if-not-taken")
def lose_hand(state: SemiautomagicState, who: str, seq: int) -> None:
    """Let a turn in hand be lost, with an action that it was to finish."""
    turn = state.hand.pop(who, None)
    if turn is None:
        return
    turn.status, turn.events = "lost", (*turn.events, seq)
    if turn not in state.turns:
        state.turns.append(turn)
    for act in list(rest_of(state, who)):
        lose(state, act, seq)


# ---------------------------------------------------------------- put off and taken


@derives("delay.turn-put-off", on=TurnDelayed)
def puts_off(state: SemiautomagicState, fact: Occurrence[TurnDelayed]) -> None:
    """Keep a turn in hand, with the seconds that are left of it; what still runs is given up, unless an option lets it."""
    who = fact.event.combatant
    turn = playing(state, who)
    if turn is None:
        return
    end_turns(state, state.stack.index(turn) + 1)
    state.stack.remove(turn)
    if state.option("delay-while-running") != "continues":
        for act in list(rest_of(state, who)):
            give_up(state, act, fact.seq)
    if not turn.played:
        turn.spent = turn.waited
    turn.status, turn.put_off, turn.events = "held", True, (*turn.events, fact.seq)
    turn.acts = [act for act in turn.acts if act.turn == turn.number]
    state.hand[who] = turn
    clock_shows(state, fact.seq)
    state.clock.together += (who,)  # somebody may still say that this turn ends


@derives("delay.taken-before-next-turn", "delay.other-finishes", on=TurnResumed)
def takes_up(state: SemiautomagicState, fact: Occurrence[TurnResumed]) -> None:
    """Take a delayed turn, or where none is in hand one of six seconds all the same, inside another turn or between two."""
    who, broken = fact.event.combatant, broken_into(state)
    anchor = broken or state.latest
    turn = _taken(state, who, fact.seq)
    if broken:
        after = second_of_break(fact, broken)
        waits(broken, min(after, SECONDS))
        broken.cut = broken.spent
        turn.within, turn.after = broken.combatant, after
    else:
        end_turns(state, 0)
    carried(state, turn)
    state.stack.append(turn)
    state.turns.append(turn)
    if anchor and state.option("delayed-place") == "moves":
        state.moves.append((who, anchor.combatant, fact.seq))
    state.latest = turn
    forget_moments(state)
    clock_shows(state, fact.seq)


def _taken(state: SemiautomagicState, who: str, seq: int) -> Turn:
    """Return a delayed turn as it is taken: what is left of the one in hand, or where there is none six seconds."""
    held = state.hand.pop(who, None)
    if held is None:
        return Turn(
            who,
            next_number(state, who),
            state.round_number,
            next_place(state),
            seq,
            events=(seq,),
            put_off=True,
            taken=seq,
        )
    held.status = "done"
    return Turn(
        who,
        held.number,
        held.round,
        next_place(state),
        seq,
        spent=held.spent,
        waited=held.waited,
        played=held.played,
        events=(*held.events, seq),
        earlier=tuple(held.acts),
        put_off=True,
        taken=seq,
    )


def broken_into(state: SemiautomagicState) -> Turn | None:
    """Return the turn that a delayed one breaks into: the one being played, unless its seconds are spent."""
    return next((turn for turn in reversed(state.stack) if turn.spent < SECONDS or rests(turn)), None)


def rests(turn: Turn) -> bool:
    """Say whether nothing but an action of the turn before has a claim on a turn yet."""
    return not turn.played and any(act.turn != turn.number and act.status == "begun" for act in turn.acts)


def second_of_break(fact: Occurrence[TurnResumed], turn: Turn) -> int:
    """Return the second of a turn after which it is broken into: as stated, else after what has been done in it."""
    if fact.event.second is not None:
        return fact.event.second
    return 0 if rests(turn) else turn.spent


# ---------------------------------------------------------------- over


def end_turns(state: SemiautomagicState, keep: int) -> None:
    """End the turns being played but for the first `keep`, those that broke in last first."""
    while len(state.stack) > keep:
        turn = state.stack.pop()
        confirm(state, turn, SECONDS)
        turn.status = "done"


@derives("delay.other-finishes", on=TurnEnded)
def turn_is_over(state: SemiautomagicState, fact: Occurrence[TurnEnded]) -> None:
    """End a turn, and what broke into it; whoever it broke into goes on."""
    _over(state, fact.event.combatant, fact.seq)


def _over(state: SemiautomagicState, who: str, seq: int) -> None:
    turn = playing(state, who)
    if turn:
        end_turns(state, state.stack.index(turn))
        turn.events = (*turn.events, seq)
    clock_shows(state, seq)


@derives("action.own-turn", on=CombatantLeft)
def gone(state: SemiautomagicState, fact: Occurrence[CombatantLeft]) -> None:
    """End the turn of whoever leaves."""
    state.departed.add(fact.event.combatant)
    _over(state, fact.event.combatant, fact.seq)


@derives("round.one-turn-each", on=(RoundStarted, RoundEnded))
def round_is_claimed(state: SemiautomagicState, fact: Occurrence[RoundStarted] | Occurrence[RoundEnded]) -> None:
    """Take a recorded round as the claim that it is: it ends the turn before, and opens nothing."""
    if isinstance(fact.event, RoundEnded) or fact.event.round == state.round_number + 1:
        end_turns(state, 0)
        state.jumped.update(due(state))
    clock_shows(state, 0)


@derives("round.one-turn-each", on=RulingMade)
def ruling_moves_the_clock(state: SemiautomagicState, fact: Occurrence[RulingMade]) -> None:
    """Let the GM's word say which round it is and whose turn."""
    values = (fact.event.values or {}) if fact.event.ruling == "override" else {}
    if isinstance(count := values.get("round"), int) and count >= 0:
        state.round_number = count
    who = values.get("turn")
    if isinstance(who, str) and (who in state.combatants or who == "none"):
        end_turns(state, 0)
        if who != "none":
            _begins(state, who, fact.seq, Coming())
    if "round" in values or "turn" in values:
        clock_shows(state, fact.seq)


@derives("turn.six-second-budget", "initiative.reflex-plus-dexterity", on=RulingMade)
def ruling_counts_anew(state: SemiautomagicState, fact: Occurrence[RulingMade]) -> None:
    """Let the GM's word say what somebody's check comes to, and how many seconds of its turn are left."""
    values = (fact.event.values or {}) if fact.event.ruling == "override" else {}
    for address, value in values.items():
        who, _, field = address.partition(".")
        own, turn = state.standings.get(who), playing(state, who)
        if field == "total" and own and isinstance(value, int):
            own.total, own.rerolls, own.events = value, (), (*own.events, fact.seq)
        if field in ("seconds", "budget.seconds") and turn and isinstance(value, int) and 0 <= value <= SECONDS:
            turn.spent = turn.waited = SECONDS - value
            turn.events = (*turn.events, fact.seq)
            clock_shows(state, fact.seq)


def forget_moments(state: SemiautomagicState) -> None:
    """Let what is told from here on happen now, and not at the second of an action of an earlier turn."""
    state.nearest_act = 0
    state.moments.clear()
    state.nearest.clear()
