"""Results of actions: durations in turns of six seconds, delayed effects, which count their originator's own seconds, and outcomes."""

from collections.abc import Iterator
from itertools import chain

from eventstore import events
from eventstore.events import AttackRolled, CombatantLeft, ConditionGained, DamageDealt, EffectEnded, EffectStarted
from projections.because import Because, asked_so_far
from projections.mechanics.timers import Passed
from projections.mechanics.work import DONE, LOST, WITHDRAWN
from projections.occurrence import Occurrence
from projections.ruleset.durations import DurationRules, by_turns, timer_of_origin
from projections.ruleset.ruleset import derives
from projections.rulesets.semiautomagic.seconds import confirm, goes_on, is_over, waits
from projections.rulesets.semiautomagic.state import (
    SECONDS,
    Delayed,
    Instant,
    SemiautomagicState,
    TimedAct,
    TimedTurn,
    instant,
    own_second,
)
from projections.time import Boundary, Point


@derives("effect.runs-out")
def counted_turns(state: SemiautomagicState, boundary: Boundary) -> Iterator[Passed]:
    """Yield the turns that a boundary counts; a passed place counts as a turn, so a turn taken after that does not."""
    passed = state.turns.progress.passed
    if boundary.kind == "place passed":
        yield Passed(boundary.who)
    elif boundary.kind != "turn began" or boundary.who not in passed:
        yield from by_turns(state, boundary)


DURATIONS = DurationRules(rules=counted_turns.rules, timer=timer_of_origin, passes=counted_turns)


Outcome = DamageDealt | events.Healed | EffectStarted | ConditionGained
OUTCOMES = (DamageDealt, events.Healed, EffectStarted, ConditionGained)
Touching = DamageDealt | CombatantLeft | events.RulingMade | events.SheetChanged

# ---------------------------------------------------------------- the moment of an effect


@derives(
    "delayed-effect.occurs-after-own-seconds", "delayed-effect.no-effort", "delayed-effect.runs-on-into-later-turns"
)
def counted(since: int, delay: int) -> int:
    """Return the combatant's second in which a delay ends; its seconds count even if nothing is done in them."""
    return since + delay


@derives("delay.lost-if-not-taken")
def counts_from(state: SemiautomagicState, effect: Delayed) -> int:
    """Return the combatant's second from which a delay counts: the end of its action."""
    act = effect.act
    if act.late and state.option("put-off-turn-seconds") == "at-its-place":
        return max(act.last, own_second(act.turn, SECONDS))
    return act.last


@derives("delayed-effect.during-running-action")
def held_back(state: SemiautomagicState, who: str, second: int) -> int:
    """Return the combatant's second in which an effect due in this one occurs: by option, a running action postpones it."""
    running = [act.end for act in _running_in(state, who, second)]
    return max([second, *running]) if running and state.option("effect-during-action") == "after-the-action" else second


def _running_in(state: SemiautomagicState, who: str, second: int) -> list[TimedAct]:
    return [act for turn in state.round.turns if turn.combatant == who for act in turn.running(second)]


def due_second(state: SemiautomagicState, effect: Delayed) -> int:
    """Return the combatant's second in which a delayed effect occurs."""
    return held_back(state, effect.who, counted(counts_from(state, effect), effect.length))


def due_instant(state: SemiautomagicState, effect: Delayed) -> Instant:
    """Return the turn and second on its originator's clock in which an effect occurs."""
    return instant(due_second(state, effect))


def because_effect(state: SemiautomagicState, effect: Delayed) -> Because:
    """Return the reason for the moment of a delayed effect."""
    later = due_instant(state, effect).turn != instant(max(1, effect.act.last)).turn
    rules = counted.rules[::-1] if later else counted.rules  # the most specific first
    running = [act.seq for act in _running_in(state, effect.who, counted(effect.act.last, effect.length))]
    if running and state.option("effect-during-action") != "after-the-action":
        running = []
    of = (effect.act.held, effect.status, Because((), tuple(running)))
    return Because((*rules, *held_back.rules), (), of, asked_so_far() | effect.asked)


def because_status(state: SemiautomagicState, effect: Delayed) -> Because:
    """Return the reason for the status of a delayed effect."""
    return Because(
        because_effect(state, effect).rules, (), (effect.act.held, effect.status), asked_so_far() | effect.asked
    )


