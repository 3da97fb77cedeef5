"""Two tables of a session, one row per fact, or one per round and combatant: as CSV, or typed in Parquet.

CSV is as RFC 4180 has it. No cell is a formula to any spreadsheet: a text that would begin one gets an apostrophe before it, which
spreadsheets take for the mark of text. Invisible characters are escaped. CSV has no place for the head: it goes into a file beside.
"""

import csv
import io
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Any, NamedTuple

import msgspec

from encounterlog.ask.listing import event_type_of
from encounterlog.errors import missing_extra
from encounterlog.exporters.session import FactLine, Session
from eventstore.wording import escape_json
from projections.views.statistics import Tally

FORMULA = tuple("=+-@\t\r\n＝＋－＠'")
"""The first characters of a cell that a spreadsheet may calculate or, with an apostrophe, would show without it."""
GROUP = 10_000  # the most rows of a Parquet file that are held at once
NUMBER, TEXT, TRUTH, MOMENT = "number", "text", "truth", "moment"
"""The types of columns; a moment is text in RFC 3339, UTC."""


class Table(NamedTuple):
    """The name and type of each column, and the rows."""

    columns: dict[str, str]
    rows: Iterator[tuple[Any, ...]]


Column = tuple[str, Callable[[FactLine], Any]]  # a column of facts: its type, and its value in a line
EVENTS: dict[str, Column] = {
    "seq": (NUMBER, lambda one: one.row.seq),
    "line": (NUMBER, lambda one: one.row.line),
    "at": (MOMENT, lambda one: one.row.at),
    "by": (TEXT, lambda one: one.row.by),
    "round": (NUMBER, lambda one: one.row.when.round),
    "phase": (TEXT, lambda one: one.row.when.phase or None),
    "segment": (NUMBER, lambda one: one.row.when.segment or None),
    "turn": (TEXT, lambda one: one.row.when.turn or None),
    "second": (NUMBER, lambda one: one.row.when.second or None),
    "type": (TEXT, lambda one: event_type_of(one.row) or None),
    "who": (TEXT, lambda one: acting_combatant(one.row.event)),
    "targets": (TEXT, lambda one: _target_ids(one.row.event)),
    "name": (TEXT, lambda one: _action_name(one.row.event)),
    "total": (NUMBER, lambda one: _integer_field(one.row.event, "total")),
    "amount": (NUMBER, lambda one: _integer_field(one.row.event, "amount")),
    "cause": (NUMBER, lambda one: one.step.fact.cause or None if one.step else None),
    "secret": (TRUTH, lambda one: one.row.secret),
    "words": (TEXT, lambda one: one.row.words),
    "note": (TEXT, lambda one: one.row.note or None),
    "changes": (TEXT, lambda one: _encode_json(one.changes) if one.changes else None),
    "fact": (TEXT, lambda one: None if one.row.event is None else _encode_json(one.row.event)),
}
TEXTS = ("combatant", "name", "side", "status", "dealt_with", "took_from", "healed_with")
ROUNDS = {field: TEXT if field in TEXTS else NUMBER for field in Tally.__struct_fields__}


def make_table(session: Session) -> Table:
    """Return the wanted table."""
    if session.wanted.table == "rounds":
        rows = ([getattr(one, field) for field in ROUNDS] for one in session.statistics())
        cells = (tuple(_encode_json(one) if isinstance(one, dict) else one for one in row) for row in rows)
        return Table(ROUNDS, cells)
    columns = {name: kind for name, (kind, _) in EVENTS.items()}
    return Table(columns, (tuple(value(one) for _, value in EVENTS.values()) for one in session.lines))


def acting_combatant(event: Any) -> str | None:
    """Return the combatant behind a fact: its actor, or the source of damage or an effect."""
    return getattr(event, "combatant", None) or getattr(event, "source", None) or getattr(event, "side", None)


def _target_ids(event: Any) -> str | None:
    action = getattr(event, "action", None)
    targets = getattr(event, "targets", ()) or getattr(action, "targets", ()) or (getattr(event, "target", None),)
    return " ".join(filter(None, targets)) or None


def _action_name(event: Any) -> str | None:
    action = getattr(event, "action", None)
    return (action.name or action.kind) if action else getattr(event, "name", None)


def _integer_field(event: Any, field: str) -> int | None:
    value = getattr(event, field, None)
    return value if isinstance(value, int) else None


def _encode_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def write_csv(session: Session) -> Iterator[bytes]:
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


def write_parquet(session: Session) -> Iterator[bytes]:
    """Yield a whole file, with the head and the title in the metadata of the schema; raise Refused if pyarrow is not installed."""
    pa = import_pyarrow()
    kinds = {NUMBER: pa.int64(), TRUTH: pa.bool_(), MOMENT: pa.timestamp("us", tz="UTC")}
    found = make_table(session)
    about = {"head": str(session.head), "title": session.title, "ruleset": session.opening.ruleset}
    schema = pa.schema([(name, kinds.get(kind, pa.string())) for name, kind in found.columns.items()], metadata=about)
    held = pa.BufferOutputStream()
    with pa.parquet.ParquetWriter(held, schema) as file:
        while rows := [*islice(found.rows, GROUP)]:
            types = [pa.string() if pa.types.is_timestamp(field.type) else field.type for field in schema]
            columns = [pa.array(*each) for each in zip(zip(*rows, strict=True), types, strict=True)]
            file.write_table(pa.Table.from_arrays(columns, schema.names).cast(schema))
    yield held.getvalue().to_pybytes()


def import_pyarrow() -> Any:
    """Return the library that reads and writes Parquet; raise Refused if it is not installed."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise missing_extra("refused", "Parquet needs pyarrow, which is not installed", "tables") from None
    return pyarrow
