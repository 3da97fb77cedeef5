"""A follower in a thread of its own, for tests that must never hang."""

import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Self

from eventstore.chain import Anchor
from eventstore.errors import StoreError
from eventstore.record import Recorded
from eventstore.store import Store
from tests.waiting import LONGEST


class Following:
    def __init__(self, store: Store, after: int | Anchor = 0, **how: Any) -> None:
        self.records: list[Recorded] = []
        self.stop = threading.Event()
        self._came: SimpleQueue[Recorded | StoreError | None] = SimpleQueue()
        self._records = store.follow(after, stop=self.stop, **how)
        self._thread = threading.Thread(target=self._work, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop.set()
        self._thread.join(LONGEST)
        assert not self._thread.is_alive()

    @property
    def seqs(self) -> list[int]:
        return [record.seq for record in self.records]

    def until(self, seq: int) -> list[int]:
        while not self.records or self.records[-1].seq < seq:
            came = self._came.get(timeout=LONGEST)
            assert isinstance(came, Recorded), came
            self.records.append(came)
        return self.seqs

    def ends(self) -> StoreError | None:
        while isinstance(came := self._came.get(timeout=LONGEST), Recorded):
            self.records.append(came)
        return came

    def stays_silent(self, seconds: float = 0.1) -> bool:
        self._thread.join(seconds)
        return self._came.empty()

    def _work(self) -> None:
        try:
            for record in self._records:
                self._came.put(record)
        except StoreError as error:
            self._came.put(error)
        else:
            self._came.put(None)


@contextmanager
def together(followers: Iterable[Following]) -> Iterator[list[Following]]:
    with ExitStack() as stack:
        entered = [stack.enter_context(follower) for follower in followers]
        yield entered
        for follower in entered:
            follower.stop.set()
