"""Whole commands on a log of 100,000 events: show against jq (18), show --at against show of an empty log."""

import shutil
import subprocess
from pathlib import Path

from benchmarks.append import AT, OPENING
from benchmarks.logs import written
from benchmarks.measuring import Measurement, Work, in_turn, median_of_pairs
from benchmarks.start import command, environment
from eventstore.jsonl import create
from eventstore.record import Draft

EVENTS = 100_000
JQ, EMPTY = "jq -c .event.type (peer)", "show --json, an empty log"
THERE, WHOLE = "show --json --at", "show --json"


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure whole processes."""
    runs = 3 if short else 9
    log, empty = written(folder / "long.jsonl", "plain", EVENTS), folder / "empty.jsonl"
    create(empty, [Draft(OPENING)], by="gm", at=AT).close()
    show = [*command()[0], "show", "--json"]
    works = {
        EMPTY: _process([*show, str(empty)]),
        THERE: _process([*show, "--at", str(EVENTS - 1_000), str(log)]),
        WHOLE: _process([*show, str(log)]),
    }
    if jq := shutil.which("jq"):
        works[JQ] = _process([jq, "-c", ".event.type", str(log)])
    taken = in_turn(works, runs)
    targets = {THERE: (EMPTY, None), WHOLE: (JQ, 1.0)}
    rows = []
    for name in works:
        base, target = targets.get(name, ("", None))
        ratio = median_of_pairs(taken[name], taken[base]) if base in taken else None
        note = f"times {base}" if ratio else "jq is not installed" if base else ""
        rows.append(
            Measurement(name, "ms", tuple(each * 1e3 for each in taken[name]), ratio, target, least=False, note=note)
        )
    return rows


def _process(words: list[str]) -> Work:
    def work() -> None:
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=environment())

    return work
