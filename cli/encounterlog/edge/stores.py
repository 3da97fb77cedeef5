"""Where logs are kept: the one place that chooses a store. Today a path is a JSONL file."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from eventstore import jsonl
from eventstore.chain import Anchor
from eventstore.record import Draft
from eventstore.store import Store

if TYPE_CHECKING:
    from eventstore.copying import Copy
    from eventstore.repair import Plan


def open_store(path: Path, *, network_drive: bool = False) -> Store:
    """Return the store of a log; opening changes nothing. `network_drive` lets it write where locks may not hold."""
    return jsonl.JsonlStore(path, network_drive=network_drive)


def create_store(path: Path, drafts: Sequence[Draft], *, by: str, at: str, network_drive: bool = False) -> Store:
    """Make a log whose first draft opens the encounter, over no other; raise as the store does."""
    return jsonl.create(path, drafts, by=by, at=at, network_drive=network_drive)


def copy_store(path: Path, copy: "Copy", *, network_drive: bool = False) -> None:
    """Make a log of the lines of another one, over no other; raise as the store does, and what is wrong with the source."""
    from eventstore import copying, network  # rarely asked for
    from eventstore.disk import MACHINE

    network.check(MACHINE, path, path.parent, allowed=network_drive)
    copying.create(path, copying.lines(copy))


def plan_repair(path: Path, by: str) -> "Plan":
    """Say what a repair of a log would do; raise as the store does where nothing can be kept."""
    from eventstore.repair import planned  # rarely asked for

    return planned(path, by=by)


def repair(plan: "Plan", path: Path, *, at: str, network_drive: bool = False) -> Anchor | None:
    """Do what was planned, and return where the log ends then; raise as the store does."""
    from eventstore.repair import carried_out

    return carried_out(plan, path, at=at, network_drive=network_drive)
