"""Layout for people: tables, wrapped lines, a little colour. Nothing else in the application formats text."""

import os
import sys
import unicodedata
from collections.abc import Iterable, Sequence

import click

from eventstore.form import visible
from projections.because import Reason

WIDTH = 98
"""The widest line, in columns."""

HANG = "      "
"""How far a line that goes on with the one above is set in."""

NAME = 24
"""The room for a name, in columns."""


def width(text: str) -> int:
    """Return how many columns a text takes up."""
    if text.isascii():
        return len(text)
    return sum(_columns(letter) for letter in text)


def clip(text: str, columns: int = WIDTH) -> str:
    """Return text that fits, with … where something was cut off."""
    if width(text) <= columns:
        return text
    taken, room = [], columns - 1
    for letter in text:
        room -= _columns(letter)
        if room < 0:
            break
        taken.append(letter)
    return "".join(taken) + "…"


def name(text: str, columns: int = NAME) -> str:
    """Return a name for a table: unprintable characters made visible, and clipped."""
    return clip(visible(text), columns)


def table(rows: Iterable[Sequence[object]], indent: str = "  ") -> list[str]:
    """Return rows as lines with aligned columns; the last column runs free."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*(row[:-1] for row in cells), strict=True)] if cells else []
    lines = []
    for row in cells:
        padded = [cell + " " * (room - width(cell)) for cell, room in zip(row, widths, strict=False)]
        lines.append(clip(indent + "  ".join([*padded, row[-1]]).rstrip()))
    return lines


def wrap(text: str, indent: str = "", first: str | None = None) -> list[str]:
    """Return text broken into lines, set in; `first` stands before the first line instead of the indent."""
    lines, line = [], first if first is not None else indent
    start = True
    for word in text.split():
        if not start and width(line) + 1 + width(word) > WIDTH:
            lines.append(line)
            line, start = indent, True
        line = clip(line + ("" if start else " ") + word)
        start = False
    return [*lines, line]


def fill(parts: Iterable[str], first: str, indent: str) -> list[str]:
    """Return short pieces of text in a row, two spaces apart, on as many lines as they need."""
    lines, line = [], first
    for part in parts:
        if line.strip() and width(line) + 2 + width(part) > WIDTH:
            lines.append(line)
            line = indent
        line = clip(line + ("  " if line.strip() else "") + part)
    return [*lines, line]


def paragraphs(text: str, indent: str = "") -> list[str]:
    """Return a text of several paragraphs, each broken into lines."""
    return [line for block in text.split("\n\n") for line in wrap(block, indent)]


def because(why: Reason, what: str = "") -> list[str]:
    """Return a reason: the events, the rules, and the options that decided."""
    where = f"event{'s' if len(why.events) != 1 else ''} {numbers(why.events)}" if why.events else "no event yet"
    options = [f"{option} {value}" for option, value in why.options.items()]
    cited = "; ".join(part for part in (", ".join(why.rules), ", ".join(options)) if part)
    return wrap(f"{what + ' ' if what else ''}because {where}{f' ({cited})' if cited else ''}", HANG + "  ", HANG)


def numbers(seqs: Iterable[int]) -> str:
    """Return seqs in a row, runs of three and more with a dash."""
    runs: list[list[int]] = []
    for seq in sorted(set(seqs)):
        if runs and runs[-1][-1] == seq - 1:
            runs[-1].append(seq)
        else:
            runs.append([seq])
    parts = [[f"{run[0]}-{run[-1]}"] if len(run) > 2 else [str(seq) for seq in run] for run in runs]
    return ", ".join(part for run in parts for part in run)


def count(number: int, what: str) -> str:
    """Return a number with its noun: 1 fact, 2 facts, 3 breaches."""
    plural = what + ("es" if what.endswith("ch") else "s")
    return f"{number:,} {what if number == 1 else plural}"


def heading(text: str) -> str:
    """Return a heading, bold on a terminal that wants colour."""
    return click.style(text, bold=True) if in_colour() else text


def alarm(text: str) -> str:
    """Return a word that should catch the eye, red on a terminal that wants colour."""
    return click.style(text, fg="red") if in_colour() else text


def in_colour() -> bool:
    """Say whether the output is a terminal whose owner has nothing against colour (NO_COLOR)."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and sys.stdout.isatty()


def _columns(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
