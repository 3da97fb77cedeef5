"""Faults 1 to 10: the power goes, at every byte and at every call."""

from collections.abc import Iterable, Iterator
from itertools import pairwise, product
from random import Random

from eventstore.events import Noted
from eventstore.form import LONGEST_LINE
from eventstore.jsonl import JsonlStore
from tests.eventstore.logs import drafts, rounds
from tests.faults.campaign import Run, fault
from tests.faults.memfs import How, MemFS
from tests.faults.nights import lives
from tests.faults.recording import REAL, Batch, Make, Moment, Recording, before_sync, cut, hold
from tests.faults.stories import BLOCKS, CHARACTERS, LAST, an_evening, at_the_end, filler

SPOILING: tuple[How, ...] = ("zeros", "garbage", "any")


def at_every_moment(run: Run, how: How, seeds: Iterable[int], make: Make = REAL) -> None:
    seeds = list(seeds)
    for block in BLOCKS:
        recording = an_evening(make, block)
        for moment in [*recording.moments, recording.last]:
            for seed in seeds:
                cut(run, f"blocks of {block}", moment, seed, how)


# ---------------------------------------------------------------- cut short


@fault(1, "power cut at every byte of the last record")
def at_every_byte(run: Run, make: Make = REAL) -> None:
    for last in LAST:
        moment = at_the_end(last, make)
        step = run.some(1 if last == "a record" else 13, 1)
        for size in (*range(0, moment.unsynced, step), moment.unsynced):
            cut(run, last, moment, 0, "prefix", size)


@fault(2, "… inside a character of several bytes")
def in_a_character(run: Run, make: Make = REAL) -> None:
    batches: dict[str, Batch] = {
        "a record": drafts(Noted(text=CHARACTERS)),
        "a batch": drafts(*(Noted(text=CHARACTERS[at:]) for at in range(3))),
        "a line over blocks": drafts(Noted(text=CHARACTERS * run.some(8, 200))),
    }
    for name, batch in batches.items():
        recording = Recording(MemFS(), make, seed=name)
        recording.append(recording.create(), batch)
        moment = before_sync(recording)
        new = moment.machine.get(moment.path)[-moment.unsynced :]
        for size in (at for at, byte in enumerate(new) if byte & 0xC0 == 0x80):
            cut(run, name, moment, 0, "prefix", size)


@fault(3, "… after the record, before its line feed")
def before_the_line_feed(run: Run, make: Make = REAL) -> None:
    """Whoever comes then reads the record, repeats it and writes on; and the power goes once more."""
    for last, block in product(LAST, BLOCKS):
        moment = at_the_end(last, make, block=block)
        after = cut(run, f"{last}, blocks of {block}", moment, 0, "prefix", moment.unsynced - 1)
        for story in (written_on, read_and_written_on, repeated_and_written_on):
            recording = Recording.after(moment, after.clone())
            story(recording)
            for second, how in product(recording.moments, SPOILING):
                for seed in range(run.some(1, 15)):
                    cut(run, f"{last}, blocks of {block}, {story.__name__}", second, seed, how)


def written_on(recording: Recording) -> None:
    recording.append(recording.open(), rounds(1, 2))
    recording.append(recording.open(), rounds(3, 1))


def read_and_written_on(recording: Recording) -> None:
    recording.read(recording.open())
    written_on(recording)


def repeated_and_written_on(recording: Recording) -> None:
    for key, batch in list(recording.keyed.items()):
        recording.append(recording.open(), batch, key=key)
    written_on(recording)


@fault(4, "… between the records of a batch")
def in_a_batch(run: Run, make: Make = REAL) -> None:
    for size, key in product((2, 3, run.some(20, 200)), (None, "volley")):
        recording = Recording(MemFS(), make, seed=size)
        recording.append(recording.create(), rounds(1, size), key=key)
        moment = before_sync(recording)
        new = moment.machine.get(moment.path)[-moment.unsynced :]
        ends = [at + 1 for at, byte in enumerate(new) if byte == 10]
        for end in ends:
            for place in (end - 1, end):
                cut(run, f"a batch of {size}, key {key}", moment, 0, "prefix", place)


# ---------------------------------------------------------------- as blocks come to the disk


def grown(moment: Moment, data: bytes) -> MemFS:
    machine = moment.machine.clone()
    machine.put(moment.path, data)
    return machine.crash()


