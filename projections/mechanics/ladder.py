"""The ladder of a round: acts and actors by their keys, who is level and acts at once, which act was told out of order.

A key is a value of named parts that sorts; equal keys act at once. Keys are asked of the game when they are needed, for
later facts may move an act (a minor action slows the blow before it), and an act that was told in order may turn out to
have come late.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")


class Rung(Struct, Generic[T], frozen=True):
    """A place in the order of a round, with those who act at once there."""

    key: Any
    members: tuple[T, ...]


def rungs(those: Iterable[T], key: Callable[[T], Any]) -> tuple[Rung[T], ...]:
    """Return the rungs from the first to the last; whoever has no key (None) stands on none, and equals keep their order."""
    keyed = [(own, each) for each in those if (own := key(each)) is not None]
    keyed.sort(key=lambda pair: pair[0])
    return tuple(Rung(own, tuple(each for _, each in group)) for own, group in groupby(keyed, key=lambda pair: pair[0]))


def after(told: Iterable[T], key: Callable[[T], Any], limit: Any) -> Iterator[T]:
    """Yield what was told already and comes after a key: what a fact with that key makes late."""
    return (each for each in told if key(each) > limit)


def out_of_order(told: Sequence[T], key: Callable[[T], Any]) -> Iterator[tuple[T, T]]:
    """Yield each act that was told after one that comes later by its key, with the last of those by key."""
    highest: tuple[Any, T] | None = None
    for each in told:
        own = key(each)
        if highest is not None and own < highest[0]:
            yield each, highest[1]
        if highest is None or own > highest[0]:
            highest = own, each
