"""Stories told on a machine in memory, every moment at which its power may go, and what must hold of the log then."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any

from eventstore.errors import OutcomeUnknown, StoreError, WrongVersion
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft, Recorded, encode_record
from eventstore.repair import carried_out, plan_repair
from eventstore.store import Appended, Mode
from tests.eventstore.logs import AT, OPENING, drafts, read
from tests.faults.campaign import Run
from tests.faults.judging import Story, judge, readable
from tests.faults.memfs import How, MemFS, Process

FORD = Path("/logs/ford.jsonl")
CHANGING = frozenset({"open", "write", "truncate", "sync", "sync_folder", "link", "rename", "unlink"})
"""The calls that change something. A power cut before any other is one before the next of these."""

Batch = Sequence[Draft]


@dataclass(frozen=True)
class Make:
    """Is what is put to the test: the store, and the processes in which it runs."""

    store: type[JsonlStore] = JsonlStore
    process: type[Process] = Process

    def opened(self, machine: MemFS, path: Path = FORD) -> JsonlStore:
        return self.store(path, disk=machine.process(self.process))


REAL = Make()


@dataclass(frozen=True)
class Moment:
    """Is a machine as it stood before a call, or in the `end`, and what had happened; `keyed` are the appends with keys."""

    nth: int
    call: str
    machine: MemFS
    story: Story
    keyed: dict[str, Batch] = field(default_factory=dict)
    make: Make = REAL
    path: Path = FORD

    @property
    def case(self) -> str:
        return f"before call {self.nth} ({self.call})"

    @cached_property
    def unsynced(self) -> int:
        return self.machine.unsynced(self.path)


class Recording:
    """Tells a story: whatever is acked, in flight or shown is written down as it happens, and every moment is kept.

    What is only `flushed` counts as in flight: a power cut may take it back.
    """

    wait = 0.01
    """How long a new handle waits for a lock, in seconds."""

    def __init__(self, machine: MemFS, make: Make = REAL, *, path: Path = FORD, seed: object = 0) -> None:
        self.machine, self.make, self.path = machine, make, path
        self.chance = Random(str(seed))
        self.moments: list[Moment] = []
        self.keyed: dict[str, Batch] = {}
        self.beside: Callable[[], object] | None = None
        """What others do before each call."""
        self._acked: dict[int, Recorded] = {}
        self._flushed: list[tuple[Batch, Appended]] = []
        self._flying: list[Batch] = []
        self._seen: dict[bytes, Recorded] = {}
        self._calls = 0
        self._book = Lock()
        """Threads that append together write down one after the other what came of it."""
        self._handles: dict[JsonlStore, Process] = {}
        """Held, so that none is closed at a moment of its own."""
        machine.folder(path.parent)

    @classmethod
    def after(cls, moment: Moment, machine: MemFS, *, seed: object = 0) -> "Recording":
        told = cls(machine, moment.make, path=moment.path, seed=seed)
        told._acked = {record.seq: record for record in moment.story.acked}
        told._flying = list(moment.story.flying)
        told.show(moment.story.seen)
        told.keyed = dict(moment.keyed)
        return told

    @property
    def story(self) -> Story:
        return Story([self._acked[seq] for seq in sorted(self._acked)], list(self._flying), list(self._seen.values()))

    @property
    def last(self) -> Moment:
        return self._moment("end")

    @property
    def survived(self) -> Moment:
        """The story up to now where all processes die and the machine goes on: what was flushed is there as well."""
        records = [record for _, done in self._flushed for record in done.records]
        acked = sorted([*self.story.acked, *records], key=lambda record: record.seq)
        landed = [batch for batch, _ in self._flushed]
        flying = [batch for batch in self._flying if not any(batch is each for each in landed)]
        return replace(self.last, call="death", story=Story(acked, flying, self.story.seen))

    # ------------------------------------------------------------ who tells

    def process(self) -> Process:
        process = self.machine.process(self.make.process)
        process.meanwhile = self._look
        return process

    def open(self, *, doubt: str = "") -> JsonlStore:
        return self.handle(self.process(), doubt=doubt)

    def handle(self, disk: Process, **how: Any) -> JsonlStore:
        handle = self.make.store(self.path, disk=disk, entropy=self.chance.randbytes, wait=self.wait, **how)
        self._handles[handle] = disk
        return handle

    def process_of(self, store: JsonlStore) -> Process:
        return self._handles[store]

    def _look(self, call: str) -> None:
        if self.beside is not None:
            beside, self.beside = self.beside, None  # who works beside is not disturbed in turn
            beside()
            self.beside = beside
        self._calls += 1
        if call in CHANGING:
            self.moments.append(self._moment(call))

    def _moment(self, call: str) -> Moment:
        return Moment(self._calls, call, self.machine.clone(), self.story, dict(self.keyed), self.make, self.path)

    # ------------------------------------------------------------ what happens

    def create(self, batch: Batch | None = None, disk: Process | None = None) -> JsonlStore:
        batch = batch or drafts(OPENING)
        self._flying.append(batch)
        disk = disk or self.process()
        create(self.path, batch, by="gm", at=AT, entropy=self.chance.randbytes, disk=disk).close()
        self._land(batch)
        self._acked = {record.seq: record for record in read(self.machine.get(self.path))}
        return self.handle(disk)

    def append(
        self,
        store: JsonlStore,
        batch: Batch,
        *,
        key: str | None = None,
        after: int | None = None,
        mode: Mode = "durable",
    ) -> Appended:
        """Append; an error that says that nothing was written is taken at its word, and raised as every other."""
        self._flying.append(batch)
        if key:
            self.keyed[key] = batch
        try:
            done = store.append(batch, by="gm", at=AT, key=key, after=after, mode=mode)
        except StoreError as error:
            if not isinstance(error, OutcomeUnknown):
                with self._book:
                    self._land(batch)
            if isinstance(error, WrongVersion):
                self.show(error.between)
            raise
        with self._book:
            self._flushed.append((batch, done))
            if mode == "durable" or done.again:
                self._confirm()
        return done

    def read(self, store: JsonlStore) -> list[Recorded]:
        records, _ = readable(store)
        self.show(records)
        return records

    def show(self, records: Iterable[Recorded]) -> None:
        self._seen |= {encode_record(record): record for record in records}

    def repair(self) -> None:
        disk = self.process()
        carried_out(
            plan_repair(self.path, by="gm", disk=disk), self.path, at=AT, disk=disk, entropy=self.chance.randbytes
        )

    def _confirm(self) -> None:
        """All that was written until now is durable."""
        for batch, done in self._flushed:
            self._land(batch)
            if done.again:  # what had been in flight before
                self._flying = [each for each in self._flying if each != batch]
            self._acked |= {record.seq: record for record in done.records}
        self._flushed.clear()

    def _land(self, batch: Batch) -> None:
        self._flying = [each for each in self._flying if each is not batch]


def before_sync(recording: Recording) -> Moment:
    return next(moment for moment in reversed(recording.moments) if moment.call == "sync")


# ---------------------------------------------------------------- what must hold


def cut(run: Run, case: str, moment: Moment, seed: int = 0, how: How = "any", size: int | None = None) -> MemFS:
    """Cut the power at a moment, hold the machine that comes back against the story, and return it as it came back."""
    after = moment.machine.crash(seed, how, cut=size)
    end = f"{seed}" if size is None else f"{size} bytes"
    hold(run, f"{case}, {moment.case}, {how} {end}", moment, after.clone())
    return after


def hold(run: Run, case: str, moment: Moment, after: MemFS) -> None:
    """Judge a log by handles of every kind, and repeat what had a key; in short, one after the other.

    The machine is used up.
    """
    if moment.path.name not in after.names(moment.path.parent):
        _absent(run, case, moment, after)
        return
    back, data, before = after.clone(), after.get(moment.path), run.counts.refused
    judge(run, case, moment.story, moment.make.opened(after, moment.path), data)
    _kept(run, case, moment, after, data)
    refused = run.counts.refused > before
    if refused:
        _repair(run, f"{case}, repaired", moment, back)
    elif not run.short or run.counts.cases % 3 == 1:
        _repeat(run, case, moment, back)


def _absent(run: Run, case: str, moment: Moment, after: MemFS) -> None:
    """A log that was never acked may be missing; it can be made, then."""
    run.counts.cases += 1
    run.counts.lost += len(moment.story.acked)
    if moment.story.acked:
        run.breach("I1", case, "the log is gone")
    if moment.story.seen:
        run.breach("I5", case, "the log is gone, which a reader saw")
    disk = after.process(moment.make.process)
    try:
        create(moment.path, drafts(OPENING), by="gm", at=AT, disk=disk).close()
    except StoreError as error:
        run.breach("I6", case, f"the log is not there and cannot be made: {error}")


def _kept(run: Run, case: str, moment: Moment, after: MemFS, data: bytes) -> None:
    """What was cut off is kept beside the log, byte for byte."""
    now = after.get(moment.path)
    beside = [name for name in after.names(moment.path.parent) if name.startswith(f"{moment.path.name}.")]
    kept = [after.get(moment.path.with_name(name)) for name in beside]
    if now.startswith(data) or any(data.endswith(side) and now.startswith(data.removesuffix(side)) for side in kept):
        return
    run.breach("I6", case, "bytes were cut off that are not kept beside the log")


def _repeat(run: Run, case: str, moment: Moment, after: MemFS) -> None:
    """Appends with keys that are repeated are there once, those that were acked where they had been."""
    acked = {record.key: record for record in moment.story.acked if record.key}
    for key, batch in moment.keyed.items():
        store = moment.make.opened(after, moment.path)
        done = store.append(batch, by="gm", at=AT, key=key)
        found = [record for record in readable(store)[0] if record.key == key]
        if found != [done.records[0]] or acked.get(key, done.records[0]) != done.records[0]:
            run.counts.invented += 1
            run.breach("I2", case, f"the append {key!r}, repeated, is there {len(found)} times, or elsewhere")


def _repair(run: Run, case: str, moment: Moment, after: MemFS) -> None:
    """A log that was refused is usable once it is repaired, and has all that was acked, wherever the power goes meanwhile."""
    recording = Recording.after(moment, after.clone(), seed=case)
    _repaired(run, case, moment, recording)
    moments = recording.moments[:: run.some(5, 1)]
    for place, second in enumerate(moments[run.counts.cases % len(moments) :] if moments else ()):
        again = f"{case}, {second.case}, any {place}"
        _repaired(run, again, moment, Recording.after(moment, second.machine.crash(place)))


def _repaired(run: Run, case: str, moment: Moment, recording: Recording) -> None:
    found = recording.machine.get(moment.path)
    try:
        recording.repair()
    except StoreError as error:
        run.counts.cases += 1
        if moment.story.acked or moment.story.seen:
            run.breach("I6", case, f"it cannot be repaired: {error}")
        return
    _kept(run, case, moment, recording.machine, found)
    data, before = recording.machine.get(moment.path), run.counts.refused
    judge(run, case, moment.story, moment.make.opened(recording.machine, moment.path), data)
    if run.counts.refused > before:
        run.breach("I6", case, "it is refused all the same")
