from collections.abc import Callable

import pytest

from eventstore.chain import LogPosition
from eventstore.memory import MemoryStore
from eventstore.reading import Walk
from tests.eventstore.contract import StoreContract
from tests.eventstore.followers import Following
from tests.eventstore.logs import AT, OPENING, counted, drafts, log_of, rounds


class TestTheContract(StoreContract):
    @pytest.fixture
    def store(self) -> MemoryStore:
        return MemoryStore(drafts(OPENING), by="gm", at=AT)

    @pytest.fixture
    def another(self, store: MemoryStore) -> Callable[[], MemoryStore]:
        return lambda: store


def test_who_follows_it_waits_until_something_comes() -> None:
    class Counting(MemoryStore):
        walks = 0

        def _walk(self, start: LogPosition) -> Walk:
            self.walks += 1
            return super()._walk(start)

    store = Counting(drafts(OPENING), by="gm", at=AT)
    with Following(store) as follower:
        assert follower.until(1) == [1]
        assert follower.stays_silent()
        assert store.walks <= 2
        store.append(rounds(1, 1), by="gm", at=AT)
        assert follower.until(2) == [1, 2]


def test_it_holds_the_same_lines_as_a_file() -> None:
    store = MemoryStore(drafts(OPENING), by="gm", at=AT, entropy=counted())
    store.append(rounds(1, 3), by="gm", at=AT)
    assert store.data == log_of(drafts(OPENING), rounds(1, 3))
