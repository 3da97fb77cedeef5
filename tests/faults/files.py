"""Faults 16 to 24: files that are made, empty, left over, renamed, swapped and copied, mostly while somebody writes."""

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, count, product
from pathlib import Path
from random import Random

import msgspec

from encounterlog.campaign import look
from eventstore.errors import CorruptLog, NotALog, NotReadable, NotWritten, StoreError
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft, Recorded, written
from tests.eventstore.logs import AT, OPENING, drafts, log_of, read, rounds, small_log, walk
from tests.faults.campaign import DoesNotApply, Run, fault
from tests.faults.crashes import BLOCKS, LAST, evening, recovered, torn
from tests.faults.judging import Story
from tests.faults.memfs import MemFS, Process
from tests.faults.telling import FORD, REAL, Batch, Make, Moment, Telling, cut, hold

ASIDE = FORD.with_name("ford-old.jsonl")
BRIDGE = FORD.with_name("bridge.jsonl")
OTHER = msgspec.structs.replace(OPENING, encounter="z9k4", title="Bridge")
FIRST: dict[str, Batch] = {"one record": drafts(OPENING), "a batch": [*drafts(OPENING), *rounds(1, 3)]}
"""What a log may begin with."""


class NoLinks(Process):
    """Works on a file system that has no links."""

    def link(self, old: Path, new: Path) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM), str(old), None, str(new))


def standing(data: bytes, block: int = 512, *, story: Story | None = None) -> Moment:
    """Return a machine on which the log is just that."""
    machine = MemFS(block=block)
    machine.put(FORD, data)
    return Moment(0, "begin", machine, story or Story())


def told(batches: Sequence[Batch], make: Make = REAL) -> tuple[Telling, JsonlStore]:
    """Tell of a log with these appends after its opening, and return the handle that wrote them."""
    telling = Telling(MemFS(), make)
    store = telling.create()
    for batch in batches:
        telling.append(store, batch)
    return telling, store


def at_call(telling: Telling, nth: int, happens: Callable[[], object]) -> None:
    """Let something happen before the nth call from now on."""
    calls = count(1)
    telling.beside = lambda: next(calls) == nth and happens()


# ---------------------------------------------------------------- made


@fault(16, "cut before and after each step of creating a log")
def creating(run: Run, make: Make = REAL) -> None:
    for block, (name, batch), links in product(BLOCKS, FIRST.items(), (True, False)):
        using = make if links else Make(make.store, NoLinks)
        telling = Telling(MemFS(block=block), using, seed=name)
        telling.create(batch)
        for moment in [*telling.moments, telling.last]:
            for how in ("kept", "lost", "zeros", "garbage", "any"):
                for seed in range(run.some(2, 60) if how in ("garbage", "any") else 1):
                    cut(run, f"{name}, blocks of {block}, {'' if links else 'no '}links", moment, seed, how)
    for nth, links in product(range(1, 13), (True, False)):
        _created_twice(run, nth, make if links else Make(make.store, NoLinks))


def _created_twice(run: Run, nth: int, make: Make) -> None:
    """Another makes a log of that name before the nth call of one who does; exactly one of them is told that he did."""
    telling = Telling(MemFS(), make)
    made: list[Recorded] = []

    def quicker() -> None:
        with suppress(NotWritten):
            create(FORD, drafts(OTHER), by="other", at=AT, disk=telling.machine.process(make.process)).close()
            made.extend(read(telling.machine.get(FORD)))

    at_call(telling, nth, quicker)
    with suppress(NotWritten):
        telling.create()
    case = f"another is quicker before call {nth}, {make.process.__name__}"
    if made and telling.story.acked:
        run.breach("I1", case, "two made the log, and both were told so")
    hold(run, case, replace(telling.last, story=Story(made or telling.story.acked)), telling.machine)


@fault(17, "an empty file")
def empty(run: Run, make: Make = REAL) -> None:
    """It is named and left alone, by whomever, also where the end of a log lies beside it."""
    for beside in ({}, {"ford.jsonl.torn-1-1": b"x"}, {"ford.jsonl.torn-5-1": small_log()}):
        for block in BLOCKS:
            moment = standing(b"", block)
            for name, data in beside.items():
                moment.machine.put(FORD.with_name(name), data)
            case = f"blocks of {block}, {len(beside)} beside it"
            hold(run, case, moment, moment.machine.clone())
            for work in _works(make, moment.machine):
                run.counts.cases += 1
                _refused(run, f"{case}, {work.__name__}", work, NotALog, NotWritten)
            if moment.machine.get(FORD):
                run.breach("I2", case, "something was written")


