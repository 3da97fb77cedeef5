"""What was derived of a state since its last fact, so that it is derived once: between two facts nothing changes."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Memo:
    """Derived values by function and arguments, of the state after one fact; it is no part of what a state says."""

    def __init__(self) -> None:
        self.seq: int | None = None
        self.found: dict[tuple[Any, ...], tuple[Any, ...]] = {}


_OWN: dict[type, Callable[[Any], object]] = {str: str}
"""What an argument is known by: a word by itself, anything else by its id, which stays its own: arguments are kept, too."""


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function of a state be worked out once for each version of it; while a fact takes hold, anew each time."""

    @wraps(function)
    def recalls(*args: P.args, **kwargs: P.kwargs) -> R:
        state: Any = args[0]
        if state.now != state.seq:
            return function(*args, **kwargs)
        memo = state.memo
        if memo.seq != state.seq:
            memo.seq, memo.found = state.seq, {}
        key = (function, *(_OWN.get(type(each), id)(each) for each in args[1:]), *kwargs.items())
        kept = memo.found.get(key)
        if kept is None:
            kept = memo.found[key] = function(*args, **kwargs), args
        value: R = kept[0]
        return value

    return recalls
