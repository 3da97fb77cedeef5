import errno
import threading
from contextlib import nullcontext
from pathlib import Path

import pytest
from freezegun import freeze_time

from eventstore.committing import Append
from eventstore.errors import Busy, KeyReused, Malformed, NotWritten, OutcomeUnknown, StoreError, WrongVersion
from eventstore.events import Noted, RoundStarted
from eventstore.jsonl import JsonlStore, create
from eventstore.queue import Job, Queue, Task
from eventstore.record import Draft
from eventstore.store import MOST_EVENTS, Appended, Request
from tests.eventstore.contract import outcome
from tests.eventstore.logs import AT, OPENING, drafts, rounds
from tests.eventstore.queues import Slow, note, together
from tests.waiting import LONGEST, until


@pytest.fixture
def path(tmp_path: Path) -> Path:
    create(tmp_path / "ford.jsonl", drafts(OPENING), by="gm", at=AT).close()
    return tmp_path / "ford.jsonl"


class SecondFails(Slow):
    def sync(self, fd: int) -> None:
        super().sync(fd)
        if self.syncs == 2:
            raise OSError(errno.EIO, "broken")


def test_appends_that_come_during_a_sync_share_the_next_one(path: Path) -> None:
    disk = Slow()
    store = JsonlStore(path, disk=disk)
    results = together(store, disk, [note(store, str(number)) for number in range(9)])
    assert [done.first for done in results if isinstance(done, Appended)] == list(range(2, 11))
    assert (disk.writes, disk.syncs) == (2, 2)
    assert [record.event for record in JsonlStore(path).read(1)] == [Noted(text=str(number)) for number in range(9)]


def test_each_of_those_who_append_together_gets_an_answer_of_his_own(path: Path) -> None:
    disk = Slow()
    store = JsonlStore(path, disk=disk)
    results = together(
        store,
        disk,
        [
            note(store, "first"),
            note(store, "on condition", after=2),
            note(store, "on the same condition", after=2),
            note(store, "keyed", key="k"),
            note(store, "keyed", key="k"),
            note(store, "another", key="k"),
            lambda: store.append([Draft(Noted(text="e\u0301"))], by="gm", at=AT),
            lambda: store.append(rounds(1, 3), by="ana", at=AT),
        ],
    )
    first, condition, same, keyed, again, other, malformed, batch = results
    assert isinstance(first, Appended)
    assert isinstance(condition, Appended)
    assert isinstance(same, WrongVersion)
    assert (same.expected, same.found) == (2, 3)
    assert same.between == condition.records
    assert isinstance(keyed, Appended)
    assert isinstance(again, Appended)
    assert (again.again, again.records) == (True, keyed.records)
    assert isinstance(other, KeyReused)
    assert isinstance(malformed, Malformed)
    assert isinstance(batch, Appended)
    assert (batch.first, batch.last) == (5, 7)
    assert JsonlStore(path).verify().sound
    assert JsonlStore(path).head().seq == 7


@pytest.mark.parametrize("size", [1, 2, 100, MOST_EVENTS])
def test_an_append_is_one_write_and_one_sync_however_many_facts_it_has(path: Path, size: int) -> None:
    disk = Slow()
    disk.go.set()
    with JsonlStore(path, disk=disk) as store:
        for number in (1, 2):
            store.append(drafts(*[RoundStarted(round=1)] * size), by="gm", at=AT)
            assert (disk.writes, disk.syncs) == (number, number)
    assert JsonlStore(path).head().seq == 1 + 2 * size


def test_a_failed_sync_leaves_those_who_shared_it_in_doubt_and_no_others(path: Path) -> None:
    disk = Slow()
    store = JsonlStore(path, disk=disk)
    disk.error = OSError(5, "Input/output error")
    results = together(store, disk, [note(store, "a"), note(store, "b"), note(store, "c", key="k")])
    assert [type(result) for result in results] == [OutcomeUnknown, NotWritten, NotWritten]
    assert (disk.writes, disk.syncs) == (1, 1)
    assert JsonlStore(path).head().seq == 1


@pytest.mark.parametrize("frozen", [False, True])
def test_who_waits_too_long_behind_another_thread_writes_nothing(path: Path, frozen: bool) -> None:
    """The wait is measured by the real clock, whatever a test makes of time."""
    disk = Slow()
    store = JsonlStore(path, disk=disk, wait=0.05)
    first = threading.Thread(target=note(store, "slow"))
    first.start()
    assert disk.begun.wait(LONGEST)
    impatient = note(store, "impatient")
    with freeze_time("2026-11-20") if frozen else nullcontext():
        result = outcome(impatient)
    assert isinstance(result, Busy)
    assert "another thread of this program held the lock for 0.05 s" in str(result)
    disk.go.set()
    first.join(LONGEST)
    assert [record.event for record in store.read(1)] == [Noted(text="slow")]
    assert note(store, "later")().first == 3


def test_what_is_wrong_with_a_fact_stays_wrong_where_the_sync_fails(path: Path) -> None:
    disk = SecondFails()
    store = JsonlStore(path, disk=disk)
    works = [note(store, "first"), note(store, "lost"), note(store, "e\u0301")]
    _, lost, malformed = together(store, disk, works)
    assert isinstance(lost, OutcomeUnknown)
    assert isinstance(malformed, Malformed)


