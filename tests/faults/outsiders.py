"""Fault 54: others copy a log while it is written."""

import shutil
import subprocess
from functools import partial
from itertools import groupby
from pathlib import Path

from eventstore.jsonl import JsonlStore
from eventstore.record import Draft, Recorded
from tests.eventstore.logs import read
from tests.faults.campaign import Run, fault
from tests.faults.judging import readable
from tests.faults.together import (
    GOOD,
    LOG,
    LONG,
    Acked,
    acked_in,
    answered,
    begun,
    children,
    flying_in,
    heard,
    held,
    keep_writing,
)

BACKUPS: dict[str, tuple[str, ...]] = {
    "cp -r": ("cp", "-r"),
    "rsync -a": ("rsync", "-a"),
    "tar": ("sh", "-c", 'mkdir "$1" && tar -C "$0" -cf - . 2>/dev/null | tar -C "$1" -xf -'),
}
"""How people make backups; what is copied and where to come behind it."""


@fault(54, "a backup by cp -r, rsync, tar during writes")
def backed_up(run: Run) -> None:
    tools = {name: command for name, command in BACKUPS.items() if shutil.which(name.split()[0])}
    if missing := BACKUPS.keys() - tools.keys():
        run.counts.untried = f"there is no {' and no '.join(name.split()[0] for name in missing)} here"
    for turn in range(run.some(2, 20)):
        with run.folder() as folder, run.within(LONG, f"time {turn}"):
            _back_up(run, folder, tools, turn)


def _back_up(run: Run, folder: Path, tools: dict[str, tuple[str, ...]], turn: int) -> None:
    """Copy a folder again and again while writers work; each copy opens and holds what was acked before it began."""
    (folder / "logs").mkdir()
    path, copies = begun(folder / "logs"), list[tuple[str, list[Recorded]]]()
    with children(*(partial(keep_writing, path, f"{number}") for number in range(3))) as writers:
        for child in writers:
            heard(child, "acked")
        for name, command in list(tools.items()) * 3:
            copies.append((f"{len(copies)} {name}", acked_in([each for child in writers for each in child.said])))
            subprocess.run([*command, f"{path.parent}/", folder / copies[-1][0]], check=True)
        for child in writers:
            child.kill()
    said = [each for child in writers for each in child.said]
    answered(run, f"time {turn}", said)
    records = held(run, f"time {turn}", path, [*read(GOOD), *acked_in(said)], flying_in(said))
    for name, before in copies:
        _opens(run, f"{name}, time {turn}", folder / name / LOG, [*read(GOOD), *before], records)


def _opens(run: Run, case: str, copy: Path, before: Acked, records: Acked) -> None:
    """Hold that a copy is the beginning of the log, with at most a torn tail, and has what was acked before it."""
    with JsonlStore(copy) as store:
        found, error = readable(store)
    if error and not getattr(error, "torn", False):
        run.breach("I6", case, f"the copy does not open: {error}")
    if found != list(records[: len(found)]):
        run.breach("I4", case, "the copy is not the beginning of the log")
    acked = {record.seq for record in before}
    held(run, case, copy, before, as_drafts([record for record in records if record.seq not in acked]))


def as_drafts(records: Acked) -> list[list[Draft]]:
    batches = groupby(records, lambda record: record.seq - (record.batch or (1, 1))[0])
    return [[Draft(record.event) for record in batch if record.event] for _, batch in batches]
