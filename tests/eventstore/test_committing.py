"""The usual append makes few calls, and what is unusual is seen to."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from eventstore.committing import Append
from eventstore.errors import Malformed, NotWritten, OutcomeUnknown, StoreError
from eventstore.events import DamageDealt
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft
from eventstore.store import STORE, Request, put_key
from tests.eventstore.logs import AT, OPENING, counted, drafts, rounds
from tests.faults.memfs import MemFS, Process

FORD = Path("/ford.jsonl")


@pytest.fixture
def machine() -> MemFS:
    machine = MemFS()
    create(FORD, drafts(OPENING), by="gm", at=AT, entropy=counted(), disk=machine.process()).close()
    return machine


def writing(machine: MemFS) -> tuple[JsonlStore, Process]:
    disk = machine.process()
    store = JsonlStore(FORD, disk=disk, entropy=counted())
    store.append(rounds(1, 1), by="gm", at=AT)
    return store, disk


def calls_of(disk: Process, work: Callable[[], object]) -> list[str]:
    before = len(disk.calls)
    with suppress(StoreError):
        work()
    return [call.name for call in disk.calls[before:]]


USUAL = ["try_lock", "stat", "pread", "write", "sync", "stat", "unlock"]


def test_a_closed_handle_gives_the_file_back_and_the_next_append_opens_it(machine: MemFS) -> None:
    store, disk = writing(machine)
    assert calls_of(disk, store.close) == ["close"]
    assert calls_of(disk, store.close) == []
    assert "open" in calls_of(disk, lambda: store.append(rounds(2, 1), by="gm", at=AT))


def test_what_is_malformed_is_refused_before_a_byte_is_written(machine: MemFS) -> None:
    store, disk = writing(machine)
    wrong = drafts(DamageDealt(target="Orc 1", amount=1))
    assert calls_of(disk, lambda: store.append(wrong, by="gm", at=AT)) == ["try_lock", "stat", "pread", "unlock"]
    with pytest.raises(Malformed, match="is not an id"):
        store.append(wrong, by="gm", at=AT)
    assert calls_of(disk, lambda: store.append(rounds(2, 1), by="gm", at=AT)) == USUAL


def another_wrote(machine: MemFS) -> None:
    JsonlStore(FORD, disk=machine.process()).append(rounds(8, 2), by="other", at=AT)


def a_line_was_cut_short(machine: MemFS) -> None:
    machine.put(FORD, machine.get(FORD) + b'{"seq":3,"at"')


def it_has_a_second_name(machine: MemFS) -> None:
    machine.process().link(FORD, FORD.with_name("second.jsonl"))


def a_copy_took_its_place(machine: MemFS) -> None:
    machine.process().rename(machine.put("/new", machine.get(FORD)), FORD)


UNUSUAL = [another_wrote, a_line_was_cut_short, it_has_a_second_name, a_copy_took_its_place]


@pytest.mark.parametrize("happens", UNUSUAL)
def test_where_anything_is_unusual_the_full_path_sees_to_it(machine: MemFS, happens: Callable[[MemFS], None]) -> None:
    store, disk = writing(machine)
    happens(machine)
    assert calls_of(disk, lambda: store.append(rounds(2, 1), by="gm", at=AT)) != USUAL
    assert store.verify().sound
    assert [record.event for record in store.read()][-1] == rounds(2, 1)[0].event
    assert (
        calls_of(disk, lambda: store.append(rounds(3, 1), by="gm", at=AT)) == USUAL or happens is it_has_a_second_name
    )


def test_a_poisoned_handle_takes_no_path_even_if_no_clock_tells_of_it(machine: MemFS) -> None:
    store, disk = writing(machine)
    machine.tick = 0
    disk.fail("sync")
    for error, hint in ((OutcomeUnknown, "open the log again and look whether"), (NotWritten, "open the log again")):
        with pytest.raises(error, match="did not confirm") as caught:
            store.append(rounds(2, 1), by="gm", at=AT)
        assert caught.value.hint.startswith(hint)
    assert [call.name for call in disk.calls].count("write") == 2


def test_what_a_retry_is_told_is_not_taken_back_if_the_disk_fails(machine: MemFS) -> None:
    """It may have been acked to somebody else by then."""
    JsonlStore(FORD, disk=machine.process()).append(rounds(1, 1), by="gm", at=AT, key="k", mode="flushed")
    before = machine.get(FORD)
    disk = machine.process()
    store = JsonlStore(FORD, disk=disk)
    disk.fail("sync")
    for _ in range(2):
        with pytest.raises(OutcomeUnknown, match="did not confirm"):
            store.append(rounds(1, 1), by="gm", at=AT, key="k")
    assert machine.get(FORD) == before


# ---------------------------------------------------------------- what a handle knows


def test_who_is_told_of_what_was_only_flushed_brings_it_to_the_disk_once(machine: MemFS) -> None:
    store, disk = writing(machine)

    def again() -> object:
        return store.append(rounds(2, 1), by="gm", at=AT, key="volley", mode="flushed")

    again()
    assert "sync" in calls_of(disk, again)
    assert "sync" not in calls_of(disk, again)


def test_who_wrote_last_looks_for_no_side_files(machine: MemFS) -> None:
    store, disk = writing(machine)
    assert "exists" not in calls_of(disk, lambda: store.append(rounds(2, 1), by="gm", at=AT, key="k"))


def job(facts: list[Draft], *, at: str = AT, after: int | None = None, key: str | None = None) -> Append:
    return Append(Request(put_key(facts, key), "gm", at, after, "flushed"))


def test_where_one_of_a_group_is_told_of_the_log_all_of_it_is_synced(machine: MemFS) -> None:
    store, disk = writing(machine)
    others = [job(rounds(2, 1)), job(rounds(3, 1))]
    assert "sync" not in calls_of(disk, lambda: store._writer.write_appends(others))
    told = [job(rounds(4, 1)), job(rounds(5, 1), after=1)]
    assert "sync" in calls_of(disk, lambda: store._writer.write_appends(told))


def test_notes_of_the_store_have_the_moment_of_who_appends_first(machine: MemFS) -> None:
    store, _ = writing(machine)
    store.append(rounds(2, 1), by="gm", at=AT, key="volley")
    a_line_was_cut_short(machine)
    later, latest = AT.replace("2026", "2027"), AT.replace("2026", "2028")
    store._writer.write_appends([job(rounds(2, 1), at=later, key="volley"), job(rounds(3, 1), at=latest)])
    assert [(record.by, record.at) for record in store.read(3)] == [(STORE, latest), ("gm", latest)]
