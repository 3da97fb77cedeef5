"""Data files of the program in TOML; the build of the package adds copies in JSON, which load faster."""

from hashlib import sha256
from typing import TypeVar

import msgspec
from msgspec import Struct

from eventstore.paths import AnyPath, with_suffix
from projections.open_types import Fields

T = TypeVar("T")


class Copy(Struct):
    """A copy: the SHA-256 of the TOML that it was made of, and its data."""

    of: str
    data: msgspec.Raw


def read_text(path: AnyPath) -> bytes:
    """Return the text of a file; raise OSError."""
    with open(path, "rb") as file:
        return file.read()


def read_copy(path: AnyPath, text: bytes, kind: type[T]) -> T | None:
    """Return the data of a TOML file, as this type, by its copy; None if no copy was made of exactly this text."""
    try:
        copy = msgspec.json.decode(read_text(with_suffix(path, ".json")), type=Copy)
        made_of_this = copy.of == sha256(text).hexdigest()
        return msgspec.json.decode(copy.data, type=kind, strict=False) if made_of_this else None
    except (OSError, msgspec.DecodeError):
        return None


def read_toml(path: AnyPath, kind: type[T]) -> T:
    """Return the data of a TOML file, as this type, by its copy if there is one; raise OSError."""
    text = read_text(path)
    found = read_copy(path, text, kind)
    return found if found is not None else msgspec.convert(parse_toml(text), kind, strict=False)


def parse_toml(text: bytes) -> Fields:
    """Return the data of a TOML file by its text."""
    data: Fields = msgspec.toml.decode(text)
    return data
