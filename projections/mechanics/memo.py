"""Values that are derived once: of a state until its next fact, of a fact by its reading."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from projections.because import Asked, ask_to_keep
from projections.open_types import RulesState

S = TypeVar("S")
P = ParamSpec("P")
R = TypeVar("R")
H = TypeVar("H")
V = TypeVar("V")


UNKNOWN: object = object()
"""The mark of a value that was not derived yet."""


class Memo:
    """Values derived from the state after one fact, by function and arguments; they are no part of the state."""

    def __init__(self) -> None:
        self.found: dict[tuple[object, ...], Any] | None = None

    def __reduce__(self) -> tuple[type[Memo], tuple[()]]:
        """Return how a copy is made: it has nothing derived yet."""
        return Memo, ()


def memoize(function: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Let a function of a state be called once for each version of the state; while a fact is applied, each time.

    The arguments are words, numbers, and objects with an identity of their own (`eq=False`), such as a combatant or an act.
    """

    @wraps(function)
    def recalls(state: RulesState, /, *args: P.args, **kwargs: P.kwargs) -> R:
        found = state.memo.found
        if kwargs or found is None:
            return function(state, *args, **kwargs)
        key = (function, args)
        value: R | Asked[R] = found.get(key, UNKNOWN)
        if value is UNKNOWN:
            value = found[key] = ask_to_keep(function, state, *args)
        return value.read() if isinstance(value, Asked) else value

    return recalls


class Once(Generic[H, V]):
    """A property that is derived once, without the lock of `functools.cached_property`, which takes longer than most derivations.

    Its reader counts as asking for the options that were asked for when it was derived.
    """

    def __init__(self, work_out: Callable[[H], V]) -> None:
        self.work_out, self.__doc__ = work_out, work_out.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name, self.kept = name, f"{name} as asked"

    def __get__(self, instance: H, owner: type) -> V:
        if (kept := instance.__dict__.get(self.kept)) is None:
            value: V | Asked[V] = ask_to_keep(self.work_out, instance)
            if not isinstance(value, Asked):
                instance.__dict__[self.name] = value
                return value
            kept = instance.__dict__[self.kept] = value
        found: V = kept.read()
        return found
