"""Kinds of slots: a value that is written as one token, and read from it; amounts with their units, and squares."""

import re
from collections.abc import Callable

from msgspec import Struct

from eventstore.wording import visible
from projections.language.notation import names
from projections.language.notation.line_context import LineContext
from projections.language.notation.tokens import NotUnderstood, Token
from projections.open_types import Fields, Json

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


def split_parts(token: Token) -> list[Token]:
    """Return the parts of a token with commas, each with its place."""
    found, place = [], token.start
    for text in token.text.split(","):
        found.append(Token(text, place, token.end, token.quoted))
        place += len(text) + 1
    return found


def read_whole(_scene: LineContext, token: Token) -> int:
    """Read a whole number; raise NotUnderstood if it is none, or too large."""
    digits = token.text[1:] if token.text[:1] in ("+", "-") else token.text
    if token.quoted or not digits.isdecimal():
        raise wrong(token, f"{visible(token.text[:40])} is not a whole number")
    if len(digits) > 16:
        raise wrong(token, f"{token.text[:40]} is too large a number", "at most 16 digits")
    return int(token.text)


def read_count(context: LineContext, token: Token) -> int:
    """Read a whole number without a sign; raise NotUnderstood."""
    if token.text[:1] in "+-":
        raise wrong(token, f"{token.text[:40]} has a sign, and none belongs here", f"write {token.text[1:40]}")
    return read_whole(context, token)


# ---------------------------------------------------------------- units


UNITS = {
    "s": "second", "seg": "segment", "r": "round", "turn": "turn", "min": "minute", "h": "hour", "d": "day", "ft": "ft",
    "m": "m", "sq": "square",
}  # fmt: skip
"""Every unit by its short form, which is the printed one."""
_SHORT = {unit: short for short, unit in UNITS.items()}
_LONG = {"sec": "second", "secs": "second", "feet": "ft", "foot": "ft", "metre": "m", "metres": "m"}
_MEASURE = r"(\d{1,12})([a-z]+)(?:/([^/]*))?(?:/([a-z]+))?"


def unit_of(text: str) -> str | None:
    """Return the unit of time or distance that a word stands for, abbreviated or written out, perhaps in the plural; None if it is none."""
    unit = UNITS.get(text) or _LONG.get(text) or text.removesuffix("s")
    return unit if unit in _SHORT else None


def _read_measure(context: LineContext, token: Token) -> Fields:
    match = None if token.quoted else re.fullmatch(_MEASURE, token.text)
    if match is None or not (unit := unit_of(match[2])):
        raise wrong(token, f"{token.text[:40]} is not an amount with its unit", "such as 10r, 3seg, 5min or 30ft")
    made: Fields = {"amount": int(match[1]), "unit": unit}
    if match[3]:
        made["of"] = names.read_combatant(context.state, Token(match[3], token.start, token.end))
    return made | ({"at": match[4]} if match[4] else {})


def _read_duration(context: LineContext, token: Token) -> Fields:
    """Return an amount with a unit of time, of which m is the minute; raise NotUnderstood for a distance."""
    made = _read_measure(context, token)
    if made["unit"] in ("ft", "square"):
        raise wrong(token, f"{token.text[:40]} is a distance, and no time", "such as 10r, 3seg or 5min")
    return made | ({"unit": "minute"} if made["unit"] == "m" else {})


def _show_measure(value: Json) -> str | None:
    if isinstance(value, int):
        return str(value) if value >= 0 else None
    short = _SHORT.get(value["unit"])
    if short is None or value["amount"] < 0:
        return None
    ends = "/".join((value.get("of", ""), value.get("at", ""))).rstrip("/")
    return f"{value['amount']}{short}{'/' + ends if ends else ''}"


_SQUARE = r"(-?\d{1,9}),(-?\d{1,9})"


def _read_square(_scene: LineContext, token: Token) -> list[int]:
    match = re.fullmatch(_SQUARE, token.text)
    if match is None:
        raise wrong(token, f"{token.text[:40]} is not a square", "column and row, such as 3,4")
    return [int(match[1]), int(match[2])]


def _read_path(context: LineContext, token: Token) -> list[list[int]]:
    place, found = token.start, []
    for text in token.text.split("/"):
        found.append(_read_square(context, Token(text, place, token.end)))
        place += len(text) + 1
    return found


MEASURES = Kind(_read_measure, _show_measure, "an amount with its unit", has_parts=True)
DURATIONS = Kind(_read_duration, _show_measure, "an amount with its unit", has_parts=True)
TIMES = Kind(
    lambda context, token: int(token.text) if re.fullmatch(r"\d{1,9}", token.text) else _read_duration(context, token),
    _show_measure,
    "a time",
    has_parts=True,
)
SQUARE = Kind(
    _read_square, lambda value: f"{value[0]},{value[1]}" if value else None, "a square, such as 3,4", has_parts=True
)
PATH = Kind(
    _read_path, lambda value: "/".join(f"{x},{y}" for x, y in value) or None, "squares, such as 0,0/1,0", has_parts=True
)
