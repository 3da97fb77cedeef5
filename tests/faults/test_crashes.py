"""What the campaign of crashes found once, each by its name."""

from collections.abc import Callable
from pathlib import Path

import pytest

from eventstore.damage import CHANGED_HINT, NO_LINE_FEED, TORN, TORN_HINT
from eventstore.disk import Disk
from eventstore.errors import CorruptLog, NotWritten
from eventstore.jsonl import JsonlStore, create
from eventstore.repair import carried_out, plan_repair
from tests.eventstore.jsonl import part_and_reason
from tests.eventstore.logs import AT, OPENING, drafts, log_of, rounds, small_log
from tests.faults.campaign import Run
from tests.faults.files import NoLinks
from tests.faults.memfs import MemFS
from tests.faults.recording import FORD, Make, Recording, before_sync, cut
from tests.faults.recovering import ReadsLittle
from tests.faults.stories import filler

# ---------------------------------------------------------------- a record without its line feed

JUNK = [
    b"\0" * 100,
    b"\xff" * 50,
    b"garbage",
    b'{"seq":5,"at',
    b"gar\nbage\n",
    b"x",
    small_log(),
    b" ",
    b"  ",
    b"\r\r",
    b"\t \x0b",
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ford.jsonl"


@pytest.mark.parametrize("junk", JUNK)
def test_a_last_record_shown_without_its_line_feed_outlives_a_power_cut_during_the_next_append(
    path: Path, junk: bytes
) -> None:
    """It was torn off together with what followed it."""
    path.write_bytes(small_log()[:-1] + junk)
    got, error = part_and_reason(path)
    assert got == [1, 2, 3, 4]
    assert isinstance(error, CorruptLog)
    assert (error.line, error.offset) == (4, len(small_log()) - 1)
    assert error.torn == (b"\n" not in junk and len(junk) > 1)
    assert (error.why, error.hint) == ((TORN, TORN_HINT) if error.torn else (NO_LINE_FEED, CHANGED_HINT))
    if error.torn:
        JsonlStore(path).append(rounds(1, 1), by="gm", at=AT, after=4)
    else:
        carried_out(plan_repair(path, by="gm"), path, at=AT)
    assert path.read_bytes().startswith(small_log())
    assert JsonlStore(path).verify().sound
    assert any(each.read_bytes() in (junk, small_log()[:-1] + junk) for each in path.parent.glob("ford.jsonl.*"))


# ---------------------------------------------------------------- blocks that never reached the disk


@pytest.mark.parametrize("block", [512, 4096])
@pytest.mark.parametrize("lost", [{1}, {2}, {1, 3}, {0, 2}, {0, 1, 2}])
def test_an_append_of_which_any_blocks_were_lost_is_a_torn_tail(block: int, lost: set[int]) -> None:
    """Only the loss of the first one was taken for that."""
    recording = Recording(MemFS(block=block))
    recording.append(recording.create(), [filler(block) for _ in range(4)])
    moment = before_sync(recording)
    data, start = moment.machine.get(FORD), len(moment.machine.medium(FORD))
    borders = [start, *range((start // block + 1) * block, len(data), block), len(data)]
    spoiled = bytearray(data)
    for number in lost:
        spoiled[borders[number] : borders[number + 1]] = bytes(borders[number + 1] - borders[number])
    moment.machine.put(FORD, bytes(spoiled))
    store = JsonlStore(FORD, disk=moment.machine.process())
    problem = store.verify().problem
    assert problem is not None
    assert (problem.torn, problem.line, problem.offset) == (True, 2, start)
    store.append(rounds(1, 1), by="gm", at=AT)
    assert store.verify().sound


def test_who_began_to_read_a_log_full_of_holes_does_not_see_what_is_put_in_their_place() -> None:
    """Its end was not held fast where many of its lines were spoiled."""
    recording = Recording(MemFS())
    recording.append(recording.create(), [filler(100) for _ in range(30)])
    moment = before_sync(recording)
    spoiled = bytearray(moment.machine.get(FORD))
    for place in range(1024, len(spoiled) // 1024 * 1024, 1024):
        spoiled[place : place + 512] = bytes(512)
    moment.machine.put(FORD, bytes(spoiled))
    reading = Make(process=ReadsLittle).opened(moment.machine).read()
    assert next(reading).seq == 1
    writer = moment.machine.process()
    JsonlStore(FORD, disk=writer).append(rounds(1, 4), by="gm", at=AT)
    assert [call.name for call in writer.calls].count("truncate") == 1
    with pytest.raises(CorruptLog) as caught:
        list(reading)
    assert caught.value.torn


def test_a_hole_with_another_append_behind_it_is_damage() -> None:
    recording = Recording(MemFS())
    store = recording.create()
    start = len(recording.machine.get(FORD))
    recording.append(store, [filler(600), filler(600)])
    recording.append(store, rounds(1, 1))
    data = recording.machine.get(FORD)
    hole = slice((start // 512 + 1) * 512, (start // 512 + 2) * 512)
    recording.machine.put(FORD, data[: hole.start] + bytes(512) + data[hole.stop :])
    problem = JsonlStore(FORD, disk=recording.machine.process()).verify().problem
    assert problem is not None
    assert not problem.torn


def test_another_file_that_takes_the_place_of_a_log_is_verified() -> None:
    recording = Recording(MemFS())
    recording.create()
    store = recording.open()
    recording.append(store, rounds(1, 1))
    other = log_of(drafts(OPENING), *(rounds(number, 5) for number in range(1, 9)))
    recording.machine.process().unlink(FORD)
    recording.machine.put(FORD, other.replace(b'"round":2', b'"round":3', 1))
    with pytest.raises(CorruptLog, match="line 3"):
        recording.append(store, rounds(2, 1))


# ---------------------------------------------------------------- names


def reads(recording: Recording) -> None:
    recording.read(recording.open())


def writes(recording: Recording) -> None:
    recording.append(recording.open(), rounds(1, 1))


@pytest.mark.parametrize("somebody", [reads, writes])
def test_a_log_whose_maker_died_early_keeps_the_name_under_which_somebody_found_it(
    somebody: Callable[[Recording], None],
) -> None:
    """Its maker had not come to bring its name to the disk; nobody else did."""
    making = Recording(MemFS())
    making.create()
    found = [moment for moment in making.moments if FORD.name in moment.machine.names(FORD.parent)]
    assert [moment.call for moment in found] == ["sync_folder", "unlink"]
    run = Run(0, short=True, seed=1)
    for moment in found:
        recording = Recording.after(moment, moment.machine.clone())
        somebody(recording)
        assert recording.story.seen or recording.story.acked
        cut(run, somebody.__name__, recording.last, 0, "lost")
    assert run.counts.wrong == []


def test_a_log_put_in_place_by_a_repair_keeps_its_name() -> None:
    machine = MemFS()
    machine.put(FORD, (good := log_of(drafts(OPENING), rounds(1, 2))).replace(b"\n", b"\r\n"))
    repairing = Recording(machine)
    repairing.repair()
    moment = next(each for each in reversed(repairing.moments) if each.call == "sync_folder")
    assert moment.machine.get(FORD).startswith(good)
    JsonlStore(FORD, disk=moment.machine.process()).append(rounds(7, 1), by="gm", at=AT)
    back = moment.machine.crash(how="lost")
    assert JsonlStore(FORD, disk=back.process()).head().seq == 5


def test_of_two_who_make_a_log_without_links_one_is_told_that_it_is_there() -> None:
    """The second took the place of the first one's log, after that was acked."""
    machine = MemFS()
    machine.folder(FORD.parent)
    slow, quick = machine.process(NoLinks), machine.process(NoLinks)

    def make(disk: Disk) -> None:
        create(FORD, drafts(OPENING), by="gm", at=AT, disk=disk).close()

    def comes_between(call: str) -> None:
        if call == "rename":
            with pytest.raises(NotWritten, match="already a file"):
                make(quick)

    slow.meanwhile = comes_between
    make(slow)
    assert JsonlStore(FORD, disk=machine.process()).verify().sound
    assert machine.names(FORD.parent) == [FORD.name]


# ---------------------------------------------------------------- the recording itself
