"""Faults 16, 19 and 20: files that are made, gone and left over."""

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path

from encounterlog.ask.listing import list_logs
from eventstore.errors import CorruptLog, NotALog, NotReadable, NotWritten, StoreError
from eventstore.jsonl import JsonlStore, create
from eventstore.paths import AnyPath
from eventstore.record import Recorded
from tests.eventstore.logs import AT, OPENING, drafts, read, rounds, small_log
from tests.faults.campaign import DoesNotApply, Run, fault
from tests.faults.judging import Story
from tests.faults.memfs import MemFS, Process
from tests.faults.recording import FORD, REAL, Batch, Make, Moment, Recording, cut, hold
from tests.faults.stories import ASIDE, BLOCKS, LAST, OTHER, a_log_of, at_call, evening

FIRST: dict[str, Batch] = {"one record": drafts(OPENING), "a batch": [*drafts(OPENING), *rounds(1, 3)]}
"""What a log may begin with."""


class NoLinks(Process):
    def kind(self, path: AnyPath) -> str:
        super().kind(path)
        return "vfat"

    def link(self, old: AnyPath, new: AnyPath) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM), str(old), None, str(new))


# ---------------------------------------------------------------- made


@fault(16, "cut before and after each step of creating a log")
def creating(run: Run, make: Make = REAL) -> None:
    for block, (name, batch), links in product(BLOCKS, FIRST.items(), (True, False)):
        using = make if links else Make(make.store, NoLinks)
        recording = Recording(MemFS(block=block), using, seed=name)
        recording.create(batch)
        for moment in [*recording.moments, recording.last]:
            for how in ("kept", "lost", "zeros", "garbage", "any"):
                for seed in range(run.some(2, 60) if how in ("garbage", "any") else 1):
                    cut(run, f"{name}, blocks of {block}, {'' if links else 'no '}links", moment, seed, how)
        _written_to_meanwhile(run, f"{name}, blocks of {block}, {'' if links else 'no '}links", recording)
    for nth, links in product(range(1, 13), (True, False)):
        _created_twice(run, nth, make if links else Make(make.store, NoLinks))


def _written_to_meanwhile(run: Run, case: str, created: Recording) -> None:
    """Who makes a log dies before each call; another finds it there and appends, and the power goes."""
    for moment in created.moments:
        recording = Recording.after(moment, moment.machine.clone())
        with suppress(NotALog, CorruptLog):  # it is not there yet, or empty
            recording.append(recording.open(), rounds(1, 1))
            last = replace(recording.last, story=Story(read(recording.machine.get(FORD))))
            cut(run, f"{case}, its maker died {moment.case}, another wrote", last, 0, "lost")


def _created_twice(run: Run, nth: int, make: Make) -> None:
    """Another makes a log of that name before the nth call of one who does; exactly one of them is told that he did."""
    recording = Recording(MemFS(), make)
    made: list[Recorded] = []

    def quicker() -> None:
        with suppress(NotWritten):
            create(FORD, drafts(OTHER), by="other", at=AT, disk=recording.machine.process(make.process)).close()
            made.extend(read(recording.machine.get(FORD)))

    at_call(recording, nth, quicker)
    with suppress(NotWritten):
        recording.create()
    case = f"another is quicker before call {nth}, {make.process.__name__}"
    if made and recording.story.acked:
        run.breach("I1", case, "two made the log, and both were told so")
    hold(run, case, replace(recording.last, story=Story(made or recording.story.acked)), recording.machine)


def _refused(run: Run, case: str, work: Callable[[], object], *errors: type[StoreError]) -> None:
    try:
        work()
    except StoreError as error:
        run.counts.refused += 1
        if not isinstance(error, errors) or not str(error):
            run.breach("I6", case, f"{type(error).__name__}: {error}")
    else:
        run.breach("I6", case, "is not refused")


# ---------------------------------------------------------------- gone, left over


