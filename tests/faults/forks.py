"""Fault 68: a fork of a log is cut off while it is made, finds no room, or finds its name taken."""

import errno
import os
from collections.abc import Callable
from dataclasses import replace
from itertools import count, product
from pathlib import Path

import msgspec

from encounterlog.cli.failures import FINE
from eventstore import copying
from eventstore.disk import MACHINE, Disk
from eventstore.errors import NotWritten, OutcomeUnknown, StoreError
from eventstore.events import Noted, Struck
from eventstore.record import Draft, Recorded, event_text
from eventstore.shapes import Fork
from tests.encounterlog.support import encounter
from tests.eventstore import verifier
from tests.eventstore.logs import AT, OPENING, counted, drafts, log_of, read, rounds, small_log
from tests.faults.campaign import Run, fault
from tests.faults.files import NoLinks
from tests.faults.judging import Story
from tests.faults.memfs import MemFS, Process
from tests.faults.recording import FORD, REAL, Batch, Make, Recording, cut
from tests.faults.stories import BLOCKS, OTHER

SOURCE = FORD.with_name("source.jsonl")
FILE = "fork.jsonl"
MORE = drafts(Struck(event=4), Noted(text="„Brücke“ ✓"))
"""What is told after the records of the other log."""


def fork(path: Path, data: bytes, disk: Disk = MACHINE, more: Batch = MORE) -> None:
    records = read(data)
    opening = Draft(msgspec.structs.replace(OPENING, encounter="fork", forked_from=_origin(records)))
    copying.create_file(path, copying.lines_of_fork(records, opening, more, by="gm", at=AT, entropy=counted()), disk)


def _origin(records: list[Recorded]) -> Fork:
    return Fork(encounter=OPENING.encounter, seq=records[-1].seq, hash=records[-1].hash)


SOURCES: dict[str, bytes] = {
    "four records": small_log(),
    "a batch that opens": log_of([*drafts(OPENING), *rounds(1, 3)], rounds(4, 1)),
    "more than a piece": log_of(drafts(OPENING), *(drafts(Noted(text="x" * 1900)) for _ in range(600))),
}


def _whole(data: bytes) -> bytes:
    machine = MemFS()
    machine.folder(FORD.parent)
    fork(FORD, data, machine.process())
    return machine.get(FORD)


@fault(68, "a fork cut off while it is made, without room, onto a name that is taken")
def forks(run: Run, make: Make = REAL) -> None:
    for name, data in SOURCES.items():
        _is_a_fork(run, name, data, _whole(data))
    for name, links in product(list(SOURCES)[: run.some(2, 3)], (True, False)):
        using = make if links else Make(make.store, NoLinks)
        _made(run, f"{name}, {'' if links else 'no '}links", SOURCES[name], using)
    _without_room(run)
    _failing(run)
    for name, put in TAKEN.items():
        _taken(run, name, put)


def _is_a_fork(run: Run, case: str, data: bytes, whole: bytes) -> None:
    """It is sound to the verifier too, and what it took over has its payloads and salts."""
    run.counts.cases += 1
    line, why = verifier.first_fault(whole)
    mine, theirs = whole.splitlines(), data.splitlines()
    kept = [event_text(line) for line in mine[1 : len(theirs)]] == [event_text(line) for line in theirs[1:]]
    if line or not kept or len(mine) != len(theirs) + len(MORE):
        run.breach("I4", case, f"is no fork: line {line}: {why}")


def _made(run: Run, case: str, data: bytes, make: Make) -> None:
    """The power goes before each call, and in the end: the fork is whole or not there, and the other log as it was."""
    whole = _whole(data)
    records = read(whole)
    flying: list[Batch] = [[Draft(each.event) for each in batch if each.event] for batch in _batches(records)]
    for block in BLOCKS if len(records) < 100 else BLOCKS[-1:]:
        recording = Recording(MemFS(block=block), make)
        recording.machine.put(SOURCE, data)
        fork(FORD, data, recording.process())
        moments = [replace(moment, story=Story(flying=flying)) for moment in recording.moments]
        for moment in [*moments, replace(recording.last, story=Story(records))]:
            for how in ("kept", "lost", "zeros", "garbage", "any"):
                for seed in range(run.some(1, 20 if len(records) < 100 else 1) if how in ("garbage", "any") else 1):
                    back = cut(run, f"{case}, blocks of {block}", moment, seed, how)
                    found = back.get(FORD) if FORD.name in back.names(FORD.parent) else None
                    if found not in ((None, whole) if make is REAL else (None, b"", whole)):
                        run.breach("I3", f"{case}, {moment.case}, {how} {seed}", "a part of a fork is there")
                    if back.get(SOURCE) != data:
                        run.breach("I1", f"{case}, {moment.case}, {how} {seed}", "the log that was forked is another")


