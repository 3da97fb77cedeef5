"""What fills a slot of a phrase."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from projections.grammar.phrases.reader import Reader


class Value(Struct, frozen=True):
    """What fills a slot: a text; of several combatants also each of them, and words that say clearly, from one word to another, who they are.

    Of `each` of them one belongs to each member of what fills the slot `of_each`, if it names one.
    `more` fills further slots by their names, as a blow brings its weapon along. A text that `is_name` may stand in quotation marks.
    """

    text: str
    each: tuple[str, ...] = ()
    clearly: tuple[int, int, str] | None = None
    more: dict[str, str] = {}
    is_name: bool = False
    of_each: str = ""


Slot = Iterator[tuple[Value, int]]
"""The ways to fill a slot from a place on, each with the place behind it."""
Fill = Callable[["Reader", int], Slot]
"""A function that yields the ways to fill a slot of one kind."""
