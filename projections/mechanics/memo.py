"""What is derived once: of a state since its last fact, for between two facts nothing changes; of one fact, by its reading."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

S = TypeVar("S")
P = ParamSpec("P")
R = TypeVar("R")
V = TypeVar("V")


UNKNOWN: Any = object()
"""What stands for a value that was not derived yet."""


class Memo:
    """Derived values by function and arguments, of the state after one fact; it is no part of what a state says.

    `found` is None while a fact takes hold.
    """

    def __init__(self) -> None:
        self.found: dict[tuple[Any, ...], Any] | None = None


def remembered(function: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Let a function of a state be worked out once for each version of it; while a fact takes hold, again each time.

    The arguments are words, numbers, and what has an identity of its own (`eq=False`), such as a combatant or an act.
    """

    @wraps(function)
    def recalls(state: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        found = state.memo.found
        if kwargs or found is None:
            return function(state, *args, **kwargs)
        key = (function, args)
        value: R = found.get(key, UNKNOWN)
        if value is UNKNOWN:
            value = found[key] = function(state, *args)  # type: ignore[call-arg]
        return value

    return recalls


class Once(Generic[V]):
    """A property that is worked out once; without the lock of `functools.cached_property`, which costs more than most."""

    def __init__(self, work_out: Callable[[Any], V]) -> None:
        self.work_out, self.__doc__ = work_out, work_out.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type) -> V:
        value = instance.__dict__[self.name] = self.work_out(instance)
        return value
