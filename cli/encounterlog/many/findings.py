"""The findings of many logs in a file: a Parquet table, and beside it the lines that a later run can go on from.

While the work is on, each log's line and findings are added to OUT.lines, a file of JSON lines. At the end the table OUT is
made from it. `--resume` reads OUT.lines, whether or not the run before it came to its end.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec
from msgspec import structs

from encounterlog.edge.failures import NOT_WRITTEN, USAGE, Failure
from encounterlog.edge.replacing import check_ordinary, replaced
from encounterlog.exporters.parquet import library
from encounterlog.many.checking import AuditedLog, Task
from encounterlog.many.locations import shown

GROUP = 50_000
"""How many findings are written to the table at once."""
OF_LOG = ("log", "head", "ruleset", "revision")
OF_FINDING = ("id", "rule", "severity", "event", "line", "says", "expected", "found", "because", "ruled")
"""The columns of the table."""
WHOLE = ("revision", "id", "event", "line", "ruled")
"""The columns that are whole numbers; `because` is a list of them, the others are text."""


class EarlierAudit(NamedTuple):
    """What is known of a log from an earlier run: where its line begins, its head and revision."""

    offset: int
    head: str | None
    revision: int | None


class Findings:
    """The findings of many logs, kept as they come, and made a table at the end."""

    def __init__(self, out: Path, *, resume: bool) -> None:
        self._parquet = library()
        self._out, self._lines = out, out.with_name(f"{out.name}.lines")
        self._decode = msgspec.json.Decoder(AuditedLog).decode
        self._known: dict[str, EarlierAudit] = {}
        self._listed: list[int] = []
        """Where the lines of this run begin, in the order of its logs; their names may look the same."""
        for path in (out, self._lines):
            if not resume and (path.exists() or path.is_symlink()):
                raise Failure(USAGE, f"{path} is already there", "choose another name, or go on with it: --resume")
            check_ordinary(path)
        try:
            self._file: BinaryIO = self._lines.open("a+b")
        except OSError as error:
            raise Failure(NOT_WRITTEN, f"{self._lines}: {(error.strerror or str(error)).lower()}") from None
        self._learn()

    def with_head(self, task: Task) -> Task:
        """Return a task with what is known of its log, if that could be read whole."""
        known = self._known.get(shown(task.log))
        return structs.replace(task, head=known.head, revision=known.revision) if known else task

    def kept(self, log: str) -> AuditedLog:
        """Return the line and findings of a log that is known, and list it."""
        offset = self._known[log].offset
        self._listed.append(offset)
        return self._at(offset)

    def add(self, one: AuditedLog) -> None:
        """Keep the line and findings of a log, and list it."""
        offset = self._file.seek(0, os.SEEK_END)
        self._file.write(msgspec.json.encode(one) + b"\n")
        self._file.flush()
        self._known[one.log] = EarlierAudit(offset, one.head, one.revision)
        self._listed.append(offset)

    def table(self) -> None:
        """Write the table of the listed logs in the place of an earlier one, and close the lines."""
        import pyarrow as pa

        kinds = {name: pa.int64() for name in WHOLE} | {"because": pa.list_(pa.int64())}
        schema = pa.schema([(name, kinds.get(name, pa.string())) for name in (*OF_LOG, *OF_FINDING)])
        with replaced(self._out) as beside, self._parquet.ParquetWriter(beside, schema) as writer:
            for rows in _grouped(self._rows()):
                writer.write_batch(pa.RecordBatch.from_pylist(rows, schema))
        self._file.close()

    def _at(self, offset: int) -> AuditedLog:
        self._file.seek(offset)
        return self._decode(self._file.readline())

    def _rows(self) -> Iterator[dict[str, Any]]:
        for one in map(self._at, self._listed):
            of_log = {name: getattr(one, name) for name in OF_LOG}
            for finding in one.findings:
                yield of_log | {name: getattr(finding, name) for name in OF_FINDING}

    def _learn(self) -> None:
        """Read the lines of an earlier run; what follows the last whole one is cut off."""
        self._file.seek(0)
        offset = 0
        for line in self._file:
            try:
                one = self._decode(line)
            except msgspec.MsgspecError:
                break
            self._known[one.log] = EarlierAudit(offset, None if one.problem else one.head, one.revision)
            offset += len(line)
        self._file.truncate(offset)


def _grouped(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    group: list[dict[str, Any]] = []
    for row in rows:
        group.append(row)
        if len(group) == GROUP:
            yield group
            group = []
    yield group
