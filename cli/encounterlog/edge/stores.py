"""The only place that chooses a store. For now, every path is a JSONL file."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from eventstore import jsonl
from eventstore.chain import Anchor
from eventstore.record import Draft, Recorded
from eventstore.store import Store

if TYPE_CHECKING:
    from eventstore.copying import Copy
    from eventstore.repair import Plan


def open_store(path: Path, *, network_drive: bool = False, shows: bool = False) -> Store:
    """Return the store of a log, unchanged. `network_drive` allows writing where locks may be unreliable.

    With `shows`, a terminal is told how far the reading of a large log is.
    """
    if shows:
        from encounterlog.edge.progress import ShownDisk

        return jsonl.JsonlStore(path, network_drive=network_drive, disk=ShownDisk())
    return jsonl.JsonlStore(path, network_drive=network_drive)


def create_store(path: Path, drafts: Sequence[Draft], *, by: str, at: str, network_drive: bool = False) -> Store:
    """Create a log whose first draft opens the encounter, at a free path; raise as the store does."""
    return jsonl.create(path, drafts, by=by, at=at, network_drive=network_drive)


def copy_store(path: Path, copy: "Copy", *, network_drive: bool = False) -> None:
    """Create a log from the lines of another one, at a free path; raise what the store or the source raises."""
    from eventstore import copying, network  # rarely asked for
    from eventstore.disk import MACHINE

    network.check(MACHINE, path, path.parent, allowed=network_drive)
    copying.create(path, copying.lines(copy))


def fork_store(
    path: Path,
    records: Iterable[Recorded],
    opening: Draft,
    drafts: Sequence[Draft],
    *,
    by: str,
    at: str,
    network_drive: bool = False,
) -> None:
    """Create a log from the records of another one under a new opening, and drafts after them, at a free path."""
    from eventstore import forking, network  # rarely asked for
    from eventstore.disk import MACHINE

    network.check(MACHINE, path, path.parent, allowed=network_drive)
    forking.create(path, records, opening, drafts, by=by, at=at)


def plan_repair(path: Path, by: str) -> "Plan":
    """Return what a repair of a log would do; raise as the store does if nothing can be kept."""
    from eventstore.repair import planned  # rarely asked for

    return planned(path, by=by)


def repair(plan: "Plan", path: Path, *, at: str, network_drive: bool = False) -> Anchor | None:
    """Carry out a repair, and return the new end of the log; raise as the store does."""
    from eventstore.repair import carried_out

    return carried_out(plan, path, at=at, network_drive=network_drive)
