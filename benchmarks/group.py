"""Threads that share a handle, each waiting for its own fact to be durable, against one sync for each fact (5)."""

import itertools
import threading
from collections.abc import Callable
from pathlib import Path

from benchmarks.append import AT, fresh, script
from benchmarks.measuring import Measurement, Work, in_turn, median_of_pairs
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft

TARGETS = {1: 0.95, 8: 2.0, 16: 2.7}
"""The number of threads, and the factor by which they shall be faster than with one sync for each fact."""
PATIENCE = 600.0
"""The longest wait of a thread for its turn, in seconds."""


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure; `folder` is on the disk to be measured."""
    events, runs = (320, 5) if short else (960, 9)
    drafts = [Draft(event) for event in itertools.islice(script(), events)]
    path = folder / "group.jsonl"
    works: dict[str, tuple[Work, str, float | None]] = {}
    for threads, target in TARGETS.items():
        base = f"{_counted(threads)}, one sync for each fact (base)"
        works[base] = _appending(path, drafts, threads, alone=True), base, None
        works[f"{_counted(threads)}, one handle"] = _appending(path, drafts, threads, alone=False), base, target
    taken = in_turn({name: work for name, (work, _, _) in works.items()}, runs)
    return [
        Measurement(
            name,
            "µs an event",
            tuple(seconds / events * 1e6 for seconds in taken[name]),
            ratio=median_of_pairs(taken[base], taken[name]),
            target=target,
        )
        for name, (_, base, target) in works.items()
    ]


def _counted(threads: int) -> str:
    return f"{threads} thread{'s' if threads > 1 else ''}"


def _appending(path: Path, drafts: list[Draft], threads: int, *, alone: bool) -> Work:
    """Return the work of that many threads, among whom the facts are dealt out; `alone` lets one append at a time."""

    def work() -> None:
        with JsonlStore(fresh(path), wait=PATIENCE) as store:
            one = _one_at_a_time(store) if alone else _append(store)
            crew = [threading.Thread(target=_all_of, args=(one, drafts[first::threads])) for first in range(threads)]
            for each in crew:
                each.start()
            for each in crew:
                each.join()

    return work


Append = Callable[[Draft], object]


def _append(store: JsonlStore) -> Append:
    return lambda draft: store.append([draft], by="gm", at=AT)


def _one_at_a_time(store: JsonlStore) -> Append:
    """Return an append that no other thread joins, by a lock of the caller."""
    lock = threading.Lock()

    def append(draft: Draft) -> None:
        with lock:
            store.append([draft], by="gm", at=AT)

    return append


def _all_of(append: Append, drafts: list[Draft]) -> None:
    for draft in drafts:
        append(draft)
