"""Measuring pieces of work in turn, and the rows of the results."""

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Work = Callable[[], object]
Taken = Mapping[str, list[float]]


@dataclass(frozen=True)
class Measurement:
    """A line of a table: seconds a unit in each run, a ratio with its target, or the reason for its absence."""

    name: str
    unit: str
    runs: tuple[float, ...]
    ratio: float | None = None
    target: float | None = None
    least: bool = True  # the target is the least that the ratio may be; False: the most
    note: str = ""

    @property
    def met(self) -> bool | None:
        if self.ratio is None or self.target is None:
            return None
        return self.ratio >= self.target if self.least else self.ratio <= self.target


def in_turn(
    works: Mapping[str, Work], runs: int, warm: int = 1, clock: Callable[[], float] = time.perf_counter
) -> dict[str, list[float]]:
    """Run every piece of work once a round, so that a slow minute affects all of them alike; return seconds.

    Work that waits for nothing can be measured by the processor's clock, `time.process_time`.
    """
    taken: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(runs + warm):
        for name, work in works.items():
            gc.collect()
            start = clock()
            work()
            spent = clock() - start
            if turn >= warm:
                taken[name].append(spent)
    return taken


def median_of_pairs(above: list[float], below: list[float]) -> float:
    """Return the median of the ratios of runs side by side."""
    return statistics.median(a / b for a, b in zip(above, below, strict=True))


def middle(tables: Sequence[Sequence[Measurement]]) -> list[Measurement]:
    """Return the rows of a table that was measured several times, each from the run with its middle ratio, or else its middle time."""

    def size(row: Measurement) -> float:
        return row.ratio if row.ratio is not None else statistics.median(row.runs or (0,))

    return [sorted(rows, key=size)[len(rows) // 2] for rows in zip(*tables, strict=True)]


def processor() -> str:
    """Return the model of the processor, if the system gives it (Linux)."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def file_system(folder: Path) -> str:
    """Return the type of a folder's file system, if the system gives it (Linux)."""
    try:
        mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return "unknown"
    here = folder.resolve()
    found = [(fields[4], fields[fields.index("-") + 1]) for fields in map(str.split, mounts)]
    return max((mount for mount in found if here.is_relative_to(mount[0])), key=lambda mount: len(mount[0]))[1]


def rows_per_event(
    taken: Mapping[str, list[float]], events: int, floor: str, targets: Mapping[str, float]
) -> list["Measurement"]:
    """Return a row in nanoseconds an event for each work, with its share of the floor."""
    return [
        Measurement(
            name,
            "ns an event",
            tuple(seconds / events * 1e9 for seconds in times),
            ratio=median_of_pairs(taken[floor], times),
            target=targets.get(name),
        )
        for name, times in taken.items()
    ]
