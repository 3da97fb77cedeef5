"""Strict JSON: text in, a value out, in normal form C; or the reason why not."""

import re
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec

from eventstore.malformed import Malformed
from eventstore.shapes import LARGEST
from eventstore.wording import shown

if TYPE_CHECKING:
    import json

LONGEST_LINE = 1 << 20
"""The longest line of a log, in bytes."""
DEEPEST = 32
"""The greatest depth of nested objects and lists."""

_OUTSIDE_STRINGS = r'(?s)"[^"\\]*(?:\\.[^"\\]*)*"?|[][{}]'
_MOST_DIGITS = len(str(-LARGEST))
_SURROGATE = "[\ud800-\udfff]"


def read_json(text: str | bytes) -> Any:
    """Read one JSON value strictly, text in normal form C; raise Malformed with the reason."""
    if len(text) > LONGEST_LINE:
        raise Malformed("", f"{len(text):,} bytes long, the limit is {LONGEST_LINE:,}")
    import json  # only where a fact comes in as text

    decoded = _decoded(text)
    _check_depth(decoded)
    try:
        value = json.loads(
            decoded,
            object_pairs_hook=_object,
            parse_float=_fraction,
            parse_int=_whole,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        raise Malformed(
            "",
            f"not JSON: {error.msg.lower().removesuffix(' starting at')} at column {error.colno}",
            _hint(decoded, error),
        ) from None
    return _normal_value("", value)


def canonical(value: Any) -> bytes:
    """Return a JSON value as it is in a log: UTF-8, no spaces, escapes only where JSON demands them."""
    return msgspec.json.encode(value)


def is_normal(text: str) -> bool:
    """Return whether text is in normal form C, without halves of surrogate pairs."""
    if text.isascii():
        return True
    import unicodedata  # only for text beyond ASCII

    return unicodedata.is_normalized("NFC", text) and not re.search(_SURROGATE, text)


def composed(text: str) -> str:
    """Return text in normal form C, in a time that grows with its length: unicodedata sorts long runs of marks slowly."""
    if text.isascii():
        return text
    import unicodedata  # only for text beyond ASCII

    if unicodedata.is_normalized("NFC", text):
        return text
    apart = "".join(unicodedata.normalize("NFD", letter) for letter in text)
    runs = (list(run) for _, run in groupby(apart, lambda letter: bool(unicodedata.combining(letter))))
    ordered = "".join("".join(sorted(run, key=unicodedata.combining)) for run in runs)
    return unicodedata.normalize("NFC", ordered)


def _hint(text: str, error: "json.JSONDecodeError") -> str:
    """Return a hint for text that is not JSON; most often the quotes are of another kind, or a shell removed them."""
    if error.msg == "Extra data":
        return "one JSON object a line"
    if error.msg.startswith("Expecting property name") or text[error.pos : error.pos + 1] in _OTHER_QUOTES:
        return 'words stand in straight double quotes, {"type":"round_ended"}, and in a shell the whole in single ones'
    return ""


_OTHER_QUOTES = frozenset("'‘’“”„«»`")


def _decoded(text: str | bytes) -> str:
    if isinstance(text, bytes):
        try:
            text = text.decode()
        except UnicodeDecodeError as error:
            raise Malformed("", f"not UTF-8 at byte {error.start + 1}") from None
    if text.startswith("\ufeff"):
        raise Malformed("", "begins with a byte order mark", "save it as UTF-8 without BOM")
    return text


def _check_depth(text: str) -> None:
    depth = 0
    for match in re.finditer(_OUTSIDE_STRINGS, text):
        if match[0] in "[{":
            depth += 1
            if depth > DEEPEST:
                raise Malformed("", f"nested deeper than {DEEPEST} levels, at column {match.start() + 1}")
        elif match[0] in "]}":
            depth -= 1


class _Refused:
    """A value to be refused as soon as the name of its member is known."""

    def __init__(self, reason: str, hint: str = "") -> None:
        self.reason, self.hint = reason, hint


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for written, item in pairs:
        name = _normal("", written)
        if name in made:
            raise Malformed(shown(name), "stands twice in one object")
        made[name] = _normal_value(shown(name), item)
    return made


def _normal_value(name: str, item: Any) -> Any:
    if isinstance(item, str):
        return _normal(name, item)
    if isinstance(item, list):
        return [_normal_value(name, each) for each in item]
    if item is None:
        raise Malformed(name, "is null", "leave out what is not said")
    if isinstance(item, _Refused):
        raise Malformed(name, item.reason, item.hint if name == "total" else "")
    return item


def _normal(name: str, text: str) -> str:
    if not text.isascii() and re.search(_SURROGATE, text):
        raise Malformed(name, "has bytes that are not UTF-8, or half of a surrogate pair")
    return composed(text)


def _fraction(digits: str) -> _Refused:
    return _Refused(f"{digits[:40]} is a fraction; only whole numbers are kept", 'write hundredths as text: "20.08"')


def _whole(digits: str) -> int | _Refused:
    if len(digits) <= _MOST_DIGITS and -LARGEST <= (number := int(digits)) <= LARGEST:
        return number
    return _Refused(f"{digits[:40]} is beyond ±{LARGEST:,}")


def _constant(word: str) -> _Refused:
    return _Refused(f"{word} is not a number")
