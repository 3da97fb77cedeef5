"""Results of actions: durations in turns of six seconds, delayed effects, which count their originator's own seconds, and outcomes."""

from collections.abc import Iterator

from eventstore import events
from eventstore.events import AttackRolled, CombatantLeft, ConditionGained, DamageDealt, EffectEnded, EffectStarted
from projections.because import Because, asked_so_far
from projections.mechanics.timers import Passed
from projections.mechanics.work import DONE, LOST, WITHDRAWN
from projections.occurrence import Occurrence
from projections.ruleset.durations import DurationRules, boundaries_in_turns, timer_of_origin
from projections.ruleset.ruleset import derives
from projections.rulesets.semiautomagic.seconds import complete_acts, end_effect, pass_seconds, resume_turn
from projections.rulesets.semiautomagic.state import SECONDS, Delayed, Instant, SecondsState, TimedAct, TimedTurn
from projections.time import Boundary, Point


@derives("effect.runs-out")
def counted_turns(state: SecondsState, boundary: Boundary) -> Iterator[Passed]:
    """Yield the turns that a boundary counts; a passed place counts as a turn, so a turn taken after that does not."""
    passed = state.turns.progress.passed
    if boundary.kind == "place passed":
        yield Passed(boundary.who)
    elif boundary.kind != "turn began" or boundary.who not in passed:
        yield from boundaries_in_turns(state, boundary)


DURATIONS = DurationRules(rules=counted_turns.rules, timer=timer_of_origin, passes=counted_turns)


Outcome = DamageDealt | events.Healed | EffectStarted | ConditionGained
OUTCOMES = (DamageDealt, events.Healed, EffectStarted, ConditionGained)

# ---------------------------------------------------------------- the moment of an effect


@derives(
    "delayed-effect.occurs-after-own-seconds", "delayed-effect.no-effort", "delayed-effect.runs-on-into-later-turns"
)
def end_of_delay(since: int, delay: int) -> int:
    """Return the combatant's second in which a delay ends; its seconds count even if nothing is done in them."""
    return since + delay


@derives("delay.lost-if-not-taken")
def start_of_delay(state: SecondsState, effect: Delayed) -> int:
    """Return the combatant's second from which a delay counts: the end of its action."""
    act = effect.act
    if act.late and state.option("put-off-turn-seconds") == "at-its-place":
        return max(act.last, SECONDS * act.turn)
    return act.last


@derives("delayed-effect.during-running-action")
def postponed_second(state: SecondsState, who: str, second: int) -> int:
    """Return the combatant's second in which an effect due in this one occurs: by option, a running action postpones it."""
    running = [act.end for act in _acts_running_in(state, who, second)]
    return max([second, *running]) if running and state.option("effect-during-action") == "after-the-action" else second


def _acts_running_in(state: SecondsState, who: str, second: int) -> list[TimedAct]:
    return [act for turn in state.round.turns if turn.combatant == who for act in turn.running(second)]


def due_second(state: SecondsState, effect: Delayed) -> int:
    """Return the combatant's second in which a delayed effect occurs."""
    return postponed_second(state, effect.who, end_of_delay(start_of_delay(state, effect), effect.length))


def due_instant(state: SecondsState, effect: Delayed) -> Instant:
    """Return the turn and second on its originator's clock in which an effect occurs."""
    return Instant.of(due_second(state, effect))


def why_effect(state: SecondsState, effect: Delayed) -> Because:
    """Return the reason for the moment of a delayed effect."""
    later = due_instant(state, effect).turn != Instant.of(max(1, effect.act.last)).turn
    rules = end_of_delay.rules[::-1] if later else end_of_delay.rules  # the most specific first
    running = [act.seq for act in _acts_running_in(state, effect.who, end_of_delay(effect.act.last, effect.length))]
    postponed = running and state.option("effect-during-action") == "after-the-action"
    of = (effect.act.held, effect.status, Because((), tuple(running) if postponed else ()))
    return Because((*rules, *postponed_second.rules), (), of, asked_so_far() | effect.asked)


