"""Faults 21 to 24: another file takes the place of a log, or stands beside it, mostly while somebody writes."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

from eventstore.chain import Anchor
from eventstore.errors import CorruptLog, Rewritten, StoreError
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft, Recorded, encode_record
from tests.eventstore.logs import AT, OPENING, drafts, log_of, rehashed, rounds, walk
from tests.faults.campaign import Run, fault
from tests.faults.files import listed
from tests.faults.judging import Story
from tests.faults.memfs import MemFS
from tests.faults.recording import FORD, REAL, Batch, Make, Moment, Recording, cut, hold
from tests.faults.stories import ASIDE, OTHER, a_log_of, at_call, evening, recovered, standing, torn

BRIDGE = FORD.with_name("bridge.jsonl")


def _replacements() -> dict[str, bytes]:
    mine = log_of(drafts(OPENING), rounds(1, 2), rounds(3, 1))
    return {
        "another log": log_of(drafts(OTHER), rounds(1, 7)),
        "another log of as many records": log_of(drafts(OTHER), rounds(1, 3)),
        "a copy": mine,
        "an older copy": log_of(drafts(OPENING), rounds(1, 2)),
        "a fork": log_of(drafts(OPENING), rounds(1, 2), rounds(7, 4)),
        "a copy cut short": mine[:-40],
        "a damaged copy": mine.replace(b'"round":3', b'"round":5'),
        "text": b"Dear diary\n",
        "nothing": b"",
    }


@fault(21, "a log renamed or replaced under an open handle")
def replaced(run: Run, make: Make = REAL) -> None:
    for (name, data), nth in product(_replacements().items(), range(0, 13, run.some(2, 1))):
        _replaced(run, make, name, data, nth)
    as_long_and_as_old(run, make)
    gone(run, make)
    resumed_in_another(run, make)


def _replaced(run: Run, make: Make, name: str, data: bytes, nth: int) -> None:
    """Another file takes the place of a log before the nth call of an append, or before it (0).

    What is acked then is in one of the two, and either is a log as before.
    """
    recording = Recording(MemFS(), make)
    recording.create()
    store = recording.open()
    recording.append(store, rounds(1, 2))
    mine = recording.machine.get(FORD)

    def happens() -> None:
        recording.machine.process().rename(FORD, ASIDE)
        recording.machine.put(FORD, data)

    at_call(recording, nth, happens) if nth else happens()
    acked = _appended(recording, store, rounds(7, 2))
    recording.beside = None
    if ASIDE.name not in recording.machine.names(FORD.parent):
        happens()
    case = f"{name}, replaced before call {nth}"
    if ASIDE in _in_one_of(run, case, recording, acked, {ASIDE: mine, FORD: data}) and not nth:
        run.breach("I1", case, "what was acked went into a file that had lost its name before")


def as_long_and_as_old(run: Run, make: Make = REAL) -> None:
    """A log is written over in place by one that is as long, within one tick of a coarse clock: the handle says so, once."""
    recording = Recording(MemFS(), make)
    recording.create()
    store = recording.open()
    recording.append(store, drafts(Noted(text="aaa")))
    mine = recording.machine.get(FORD)
    recording.machine.tick = 0
    other = rehashed([line.replace(b'"aaa"', b'"bbb"') for line in mine.splitlines(keepends=True)])
    recording.machine.put(FORD, other)
    case = "as long and as old"
    _says_so(run, case, recording, store, other)


def gone(run: Run, make: Make = REAL) -> None:
    """What a handle wrote last is gone: it says so once, with nothing written; a condition and a key go by what is there."""
    for name, change in _GONE.items():
        recording = Recording(MemFS(), make)
        recording.create()
        store = recording.open()
        for text in ("aaa", "bbb", "ccc"):
            recording.append(store, drafts(Noted(text=text)))
        change(recording.machine, recording.machine.get(FORD))
        case = name
        _says_so(run, case, recording, store, recording.machine.get(FORD))


def _says_so(run: Run, case: str, recording: Recording, store: JsonlStore, data: bytes) -> None:
    whole = data[: data.rfind(b"\n") + 1]
    try:
        store.append(rounds(7, 2), by="gm", at=AT)
        run.breach("I6", case, "it is appended although what was acked is gone")
    except Rewritten:
        run.counts.refused += 1
    except StoreError as error:
        run.breach("I6", case, f"{type(error).__name__} does not say that it is gone: {error}")
    if recording.machine.get(FORD) != data:
        run.breach("I2", case, "something was written")
    acked = _appended(recording, store, rounds(7, 2))
    if not acked:
        run.breach("I6", case, "the append after that is refused")
    if recording.machine.get(FORD)[: len(whole)] != whole:
        run.breach("I1", case, "something was cut off that is whole")
    run.counts.cases += 1


def _cut_off(machine: MemFS, data: bytes) -> None:
    machine.put(FORD, data[: data.rfind(b"\n", 0, -1) + 1])


def _cut_in_two(machine: MemFS, data: bytes) -> None:
    machine.put(FORD, data[:-40])


def _edited(machine: MemFS, data: bytes) -> None:
    """Edit the last record in place and put its time back; the chain is made to fit."""
    lines = [line.replace(b'"ccc"', b'"ddd"') for line in data.splitlines(keepends=True)]
    machine.tick = 0
    machine.put(FORD, rehashed(lines))


def _older(machine: MemFS, data: bytes) -> None:
    machine.process().rename(machine.put(ASIDE, data[: data.rfind(b"\n", 0, -1) + 1]), FORD)


def _of_another(machine: MemFS, _: bytes) -> None:
    machine.process().rename(machine.put(ASIDE, log_of(drafts(OTHER), rounds(1, 20))), FORD)


_GONE: dict[str, Callable[[MemFS, bytes], object]] = {
    "cut off": _cut_off,
    "cut in two": _cut_in_two,
    "the last record edited, its time put back": _edited,
    "an older copy in its place": _older,
    "another log in its place": _of_another,
}


def resumed_in_another(run: Run, make: Make = REAL) -> None:
    """A longer file with the same end takes the place of a log, damaged before that: who reads on is told so."""
    recording, store = a_log_of([rounds(number, 1) for number in range(30)], make)
    anchor = store.head()
    list(store.read(anchor))
    recording.append(recording.open(), rounds(30, 1))
    damaged = recording.machine.get(FORD).replace(b'"round":3}', b'"round":9}', 1)
    recording.machine.process().rename(recording.machine.put(ASIDE, damaged), FORD)
    run.counts.cases += 1
    try:
        list(store.read(anchor))
        run.breach("I4", "read on in another file", "its damage is not found")
    except CorruptLog:
        run.counts.refused += 1


def grown_while_read(run: Run, make: Make = REAL) -> None:
    """Another appends while one reads on from a place: the next time that is read."""
    recording, store = a_log_of([rounds(1, 3)], make)
    start = next(iter(store.read()))
    for number in range(run.some(3, 10)):
        reading = store.read(Anchor(start.seq, start.hash))
        records = [next(reading)]
        acked = recording.append(recording.open(), rounds(number, 1)).records
        records += reading
        later = list(store.read(Anchor(records[-1].seq, records[-1].hash)))
        run.counts.cases += 1
        if [*records, *later][-1:] != [*acked]:
            run.counts.lost += 1
            run.breach("I1", f"grown while it was read, {number}", "what was acked is not read")


def _appended(recording: Recording, store: JsonlStore, batch: Batch, after: int | None = None) -> Sequence[Recorded]:
    try:
        return recording.append(store, batch, after=after).records
    except StoreError:
        return ()


def _in_one_of(
    run: Run, case: str, recording: Recording, acked: Sequence[Recorded], found: dict[Path, bytes]
) -> list[Path]:
    """Hold that every file has what it had, and exactly one of them what was acked; return that one."""
    lines = b"".join(encode_record(record) + b"\n" for record in acked)
    places = [path for path in found if acked and lines in recording.machine.get(path)]
    if acked and len(places) != 1:
        run.breach("I1", case, f"what was acked is in {len(places)} files")
    for path, data in found.items():
        story = Story([*_part(data), *(acked if path in places else ())], recording.story.flying)
        hold(
            run,
            f"{case}, {path.stem}",
            replace(recording.last, path=path, story=story, keyed={}),
            recording.machine.clone(),
        )
    return places


def _part(data: bytes) -> list[Recorded]:
    found: list[Recorded] = []
    with suppress(StoreError):
        found.extend(walk(data))
    return found


@fault(22, "two logs swapped under each other's names")
def swapped(run: Run, make: Make = REAL) -> None:
    for nth, own, condition in product(range(13), (2, 5), (False, True)):
        _swapped(run, make, nth, own, condition=condition)


def _swapped(run: Run, make: Make, nth: int, own: int, *, condition: bool) -> None:
    """Two logs change names before the nth call of an append, or before it (0); a reader is in the middle."""
    case = f"swapped before call {nth}, {own} records, {'conditional' if condition else 'free'}"
    recording, store = a_log_of([rounds(1, own - 1)], make)
    recording.machine.put(BRIDGE, log_of(drafts(OTHER), rounds(1, 4)))
    found = {BRIDGE: recording.machine.get(FORD), FORD: recording.machine.get(BRIDGE)}
    reading = make.opened(recording.machine).read()
    seen = [next(reading)]
    swaps = [(FORD, ASIDE), (BRIDGE, FORD), (ASIDE, BRIDGE)]

    def happens() -> None:
        while swaps:
            recording.machine.process().rename(*swaps.pop(0))

    at_call(recording, nth, happens) if nth else happens()
    acked = _appended(recording, store, rounds(9, 2), own if condition else None)
    recording.beside = None
    happens()
    if condition and not nth and acked and own != 5:
        run.breach("I2", case, "the append went to the wrong log although that ends elsewhere")
    seen += reading
    if seen != _part(found[BRIDGE])[: len(seen)] or len(seen) < own:
        run.breach("I5", case, "the reader was led to the other log")
    _in_one_of(run, case, recording, acked, found)


# ---------------------------------------------------------------- copies


@fault(23, "a copy by cp or rsync taken during writes")
def copied(run: Run, make: Make = REAL) -> None:
    """A copy has all that was acked when it was begun, and of the rest at most a torn tail too many."""
    evenings = Recording(MemFS(), make, seed="copied")
    evening(evenings)
    for moment in evenings.moments:
        if FORD.name in moment.machine.names(FORD.parent):
            hold(run, f"copied at once {moment.case}", *_copy(moment, moment.machine.get(FORD)))
    chance = run.chance
    for number in range(run.some(150, 3000)):
        _copied_slowly(run, f"copy {number}", evenings, chance)
    recoveries = [
        recovered(torn(last, left, make)) for last, left in (("a batch", "half of it"), ("a record", "zeros"))
    ]
    for number in range(run.some(50, 2000)):
        _copied_slowly(run, f"copy {number} of a log that is put in order", chance.choice(recoveries), chance)


def _copy(moment: Moment, data: bytes, flying: Sequence[Batch] = ()) -> tuple[Moment, MemFS]:
    """Return a moment whose machine holds nothing but a copy of the log, and that machine."""
    story = Story(moment.story.acked, [*moment.story.flying, *flying])
    copy = standing(data, story=story)
    return replace(copy, make=moment.make), copy.machine


def _copied_slowly(run: Run, name: str, recording: Recording, chance: Random) -> None:
    moments = [moment for moment in recording.moments if FORD.name in moment.machine.names(FORD.parent)] + [
        recording.last
    ]
    block, place = chance.choice((64, 512, 4096)), chance.randrange(len(moments))
    first, data = moments[place], b""
    while piece := moments[place].machine.get(FORD)[len(data) :][:block]:
        data += piece
        if chance.random() < 0.3:
            place = min(place + chance.choice((1, 1, 5)), len(moments) - 1)
    later = [batch for moment in moments for batch in moment.story.flying]
    later += [_drafts(batch) for batch in _batches(moments[-1].story.acked)]
    moment, machine = _copy(first, data, later)
    hold(run, f"{name}, blocks of {block}, from call {first.nth} to {moments[place].nth}", moment, machine)


def _batches(records: Sequence[Recorded]) -> Iterator[list[Recorded]]:
    rest = list(records)
    while rest:
        size = rest[0].batch[1] if rest[0].batch else 1
        yield rest[:size]
        rest = rest[size:]


def _drafts(records: Sequence[Recorded]) -> Batch:
    return [Draft(record.event) for record in records if record.event is not None]


CONFLICTS = ("ford (conflicted copy).jsonl", "ford.sync-conflict-20261120-190405-ABCDEFG.jsonl", "ford (1).jsonl")
"""What services that keep files the same on several machines call the one that lost."""


@fault(24, "a sync service's conflict copy beside the log")
def conflict_copies(run: Run, make: Make = REAL) -> None:
    """It is a log of its own, is never read as a part of another, and stays as it is."""
    copies = {
        CONFLICTS[0]: log_of(drafts(OPENING), rounds(1, 2), rounds(7, 2)),
        CONFLICTS[1]: log_of(drafts(OPENING)),
        CONFLICTS[2]: log_of(drafts(OPENING), rounds(1, 3))[:-30],
    }
    recording = Recording(MemFS(), make, seed="conflict")
    for name, data in copies.items():
        recording.machine.put(FORD.with_name(name), data)
    evening(recording)
    for moment in [*recording.moments, recording.last]:
        back = cut(run, "among conflict copies", moment, moment.nth)
        if any(back.get(FORD.with_name(name)) != data for name, data in copies.items()):
            run.breach("I6", f"among conflict copies, {moment.case}", "one of them was changed")
    for name, data in copies.items():
        path = FORD.with_name(name)
        story = Story(_part(data), [rounds(1, 3)])
        hold(run, name, replace(recording.last, path=path, story=story, keyed={}), recording.machine.clone())
    with run.folder() as folder:
        for name, data in {**copies, FORD.name: recording.machine.get(FORD)}.items():
            (folder / name).write_bytes(data)
        listed(
            run,
            folder,
            {**{name: len(_part(data)) for name, data in copies.items()}, FORD.name: len(recording.story.acked)},
        )
