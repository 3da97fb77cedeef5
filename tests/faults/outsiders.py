"""Faults 52 to 55: others on one log. They take it away, write into it by hand, copy it, and read along."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from itertools import groupby, product
from pathlib import Path

from eventstore.errors import CorruptLog, NotReadable, OutcomeUnknown, Rewritten, StoreError
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft, Recorded
from tests.eventstore.logs import AT, OPENING, drafts, read, rounds
from tests.faults.campaign import Run, fault
from tests.faults.followed import replaced_while_followed
from tests.faults.hands import MEANWHILE, OTHER, elsewhere, rolled_back
from tests.faults.judging import readable
from tests.faults.processes import Child, Said, Say
from tests.faults.together import (
    GOOD,
    LOG,
    LONG,
    MOMENT,
    PATIENT,
    PLACES,
    Acked,
    Halting,
    acked_in,
    answered,
    append,
    begun,
    children,
    flying_in,
    heard,
    held,
    keep_writing,
    note,
    put,
    repair,
    replaced,
    until,
)

# ---------------------------------------------------------------- 52


def _gone(path: Path) -> Acked:
    path.unlink()
    return ()


def _moved(path: Path) -> Acked:
    path.rename(path.with_name("moved.jsonl"))
    return ()


def _folder_moved(path: Path) -> Acked:
    path.parent.rename(path.parent.with_name("moved"))
    return ()


def _made_anew(path: Path) -> Acked:
    path.unlink()
    with create(path, drafts(OPENING), by="gm", at=AT) as store:
        return list(store.read())


def _exchanged(path: Path) -> Acked:
    replaced(path, OTHER)
    return read(OTHER)


def _copy_put_in_place(path: Path) -> Acked:
    whole = [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
    replaced(path, b"".join(whole[: len(read(GOOD)) + 1]))
    return read(path.read_bytes())


ADMINS = (_gone, _moved, _folder_moved, _made_anew, _exchanged, _copy_put_in_place)


@fault(52, "the lock file deleted while held (it is the log itself that is locked: taken away, replaced)")
def taken_away(run: Run) -> None:
    """What is acked stands in the log of that name when the append returns, though somebody took away the one before."""
    for admin, place in product(ADMINS, PLACES):
        case = f"{admin.__name__[1:]}, {place}"
        with run.folder(real=False) as folder, run.within(LONG, case):
            (folder / "logs").mkdir()
            path = begun(folder / "logs")
            stands: list[Recorded] = []
            disk = Halting(place, partial(_take_away, admin, path, stands))
            with JsonlStore(path, disk=disk) as store:
                before = append(store, "before")
                disk.armed = True
                _outlives(run, case, path, store, stands)
            for old in set(folder.rglob("*.jsonl")) - {path}:
                held(run, f"{case}, {old.name}", old, [*read(GOOD), *before], [note("held")])


def _take_away(admin: Callable[[Path], Acked], path: Path, stands: list[Recorded]) -> None:
    stands.extend(admin(path))


def _outlives(run: Run, case: str, path: Path, store: JsonlStore, stands: list[Recorded]) -> None:
    """Hold what a writer says whose log was taken away under his hands; `stands` is what is acked of the one there now."""
    flying: list[list[Draft]] = []
    try:
        stands += append(store, "held")
    except OutcomeUnknown as error:
        flying.append(note("held"))
        run.counts.refused += 1
        if "meanwhile" not in error.why or not error.hint:
            run.breach("I6", case, f"it does not say why: {error}")
    except Rewritten:  # what it wrote before is not in the log that is there now
        run.counts.refused += 1
    except NotReadable as error:
        if path.exists() or "is not there" not in str(error):
            run.breach("I6", case, f"it does not say why: {error}")
    if path.exists():
        held(run, case, path, [*stands, *_goes_on(store)], flying)
        return
    run.counts.cases += 1
    if stands:
        run.counts.lost += len(stands)
        run.breach("I1", case, "it was acked, and there is no log")
    try:
        append(store, "and on")
        run.breach("I2", case, "it goes on without a log")
    except NotReadable as error:
        run.counts.refused += 1
        if "is not there" not in str(error):
            run.breach("I6", case, f"it does not say why: {error}")


def _goes_on(store: JsonlStore) -> Acked:
    """Append, again if the handle says first, once, that what it wrote is gone."""
    with suppress(Rewritten):
        return append(store, "and on")
    return append(store, "and on")


# ---------------------------------------------------------------- 53

LINES = GOOD.splitlines(keepends=True)
BY_HAND: dict[str, bytes] = {
    "a line": b"I was here\n",
    "a bare fact": b'{"type":"round_started","round":2}\n',
    "half a text": b"I was here",
    "half a line": LINES[1][:99],
    "an old line": LINES[1],
    "the last line again": LINES[-1],
    "half an old line": LINES[1][:-1],
    "an old line with CR LF": LINES[1][:-1] + b"\r\n",
    "a blank line": b"\n",
    "three blank lines": b"\n\n\n",
    "blanks": b"   \n",
    "zeros": bytes(99),
    "the whole log": GOOD,
}
"""What somebody may append with `>>`, and no lock."""


@fault(53, "`echo >> log` without a lock")
def by_hand(run: Run) -> None:
    """What is not of the store is never chained over: it is refused by its line or, without an end, put aside."""
    for name, data in BY_HAND.items():
        for kind in ("fresh", "stale"):
            _between(run, f"{name}, then a {kind} handle", data, fresh=kind == "fresh")
        for place in PLACES:
            _within(run, f"{name}, {place}", data, place)


def _between(run: Run, case: str, data: bytes, *, fresh: bool) -> None:
    with run.folder(real=False) as folder, run.within(LONG, case):
        path = begun(folder)
        with JsonlStore(path) as store:
            acked = [*read(GOOD), *(() if fresh else append(store, "before"))]
            put(path, data)
            _noticed(run, case, path, store, data, acked)


def _within(run: Run, case: str, data: bytes, place: str) -> None:
    with run.folder(real=False) as folder, run.within(LONG, case):
        path = begun(folder)
        disk = Halting(place, lambda: put(path, data))
        with JsonlStore(path, disk=disk) as store:
            acked, flying = [*read(GOOD), *append(store, "before")], []
            disk.armed = True
            try:
                acked += append(store, "beside")
            except OutcomeUnknown:
                flying.append(note("beside"))
            except CorruptLog:
                run.counts.refused += 1
            _noticed(run, case, path, store, data, acked, flying)


def _noticed(
    run: Run,
    case: str,
    path: Path,
    store: JsonlStore,
    data: bytes,
    acked: list[Recorded],
    flying: Sequence[Sequence[Draft]] = (),
) -> None:
    """Hold that the next append of a handle puts aside what has no end, and refuses the rest by its line."""
    found, line = path.read_bytes(), acked[-1].seq + 1
    try:
        acked += append(store, "next")
        kept = b"".join(each.read_bytes() for each in path.parent.glob("*.torn-*"))
        if data.endswith(b"\n") or data not in kept:
            run.breach("I6", case, f"it writes on, and of what was put in by hand it kept {kept!r}")
    except CorruptLog as error:
        run.counts.refused += 1
        if error.line != line or path.read_bytes() != found:
            run.breach("I6", case, f"it names line {error.line}, not {line}, or changed the log: {error}")
    held(run, case, path, acked, flying)
    _mended(run, f"{case}, repaired", path, acked, flying)


def _mended(run: Run, case: str, path: Path, acked: Acked, flying: Sequence[Sequence[Draft]]) -> None:
    """A repair loses nothing that was acked."""
    judged = [note("after the fault")] * 2
    repair(path)
    held(run, case, path, acked, [*flying, *judged])


# ---------------------------------------------------------------- 54

BACKUPS: dict[str, tuple[str, ...]] = {
    "cp -r": ("cp", "-r"),
    "rsync -a": ("rsync", "-a"),
    "tar": ("sh", "-c", 'mkdir "$1" && tar -C "$0" -cf - . 2>/dev/null | tar -C "$1" -xf -'),
}
"""How people make backups; what is copied and where to come behind it."""


@fault(54, "a backup by cp -r, rsync, tar during writes")
def backed_up(run: Run) -> None:
    tools = {name: command for name, command in BACKUPS.items() if shutil.which(name.split()[0])}
    if missing := BACKUPS.keys() - tools.keys():
        run.counts.untried = f"there is no {' and no '.join(name.split()[0] for name in missing)} here"
    for turn in range(run.some(2, 20)):
        with run.folder() as folder, run.within(LONG, f"time {turn}"):
            _back_up(run, folder, tools, turn)


def _back_up(run: Run, folder: Path, tools: dict[str, tuple[str, ...]], turn: int) -> None:
    """Copy a folder again and again while writers work; each copy opens and holds what was acked before it began."""
    (folder / "logs").mkdir()
    path, copies = begun(folder / "logs"), list[tuple[str, list[Recorded]]]()
    with children(*(partial(keep_writing, path, f"{number}") for number in range(3))) as writers:
        for child in writers:
            heard(child, "acked")
        for name, command in list(tools.items()) * 3:
            copies.append((f"{len(copies)} {name}", acked_in([each for child in writers for each in child.said])))
            subprocess.run([*command, f"{path.parent}/", folder / copies[-1][0]], check=True)
        for child in writers:
            child.kill()
    said = [each for child in writers for each in child.said]
    answered(run, f"time {turn}", said)
    records = held(run, f"time {turn}", path, [*read(GOOD), *acked_in(said)], flying_in(said))
    for name, before in copies:
        _opens(run, f"{name}, time {turn}", folder / name / LOG, [*read(GOOD), *before], records)


def _opens(run: Run, case: str, copy: Path, before: Acked, records: Acked) -> None:
    """Hold that a copy is the beginning of the log, with at most a torn tail, and has what was acked before it."""
    with JsonlStore(copy) as store:
        found, error = readable(store)
    if error and not getattr(error, "torn", False):
        run.breach("I6", case, f"the copy does not open: {error}")
    if found != list(records[: len(found)]):
        run.breach("I4", case, "the copy is not the beginning of the log")
    acked = {record.seq for record in before}
    held(run, case, copy, before, as_drafts([record for record in records if record.seq not in acked]))


def as_drafts(records: Acked) -> list[list[Draft]]:
    batches = groupby(records, lambda record: record.seq - (record.batch or (1, 1))[0])
    return [[Draft(record.event) for record in batch if record.event] for _, batch in batches]


# ---------------------------------------------------------------- 55


class Reader:
    """Is a process that follows a log, and another one that goes on where it ended; `saw` is what they were shown."""

    def __init__(self, stack: ExitStack, path: Path, after: int) -> None:
        self.after, self._stack, self._path = after, stack, path
        self._before: list[Said] = []
        self.child = self._start(after)

    @property
    def saw(self) -> list[tuple[int, str]]:
        return [(seq, digits) for word, seq, digits in [*self._before, *self.child.said] if word == "saw"]

    @property
    def last(self) -> int:
        return max((seq for seq, _ in self.saw), default=self.after)

    def ended(self) -> tuple[str, str] | None:
        return next(((name, why) for word, name, why in self.child.said if word == "ended"), None)

    def goes_on(self) -> None:
        self._before += self.child.said
        self.child = self._start(self.last)

    def _start(self, after: int) -> Child:
        return self._stack.enter_context(children(partial(_follow, self._path, after)))[0]


def _follow(path: Path, after: int, say: Say) -> None:
    try:
        for record in JsonlStore(path).follow(after):
            say("saw", record.seq, record.hash)
    except StoreError as error:
        say("ended", type(error).__name__, str(error))


def _burst(path: Path) -> None:
    with children(*(partial(_write_some, path, number) for number in range(3))) as writers:
        for child in writers:
            child.end()


def _write_some(path: Path, name: int, _: Say) -> None:
    with JsonlStore(path, wait=PATIENT) as store:
        for number in range(12):
            store.append(rounds(name, number % 3 + 1), by="gm", at=AT)


def _died_and_recovered(path: Path) -> None:
    """A writer dies in the middle of a write."""
    disk = Halting("half written", lambda: os.kill(os.getpid(), signal.SIGKILL), armed=True)
    with children(lambda _: append(JsonlStore(path, disk=disk), "half")) as (child,):
        child.end()
    time.sleep(MOMENT)
    elsewhere(path)


def _damaged_and_repaired(path: Path) -> None:
    """Those who follow are told of the damage, and begin again after it is repaired."""
    put(path, b"by hand\n")
    time.sleep(1)
    repair(path)
    elsewhere(path)


def _away_and_back(path: Path) -> None:
    away = path.rename(path.with_name("away"))
    time.sleep(MOMENT)
    away.rename(path)
    elsewhere(path)


HAPPENINGS: dict[str, Callable[[Path], object]] = {
    "several processes append": _burst,
    "a writer dies and another recovers": _died_and_recovered,
    "damage, a repair later": _damaged_and_repaired,
    "away for a moment": _away_and_back,
} | {name: happens for name, (happens, stays) in MEANWHILE.items() if stays}
TOLD = {
    "damage, a repair later": ["CorruptLog"],
    "it was repaired": ["CorruptLog"],
    "away for a moment": ["NotThere"],
}
"""In which errors a reader may end who has just begun, or for whom it takes too long."""


@fault(55, "a reader following during appends, recovery, repair, replacement")
def followed(run: Run) -> None:
    replaced_while_followed(run)
    chance = run.chance
    for turn in range(run.some(1, 15)):
        names = chance.sample(sorted(HAPPENINGS), len(HAPPENINGS))
        with run.folder() as folder, ExitStack() as stack, run.within(LONG, f"time {turn}: {names}"):
            path = begun(folder)
            readers, told = [Reader(stack, path, after) for after in (0, 2, 7)], list[str]()
            for name in names:
                HAPPENINGS[name](path)
                told += TOLD.get(name, [])  # whoever has nothing to read yet may hear of it later
                head = readable(JsonlStore(path))[0][-1].seq
                for reader in readers:
                    case = f"{name}, time {turn} of {names}, after {reader.after}"
                    _caught_up(run, case, reader, head, told)
            records, _ = readable(JsonlStore(path))
            rolled_back(path)
            for reader in readers:
                _saw_all(run, f"time {turn} of {names}, after {reader.after}", reader, records)


def _caught_up(run: Run, case: str, reader: Reader, head: int, told: Sequence[str]) -> None:
    """Wait until a reader has come to the end; one that was told of what is over goes on."""
    until(lambda: reader.last >= head or reader.child.over)
    run.counts.cases += 1
    while reader.child.over:
        run.counts.refused += 1
        if (reader.ended() or ("nothing",))[0] not in told:
            run.breach("I5", case, f"it ended with {reader.ended()}")
        reader.goes_on()
        until(lambda: reader.last >= head or reader.child.over)


def _saw_all(run: Run, case: str, reader: Reader, records: Acked) -> None:
    """Hold that a reader saw each record once and in order, and is told when these are gone."""
    if reader.saw != [(record.seq, record.hash) for record in records[reader.after :]]:
        run.breach("I5", case, f"of {len(records)} it saw {[seq for seq, _ in reader.saw]}")
    reader.child.end()
    run.counts.refused += 1
    name, why = reader.ended() or ("nothing", "")
    if name != "Rewritten" or f"record {records[-1].seq} is no longer" not in why:
        run.breach("I5", case, f"the log was replaced by an older copy, and it ended with {name}: {why}")
