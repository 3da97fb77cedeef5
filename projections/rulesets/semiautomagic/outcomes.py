"""Whether what comes of an action or of a delay could come when it is recorded, and by which rule not."""

from msgspec import Struct

from eventstore.events import EffectStarted
from projections.mechanics import turnlist
from projections.mechanics.work import BEGUN, DONE, LOST, WITHDRAWN
from projections.occurrence import Occurrence
from projections.rulesets.ruleset import Breach, derives
from projections.rulesets.semiautomagic.effects import (
    Outcome,
    act_of,
    due_instant,
    due_second,
    effect_of,
    told_when_due,
)
from projections.rulesets.semiautomagic.order import listed
from projections.rulesets.semiautomagic.state import (
    SECONDS,
    Delayed,
    Instant,
    SemiautomagicState,
    TimedAct,
    TimedTurn,
    instant,
)
from projections.rulesets.semiautomagic.turns import outs
from projections.rulesets.semiautomagic.vitals import is_out

RUNS_ON = "action.runs-on-into-next-round"
GIVEN_UP = "action.consecutive-seconds"
AFTER_OWN_SECONDS = "delayed-effect.occurs-after-own-seconds"
ON_OWN_TURN = "delayed-effect.on-own-turn"
IN_LATER_TURN = "delayed-effect.runs-on-into-later-turns"


class Fault(Struct, frozen=True, gc=False):
    """The rule that an outcome breaks, and how."""

    rule: str
    says: str
    expected: str
    found: str
    because: tuple[int, ...] = ()

    def breach(self, origin: int) -> Breach:
        """Return the breach, which is reported once for all that comes of the same action."""
        return Breach(self.says, self.expected, self.found, self.because, once=(origin,))


def fault(state: SemiautomagicState, fact: Occurrence[Outcome]) -> tuple[Fault, int] | None:
    """Return what is wrong with the moment of an outcome, and of which action it is."""
    effect, act = effect_of(state, fact), act_of(state, fact)
    origin = effect.act if effect else act
    if origin is None:
        nothing = _of_nothing(state, fact)
        return (nothing, fact.seq) if nothing else None
    found = _of_effect(state, effect, fact.event.second) if effect else _of_action(state, origin, fact.event.second)
    return (found, origin.seq) if found else None


def _of_nothing(state: SemiautomagicState, fact: Occurrence[Outcome]) -> Fault | None:
    event = fact.event
    if not isinstance(event, EffectStarted) or event.cause or event.source not in state.combatants:
        return None
    if (event.source, event.effect.casefold()) in state.done_as:
        return None
    return Fault(
        AFTER_OWN_SECONDS, f"no action of {event.source} set {event.effect} off", "an action that does", "none"
    )


# ---------------------------------------------------------------- of an action


def _of_action(state: SemiautomagicState, act: TimedAct, stated: int | None) -> Fault | None:
    if act.turn == 0 or _was_told_to_occur_elsewhere(state, state.delayed_by.get(act.seq)):
        return None
    if act.status.value in (WITHDRAWN, LOST):
        return _of_what_ended(act)
    end, turn = instant(act.last), state.playing(act.who)
    in_time = turn is not None and turn.number == end.turn
    if act.status.value == BEGUN and not in_time:
        missing = act.last - SECONDS * state.clock_of(act.who).number
        says = f"{act.name} of {act.who} still needs {max(1, missing)} s"
        return Fault(RUNS_ON, says, f"second {end.second} of turn {end.turn}", "before", (act.seq,))
    repeats = stated == instant(max(1, act.start)).second
    if not in_time or stated is None or stated >= end.second or repeats:
        return None
    says = f"{act.name} of {act.who} is done with second {end.second}"
    return Fault(RUNS_ON, says, f"second {end.second}", f"second {stated}", (act.seq,))


def _of_what_ended(act: TimedAct) -> Fault:
    how = "given up" if act.status.value == WITHDRAWN else "lost"
    says = f"{act.name} of {act.who} was {how}"
    return Fault(GIVEN_UP, says, "nothing", "an outcome", (act.seq, act.incidents[0].seq))


# ---------------------------------------------------------------- of a delay


def _was_told_to_occur_elsewhere(state: SemiautomagicState, effect: Delayed | None) -> bool:
    """Say whether an effect was told where it was not due: more of it only follows from that."""
    if effect is None or effect.status.value != DONE:
        return False
    return effect.incidents[0].tick != due_second(state, effect)