# ---------------------------------------------------------------- the cause of an outcome


def act_of(state: SemiautomagicState, fact: Occurrence[Outcome]) -> TimedAct | None:
    """Return the action that caused an outcome, if its cause is known."""
    return state.acts.get(state.came_from.get(fact.cause, fact.cause))


def effect_of(state: SemiautomagicState, fact: Occurrence[Outcome]) -> Delayed | None:
    """Return the delayed effect that is recorded as occurring: by its action, else by its name and originator."""
    event = fact.event
    if not isinstance(event, EffectStarted):
        return state.delayed_by.get(event.cause)
    if event.cause:
        act = act_of(state, fact)
        return state.delayed_by.get(act.seq) if act else None
    return next(chain(named(state, event.effect, event.source), _ended_before(state, event)), None)


def _ended_before(state: SemiautomagicState, event: EffectStarted) -> list[Delayed]:
    """Return the delayed effect of this name that was last called off or lost, in an earlier round."""
    acts = state.done_as.get((event.source or "", event.effect.casefold()), [])
    last = state.delayed_by.get(acts[-1].seq) if acts else None
    return [last] if last and last.status.value in (WITHDRAWN, LOST) else []


def named(state: SemiautomagicState, name: str, source: str | None) -> Iterator[Delayed]:
    """Yield the delayed effects of this name and originator (None: any): pending ones, then those that ended."""
    for each in (*state.delayed.values(), *reversed(state.round.effects)):
        if each.name.casefold() == name.casefold() and source in (None, each.who):
            yield each


# ---------------------------------------------------------------- the consequences of an outcome


@derives("action.runs-on-into-next-round", on=OUTCOMES, phase="effects")
def comes_of_it(state: SemiautomagicState, fact: Occurrence[Outcome]) -> None:
    """Record that a delayed effect occurs, or that an action with an outcome in its last second is done."""
    effect, act = effect_of(state, fact), act_of(state, fact)
    origin = effect.act if effect else act
    if origin:
        origin.outcomes += (fact.seq,)
        state.came_from[fact.seq] = origin.seq
    if effect:
        _occurs(state, effect, fact)
    elif act:
        _is_done(state, act, fact)


def _is_done(state: SemiautomagicState, act: TimedAct, fact: Occurrence[Outcome]) -> None:
    turn, stated = state.playing(act.who), fact.event.second
    if turn is None or not turn.zero < act.end <= own_second(turn.number, SECONDS):
        return
    if act.turn != turn.number:
        confirm(state, turn, SECONDS if stated is None else stated, fact.seq)
    if act.status.value == DONE and act.seq not in state.delayed_by:
        state.placed_at = (fact.seq, turn.at(act.end - turn.zero))


def _occurs(state: SemiautomagicState, effect: Delayed, fact: Occurrence[Outcome]) -> None:
    """Record that a delayed effect occurs here; after that, further outcomes of it may be recorded.

    If it is its due second, the seconds of the turn up to that have passed; anywhere else it uses none.
    """
    turn, stated = state.playing(effect.who), fact.event.second
    recorded_in = turn or state.latest
    if effect.incidents:
        effect.events += (fact.seq,)
        if turn and effect.status.value != DONE:
            turn.called_off += (effect.status.because,)
        if recorded_in and recorded_in.point.turn == effect.point.turn:
            state.placed_at = (fact.seq, effect.point)
        return
    alike = _alike(state, effect, fact)
    before = (alike.incidents[0].seq,) if alike else ()
    due_at = due_instant(state, effect)
    right = is_recorded_when_due(state, effect, turn, stated)
    effect.point, effect.elsewhere = _recorded_at(state, due_at, turn, stated, right), not right
    if turn and turn.number == due_at.turn:
        goes_on(state, turn, fact.seq)
    if recorded_in and recorded_in.combatant == effect.who and recorded_in.number == due_at.turn:
        if stated in (None, due_at.second) and not recorded_in.is_held:
            confirm(state, recorded_in, due_at.second, fact.seq)
            waits(recorded_in, due_at.second, Because((), (*before, fact.seq), (because_effect(state, effect),)))
        state.placed_at = (fact.seq, effect.point)
    is_over(state, effect, DONE, fact.seq, Because((), before))


