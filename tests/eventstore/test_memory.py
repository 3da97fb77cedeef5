from collections.abc import Callable

import pytest

from eventstore.memory import MemoryStore
from tests.eventstore.contract import StoreContract
from tests.eventstore.logs import AT, OPENING, counted, drafts, log_of, rounds


class TestTheContract(StoreContract):
    @pytest.fixture
    def store(self) -> MemoryStore:
        return MemoryStore(drafts(OPENING), by="gm", at=AT)

    @pytest.fixture
    def another(self, store: MemoryStore) -> Callable[[], MemoryStore]:
        return lambda: store


def test_it_holds_the_same_lines_as_a_file() -> None:
    store = MemoryStore(drafts(OPENING), by="gm", at=AT, entropy=counted())
    store.append(rounds(1, 3), by="gm", at=AT)
    assert store.data == log_of(drafts(OPENING), rounds(1, 3))
