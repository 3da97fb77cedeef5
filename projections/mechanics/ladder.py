"""The ladder of a round: acts or actors in the order of their keys, and who acts simultaneously.

A key is a sortable value with named parts; those with equal keys act simultaneously. Keys are computed by the game only
when they are needed, because later facts may move an act (a minor action slows the blow before it).
"""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")


class Rung(Struct, Generic[T], frozen=True):
    """A step of the ladder: combatants who share a key, and so act simultaneously."""

    key: Any
    members: tuple[T, ...]


def rungs(those: Iterable[T], key: Callable[[T], Any]) -> tuple[Rung[T], ...]:
    """Return the rungs from first to last; those without a key (None) are on none, and equals keep their order."""
    keyed = [(own, each) for each in those if (own := key(each)) is not None]
    keyed.sort(key=lambda pair: pair[0])
    return tuple(Rung(own, tuple(each for _, each in group)) for own, group in groupby(keyed, key=lambda pair: pair[0]))
