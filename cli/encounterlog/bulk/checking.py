"""Logs among many: where they are, and the audit of one of them, which any worker can import and call. Objects, such as s3://BUCKET/…, are
read by obstore; names and keys of access come from the environment that each store documents, such as AWS_ACCESS_KEY_ID.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from msgspec import Struct, structs

from encounterlog.errors import Refused, missing_extra, nameless_fault
from encounterlog.importers import importing
from encounterlog.log.logs import LogView
from encounterlog.places.replacing import write_whole
from encounterlog.places.shelves import SUFFIX, folder_files
from encounterlog.places.stores import open_place, parse_address
from encounterlog.words.refusals import refusal_of
from eventstore.address import LogAddress, Url, is_url
from eventstore.errors import StoreError
from eventstore.wording import short_repr, visible
from projections.judging.audit import Finding, audit
from projections.rulesets import UnknownRuleset, find

ENGINES = {"processes": "processes on this machine", "dask": "a Dask cluster, by default one of local processes"}
KILLED = "the worker process was killed twice while it read this log"  # what an engine yields in the place of a result
OBJECTS = ("s3://", "gs://", "az://", "file://", "memory://")


class How(NamedTuple):
    """How the work is spread, and the file for findings."""

    engine: str = "processes"
    jobs: int | None = None
    scheduler: str | None = None
    out: Path | None = None
    resume: bool = False


def is_one(names: tuple[str, ...]) -> bool:
    """Return whether these names are one log."""
    is_folder = os.path.isdir(names[0])  # noqa: PTH112 – it is no error that a name can be no path
    return len(names) == 1 and not (is_folder or names[0].startswith(OBJECTS) or _is_database(names[0]))


def display_name(log: str) -> str:
    """Return the name of a log as it is listed: without a password, and without control characters."""
    return visible(str(Url(log)) if is_url(log) and not log.startswith(OBJECTS) else log)


def find_logs(names: Iterable[str]) -> list[str]:
    """Return the logs that names stand for, each once; raise Refused if there are none, and if none of the names exists."""
    names = tuple(names)
    if names and not any(is_url(name) or os.path.lexists(name) for name in names):
        raise Refused("unreadable", f"{display_name(names[0])} is not there", "give files, folders or URLs of logs")
    found = list(dict.fromkeys(log for name in names for log in _logs_below(name)))
    if not found:
        hint = "logs are named *.jsonl; subfolders are not searched"
        raise Refused("usage", f"no logs in {', '.join(map(display_name, names))}", hint)
    return found


def _logs_below(name: str) -> list[str]:
    if _is_database(name):
        return [log.given for log in open_place(Url(name))]
    if os.path.isdir(name):  # noqa: PTH112 – as above
        return [str(path) for path in folder_files(Path(name)) if path.suffix == SUFFIX]
    if not name.startswith(OBJECTS) or name.endswith(SUFFIX):
        return [name]
    base, prefix = _split_url(name)
    try:
        listed = open_object_store(base).list_with_delimiter(prefix or None)["objects"]
        return [f"{base}/{path}" for path in sorted(each["path"] for each in listed) if path.endswith(SUFFIX)]
    except Exception as error:  # noqa: BLE001 – each store has errors of its own
        raise Refused("unreadable", f"{name}: {_first_line(error)}", "are the store's variables set?") from None


def _is_database(name: str) -> bool:
    return name.startswith(("postgresql://", "postgres://")) and len(Url(name).segments) == 1


@contextmanager
def _local_copy(log: str) -> Iterator[LogAddress]:
    if not log.startswith(OBJECTS):
        yield parse_address(log)
        return
    base, name = _split_url(log)
    with TemporaryDirectory(prefix="encounter-") as folder:
        path = Path(folder) / "log.jsonl"
        try:
            with path.open("wb") as file:
                file.writelines(open_object_store(base).get(name).stream())
        except Exception as error:  # noqa: BLE001 – each store has errors of its own
            raise Refused("unreadable", _first_line(error)) from None
        yield str(path)


@cache
def open_object_store(base: str) -> Any:
    """Return the store of a bucket or a root; one for each process, so that connections, and what is in memory, last."""
    try:
        from obstore.store import from_url
    except ImportError:
        raise missing_extra("refused", "object stores need obstore, which is not installed", "objects") from None
    return from_url(base)


def _split_url(url: str) -> tuple[str, str]:
    scheme, _, rest = url.partition("://")
    bucket, _, path = rest.partition("/")
    return f"{scheme}://{bucket}", path.strip("/")


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


class AuditedLog(Struct, frozen=True):
    """The audit of one log among many: a line in the list of all, and the findings.

    `head` is its last record as SEQ:HASH, `revision` that of the installed ruleset; with a `problem` both are those of the part that
    could be read, or None. `breaches` and `notices` count what no ruling waives; `ms` is the time it took.
    """

    log: str
    head: str | None = None
    ruleset: str | None = None
    revision: int | None = None
    records: int = 0
    breaches: int = 0
    notices: int = 0
    problem: str | None = None
    ms: float = 0.0
    findings: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        problem = ", a problem" if self.problem else ""
        return short_repr(self, f"{self.log}: {self.breaches} breaches, {self.notices} notices{problem}")

    @property
    def line(self) -> dict[str, Any]:
        """Its line in the list: everything but the findings."""
        return {name: getattr(self, name) for name in self.__struct_fields__ if name != "findings"}


class Task(Struct, frozen=True):
    """A log to be audited, with the head and revision that are known of it; and the path, format, ruleset and mapping that it is imported by, if it is."""

    log: str
    head: str | None = None
    revision: int | None = None
    source: tuple[str, str, str, str] | None = None
    by: str = "gm"


Work = Callable[[Task], AuditedLog | None]


def audit_task(task: Task) -> AuditedLog | None:
    """Audit one log; return None if head and revision are the known ones. It raises nothing: faults are data."""
    began, name = time.perf_counter(), display_name(task.log)
    try:
        if task.source and not (file := Path(task.log)).exists():
            source, kind, ruleset, mapping = task.source
            with write_whole(file) as draft:  # whole or not at all, never over another
                draft.unlink()  # what is imported is a new log itself
                importing.run_import(kind, source, str(draft), None, task.by, ruleset=ruleset, mapping=mapping)
        with _local_copy(task.log) as path:
            log = LogView(path)
            is_same = task.head and log.records and log.problem is None and str(log.head) == task.head
            if is_same and find(log.opening.ruleset).revision == task.revision:
                return None
            done = audit(log)
            head, rules = str(log.head) if log.last else None, done.replay.state.rules
            notices = sum(one.ruled is None for one in done.findings) - done.breaches
            problem = nameless_fault(done.problem) if done.problem else None
            counts = done.replay.records, done.breaches, notices
            found = AuditedLog(name, head, rules.key, rules.revision, *counts, problem, findings=done.findings)
    except Exception as error:  # noqa: BLE001 – one bad log stops nothing
        failure = refusal_of(error)
        says = f"line 1: {error}" if isinstance(error, UnknownRuleset) else "; ".join((failure.says, *failure.details))
        found = AuditedLog(name, problem=visible(nameless_fault(error) if isinstance(error, StoreError) else says))
    return structs.replace(found, ms=round((time.perf_counter() - began) * 1_000, 1))
