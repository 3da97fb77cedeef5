"""Faults 11 and 12: writers that are killed at each system call, and at random moments."""

import os
import signal
import time
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path

from eventstore.disk import Disk
from eventstore.jsonl import JsonlStore, create
from eventstore.record import encode_record
from tests.eventstore.logs import AT, OPENING, drafts, read
from tests.faults.campaign import Run, fault
from tests.faults.judging import readable
from tests.faults.processes import Child, Say
from tests.faults.together import (
    GOOD,
    LOG,
    TORN,
    Acked,
    acked_in,
    acks,
    answered,
    appends,
    batch_of,
    begun,
    children,
    flying_in,
    held,
    keep_writing,
)

FOUND = {"a log": GOOD, "no log": b"", "a torn tail": GOOD + TORN, "zeros": GOOD + bytes(5000)}
CALLS = frozenset(name for name in vars(Disk) if not name.startswith("_")) - {"can_lock", "close"}


class Mortal(Disk):
    def __init__(self, nth: int, *, after: bool) -> None:
        self.left, self.after = nth, after

    def __getattribute__(self, name: str) -> object:
        found = super().__getattribute__(name)
        if name not in CALLS:
            return found
        self.left -= 1
        if self.left == 0 and not self.after:
            os.kill(os.getpid(), signal.SIGKILL)

        def called(*given: object, **how: object) -> object:
            try:
                return found(*given, **how)
            finally:
                if self.left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        return called if self.left == 0 else found


@fault(11, "SIGKILL at each system call")
def at_each_call(run: Run) -> None:
    for name, data in FOUND.items():
        for after in (False, True)[: run.some(1, 2)]:
            for nth in count(1):
                if not _killed(
                    run, f"{name}, killed {'after' if after else 'before'} call {nth}", data, nth, after=after
                ):
                    break


def _killed(run: Run, case: str, data: bytes, nth: int, *, after: bool) -> bool:
    """Kill a writer at its nth call, and repeat what it was about; say whether it came so far."""
    with run.folder(real=False) as folder:
        path = folder / LOG
        if data:
            path.write_bytes(data)
        with children(partial(_writes, path, Mortal(nth, after=after))) as (child,):
            if (code := child.end()) not in (0, -signal.SIGKILL):
                run.breach("I6", case, f"the writer ended with {code}")
        answered(run, case, child.said)
        acked = [*(read(GOOD) if data else ()), *acked_in(child.said)]
        if path.exists() or acked:
            held(run, case, path, acked, [drafts(OPENING), *flying_in(child.said)])
            with JsonlStore(path) as store:
                for text in [text for word, text, *_ in child.said if word == "about"]:
                    store.append(batch_of(text), by="gm", at=AT, key=text)
                    if [record.key for record in store.read()].count(text) != 1:
                        run.breach("I2", case, f"repeated under its key, {text} is not there once")
    return code != 0


def _writes(path: Path, disk: Disk, say: Say) -> None:
    if not path.exists():
        with create(path, drafts(OPENING), by="gm", at=AT, disk=disk) as made:
            acks(say, "opening", list(made.read()))
    with JsonlStore(path, disk=disk) as store:
        for number in range(3):
            say("about", text := f"facts {number}")
            appends(store, text, say, batch_of(text), key=text)


# ---------------------------------------------------------------- at random moments

WRITERS, KILLS = 4, 25
"""How many write, and how many kills one log sees; the more there are, the longer a new writer reads before it writes."""


@fault(12, "SIGKILL at random, 4 writers")
def at_random(run: Run) -> None:
    """Kill writers of one log, each time another one takes the place, and read the log after each kill."""
    chance = run.chance
    for first in range(0, run.some(25, 1000), KILLS):
        with run.folder() as folder, ExitStack() as stack:
            path, hands = begun(folder), list[Child]()
            seen: Acked = read(GOOD)
            for kill in range(first - WRITERS, first + KILLS):
                if kill >= first:
                    time.sleep(chance.uniform(0, 0.03))
                    chance.choice([child for child in hands if not child.over]).kill()
                    seen = _looked(run, f"kill {kill}", path, hands, seen)
                hands += stack.enter_context(children(partial(keep_writing, path, f"{kill}")))
            for child in hands:
                child.kill()
            said = [words for child in hands for words in child.said]
            answered(run, f"kills from {first} on", said)
            held(run, f"all dead after kill {first + KILLS}", path, [*read(GOOD), *acked_in(said)], flying_in(said))


def _looked(run: Run, case: str, path: Path, hands: Sequence[Child], seen: Acked) -> Acked:
    """Read the log while others write: all that was acked by now is there, and what was seen before."""
    run.counts.cases += 1
    acked = acked_in([words for child in hands for words in child.said])
    records, error = readable(JsonlStore(path, wait=30))
    if error is not None and not getattr(error, "torn", False):  # which the killed one may have left
        run.breach("I6", case, f"the log cannot be read: {error}")
    if missing := {*map(encode_record, acked)} - {*map(encode_record, records)}:
        run.counts.lost += len(missing)
        run.breach("I1", case, f"{len(missing)} acked records are not there")
    if records[: len(seen)] != list(seen):
        run.breach("I5", case, "what a reader saw has changed")
    return records
