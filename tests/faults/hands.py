"""Faults 46 to 55: many hands on one log. Processes and threads race, die, pause, fork; others know of no lock."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import groupby, product
from pathlib import Path
from typing import Any

from eventstore.disk import Disk
from eventstore.errors import Busy, CorruptLog, NotReadable, OutcomeUnknown, StoreError, WrongVersion
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft, Recorded, decode, written
from eventstore.repair import carried_out, planned
from eventstore.store import STORE
from tests.eventstore.logs import AT, OPENING, drafts, log_of, read, rounds
from tests.faults.campaign import Run, fault
from tests.faults.judging import Story, judge, readable
from tests.faults.killing import Writer
from tests.faults.processes import GOOD, LOG, Child, Said, Say, answered

PROCESSES, THREADS = 8, 4
LONG = 300
"""How many seconds a child may live, and a fault may take before it counts as a hang."""
MOMENT = 0.05
"""How long a handle waits that is to find the log busy."""
PATIENT = 60.0
"""How long one waits that is not."""
SOON = 5.0
"""How long somebody may take who looks for the lock many times in a second."""

TORN = log_of(drafts(OPENING), rounds(1, 1)).splitlines()[1][:150]
"""A line that was cut short."""

Work = Callable[[Say], object]
Acked = Sequence[Recorded]


# ---------------------------------------------------------------- hands


@contextmanager
def children(*works: Work) -> Iterator[list[Child]]:
    """Let processes work side by side; those that are left in the end are killed, with all that they started."""
    living: list[Child] = []
    try:
        for work in works:
            living.append(Child(partial(_with_its_own, work)))  # noqa: PERF401 – those that live are known at any time
        yield living
    finally:
        for child in living:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)
            child.kill()


def _with_its_own(work: Work, say: Say) -> None:
    os.setpgid(0, 0)
    signal.alarm(LONG)
    warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads, which are tried on purpose
    work(say)


def side_by_side(*works: Callable[[], object]) -> None:
    """Do several things at once, each in a thread of its own."""
    with ThreadPoolExecutor(len(works)) as pool:
        for done in [pool.submit(work) for work in works]:
            done.result()


def until(happened: Callable[[], object]) -> None:
    """Wait; whoever waits is interrupted when it takes too long."""
    while not happened():
        time.sleep(0.002)


def heard(child: Child, word: str) -> None:
    """Wait until a child says that word, or ends."""
    until(lambda: child.over or any(said[0] == word for said in child.said))


def ended(run: Run, case: str, child: Child, *errors: str) -> list[Said]:
    """Wait until a child has ended well, and return what it said; these errors may have come to it."""
    if child.end():
        run.breach("I6", case, f"a writer ended with {child.code}")
    answered(run, case, child.said, *errors)
    return child.said


# ---------------------------------------------------------------- what they do


def begun(folder: Path, name: str = LOG) -> Path:
    """Return a log that has an opening and two rounds."""
    path = folder / name
    path.write_bytes(GOOD)
    return path


def note(text: str) -> list[Draft]:
    return drafts(Noted(text=text))


def append(store: JsonlStore, text: str, **how: Any) -> Acked:
    return store.append(note(text), by="gm", at=AT, **how).records


def appends(store: JsonlStore, text: str, say: Say, **how: Any) -> None:
    """Append, and say what came of it."""
    try:
        records = append(store, text, **how)
    except StoreError as error:
        say("failed", text, type(error).__name__, str(error), error.hint)
    else:
        acks(say, text, records)


def acks(say: Say, what: object, records: Acked) -> None:
    say("acked", what, [written(record).decode() for record in records])


def acked_in(said: Sequence[Said]) -> list[Recorded]:
    """Return what was acked, in the order of the log."""
    found = [decode(line.encode()) for word, _, *rest in said if word == "acked" for line in rest[0]]
    return sorted(found, key=lambda record: record.seq)


def held(run: Run, case: str, path: Path, acked: Acked, flying: Sequence[Sequence[Draft]] = ()) -> list[Recorded]:
    """Judge a log, and return what can be read of it."""
    with JsonlStore(path) as store:
        return judge(run, case, Story(list(acked), list(flying), list(acked)), store, path.read_bytes())


def torn(path: Path) -> None:
    """Leave a line behind that was cut short."""
    _put(path, TORN)


def replaced(path: Path, data: bytes) -> None:
    """Put another file in the place of a log."""
    new = path.with_name("new")
    new.write_bytes(data)
    new.replace(path)


class Halting(Disk):
    """Is a disk that does something else at one place of the critical section, the next time after it is armed."""

    def __init__(self, place: str, does: Callable[[], object], *, armed: bool = False) -> None:
        self.place, self.does, self.armed = place, does, armed

    def try_lock(self, fd: int, *, shared: bool) -> None:
        super().try_lock(fd, shared=shared)
        if not shared:
            self._at("locked")

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


PLACES = ("locked", "nothing written", "half written", "written", "synced")


# ---------------------------------------------------------------- 46


@fault(46, f"{PROCESSES} processes × {THREADS} threads append on a condition")
def on_a_condition(run: Run) -> None:
    last = run.some(100, 1500)
    case = f"up to record {last}"
    with run.folder() as folder, run.within(LONG, case):
        path, go = begun(folder), folder / "go"
        with children(*(partial(_contend, path, go, number, last) for number in range(PROCESSES))) as hands:
            go.touch()
            said = [each for child in hands for each in ended(run, case, child)]
        records = held(run, case, path, [*read(GOOD), *acked_in(said)])
        _judge_contest(run, case, said, records)


def _contend(path: Path, go: Path, number: int, last: int, say: Say) -> None:
    """Append in several threads, half of the processes through one handle."""
    until(go.exists)
    shared = JsonlStore(path, wait=PATIENT)
    stores = [shared if number % 2 else JsonlStore(path, wait=PATIENT, trusting=True) for _ in range(THREADS)]
    side_by_side(*(partial(_win, store, f"{number}.{place}", last, say) for place, store in enumerate(stores)))


def _win(store: JsonlStore, name: str, last: int, say: Say) -> None:
    """Append after the last record that is known, until the log is long enough."""
    after = len(read(GOOD))
    while after < last:
        batch = [*note(f"{name} after {after}"), *rounds(after, after % 3)]
        try:
            done = store.append(batch, by=name, at=AT, after=after)
        except WrongVersion as error:
            say("lost", after, error.expected, error.found, [record.hash for record in error.between])
            after = error.found
        else:
            acks(say, after, done.records)
            after = done.last
            time.sleep(0.001)  # else one hand wins again and again


def _judge_contest(run: Run, case: str, said: Sequence[Said], records: Acked) -> None:
    """One won at every version, right behind it; each who lost was told what came in between."""
    hashes = [record.hash for record in records]
    won = [(after, decode(rest[0][0].encode()).seq) for word, after, *rest in said if word == "acked"]
    lost = [(after, *rest) for word, after, *rest in said if word == "lost"]
    for after, first in won:
        if first != after + 1 or [each for each, _ in won].count(after) > 1:
            run.breach("I4", case, f"{first} was acked after {after}, or two were")
    for after, expected, found, between in lost:
        if expected != after or found <= after or between != hashes[after:found]:
            run.breach("I6", case, f"who wanted to append after {after} was told of {expected}, {found}, {between}")
    run.counts.cases += len(won)
    run.counts.refused += len(lost)


# ---------------------------------------------------------------- 47


def _elsewhere(path: Path) -> None:
    with JsonlStore(path) as store:
        for number in range(3):
            append(store, f"elsewhere {number}")


def _much_elsewhere(path: Path) -> None:
    with JsonlStore(path) as store:
        store.append(drafts(*(Noted(text=f"{number} " + "x" * 1900) for number in range(200))), by="gm", at=AT)


def _recovered(path: Path) -> None:
    torn(path)
    _elsewhere(path)


def _unended(path: Path) -> None:
    _elsewhere(path)
    os.truncate(path, path.stat().st_size - 1)


def _copied(path: Path) -> None:
    replaced(path, path.read_bytes())
    _elsewhere(path)


def _copied_over(path: Path) -> None:
    path.write_bytes(path.read_bytes())
    _elsewhere(path)


def _repaired(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"\n")
    repair(path)
    _elsewhere(path)


def repair(path: Path) -> None:
    carried_out(planned(path, by="gm"), path, at=AT)


def _rolled_back(path: Path) -> None:
    replaced(path, GOOD)


OTHER = log_of(drafts(OPENING), rounds(1, 20))
MEANWHILE: dict[str, tuple[Callable[[Path], object], bool]] = {
    "others appended": (_elsewhere, True),
    "others appended much": (_much_elsewhere, True),
    "a torn tail was left": (torn, True),
    "a torn tail was recovered": (_recovered, True),
    "a line feed was lost": (_unended, True),
    "a copy took its place": (_copied, True),
    "a copy was written over it": (_copied_over, True),
    "it was repaired": (_repaired, True),
    "an older copy took its place": (_rolled_back, False),
    "another log took its place": (lambda path: replaced(path, OTHER), False),
    "another log was written over it": (lambda path: path.write_bytes(OTHER), False),
}
"""What another process does while a handle is not in use, and whether all is still there."""


def _append_and_close(store: JsonlStore) -> None:
    with store:
        append(store, "more")


STALE: dict[str, Callable[[JsonlStore], object]] = {
    "that appended": lambda store: append(store, "more"),
    "that has read": lambda store: list(store.read()),
    "that was closed": _append_and_close,
}


@fault(47, "A stale handle after another process wrote, recovered, repaired, replaced")
def stale(run: Run) -> None:
    for (name, (happens, stays)), (kind, uses), trusting in product(MEANWHILE.items(), STALE.items(), (False, True)):
        case = f"{name}; a {'trusting ' * trusting}handle {kind}"
        with run.folder(real=False) as folder, run.within(LONG, case):
            path = begun(folder)
            with JsonlStore(path, trusting=trusting) as store:
                mine = append(store, "mine", key="mine")
                uses(store)
                _goes_stale(run, case, path, store, mine, happens, stays=stays)


def _goes_stale(
    run: Run, case: str, path: Path, store: JsonlStore, mine: Acked, happens: Callable[[Path], object], *, stays: bool
) -> None:
    """Let others work; then the handle must not write after what it believes to be the end."""
    before = read(path.read_bytes())
    with children(lambda _: happens(path)) as (other,):
        ended(run, case, other)
    now, _ = readable(JsonlStore(path))
    if stays and now[: len(before)] != before:
        run.breach("I1", case, "the test itself lost something")
    acked = [record for record in now if record.by != STORE]
    try:
        acked += append(store, "on condition", after=before[-1].seq)
        if now[-1].seq != before[-1].seq:
            run.breach("I6", case, f"it appended after {before[-1].seq}, where the log no longer ends")
    except WrongVersion as error:
        run.counts.refused += 1
        if (error.found, list(error.between)) != (now[-1].seq, now[before[-1].seq :]):
            run.breach("I6", case, f"it was told of {error.found} and {error.between}")
    again = append(store, "mine", key="mine")
    if stays and again != mine:
        run.breach("I6", case, "what it repeated under its key was not found")
    acked += again if not stays else ()
    acked += append(store, "and on")
    held(run, case, path, acked)


# ---------------------------------------------------------------- 48


@fault(48, "A process killed while it holds the lock")
def killed_with_the_lock(run: Run) -> None:
    for place, forked, turn in product(PLACES, (False, True), range(run.some(1, 10))):
        case = f"{place}{', and its child lives on' * forked}, time {turn}"
        with run.folder(real=False) as folder, run.within(LONG, case):
            path = begun(folder)
            with children(partial(_hold, path, place, forked)) as (holder,):
                heard(holder, "holds")
                holder.kill()
                first = append(JsonlStore(path, wait=0), "at once")
            _after_death(run, f"{case}, nobody waited", path, [*acked_in(holder.said), *first])
        with run.folder(real=False) as folder, run.within(LONG, case):
            path, go = begun(folder), folder / "go"
            with children(partial(_hold, path, place, forked), partial(_wait, path, go)) as (holder, waiting):
                heard(holder, "holds")
                go.touch()
                heard(waiting, "waits")
                time.sleep(MOMENT)
                holder.kill()
                killed = time.monotonic()
                said = ended(run, case, waiting)
            if (took := said[-1][1] - killed) > SOON:
                run.breach("I6", case, f"who waited got the lock after {took:.1f} s")
            _after_death(run, f"{case}, somebody waited", path, acked_in([*holder.said, *said]))


def _hold(path: Path, place: str, forked: bool, say: Say) -> None:
    """Append in several threads, and stay in the critical section for ever."""

    def stay() -> None:
        say("holds", 0)
        time.sleep(LONG)

    disk = Halting(place, stay)
    store = JsonlStore(path, disk=disk)
    appends(store, "before", say)
    if forked:
        Child(lambda _: time.sleep(LONG))
    disk.armed = True
    side_by_side(*(partial(append, store, f"held {number}") for number in range(THREADS)))


def _wait(path: Path, go: Path, say: Say) -> None:
    """Append once the log is held."""
    until(go.exists)
    store = JsonlStore(path, wait=PATIENT)
    say("waits", 0)
    appends(store, "waited", say)
    say("has it", time.monotonic())


def _after_death(run: Run, case: str, path: Path, acked: Acked) -> None:
    held(run, case, path, [*read(GOOD), *acked], [note(f"held {number}") for number in range(THREADS)])


# ---------------------------------------------------------------- 49


def _open_and_close(path: Path) -> None:
    with path.open("r+b") as file:
        file.read()


def _other_handle(path: Path) -> None:
    with JsonlStore(path, wait=MOMENT) as other, suppress(Busy):
        append(other, "never")


def _read(path: Path) -> None:
    with suppress(Busy):
        list(JsonlStore(path, wait=MOMENT).read())


def _record_lock(path: Path) -> None:
    """Take and drop the other kind of lock, whose owner is the process."""
    import fcntl

    with path.open("r+b") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)


def _followed(path: Path) -> None:
    stop = threading.Event()
    threading.Timer(MOMENT, stop.set).start()
    list(JsonlStore(path).follow(stop=stop))


TOUCHES: dict[str, Callable[[Path], object]] = {
    "opened and closed": _open_and_close,
    "read by another handle": _read,
    "another handle appends": _other_handle,
    "copied": lambda path: shutil.copyfile(path, path.with_name("copy")),
    "locked by fcntl": _record_lock,
    "followed": _followed,
    "a program was started": lambda _: subprocess.run([sys.executable, "-c", ""], check=True, close_fds=False),
}


@fault(49, "A second open and close in the same process")
def touched(run: Run) -> None:
    for (name, touch), place in product(TOUCHES.items(), ("locked", "written") if run.short else PLACES):
        case = f"{name}, {place}"
        with run.folder(real=False) as folder, run.within(LONG, case):
            path, go = begun(folder), folder / "go"
            with children(partial(_touch, path, place, touch, go)) as (child,):
                heard(child, "touched")
                _is_busy(run, case, path, child)
                go.touch()
                said = ended(run, case, child)
            held(run, case, path, [*read(GOOD), *acked_in(said)])


def _touch(path: Path, place: str, touch: Callable[[Path], object], go: Path, say: Say) -> None:
    """Touch the log while another thread is in the critical section, which it leaves when it is told to."""
    holds = threading.Event()

    def stay() -> None:
        holds.set()
        until(go.exists)

    store = JsonlStore(path, disk=Halting(place, stay, armed=True))
    thread = threading.Thread(target=appends, args=(store, "held", say))
    thread.start()
    holds.wait()
    touch(path)
    say("touched", 0)
    thread.join()


def _is_busy(run: Run, case: str, path: Path, child: Child) -> None:
    """Hold that the log is locked by a child, as it is said."""
    run.counts.refused += 1
    try:
        append(JsonlStore(path, wait=MOMENT), "let in")
        run.breach("I6", case, "another process was let in")
    except Busy as error:
        if Path("/proc/locks").exists() and f"process {child.pid} " not in str(error):
            run.breach("I6", case, f"not {child.pid} is named: {error}")


# ---------------------------------------------------------------- 50


@fault(50, "fork after open; the child appends")
def forked(run: Run) -> None:
    for case, lives in {"in turn": _in_turn, "a child of a child": _generations, "many threads": _crowd}.items():
        for turn in range(run.some(2, 30)):
            with run.folder(real=False) as folder, run.within(LONG, case):
                path = begun(folder)
                with children(partial(lives, path)) as (parent,):
                    said = ended(run, f"{case}, time {turn}", parent)
                held(run, f"{case}, time {turn}", path, [*read(GOOD), *acked_in(said)])
    for place in PLACES:
        _forked_within(run, place)


def offspring(*works: Callable[[Say], None], say: Say) -> None:
    """Fork children, wait until they have ended, and say what they said."""
    forked_off = [Child(work) for work in works]
    for child in forked_off:
        code = child.end()
        for words in child.said:
            say(*words)
        if code:
            say("broke", None, f"a child of a child ended with {code}")


def _in_turn(path: Path, say: Say) -> None:
    """Parent and child write side by side with the handle that they share."""
    store = JsonlStore(path, wait=PATIENT)
    appends(store, "before", say)

    def work(name: str, says: Say) -> None:
        for number in range(10):
            appends(store, f"{name} {number}", says)

    side_by_side(partial(offspring, partial(work, "child"), say=say), partial(work, "parent", say))


def _generations(path: Path, say: Say, left: int = 4, store: JsonlStore | None = None) -> None:
    store = store or JsonlStore(path, wait=PATIENT)
    appends(store, f"before {left}", say, key=f"before {left}")
    if left:
        offspring(lambda says: _generations(path, says, left - 1, store), say=say)
    appends(store, f"after {left}", say)
    store.append(note(f"before {left}"), by="gm", at=AT, key=f"before {left}")


def _crowd(path: Path, say: Say) -> None:
    """All threads of a child come at once to a handle that it has from its parent."""
    store = JsonlStore(path, wait=PATIENT)
    appends(store, "before", say)

    def work(says: Say) -> None:
        sys.setswitchinterval(1e-6)
        side_by_side(*(partial(appends, store, f"thread {number}", says) for number in range(8)))

    offspring(work, work, say=say)


def _forked_within(run: Run, place: str) -> None:
    """Fork while another thread is in the critical section: what the child does and closes leaves its lock alone."""
    case = f"forked within, {place}"
    with run.folder(real=False) as folder, run.within(LONG, case):
        path, go = begun(folder), folder / "go"
        with children(partial(_fork_within, path, place, go)) as (parent,):
            heard(parent, "tried")
            _is_busy(run, case, path, parent)
            go.touch()
            said = ended(run, case, parent, "Busy")
        if [text for word, text, *_ in said if word == "failed"] != ["too early", "with a handle of its own"]:
            run.breach("I6", case, "the child was let in while its parent held the log")
        held(run, case, path, [*read(GOOD), *acked_in(said)])


def _fork_within(path: Path, place: str, go: Path, say: Say) -> None:
    holds = threading.Event()

    def stay() -> None:
        holds.set()
        until(go.exists)

    disk = Halting(place, stay)
    store = JsonlStore(path, disk=disk, wait=MOMENT)
    appends(store, "before", say)
    disk.armed = True

    def child(says: Say) -> None:
        appends(store, "too early", says)
        store.close()
        with JsonlStore(path, wait=MOMENT) as own:
            appends(own, "with a handle of its own", says)
        say("tried", 0)
        until(lambda: path.stat().st_size > size and go.exists())
        while not acked_by(store, says):
            pass

    def acked_by(handle: JsonlStore, says: Say) -> bool:
        with suppress(Busy):
            acks(says, "child", append(handle, "child"))
            return True
        return False

    size = path.stat().st_size
    thread = threading.Thread(target=appends, args=(store, "held", say))
    thread.start()
    holds.wait()
    offspring(child, lambda _: store.close(), say=say)
    thread.join()
    while not acked_by(store, say):
        pass


# ---------------------------------------------------------------- 51


@fault(51, "A writer paused in the critical section")
def paused(run: Run) -> None:
    pause, case = run.some(1, 60), "paused"
    with run.folder() as folder, run.within(LONG, case):
        logs = [begun(folder, f"{place}.jsonl") for place in PLACES]
        works = [partial(_pause, path, place) for path, place in zip(logs, PLACES, strict=True)]
        with children(*works, *(partial(_wait, path, go := folder / "go") for path in logs)) as hands:
            writers, waiting = hands[: len(logs)], hands[len(logs) :]
            for child in writers:
                _has_stopped(child)
            start = time.monotonic()
            go.touch()
            for path, child in zip(logs, writers, strict=True):
                _keeps_out(run, f"{path.stem}, for {pause} s", path, child)
            time.sleep(max(0, start + pause - time.monotonic()))
            for child in writers:
                os.kill(child.pid, signal.SIGCONT)
            for path, *both in zip(logs, writers, waiting, strict=True):
                said = [each for child in both for each in ended(run, path.stem, child)]
                texts = [text for word, text, *_ in said if word == "acked"]
                if texts != ["before", "paused", "waited"]:
                    run.breach("I6", path.stem, f"of before, paused, waited were acked: {texts}")
                held(run, f"{path.stem}, for {pause} s", path, [*read(GOOD), *acked_in(said)])


def _pause(path: Path, place: str, say: Say) -> None:
    disk = Halting(place, lambda: os.kill(os.getpid(), signal.SIGSTOP))
    store = JsonlStore(path, disk=disk)
    appends(store, "before", say)
    disk.armed = True
    appends(store, "paused", say, after=len(read(GOOD)) + 1)


def _has_stopped(child: Child) -> None:
    _, status = os.waitpid(child.pid, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        child.code = os.waitstatus_to_exitcode(status)


def _keeps_out(run: Run, case: str, path: Path, child: Child) -> None:
    """Nobody gets in, and nobody hangs: all are told who holds the log."""
    store = JsonlStore(path, wait=MOMENT)
    asked: dict[str, Callable[[], object]] = {
        "append": lambda: append(store, "let in"),
        "keyed append": lambda: append(store, "let in", key="k"),
        "read": lambda: list(store.read()),
        "head": store.head,
        "verify": store.verify,
        "repair": lambda: planned(path, by="gm", wait=MOMENT),
    }
    for who, ask in asked.items():
        run.counts.refused += 1
        try:
            ask()
            run.breach("I6", case, f"{who} did not find the log busy")
        except Busy as error:
            if Path("/proc/locks").exists() and f"process {child.pid} " not in str(error):
                run.breach("I6", case, f"{who}: not {child.pid} is named: {error}")
    _followed(path)


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


@fault(52, "The lock file deleted while held (it is the log itself that is locked: taken away, replaced)")
def taken_away(run: Run) -> None:
    """What is acked stands in the log of that name when the append returns, though somebody took away the one before."""
    for admin, place, trusting in product(ADMINS, PLACES, (False, True)):
        case = f"{admin.__name__[1:]}, {place}, trusting={trusting}"
        with run.folder(real=False) as folder, run.within(LONG, case):
            (folder / "logs").mkdir()
            path = begun(folder / "logs")
            stands: list[Recorded] = []
            disk = Halting(place, partial(_take_away, admin, path, stands))
            with JsonlStore(path, disk=disk, trusting=trusting) as store:
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
    except NotReadable as error:
        if path.exists() or "is not there" not in str(error):
            run.breach("I6", case, f"it does not say why: {error}")
    if path.exists():
        held(run, case, path, [*stands, *append(store, "and on")], flying)
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
    """What is not of the store is never chained over: it is refused by its line or, without an end, put aside.

    A trusting handle takes on trust what stands far before the end, also if somebody has put many lines there.
    """
    for (name, data), trusting in product(BY_HAND.items(), (False, True)):
        for kind in ("fresh", "stale"):
            _between(run, f"{name}, then a {'trusting ' * trusting}{kind} handle", data, trusting, kind == "fresh")
        for place in PLACES:
            _within(run, f"{name}, {place}, trusting={trusting}", data, place, trusting=trusting)
    chance = run.chance
    for turn, (name, data) in enumerate(list(BY_HAND.items()) * run.some(1, 10)):
        if not run.short or turn % 3 == 0:
            _while_others_write(run, f"{name} while others write, time {turn}", data, chance.uniform(0, 0.1))


def _between(run: Run, case: str, data: bytes, trusting: bool, fresh: bool) -> None:
    with run.folder(real=False) as folder, run.within(LONG, case):
        path = begun(folder)
        with JsonlStore(path, trusting=trusting and not (fresh and data == GOOD)) as store:
            acked = [*read(GOOD), *(() if fresh else append(store, "before"))]
            _put(path, data)
            _noticed(run, case, path, store, data, acked)


def _within(run: Run, case: str, data: bytes, place: str, *, trusting: bool) -> None:
    with run.folder(real=False) as folder, run.within(LONG, case):
        path = begun(folder)
        disk = Halting(place, lambda: _put(path, data))
        with JsonlStore(path, disk=disk, trusting=trusting) as store:
            acked, flying = [*read(GOOD), *append(store, "before")], []
            disk.armed = True
            try:
                acked += append(store, "beside")
            except OutcomeUnknown:
                flying.append(note("beside"))
            except CorruptLog:
                run.counts.refused += 1
            _noticed(run, case, path, store, data, acked, flying)


def _put(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


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


def _while_others_write(run: Run, case: str, data: bytes, moment: float) -> None:
    with run.folder() as folder, run.within(LONG, case):
        path = begun(folder)
        writers = [Writer(path, f"{case} {number}") for number in range(3)]
        try:
            until(lambda: all(writer.story.acked for writer in writers))
            time.sleep(moment)
            subprocess.run(["/bin/sh", "-c", 'cat >> "$0"', str(path)], input=data, check=True)
            time.sleep(0.1)
        finally:
            for writer in writers:
                writer.child.kill()
        for writer in writers:
            answered(run, case, writer.child.said, "CorruptLog", "OutcomeUnknown")
        acked = sorted([*read(GOOD), *(each for one in writers for each in one.story.acked)], key=lambda each: each.seq)
        flying = [batch for writer in writers for batch in writer.story.flying]
        held(run, case, path, acked, flying)
        _mended(run, f"{case}, repaired", path, acked, flying)


# ---------------------------------------------------------------- 54

BACKUPS: dict[str, tuple[str, ...]] = {
    "cp -r": ("cp", "-r"),
    "rsync -a": ("rsync", "-a"),
    "tar": ("sh", "-c", 'mkdir "$1" && tar -C "$0" -cf - . 2>/dev/null | tar -C "$1" -xf -'),
}
"""How people make backups; what is copied and where to come behind it."""


@fault(54, "A backup by cp -r, rsync, tar during writes")
def backed_up(run: Run) -> None:
    tools = {name: command for name, command in BACKUPS.items() if shutil.which(name.split()[0])}
    if missing := BACKUPS.keys() - tools.keys():
        run.counts.untried = f"there is no {' and no '.join(missing)} here"
    for turn in range(run.some(2, 20)):
        with run.folder() as folder, run.within(LONG, f"time {turn}"):
            _back_up(run, folder, tools, turn)
    for size in range(0, len(TORN), run.some(29, 1)):
        with run.folder(real=False) as folder:
            _across_a_recovery(run, begun(folder), size)


def _back_up(run: Run, folder: Path, tools: dict[str, tuple[str, ...]], turn: int) -> None:
    """Copy a folder again and again while writers work; each copy opens and holds what was acked before it began."""
    (folder / "logs").mkdir()
    path, copies = begun(folder / "logs"), list[tuple[str, list[Recorded]]]()
    with children(*(partial(_keep_writing, path, f"{turn}.{number}") for number in range(3))) as writers:
        for child in writers:
            heard(child, "acked")
        for name, command in list(tools.items()) * 3:
            copies.append((f"{len(copies)} {name}", acked_in([each for child in writers for each in child.said])))
            subprocess.run([*command, f"{path.parent}/", folder / copies[-1][0]], check=True)
        for child in writers:
            child.kill()
    said = [each for child in writers for each in child.said]
    answered(run, f"time {turn}", said)
    records = held(
        run, f"time {turn}", path, [*read(GOOD), *acked_in(said)], [batch_of(text) for text in begun_in(said)]
    )
    for name, before in copies:
        _opens(run, f"{name}, time {turn}", folder / name / LOG, [*read(GOOD), *before], records)


def _keep_writing(path: Path, name: str, say: Say) -> None:
    """Append without end, one record or several, short or long."""
    store = JsonlStore(path, wait=PATIENT)
    for number in range(1_000_000):
        say("about", f"{name} {number}")
        acks(say, f"{name} {number}", store.append(batch_of(f"{name} {number}"), by=name, at=AT).records)


def batch_of(text: str) -> list[Draft]:
    """Return the batch of that name."""
    number = int(text.rpartition(" ")[2])
    return drafts(*(Noted(text=f"{text}/{place} " + "x" * (number % 5 * 400)) for place in range(number % 4 + 1)))


def begun_in(said: Sequence[Said]) -> list[str]:
    """Return the names of the batches whose append began, and of which nothing more was said."""
    over = {text for word, text, *_ in said if word == "acked"}
    return [text for word, text, *_ in said if word == "about" and text not in over]


def _opens(run: Run, case: str, copy: Path, before: Acked, records: Acked) -> None:
    """Hold that a copy is the beginning of the log, with at most a torn tail, and has what was acked before it."""
    with JsonlStore(copy) as store:
        found, error = readable(store)
    if error and not getattr(error, "torn", False):
        run.breach("I6", case, f"the copy does not open: {error}")
    if found != list(records[: len(found)]):
        run.breach("I4", case, "the copy is not the beginning of the log")
    held(run, case, copy, before, as_drafts(records[len(before) :]))


def as_drafts(records: Acked) -> list[list[Draft]]:
    """Return records as what was appended."""
    batches = groupby(records, lambda record: record.seq - (record.batch or (1, 1))[0])
    return [[Draft(record.event) for record in batch if record.event] for _, batch in batches]


def _across_a_recovery(run: Run, path: Path, size: int) -> None:
    """A slow copy reads a torn tail, and goes on once it was cut off: it is refused behind what was acked before."""
    case, before = f"slow copy of {size} torn bytes", read(GOOD)
    _put(path, TORN)
    first = path.read_bytes()[: len(GOOD) + size]
    _elsewhere(path)
    copy = path.with_name("copy.jsonl")
    copy.write_bytes(first + path.read_bytes()[len(first) :])
    later = as_drafts(readable(JsonlStore(path))[0][len(before) :])
    held(run, case, copy, before, later)
    _mended(run, f"{case}, repaired", copy, before, later)


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
        """Return the error in which it ended, if it did."""
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
    """Several processes append at once."""
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
    _elsewhere(path)


def _damaged_and_repaired(path: Path) -> None:
    """Those who follow are told of the damage, and begin again after it is repaired."""
    _put(path, b"by hand\n")
    time.sleep(1)
    repair(path)
    _elsewhere(path)


def _away_and_back(path: Path) -> None:
    away = path.rename(path.with_name("away"))
    time.sleep(MOMENT)
    away.rename(path)
    _elsewhere(path)


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
    "a copy was written over it": ["NotALog", "CorruptLog"],
}
"""In which errors a reader may end who has just begun, or for whom it takes too long."""


@fault(55, "A reader following during appends, recovery, repair, replacement")
def followed(run: Run) -> None:
    chance = run.chance
    for turn in range(run.some(1, 15)):
        names = chance.sample(sorted(HAPPENINGS), len(HAPPENINGS))
        with run.folder() as folder, ExitStack() as stack, run.within(LONG, f"time {turn}: {names}"):
            path = begun(folder)
            readers = [Reader(stack, path, after) for after in (0, 2, 7)]
            for name in names:
                HAPPENINGS[name](path)
                head = readable(JsonlStore(path))[0][-1].seq
                for reader in readers:
                    case = f"{name}, time {turn} of {names}, after {reader.after}"
                    _caught_up(run, case, reader, head, TOLD.get(name, ()))
            records, _ = readable(JsonlStore(path))
            _rolled_back(path)
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
