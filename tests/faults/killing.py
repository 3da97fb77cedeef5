"""Faults 11 and 12: writers that are killed at each system call, and at random moments."""

import random
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, islice
from pathlib import Path

from eventstore.events import CombatantJoined, Noted
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft, written
from tests.eventstore.logs import read
from tests.faults.campaign import Run, fault
from tests.faults.judging import Story, judge, readable
from tests.faults.lives import GOOD, GROWING, NEW, TORN, UNENDED, Life, Step, act, answered, story_of
from tests.faults.processes import Child, straced

CHANGING = ("write", "fdatasync", "fsync", "ftruncate", "?link,linkat", "?unlink,unlinkat", "openat", "flock")
"""The system calls by which a writer changes something."""
LOOKING = ("?fstat,newfstatat,?statx", "pread64", "read", "lseek", "close", "?rename,renameat2")
"""The others that it makes."""


@fault(11, "SIGKILL at each system call")
def at_each_call(run: Run) -> None:
    lives = [NEW, GROWING, *TORN, UNENDED]
    for life in lives[:3] if run.short else lives:
        for calls in CHANGING if run.short else CHANGING + LOOKING:
            for number in count(1):
                if not _killed(run, life, calls, number):
                    break
    for number in range(1, run.some(1, 10) + 1):
        _killed_while_writing(run, number)


def _killed(run: Run, life: Life, calls: str, number: int) -> bool:
    """Kill a writer at the nth of these calls; say whether it came so far."""
    case = f"{life.name}, killed at {calls} {number}"
    with run.folder() as folder:
        path = life.begins(folder)
        child = Child(life.work(path), waits=True)
        traced = straced(child, f"{calls}:signal=SIGKILL:when={number}")
        if traced.code not in (0, -signal.SIGKILL):
            run.breach("I6", case, f"the writer ended with {traced.code}")
        answered(run, case, child.said)
        life.ends(run, case, path, child.said)
        life.again(run, case, path, child.said)
    return traced.code != 0


def _killed_while_writing(run: Run, number: int) -> None:
    """Kill a writer as soon as the first bytes of a long append are there."""
    sheet = {str(place): "x" * 1900 for place in range(250)}
    horde = Step([Draft(CombatantJoined(combatant=f"orc-{place}", sheet=sheet)) for place in range(8)], key="horde")
    life = Life("a long append", GOOD, GOOD, [horde])
    with run.folder() as folder:
        path = life.begins(folder)
        child = Child(life.work(path))
        while path.stat().st_size == len(GOOD) and not child.over:
            pass
        child.kill()
        case = f"{life.name}, killed after its first bytes, time {number}"
        life.ends(run, case, path, child.said)
        life.again(run, case, path, child.said)


# ---------------------------------------------------------------- at random moments

WRITERS = 4
KILLS = 25
"""How many kills one log sees; the more there are, the longer a new writer reads before it writes."""


@fault(12, "SIGKILL at random, 4 writers")
def at_random(run: Run) -> None:
    chance, kills = run.chance, run.some(25, 1000)
    for first in range(1, kills + 1, KILLS):
        _loop(run, chance, range(first, min(first + KILLS, kills + 1)))


def _loop(run: Run, chance: random.Random, kills: Sequence[int]) -> None:
    """Kill writers of one log, each time another one takes the place, and read the log after each kill."""
    with run.folder() as folder:
        path = folder / "ford.jsonl"
        path.write_bytes(GOOD)
        living = [Writer(path, f"{run.seed} {kills[0]} {place}") for place in range(WRITERS)]
        whole = Story(read(GOOD), [], read(GOOD))
        for kill in kills:
            time.sleep(chance.uniform(0, 0.03))
            _die(run, living.pop(chance.randrange(WRITERS)), whole)
            _look(run, f"kill {kill}", path, living, whole)
            living.append(Writer(path, f"{run.seed} {kill} again"))
        for writer in living:
            _die(run, writer, whole)
        whole.acked.sort(key=lambda record: record.seq)
        judge(run, f"all dead after kill {kills[-1]}", whole, JsonlStore(path), path.read_bytes())


def _die(run: Run, writer: "Writer", whole: Story) -> None:
    """Kill a writer, and add its story to that of all."""
    writer.child.kill()
    answered(run, writer.name, writer.child.said)
    whole.acked += writer.story.acked
    whole.flying += writer.story.flying


def _look(run: Run, case: str, path: Path, living: Sequence["Writer"], whole: Story) -> None:
    """Read the log while others write: all that was acked by now is there, and what was seen before.

    The killed one may have left a torn tail, which the next writer has not seen yet.
    """
    run.counts.cases += 1
    acked = [*whole.acked, *(record for writer in living for record in writer.story.acked)]
    records, error = readable(JsonlStore(path, wait=30))
    lines = {written(record) for record in records}
    if error is not None and not getattr(error, "torn", False):
        run.breach("I6", case, f"the log cannot be read: {error}")
    if missing := [record.seq for record in acked if written(record) not in lines]:
        run.counts.lost += len(missing)
        run.breach("I1", case, f"acked records {missing} are not there")
    if records[: len(whole.seen)] != whole.seen:
        run.breach("I5", case, "what a reader saw has changed")
    whole.seen = records


class Writer:
    """Is a process that appends without end, as its name says."""

    def __init__(self, path: Path, name: str) -> None:
        self.name = name
        self.child = Child(lambda say: act(path, paced(errands(name)), say, wait=30))

    @property
    def story(self) -> Story:
        said = self.child.said
        return story_of(list(islice(errands(self.name), len(said))), said)


def errands(name: str) -> Iterator[Step]:
    """Yield what the writer of that name does, the same each time: short and long batches, some with a key."""
    chance = random.Random(name)
    for number in count():
        text = f"{name} {number} " + "x" * chance.choice([0, 0, 50, 1900])
        batch = [Draft(Noted(text=f"{text}{place}")) for place in range(chance.choice([1, 1, 1, 1, 2, 3, 20]))]
        key = f"{name} {number}" if chance.random() < 0.3 else None
        yield Step(batch, key, mode=chance.choice(["durable", "durable", "flushed"]))


def paced(steps: Iterable[Step]) -> Iterator[Step]:
    """Leave the others some time between two steps."""
    for step in steps:
        time.sleep(random.choice([0, 0.01]))
        yield step
