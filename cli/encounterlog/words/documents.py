"""JSON as it is printed and sent: with escapes for invisible characters."""

from typing import Any

import msgspec

from eventstore.wording import escape_json, visible


def format_json(value: Any) -> str:
    """Return one JSON document, indented, as it is printed."""
    return msgspec.json.format(escape_json(_encode_json(value).decode()), indent=2) + "\n"


def document_line(value: Any) -> str:
    """Return one JSON value on one line, as it is printed."""
    return escape_json(_encode_json(value).decode() + "\n")


def _encode_json(value: Any) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:  # a file name that is no text
        return msgspec.json.encode(_escape_names(msgspec.to_builtins(value)))


def _escape_names(value: Any) -> Any:
    """Return a value with escapes for the bytes of file names that are not text."""
    if isinstance(value, str):
        return value if value.isascii() else "".join(visible(c) if "\ud800" <= c <= "\udfff" else c for c in value)
    if isinstance(value, dict):
        return {_escape_names(key): _escape_names(one) for key, one in value.items()}
    return [_escape_names(one) for one in value] if isinstance(value, list | tuple) else value
