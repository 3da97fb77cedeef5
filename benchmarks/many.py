"""Audits of many logs from one seed, one in twenty damaged: one process, two, and Dask with two workers, each a whole command.

On a busy machine two processes are slower than they could be; the processors' time shows whether the work itself has
grown. The findings of the last run are written as Parquet, too, and counted there by DuckDB, if it is installed.

    python -m benchmarks.many [--logs 10000] [--runs 1] [--folder FOLDER]

measures this alone, with as many logs as wanted; `python -m benchmarks many` takes 10,000, three times in turn, and `--short` 100 once.
"""

import argparse
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.append import AT, NAMES
from benchmarks.measuring import Measurement, Work, in_turn, median_of_pairs
from benchmarks.replay import SCRIPTS, fight
from benchmarks.start import environment
from eventstore.jsonl import create
from eventstore.record import Draft
from projections.rulesets import keys

FEWEST, MOST = 50, 400
"""The number of events of a log."""
DAMAGED = 20
"""The number of logs of which one is damaged."""
ONE, TWO, DASK = "one process", "two processes", "Dask, two workers, with its start"
WORDS = {ONE: ("--jobs", "1"), TWO: ("--jobs", "2"), DASK: ("--jobs", "2", "--engine", "dask")}
TARGETS = {TWO: 1.8, DASK: 1.7}
LONG = 10_000
"""The number of logs from which the start of Dask hardly counts."""
SPENT = "the processors' seconds"


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure; every way must give the same lines, and a difference is reported."""
    return _rows(folder, *((100, 1) if short else (10_000, 3)))


def _rows(folder: Path, count: int, runs: int) -> list[Measurement]:
    logs = folder / "many"
    made(logs, count)
    said: dict[str, list[str]] = {}
    spent: dict[str, list[float]] = {name: [] for name in WORDS}

    def work(name: str) -> Work:
        def audit() -> None:
            before = _spent()
            said[name] = _lines(logs, *WORDS[name])
            spent[name].append(_spent() - before)

        return audit

    taken = in_turn({name: work(name) for name in WORDS}, runs, warm=0)
    rates = {name: tuple(count / seconds for seconds in taken[name]) for name in WORDS}
    rows = [
        Measurement(
            f"{count:,} logs, {name}",
            "logs a s",
            rates[name],
            ratio=median_of_pairs(taken[ONE], taken[name]) if name != ONE else None,
            target=TARGETS.get(name)
            if name == TWO or count >= LONG
            else None,  # of few logs the start of Dask takes longest
            note="" if said[name] == said[ONE] else "gives other lines",
        )
        for name in WORDS
    ]
    rows += [
        Measurement(
            f"{SPENT}, {name}",
            "s",
            tuple(spent[name]),
            ratio=median_of_pairs(spent[name], spent[ONE]),
            note=f"times {ONE}",
        )
        for name in (TWO, DASK)
    ]
    return [*rows, _counted(logs, folder / "findings.parquet")]


def _spent() -> float:
    """Return the processor time of commands and their workers so far, in seconds."""
    times = os.times()
    return times.children_user + times.children_system


def made(folder: Path, count: int, seed: int = 7) -> None:
    """Make so many logs of the rulesets that have a script, with a byte changed in one of twenty."""
    folder.mkdir()
    dice, rulesets = random.Random(seed), [key for key in keys() if key in SCRIPTS]
    for number in range(count):
        path = folder / f"{number:04}.jsonl"
        facts = itertools.islice(fight(rulesets[number % len(rulesets)], NAMES, number), dice.randint(FEWEST, MOST))
        create(path, list(map(Draft, facts)), by="gm", at=AT)
        if number % DAMAGED == DAMAGED - 1:
            data = bytearray(path.read_bytes())
            data[dice.randrange(len(data))] ^= 1
            path.write_bytes(data)


def _lines(logs: Path, *words: str) -> list[str]:
    """Return the lines of an audit, without the time of each."""
    command = [sys.executable, "-m", "encounterlog", "audit", str(logs), "--json", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment())
    return [line.rpartition(',"ms"')[0] for line in done.stdout.splitlines()]


def _counted(logs: Path, out: Path) -> Measurement:
    """Compare the findings in Parquet with the sum of the lines."""
    name = "findings in Parquet, counted by DuckDB"
    found = [json.loads(line + "}") for line in _lines(logs, "--jobs", "2", "--out", str(out))]
    try:
        import duckdb
    except ImportError:
        return Measurement(name, "", (), note="DuckDB is not installed")
    counted = duckdb.execute(
        "select count(*) from read_parquet(?) where rule is not null and ruled is null", [str(out)]
    ).fetchall()[0][0]
    return Measurement(name, "findings", (counted,), note=_verdict(counted, found))


def _verdict(counted: int, found: Sequence[dict[str, int]]) -> str:
    reported = sum(one["breaches"] + one["notices"] for one in found)
    troubled = sum(one["problem"] is not None for one in found)
    agree = "as many as" if reported == counted else f"not {reported}, as"
    return f"{agree} the lines say; {troubled} of {len(found)} logs damaged"


def main() -> None:
    """Print the rows for as many logs as asked."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.many", description="Audits of many logs.")
    parser.add_argument("--logs", type=int, default=LONG, metavar="N", help="default: %(default)s")
    parser.add_argument("--runs", type=int, default=1, metavar="N", help="default: %(default)s")
    parser.add_argument("--folder", metavar="FOLDER", help="where the logs are made")
    asked = parser.parse_args()
    print(f"load at the start: {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory(prefix="benchmark-", dir=asked.folder) as name:
        for row in _rows(Path(name), asked.logs, asked.runs):
            ratio = f"{row.ratio:6.2f}" if row.ratio else ""
            aim = f"(≥ {row.target})" if row.target else ""
            middle = f"{statistics.median(row.runs):8.1f}" if row.runs else ""
            print(f"{row.name:<48} {row.unit:<12} {middle} {ratio:<6} {aim} {row.note}".rstrip())


if __name__ == "__main__":
    main()
