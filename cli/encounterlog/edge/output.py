"""What goes to stdout: lines for people, JSON for programs."""

import sys
from collections.abc import Iterable
from typing import Any

import msgspec


def lines(text: Iterable[str]) -> None:
    """Print lines."""
    sys.stdout.writelines(f"{line}\n" for line in text)


def json(value: Any) -> None:
    """Print one JSON document, set out to be read."""
    lines([msgspec.json.format(msgspec.json.encode(value), indent=2).decode()])


def json_line(value: Any) -> None:
    """Print one JSON value on one line."""
    lines([msgspec.json.encode(value).decode()])
