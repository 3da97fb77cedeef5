"""Fault 65: appends of several threads that share one write and one sync, of which something goes wrong."""

import errno
import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from eventstore.errors import Busy, NotReadable, NotWritten, OutcomeUnknown, StoreError
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft
from eventstore.store import Appended, Mode
from tests.eventstore.logs import AT, drafts, rounds
from tests.faults.campaign import Run, fault
from tests.faults.memfs import ANY, Died, How, MemFS, Process
from tests.faults.recording import REAL, Batch, Make, Recording, cut, hold
from tests.faults.stories import BLOCKS, at_call

PATIENCE = 20.0
"""How long a thread may take before it counts as stuck, in seconds."""


class Interrupted(BaseException):
    """Stands for Ctrl-C, or whatever else is thrown into a thread."""


@dataclass(frozen=True)
class Ask:
    batch: Batch
    mode: Mode = "durable"
    key: str | None = None


def note(text: str, mode: Mode = "durable", key: str | None = None) -> Ask:
    return Ask(drafts(Noted(text=text)), mode, key)


GROUPS: dict[str, list[Ask]] = {
    "all durable": [note("one"), Ask(rounds(1, 3)), note("three", key="third")],
    "a flushed one leads": [note("one", "flushed"), note("two"), Ask(rounds(1, 3), key="third")],
    "a flushed one follows": [note("one"), note("two", "flushed"), note("three", key="third")],
    "all flushed": [note("one", "flushed"), Ask(rounds(1, 3), "flushed")],
}
"""What the threads ask for that come while another one writes; the first of them leads."""

_HOW: tuple[How, ...] = ("lost", "any")

Outcome = Appended | BaseException


class Group:
    """Is threads that append together. A first append is on its way while they come, so that they become one group."""

    def __init__(self, asks: Sequence[Ask], make: Make = REAL, *, block: int = 512) -> None:
        self.asks = asks
        self.recording = Recording(MemFS(block=block), make, seed=block)
        self.recording.wait = PATIENCE
        self.store = self.recording.create()
        self.recording.wait = Recording.wait
        self.process: Process = self.recording.process_of(self.store)
        self.outcomes: dict[int, Outcome] = {}
        self.hanging = 0
        self._threads = [
            threading.Thread(target=self._append, args=(place,), daemon=True) for place in range(len(asks))
        ]

    def writes(self) -> None:
        """Let all of them append, and wait for all of them."""
        at_call(self.recording, 1, self._gather)
        self.recording.append(self.store, rounds(9, 1))
        for thread in self._threads:
            thread.join(PATIENCE)
        self.hanging = sum(thread.is_alive() for thread in self._threads)

    def _gather(self) -> None:
        """Let the others queue behind the append that is on its way, in their order."""
        for number, thread in enumerate(self._threads, 1):
            thread.start()
            _until_waiting(self.store, number)

    def _append(self, place: int) -> None:
        ask = self.asks[place]
        try:
            self.outcomes[place] = self.recording.append(self.store, ask.batch, key=ask.key, mode=ask.mode)
        except (StoreError, Interrupted, Died) as error:
            self.outcomes[place] = error


def _until_waiting(store: JsonlStore, number: int) -> None:
    for _ in range(20_000):
        if len(store._queue._waiting) >= number:
            return
        time.sleep(0.0005)
    raise AssertionError("a thread does not queue")


@fault(65, "appends of several threads share a sync that fails, is interrupted, or comes too late")
def shared(run: Run, make: Make = REAL) -> None:
    for name, asks in GROUPS.items():
        first = _alone(make)
        calls = _calls(asks, make)
        power_goes(run, name, asks, make)
        for call, nth in _failing(calls[first:]):
            fails(run, f"{name}, {call} {nth} of the group fails", asks, call, nth + calls[:first].count(call), make)
        for size in (10, 300, 1 << 20):
            fails(run, f"{name}, the disk is full after {size} bytes", asks, "write", 2, make, short=size)
        for nth in range(1, len(calls) - first + 1, run.some(2, 1)):
            interrupted(run, f"{name}, interrupted at call {nth} of the group", asks, first + nth, make)
    keys_of_all(run, make)


