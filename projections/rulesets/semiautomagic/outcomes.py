"""Checks of the moment at which an outcome of an action or a delay is recorded, and the rule that it breaks."""

from collections.abc import Iterator
from itertools import takewhile

from msgspec import structs

from eventstore.events import EffectStarted
from projections.mechanics import turnlist
from projections.mechanics.work import BEGUN, LOST, WITHDRAWN
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import derives
from projections.rulesets.semiautomagic import effects
from projections.rulesets.semiautomagic.reading import can_go_on
from projections.rulesets.semiautomagic.state import (
    SECONDS,
    Delayed,
    Instant,
    SemiautomagicState,
    TimedAct,
    TimedTurn,
    instant,
)
from projections.scheduling.turn_schedule import turn_list

RUNS_ON = "action.runs-on-into-next-round"
GIVEN_UP = "action.consecutive-seconds"
AFTER_OWN_SECONDS = "delayed-effect.occurs-after-own-seconds"
ON_OWN_TURN = "delayed-effect.on-own-turn"
IN_LATER_TURN = "delayed-effect.runs-on-into-later-turns"


@checks_by(RUNS_ON, GIVEN_UP, ON_OWN_TURN, AFTER_OWN_SECONDS, IN_LATER_TURN, on=effects.OUTCOMES)
def outcomes_come_when_they_are_due(state: SemiautomagicState, fact: Occurrence[effects.Outcome]) -> Iterator[Fault]:
    """Yield the faults in an outcome's moment, once for all outcomes of the same action."""
    effect, act, stated = effects.effect_of(state, fact), effects.act_of(state, fact), fact.event.second
    origin = effect.act if effect else act
    if origin is None:
        found, once = _of_nothing(state, fact), fact.seq
    else:
        found, once = _of_effect(state, effect, stated) if effect else _of_action(state, origin, stated), origin.seq
    if found:
        yield structs.replace(found, once=(once,))


def _of_nothing(state: SemiautomagicState, fact: Occurrence[effects.Outcome]) -> Fault | None:
    event = fact.event
    if not isinstance(event, EffectStarted) or event.cause or event.source not in state.combatants:
        return None
    if (event.source, event.effect.casefold()) in state.done_as:
        return None
    says = f"no action of {event.source} set {event.effect} off"
    return Fault((AFTER_OWN_SECONDS,), says, "an action that does", "none")


# ---------------------------------------------------------------- outcomes of an action


def _of_action(state: SemiautomagicState, act: TimedAct, stated: int | None) -> Fault | None:
    effect = state.delayed_by.get(act.seq)
    if act.turn == 0 or (effect and effect.elsewhere):
        return None
    if act.status.value in (WITHDRAWN, LOST):
        return _of_what_ended(act)
    end, turn = instant(act.last), state.playing(act.who)
    in_time = turn is not None and turn.number == end.turn
    if act.status.value == BEGUN and not in_time:
        missing = act.last - SECONDS * state.clock_of(act.who).number
        says = f"{act.name} of {act.who} still needs {max(1, missing)} s"
        return Fault((RUNS_ON,), says, f"second {end.second} of turn {end.turn}", "before", (act.seq,))
    repeats = stated == instant(max(1, act.start)).second
    if not in_time or stated is None or stated >= end.second or repeats:
        return None
    says = f"{act.name} of {act.who} is done with second {end.second}"
    return Fault((RUNS_ON,), says, f"second {end.second}", f"second {stated}", (act.seq,))


def _of_what_ended(act: TimedAct) -> Fault:
    how = "given up" if act.status.value == WITHDRAWN else "lost"
    says = f"{act.name} of {act.who} was {how}"
    return Fault((GIVEN_UP,), says, "nothing", "an outcome", (act.seq, act.incidents[0].seq))


# ---------------------------------------------------------------- outcomes of a delay