def _batches(records: list[Recorded]) -> list[list[Recorded]]:
    found: list[list[Recorded]] = []
    for record in records:
        if record.batch is None or record.batch[0] == 1:
            found.append([])
        found[-1].append(record)
    return found


# ---------------------------------------------------------------- on a disk that fails


def _without_room(run: Run) -> None:
    """However much of it fits, nothing is left of a fork that does not fit as a whole."""
    size = len(_whole(small_log()))
    for room in (*range(0, size, run.some(199, 7)), size - 1, size):
        case, (machine, disk) = f"room for {room} bytes", _disk()
        disk.fail("write", 1, short=room)
        disk.fail("write", 2, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), times=99)
        said = _said(run, case, machine, disk)
        if (said is None) != (room == size):
            run.breach("I6", case, f"came to {said!r}")


def _failing(run: Run) -> None:
    """Each call fails once: the fork is there where that was said, and else not, unless it is unknown."""
    for call in ("open", "write", "sync", "close", "link", "unlink", "sync_folder"):
        for nth in count(1):
            machine, disk = _disk()
            disk.fail(call, nth)
            _said(run, f"{call} {nth} fails", machine, disk)
            if [each.name for each in disk.calls].count(call) < nth:
                break


def _disk() -> tuple[MemFS, Process]:
    machine = MemFS()
    machine.folder(FORD.parent)
    return machine, machine.process()


def _said(run: Run, case: str, machine: MemFS, disk: Process) -> StoreError | None:
    """Make a fork, hold what is there afterwards against what was said, and return the error if there was one."""
    run.counts.cases += 1
    error: StoreError | None = None
    try:
        fork(FORD, small_log(), disk)
    except StoreError as refused:
        error = refused
        run.counts.refused += 1
    found = machine.get(FORD) if FORD.name in machine.names(FORD.parent) else None
    whole = _whole(small_log())
    allowed = (None, whole) if isinstance(error, OutcomeUnknown) else (None,) if error else (whole,)
    if found not in allowed or (error is not None and not str(error)):
        run.breach(
            "I6", case, f"{error!r}, and {'nothing' if found is None else len(found)} of {len(whole)} bytes are there"
        )
    return error


# ---------------------------------------------------------------- a name that is taken


def _a_link(path: Path, source: Path) -> None:
    path.symlink_to(source.name)


TAKEN: dict[str, Callable[[Path, Path], object]] = {
    "a file": lambda path, _: path.write_bytes(b"Dear diary\n"),
    "an empty file": lambda path, _: path.touch(),
    "another log": lambda path, _: path.write_bytes(log_of(drafts(OTHER))),
    "a folder": lambda path, _: path.mkdir(),
    "a link to the log itself": _a_link,
    "a link that leads nowhere": lambda path, _: path.symlink_to("nowhere"),
    "a link to itself": lambda path, _: path.symlink_to(path.name),
    "a second name of the log": lambda path, source: path.hardlink_to(source),
    "a pipe": lambda path, _: os.mkfifo(path),
    "nothing, and the log itself is named": lambda *_: None,
}
"""What may have the name that a fork is to get; it gets the log that is to be forked, too."""


def _taken(run: Run, name: str, put: Callable[[Path, Path], object]) -> None:
    """It is refused, by the store and by the command, and everything stays as it was."""
    with run.folder(real=False) as folder:
        source = folder / "ford.jsonl"
        source.write_bytes(small_log())
        path = folder / FILE
        put(path, source)
        path = path if os.path.lexists(path) else source
        before = _all(folder)
        run.counts.cases += 2
        try:
            fork(path, small_log())
        except NotWritten:
            run.counts.refused += 1
        else:
            run.breach("I6", name, "a fork was written there")
        done = encounter("whatif", source, "--strike", 4, "--save", path)
        run.counts.refused += done.exit_code != FINE
        if done.exit_code == FINE or "already a file of that name" not in done.stderr:
            run.breach("I6", f"{name}, the command", f"exit code {done.exit_code}: {done.stderr[:200]}")
        if _all(folder) != before:
            run.breach("I1", name, "something was changed")


def _all(folder: Path) -> dict[str, tuple[str, bytes]]:
    return {
        each.name: (str(each.readlink()) if each.is_symlink() else "", each.read_bytes() if each.is_file() else b"")
        for each in folder.iterdir()
    }
