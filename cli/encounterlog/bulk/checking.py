"""The work on one log among many: functions of a task alone, which any worker can import and call."""

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from encounterlog.bulk.locations import display_name, local_copy
from encounterlog.errors import nameless_fault
from encounterlog.importers import importing
from encounterlog.log.logs import LogView
from encounterlog.places.replacing import write_whole
from encounterlog.words.refusals import refusal_of
from eventstore.address import LogAddress
from eventstore.errors import StoreError
from eventstore.events import EncounterOpened
from eventstore.wording import short_repr, visible
from projections.judging.audit import Finding, audit
from projections.rulesets import UnknownRuleset, find


class AuditedLog(Struct, frozen=True):
    """The audit of one log among many: a line in the list of all, and the findings.

    `head` is its last record as SEQ:HASH, `revision` that of the installed ruleset; with a `problem` both are those of
    the part that could be read, or None. `breaches` and `notices` count what no ruling waives; `ms` is the time it
    took.
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
        return short_repr(
            self, f"{self.log}: {self.breaches} breaches, {self.notices} notices{', a problem' if self.problem else ''}"
        )

    @property
    def line(self) -> dict[str, Any]:
        """Its line in the list: everything but the findings."""
        return {name: getattr(self, name) for name in self.__struct_fields__ if name != "findings"}


class Task(Struct, frozen=True):
    """A log to be audited, with the head and revision that are known of it; and the format, path, ruleset and mapping that it is imported by, if it is."""

    log: str
    head: str | None = None
    revision: int | None = None
    source: tuple[str, str, str, str] | None = None
    by: str = "gm"


def audit_task(task: Task) -> AuditedLog | None:
    """Audit one log; return None if head and revision are the known ones. It raises nothing: faults are data."""
    began = time.perf_counter()
    try:
        if task.source and not (file := Path(task.log)).exists():
            kind, source, ruleset, mapping = task.source
            with write_whole(file) as draft:  # whole or not at all, never over another
                draft.unlink()  # what is imported is a new log itself
                importing.run_import(kind, source, str(draft), None, task.by, ruleset=ruleset, mapping=mapping)
        with local_copy(task.log) as path:
            found = None if task.head and is_known(path, task) else _audit_log(path, task.log)
    except Exception as error:  # noqa: BLE001 – one bad log stops nothing
        found = AuditedLog(display_name(task.log), problem=_describe_error(error))
    taken = round((time.perf_counter() - began) * 1_000, 1)
    return structs.replace(found, ms=taken) if found else None


def is_known(path: LogAddress, task: Task) -> bool:
    """Read a log, and return whether it is whole and has the known head, and its ruleset the known revision."""
    log = LogView(path)
    opened = log.records[0].event if log.records and log.problem is None else None
    if not isinstance(opened, EncounterOpened) or str(log.head) != task.head:
        return False
    with suppress(UnknownRuleset):
        return find(opened.ruleset).revision == task.revision
    return False


def _audit_log(path: LogAddress, name: str) -> AuditedLog:
    log = LogView(path)
    done = audit(log)
    rules, free = done.replay.state.rules, [one for one in done.findings if one.ruled is None]
    return AuditedLog(
        log=display_name(name),
        head=str(log.head) if log.last else None,
        ruleset=rules.key,
        revision=rules.revision,
        records=done.replay.records,
        breaches=done.breaches,
        notices=len(free) - done.breaches,
        problem=nameless_fault(done.problem) if done.problem else None,
        findings=done.findings,
    )


def _describe_error(error: Exception) -> str:
    """Return the fault of a log, without its name, on one line."""
    if isinstance(error, StoreError):
        return visible(nameless_fault(error))
    if isinstance(error, UnknownRuleset):
        return f"line 1: {error}"
    failure = refusal_of(error)
    return visible("; ".join((failure.says, *failure.details)))
