"""A part of fault 55: whoever follows a log in memory, while others put another file in its place between two looks."""

import threading
from collections.abc import Callable, Sequence

from eventstore.errors import Rewritten, StoreError
from eventstore.following import Watcher
from eventstore.record import Recorded
from tests.eventstore.logs import OPENING, drafts, log_of, read, rounds
from tests.faults.campaign import Run
from tests.faults.memfs import MemFS
from tests.faults.recording import FORD, REAL, Make

BEFORE = [rounds(1, 2), rounds(3, 1)]
LONGER = log_of(drafts(OPENING), *BEFORE, rounds(4, 3))
OTHER = log_of(drafts(OPENING), rounds(8, 2), *BEFORE, rounds(4, 3))
SAME = log_of(drafts(OPENING), *BEFORE)


class Script(Watcher):
    """Is what others do, a step at each moment at which a follower waits; in the end it is stopped."""

    def __init__(self, steps: Sequence[Callable[[], object]]) -> None:
        self.steps, self.stop = list(steps), threading.Event()

    def watch(self, path: str) -> "Script":
        del path
        return self

    def wait(self, seconds: float) -> None:
        del seconds
        if self.steps:
            self.steps.pop(0)()
        else:
            self.stop.set()


def replaced_while_followed(run: Run, make: Make = REAL) -> None:
    """A file with the same records and more goes on, one with others is told of, from wherever on the log is followed."""
    for after in range(4):
        for name, data, expected in (
            ("a longer copy", LONGER, LONGER),
            ("the same", SAME, SAME),
            ("another", OTHER, b""),
        ):
            machine = MemFS()
            machine.put(FORD, SAME)
            new = machine.put(FORD.with_name("new"), data)
            others = machine.process()
            script = Script([lambda new=new, others=others: others.rename(new, FORD), _nothing])  # type: ignore[misc]
            _follows(run, f"{name}, after {after}", make, machine, script, after, expected)


def _nothing() -> None:
    """Let a moment go by in which nothing happens."""


def _follows(run: Run, case: str, make: Make, machine: MemFS, script: Script, after: int, expected: bytes) -> None:
    run.counts.cases += 1
    seen: list[Recorded] = []
    error: StoreError | None = None
    try:
        for record in make.opened(machine).follow(after, stop=script.stop, watch=script.watch):
            seen.append(record)  # noqa: PERF402 – a comprehension would lose the part
    except StoreError as found:
        error = found
        run.counts.refused += 1
    if expected and (error or seen != read(expected)[after:]):
        run.breach("I5", case, f"it saw {[record.seq for record in seen]} and ended with {error!r}")
    if not expected and not isinstance(error, Rewritten):
        run.breach("I5", case, f"other records took the place of what it saw, and it ended with {error!r}")