def test_a_job_that_was_taken_up_is_seen_through_however_long_it_takes() -> None:
    queue, job, results = Queue[Job](), Job(), list[bool]()
    queue._leader, queue._taken = Job(), [job]
    job.gate.acquire()
    waiting = threading.Thread(target=lambda: results.append(queue._wait_in_queue(job, 0.0)))
    waiting.start()
    waiting.join(0.1)
    assert waiting.is_alive()
    queue._hand_over()
    waiting.join(LONGEST)
    assert results == [True]


def test_a_worker_that_dies_lets_the_next_one_work() -> None:
    class Died(BaseException):
        pass

    calls: list[int] = []
    begun, go = threading.Event(), threading.Event()

    def work(jobs: list[Job]) -> None:
        calls.append(len(jobs))
        begun.set()
        assert go.wait(LONGEST)
        if len(calls) == 1:
            raise Died

    queue = Queue[Job]()
    died: list[bool] = []

    def first() -> None:
        try:
            queue.run(Job(), LONGEST, work)
        except Died:
            died.append(True)

    threads = [threading.Thread(target=first)]
    threads[0].start()
    assert begun.wait(LONGEST)
    threads += [threading.Thread(target=queue.run, args=(Job(), LONGEST, work)) for _ in range(3)]
    for thread in threads[1:]:
        thread.start()
    until(lambda: len(queue._waiting) == 3)
    go.set()
    for thread in threads:
        thread.join(LONGEST)
        assert not thread.is_alive()
    assert died == [True]
    assert calls == [1, 3]
    assert queue.run(Job(), LONGEST, work)


# ---------------------------------------------------------------- interrupts


class Interrupted(BaseException):
    pass


class Interrupting:
    def acquire(self, timeout: float = -1) -> bool:
        if timeout >= 0:
            raise Interrupted
        return True


def test_who_is_interrupted_as_he_waits_leaves_the_others_their_turns() -> None:
    queue, done = Queue[Job](), list[int]()
    begun, go = threading.Event(), threading.Event()

    def work(jobs: list[Job]) -> None:
        begun.set()
        assert go.wait(LONGEST)
        done.append(len(jobs))

    first, second, job = Job(), Job(), Job()
    job.gate = Interrupting()  # type: ignore[assignment]
    threads = [threading.Thread(target=queue.run, args=(each, LONGEST, work)) for each in (first, second)]
    threads[0].start()
    assert begun.wait(LONGEST)
    threads[1].start()
    until(lambda: len(queue._waiting) == 1)
    with pytest.raises(Interrupted):
        queue.run(job, LONGEST, work)
    assert (queue._leader, len(queue._waiting)) == (first, 1)
    go.set()
    for thread in threads:
        thread.join(LONGEST)
        assert not thread.is_alive()
    assert done == [1, 1]


def test_a_handle_that_another_thread_closes_goes_on(path: Path) -> None:
    """And its descriptor, which then may be another file's, is not used."""
    store, other = JsonlStore(path), create(path.with_name("other.jsonl"), drafts(OPENING), by="gm", at=AT)
    results: list[Appended | StoreError] = []

    def work(handle: JsonlStore) -> None:
        for _ in range(40):
            with handle:
                results.append(outcome(note(handle, "x")))

    threads = [threading.Thread(target=work, args=(handle,)) for handle in (store, store, store, other, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONGEST)
    assert {type(result) for result in results} == {Appended}
    assert (store.head().seq, other.head().seq) == (121, 81)
    assert store.verify().sound
    assert other.verify().sound


def test_a_malformed_append_does_not_harm_those_who_come_with_it(path: Path) -> None:
    """Not even where the store has something to note, for which it needs a moment."""
    path.write_bytes(path.read_bytes() + b'{"seq":2')
    disk = Slow()
    store = JsonlStore(path, disk=disk)
    store._queue._leader = holder = Task(lambda: None)
    results: list[Appended | StoreError] = []
    works = (lambda: store.append(rounds(1, 1), by="gm", at="yesterday"), note(store, "good"))
    threads = [threading.Thread(target=lambda work=work: results.append(outcome(work))) for work in works]
    for count, thread in enumerate(threads, 1):
        thread.start()
        until(lambda count=count: len(store._queue._waiting) == count)  # type: ignore[misc]
    disk.go.set()
    store._queue._leave_queue(holder)
    for thread in threads:
        thread.join(LONGEST)
    assert sorted(type(result).__name__ for result in results) == ["Appended", "Malformed"]
    assert [record.by for record in store.read()] == ["gm", "encounterlog", "gm"]


def test_who_comes_too_late_is_not_told_of_a_note_about_to_be_written(path: Path) -> None:
    """Of a torn tail the store makes a note in front of the next append; of two that come together, the first is refused."""
    JsonlStore(path).append(rounds(1, 2), by="gm", at=AT)
    path.write_bytes(path.read_bytes() + b'{"seq":4')
    store = JsonlStore(path)
    late, good = (Append(Request(drafts(Noted(text=text)), "gm", AT, after)) for text, after in (("a", 1), ("b", None)))
    store._writer.write_appends([late, good])
    assert isinstance(late.outcome, WrongVersion)
    assert (late.outcome.found, [record.seq for record in late.outcome.between]) == (3, [2, 3])
    assert isinstance(good.outcome, Appended)
    assert good.outcome.first == 5
