"""The only module that prints: lines for people, JSON for programs, notes and errors on standard error.

Text from a log, a file name or a recording is escaped here and nowhere else: no control character except the line feed,
and no invisible character, reaches a terminal. Our own colours are not part of the text; they are added last.
"""

import os
import sys
from collections.abc import Callable, Iterable
from typing import Any, TextIO, TypeVar

import click

from encounterlog.words.documents import document_line, format_json
from encounterlog.words.layout import Style, Styled
from eventstore.wording import escape_json, visible

Value = TypeVar("Value")
COLOURS: dict[Style, dict[str, Any]] = {"heading": {"bold": True}, "alarm": {"fg": "red"}}
"""The look of each style on a terminal."""


def print_lines(text: Iterable[str]) -> None:
    """Print lines."""
    coloured = has_colour()
    sys.stdout.writelines(f"{_render_line(line, coloured)}\n" for line in text)


def print_notes(text: Iterable[str]) -> None:
    """Print lines on standard error, after everything printed on standard output so far."""
    sys.stdout.flush()
    sys.stderr.writelines(f"{visible(line)}\n" for line in text)
    sys.stderr.flush()


def show_progress(text: str) -> None:
    """Replace the last line on standard error, which must be a terminal."""
    _write_text(sys.stderr, f"\r{visible(text)}\033[K")


def print_value(value: Value, page: Callable[[Value], Iterable[str]], as_json: bool) -> None:
    """Print a value: as one JSON document, or as its page for people."""
    print_json(value) if as_json else print_lines(page(value))


def print_json(value: Any) -> None:
    """Print one JSON document, indented."""
    _print_escaped(format_json(value))


def json_line(value: Any) -> None:
    """Print one JSON value on one line."""
    _print_escaped(document_line(value))


def render_lines(text: Iterable[str]) -> str:
    """Return lines as they are printed, for a screen that is drawn as a whole."""
    coloured = has_colour()
    return "\n".join(_render_line(line, coloured) for line in text)


def write_json_lines(pieces: Iterable[bytes]) -> None:
    """Write lines of JSON byte for byte; on a terminal with escapes, which is equivalent JSON."""
    if sys.stdout.isatty():
        for piece in pieces:
            _print_escaped(escape_json(piece.decode(errors="replace")))
        return
    sys.stdout.flush()
    for piece in pieces:
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()


def write_text(pieces: Iterable[bytes]) -> None:
    """Write text byte for byte; on a terminal with escapes for invisible characters."""
    if not sys.stdout.isatty():
        return write_json_lines(pieces)
    for piece in pieces:
        lines_ = piece.decode(errors="replace").replace("\r\n", "\n").split("\n")
        _write_text(sys.stdout, "\n".join(map(visible, lines_)))
    return None


def is_terminal() -> bool:
    """Return whether the output is a terminal."""
    return sys.stdout.isatty()


def has_colour() -> bool:
    """Return whether the output is a terminal that shows colour, and NO_COLOR is not set."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and sys.stdout.isatty()


def _render_line(line: str, coloured: bool) -> str:
    if not (coloured and isinstance(line, Styled)):
        return visible(line)

    return "".join(
        click.style(visible(text), **COLOURS[style]) if style else visible(text) for text, style in line.pieces
    )


def _print_escaped(json_text: str) -> None:
    """Print JSON in which nothing is invisible, with escapes for letters that the terminal lacks."""
    try:
        json_text.isascii() or json_text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        json_text = escape_json(json_text, all_letters=True)
    sys.stdout.write(json_text)


def _write_text(stream: TextIO, text: str) -> None:
    stream.write(text)
    stream.flush()