def _calls(asks: Sequence[Ask], make: Make) -> list[str]:
    group = Group(asks, make)
    before = len(group.process.calls)
    group.writes()
    return [each.name for each in group.process.calls[before:]]


def _alone(make: Make) -> int:
    """Return how many calls the append makes that is on its way while the others come."""
    return len(_calls([], make))


def _failing(calls: Sequence[str]) -> Iterator[tuple[str, int]]:
    return ((name, nth) for name in ("write", "sync", "stat", "pread") for nth in range(1, calls.count(name) + 1))


def power_goes(run: Run, name: str, asks: Sequence[Ask], make: Make = REAL) -> None:
    for block in BLOCKS[: run.some(1, 2)]:
        group = Group(asks, make, block=block)
        group.writes()
        _judge(run, name, group)
        for moment in group.recording.moments:
            for how in _HOW:
                for seed in range(run.some(1, 6)):
                    cut(run, f"{name}, blocks of {block}", moment, seed, how)


def fails(
    run: Run, case: str, asks: Sequence[Ask], call: str, nth: int, make: Make = REAL, short: int | None = None
) -> None:
    """A call fails, a write perhaps after so many bytes: whoever is told that his facts are there finds them there."""
    group = Group(asks, make)
    group.process.fail(call, nth, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), short=short)
    group.writes()
    _judge(run, case, group)


def interrupted(run: Run, case: str, asks: Sequence[Ask], nth: int, make: Make = REAL) -> None:
    """Who writes for all is interrupted before a call: the others are told the truth, and can go on."""
    group = Group(asks, make)
    group.process._plan.add(ANY, nth, 1, Interrupted())
    group.writes()
    _judge(run, case, group)


def _judge(run: Run, case: str, group: Group) -> None:
    """Hold what each was told against the log, as it stands, once all died, and once the power went."""
    if group.hanging:
        run.breach("I6", case, f"{group.hanging} threads hang")
        return
    if strange := [each for each in group.outcomes.values() if not isinstance(each, _ANSWERS)]:
        run.breach("I6", case, f"it ended with {strange[0]!r}")
    if len(group.outcomes) < len(group.asks):
        run.breach("I6", case, "a thread ended without an answer")
    moment = group.recording.last
    hold(run, f"{case}, all died", group.recording.survived, moment.machine.clone())
    for seed, how in enumerate(_HOW):
        cut(run, case, moment, seed, how)
    try:
        group.recording.append(group.recording.open(), rounds(20, 1))
    except Busy:
        run.breach("I6", case, "the lock was not given back")


_ANSWERS = (Appended, NotWritten, NotReadable, OutcomeUnknown, Interrupted)


def keys_of_all(run: Run, make: Make = REAL) -> None:
    """Each fact of an append may have a key; whichever of them comes again, by whichever handle, it is known."""
    for size in (2, 3):
        batch = [Draft(Noted(text=f"fact {place}"), key=f"key {place}") for place in range(size)]
        recording = Recording(MemFS(), make, seed=size)
        store = recording.create()
        recording.append(store, batch)
        for handle in (store, recording.open(), store):
            for place in range(size):
                case = f"{size} facts with keys, asked for again from {place} on"
                _asked_again(run, case, recording, handle, batch[place:])
        hold(run, f"{size} facts with keys", recording.last, recording.machine)


def _asked_again(run: Run, case: str, recording: Recording, store: JsonlStore, batch: Batch) -> None:
    """All of it is there already, or some of it: then it is refused."""
    before = recording.machine.get(recording.path)
    with suppress(StoreError):
        store.append(batch, by="gm", at=AT)
    run.counts.cases += 1
    if recording.machine.get(recording.path) != before:
        run.counts.invented += 1
        run.breach("I2", case, "a fact whose key was there was written again")