def _of_effect(state: SemiautomagicState, effect: Delayed, stated: int | None) -> Fault | None:
    if effect.act.status.value in (WITHDRAWN, LOST):
        return _of_what_ended(effect.act)
    if effect.status.value in (WITHDRAWN, LOST):
        return _of_what_is_over(effect)
    if (effect.act.turn == 0 and effect.length == 0) or _was_told_to_occur_elsewhere(state, effect):
        return None  # at once, with an action outside its turn: that was reported, or is allowed
    due_at, turn = due_instant(state, effect), state.playing(effect.who)
    if turn is None:
        return _between_turns(state, effect, due_at, stated)
    return _in_turn(state, effect, turn, stated) if _goes_on(state, turn, due_at) else _not_its_turn(state, effect)


def _in_turn(state: SemiautomagicState, effect: Delayed, turn: TimedTurn, stated: int | None) -> Fault | None:
    if told_when_due(state, effect, turn, stated):
        return None
    due_at = due_instant(state, effect)
    second = turn.spent if stated is None else stated
    return _elsewhere(effect, due_at, turn.number, f"second {second} of turn {turn.number}")


def _of_what_is_over(effect: Delayed) -> Fault:
    called_off = effect.status.value == WITHDRAWN
    rule = AFTER_OWN_SECONDS if called_off else ON_OWN_TURN
    how = "called off" if called_off else f"lost as {effect.who} was out"
    return Fault(rule, f"{effect.name} of {effect.who} was {how}", "nothing", "an effect", effect.events)


def _goes_on(state: SemiautomagicState, turn: TimedTurn, due_at: Instant) -> bool:
    """Say whether a turn is played, or can go on with an effect after it was broken into."""
    above = state.stack[state.stack.index(turn) + 1 :]
    spent = all(each.spent >= SECONDS or each.seq == turn.seq for each in above)
    return spent or (turn.number == due_at.turn and due_at.second > turn.cut)


def _between_turns(state: SemiautomagicState, effect: Delayed, due_at: Instant, stated: int | None) -> Fault | None:
    """Judge an effect recorded outside its originator's turns: as a turn of it ends, or as its place is passed."""
    who, last = effect.who, state.latest
    right = stated in (None, due_at.second)
    if last and last.combatant == who and not state.stack and last.number == due_at.turn and _is_over(state, last):
        return None if right else _elsewhere(effect, due_at, last.number, f"second {stated}")
    if not is_out(state.combatants.get(who)) or not passes_next(state, who):
        return _not_its_turn(state, effect)
    number, lost = state.clock_of(who).number + 1, state.in_hand(who)
    if right and (due_at.turn == number or (lost and lost.number == due_at.turn)):
        return None
    return _elsewhere(effect, due_at, number, f"turn {number}, as its place is passed")


def _is_over(state: SemiautomagicState, turn: TimedTurn) -> bool:
    """Say whether the seconds of a turn have passed: it was played, or put off where they pass at its place."""
    held = turn.status == "held" and state.option("put-off-turn-seconds") == "at-its-place"
    return held or turn.status == DONE


@derives("delayed-effect.on-own-turn")
def passes_next(state: SemiautomagicState, who: str) -> bool:
    """Say whether the place of somebody who is out is the next to be passed: nobody due stands before it."""
    turns, out = listed(state), outs(state)
    if who not in turns.places or not state.clock.round:
        return False
    first = next(turnlist.due(turns, out), "")
    if not turns.progress.is_settled(who):
        return not first or turns.places[first] > turns.places[who]
    return not first and turns.places[turnlist.first_up(turns, out) or who] >= turns.places[who]


def _not_its_turn(state: SemiautomagicState, effect: Delayed) -> Fault:
    who, now = effect.who, state.clock.turn
    whose = f"the turn of {now}" if now else "between two turns"
    says = f"it is {whose}: the seconds of {who} do not run"
    return Fault(ON_OWN_TURN, says, f"a turn of {who}", now or "between two turns", (effect.seq,))


def _elsewhere(effect: Delayed, due_at: Instant, number: int, found: str) -> Fault:
    end = instant(effect.act.end)
    rule = RUNS_ON if number < end.turn else AFTER_OWN_SECONDS if number == end.turn else IN_LATER_TURN
    expected = f"second {due_at.second} of turn {due_at.turn}"
    says = f"{effect.name} of {effect.who}, {effect.length} s after its action, is due in {expected}"
    return Fault(rule, says, expected, found, (effect.seq,))
