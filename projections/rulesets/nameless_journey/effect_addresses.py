"""The addresses of effects and conditions: what a combatant has, what is left of it, when it ends."""

from collections.abc import Iterator

from projections.address import a_list_of_names
from projections.because import Because, Derived
from projections.folds import effects as common
from projections.folds.effects import (
    bare_conditions,
    bare_effects,
    condition_names,
    effect_names,
    set_conditions,
    set_effects,
)
from projections.mechanics.conditions import Effect, Key, matching
from projections.mechanics.durations import DurationRules
from projections.open_types import RulesState
from projections.rulesets.nameless_journey.effects import count_off, readings, seconds_of, timers
from projections.rulesets.nameless_journey.sheet import described
from projections.rulesets.nameless_journey.state import EffectTimer, NamelessState
from projections.rulesets.ruleset import derives

EFFECT = "<who>.effects.<name>"


@derives("effect.ends-at-turn-start")
def end_of(state: NamelessState, key: Key) -> tuple[str, int]:
    """Return at whose place, and in which round, an effect with a duration ends or ended."""
    if ended := state.gone.get(key[0], {}).get(key[1]):
        return ended.owner, ended.round
    timer = timers(state)[key]
    return timer.owner, _round_of_end(state, timer, timer.owner)


def _round_of_end(state: NamelessState, timer: EffectTimer, owner: str) -> int:
    """Return the round in which an effect ends that counts the places of this owner."""
    progress = state.turns.progress
    passed = not owner or owner in progress.had or owner in progress.passed | progress.late
    return max(1, state.clock.round) + timer.boundaries - (0 if passed else 1)


def _left(state: NamelessState, who: str, name: str) -> Derived[object] | None:
    """Return the time left of an effect, citing also the options on its clock."""
    found: Derived[object] = LEFT.read(state, who, name)  # type: ignore[assignment]
    keys = matching(state.effects, name, (who,), None)
    timer = timers(state).get(keys[-1]) if keys else None
    if timer is None:
        return found
    return Derived(found.value, Because((), (), readings(state, timer), (found,)))


@derives("effect.counts-from-originators-turn")
def at_the_next_place(
    state: NamelessState, who: str, among: dict[Key, Effect], found: Derived[list[str]]
) -> Derived[list[str]]:
    """Return the effects on a combatant; if the next place ends one, its second 0 is cited."""
    own = [timer for key, timer in timers(state).items() if key[1] == who and key in among]
    events = tuple(sorted({seq for timer in own if timer.boundaries == 1 for seq in timer.since}))
    options = {name: value for timer in own for name, value in readings(state, timer).items()}
    return Derived(found.value, Because(state.rules.effect_rules, events, options, (found,)))


def when(state: NamelessState, key: Key) -> Derived[str]:
    """Return in words at whose place and in which round an effect with a duration ends or ended."""
    (owner, round_), gone = end_of(state, key), state.gone.get(key[0], {}).get(key[1])
    known = gone or timers(state)[key]
    rules = (*count_off.rules, "effect.counts-from-originators-turn", *seconds_of.rules)
    options = state.chosen("off-turn-zero", "absent-originator", "no-originator", "odd-duration")
    where = f"{owner} in round {round_}" if owner else f"round {round_}"
    return Derived(where, Because(rules, (known.effect.seq, *known.since), options))


DURATIONS = DurationRules(rules=count_off.rules, ends_at=when, claims=True)


def _ends(state: NamelessState, bearer: str, name: str) -> Derived[str] | None:
    """Return when the last effect of a name on a bearer ends, or ended."""
    known = {key: timer.effect for key, timer in state.durations.running.items()}
    known |= {one.key: one.effect for one in state.ended.values() if one.ran_out}
    keys = [k for k, effect in known.items() if k[1] == bearer and effect.name.casefold() == name.casefold()]
    return when(state, max(keys)) if keys else None


def _may_end(state: NamelessState, bearer: str, name: str) -> Iterator[str]:
    """Yield when else an effect may end that can be of several: at the place of any of them, or one round later."""
    for key, timer in timers(state).items():
        if timer.unsure and key[1] == bearer and timer.effect.name.casefold() == name.casefold():
            for who in state.combatants:
                first = _round_of_end(state, timer, who)
                yield from (f"{who} in round {each}" for each in (first, first + 1))


def _borne_by_nobody(state: RulesState) -> list[tuple[str]]:
    return [(effect.name.casefold(),) for (_, bearer), effect in state.effects.items() if not bearer]


LEFT, ENDS = (next(one for one in common.ADDRESSES if one.pattern == each) for each in (EFFECT, f"{EFFECT}.ends"))


ADDRESSES = (
    described(
        "<who>.effects",
        lambda s, who: at_the_next_place(s, who, s.effects, effect_names(s, who)),
        bare=bare_effects,
        wants=a_list_of_names,
        rule=set_effects,
    ),
    described(
        "<who>.conditions",
        lambda s, who: at_the_next_place(s, who, s.conditions, condition_names(s, who)),
        bare=bare_conditions,
        wants=a_list_of_names,
        rule=set_conditions,
    ),
    described(ENDS.pattern, lambda s, who, name: _ends(s, who, name) or ENDS.read(s, who, name), also=_may_end),
    described(LEFT.pattern, _left, wants=LEFT.wants, rule=LEFT.rule, places=LEFT.places),
    described(
        "effects.<name>.ends",
        lambda s, name: _ends(s, "", name),
        also=lambda s, name: _may_end(s, "", name),
        places=_borne_by_nobody,
    ),
)
