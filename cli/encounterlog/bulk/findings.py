"""The findings of many logs in a Parquet table OUT, made at the end from OUT.lines, to which each log's line and findings are added meanwhile,
and which `--resume` reads, whether or not the run before it finished. Files of others are never touched.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct, structs

from encounterlog.bulk.checking import AuditedLog, Task, display_name
from encounterlog.errors import Refused
from encounterlog.exporters.tables import import_pyarrow
from encounterlog.places.replacing import check_ours, name_taken, write_whole
from encounterlog.words.refusals import refusal_of
from eventstore import copying, files
from eventstore.address import is_url
from eventstore.disk import MACHINE
from eventstore.errors import StoreError
from eventstore.wording import visible

OURS = {"encounterlog": "findings 1"}
"""The mark of a table of findings: the metadata of its schema, and the first of the lines."""
OF_LOG = ("log", "head", "ruleset", "revision")
"""The columns of every row; those of the row that each log has of its own; those of a finding, which follow its log's."""
OF_AUDIT = ("records", "breaches", "notices", "problem")
OF_FINDING = ("id", "rule", "severity", "event", "line", "says", "expected", "found", "because", "ruled")
WHOLE = ("revision", "records", "breaches", "notices", "id", "event", "line", "ruled")
"""The columns that are whole numbers; `because` is a list of them, the others are text."""
OTHER_NAME = "choose another name"


class Kept(Struct, frozen=True):
    """A line of OUT.lines: an audited log, and its place as a digest, since names may be relative or look the same."""

    place: str
    audited: AuditedLog


class Findings:
    """The findings of many logs, kept as they come, and made into a table at the end, with those of earlier runs."""

    def __init__(self, out: Path, *, resume: bool) -> None:
        """Raise Refused for a name at which there is something else, and without `resume` for what an earlier run left."""
        if out.suffix == ".duckdb":
            hint = f"--out {visible(out.with_suffix('.parquet').name)}, which DuckDB reads by the name of the file"
            raise Refused("usage", "findings are written as a table in Parquet, and no database", hint)
        self._arrow = import_pyarrow()
        self._out, self.lines = out, out.with_name(f"{out.name}.lines")
        self._decode = msgspec.json.Decoder(Kept).decode
        # the logs by the digests of their places: the offset of each line, its head if it was read whole, its revision
        self._known: dict[str, tuple[int, str | None, int | None]] = {}
        self.unread: list[int] = []  # the numbers of an earlier run's lines that cannot be read, which stay as they are
        check_ours(out, self._check_table)
        check_ours(self.lines, self._check_lines)
        there = [path for path in (out, self.lines) if os.path.lexists(path)]
        if there == [out]:
            says = f"{visible(str(self.lines))}, from which {visible(out.name)} was made, is not there"
            raise Refused("usage", says, OTHER_NAME)
        if there and not resume:
            raise name_taken(there[0], f"{OTHER_NAME}, or go on with it: --resume")
        try:
            if not os.path.lexists(self.lines):
                copying.create_file(str(self.lines), [_encode_line(OURS)])
            self._file: BinaryIO = self.lines.open("a+b")
        except (OSError, StoreError) as error:
            raise refusal_of(error) from None
        if MACHINE.can_lock:
            try:
                with suppress(OSError):  # a file system without locks
                    files.lock_file(MACHINE, self._file.fileno(), str(self.lines), 0)
            except StoreError:
                self.close()
                says = f"{visible(str(self.lines))}: another audit is adding to it"
                raise Refused("not-written", says, f"wait for it, or {OTHER_NAME}") from None
        self._read_known()

    def with_head(self, task: Task) -> Task:
        """Return a task with the known head and revision of its log, if that could be read whole."""
        _, head, revision = self._known.get(_task_digest(task), (0, None, None))
        return structs.replace(task, head=head, revision=revision)

    def known_audit(self, task: Task) -> AuditedLog:
        """Return the line and findings of a log that is known."""
        return self._read_line_at(self._known[_task_digest(task)][0])

    def add(self, task: Task, one: AuditedLog) -> None:
        """Keep the line and findings of a log."""
        offset = self._file.seek(0, os.SEEK_END)
        self._file.write(_encode_line(Kept(_task_digest(task), one)))
        self._file.flush()
        self._known[_task_digest(task)] = offset, None if one.problem else one.head, one.revision

    def write_table(self) -> None:
        """Write the table of all known logs in place of an earlier one, and close the lines."""
        pa = self._arrow
        kinds = dict.fromkeys(WHOLE, pa.int64()) | {"because": pa.list_(pa.int64())}
        columns = [(name, kinds.get(name, pa.string())) for name in (*OF_LOG, *OF_AUDIT, *OF_FINDING)]
        schema = pa.schema(columns, metadata=OURS)
        try:
            with write_whole(self._out, self._check_table) as draft, pa.parquet.ParquetWriter(draft, schema) as writer:
                found = self._table_rows()
                while rows := list(islice(found, 50_000)):
                    writer.write_batch(pa.RecordBatch.from_pylist(rows, schema))
        except (Refused, OSError) as error:
            if isinstance(error, OSError):
                error.filename = error.filename or str(self._out)
            refused = refusal_of(error)
            remedy = "make room" if refused.kind == "not-written" else "move the other file away"
            refused.hint = f"the findings are in {visible(str(self.lines))}: {remedy}, and go on with --resume"
            raise refused from None
        finally:
            self.close()

    def close(self) -> None:
        """Close the lines."""
        self._file.close()

    def _check_table(self, path: Path) -> None:
        try:
            about = self._arrow.parquet.read_schema(path).metadata or {}
        except (OSError, ValueError):  # no Parquet
            about = {}
        if any(about.get(name.encode()) != value.encode() for name, value in OURS.items()):
            raise Refused("usage", f"{visible(str(path))} is already there, and is no table of findings", OTHER_NAME)

    def _check_lines(self, path: Path) -> None:
        with path.open("rb") as file:
            if file.readline(1_000) != _encode_line(OURS):
                raise Refused("usage", f"{visible(str(path))} is already there, and is no list of findings", OTHER_NAME)

    def _read_line_at(self, offset: int) -> AuditedLog:
        self._file.seek(offset)
        return self._decode(self._file.readline()).audited

    def _table_rows(self) -> Iterator[dict[str, Any]]:
        for offset, _, _ in self._known.values():
            one = self._read_line_at(offset)
            of_log = {name: getattr(one, name) for name in OF_LOG}
            yield of_log | {name: getattr(one, name) for name in OF_AUDIT}
            yield from (of_log | {name: getattr(each, name) for name in OF_FINDING} for each in one.findings)

    def _read_known(self) -> None:
        """Read the lines of earlier runs; one that cannot be read stays, and the next begins on a line of its own."""
        self._file.seek(0)
        offset, line = 0, b""
        for number, line in enumerate(self._file, 1):
            if number > 1:
                try:
                    place, one = structs.astuple(self._decode(line))
                    self._known[place] = offset, None if one.problem else one.head, one.revision
                except msgspec.MsgspecError:
                    self.unread.append(number)
            offset += len(line)
        if not line.endswith(b"\n"):
            self._file.write(b"\n")
            self._file.flush()


def _encode_line(value: Any) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def _task_digest(task: Task) -> str:
    place = display_name(task.log) if is_url(task.log) else str(Path(task.log).absolute())
    return sha256(os.fsencode(place)).hexdigest()[:32]
