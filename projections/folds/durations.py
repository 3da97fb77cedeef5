"""Durations of effects and conditions: counted from their beginning until enough boundaries of time have passed.

A ruleset that counts durations lists this module among its steps and boundaries; its `Ruleset.durations` give the unit,
and whose boundaries count, and which. Nothing else ends by time.
"""

from __future__ import annotations

from collections.abc import Iterable

from eventstore.events import ConditionGained, EffectEnded, EffectStarted, RulingMade, TimePassed
from eventstore.shapes import Duration
from projections.because import Because, Derived, cite_options
from projections.folds.effects import end_conditions, end_effects
from projections.mechanics.conditions import Effect, Key, find_effects
from projections.mechanics.pool_history import clamp_points
from projections.mechanics.timers import Passed, cite_reason, count_down, start_timer, stop_timer
from projections.occurrence import Occurrence
from projections.ruleset.durations import duration_rules
from projections.ruleset.ruleset import derives
from projections.state import State
from projections.time import Boundary

# ---------------------------------------------------------------- what begins


@derives(on=(EffectStarted, ConditionGained), phase="effects")
def start_duration(state: State, fact: Occurrence[EffectStarted] | Occurrence[ConditionGained]) -> None:
    """Count an effect or condition that begins with a duration."""
    among = state.effects if isinstance(fact.event, EffectStarted) else state.conditions
    for bearer in fact.event.targets or ("",):
        if (begun := among.get((fact.seq, bearer))) and begun.duration:
            set_duration(state, begun, begun.duration)


@derives(on=RulingMade, phase="effects")
def rule_durations(state: State, _fact: Occurrence[RulingMade]) -> None:
    """Count the effects to which a ruling gave a duration, and stop counting those that it made endless."""
    for key, effect in (*state.effects.items(), *state.conditions.items()):
        if effect.left is None:
            stop_timer(state.durations, key)
        elif key not in state.durations and effect.duration:
            set_duration(state, effect, effect.duration, key)


def set_duration(state: State, effect: Effect, said: Duration, key: Key | None = None) -> None:
    """Give an effect or condition that has begun a duration in whole units, rounded up; unknown ones do not count."""
    rules, calendar = duration_rules(state), state.rules.calendar
    unit = rules.unit(said)
    amount = calendar.count_units(calendar.length(said), unit)
    effect.duration, effect.left = said, said.amount if rules.shows_unknown else None
    if amount is not None:
        effect.left = max(0, clamp_points(amount))
        effect.duration = Duration(amount=effect.left, unit=unit, of=said.of, at=said.at)
        start_timer(state.durations, key or (effect.seq, effect.bearer), rules.timer(state, effect, effect.duration))


def earlier_effects(state: State, fact: Occurrence[EffectStarted]) -> list[Key]:
    """Return the earlier effects with the name of an effect that begins, on the same bearers."""
    name, bearers = fact.event.effect, fact.event.targets or ("",)
    return [key for key in find_effects(state.effects, name, bearers, None) if key[0] != fact.seq]


def renew_effect(state: State, fact: Occurrence[EffectStarted], because: Because) -> None:
    """End earlier effects with the name of an effect that begins, on the same bearers."""
    end_effects(state, earlier_effects(state, fact), because)


def extend_effect(state: State, who: str, name: str, said: Duration, because: Because) -> bool:
    """Give the effects of this name from a combatant this duration from now on; say whether there are any."""
    keys = find_effects(state.effects, name, (), who)
    for key in keys:
        effect = state.effects[key]
        effect.of = (*effect.of, because)
        set_duration(state, effect, said, key)
    return bool(keys)


# ---------------------------------------------------------------- what runs out


@derives(
    at=("turn began", "turn resumed", "turn ended", "place passed", "slot reached", "round closed", "round opened"),
    phase="effects",
)
def count_boundary(state: State, boundary: Boundary) -> None:
    """Count down by a boundary; once a round opens, it is too late to record the end of effects that ran out long before."""
    if boundary.kind == "round opened":
        since = state.last.opened if duration_rules(state).next_round else boundary.seq
        for key in [key for key, effect in state.over.items() if state.precedes(effect.ended, since)]:
            del state.over[key]
    elif boundary.kind in ("turn began", "turn resumed"):
        for turn in state.turns.in_hand.values():
            if turn.combatant != boundary.who and turn.seq:
                cite_reason(state.durations, turn.combatant, "end", Because((), (turn.held,)))
    _count_down(state, duration_rules(state).passes(state, boundary), boundary.seq)


@derives(on=TimePassed, phase="effects")
def count_time(state: State, fact: Occurrence[TimePassed]) -> None:
    """Count down by the time that passes without facts."""
    _count_down(state, duration_rules(state).time(state, fact), fact.seq)


def _count_down(state: State, passed: Iterable[Passed], seq: int) -> None:
    """Count down, and end the effects that have run out, because of all the boundaries that counted them down."""
    for each in passed:
        for key in count_down(state.durations, each, seq):
            if effect := state.effects.get(key) or state.conditions.get(key):
                lasted = (Derived(effect, Because(of=effect.of)),) if effect.of else ()
                expire_effect(state, key, Because(duration_rules(state).rules, effect.ticked_by, lasted), seq)


def expire_effect(state: State, key: Key, because: Because, seq: int) -> dict[Key, Effect]:
    """End an effect or condition whose time is up, with its children, and keep that they are over; return them."""
    if effect := state.effects.get(key) or state.conditions.get(key):
        options = {name: value for each in effect.of for name, value in each.cites().options.items()}
        because = cite_options(because, options)
    gone = end_effects(state, [key], because) | end_conditions(state, [key], because)
    for effect in gone.values():
        effect.ended = seq
    state.over |= gone
    return gone


def running_effect(state: State, event: EffectEnded) -> Effect | None:
    """Return one of the effects recorded as expired that has time left, unless the latest boundary ended one on its bearer."""
    over, running = (
        [among[key] for key in find_effects(among, event.effect, event.targets, event.source)]
        for among in (state.over, state.effects)
    )
    just = {(other.bearer, state.place_of(other.ended)) for other in over}
    late = [one for one in running if not any(who == one.bearer and at > state.place_of(one.seq) for who, at in just)]
    return next((one for one in late if (one.left or 0) > 0), None)
