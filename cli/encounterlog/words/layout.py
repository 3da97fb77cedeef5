"""Layout for people: styles, tables, wrapped lines, columns. Nothing else in the application formats text.

Widths are those of the printed text: a character that cannot be seen is as wide as its escape, and a style has no width. Styles become
colours only where a page is printed; it never contains an escape sequence, so text from a log cannot pass for one of ours.
"""

import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain, groupby
from typing import Literal, Self

from eventstore.wording import visible
from projections.because import Reason

WIDTH = 98  # the width of a page if the output is not a terminal, in columns
NARROWEST = 30  # the least width that pages are laid out for; a narrower terminal breaks the lines itself
NARROW = 50  # below this width the cells of a table that does not fit follow each other on further lines
HANG = "      "  # the indent of a line that continues the one above
BAR = 10  # the length of a bar, in columns
NAME = 24  # the room for a name, in columns
LEAST = 12  # the least width to which a column of a table is narrowed
LAST = 28  # the room that the last column of a table gets, if it needs it, by narrowing the others
Style = Literal["", "heading", "alarm"]  # a text's style; plain text has the empty one


class Styled(str):
    """A line of styled pieces; as a string it is the text alone, and substrings are plain."""

    __slots__ = ("pieces",)
    pieces: tuple[tuple[str, Style], ...]

    def __new__(cls, *pieces: tuple[str, Style]) -> Self:
        """Make a line of these pieces."""
        made = super().__new__(cls, "".join(text for text, _ in pieces))
        made.pieces = pieces
        return made

    def __add__(self, other: str) -> "Styled":
        """Return this text with another one after it."""
        return Styled(*self.pieces, *styled_pieces(other))

    def __radd__(self, other: str) -> "Styled":
        """Return this text with another one before it."""
        return Styled(*styled_pieces(other), *self.pieces)


def styled_pieces(text: str) -> tuple[tuple[str, Style], ...]:
    """Return the pieces of a text; plain text is one."""
    return text.pieces if isinstance(text, Styled) else ((text, ""),)


def heading(text: str) -> Styled:
    """Return a heading."""
    return Styled((text, "heading"))


def alarm(text: str) -> Styled:
    """Return a word that is highlighted."""
    return Styled((text, "alarm"))


def joined(texts: Iterable[str], between: str = "") -> str:
    """Return texts joined together with their styles."""
    found = list(texts)
    if not any(isinstance(text, Styled) for text in found):
        return between.join(found)
    pieces: list[tuple[str, Style]] = []
    for place, text in enumerate(found):
        pieces += [(between, "")] if place and between else []
        pieces += styled_pieces(text)
    return Styled(*pieces)


def room() -> int:
    """Return the width of a line in columns: that of the terminal; elsewhere COLUMNS, or WIDTH."""
    said = os.environ.get("COLUMNS", "")
    columns = int(said) if said.isascii() and said.isdigit() and len(said) < 5 else 0
    if not sys.stdout.isatty():
        return max(NARROWEST, columns or WIDTH)
    with suppress(OSError):
        columns = columns or os.get_terminal_size(sys.stdout.fileno()).columns
    return max(NARROWEST, (columns or WIDTH + 1) - 1)


