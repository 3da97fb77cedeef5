"""The time of one durable append and of one verified record by its parts: why some ratios stay below their targets.

An append's work beside its write and its sync is promised: the line is read back and its ids are checked before it is
written; the lock keeps other processes out; a look at the file before and after detects another one in its place, and a writer
without the lock; threads share a sync. That takes some 25 µs of the processor, but 70 to 80 µs by the clock, for after each
sync the caches are cold: each step takes two to three times as long as in a row. Of these, the system calls alone are 12 (the row
"the calls of an append"), the line 43 (made, read back, checked), the queue of threads 8. Without any line to make, the share
would be 0.77. `pwritev2` with RWF_DSYNC in place of write and fdatasync gains nothing (0 to 1 of 100). On a disk that syncs in 0.1 ms
the share of the floor is 0.6 to 0.7 therefore (target 1), 0.4 to 0.5 for a log that is opened for each append, which has to be found,
locked and verified as well (2), 0.5 for 16 facts a sync (3) and a third for 100: to encode, decode, compare and hash them twice takes
2.2 µs each, a write of 100 lines 2.7.

A record that is read is decoded and hashed twice, which is the floor (9). It is also encoded again, which shows that it has
the canonical form, and its ids are checked. With these two steps, no loop reaches more than half of the floor.
"""

import itertools
import os
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.append import AT, floor, fresh, script
from benchmarks.measuring import Measurement, Work, in_turn, median_of_pairs
from eventstore import form
from eventstore.chain import DIGEST, GENESIS, TAIL, TO_CUT, chain_line, encode_metadata
from eventstore.disk import APPEND, MACHINE, Disk
from eventstore.form import are_proper
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft, decode, encode, encode_record, event_text, newest

APPENDING, READING = "one append, its sync left out", "one record, read and verified"
BY_PROCESSOR = "µs processor"


class Unsynced(Disk):
    """A disk that leaves out the sync, so that the work around it can be measured by the processor."""

    def sync(self, fd: int) -> None:
        del fd


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure; `folder` is on the disk to be measured."""
    events, runs = (300, 7) if short else (1000, 21)
    drafts = [Draft(event) for event in itertools.islice(script(), events)]
    read, appended = folder / "profile-read.jsonl", folder / "profile-appended.jsonl"
    _append(read, drafts, Unsynced())
    lines = read.read_bytes().splitlines()[1:]
    appending = partial(_append, appended, drafts, Unsynced())
    return [
        *_shares(APPENDING, appending, _steps_of_appending(folder / "profile-steps", drafts, lines), events, runs),
        _cold(appended, drafts, runs),
        *_shares(READING, partial(_read, read), _steps_of_reading(lines), events, runs),
    ]


def _shares(name: str, whole: Work, steps: dict[str, Work], events: int, runs: int) -> list[Measurement]:
    """Measure a whole and its steps, each by itself; the remainder is the rest."""
    taken = in_turn({name: whole, **steps}, runs, clock=time.process_time)
    each = {what: tuple(seconds / events * 1e6 for seconds in times) for what, times in taken.items()}
    rest = tuple(own - sum(parts) for own, *parts in zip(*each.values(), strict=True))
    rows = [
        Measurement(what, BY_PROCESSOR, times, median_of_pairs(taken[what], taken[name]))
        for what, times in each.items()
    ]
    return [
        *rows,
        Measurement(
            "- the rest: calls, decisions, results", BY_PROCESSOR, rest, 1 - sum(row.ratio or 0 for row in rows[1:])
        ),
    ]


def _cold(path: Path, drafts: Sequence[Draft], runs: int) -> Measurement:
    """Measure by the clock the time that an append adds to its write and its sync: after a sync the caches are cold."""
    works = {"floor": floor(path, drafts, 1)}
    works |= {"own": partial(_append, path, drafts, MACHINE), "warm": partial(_append, path, drafts, Unsynced())}
    taken = in_turn(works, runs)
    added = [own - least for own, least in zip(taken["own"], taken["floor"], strict=True)]
    per_event = tuple(seconds / len(drafts) * 1e6 for seconds in added)
    note = "times its time without syncs"
    return Measurement(
        "its time beside write + fdatasync, by the clock",
        "µs",
        per_event,
        median_of_pairs(added, taken["warm"]),
        note=note,
    )


def _append(path: Path, drafts: Sequence[Draft], disk: Disk) -> None:
    with JsonlStore(fresh(path), disk=disk) as store:
        for draft in drafts:
            store.append([draft], by="gm", at=AT)


def _read(path: Path) -> None:
    for _ in JsonlStore(path).read():
        pass


# ---------------------------------------------------------------- the steps, each by itself


def _steps_of_appending(path: Path, drafts: Sequence[Draft], lines: Sequence[bytes]) -> dict[str, Work]:
    path.touch()
    fd, common = os.open(path, APPEND), encode_metadata(AT, "gm")

    def lock(_: Draft) -> None:
        MACHINE.try_lock(fd, shared=False)
        MACHINE.unlock(fd)

    def look(_: Draft) -> None:
        MACHINE.stat(str(path))
        MACHINE.pread(fd, 67, 0)
        MACHINE.stat(str(path))

    def make(draft: Draft) -> None:
        chain_line(draft, encode(draft.event), len(drafts), common, None, os.urandom(16).hex(), GENESIS)

    def read_back(line: bytes) -> None:
        record = decode(line)
        if encode_record(record) == line:
            form.check_canonical(event_text(line), record.plain)

    return {
        "- lock and unlock": partial(_each, lock, drafts),
        "- looks at the file, before and after": partial(_each, look, drafts),
        "- the line: encoded, salted, hashed twice": partial(_each, make, drafts),
        "- the line read back, its ids checked": partial(_each, read_back, lines),
        "- write": partial(_each, partial(MACHINE.write, fd), lines),
    }


def _steps_of_reading(lines: Sequence[bytes]) -> dict[str, Work]:
    records = [newest.decode(line) for line in lines]

    def hashes(line: bytes) -> None:
        cut = line.find(DIGEST) + TO_CUT
        sha256(line[cut + 1 : -TAIL]).hexdigest()
        sha256(GENESIS.encode() + line[:cut]).hexdigest()

    return {
        "- decoded": partial(_each, newest.decode, lines),
        "- hashed twice": partial(_each, hashes, lines),
        "- encoded again, for the canonical form": partial(_each, encode, records),
        "- ids checked": partial(_each, are_proper, [record.event for record in records]),
    }


def _each(function: Callable[[Any], object], items: Iterable[Any]) -> None:
    for item in items:
        function(item)