def _alike(state: SemiautomagicState, effect: Delayed, fact: Occurrence[Outcome]) -> Delayed | None:
    """Return the last effect that ended before, which this fact would else have recorded, as it gives only a name; None without one."""
    event = fact.event
    if not isinstance(event, EffectStarted) or event.cause:
        return None
    ended = state.round.ended_of.get((event.effect.casefold(), event.source))
    return ended if ended and ended.incidents and ended.seq < effect.seq else None


def is_recorded_when_due(
    state: SemiautomagicState, effect: Delayed, turn: TimedTurn | None, stated: int | None
) -> bool:
    """Return whether an effect is recorded in the second in which it is due, before anything that begins later."""
    due_at, at_its_place = due_instant(state, effect), state.option("put-off-turn-seconds") == "at-its-place"
    if turn and turn.number > due_at.turn:
        lost = any(each.number == due_at.turn for each in state.round.turns if _is_lost(each, effect.who))
        return lost and stated in (None, 0, due_at.second) and not at_its_place and not begun_in(turn)
    if stated not in (None, due_at.second):
        return False
    if turn is None:
        number = state.clock_of(effect.who).number
        return number <= due_at.turn <= number + 1
    passed = turn.put_off and at_its_place
    return turn.number == due_at.turn and not passed and all(second <= due_at.second for second in begun_in(turn))


def _is_lost(turn: TimedTurn, who: str) -> bool:
    return turn.combatant == who and turn.status == LOST


def begun_in(turn: TimedTurn) -> list[int]:
    """Return the seconds of a turn in which timed actions began; one that runs on into it began before the first."""
    return [act.start - turn.zero for act in (*turn.earlier, *turn.timed)]


def _recorded_at(
    state: SemiautomagicState, due_at: Instant, turn: TimedTurn | None, stated: int | None, right: bool
) -> Point:
    """Return the point of an effect: in its turn, between two turns or, if its turn was lost, before second 1."""
    if turn is None:
        return Point(state.clock.round, turn=state.clock.point.turn, second=due_at.second if stated is None else stated)
    if right:
        return turn.at(due_at.second if turn.number == due_at.turn else 0)
    return turn.at(turn.spent if stated is None else stated)


@derives("action.consecutive-seconds", on=(AttackRolled, events.SaveRolled, events.DiceRolled), phase="effects")
def rolled_for_it(
    state: SemiautomagicState,
    fact: Occurrence[AttackRolled] | Occurrence[events.SaveRolled] | Occurrence[events.DiceRolled],
) -> None:
    """Remember the action behind a roll, so that outcomes of the roll are attributed to it."""
    state.came_from[fact.seq] = state.came_from.get(fact.cause, fact.cause)


@derives("delayed-effect.occurs-after-own-seconds", on=EffectEnded, phase="effects")
def called_off(state: SemiautomagicState, fact: Occurrence[EffectEnded]) -> None:
    """Call off a delayed effect before it occurs."""
    effect = pending(state, fact.event)
    if effect:
        is_over(state, effect, WITHDRAWN, fact.seq, Because(called_off.rules))


def pending(state: SemiautomagicState, event: EffectEnded) -> Delayed | None:
    """Return the delayed effect still to occur that this fact ends."""
    found = named(state, event.effect, event.source)
    return next((each for each in found if not each.incidents), None)


def is_pending(state: SemiautomagicState, event: events.Fact) -> bool:
    """Return whether a fact calls off a delayed effect that is still to occur."""
    return isinstance(event, EffectEnded) and pending(state, event) is not None


@derives(
    "delayed-effect.on-own-turn",
    on=(DamageDealt, CombatantLeft, events.RulingMade, events.SheetChanged),
    phase="consequences",
)
def lost_with_its_originator(state: SemiautomagicState, fact: Occurrence[Touching]) -> None:
    """Lose the delayed effects of a combatant who is out, by option."""
    for effect in list(state.delayed.values()):
        if state.is_out(effect.who):
            is_lost = state.option("absent-originator") == "effect-lost"
            effect.asked = effect.asked | asked_so_far()
            if is_lost:
                is_over(state, effect, LOST, fact.seq, Because(lost_with_its_originator.rules))


def moment(state: SemiautomagicState, fact: Occurrence[events.Fact]) -> Point | None:
    """Return the second in which an action begins, an outcome occurs, or a turn begins; None for anything else."""
    seq, point = state.placed_at
    return Point(state.clock.round, turn=point.turn, second=point.second) if seq == fact.seq else None
