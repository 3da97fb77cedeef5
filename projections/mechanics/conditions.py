"""What a state holds, found: effects and conditions that combatants bear, and what a fact came out of."""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from typing import Any

from projections.state import Because, Effect, Occurrence, State

Key = tuple[int, str]
"""The record that began an effect, and its bearer."""


def matching(
    among: dict[Key, Effect], name: str, bearers: tuple[str, ...], source: str | None, *, anyone: bool = True
) -> list[Key]:
    """Return the keys of effects of this name (case folded), on these bearers, from this source (None: any).

    Without bearers, `anyone` says whether any bearer is meant or none.
    """
    folded = name.casefold()
    return [
        key
        for key, effect in among.items()
        if (effect.bearer in bearers or (anyone and not bearers))
        and source in (None, effect.source)
        and effect.name.casefold() == folded
    ]


def free_key(among: dict[Key, Effect], seq: int, bearer: str) -> Key:
    """Return a key for what a record begins on a bearer; a ruling may begin several, which take numbers below 0."""
    if (seq, bearer) not in among:
        return seq, bearer
    return min(0, *(begun for begun, _ in among)) - 1, bearer


def end(state: State, keys: Iterable[Key], rules: tuple[str, ...] = ()) -> None:
    """End these effects by these rules, and those that end with them, once the last bearer of an effect is rid of it."""
    going = [key for key in keys if key in state.effects]
    if not going:
        return
    begun, children = defaultdict[int, int](int), defaultdict[int, list[Key]](list)
    for key, effect in state.effects.items():
        begun[key[0]] += 1
        if effect.parent:
            children[effect.parent].append(key)
    while going:
        key = going.pop()
        if state.effects.pop(key, None):
            state.rid_by[key[1]] = Because(rules or state.rules.effect_rules, (state.now,))
            begun[key[0]] -= 1
            if not begun[key[0]]:
                going += children[key[0]]


def causes(state: State, cause: int) -> Iterator[Occurrence[Any]]:
    """Yield what a fact came out of, what that came out of, and so on, of this round; a circle ends where it closes."""
    seen: set[int] = set()
    while cause in state.moments and cause not in seen:
        seen.add(cause)
        yield state.moments[cause]
        cause = state.moments[cause].cause


def origin(state: State, cause: int, among: Container[int]) -> int:
    """Return the first in a line of causes that is among these seqs, or 0."""
    if cause in among:
        return cause
    return next((fact.cause for fact in causes(state, cause) if fact.cause in among), 0)


def borne(state: State, who: str) -> list[Effect]:
    """Return the effects on a combatant, in the order in which they began."""
    return [effect for effect in state.effects.values() if effect.bearer == who]


def states_of(state: State, who: str) -> list[Effect]:
    """Return the conditions of a combatant, in the order in which they began."""
    return [one for one in state.conditions.values() if one.bearer == who]
