"""What was derived of a state since its last fact, so that it is derived once: between two facts nothing changes."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Memo:
    """Derived values by function and arguments, of the state after one fact; it is no part of what a state says."""

    def __init__(self) -> None:
        self.seq, self.found = 0, dict[tuple[Any, ...], tuple[Any, ...]]()


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function of a state be worked out once for each version of it; while a fact takes hold, anew each time."""

    @wraps(function)
    def recalls(*args: P.args, **kwargs: P.kwargs) -> R:
        state: Any = args[0]
        if state.now != state.seq or kwargs:
            return function(*args, **kwargs)
        memo = state.memo
        if memo.seq != state.seq:
            memo.seq, memo.found = state.seq, {}
        key = (function, *map(id, args[1:]))  # the arguments are kept with the value, so that an id stays theirs
        kept = memo.found.get(key)
        if kept is None:
            kept = memo.found[key] = function(*args, **kwargs), args
        value: R = kept[0]
        return value

    return recalls
