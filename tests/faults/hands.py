"""Faults 46, 49 and 51: many hands of ours on one log. They race, and pause."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import product
from pathlib import Path

from eventstore.errors import Busy, WrongVersion
from eventstore.jsonl import JsonlStore
from eventstore.record import decode
from eventstore.repair import plan_repair
from tests.eventstore.logs import AT, read, rounds
from tests.faults.campaign import Run, fault
from tests.faults.processes import Child, Said, Say
from tests.faults.together import (
    GOOD,
    LIFE,
    LONG,
    MOMENT,
    PATIENT,
    PLACES,
    Acked,
    Halting,
    acked_in,
    acks,
    append,
    appends,
    begun,
    children,
    ended,
    heard,
    held,
    note,
    side_by_side,
    until,
)

PROCESSES, THREADS = 8, 4


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
    until(go.exists)
    shared = JsonlStore(path, wait=PATIENT)
    stores = [shared if number % 2 else JsonlStore(path, wait=PATIENT) for _ in range(THREADS)]
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


# ---------------------------------------------------------------- 48


def _hold(path: Path, place: str, forked: bool, say: Say) -> None:
    """Append in several threads, and stay in the critical section for ever."""

    def stay() -> None:
        say("holds", 0)
        time.sleep(LIFE)

    disk = Halting(place, stay)
    store = JsonlStore(path, disk=disk)
    appends(store, "before", say)
    if forked:
        heard(Child(_live), "lives")
    disk.armed = True
    side_by_side(*(partial(append, store, f"held {number}") for number in range(THREADS)))


def _live(say: Say) -> None:
    say("lives", 0)
    time.sleep(LIFE)


def _wait(path: Path, go: Path, say: Say) -> None:
    until(go.exists)
    store = JsonlStore(path, wait=LIFE)
    say("waits", 0)
    appends(store, "waited", say)
    say("has it", time.monotonic())


# ---------------------------------------------------------------- 49


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


def followed_for_a_moment(path: Path) -> None:
    stop = threading.Event()
    threading.Timer(MOMENT, stop.set).start()
    list(JsonlStore(path).follow(stop=stop))


TOUCHES: dict[str, Callable[[Path], object]] = {
    "read by another handle": _read,
    "another handle appends": _other_handle,
    "copied": lambda path: shutil.copyfile(path, path.with_name("copy")),
    "locked by fcntl": _record_lock,
    "followed": followed_for_a_moment,
    "a program was started": lambda _: subprocess.run([sys.executable, "-c", ""], check=True, close_fds=False),
}


@fault(49, "a second open and close in the same process")
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
    run.counts.refused += 1
    try:
        append(JsonlStore(path, wait=MOMENT), "let in")
        run.breach("I6", case, "another process was let in")
    except Busy as error:
        if Path("/proc/locks").exists() and f"process {child.pid} " not in str(error):
            run.breach("I6", case, f"not {child.pid} is named: {error}")


# ---------------------------------------------------------------- 51


@fault(51, "a writer paused in the critical section")
def paused(run: Run) -> None:
    pause = run.some(1, 60)
    with run.folder() as folder, run.within(pause + LONG, f"paused for {pause} s"):
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
        "repair": lambda: plan_repair(path, by="gm", wait=MOMENT),
    }
    if not run.short:
        asked["append, as patient as by default"] = lambda: append(JsonlStore(path), "let in")
    for who, ask in asked.items():
        run.counts.refused += 1
        try:
            ask()
            run.breach("I6", case, f"{who} did not find the log busy")
        except Busy as error:
            if Path("/proc/locks").exists() and f"process {child.pid} " not in str(error):
                run.breach("I6", case, f"{who}: not {child.pid} is named: {error}")
    followed_for_a_moment(path)