def why_status(state: SecondsState, effect: Delayed) -> Because:
    """Return the reason for the status of a delayed effect."""
    return Because(why_effect(state, effect).rules, (), (effect.act.held, effect.status), asked_so_far() | effect.asked)


# ---------------------------------------------------------------- the cause of an outcome


def act_behind(state: SecondsState, fact: Occurrence[Outcome]) -> TimedAct | None:
    """Return the action that caused an outcome, if its cause is known."""
    return state.acts.get(state.came_from.get(fact.cause, fact.cause))


def effect_recorded(state: SecondsState, fact: Occurrence[Outcome]) -> Delayed | None:
    """Return the delayed effect that is recorded as occurring: by its action, else by its name and originator."""
    event = fact.event
    if not isinstance(event, EffectStarted):
        return state.delayed_by.get(event.cause)
    if event.cause:
        act = act_behind(state, fact)
        return state.delayed_by.get(act.seq) if act else None
    if found := next(effects_named(state, event.effect, event.source), None):
        return found
    acts = state.done_as.get((event.source or "", event.effect.casefold()), [])
    last = state.delayed_by.get(acts[-1].seq) if acts else None  # called off or lost in an earlier round
    return last if last and last.status.value in (WITHDRAWN, LOST) else None


def effects_named(state: SecondsState, name: str, source: str | None) -> Iterator[Delayed]:
    """Yield the delayed effects of this name and originator (None: any): pending ones, then those that ended."""
    for each in (*state.delayed.values(), *reversed(state.round.effects)):
        if each.name.casefold() == name.casefold() and source in (None, each.who):
            yield each


# ---------------------------------------------------------------- the consequences of an outcome


@derives("action.runs-on-into-next-round", on=OUTCOMES, phase="effects")
def keep_outcome(state: SecondsState, fact: Occurrence[Outcome]) -> None:
    """Record that a delayed effect occurs, or that an action with an outcome in its last second is done."""
    effect, act = effect_recorded(state, fact), act_behind(state, fact)
    origin = effect.act if effect else act
    if origin:
        origin.outcomes += (fact.seq,)
        state.came_from[fact.seq] = origin.seq
    if effect:
        _complete_effect(state, effect, fact)
    elif act:
        _complete_act(state, act, fact)


def _complete_act(state: SecondsState, act: TimedAct, fact: Occurrence[Outcome]) -> None:
    turn, stated = state.playing(act.who), fact.event.second
    if turn is None or not turn.zero < act.end <= turn.zero + SECONDS:
        return
    if act.turn != turn.number:
        complete_acts(state, turn, SECONDS if stated is None else stated, fact.seq)
    if act.status.value == DONE and act.seq not in state.delayed_by:
        state.placed_at = (fact.seq, turn.at(act.end - turn.zero))


def _complete_effect(state: SecondsState, effect: Delayed, fact: Occurrence[Outcome]) -> None:
    """Record that a delayed effect occurs here; the seconds of the turn up to its due second have then passed."""
    turn, stated = state.playing(effect.who), fact.event.second
    recorded_in = turn or state.latest
    if effect.incidents:
        effect.events += (fact.seq,)
        if turn and effect.status.value != DONE:
            turn.called_off += (effect.status.because,)
        if recorded_in and recorded_in.point.turn == effect.point.turn:
            state.placed_at = (fact.seq, effect.point)
        return
    due_at, event = due_instant(state, effect), fact.event
    before: tuple[int, ...] = ()
    if isinstance(event, EffectStarted) and not event.cause:  # without this effect it would record the one before
        ended = state.round.ended_of.get((event.effect.casefold(), event.source))
        before = (ended.incidents[0].seq,) if ended and ended.incidents and ended.seq < effect.seq else ()
    right = is_recorded_when_due(state, effect, turn, stated)
    effect.elsewhere = not right
    if turn is None:
        second = due_at.second if stated is None else stated
        effect.point = Point(state.clock.round, turn=state.clock.point.turn, second=second)
    elif right:
        effect.point = turn.at(due_at.second if turn.number == due_at.turn else 0)
    else:
        effect.point = turn.at(turn.spent if stated is None else stated)
    if turn and turn.number == due_at.turn:
        resume_turn(state, turn, fact.seq)
    if recorded_in and recorded_in.combatant == effect.who and recorded_in.number == due_at.turn:
        if stated in (None, due_at.second) and not recorded_in.is_held:
            complete_acts(state, recorded_in, due_at.second, fact.seq)
            pass_seconds(recorded_in, due_at.second, Because((), (*before, fact.seq), (why_effect(state, effect),)))
        state.placed_at = (fact.seq, effect.point)
    end_effect(state, effect, DONE, fact.seq, Because((), before))


