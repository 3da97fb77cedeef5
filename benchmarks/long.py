"""Whole commands on a log of 100,000 events: show against jq (18), show --at against show of an empty log (19)."""

import shutil
import subprocess
import time
from pathlib import Path

from benchmarks.append import AT, OPENING
from benchmarks.logs import written
from benchmarks.measuring import Row, Work, in_turn, median_of_pairs
from benchmarks.start import command, environment
from encounterlog.reading.keeping import SETTLED
from eventstore.jsonl import create
from eventstore.record import Draft

EVENTS = 100_000
JQ, EMPTY = "jq -c .event.type (peer)", "show --json, an empty log"
FIRST, AGAIN, WHOLE = "show --json --at, the first time", "show --json --at, kept", "show --json, nothing kept"


def run(folder: Path, short: bool) -> list[Row]:
    """Measure; kept views go to a folder here, and not to the user's."""
    runs = 3 if short else 9
    log, empty = written(folder / "long.jsonl", "plain", EVENTS), folder / "empty.jsonl"
    create(empty, [Draft(OPENING)], by="gm", at=AT).close()
    time.sleep(SETTLED)
    show, cache = [*command()[0], "show", "--json"], folder / "cache"
    at = [*show, "--at", str(EVENTS - 1_000), str(log)]
    works = {
        EMPTY: _process([*show, str(empty)], cache),
        FIRST: _forgetting(_process(at, cache), cache),
        AGAIN: _process(at, cache),
        WHOLE: _process([*show, str(log)], None),
    }
    if jq := shutil.which("jq"):
        works[JQ] = _process([jq, "-c", ".event.type", str(log)], None)
    taken = in_turn(works, runs)
    targets = {AGAIN: (EMPTY, 1.2), FIRST: (EMPTY, None), WHOLE: (JQ, 1.0)}
    rows = []
    for name in works:
        base, target = targets.get(name, ("", None))
        ratio = median_of_pairs(taken[name], taken[base]) if base in taken else None
        note = f"times {base}" if ratio else "jq is not installed" if base else ""
        rows.append(Row(name, "ms", tuple(each * 1e3 for each in taken[name]), ratio, target, least=False, note=note))
    return rows


def _process(words: list[str], cache: Path | None) -> Work:
    env = environment() | {"ENCOUNTER_CACHE": str(cache or "off")}

    def work() -> None:
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=env)

    return work


def _forgetting(work: Work, cache: Path) -> Work:
    """Return work that is done with nothing kept."""

    def anew() -> None:
        shutil.rmtree(cache, ignore_errors=True)
        work()

    return anew
