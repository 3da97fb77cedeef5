"""Parquet: the same tables as in CSV, typed, with the head and the title in the metadata of the schema."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from encounterlog.errors import missing_extra
from encounterlog.exporters.session import Session
from encounterlog.exporters.tables import MOMENT, NUMBER, TRUTH, make_table

GROUP = 10_000
"""The most rows that are held at once."""


def write(session: Session) -> Iterator[bytes]:
    """Yield a whole file; raise Refused if pyarrow is not installed."""
    pa = import_pyarrow()
    kinds = {NUMBER: pa.int64(), TRUTH: pa.bool_(), MOMENT: pa.timestamp("us", tz="UTC")}
    found = make_table(session)
    about = {"head": str(session.head), "title": session.title, "ruleset": session.opening.ruleset}
    schema = pa.schema([(name, kinds.get(kind, pa.string())) for name, kind in found.columns.items()], metadata=about)
    held = pa.BufferOutputStream()
    with pa.parquet.ParquetWriter(held, schema) as file:
        while rows := [*islice(found.rows, GROUP)]:
            columns = [
                pa.array(column, pa.string() if pa.types.is_timestamp(field.type) else field.type)
                for column, field in zip(zip(*rows, strict=True), schema, strict=True)
            ]
            file.write_table(pa.Table.from_arrays(columns, schema.names).cast(schema))
    yield held.getvalue().to_pybytes()


def import_pyarrow() -> Any:
    """Return the library that reads and writes Parquet; raise Refused if it is not installed."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise missing_extra("refused", "Parquet needs pyarrow, which is not installed", "tables") from None
    return pyarrow
