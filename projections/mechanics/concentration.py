"""Concentration: the effects that a combatant concentrates on; `folds/concentration` ends them."""

from collections.abc import Mapping

from projections.because import NOTHING_CITED, Because, Derived
from projections.mechanics.conditions import Effect, Key


def effects_held(effects: Mapping[Key, Effect], who: str | None, but: int = 0) -> list[Key]:
    """Return the effects on which a combatant concentrates, but those of one record; without a source, nobody does."""
    own = [key for key, effect in effects.items() if effect.concentration and effect.source == who]
    return [key for key in own if key[0] != but]


def last_effect_name(effects: Mapping[Key, Effect], released: Mapping[str, Because], who: str) -> Derived[str]:
    """Return the name of the last effect that a combatant concentrates on; "", with the reason for the last end of one, if there is none."""
    own = [effects[key] for key in effects_held(effects, who)]
    if own:
        return Derived(own[-1].name, Because((), (own[-1].seq,), of=own[-1].of))
    return Derived("", released.get(who, NOTHING_CITED))