def _works(make: Make, machine: MemFS) -> list[Callable[[], object]]:
    """Return what may be tried with a log on a machine."""

    def is_read() -> object:
        return make.opened(machine).head()

    def is_verified() -> object:
        return make.opened(machine).verify()

    def is_written_to() -> object:
        return make.opened(machine).append(rounds(1, 1), by="gm", at=AT)

    def is_written_to_on_trust() -> object:
        return make.opened(machine, trusting=True).append(rounds(1, 1), by="gm", at=AT)

    def is_written_to_with_a_key() -> object:
        return make.opened(machine).append(rounds(1, 1), by="gm", at=AT, key="k", after=0)

    def is_made() -> object:
        return create(FORD, drafts(OPENING), by="gm", at=AT, disk=machine.process(make.process))

    return [is_read, is_verified, is_written_to, is_written_to_on_trust, is_written_to_with_a_key, is_made]


def _refused(run: Run, case: str, work: Callable[[], object], *errors: type[StoreError]) -> None:
    """Hold that something is refused with one of these errors and a reason."""
    try:
        work()
    except StoreError as error:
        run.counts.refused += 1
        if not isinstance(error, errors) or not str(error):
            run.breach("I6", case, f"{type(error).__name__}: {error}")
    else:
        run.breach("I6", case, "is not refused")


@fault(18, "a first record only, cut short")
def first_cut_short(run: Run, make: Make = REAL) -> None:
    for name, batch in FIRST.items():
        data = log_of(batch)
        for size in (*range(1, len(data), run.some(7, 1)), len(data) - 1, len(data)):
            moment = standing(data[:size], story=Story(flying=[batch]))
            hold(run, f"{name}, {size} bytes of it", moment, moment.machine.clone())
            for work in _works(make, moment.machine) if size < len(data) - 1 and size % 5 == 0 else ():
                if work.__name__ != "is_verified":  # which returns what is wrong
                    _refused(run, f"{name}, {size} bytes of it, {work.__name__}", work, CorruptLog, NotALog, NotWritten)
            if size < len(data) - 1 and moment.machine.get(FORD) != data[:size]:
                run.breach("I6", f"{name}, {size} bytes of it", "the file was changed")


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
    telling, store = told([rounds(1, 2)], make)
    admin = telling.machine.process()
    at_call(telling, nth, lambda: admin.rename(FORD, ASIDE))
    _tried(telling, store, batch, key)
    if telling.machine.names(FORD.parent) == [FORD.name]:
        admin.rename(FORD, ASIDE)
    _refused(run, case, lambda: telling.append(store, rounds(9, 1)), NotReadable)
    if telling.machine.names(FORD.parent) != [ASIDE.name]:
        run.breach("I6", case, "the old name came back")
    hold(run, case, replace(telling.last, path=ASIDE), telling.machine)


def _deleted_while_held(run: Run, case: str, make: Make, batch: Batch, key: str | None, nth: int) -> None:
    """The log is gone, which is said and no more; another can be made."""
    telling, store = told([rounds(1, 2)], make)
    admin = telling.machine.process()
    at_call(telling, nth, lambda: admin.unlink(FORD))
    _tried(telling, store, batch, key)
    with suppress(FileNotFoundError):
        admin.unlink(FORD)
    _refused(run, case, lambda: telling.append(store, rounds(9, 1)), NotReadable)
    if telling.machine.names(FORD.parent):
        run.breach("I6", case, "a deleted log came back")
    hold(run, case, Moment(0, "deleted", telling.machine, Story(), make=make), telling.machine)


def _tried(telling: Telling, store: JsonlStore, batch: Batch, key: str | None = None) -> None:
    """Append, and let it be where that is refused."""
    with suppress(StoreError):
        telling.append(store, batch, key=key)
    telling.beside = None


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
        telling = Telling(MemFS(), make, seed=names)
        for name in names:
            telling.machine.put(FORD.with_name(name), LEFT[name])
        evening(telling)
        for moment in [*telling.moments[:: run.some(9, 1)], telling.last]:
            back = cut(run, f"beside {names[0]}", moment, moment.nth)
            if any(back.get(FORD.with_name(name)) != LEFT[name] for name in names):
                run.breach("I6", f"beside {names[0]}, {moment.case}", "a file beside the log was changed")
    _second_name(run, make)
    with run.folder() as folder:
        create(folder / FORD.name, drafts(OPENING), by="gm", at=AT).close()
        for name, data in LEFT.items():
            (folder / name).write_bytes(data)
        _listed(run, folder, {FORD.name: 1})


