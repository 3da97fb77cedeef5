"""The cost of an export: every format against show, as whole commands by the processor's time, at 5,000 events, for every ruleset.

A page of HTML holds the state after every event, `show` only one; JSON holds every view of every round, and a script is
replayed line by line before it is written. These three cost the most.
"""

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from benchmarks.measuring import Measurement, Work, in_turn, median_of_pairs
from benchmarks.replay import SCRIPTS
from benchmarks.rules import LARGE, PLAIN, in_memory
from benchmarks.start import command, process
from encounterlog.exporters import EXPORTERS
from encounterlog.log.opening import create_log
from projections.rulesets import keys

EVENTS, MOST = 5_000, 6
SHOW = "show"


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure every ruleset that has a script in benchmarks/replay.py; short: the smallest, and one of the largest."""
    found = [key for key in keys() if key in SCRIPTS and (not short or key in (PLAIN, *LARGE[:1]))]
    return [row for key in found for row in _rows(folder, key, 1 if short else 3)]


def _rows(folder: Path, key: str, runs: int) -> Iterator[Measurement]:
    log, number = folder / f"{key}.jsonl", count()
    create_log(str(log), [record.event for record in in_memory(key, EVENTS) if record.event is not None], "gm")
    words, note = command()

    def export(kind: str) -> Work:
        def work() -> None:
            out = folder / f"{key}.{kind}.{next(number)}"  # which may not be there already
            process([*words, "export", kind, str(log), "--to", str(out)])()

        return work

    works = {SHOW: process([*words, SHOW, str(log)])} | {kind: export(kind) for kind in EXPORTERS}
    taken = in_turn(works, runs, clock=_of_processes)
    for what, seconds in taken.items():
        ratio = median_of_pairs(seconds, taken[SHOW])
        name = f"{key}: {what}" if what == SHOW else f"{key}: export {what} against show"
        milliseconds = tuple(each * 1_000 for each in seconds)
        yield Measurement(name, "ms", milliseconds, ratio, None if what == SHOW else MOST, least=False, note=note)


def _of_processes() -> float:
    """Return the processor time of all ended commands, in seconds."""
    return sum(os.times()[2:4])
