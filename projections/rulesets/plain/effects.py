"""Effects and conditions that run out, are renewed, or depend on somebody's concentration."""

from __future__ import annotations

from eventstore.events import (
    CombatantLeft,
    ConditionGained,
    EffectEnded,
    EffectStarted,
    RulingMade,
    TimePassed,
)
from eventstore.shapes import Duration
from projections.address import Address, names
from projections.because import Because, Derived
from projections.folds.effects import bare_effects, borne, end, run_out, set_effects
from projections.mechanics.conditions import Effect, Key, matching
from projections.mechanics.memo import remembered
from projections.mechanics.pools import within
from projections.mechanics.timers import Timer, count, count_all, owners, start, stop
from projections.occurrence import Occurrence
from projections.rulesets.plain.sheet import CALENDAR
from projections.rulesets.plain.state import PlainState
from projections.rulesets.ruleset import derives
from projections.state import Combatant
from projections.time import Boundary


@derives("effect.renewed", on=EffectStarted)
def renews(state: PlainState, fact: Occurrence[EffectStarted]) -> None:
    """End an effect of the same name on the same bearer when a new one begins."""
    if state.option("same-effect") == "stacks":
        return
    name, bearers = fact.event.effect.casefold(), fact.event.targets or ("",)
    old = [k for k, e in state.effects.items() if k[0] != fact.seq and e.bearer in bearers]
    _end(state, [k for k in old if state.effects[k].name.casefold() == name], renews.rules, "same-effect")


@derives("concentration.one-at-a-time", on=EffectStarted)
def lets_go(state: PlainState, fact: Occurrence[EffectStarted]) -> None:
    """End what the source concentrated on before, with its children."""
    if fact.event.concentration and state.option("concentration") != "any":
        _end(state, [k for k in _held(state, fact.event.source) if k[0] != fact.seq], lets_go.rules, "concentration")


@derives("concentration.one-at-a-time", on=CombatantLeft)
def leaver_lets_go(state: PlainState, fact: Occurrence[CombatantLeft]) -> None:
    """End what somebody who leaves concentrated on, with its children."""
    end(state, _held(state, fact.event.combatant), Because(leaver_lets_go.rules, (fact.seq,)))


def _held(state: PlainState, who: str | None) -> list[Key]:
    """Return the effects that somebody concentrates on; an effect without a source has nobody."""
    return [key for key, effect in state.effects.items() if effect.concentration and effect.source == who]


def _end(state: PlainState, keys: list[Key], rules: tuple[str, ...], option: str) -> None:
    """End these effects by these rules and the chosen reading of an option, both cited as reasons."""
    for key in end(state, keys, Because(rules, (state.now,), state.chosen(option))):
        stop(state.timers, key)


@derives("effect.runs-out", on=(EffectStarted, ConditionGained))
def is_counted_in_rounds(state: PlainState, fact: Occurrence[EffectStarted] | Occurrence[ConditionGained]) -> None:
    """Count a duration in rounds of six seconds, rounded up; one in an unknown unit is not counted."""
    said = fact.event.duration
    if said is None:
        return
    rounds = CALENDAR.count(CALENDAR.length(said), "round")
    left = None if rounds is None else max(0, within(rounds))
    counted = said if left is None else Duration(amount=left, unit="round", of=said.of, at=said.at)
    among = state.effects if isinstance(fact.event, EffectStarted) else state.conditions
    for key in ((fact.seq, bearer) for bearer in fact.event.targets or ("",)):
        if key in among:
            among[key].left, among[key].duration = left, counted
            _time(state, key, among[key])


def _time(state: PlainState, key: Key, effect: Effect) -> None:
    """Start the timer of an effect with a duration: on the turns that it names, else its bearer's or its source's."""
    said = effect.duration
    if effect.left is None or said is None:
        stop(state.timers, key)
    else:
        at = "end" if said.at and said.at.casefold() == "end" else "start"
        start(state.timers, key, Timer(effect, said.of or effect.bearer or effect.source, at))


@derives("effect.runs-out", on=RulingMade)
def ruling_gives_time(state: PlainState, _fact: Occurrence[RulingMade]) -> None:
    """Start timers of effects to which a ruling gave a duration, and stop those from which it took one."""
    for key, effect in (*state.effects.items(), *state.conditions.items()):
        _time(state, key, effect)


@derives("effect.runs-out", at=("turn began", "turn ended"))
def ticks(state: PlainState, turn: Boundary) -> None:
    """Count down effects that last until somebody's turns begin (`start`) or end (`end`)."""
    _over(state, count(state.timers, turn.who, turn.seq, "end" if turn.kind == "turn ended" else "start"), turn.seq)


