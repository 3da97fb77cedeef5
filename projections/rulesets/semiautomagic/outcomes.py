"""What comes of actions and delayed effects: when it is recorded, whether it could come then, and what it brings to an end."""

from eventstore.events import AttackRolled, ConditionGained, DamageDealt, DiceRolled, EffectStarted, Healed, SaveRolled
from projections.occurrence import Occurrence
from projections.rulesets.ruleset import Breach, derives
from projections.rulesets.semiautomagic.delays import due_instant, flights_named
from projections.rulesets.semiautomagic.order import places
from projections.rulesets.semiautomagic.rounds import before, due, is_due, is_first, out
from projections.rulesets.semiautomagic.seconds import clock_shows, confirm, goes_on, playing, waits
from projections.rulesets.semiautomagic.state import (
    SECONDS,
    Act,
    Flight,
    Instant,
    SemiautomagicState,
    Turn,
    instant,
    own_second,
)
from projections.state import action_word
from projections.time import Point

Outcome = DamageDealt | Healed | EffectStarted | ConditionGained
Fault = tuple[str, Breach]
"""The rule that an outcome breaks, and how."""

RUNS_ON = "action.runs-on-into-next-round"
GIVEN_UP = "action.consecutive-seconds"
AFTER_OWN_SECONDS = "delayed-effect.occurs-after-own-seconds"
ON_OWN_TURN = "delayed-effect.on-own-turn"
IN_LATER_TURN = "delayed-effect.runs-on-into-later-turns"

# ---------------------------------------------------------------- what it comes of


def act_of(state: SemiautomagicState, fact: Occurrence[Outcome]) -> Act | None:
    """Return the action that an outcome comes out of: what it names, else what was last done in this turn."""
    event = fact.event
    seq = event.cause or (0 if isinstance(event, EffectStarted) else state.nearest_act)
    act = state.acts.get(state.came_from.get(seq, seq))
    if act and not event.cause and event.source not in (None, act.combatant):
        return None
    return act


def flight_of(state: SemiautomagicState, fact: Occurrence[Outcome]) -> Flight | None:
    """Return the delayed effect that is recorded as occurring: by its action, else by its name and originator."""
    event = fact.event
    if not isinstance(event, EffectStarted):
        direct = event.cause if event.cause in state.acts else 0
        return state.flight_of.get(direct or 0)
    act = act_of(state, fact)
    if act or event.cause:
        return state.flight_of.get(act.seq) if act else None
    found = list(flights_named(state, event.effect, event.source))
    return next((each for each in found if each.status != "done"), found[0] if found else None)


# ---------------------------------------------------------------- whether it could come then


def fault(state: SemiautomagicState, fact: Occurrence[Outcome]) -> Fault | None:
    """Return what is wrong with the moment of an outcome; what only follows from a reported one is not reported again."""
    flight, act = flight_of(state, fact), act_of(state, fact)
    origin = flight.act if flight else act
    if origin is None:
        return _of_nothing(state, fact)
    known = state.flight_of.get(origin.seq)
    if origin.reported or (known and known.reported):
        return None
    return _of_effect(state, flight, fact) if flight else _of_action(state, origin, fact)


def _of_nothing(state: SemiautomagicState, fact: Occurrence[Outcome]) -> Fault | None:
    event = fact.event
    if not isinstance(event, EffectStarted) or event.cause or event.source not in state.combatants:
        return None
    if any(act.combatant == event.source and _is_named(act, event.effect) for act in state.acts.values()):
        return None
    says = f"no action of {event.source} set {event.effect} off"
    return AFTER_OWN_SECONDS, Breach(says, "an action that sets it off", "none")


def _is_named(act: Act, name: str) -> bool:
    return action_word(act.action).casefold() == name.casefold()


def _of_action(state: SemiautomagicState, act: Act, fact: Occurrence[Outcome]) -> Fault | None:
    if act.turn == 0:
        return None
    if act.status in ("withdrawn", "lost"):
        return _of_what_ended(act)
    end = instant(act.last)
    turn, stated = playing(state, act.combatant), fact.event.second
    in_time = turn is not None and turn.number == end.turn
    if act.status == "begun" and not in_time:
        missing = act.last - own_second(state.numbers[act.combatant], SECONDS)
        says = f"{action_word(act.action)} of {act.combatant} still needs {max(1, missing)} s"
        return RUNS_ON, Breach(says, f"second {end.second} of turn {end.turn}", "before", (act.seq,))
    if not in_time or stated is None or stated >= end.second or _is_moment_of(act, fact):
        return None
    says = f"{action_word(act.action)} of {act.combatant} is done with second {end.second}"
    return RUNS_ON, Breach(says, f"second {end.second}", f"second {stated}", (act.seq,))


