"""What combatants bear: finding and ending effects and conditions in a state."""

from collections.abc import Iterable

from projections.state import Effect, State


def matching(
    among: dict[tuple[int, str], Effect], name: str, bearers: tuple[str, ...], source: str | None
) -> list[tuple[int, str]]:
    """Return the keys of effects of this name (case folded), on these bearers (none: any), from this source (None: any)."""
    folded = name.casefold()
    return [
        key
        for key, effect in among.items()
        if effect.name.casefold() == folded
        and (not bearers or effect.bearer in bearers)
        and source in (None, effect.source)
    ]


def end(state: State, keys: Iterable[tuple[int, str]]) -> None:
    """End these effects, and those that end with them."""
    for key in keys:
        gone = state.effects.pop(key, None)
        if gone and not any(seq == gone.seq for seq, _ in state.effects):
            end(state, [k for k, child in state.effects.items() if child.parent == gone.seq])


def borne(state: State, who: str) -> list[Effect]:
    """Return the effects on a combatant, in the order in which they began."""
    return [effect for effect in state.effects.values() if effect.bearer == who]


def states_of(state: State, who: str) -> list[Effect]:
    """Return the conditions of a combatant, in the order in which they began."""
    return [one for one in state.conditions.values() if one.bearer == who]
