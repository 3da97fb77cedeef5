"""Concentration: on what somebody concentrates, work under way or effects that it maintains, and what last ended that.

Work takes up its doer's concentration as long as it is under way; an effect with `concentration` takes up its source's.
"""

from collections.abc import Iterable, Mapping

from projections.because import Because, Derived
from projections.mechanics.conditions import Effect, Key
from projections.mechanics.work import BEGUN, Counts, Work, status


def concentrated(effects: Mapping[Key, Effect], who: str | None, but: int = 0) -> list[Key]:
    """Return the effects that somebody concentrates on, except those of one record; an effect without a source has nobody."""
    own = [key for key, effect in effects.items() if effect.concentration and effect.source == who]
    return [key for key in own if key[0] != but]


def on_effects(effects: Mapping[Key, Effect], released: Mapping[str, Because], who: str) -> Derived[str]:
    """Return the name of the effect that somebody concentrates on, the last of several; "" and what last ended one, if there is none."""
    own = [effects[key] for key in concentrated(effects, who)]
    if own:
        return Derived(own[-1].name, Because((), (own[-1].seq,)))
    return Derived("", released.get(who, Because()))


def on_work(works: Iterable[Work], who: str, counts: Counts) -> Derived[str]:
    """Return the name of the work that somebody began last, "" once it is over, citing its beginning or its end."""
    own = [work for work in works if work.who == who]
    if not own:
        return Derived("", Because())
    how = status(own[-1], counts)
    return Derived(own[-1].name if how.value == BEGUN else "", how.because)