def _is_moment_of(act: Act, fact: Occurrence[Outcome]) -> bool:
    """Say whether an outcome merely repeats the first second of the action that it was recorded with."""
    return fact.event.second == instant(max(1, act.first)).second and fact.seq - act.seq <= 2


def _of_what_ended(act: Act) -> Fault:
    how = "given up" if act.status == "withdrawn" else "lost"
    says = f"{action_word(act.action)} of {act.combatant} was {how}"
    return GIVEN_UP, Breach(says, "nothing", "an outcome", (act.seq, act.ended))


def _of_effect(state: SemiautomagicState, flight: Flight, fact: Occurrence[Outcome]) -> Fault | None:
    if flight.act.status in ("withdrawn", "lost"):
        return _of_what_ended(flight.act)
    if flight.status in ("withdrawn", "lost"):
        return _of_what_is_over(flight)
    if flight.act.turn == 0 and flight.delay == 0:
        return None  # at once, and with an action outside its turn: that was reported, or is allowed
    due_at, turn = due_instant(state, flight), playing(state, flight.act.combatant)
    if turn is None:
        return _between_turns(state, flight, due_at, fact.event.second)
    if not _goes_on(state, turn, due_at):
        return _not_its_turn(state, flight)
    return (
        None if _at_its_second(state, turn, due_at, fact) else _elsewhere(flight, due_at, turn.number, _now(fact, turn))
    )


def _now(fact: Occurrence[Outcome], turn: Turn) -> str:
    return f"second {turn.spent if fact.event.second is None else fact.event.second} of turn {turn.number}"


def _of_what_is_over(flight: Flight) -> Fault:
    who, called_off = flight.act.combatant, flight.status == "withdrawn"
    rule = AFTER_OWN_SECONDS if called_off else ON_OWN_TURN
    how = "called off" if called_off else f"lost as {who} was out"
    return rule, Breach(f"{flight.name} of {who} was {how}", "nothing", "an effect", flight.events)


def _goes_on(state: SemiautomagicState, turn: Turn, due_at: Instant) -> bool:
    """Say whether a turn is played, or can go on with an effect after it was broken into."""
    above = state.stack[state.stack.index(turn) + 1 :]
    spent = all(each.spent >= SECONDS or each.seq == turn.seq for each in above)
    return spent or (turn.number == due_at.turn and due_at.second > turn.cut)


def _at_its_second(state: SemiautomagicState, turn: Turn, due_at: Instant, fact: Occurrence[Outcome]) -> bool:
    """Say whether an effect is recorded where it is due, before anything that begins after that."""
    stated, begun = fact.event.second, _begun_in(turn)
    if turn.number == due_at.turn:
        passed = turn.put_off and state.option("put-off-turn-seconds") == "at-its-place"
        return not passed and stated in (None, due_at.second) and all(second <= due_at.second for second in begun)
    lost = (each for each in state.turns if each.combatant == turn.combatant and each.status == "lost")
    return (
        any(each.number == due_at.turn for each in lost)
        and state.option("put-off-turn-seconds") != "at-its-place"
        and not begun
        and stated in (None, 0, due_at.second)
    )


def _begun_in(turn: Turn) -> list[int]:
    """Return the seconds of a turn in which something timed was begun."""
    return [
        instant(act.first).second for act in (*turn.earlier, *turn.acts) if act.turn == turn.number and act.seconds > 0
    ]


def _between_turns(state: SemiautomagicState, flight: Flight, due_at: Instant, stated: int | None) -> Fault | None:
    """Judge an effect recorded outside its originator's turns: as a turn of it ends, or as its place is passed."""
    who, last = flight.act.combatant, state.latest
    right = stated in (None, due_at.second)
    if last and last.combatant == who and not state.stack and last.number == due_at.turn and _is_over(state, last):
        return None if right else _elsewhere(flight, due_at, last.number, f"second {stated}")
    if not out(state, who) or not passes_next(state, who):
        return _not_its_turn(state, flight)
    number = state.numbers.get(who, 0) + 1
    lost = state.hand.get(who)
    if right and (due_at.turn == number or (lost and lost.number == due_at.turn)):
        return None
    return _elsewhere(flight, due_at, number, f"turn {number}, as its place is passed")


