"""Parquet: the same tables as in CSV, typed, with the head and the title in the metadata of the schema."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from encounterlog.errors import missing_extra
from encounterlog.exporters.session import Session
from encounterlog.exporters.tables import MOMENT, NUMBER, TRUTH, table


def write(session: Session) -> Iterator[bytes]:
    """Yield a whole file; raise Refused if pyarrow is not installed."""
    pa = library()
    kinds = {NUMBER: pa.int64(), TRUTH: pa.bool_(), MOMENT: pa.timestamp("us", tz="UTC")}
    found = table(session)
    about = {"head": str(session.head), "title": session.title, "ruleset": session.opening.ruleset}
    schema = pa.schema([(name, kinds.get(kind, pa.string())) for name, kind in found.columns.items()], metadata=about)
    columns = [*zip(*found.rows, strict=True)] or [()] * len(schema)
    arrays = [
        pa.array(
            [datetime.fromisoformat(value) for value in column] if one.type == kinds[MOMENT] else list(column), one.type
        )
        for column, one in zip(columns, schema, strict=True)
    ]
    held = pa.BufferOutputStream()
    pa.parquet.write_table(pa.Table.from_arrays(arrays, schema=schema), held)
    yield held.getvalue().to_pybytes()


def library() -> Any:
    """Return the library that reads and writes Parquet; raise Refused if it is not installed."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise missing_extra("refused", "Parquet needs pyarrow, which is not installed", "tables") from None
    return pyarrow
