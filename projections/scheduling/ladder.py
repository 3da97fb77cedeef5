"""The ladder of a round: acts or actors in the order of their keys, who acts simultaneously, what came out of order.

A key is a sortable value with named parts; those with equal keys act simultaneously. Keys are computed by the game only
when they are needed, because later facts may move an act (a minor action slows the blow before it), and an act that was
recorded in order may turn out to have come late.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")


class Rung(Struct, Generic[T], frozen=True):
    """A step of the ladder: those who share a key, and so act simultaneously."""

    key: Any
    members: tuple[T, ...]


def rungs(those: Iterable[T], key: Callable[[T], Any]) -> tuple[Rung[T], ...]:
    """Return the rungs from first to last; those without a key (None) are on none, and equals keep their order."""
    keyed = [(own, each) for each in those if (own := key(each)) is not None]
    keyed.sort(key=lambda pair: pair[0])
    return tuple(Rung(own, tuple(each for _, each in group)) for own, group in groupby(keyed, key=lambda pair: pair[0]))


def after(told: Iterable[T], key: Callable[[T], Any], limit: Any) -> Iterator[T]:
    """Yield what was recorded already but has a later key: a fact with key `limit` comes too late after it."""
    return (each for each in told if key(each) > limit)


def out_of_order(told: Sequence[T], key: Callable[[T], Any]) -> Iterator[tuple[T, T]]:
    """Yield each act that was recorded after one with a later key, with the one of those that has the last key."""
    highest: tuple[Any, T] | None = None
    for each in told:
        own = key(each)
        if highest is not None and own < highest[0]:
            yield each, highest[1]
        if highest is None or own > highest[0]:
            highest = own, each
