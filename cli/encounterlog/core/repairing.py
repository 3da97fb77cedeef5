"""Repairing a log: the plan, its execution, and its outcome as data."""

from msgspec import Struct

from encounterlog.errors import Refused, note_written
from encounterlog.storage.clock import now
from eventstore.address import LogAddress
from eventstore.paths import real
from eventstore.record import Recorded
from eventstore.repair import carried_out, planned
from eventstore.store import Problem


class Aside(Struct, frozen=True):
    """The part that a repair sets aside, and its place."""

    file: str
    bytes: int
    sha256: str


class Repaired(Struct, frozen=True):
    """The outcome of a repair, or its plan if `done` is false; without a problem there is nothing to do.

    The first `records` records up to `kept` (SEQ:HASH) are kept. `mended` names the corrections around them. `whole` are the
    lines set aside that are whole records. `note` is the log's own note on it, and `head` its end afterwards.
    """

    file: str
    done: bool
    problem: Problem | None
    records: int
    kept: str
    mended: tuple[str, ...]
    aside: Aside | None
    whole: tuple[int, ...]
    note: str
    head: str


def run(file: LogAddress, by: str, *, dry_run: bool, network_drive: bool) -> tuple[Repaired, tuple[Recorded, ...]]:
    """Repair a log, or only plan it; return the outcome, and the first records that are set aside."""
    if not isinstance(file, str):
        hint = "encounter backup URL FOLDER keeps the lines as they are; repair that file, and import it under another name"
        raise Refused("usage", f"{file}: only a log in a file can be repaired", hint)
    path = real(file)
    plan, head = planned(path, by=by), None
    if not dry_run:
        head = carried_out(plan, path, at=now(), network_drive=network_drive)
        note_written()
    repaired = Repaired(
        file=path,
        done=bool(plan.problem) and not dry_run,
        problem=plan.problem,
        records=plan.records,
        kept=str(plan.head),
        mended=plan.mended,
        aside=Aside(f"{path}{plan.side}", plan.aside, plan.digest) if plan.problem else None,
        whole=plan.whole,
        note=plan.note,
        head=str(plan.head if dry_run else head),
    )
    return repaired, plan.lost