def width(text: str) -> int:
    """Return the width of a text on the terminal, in columns."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(map(_letter_width, visible(text)))


def clip(text: str, columns: int | None = None) -> str:
    """Return text that fits, with … if it had to be cut."""
    left = room() if columns is None else columns
    if width(text) <= left:
        return text if isinstance(text, Styled) else visible(text)
    cut: list[tuple[str, Style]] = []
    left -= 1
    for words, style in styled_pieces(text):
        taken = _beginning_that_fits(visible(words), left)
        cut.append((taken, style))
        left -= width(taken)
        if taken != visible(words):
            break
    return joined([Styled(*cut), "…"]) if isinstance(text, Styled) else cut[0][0] + "…"


def name(text: str, columns: int = NAME) -> str:
    """Return a name for a table, clipped."""
    return clip(text, columns)


def table(rows: Iterable[Sequence[object]], indent: str = "  ") -> list[str]:
    """Return rows as lines with aligned columns; the last column is clipped at the end of the line, unless that is NARROW."""
    return [*chain.from_iterable(_align_columns(rows, indent, wraps=False))]


def format_blocks(rows: Iterable[Sequence[object]], indent: str = "  ") -> list[list[str]]:
    """Return rows as `table` does, but with a last cell that does not fit on further lines instead of clipped."""
    return _align_columns(rows, indent, wraps=True)


def format_section(title: str, lines: Iterable[str]) -> list[str]:
    """Return lines under a heading, if there is one; nothing without lines."""
    found = list(lines)
    return [heading(title), *found] if found and title else found


def wrap(text: str, indent: str = "", first: str | None = None) -> list[str]:
    """Return text broken into indented lines; `first` precedes the first line instead of the indent."""
    return fill(filter(None, visible(text).split(" ")), indent if first is None else first, indent, " ")


def fill(parts: Iterable[str], first: str, indent: str, between: str = "  ") -> list[str]:
    """Return pieces of text in a row, on as many lines as they need; `first` stands directly before them."""
    return _break_lines(((between if place else "", part) for place, part in enumerate(parts)), first, indent)


def _break_lines(pieces: Iterable[tuple[str, str]], line: str, indent: str) -> list[str]:
    lines, most = [], room()
    for gap, piece in pieces:
        if line.strip() and width(line) + width(gap) + width(piece) > most:
            lines.append(_strip_end(line))
            line = indent
        line = clip(line + (gap if line.strip() else "") + piece, most)
    return [*lines, line]


def one_line(text: str) -> str:
    """Return a text of several lines, such as one of a catalogue, on one line."""
    return " ".join(text.split())


def reason_lines(why: Reason, what: str = "", *, of: str = "") -> list[str]:
    """Return a reason: the events, the rules, and the options that decided; last the events that did not decide."""
    looked_at, untried = why.looked_at or (), why.untried or ()
    tried = [seq for seq in why.events if seq not in looked_at and seq not in untried]
    decide = tried or untried
    where = f"event{'s' if len(decide) != 1 else ''} {format_numbers(decide)}" if decide else "no event"
    where += "" if why.events else " yet"
    options = [f"{option} {value}" for option, value in why.options.items()]
    cited = "; ".join(part for part in (", ".join(why.rules), ", ".join(options)) if part)
    besides = "" if not untried else f", not tried: {format_numbers(untried)}" if tried else ", not tried"
    besides += f", also looked at: {format_numbers(looked_at)}" if looked_at else ""
    says = f"{what + ' ' if what else ''}because {of}{where}{f' ({cited})' if cited else ''}{besides}"
    return wrap(says, HANG + "  ", HANG)


def format_numbers(seqs: Iterable[int]) -> str:
    """Return seqs or rounds in a row, runs of three and more with a dash."""
    parts: list[str] = []
    for _, found in groupby(enumerate(sorted(set(seqs))), lambda each: each[1] - each[0]):
        run = [str(seq) for _, seq in found]
        parts += [f"{run[0]}-{run[-1]}"] if len(run) > 2 else run
    return ", ".join(parts)


def bar(points: int, most: int, besides: int = 0) -> str:
    """Return points as a bar of ten: # those left, = those that `besides` has reached, - those gone."""
    full, other = (0 if each <= 0 else max(1, min(BAR, each * BAR // max(most, 1))) for each in (points, besides))
    reached = min(full, other)
    return f"[{'=' * reached}{'#' * (full - reached)}{'-' * (BAR - full)}]"


def count_noun(number: int, what: str) -> str:
    """Return a number with its noun: 1 fact, 2 facts, 3 breaches."""
    plural = what + ("es" if what.endswith("ch") else "s")
    return f"{number:,} {what if number == 1 else plural}"


def _letter_width(letter: str) -> int:
    """Return the width of a letter; the library, which is slow to import, is needed only beyond Latin letters."""
    if letter < "\u0300" or "\u2010" <= letter <= "\u2027":
        return 1
    from wcwidth import wcwidth

    return max(0, wcwidth(letter))


def _beginning_that_fits(text: str, columns: int) -> str:
    for place, letter in enumerate(text):
        columns -= _letter_width(letter)
        if columns < 0:
            return text[:place]
    return text


def _align_columns(rows: Iterable[Sequence[object]], indent: str, *, wraps: bool) -> list[list[str]]:
    cells = [[cell if isinstance(cell, str) else str(cell) for cell in row] for row in rows]
    if not cells:
        return []
    *widths, last = (max(map(width, column)) for column in zip(*cells, strict=True))
    most = room() - width(indent) - 2 * len(widths)
    if room() < NARROW and sum(widths) + last > most:  # one cell after the other, on as many lines as their words need
        rows_of_words = ([enumerate(visible(cell).split()) for cell in row] for row in cells)
        pieces = ([(" " if at else "  ", word) for cell in row for at, word in cell] for row in rows_of_words)
        return [_break_lines(each, indent, f"{indent}  ") for each in pieces]
    while sum(widths) > most - min(last, LAST) and max(widths, default=0) > LEAST:
        widths[widths.index(max(widths))] -= 1
    found = []
    for *row, free in cells:
        clipped = ((clip(cell, wide), wide) for cell, wide in zip(row, widths, strict=True))
        start = joined([indent, *(joined([cell, " " * (wide - width(cell) + 2)]) for cell, wide in clipped)])
        if wraps and width(start) + width(free) > room():
            found.append([_strip_end(start), *wrap(free, HANG)])
        else:
            found.append([_strip_end(clip(joined([start, free])))])
    return found


def _strip_end(text: str) -> str:
    if text == text.rstrip():
        return text
    *pieces, (last, style) = styled_pieces(text)
    return _strip_end(Styled(*pieces, *([(last.rstrip(), style)] if last.strip() or not pieces else [])))
