"""A kind of slot: a value that is written as one token, and read from it."""

from collections.abc import Callable

from msgspec import Struct

from eventstore.form import visible
from projections.language.notation.line_context import LineContext
from projections.language.notation.tokens import NotUnderstood, Token
from projections.open_types import Json

Read = Callable[[LineContext, Token], Json]
Show = Callable[[Json], str | None]


class Kind(Struct, frozen=True):
    """A kind of value: its reader and writer, and its description for help and errors."""

    read: Read
    show: Show
    says: str
    has_parts: bool = False
    """Whether its values have parts, and may be typed as JSON where the notation has no word for them."""


def wrong(token: Token, why: str, hint: str = "", shift: int = 0) -> NotUnderstood:
    """Return the error that a token is not of its kind."""
    return NotUnderstood(token.start + shift + 1, why, hint)


NUMBER = r"[+-]?\d{1,16}"
"""A whole number, with its sign if it has one."""


def each_of(token: Token) -> list[Token]:
    """Return the parts of a token with commas, each with its place."""
    found, place = [], token.start
    for text in token.text.split(","):
        found.append(Token(text, place, token.end, token.quoted))
        place += len(text) + 1
    return found


def whole(_scene: LineContext, token: Token) -> int:
    """Read a whole number; raise NotUnderstood if it is none, or too large."""
    digits = token.text[1:] if token.text[:1] in ("+", "-") else token.text
    if token.quoted or not digits.isdecimal():
        raise wrong(token, f"{visible(token.text[:40])} is not a whole number")
    if len(digits) > 16:
        raise wrong(token, f"{token.text[:40]} is too large a number", "at most 16 digits")
    return int(token.text)


def count(context: LineContext, token: Token) -> int:
    """Read a whole number without a sign; raise NotUnderstood."""
    if token.text[:1] in "+-":
        raise wrong(token, f"{token.text[:40]} has a sign, and none belongs here", f"write {token.text[1:40]}")
    return whole(context, token)
