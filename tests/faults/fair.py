"""Fault 67: many writers in tight loops, each with the wait that a handle has by default: nobody starves."""

import math
import os
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from eventstore.jsonl import JsonlStore
from eventstore.record import Recorded, encode_record
from tests.eventstore.logs import AT, read
from tests.faults.campaign import Run, fault
from tests.faults.processes import Said, Say
from tests.faults.together import GOOD, LONG, acked_in, begun, children, ended, held, note

WRITERS = (4, 8)
LONGEST = 0.5
"""How long one append may take beside seven others in tight loops, in seconds, on a machine that does nothing else: beside other work the shares alone are judged."""


@fault(67, f"{WRITERS[-1]} writers in tight loops, each with the default wait")
def in_tight_loops(run: Run) -> None:
    for writers in WRITERS:
        with run.folder() as folder, run.within(LONG, f"{writers} writers"):
            path, longest = begun(folder), math.inf if _is_busy() else LONGEST
            until = time.monotonic() + run.some(2, 20)
            with children(*(partial(_append_until, path, until, name) for name in range(writers))) as crew:
                said = [ended(run, f"writer {name}", child) for name, child in enumerate(crew)]
            _judge(run, writers, path, said, longest)


def _is_busy() -> bool:
    """Say whether others want more than this machine has, so that a wait is not of the store's making."""
    return os.getloadavg()[0] > (os.cpu_count() or 1)


def _append_until(path: Path, until: float, name: int, say: Say) -> None:
    """Append without a pause until that moment; say what was acked, and how long the longest append took."""
    worst, start = 0.0, time.monotonic()
    records: list[Recorded] = []
    with JsonlStore(path) as store:
        while start < until:
            records += store.append(note(f"{name}/{len(records)}"), by="gm", at=AT).records
            worst, start = max(worst, time.monotonic() - start), time.monotonic()
    say("acked", name, [encode_record(record).decode() for record in records])
    say("worst", name, worst)


def _judge(run: Run, writers: int, path: Path, said: Sequence[list[Said]], longest: float) -> None:
    case = f"{writers} writers"
    counts = [len(words[0][2]) for words in said if words and words[0][0] == "acked"]
    worst = max((words[-1][2] for words in said if words), default=0.0)
    run.counts.remark = f"of {writers} the longest wait was {worst:.2f} s"
    if len(counts) < writers or min(counts) < max(counts) / 20:
        run.breach("I6", case, f"one starves: {counts}")
    if worst > longest:
        run.breach("I6", case, f"one waits for {worst:.2f} s")
    held(run, case, path, [*read(GOOD), *acked_in([each for words in said for each in words])])
