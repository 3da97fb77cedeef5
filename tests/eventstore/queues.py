"""What the tests of queue share with others."""

import threading
from collections.abc import Callable, Sequence

from eventstore.disk import Disk
from eventstore.errors import StoreError
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore
from eventstore.store import Appended
from tests.eventstore.contract import outcome
from tests.eventstore.logs import AT, drafts
from tests.waiting import LONGEST, until


class Slow(Disk):
    def __init__(self) -> None:
        self.syncs = self.writes = 0
        self.error: OSError | None = None
        self.begun, self.go = threading.Event(), threading.Event()

    def write(self, fd: int, data: bytes | memoryview) -> int:
        self.writes += 1
        return super().write(fd, data)

    def sync(self, fd: int) -> None:
        self.syncs += 1
        self.begun.set()
        assert self.go.wait(LONGEST)
        if self.error:
            raise self.error
        super().sync(fd)


def together(store: JsonlStore, disk: Slow, works: Sequence[Callable[[], Appended]]) -> list[Appended | StoreError]:
    """Let the first append begin to sync, the others queue in their order, then let go; return what came of each."""
    results: dict[int, Appended | StoreError] = {}

    def run(place: int) -> None:
        results[place] = outcome(works[place])

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(works))]
    threads[0].start()
    assert disk.begun.wait(LONGEST)
    for count, thread in enumerate(threads[1:], 1):
        thread.start()
        until(lambda count=count: len(store._queue._waiting) == count)  # type: ignore[misc]
    disk.go.set()
    for thread in threads:
        thread.join(LONGEST)
        assert not thread.is_alive()
    return [results[place] for place in range(len(works))]


def note(store: JsonlStore, text: str, after: int | None = None, key: str | None = None) -> Callable[[], Appended]:
    return lambda: store.append(drafts(Noted(text=text)), by="gm", at=AT, after=after, key=key)