def _second_name(run: Run, make: Make) -> None:
    """Who made a log died before he took its temporary name away; others write, and somebody tidies up."""
    maker = Telling(MemFS(), make)
    maker.create()
    for moment in maker.moments:
        if FORD.name in moment.machine.names(FORD.parent):
            telling = Telling.after(moment, moment.machine.clone())
            telling.append(telling.open(), rounds(1, 2))
            admin = telling.machine.process()
            for name in telling.machine.names(FORD.parent):
                if name != FORD.name:
                    admin.unlink(FORD.with_name(name))
            telling.append(telling.open(), rounds(3, 2))
            for later in [*telling.moments, telling.last]:
                cut(run, f"{moment.case} its maker died", later, later.nth)


def _listed(run: Run, folder: Path, expected: dict[str, int]) -> None:
    """Hold that these files with so many records, and no others, are listed as logs."""
    run.counts.cases += 1
    found = {log.file: log.records for log in look(folder).logs}
    if found != expected:
        run.breach("I6", f"a list of {sorted(each.name for each in folder.iterdir())}", f"shows {found}")


# ---------------------------------------------------------------- another file of that name


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
    for (name, data), nth, trusting in product(_replacements().items(), range(0, 13, run.some(2, 1)), (False, True)):
        _replaced(run, make, name, data, nth, trusting=trusting)
    for (name, data), trusting in product(_replacements().items(), (False, True)):
        _written_over(run, make, name, data, trusting=trusting)


def _replaced(run: Run, make: Make, name: str, data: bytes, nth: int, *, trusting: bool) -> None:
    """Another file takes the place of a log before the nth call of an append, or before it (0).

    What is acked then is in one of the two, and either is a log as before.
    """
    telling = Telling(MemFS(), make)
    telling.create()
    store = telling.open(trusting=trusting)
    telling.append(store, rounds(1, 2))
    mine = telling.machine.get(FORD)

    def happens() -> None:
        telling.machine.process().rename(FORD, ASIDE)
        telling.machine.put(FORD, data)

    at_call(telling, nth, happens) if nth else happens()
    acked = _appended(telling, store, rounds(7, 2))
    telling.beside = None
    if ASIDE.name not in telling.machine.names(FORD.parent):
        happens()
    case = f"{name}, replaced before call {nth}{', trusting' if trusting else ''}"
    _in_one_of(run, case, telling, acked, {ASIDE: mine, FORD: data})


def _written_over(run: Run, make: Make, name: str, data: bytes, *, trusting: bool) -> None:
    """A log is written over in place; whoever has it open notices."""
    telling = Telling(MemFS(), make)
    telling.create()
    store = telling.open(trusting=trusting)
    telling.append(store, rounds(1, 2))
    telling.machine.put(FORD, data)
    acked = _appended(telling, store, rounds(7, 2))
    _in_one_of(run, f"{name}, written over{', trusting' if trusting else ''}", telling, acked, {FORD: data})


def _appended(telling: Telling, store: JsonlStore, batch: Batch, after: int | None = None) -> Sequence[Recorded]:
    """Append, and return what was acked, nothing where it was refused."""
    try:
        return telling.append(store, batch, after=after).records
    except StoreError:
        return ()


def _in_one_of(run: Run, case: str, telling: Telling, acked: Sequence[Recorded], found: dict[Path, bytes]) -> None:
    """Hold that every file has what it had, and exactly one of them what was acked."""
    lines = b"".join(written(record) + b"\n" for record in acked)
    places = [path for path in found if acked and lines in telling.machine.get(path)]
    if acked and len(places) != 1:
        run.breach("I1", case, f"what was acked is in {len(places)} files")
    for path, data in found.items():
        story = Story([*_part(data), *(acked if path in places else ())], telling.story.flying)
        hold(
            run,
            f"{case}, {path.stem}",
            replace(telling.last, path=path, story=story, keyed={}),
            telling.machine.clone(),
        )


def _part(data: bytes) -> list[Recorded]:
    """Return the records of a log up to its first fault."""
    found: list[Recorded] = []
    with suppress(StoreError):
        found.extend(walk(data))
    return found


