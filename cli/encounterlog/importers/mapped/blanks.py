"""Blanks in the values of a mapping: `{field}` is filled with the value of that field in a line of the source.

A blank is `{field}`, `{field?}` where the field may be missing, `{a - b + 1}`, or `{field:words}`, which looks the value up. A field of
a field is `{target.id}`, a place of a list `{targets.0}`, a key with other characters `{"hit points"}`. A text that is one blank
becomes the value itself, a number or a list too; in a longer text the blank becomes text.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from eventstore.shapes import LARGEST

MISSING: Any = object()
"""The filling of a blank whose field is missing, if that is allowed: the value around it is left out."""

SHOWN = 60
"""The most characters of a value that a message shows."""
LONGEST = 300
"""The most characters of a message about a mapping or a line."""
_BLANK = re.compile(r"\{([^{}]*)\}")
_TERM = re.compile(
    r'\s*(?:(?P<sign>[+-])\s*)?(?:(?P<number>[0-9]{1,15})|(?P<path>(?:"[^"]*"|\w+)(?:\.(?:"[^"]*"|\w+))*))\s*'
)
_STEP = re.compile(r'"([^"]*)"|(\w+)')
_PLACE = re.compile(r"[0-9]{1,15}")


class BadBlank(ValueError):
    """The error that a blank has no form that can be filled."""


class Unfilled(Exception):
    """The error that a line lacks the field of a blank."""


class Term(NamedTuple):
    """A field, by the keys that lead to it, or a number; added or taken away."""

    sign: int
    path: tuple[str, ...]
    number: int = 0


class Blank(NamedTuple):
    """A blank: its terms, whether it may be missing, and the table in which its value is looked up, if in any."""

    text: str
    terms: tuple[Term, ...]
    may_be_missing: bool = False
    table: str = ""


class Line(NamedTuple):
    """The source of fillings: the fields of a list's item and those of its line; and the tables, by their names."""

    fields: tuple[Mapping[str, Any], ...]
    tables: Mapping[str, Callable[[object], Any]]


def blanks_in(text: str) -> Iterator[Blank]:
    """Yield the blanks of a text; raise BadBlank for one without a form."""
    if _BLANK.sub("", text).count("{") or _BLANK.sub("", text).count("}"):
        raise BadBlank(f"{text!r} has a brace without its other one")
    for inside in _BLANK.findall(text):
        body, colon, table = (part.strip() for part in inside.partition(":"))
        terms = tuple(_parse_terms(body.removesuffix("?"), inside))
        if (colon and not re.fullmatch(r"[\w-]+", table)) or not terms:
            raise BadBlank(f"{_quote_value(inside)} is no blank")
        yield Blank(inside, terms, body.endswith("?"), table)


def _parse_terms(body: str, text: str) -> Iterator[Term]:
    at = 0
    while at < len(body):
        found = _TERM.match(body, at)
        if not found or found.end() == at or (at and not found["sign"]):
            raise BadBlank(f"{_quote_value(text)} is no blank")
        sign = -1 if found["sign"] == "-" else 1
        steps = tuple(quoted or plain for quoted, plain in _STEP.findall(found["path"] or ""))
        yield Term(sign, steps, int(found["number"] or 0))
        at = found.end()


def fill_blanks(value: Any, line: Line) -> Any:
    """Return a value of a mapping with its blanks filled, MISSING where it is left out; raise Unfilled."""
    if isinstance(value, str):
        return _fill_text(value, line)
    if isinstance(value, dict):
        found: dict[str, Any] = {}
        for name, each in value.items():
            key, inside = _fill_text(name, line), fill_blanks(each, line)
            if key is MISSING or inside is MISSING:
                continue
            if str(key) in found:
                raise Unfilled(f"{_quote_value(key)} is there twice, the second time as {_quote_value(name)}")
            found[str(key)] = inside
        return found if found or not value else MISSING
    if isinstance(value, list):
        return [each for each in (fill_blanks(one, line) for one in value) if each is not MISSING]
    return value


def _fill_text(text: str, line: Line) -> Any:
    blanks = list(blanks_in(text)) if "{" in text or "}" in text else []
    if not blanks:
        return text
    values = [_fill_value(blank, line) for blank in blanks]
    if MISSING in values:
        return MISSING
    if len(blanks) == 1 and text == f"{{{blanks[0].text}}}":
        return values[0]
    rest = iter(values)
    return _BLANK.sub(lambda _: str(next(rest)), text)


def _fill_value(blank: Blank, line: Line) -> Any:
    found = [field_at_path(one.path, line) if one.path else one.number for one in blank.terms]
    if None in found:
        if blank.may_be_missing:
            return MISSING
        path = blank.terms[found.index(None)].path
        raise Unfilled(f"it has no {'.'.join(path)}, which the mapping asks for as {{{blank.text}}}")
    value = found[0] if len(found) == 1 and blank.terms[0].sign > 0 else _sum_values(blank, found)
    if not blank.table:
        return value
    table = line.tables[blank.table]
    values = value if isinstance(value, list) else [value]
    looked_up = [table(each) if isinstance(each, str | int | float) else None for each in values]
    if None in looked_up:
        raise Unfilled(f"{_quote_value(value)} is not in words.{blank.table}, in which {{{blank.text}}} looks it up")
    return looked_up if isinstance(value, list) else looked_up[0]


def _sum_values(blank: Blank, values: list[Any]) -> int | float:
    total: int | float = 0
    for one, value in zip(blank.terms, values, strict=True):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Unfilled(f"{'.'.join(one.path)} is {_quote_value(value)}, no number, which {{{blank.text}}} needs")
        if not abs(value) <= LARGEST:  # NaN is not
            raise Unfilled(f"{'.'.join(one.path)} is {_quote_value(value)}, too large a number for {{{blank.text}}}")
        total += one.sign * value
    return total


def _quote_value(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def shorten_message(says: str) -> str:
    """Return a message of at most 300 characters."""
    return says if len(says) <= LONGEST else f"{says[: LONGEST - 1]}…"


def field_at_path(path: tuple[str, ...], line: Line) -> Any:
    """Return the value at a path, in the first of the line's fields that has its first key; None if there is none."""
    found: Any = next((one for one in line.fields if path[0] in one), {})
    for step in path:
        if isinstance(found, Mapping):
            found = found.get(step)
        elif isinstance(found, list) and _PLACE.fullmatch(step) and int(step) < len(found):
            found = found[int(step)]
        else:
            return None
    return found
