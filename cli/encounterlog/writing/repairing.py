"""A repair on its way: what is planned, what was done, and how much of that the owner of a log is told."""

import os
from pathlib import Path

from msgspec import Struct

from encounterlog.edge.failures import DIFFERENCE, FINE
from encounterlog.edge.options import now
from encounterlog.edge.stores import plan_repair, repair
from eventstore.record import Recorded
from eventstore.repair import Plan
from eventstore.store import Problem


class Aside(Struct, frozen=True):
    """Is what a repair puts aside, and where."""

    file: str
    bytes: int
    sha256: str


class Repaired(Struct, frozen=True):
    """Tells what a repair did, or would do where `done` is false; nothing is to be done where there is no problem.

    The first `records` records up to `kept` (SEQ:HASH) stay. `mended` says what was put right around them. `whole` are the
    lines put aside that are records by themselves. `note` is what the log says of it, and `head` where it ends now.
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


def run(file: Path, by: str, *, dry_run: bool, network_drive: bool) -> tuple[Repaired, tuple[Recorded, ...], int]:
    """Repair a log, or only plan it; return what came of it, the first records that go aside, and the exit code."""
    real = Path(os.path.realpath(file)) if file.is_symlink() else file
    plan = plan_repair(real, by)
    head = plan.head if dry_run else repair(plan, real, at=now(), network_drive=network_drive)
    done = _told(real, plan, str(head), done=bool(plan.problem) and not dry_run)
    return done, plan.lost, DIFFERENCE if dry_run and plan.problem else FINE


def _told(file: Path, plan: Plan, head: str, *, done: bool) -> Repaired:
    return Repaired(
        file=str(file),
        done=done,
        problem=plan.problem,
        records=plan.records,
        kept=str(plan.head),
        mended=plan.mended,
        aside=Aside(f"{file}{plan.side}", plan.aside, plan.digest) if plan.problem else None,
        whole=plan.whole,
        note=plan.note,
        head=head,
    )
