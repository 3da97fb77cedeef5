"""Hands for one log: processes and threads that work side by side, what they say, where they can be made to halt."""

import ctypes
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from eventstore.disk import Disk
from eventstore.errors import StoreError
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft, Recorded, decode, encode_record
from eventstore.repair import carried_out, plan_repair
from tests.eventstore.logs import AT, OPENING, drafts, log_of, rounds
from tests.faults.campaign import Run
from tests.faults.judging import Story, judge
from tests.faults.processes import Child, Said, Say

LOG = "ford.jsonl"
GOOD = log_of(drafts(OPENING), rounds(1, 2))
LONG = 60
"""How many seconds a case may take before it counts as a hang."""
LIFE = 300
"""How many seconds a child may live, where its case does not give it longer."""
MOMENT = 0.02
"""How long a handle waits that is to find the log busy."""
PATIENT = 30.0
"""How long one waits that is not."""

TORN = log_of(drafts(OPENING), rounds(1, 1)).splitlines()[1][:150]
"""A line that was cut short."""

_SET_PDEATHSIG = 1
Work = Callable[[Say], object]
Acked = Sequence[Recorded]


# ---------------------------------------------------------------- hands


@contextmanager
def children(*works: Work, life: int = LIFE) -> Iterator[list[Child]]:
    """Let processes work side by side; those that are left in the end are killed, with all that they started."""
    living: list[Child] = []
    try:
        for work in works:
            living.append(Child(partial(_with_its_own, work, life)))  # noqa: PERF401 – those that live are known at any time
        yield living
    finally:
        for child in living:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)
            child.kill()


def _with_its_own(work: Work, life: int, say: Say) -> None:
    """Work in a group of its own."""
    os.setpgid(0, 0)
    signal.alarm(life)
    die_with_the_parent()
    warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads, which are tried on purpose
    work(say)


def die_with_the_parent() -> None:
    """Let the system kill this process when the parent is gone, where it can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def side_by_side(*works: Callable[[], object]) -> None:
    with ThreadPoolExecutor(len(works)) as pool:
        for done in [pool.submit(work) for work in works]:
            done.result()


def until(happened: Callable[[], object]) -> None:
    while not happened():
        time.sleep(0.002)


def heard(child: Child, word: str) -> None:
    until(lambda: child.over or any(said[0] == word for said in child.said))


def ended(run: Run, case: str, child: Child, *errors: str) -> list[Said]:
    """Wait until a child has ended well, and return what it said; these errors may have come to it."""
    if child.end():
        run.breach("I6", case, f"a writer ended with {child.code}")
    answered(run, case, child.said, *errors)
    return child.said


def answered(run: Run, case: str, said: Iterable[Said], *errors: str) -> None:
    """Hold what came out of a store against what may: these errors of its own, with a reason and a hint."""
    for word, about, *rest in said:
        if word == "broke":
            run.breach("I6", case, f"{about}: {rest[0]} came out of the store")
        elif word == "failed":
            name, why, hint = rest
            if name not in errors or not (why and hint):
                run.breach(
                    "I6", case, f"{about}: {name}, not {' or '.join(errors) or 'done'}, or without a hint: {why}"
                )


# ---------------------------------------------------------------- what they do to a log


def begun(folder: Path, name: str = LOG) -> Path:
    path = folder / name
    path.write_bytes(GOOD)
    return path


def note(text: str) -> list[Draft]:
    return drafts(Noted(text=text))


def append(store: JsonlStore, text: str, **how: Any) -> Acked:
    return store.append(note(text), by="gm", at=AT, **how).records


def appends(store: JsonlStore, text: str, say: Say, batch: Sequence[Draft] = (), **how: Any) -> bool:
    """Append a note or a batch, say what came of it, and return whether it was acked."""
    try:
        records = store.append(batch or note(text), by="gm", at=AT, **how).records
    except StoreError as error:
        say("failed", text, type(error).__name__, str(error), error.hint)
        return False
    acks(say, text, records)
    return True


def keep_writing(path: Path, name: str, say: Say) -> None:
    """Append without end, one record or several, short or long, until something is refused."""
    with JsonlStore(path, wait=PATIENT) as store:
        for number in count():
            say("about", text := f"{name} {number}")
            if not appends(store, text, say, batch_of(text), mode="durable" if number % 2 else "flushed"):
                return
            time.sleep(0.003)


def batch_of(text: str) -> list[Draft]:
    """Return the batch that whoever keeps writing appends under this name."""
    number = int(text.rpartition(" ")[2])
    return drafts(*(Noted(text=f"{text}/{place} " + "x" * (number % 5 * 400)) for place in range(number % 4 + 1)))


def flying_in(said: Iterable[Said]) -> list[list[Draft]]:
    """Return the batches of which those who kept writing do not know whether they are in the log."""
    said = list(said)
    over = {what for word, what, *rest in said if word == "acked" or (word == "failed" and rest[0] != "OutcomeUnknown")}
    return [batch_of(what) for word, what, *_ in said if word == "about" and what not in over]


def acks(say: Say, what: object, records: Acked) -> None:
    say("acked", what, [encode_record(record).decode() for record in records])


def acked_in(said: Sequence[Said]) -> list[Recorded]:
    found = [decode(line.encode()) for word, _, *rest in said if word == "acked" for line in rest[0]]
    return sorted(found, key=lambda record: record.seq)


def held(run: Run, case: str, path: Path, acked: Acked, flying: Sequence[Sequence[Draft]] = ()) -> list[Recorded]:
    with JsonlStore(path) as store:
        return judge(run, case, Story(list(acked), list(flying)), store, path.read_bytes())


def put(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def repair(path: Path) -> None:
    carried_out(plan_repair(path, by="gm"), path, at=AT)


# ---------------------------------------------------------------- the critical section


PLACES = ("locked", "nothing written", "half written", "written", "synced")


class Halting(Disk):
    """Is a disk that does something else at one place of the critical section, the next time after it is armed."""

    def __init__(self, place: str, does: Callable[[], object], *, armed: bool = False) -> None:
        self.place, self.does, self.armed = place, does, armed

    def try_lock(self, fd: int, *, shared: bool) -> None:
        super().try_lock(fd, shared=shared)
        self._at("locked to read" if shared else "locked")

    def write(self, fd: int, data: bytes | memoryview) -> int:
        self._at("nothing written")
        half = len(data) // 2 if self.armed and self.place == "half written" else 0
        count = super().write(fd, data[:half]) if half else 0
        self._at("half written")
        count += super().write(fd, data[half:])
        self._at("written")
        return count

    def sync(self, fd: int) -> None:
        super().sync(fd)
        self._at("synced")

    def _at(self, place: str) -> None:
        if self.armed and place == self.place:
            self.armed = False
            self.does()
