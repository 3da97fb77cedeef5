"""The only module that prints: lines for people, JSON for programs, notes and errors on standard error.

Text from a log, a file name or a recording is escaped here and nowhere else: no control character except the line feed,
and no invisible character, reaches a terminal. Our own colours are not part of the text; they are added last.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import click

from encounterlog.words.documents import document_line, format_json
from encounterlog.words.layout import Style, Styled
from eventstore.wording import escape_json, visible

Value = TypeVar("Value")
COLOURS: dict[Style, dict[str, Any]] = {"heading": {"bold": True}, "alarm": {"fg": "red"}}
"""The look of each style on a terminal."""


def print_lines(text: Iterable[str]) -> None:
    """Print lines."""
    sys.stdout.writelines(f"{line}\n" for line in render_lines(text))


def print_notes(text: Iterable[str]) -> None:
    """Print lines on standard error, after everything printed on standard output so far."""
    sys.stdout.flush()
    sys.stderr.writelines(f"{visible(line)}\n" for line in text)
    sys.stderr.flush()


def show_progress(text: str) -> None:
    """Replace the last line on standard error, which must be a terminal."""
    sys.stderr.write(f"\r{visible(text)}\033[K")
    sys.stderr.flush()


def print_value(value: Value, page: Callable[[Value], Iterable[str]], as_json: bool) -> None:
    """Print a value: as one JSON document, or as its page for people."""
    print_json(value) if as_json else print_lines(page(value))


def print_json(value: Any) -> None:
    """Print one JSON document, indented."""
    _print_escaped(format_json(value))


def json_line(value: Any) -> None:
    """Print one JSON value on one line."""
    _print_escaped(document_line(value))


def render_lines(text: Iterable[str]) -> Iterator[str]:
    """Yield lines as they are printed."""
    coloured = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and sys.stdout.isatty()
    for line in text:
        if coloured and isinstance(line, Styled):
            pieces = ((visible(piece), COLOURS[style] if style else None) for piece, style in line.pieces)
            yield "".join(click.style(piece, **look) if look else piece for piece, look in pieces)
        else:
            yield visible(line)


def write_pieces(pieces: Iterable[bytes], *, as_json: bool) -> None:
    """Write text byte for byte; on a terminal with escapes for invisible characters, as JSON such that it is equivalent."""
    if sys.stdout.isatty():
        for text in (piece.decode(errors="replace") for piece in pieces):
            if as_json:
                _print_escaped(escape_json(text))
            else:
                sys.stdout.write("\n".join(map(visible, text.replace("\r\n", "\n").split("\n"))))
        return
    sys.stdout.flush()
    for piece in pieces:
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()


def _print_escaped(json_text: str) -> None:
    try:
        json_text.isascii() or json_text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        json_text = escape_json(json_text, all_letters=True)
    sys.stdout.write(json_text)