@fault(22, "two logs swapped under each other's names")
def swapped(run: Run, make: Make = REAL) -> None:
    for nth, own, condition in product(range(13), (2, 5), (False, True)):
        _swapped(run, make, nth, own, condition=condition)
    _lines_of_another(run, make)


def _swapped(run: Run, make: Make, nth: int, own: int, *, condition: bool) -> None:
    """Two logs change names before the nth call of an append, or before it (0); a reader is in the middle."""
    case = f"swapped before call {nth}, {own} records, {'conditional' if condition else 'free'}"
    telling, store = told([rounds(1, own - 1)], make)
    telling.machine.put(BRIDGE, log_of(drafts(OTHER), rounds(1, 4)))
    found = {BRIDGE: telling.machine.get(FORD), FORD: telling.machine.get(BRIDGE)}
    reading = make.opened(telling.machine).read()
    seen = [next(reading)]
    swaps = [(FORD, ASIDE), (BRIDGE, FORD), (ASIDE, BRIDGE)]

    def happens() -> None:
        while swaps:
            telling.machine.process().rename(*swaps.pop(0))

    at_call(telling, nth, happens) if nth else happens()
    acked = _appended(telling, store, rounds(9, 2), own if condition else None)
    telling.beside = None
    happens()
    if condition and not nth and acked and own != 5:
        run.breach("I2", case, "the append went to the wrong log although that ends elsewhere")
    seen += reading
    if seen != _part(found[BRIDGE])[: len(seen)] or len(seen) < own:
        run.breach("I5", case, "the reader was led to the other log")
    _in_one_of(run, case, telling, acked, found)


def _lines_of_another(run: Run, make: Make) -> None:
    """Lines of one log in another are caught by the chain."""
    mine, other = log_of(drafts(OPENING), rounds(1, 4)), log_of(drafts(OTHER), rounds(1, 4))
    lines, others = mine.splitlines(keepends=True), other.splitlines(keepends=True)
    for first, last in combinations(range(6), 2):
        for name, mixed in {
            "in place of its own": lines[:first] + others[first:last] + lines[last:],
            "between its own": lines[:first] + others[first:last] + lines[first:],
            "behind its own": lines + others[first:last],
        }.items():
            data = b"".join(mixed)
            if data == other:
                continue
            case = f"lines {first + 1} to {last} of another log {name}"
            part = _part(data)
            moment = standing(data, story=Story(part))
            if len(part) >= len(mixed):
                run.breach("I4", case, "nobody notices")
            hold(run, case, replace(moment, make=make), moment.machine)


# ---------------------------------------------------------------- copies


@fault(23, "a copy by cp or rsync taken during writes")
def copied(run: Run, make: Make = REAL) -> None:
    """A copy has all that was acked when it was begun, and of the rest at most a torn tail too many."""
    evenings = Telling(MemFS(), make, seed="copied")
    evening(evenings)
    for moment in evenings.moments:
        if FORD.name in moment.machine.names(FORD.parent):
            hold(run, f"copied at once {moment.case}", *_copy(moment, moment.machine.get(FORD)))
    chance = run.chance
    for number in range(run.some(150, 5000)):
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


def _copied_slowly(run: Run, name: str, telling: Telling, chance: Random) -> None:
    """Copy a log block by block while it is written."""
    moments = [moment for moment in telling.moments if FORD.name in moment.machine.names(FORD.parent)] + [telling.last]
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
    telling = Telling(MemFS(), make, seed="conflict")
    for name, data in copies.items():
        telling.machine.put(FORD.with_name(name), data)
    evening(telling)
    for moment in [*telling.moments, telling.last]:
        back = cut(run, "among conflict copies", moment, moment.nth)
        if any(back.get(FORD.with_name(name)) != data for name, data in copies.items()):
            run.breach("I6", f"among conflict copies, {moment.case}", "one of them was changed")
    for name, data in copies.items():
        path = FORD.with_name(name)
        story = Story(_part(data), [rounds(1, 3)])
        hold(run, name, replace(telling.last, path=path, story=story, keyed={}), telling.machine.clone())
    with run.folder() as folder:
        for name, data in {**copies, FORD.name: telling.machine.get(FORD)}.items():
            (folder / name).write_bytes(data)
        _listed(
            run,
            folder,
            {**{name: len(_part(data)) for name, data in copies.items()}, FORD.name: len(telling.story.acked)},
        )
