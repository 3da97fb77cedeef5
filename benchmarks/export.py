"""What an export costs: every format against show, in one process, at 5,000 events, for every ruleset."""

import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from benchmarks.measuring import Row, Work, in_turn, median_of_pairs
from benchmarks.replay import SCRIPTS
from benchmarks.rules import LARGE, PLAIN, in_memory
from encounterlog.exporters import EXPORTERS
from encounterlog.pages.show import page, view
from encounterlog.reading.exporting import run as export
from encounterlog.reading.logs import Log
from encounterlog.writing.opening import create
from eventstore.withholding import NOTHING
from projections.rulesets import keys

EVENTS, MOST = 5_000, 4


def run(folder: Path, short: bool) -> list[Row]:
    """Measure every ruleset that has a script in benchmarks/replay.py; short: the smallest, and one of the largest."""
    found = [key for key in keys() if key in SCRIPTS and (not short or key in (PLAIN, *LARGE[:1]))]
    return [row for key in found for row in _rows(folder, key, 1 if short else 3)]


def _rows(folder: Path, key: str, runs: int) -> Iterator[Row]:
    log, number = folder / f"{key}.jsonl", count()
    create(str(log), [record.event for record in in_memory(key, EVENTS) if record.event is not None], "gm")

    def work(kind: str) -> Work:
        return lambda: export(kind, str(log), folder / f"{key}.{kind}.{next(number)}", NOTHING)

    works: dict[str, Work] = {"show": lambda: page(view(Log(str(log)), None, every=False, judge=True))}
    works |= {kind: work(kind) for kind in EXPORTERS}
    taken = in_turn(works, runs, clock=time.process_time)
    for kind in EXPORTERS:
        ratio = median_of_pairs(taken[kind], taken["show"])
        milliseconds = tuple(each * 1_000 for each in taken[kind])
        yield Row(f"{key}: export {kind} against show", "ms", milliseconds, ratio, MOST, least=False)
