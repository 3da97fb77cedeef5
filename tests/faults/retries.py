"""Faults 56, 57 and 59: an append repeated, whole or in part, and one key in two logs."""

import errno
import os
import signal
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from eventstore.disk import Disk
from eventstore.errors import NotWritten, OutcomeUnknown
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft
from eventstore.store import STORE, Appended
from tests.eventstore.logs import AT, OPENING, drafts, read, rounds, small_log
from tests.faults.campaign import DoesNotApply, Run, fault
from tests.faults.judging import Story, judge, readable
from tests.faults.processes import Child

LOG = small_log()
ENDS = 4
"""The last record of that log."""
LATER = "2027-11-20T19:04:05.123456Z"


class Unlucky(Disk):
    """Is the machine's disk, on which calls of some names fail, or kill the process once they are done.

    Of the first write so many bytes are done as `part` says; where these are not all, the second one fails.
    """

    def __init__(self, *fails: str, kills: str = "", part: Callable[[int], int] = lambda size: size) -> None:
        self.fails, self.kills, self.part = fails, kills, part
        self.wrote = False

    def write(self, fd: int, data: bytes | memoryview) -> int:
        if self.wrote:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.wrote = True
        count = super().write(fd, data[: self.part(len(data))])
        self._done("write")
        return count

    def sync(self, fd: int) -> None:
        self._check("sync")
        super().sync(fd)
        self._done("sync")

    def truncate(self, fd: int, size: int) -> None:
        self._check("truncate")
        super().truncate(fd, size)

    def try_lock(self, fd: int, *, shared: bool) -> None:
        super().try_lock(fd, shared=shared)
        self._done("try_lock")

    def _check(self, name: str) -> None:
        if name in self.fails:
            raise OSError(errno.EIO, "Input/output error")

    def _done(self, name: str) -> None:
        if name == self.kills:
            os.kill(os.getpid(), signal.SIGKILL)


