"""The delay of a fact in a second process, after its durable append returned (target 20)."""

import multiprocessing
import random
import statistics
import time
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.append import AT, OPENING, script
from benchmarks.measuring import Measurement
from eventstore.following import Inotify, Watch, Watcher
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft

ALLOWED = {"median": 1000.0, "95 %": 5000.0}
"""The largest delay of a follower by inotify, in µs; the ratio is to this."""
PAUSES = 0.002, 0.02
"""The interval of the appends, in seconds."""
FARTHEST = 0.95


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure; where the system has no inotify, say so."""
    events, runs = (60, 3) if short else (300, 5)
    watches: dict[str, Watch] = {"inotify": Inotify, "polling": Watcher}
    late: dict[str, list[list[float]]] = {name: [] for name in watches}
    for _ in range(runs):
        for name, watch in watches.items():
            if _is_here(watch, folder):
                late[name].append(_measured(folder / "follow.jsonl", watch, events))
    return [row for name in watches for row in _rows(name, late[name])]


def _is_here(watch: Watch, folder: Path) -> bool:
    try:
        watch(str(folder)).close()
    except (OSError, AttributeError, TypeError):
        return False
    return True


def _rows(name: str, late: list[list[float]]) -> list[Measurement]:
    if not late:
        return [Measurement(f"{name}, late", "µs", (), note="not measured: this system has none")]
    figures = {
        "median": [statistics.median(each) for each in late],
        "95 %": [sorted(each)[int(FARTHEST * len(each))] for each in late],
    }
    return [_row(f"{name}, late after the durable return, {which}", found, which) for which, found in figures.items()]


def _row(name: str, found: list[float], which: str) -> Measurement:
    """Return the row of a figure; only inotify has a target."""
    if not name.startswith("inotify"):
        return Measurement(name, "µs", tuple(found))
    ratio, note = statistics.median(found) / ALLOWED[which], f"of {ALLOWED[which] / 1000:g} ms"
    return Measurement(name, "µs", tuple(found), ratio=ratio, target=1.0, least=False, note=note)


def _measured(path: Path, watch: Watch, events: int) -> list[float]:
    """Return the delay of each fact, in µs; both processes read the same monotonic clock."""
    path.unlink(missing_ok=True)
    here, there = multiprocessing.Pipe()
    with create(path, [Draft(OPENING)], by="gm", at=AT) as store:
        follower = multiprocessing.get_context("spawn").Process(target=_follow, args=(path, watch, events, there))
        follower.start()
        here.recv()
        returned = _append(store, events)
        seen: list[int] = here.recv()
        follower.join()
    return [(there - here) / 1000 for there, here in zip(seen, returned, strict=True)]


def _append(store: JsonlStore, events: int) -> list[int]:
    pauses, fight, returned = random.Random(3), script(), []
    for _ in range(events):
        time.sleep(pauses.uniform(*PAUSES))
        store.append([Draft(next(fight))], by="gm", at=AT)
        returned.append(time.monotonic_ns())
    return returned


def _follow(path: Path, watch: Watch, events: int, out: Connection) -> None:
    """Note the time at which each fact arrives; the opening announces the start."""
    records = JsonlStore(path).follow(watch=watch)
    next(records)
    out.send("ready")
    seen = []
    for _ in range(events):
        next(records)
        seen.append(time.monotonic_ns())
    out.send(seen)
