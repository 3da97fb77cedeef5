"""Power cuts of a real file system: what it writes to its block device, and when it flushes that, is recorded and cut off.

Below the file system is a loop device, and below that a file of our own file system (fuse.py), which keeps every write and
every flush in their order, as the kernel's dm-log-writes does. After a cut the device has all that was written before the last
flush, and of what came after it any sectors. The file system is mounted again, and the log in it judged.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from eventstore.errors import StoreError
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft, Recorded
from eventstore.store import Mode
from tests.eventstore.logs import AT, OPENING, drafts, rounds
from tests.faults.campaign import NotTried, Run, fault
from tests.faults.fuse import fuse
from tests.faults.judging import Story, judge
from tests.faults.processes import mounted, ran
from tests.faults.together import LOG

SIZE = 16 << 20
SECTOR = 512
LONG = 600


class FileSystem(NamedTuple):
    kind: str
    made: tuple[str, ...]
    options: str = ""


_EXT4 = ("mkfs.ext4", "-q", "-F", "-m", "0")
FILE_SYSTEMS = {
    "ext4": FileSystem("ext4", _EXT4),
    "ext4, data=writeback": FileSystem("ext4", _EXT4, ",data=writeback"),
    "ext4, blocks of 1024": FileSystem("ext4", (*_EXT4, "-b", "1024")),
    "xfs": FileSystem("xfs", ("mkfs.xfs", "-q", "-f", "--unsupported")),  # of this size
    "btrfs": FileSystem("btrfs", ("mkfs.btrfs", "-q", "-f", "--mixed", "-m", "single", "-d", "single", "-n", "4096")),
}


@dataclass
class Written:
    """What was done to a log, each with how much had been recorded when it was begun and when it was acked."""

    begun: list[tuple[int, Sequence[Draft]]] = field(default_factory=list)
    acked: list[tuple[int, int, tuple[Recorded, ...]]] = field(default_factory=list)
    """Begun at, acked at."""

    def story_at(self, place: int) -> Story:
        over = {begun for begun, at, _ in self.acked if at <= place}
        there = [record for _, at, records in self.acked if at <= place for record in records]
        return Story(there, [batch for at, batch in self.begun if at <= place and at not in over])


@dataclass(frozen=True)
class Device:
    """What a device was told: writes, of which each has a place and bytes, and flushes, in their order."""

    ends: tuple[int, ...]
    """How much had been recorded after each."""
    told: tuple[tuple[int, bytes] | None, ...]
    """A flush is None."""

    @classmethod
    def recorded(cls, data: bytes) -> "Device":
        ends, told, place = list[int](), list[tuple[int, bytes] | None](), 0
        while place < len(data):
            line = data.index(b"\n", place)
            words = data[place:line].split()
            place = line + 1
            if words == [b"sync"]:
                told.append(None)
            else:
                start, size = map(int, words)
                told.append((start, data[place : place + size]))
                place += size
            ends.append(place)
        return cls(tuple(ends), tuple(told))

    def cut(self, number: int, chance: Random) -> bytes:
        """Return what a device holds after the power went behind so many of what it was told."""
        image, before = bytearray(SIZE), self.told[:number]
        flushed = max((place for place, each in enumerate(before) if each is None), default=0)
        kept = chance.choice((0.0, 0.5, 0.9, 1.0))
        loose = [each for each in before[flushed:] if each is not None]
        for start, data in (each for each in before[:flushed] if each is not None):
            image[start : start + len(data)] = data
        chance.shuffle(loose)  # nothing orders them
        for start, data in loose:
            for at in range(0, len(data), SECTOR):
                if chance.random() < kept:
                    image[start + at : start + at + SECTOR] = data[at : at + SECTOR]
        return bytes(image)


@fault(86, "power cuts of a real file system: the writes to its block device recorded, and lost from any flush on")
def of_a_real_disk(run: Run) -> None:
    remarks = list[str]()
    for name in list(FILE_SYSTEMS)[: run.some(2, len(FILE_SYSTEMS))]:
        try:
            remarks.append(f"{name}: {_of_one(run, name, FILE_SYSTEMS[name])}")
        except NotTried as reason:
            remarks.append(f"{name}: not tried: {reason}")
    if all(": not tried: " in each for each in remarks):
        raise NotTried("; ".join(remarks))
    run.counts.remark = "; ".join(remarks)


def _of_one(run: Run, name: str, tried: FileSystem) -> str:
    with run.within(LONG, name):
        done, device, first = _lived(run, tried)
        places = range(first, len(device.ends) + 1)
        for number in sorted(run.chance.sample(places, min(len(places), run.some(12, 300)))):
            _cut(run, f"{name}, cut behind {number} of {len(device.told)}", device, number, done, tried)
        flushes = sum(each is None for each in device.told[first:])
        return f"{len(device.told) - first} writes and flushes, {flushes} flushes"
    return "took too long"


def _lived(run: Run, tried: FileSystem) -> tuple[Written, Device, int]:
    """Let a log be made and appended to; return what was acked when, what the device was told, and where that begins."""
    done = Written()
    with run.folder(real=False) as folder:
        record = folder / "record"
        record.touch()
        with fuse("fuse.recorded", record) as below:
            image = below / "image"
            with image.open("wb") as file:
                file.truncate(SIZE)
            ran(*tried.made, image)
            with _mounted(image, tried) as disk:
                ran("sync", "-f", disk)
                first = record.stat().st_size
                _appends(done, disk / LOG, record)
        device = Device.recorded(record.read_bytes())
    return done, device, bisect_right(device.ends, first)


def _appends(done: Written, path: Path, record: Path) -> None:
    def size() -> int:
        return record.stat().st_size

    begun = size()
    done.begun.append((begun, drafts(OPENING)))
    store = create(path, drafts(OPENING), by="gm", at=AT)
    done.acked.append((begun, size(), tuple(store.read())))
    flushed: list[tuple[int, tuple[Recorded, ...]]] = []
    for number in range(24):
        mode: Mode = "flushed" if number % 5 == 3 else "durable"
        batch, begun = rounds(number, (1, 3, 40)[number % 3]), size()
        done.begun.append((begun, batch))
        records = store.append(batch, by="gm", at=AT, mode=mode).records
        flushed.append((begun, records))
        if mode == "durable":  # which makes all before it durable as well
            done.acked += [(begun, size(), records) for begun, records in flushed]
            flushed.clear()
    store.close()


@contextmanager
def _mounted(image: Path, tried: FileSystem) -> Iterator[Path]:
    with (
        TemporaryDirectory(prefix="fault-") as name,
        mounted("-t", tried.kind, "-o", f"loop{tried.options}", image, Path(name)),
    ):
        yield Path(name)


def _cut(run: Run, case: str, device: Device, number: int, done: Written, tried: FileSystem) -> None:
    story = done.story_at(device.ends[number - 1] if number else 0)
    with ExitStack() as stack:
        folder = stack.enter_context(run.folder(real=False))
        image = folder / "image"
        image.write_bytes(device.cut(number, Random(f"{run.seed} {case}")))
        path = stack.enter_context(_mounted(image, tried)) / LOG
        if not path.exists():
            run.counts.cases += 1
            if story.acked:
                run.counts.lost += len(story.acked)
                run.breach("I1", case, "the log is gone")
            return
        data = path.read_bytes()
        with JsonlStore(path) as store:
            try:
                judge(run, case, story, store, data)
            except StoreError as error:
                run.breach("I6", case, f"an error that nobody expected: {error!r}")