def _of_effect(state: SemiautomagicState, effect: Delayed, stated: int | None) -> Fault | None:
    if effect.act.status.value in (WITHDRAWN, LOST):
        return _of_what_ended(effect.act)
    if effect.status.value in (WITHDRAWN, LOST):
        return _of_what_is_over(effect)
    if (effect.act.turn == 0 and effect.length == 0) or effect.elsewhere:
        return None  # immediate, with an action outside its turn, or recorded before: that was reported, or is allowed
    due_at, turn = effects.due_instant(state, effect), state.playing(effect.who)
    if turn is None:
        return _between_turns(state, effect, due_at, stated)
    goes_on = can_go_on(state, turn) or (turn.number == due_at.turn and due_at.second > turn.cut)
    return _in_turn(state, effect, turn, stated) if goes_on else _not_its_turn(state, effect)


def _in_turn(state: SemiautomagicState, effect: Delayed, turn: TimedTurn, stated: int | None) -> Fault | None:
    if effects.is_recorded_when_due(state, effect, turn, stated):
        return None
    due_at = effects.due_instant(state, effect)
    second = turn.spent if stated is None else stated
    taken = ", as it is taken" if turn.taken else ""
    return _elsewhere(effect, due_at, turn.number, f"second {second} of turn {turn.number}{taken}")


def _of_what_is_over(effect: Delayed) -> Fault:
    called_off = effect.status.value == WITHDRAWN
    rule = AFTER_OWN_SECONDS if called_off else ON_OWN_TURN
    how = "called off" if called_off else f"lost as {effect.who} was out"
    return Fault(
        (rule,), f"{effect.name} of {effect.who} was {how}", "nothing", "an effect", (effect.seq, *effect.events)
    )


def _between_turns(state: SemiautomagicState, effect: Delayed, due_at: Instant, stated: int | None) -> Fault | None:
    """Judge an effect recorded outside its originator's turns: as such a turn ends, or as its place is passed."""
    who, last = effect.who, state.latest
    right = stated in (None, due_at.second)
    at_its_place = state.option("put-off-turn-seconds") == "at-its-place"
    if last and last.combatant == who and last.number == due_at.turn and (at_its_place or not last.is_held):
        return None if right else _elsewhere(effect, due_at, last.number, f"second {stated}")
    if not state.is_out(who) or not passes_next(state, who):
        return _not_its_turn(state, effect)
    number, lost = state.clock_of(who).number + 1, state.in_hand(who)
    if right and (due_at.turn == number or (lost and lost.number == due_at.turn)):
        return None
    return _elsewhere(effect, due_at, number, f"turn {number}, as its place is passed")


@derives("delayed-effect.on-own-turn")
def passes_next(state: SemiautomagicState, who: str) -> bool:
    """Return whether the place of a combatant who is out is the next to be passed: nobody due comes before it."""
    turns, out = turn_list(state), state.is_out
    first, settled = next(turnlist.due(turns, out), ""), turns.progress.is_settled(who)
    if settled and first:
        return False
    ahead = turnlist.first_up(turns, out) if settled else first
    return who in takewhile(lambda each: each != ahead, turns.order)


def _not_its_turn(state: SemiautomagicState, effect: Delayed) -> Fault:
    who, now = effect.who, state.clock.turn
    whose = f"the turn of {now}" if now else "between two turns"
    says = f"it is {whose}: the seconds of {who} do not run"
    return Fault((ON_OWN_TURN,), says, f"a turn of {who}", now or "between two turns", (effect.seq,))


def _elsewhere(effect: Delayed, due_at: Instant, number: int, found: str) -> Fault:
    end = instant(effect.act.end)
    rule = RUNS_ON if number < end.turn else AFTER_OWN_SECONDS if number == end.turn else IN_LATER_TURN
    expected = f"second {due_at.second} of turn {due_at.turn}"
    says = f"{effect.name} of {effect.who}, {effect.length} s after its action, is due in {expected}"
    return Fault((rule,), says, expected, found, effect.act.held.because.flat().events)