@derives("effect.runs-out")
def ticks_with_rounds(state: PlainState, seq: int) -> None:
    """Count down effects that are timed by nobody's turns, or by those of somebody who has left."""
    for owner in owners(state.timers):
        if owner not in state.combatants or state.combatants[owner].left:
            for at in ("start", "end"):
                _over(state, count(state.timers, owner, seq, at), seq)


@derives("effect.runs-out", on=TimePassed)
def time_passes(state: PlainState, fact: Occurrence[TimePassed]) -> None:
    """Count down all effects by the whole rounds that pass without facts."""
    _over(state, count_all(state.timers, fact.seq, CALENDAR.whole(fact.event.time, "round")), fact.seq)


def _over(state: PlainState, keys: list[Key], seq: int) -> None:
    """End effects that have run out, with their children, and record when they were over."""
    for gone in run_out(state, state.timers, keys, ticks.rules).values():
        gone.ticked_by = tuple(dict.fromkeys((*gone.ticked_by, seq)))


@derives("effect.runs-out")
def forgets_what_ran_out(state: PlainState, before: int) -> None:
    """Forget what ran out before a fact: recording its end after that is too late."""
    for key in [key for key, effect in state.over.items() if max(effect.ticked_by) < before]:
        del state.over[key]


@derives("effect.runs-out")
def still_runs(state: PlainState, event: EffectEnded) -> Effect | None:
    """Return one of the effects recorded as expired that has time left, unless one on its bearer has just run out."""
    over = [state.over[key] for key in matching(state.over, event.effect, event.targets, event.source)]
    running = [state.effects[key] for key in matching(state.effects, event.effect, event.targets, event.source)]
    late = [one for one in running if not any(_ran_out_beside(other, one) for other in over)]
    return next((one for one in late if (one.left or 0) > 0), None)


def _ran_out_beside(over: Effect, running: Effect) -> bool:
    return over.bearer == running.bearer and max(over.ticked_by) > running.seq


@derives("effect.runs-out")
def ends(state: PlainState, key: Key) -> Derived[str] | None:
    """Return in which round an effect runs out, and on whose turn; None if nothing counts it down."""
    timer = state.timers.running.get(key)
    if timer is None:
        return None
    effect, now, owner = timer.effect, max(1, state.clock.round), state.combatants.get(timer.owner)
    events = (effect.seq, *effect.ticked_by)
    if owner is None or owner.left:
        left = (owner.left,) if owner else ()
        return Derived(f"round {now + timer.boundaries}", Because(ends.rules, (*events, *left)))
    turns = [turn for turn in (*state.round.turns, *state.turns.in_hand.values()) if turn.combatant == owner.id]
    had = tuple(seq for turn in turns if (seq := turn.ended if timer.at == "end" else turn.seq))
    last = now + timer.boundaries - (0 if had else 1)
    at_end = ", at the end" if timer.at == "end" else ""
    return Derived(f"{owner.id} in round {last}{at_end}", Because(ends.rules, (*events, *had[-1:])))


@derives("concentration.one-at-a-time")
@remembered
def concentration(state: PlainState, one: Combatant) -> tuple[str, Because]:
    """Return what a combatant concentrates on."""
    own, chosen = _held(state, one.id), state.chosen("concentration")
    if own:
        last = state.effects[own[-1]]
        return last.name, Because(concentration.rules, (last.seq,), chosen)
    released = state.released.get(one.id)
    return "", Because(concentration.rules, (one.joined,), chosen, (released,) if released else ())


@derives("effect.renewed")
def stacked(state: PlainState, who: str) -> Derived[list[str]]:
    """Return the effects on a combatant; if several have one name, or one was renewed, the option on that is cited."""
    found = borne(state, who)
    bears = [name.casefold() for name in found.value]
    if len(set(bears)) < len(bears):
        return Derived(found.value, Because(stacked.rules, (), state.chosen("same-effect"), (found,)))
    ended = state.rid_by.get(who, {})
    renewed = tuple(ended[name] for name in bears if name in ended and renews.rules[0] in ended[name].rules)
    return Derived(found.value, Because((), (), {}, (*renewed, found)))


ADDRESSES = (
    Address(
        "<who>.effects",
        stacked,
        says="the effects on somebody",
        bare=bare_effects,
        wants=names,
        rule=set_effects,
    ),
)
