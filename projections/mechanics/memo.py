"""What was derived of a state since its last fact, so that it is derived once: between two facts nothing changes."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

S = TypeVar("S")
P = ParamSpec("P")
R = TypeVar("R")


class Memo:
    """Derived values by function and arguments, of the state after one fact; it is no part of what a state says."""

    def __init__(self) -> None:
        self.seq: int | None = None
        self.found: dict[tuple[Any, ...], Any] = {}


def remembered(function: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Let a function of a state be worked out once for each version of it; while a fact takes hold, anew each time.

    The arguments are words, numbers, and what has an identity of its own (`eq=False`), such as a combatant or an act.
    """

    @wraps(function)
    def recalls(of: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        state: Any = of
        if state.now != state.seq:
            return function(of, *args, **kwargs)
        memo = state.memo
        if memo.seq != state.seq:
            memo.seq, memo.found = state.seq, {}
        key = (function, *args, *kwargs.items())
        try:
            value: R = memo.found[key]
        except KeyError:
            value = memo.found[key] = function(of, *args, **kwargs)
        return value

    return recalls