def is_recorded_when_due(state: SecondsState, effect: Delayed, turn: TimedTurn | None, stated: int | None) -> bool:
    """Return whether an effect is recorded in the second in which it is due, before anything that begins later."""
    due_at, at_its_place = due_instant(state, effect), state.option("put-off-turn-seconds") == "at-its-place"
    if turn and turn.number > due_at.turn:
        own = [each for each in state.round.turns if each.combatant == effect.who and each.number == due_at.turn]
        lost = any(each.status == LOST for each in own)
        return lost and stated in (None, 0, due_at.second) and not at_its_place and not begun_seconds(turn)
    if stated not in (None, due_at.second):
        return False
    if turn is None:
        number = state.clock_of(effect.who).number
        return number <= due_at.turn <= number + 1
    passed = turn.put_off and at_its_place
    return turn.number == due_at.turn and not passed and all(second <= due_at.second for second in begun_seconds(turn))


def begun_seconds(turn: TimedTurn) -> list[int]:
    """Return the seconds of a turn in which timed actions began; one that runs on into it began before the first."""
    return [act.start - turn.zero for act in (*turn.earlier, *turn.timed)]


@derives("action.consecutive-seconds", on=(AttackRolled, events.SaveRolled, events.DiceRolled), phase="effects")
def keep_act_of_roll(state: SecondsState, fact: Occurrence[events.Fact]) -> None:
    """Remember the action behind a roll, so that outcomes of the roll are attributed to it."""
    state.came_from[fact.seq] = state.came_from.get(fact.cause, fact.cause)


@derives("delayed-effect.occurs-after-own-seconds", on=EffectEnded, phase="effects")
def call_off_effect(state: SecondsState, fact: Occurrence[EffectEnded]) -> None:
    """Call off a delayed effect before it occurs."""
    if effect := effect_called_off(state, fact.event):
        end_effect(state, effect, WITHDRAWN, fact.seq, Because(call_off_effect.rules))


def effect_called_off(state: SecondsState, event: events.Fact) -> Delayed | None:
    """Return the delayed effect still to occur that a fact ends, if it ends one."""
    named = effects_named(state, event.effect, event.source) if isinstance(event, EffectEnded) else iter(())
    return next((each for each in named if not each.incidents), None)


FELLING = (DamageDealt, CombatantLeft, events.RulingMade, events.SheetChanged)


@derives("delayed-effect.on-own-turn", on=FELLING, phase="consequences")
def lose_effects(state: SecondsState, fact: Occurrence[events.Fact]) -> None:
    """Lose the delayed effects of a combatant who is out, by option."""
    for effect in [each for each in state.delayed.values() if state.is_out(each.who)]:
        is_lost = state.option("absent-originator") == "effect-lost"
        effect.asked = effect.asked | asked_so_far()
        if is_lost:
            end_effect(state, effect, LOST, fact.seq, Because(lose_effects.rules))


def point_of_fact(state: SecondsState, fact: Occurrence[events.Fact]) -> Point | None:
    """Return the second in which an action begins, an outcome occurs, or a turn begins; None for anything else."""
    seq, point = state.placed_at
    return Point(state.clock.round, turn=point.turn, second=point.second) if seq == fact.seq else None
