"""What goes to stdout: lines for people, JSON for programs."""

from collections.abc import Iterable
from typing import Any

import click
import msgspec


def lines(text: Iterable[str]) -> None:
    """Print lines."""
    click.echo("\n".join(text))


def json(value: Any) -> None:
    """Print one JSON document, set out to be read."""
    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def json_line(value: Any) -> None:
    """Print one JSON value on one line."""
    click.echo(msgspec.json.encode(value).decode())