@fault(5, "unsynced pages persisted out of order")
def out_of_order(run: Run, make: Make = REAL) -> None:
    """Each block of the last append was kept or is zeros, in every combination, or many; then stories at random."""
    for block, (name, pieces) in product(BLOCKS, {"a record": 1, "a batch": 4, "a long batch": 30}.items()):
        batch = [filler(max(block * 4 // pieces - 350, 1)) for _ in range(pieces)]
        recording = Recording(MemFS(block=block), make, seed=name)
        recording.append(recording.create(), batch, key="volley")
        moment = before_sync(recording)
        for left, kept in _left(run, moment, block):
            hold(run, f"{name}, blocks of {block}, kept {kept}", moment, grown(moment, left))
    at_every_moment(run, "holes", range(run.some(1, 40)), make)
    lives(run, run.some(80, 3000), make)


def _left(run: Run, moment: Moment, block: int) -> Iterator[tuple[bytes, str]]:
    """Yield what may be left of a log whose last append consists of such blocks, and which are kept."""
    data = moment.machine.get(moment.path)
    start, most = len(data) - moment.unsynced, run.some(32, 1024)
    borders = [start, *range((start // block + 1) * block, len(data), block), len(data)]
    ways: Iterable[tuple[bool, ...]] = product((True, False), repeat=len(borders) - 1)
    if len(borders) - 1 > most.bit_length():
        ways = [tuple(run.chance.choices((True, False), k=len(borders) - 1)) for _ in range(most)]
    for kept in ways:
        parts = [data[a:b] if keep else bytes(b - a) for keep, (a, b) in zip(kept, pairwise(borders), strict=True)]
        yield data[:start] + b"".join(parts), "".join("01"[keep] for keep in kept)


@fault(6, "file length updated, data zero")
def zeros(run: Run, make: Make = REAL) -> None:
    at_every_moment(run, "zeros", [0], make)
    for last in LAST:
        moment = at_the_end(last, make)
        data, old = moment.machine.get(moment.path), moment.machine.medium(moment.path)
        for size in range(1, 2 * moment.unsynced, run.some(97, 3)):
            hold(run, f"{last}, then {size} zeros and no data", moment, grown(moment, old + bytes(size)))
        for size in range(1, moment.unsynced, run.some(97, 3)):
            left = data[: len(old) + size].ljust(len(data), b"\0")
            hold(run, f"{last}, {size} bytes of it, then zeros", moment, grown(moment, left))


@fault(7, "length not updated, data lost")
def lost(run: Run, make: Make = REAL) -> None:
    at_every_moment(run, "lost", [0], make)


@fault(8, "garbage or old lines of the file in the tail")
def garbage(run: Run, make: Make = REAL) -> None:
    for last in LAST:
        moment = at_the_end(last, make)
        old = moment.machine.medium(moment.path)
        for name, tail in _old_lines(old, moment.unsynced, run.chance):
            hold(run, f"{last}, and in its place {name}", moment, grown(moment, old + tail))
    at_every_moment(run, "garbage", range(run.some(1, 60)), make)
    lives(run, run.some(80, 3000), make, "of rubbish")


def _old_lines(old: bytes, size: int, chance: Random) -> Iterator[tuple[str, bytes]]:
    """Yield what old lines of a log may look like in a tail of this size: whole, cut, filled up, behind rubbish."""
    lines = old.splitlines(keepends=True)
    spans = [(first, last) for first in range(len(lines)) for last in range(first + 1, len(lines) + 1)]
    for first, last in spans:
        name, text = f"lines {first + 1} to {last}", b"".join(lines[first:last])
        yield name, text
        yield f"{name} cut short", text[:-9]
        yield f"{name} in its size", text[:size].ljust(size, b"\0")
        yield f"{name} behind zeros", bytes(512 - len(old) % 512) + text
        yield f"{name} behind rubbish", chance.randbytes(512 - len(old) % 512) + text
        yield f"{name} many times", text * 20


@fault(9, "cut exactly at block boundaries (512, 4096)")
def at_boundaries(run: Run, make: Make = REAL) -> None:
    """The last append begins or ends at a boundary, or a few bytes before or after it; the cut is at every boundary."""
    for block, off, name in product(BLOCKS, (-1, 0, 1), ("begins", "ends")):
        recording = Recording(MemFS(block=block), make, seed=(block, off, name))
        store = recording.create()
        _fill(recording, store, block if name == "begins" else block // 2, off if name == "begins" else 0)
        _fill(recording, store, block * run.some(2, 4), 0 if name == "begins" else off)
        moment = before_sync(recording)
        end = len(moment.machine.get(moment.path))
        start = end - moment.unsynced
        assert (start if name == "begins" else end) % block == off % block
        case = f"blocks of {block}, {name} at {off:+}"
        for boundary in range(start // 512 * 512, end + 512, 512):
            for place in (boundary - 1, boundary, boundary + 1):
                if start <= place <= end and (boundary % block == 0 or place == boundary):
                    cut(run, case, moment, 0, "prefix", place - start)
        for how in ("zeros", "holes", "garbage", "any"):
            for seed in range(run.some(1, 30)):
                cut(run, case, moment, seed, how)


def _fill(recording: Recording, store: JsonlStore, size: int, off: int) -> None:
    trial = Recording(recording.machine.clone(), recording.make)
    trial.append(trial.open(), [filler(1)])
    bare = len(trial.machine.get(trial.path)) - 1
    recording.append(store, [filler((off - bare) % size or size)])


@fault(10, "last line larger than any tail window")
def large(run: Run, make: Make = REAL) -> None:
    line = filler(LONGEST_LINE - 500)
    for name, batch in {"a line": [line], "a batch": [line] * run.some(2, 4)}.items():
        recording = Recording(MemFS(block=4096), make, seed=name)
        store = recording.create()
        recording.append(store, [line])
        recording.append(store, batch, key="large")
        moment = before_sync(recording)
        places = [
            1,
            *(1 << bits for bits in (10, 13, 16, 18, 19)),
            LONGEST_LINE - 2,
            moment.unsynced - 1,
            moment.unsynced,
        ]
        chance = run.chance
        places += [chance.randrange(moment.unsynced) for _ in range(run.some(2, 30))]
        for place in chance.sample(places, 4) if run.short else places:
            cut(run, name, moment, 0, "prefix", place)
        for how in ("holes", "garbage") if run.short else ("zeros", "holes", "garbage", "any"):
            for seed in range(run.some(1, 6)):
                cut(run, name, moment, seed, how)