@fault(19, "a lock file missing or deleted by an admin while held")
def no_lock_file(run: Run, make: Make = REAL) -> None:
    for (last, (batch, key)), nth in product(LAST.items(), range(1, 12)):
        _renamed_while_held(run, f"{last}, renamed before call {nth}", make, batch, key, nth)
        _deleted_while_held(run, f"{last}, deleted before call {nth}", make, batch, key, nth)
    raise DoesNotApply(
        "there is no lock file: the lock is on the log itself; tried is the log renamed and deleted while its lock is held"
    )


def _renamed_while_held(run: Run, case: str, make: Make, batch: Batch, key: str | None, nth: int) -> None:
    """What was acked is in the log, whatever its name; and a log of the old name is not brought back."""
    recording, store = a_log_of([rounds(1, 2)], make)
    admin = recording.machine.process()
    at_call(recording, nth, lambda: admin.rename(FORD, ASIDE))
    _tried(recording, store, batch, key)
    if recording.machine.names(FORD.parent) == [FORD.name]:
        admin.rename(FORD, ASIDE)
    _refused(run, case, lambda: recording.append(store, rounds(9, 1)), NotReadable)
    if recording.machine.names(FORD.parent) != [ASIDE.name]:
        run.breach("I6", case, "the old name came back")
    hold(run, case, replace(recording.last, path=ASIDE), recording.machine)


def _deleted_while_held(run: Run, case: str, make: Make, batch: Batch, key: str | None, nth: int) -> None:
    """The log is gone, which is said and no more; another can be made."""
    recording, store = a_log_of([rounds(1, 2)], make)
    admin = recording.machine.process()
    at_call(recording, nth, lambda: admin.unlink(FORD))
    _tried(recording, store, batch, key)
    with suppress(FileNotFoundError):
        admin.unlink(FORD)
    _refused(run, case, lambda: recording.append(store, rounds(9, 1)), NotReadable)
    if recording.machine.names(FORD.parent):
        run.breach("I6", case, "a deleted log came back")
    hold(run, case, Moment(0, "deleted", recording.machine, Story(), make=make), recording.machine)


def _tried(recording: Recording, store: JsonlStore, batch: Batch, key: str | None = None) -> None:
    with suppress(StoreError):
        recording.append(store, batch, key=key)
    recording.beside = None


LEFT: dict[str, bytes] = {
    ".encounterlog-0123456789ab.new": small_log(),
    ".encounterlog-0123456789ac.new": small_log()[:99],
    ".encounterlog-0123456789ad.new": b"",
    "ford.jsonl.torn-2-1": b"from an earlier time",
    "ford.jsonl.torn-4-1": small_log()[-200:],
    "ford.jsonl.damaged-5-1": b"\0" * 999,
    "ford.jsonl.sig": b"no signature",
    "ford.jsonl~": small_log(),
    ".ford.jsonl.swp": small_log()[::-1],
}
"""What may lie beside a log: by the store itself, which died, or by others."""


@fault(20, "left-over temporary files")
def left_over(run: Run, make: Make = REAL) -> None:
    """A log is made and written among them, and the power goes; they stay as they are, and are no logs."""
    for names in (*((name,) for name in LEFT), tuple(LEFT)):
        recording = Recording(MemFS(), make, seed=names)
        for name in names:
            recording.machine.put(FORD.with_name(name), LEFT[name])
        evening(recording)
        for moment in [*recording.moments[:: run.some(9, 1)], recording.last]:
            back = cut(run, f"beside {names[0]}", moment, moment.nth)
            if any(back.get(FORD.with_name(name)) != LEFT[name] for name in names):
                run.breach("I6", f"beside {names[0]}, {moment.case}", "a file beside the log was changed")
    with run.folder() as folder:
        create(folder / FORD.name, drafts(OPENING), by="gm", at=AT).close()
        for name, data in LEFT.items():
            (folder / name).write_bytes(data)
        listed(run, folder, {FORD.name: 1})


def listed(run: Run, folder: Path, expected: dict[str, int]) -> None:
    run.counts.cases += 1
    found = {log.file: log.records for log in list_logs(str(folder)).logs}
    if found != expected:
        run.breach("I6", f"a list of {sorted(each.name for each in folder.iterdir())}", f"shows {found}")