MISHAPS: tuple[tuple[str, Callable[[], Unlucky], bool], ...] = (
    ("the disk did not confirm it", lambda: Unlucky("sync"), False),
    ("nor could it be taken back", lambda: Unlucky("sync", "truncate"), True),
    ("half of it could not be taken back", lambda: Unlucky("truncate", part=lambda size: size // 2), False),
    ("all but two bytes could not be taken back", lambda: Unlucky("truncate", part=lambda size: size - 2), False),
    ("all but a line feed could not be taken back", lambda: Unlucky("truncate", part=lambda size: size - 1), True),
    ("killed before it was written", lambda: Unlucky(kills="try_lock"), False),
    ("killed in the middle of it", lambda: Unlucky(kills="write", part=lambda size: size * 2 // 3), False),
    ("killed once it was written", lambda: Unlucky(kills="write"), True),
    ("killed once it was durable", lambda: Unlucky(kills="sync"), True),
)
"""What goes wrong, the disk on which it does, and whether the facts are in the log all the same."""


@dataclass(frozen=True)
class Ask:
    name: str
    drafts: Sequence[Draft]
    key: str | None = None
    after: int | None = None

    def of(self, store: JsonlStore, by: str = "gm", at: str = AT) -> Appended:
        return store.append(self.drafts, by=by, at=at, key=self.key, after=self.after)


ASKS = (
    Ask("one fact", rounds(1, 1), "k"),
    Ask("one fact on condition", rounds(1, 1), "k", ENDS),
    Ask("a batch", rounds(1, 3), "k"),
    Ask("a batch of keys", [Draft(Noted(text=text), key=text) for text in "abc"]),
    Ask(
        "keys on some",
        [Draft(Noted(text="ü„")), Draft(Noted(text="b"), secret=True, key="b"), *rounds(1, 2)],
        None,
        ENDS,
    ),
    Ask("facts all alike", rounds(1, 1) * 3, "k"),
)


def _by_another_handle(path: Path, ask: Ask) -> list[Appended]:
    with JsonlStore(path) as store:
        return [ask.of(store)]


def _by_somebody_else_later(path: Path, ask: Ask) -> list[Appended]:
    with JsonlStore(path) as store:
        readable(store)
        return [ask.of(store, by="ana", at=LATER)]


def _by_threads_at_once(path: Path, ask: Ask) -> list[Appended]:
    done: list[Appended] = []
    shared = JsonlStore(path)
    stores = [shared, shared, JsonlStore(path), JsonlStore(path)]
    threads = [threading.Thread(target=lambda store=store: done.append(ask.of(store))) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for store in stores:
        store.close()
    return sorted(done, key=lambda each: each.again)


RETRIES = (_by_another_handle, _by_somebody_else_later, _by_threads_at_once)


@fault(56, "an append repeated after an unknown outcome")
def retried(run: Run) -> None:
    """Repeat appends of which nobody knows what became: they are in the log once, and the answer is the same each time."""
    for (row, (name, disk, there)), (column, ask) in product(enumerate(MISHAPS), enumerate(ASKS)):
        retries = [RETRIES[(row + column) % len(RETRIES)]] if run.short else RETRIES
        for retry in retries:
            case = f"{ask.name}, {name}, retried {retry.__name__.strip('_').replace('_', ' ')}"
            with run.folder() as folder:
                path = folder / "a.jsonl"
                path.write_bytes(LOG)
                _goes_wrong(run, case, path, ask, disk())
                _is_there_once(run, case, path, ask, retry(path, ask), there)


def _goes_wrong(run: Run, case: str, path: Path, ask: Ask, disk: Unlucky) -> None:
    if disk.kills:
        if Child(lambda _: _asked_by_a_child(path, ask, disk)).end() != -signal.SIGKILL:
            run.breach("I6", case, "the child lived")
        return
    with JsonlStore(path, disk=disk) as store:
        for errors in (OutcomeUnknown, (OutcomeUnknown, NotWritten)):  # its handle must not write any more
            try:
                ask.of(store)
            except errors as error:
                if not (error.hint and error.why):
                    run.breach("I6", case, f"without a reason or a hint: {error}")
            else:
                run.breach("I6", case, "was answered")


def _asked_by_a_child(path: Path, ask: Ask, disk: Unlucky) -> None:
    ask.of(JsonlStore(path, disk=disk))


def _is_there_once(run: Run, case: str, path: Path, ask: Ask, done: Sequence[Appended], there: bool) -> None:
    if [each.again for each in done] != [there] + [True] * (len(done) - 1):
        run.breach("I2", case, f"in the log before {there}, the answers: {[each.again for each in done]}")
    if len({(each.first, each.last, each.records) for each in done}) != 1:
        run.breach("I6", case, "the answers differ")
    if [record.event for record in done[0].records] != [draft.event for draft in ask.drafts]:
        run.breach("I1", case, "the answer tells of other facts")
    judge(run, case, Story([*read(LOG), *done[0].records]), JsonlStore(path), path.read_bytes())
    told = [record for record in JsonlStore(path).read(ENDS) if record.by not in (STORE, "judge")]
    if told != list(done[0].records):
        run.counts.invented += len(told) - len(done[0].records)
        run.breach("I2", case, f"{len(told)} facts are there, not {len(done[0].records)}")


@fault(59, "one event id in another stream")
def same_key_elsewhere(run: Run) -> None:
    """Use a key in two logs: they know nothing of each other."""
    with run.folder() as folder:
        for name in ("one", "other"):
            run.counts.cases += 1
            with create(folder / name, drafts(OPENING), by="gm", at=AT) as store:
                first, again = (store.append(rounds(1, 2), by="gm", at=AT, key="k") for _ in range(2))
                if (first.again, again.again, again.records) != (False, True, first.records) or store.head().seq != 3:
                    run.breach("I2", f"the key in log {name}", f"{first}, {again}")
    raise DoesNotApply(
        "events have no ids; a record is named by its encounter and seq. One idempotency key in two logs, the nearest "
        "thing, is two keys"
    )
