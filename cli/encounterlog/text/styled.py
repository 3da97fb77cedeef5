"""Text with styles, which become colours only at the exit (terminal/output.py).

A page never contains an escape sequence, so text from a log cannot pass for one of ours.
"""

from collections.abc import Iterable
from typing import Literal, Self

Style = Literal["", "heading", "alarm"]
"""A text's style; plain text has the empty one."""


class Styled(str):
    """A line of styled pieces; as a string it is the text alone, and substrings are plain."""

    __slots__ = ("pieces",)
    pieces: tuple[tuple[str, Style], ...]

    def __new__(cls, *pieces: tuple[str, Style]) -> Self:
        """Make a line of these pieces."""
        made = super().__new__(cls, "".join(text for text, _ in pieces))
        made.pieces = pieces
        return made

    def __add__(self, other: str) -> "Styled":
        """Return this text with another one after it."""
        return Styled(*self.pieces, *pieces_of(other))

    def __radd__(self, other: str) -> "Styled":
        """Return this text with another one before it."""
        return Styled(*pieces_of(other), *self.pieces)


def pieces_of(text: str) -> tuple[tuple[str, Style], ...]:
    """Return the pieces of a text; plain text is one."""
    return text.pieces if isinstance(text, Styled) else ((text, ""),)


def heading(text: str) -> Styled:
    """Return a heading."""
    return Styled((text, "heading"))


def alarm(text: str) -> Styled:
    """Return a word that is highlighted."""
    return Styled((text, "alarm"))


def joined(texts: Iterable[str], between: str = "") -> str:
    """Return texts joined together with their styles."""
    found = list(texts)
    if not any(isinstance(text, Styled) for text in found):
        return between.join(found)
    pieces: list[tuple[str, Style]] = []
    for place, text in enumerate(found):
        pieces += [(between, "")] if place and between else []
        pieces += pieces_of(text)
    return Styled(*pieces)
