"""CSV, as RFC 4180 has it: a table of facts, or of rounds and combatants. No cell is a formula to any spreadsheet.

A text that would begin one gets an apostrophe before it, which spreadsheets take for the mark of text. Invisible characters are
escaped. CSV has no place for the head: it goes into a file beside.
"""

import csv
import io
from collections.abc import Iterator
from itertools import chain
from typing import Any

from encounterlog.exporters.session import Session
from encounterlog.exporters.tables import make_table
from eventstore.wording import escape_json

FORMULA = tuple("=+-@\t\r\n＝＋－＠'")
"""The first characters of a cell that a spreadsheet may calculate or, with an apostrophe, would show without it."""


def write(session: Session) -> Iterator[bytes]:
    """Yield the lines of a table, the names of its columns first."""
    found, held = make_table(session), io.StringIO(newline="")
    writer = csv.writer(held)
    for row in chain([found.columns], found.rows):
        writer.writerow(map(format_cell, row))
        yield held.getvalue().encode()
        held.seek(0)
        held.truncate()


def format_cell(value: Any) -> Any:
    """Return a value for a cell."""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return value
    return f"'{escape_json(value)}" if value.lstrip(" \u00a0").startswith(FORMULA) else escape_json(value)
