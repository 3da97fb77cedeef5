"""The rows of a page: lists, or spools outside memory for a page that is written once; and tables whose rows have numbers."""

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import NODEFAULT, Struct, structs

from eventstore.spool import Spool

KEPT = 200  # the number of rows in memory, for a page that is written once
RECENT = 20_000
"""How many rows of a long table are remembered by their keys; an older one that is used again gets another number."""
INERT = {
    letter: f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\ufeff"
}
"""The characters that could end a script element or a line of JavaScript, or turn the direction of its source, with their escapes
in JSON.
"""

T = TypeVar("T")
Key = TypeVar("Key", bound=Hashable)
Rows: TypeAlias = list[T] | Spool[T]  # rows in the order of their addition


def outside_memory() -> Spool[Any]:
    """Return no rows yet, of which most will be kept in a temporary file."""
    return Spool(KEPT)


class Numbered(Generic[Key, T]):
    """A table whose rows are referred to by their numbers; each is in it once, or once among as many as are `recent`, by their addition."""

    def __init__(self, rows: Rows[T], recent: int | None = None) -> None:
        self.rows, self._recent = rows, recent
        self._numbers = OrderedDict[Key, int]()

    def number_of(self, key: Key, row: T) -> int:
        """Return the number of the row with a key; this row is added if there is none."""
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.rows)
            self.rows.append(row)
            if self._recent and len(self._numbers) > self._recent:
                self._numbers.popitem(last=False)
        return found


def json_pieces(data: Struct) -> Iterator[bytes]:
    """Yield data as JSON that can stand in an element of a page, and ends none; rows outside memory one by one."""
    before = b"{"
    for field in structs.fields(data):
        value = getattr(data, field.name)
        default = field.default if field.default_factory is NODEFAULT else field.default_factory()
        if default is NODEFAULT or value != default:
            yield before + msgspec.json.encode(field.encode_name) + b":"
            if isinstance(value, Spool):
                for place, row in enumerate(value):
                    yield (b"," if place else b"[") + json_for_html(row).encode()
                yield b"]" if len(value) else b"[]"
            else:
                yield json_for_html(value).encode()
            before = b","
    yield b"}"


def json_for_html(data: object) -> str:
    """Return data as JSON that can stand in an element of the page, and ends none."""
    text = msgspec.json.encode(data).decode()
    for letter, escaped in INERT.items():
        text = text.replace(letter, escaped)
    return text
