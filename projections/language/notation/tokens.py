"""A line in tokens: words, quoted texts and JSON, each with its place, and words written as tokens."""

import re
from collections.abc import Callable, Collection
from typing import Any, Self

from msgspec import Struct

from eventstore.wording import closest_word, escape_json, nearest, visible

QUOTED = '" The bridge creaks.'
"""A remark in the form in which it is typed."""


class NotUnderstood(Exception):
    """The error that a line cannot be understood: its column (from 1), the reason, and a hint.

    A hint may be a function, which is called when it is asked for: most errors are those of forms that were tried in
    vain. `offers` are whole lines that would be understood, at most three, the likeliest first; `readings` are possible
    meanings of the line, at most three, the likeliest first. `meant`
    has the meaning of each offer, where they were tried; `suggested` is the one among them that a model suggests, "" if
    there is none.
    """

    vague: bool = False
    """Whether it says only that no form has such a word, or nothing, at this place."""
    readings: tuple[Any, ...] = ()
    meant: tuple[Any, ...] = ()
    suggested: str = ""

    def __init__(self, column: int, why: str, hint: str | Callable[[], str] = "", offers: tuple[str, ...] = ()) -> None:
        self.column, self.why, self._hint, self.offers = column, why, hint, offers
        super().__init__(f"column {column}: {why}")

    @classmethod
    def make_vague(cls, column: int, why: str, hint: str | Callable[[], str] = "") -> Self:
        """Return an error that says only that no form has such a word, or nothing, at this place."""
        made = cls(column, why, hint)
        made.vague = True
        return made

    @property
    def hint(self) -> str:
        """What to do."""
        if not isinstance(self._hint, str):
            self._hint = self._hint()
        return self._hint


class Doubt(NotUnderstood):
    """The error that a line which fits a form may mean something else, too: it is asked about, and no sentence."""


class Token(Struct, frozen=True, gc=False):
    """A token of a line: its text, its beginning and end (from 0), and whether it was quoted."""

    text: str
    start: int
    end: int
    quoted: bool = False


OPENING, CLOSING = "“„«”", '”“»"'
"""Typographic quotation marks, as they come with pasted text."""
_DASH = r"^[\u2012-\u2015](?=[\dd])|\u2212"
_SINGLE = r"['‘](\S[^'‘’]*)['’](?=\s|$)"
_SIGNS = ("+", "-")


def split(line: str) -> list[Token]:
    """Return the tokens of a line; raise NotUnderstood for a quotation or JSON that is not closed.

    A sign that stands alone belongs to the number after it, and a dash before a number is a minus sign.
    """
    found: list[Token] = []
    place = 0
    while place < len(line):
        if line[place].isspace():
            place += 1
            continue
        token = _token_at(line, place)
        place = token.end
        sign = found[-1] if found and found[-1].text in _SIGNS and not found[-1].quoted else None
        if sign and not token.quoted and (token.text[:1].isdecimal() or token.text[:1] == "d"):
            token = Token(sign.text + token.text, sign.start, token.end)
            found.pop()
        found.append(token)
    return found


def _token_at(line: str, start: int) -> Token:
    if line[start] in OPENING:
        end = _closing_mark(line, start)
        return Token(line[start + 1 : end - 1], start, end, quoted=True)
    if line[start] in "'‘" and (single := re.compile(_SINGLE).match(line, start)):
        return Token(single[1], start, single.end(), quoted=True)
    if line[start] in '"{[':
        value, end = _json_at(line, start)
        quoted = line[start] == '"'
        return Token(value if quoted else line[start:end], start, end, quoted)
    end = start
    while end < len(line) and not line[end].isspace():
        if line[end] in '"{[' and line[end - 1] == "=":
            end = _json_at(line, end)[1]
        elif line[end] in OPENING and line[end - 1] == "=":
            closed = _closing_mark(line, end)
            return Token(line[start:end] + quote(line[end + 1 : closed - 1]), start, closed)
        else:
            end += 1
    text = line[start:end]
    return Token(text if text.isascii() else re.sub(_DASH, "-", text), start, end)


def _closing_mark(line: str, start: int) -> int:
    """Return the end of a quotation that begins with a typographic mark."""
    end = next((place for place in range(start + 1, len(line)) if line[place] in CLOSING), None)
    if end is None:
        raise NotUnderstood(start + 1, "the quotation that begins here is not complete", 'such as "staff of storms"')
    return end + 1


def _json_at(line: str, start: int) -> tuple[str, int]:
    from json import JSONDecoder  # only where something is quoted

    try:
        value, end = JSONDecoder().raw_decode(line, start)
    except (ValueError, RecursionError):
        what = "quotation" if line[start] == '"' else "JSON"
        raise NotUnderstood(
            start + 1, f"the {what} that begins here is not complete", 'such as "staff of storms"'
        ) from None
    return value, end


_BARE = r"[^\W\d_][^\s_\"=,/{}\[\]]*(?: [^\s_\"=,/{}\[\]]+)*"


def word(text: str, *, quoted: bool = False) -> str:
    """Return a word as one token: bare, with `_` for blanks, or quoted where that would not be read back."""
    bare = not quoted and visible(text) == text and re.fullmatch(_BARE, text) is not None
    return text.replace(" ", "_") if bare else quote(text)


def quote(text: str) -> str:
    """Return a text in quotation marks, as in JSON."""
    import json

    return escape_json(json.dumps(text, ensure_ascii=False))


def bare_word(text: str) -> str:
    """Return the word that a bare token stands for."""
    return text.replace("_", " ")


def suggestion(text: str, *known: Collection[str]) -> str:
    """Return a hint that names the nearest known words, all of the sort of the nearest, or the use of quotation marks."""
    if re.search("[‘’‚‛'“”„«»]", text[:1] + text[-1:]):
        return f"a text stands in double quotation marks, and a remark after one: {QUOTED}"
    close = closest_word(visible(text), (word for sort in known for word in sort))
    return next((nearest(visible(text), sort) for sort in known if close in sort), "")


def is_slip(typed: str, meant: str) -> bool:
    """Say whether a word is another one with a letter too many, too few, replaced, or two exchanged; another number is meant as it stands."""
    if typed == meant or abs(len(typed) - len(meant)) > 1:
        return False
    start = next(
        (at for at, each in enumerate(zip(typed, meant, strict=False)) if each[0] != each[1]),
        min(len(typed), len(meant)),
    )
    one, other = typed[start:], meant[start:]
    exchanged = one[:2] == other[:2][::-1] and one[2:] == other[2:]
    is_near = exchanged or one[1:] == other or one == other[1:] or one[1:] == other[1:]
    return is_near and re.sub(r"\D", "", typed) == re.sub(r"\D", "", meant)