def _is_over(state: SemiautomagicState, turn: Turn) -> bool:
    """Say whether the seconds of a turn have passed: it was played, or put off where they pass at its place."""
    return turn.status == "done" or (turn.status == "held" and state.option("put-off-turn-seconds") == "at-its-place")


@derives("delayed-effect.on-own-turn")
def passes_next(state: SemiautomagicState, who: str) -> bool:
    """Say whether the place of somebody who is out is the next to be passed: nobody due stands before it."""
    if who not in state.standings or not state.round_number:
        return False
    waiting = due(state)
    if is_due(state, who):
        return not any(other in waiting for other in before(places(state), who))
    return not waiting and is_first(state, who)


def _not_its_turn(state: SemiautomagicState, flight: Flight) -> Fault:
    who, now = flight.act.combatant, state.clock.turn
    whose = f"the turn of {now}" if now else "between two turns"
    says = f"it is {whose}: the seconds of {who} do not run"
    return ON_OWN_TURN, Breach(says, f"a turn of {who}", now or "between two turns", (flight.act.seq,))


def _elsewhere(flight: Flight, due_at: Instant, number: int, found: str) -> Fault:
    end = instant(flight.act.last)
    rule = RUNS_ON if number < end.turn else AFTER_OWN_SECONDS if number == end.turn else IN_LATER_TURN
    expected = f"second {due_at.second} of turn {due_at.turn}"
    says = f"{flight.name} of {flight.act.combatant}, {flight.delay} s after its action, is due in {expected}"
    return rule, Breach(says, expected, found, (flight.act.seq,))


# ---------------------------------------------------------------- what it brings to an end


@derives("action.runs-on-into-next-round", on=(DamageDealt, Healed, EffectStarted, ConditionGained))
def comes_of_it(state: SemiautomagicState, fact: Occurrence[Outcome]) -> None:
    """Let a delayed effect occur, and an action be done that brings something in its last second."""
    wrong = fault(state, fact)
    flight, act = flight_of(state, fact), act_of(state, fact)
    origin = flight.act if flight else act
    if isinstance(fact.event, EffectStarted):
        state.nearest_act = fact.seq
        state.came_from[fact.seq] = origin.seq if origin else 0
    if flight:
        flight.reported = flight.reported or wrong is not None
        _occurs(state, flight, fact)
    elif act:
        act.reported = act.reported or wrong is not None
        act.outcomes += (fact.seq,)
        _is_done(state, act, fact.event.second)


def _is_done(state: SemiautomagicState, act: Act, stated: int | None) -> None:
    turn = playing(state, act.combatant)
    if turn and instant(act.last).turn == turn.number and act.turn != turn.number:
        confirm(state, turn, SECONDS if stated is None else stated)
        clock_shows(state, 0)


def _occurs(state: SemiautomagicState, flight: Flight, fact: Occurrence[Outcome]) -> None:
    """Let a delayed effect occur where it was recorded; once it has, more of it may be recorded."""
    flight.events += (fact.seq,)
    if flight.status != "begun":
        return
    due_at, turn = due_instant(state, flight), playing(state, flight.act.combatant)
    second = due_at.second if fact.event.second is None else fact.event.second
    flight.status = "done"
    flight.point = Point(state.round_number, turn=state.clock.point.turn, second=second)
    if turn and turn.number == due_at.turn:
        flight.point = Point(turn.point.round, turn=turn.point.turn, second=second)
        goes_on(state, turn)
        confirm(state, turn, due_at.second)
        waits(turn, due_at.second)
    state.placed_at = (fact.seq, flight.point)
    clock_shows(state, 0)


@derives("action.consecutive-seconds", on=(AttackRolled, SaveRolled, DiceRolled))
def rolled_for_it(
    state: SemiautomagicState, fact: Occurrence[AttackRolled] | Occurrence[SaveRolled] | Occurrence[DiceRolled]
) -> None:
    """Remember what a roll was made for, so that what comes of the roll is found to come of the action."""
    if fact.event.cause:
        state.came_from[fact.seq] = state.came_from.get(fact.event.cause, fact.event.cause)
        state.nearest_act = fact.seq
