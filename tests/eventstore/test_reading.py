"""What a reader may show: whole batches that no power cut and no other writer can take back."""

import errno
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest

from eventstore.disk import Disk
from eventstore.ending import FARTHEST
from eventstore.errors import CorruptLog, NotReadable, WrongVersion
from eventstore.events import Noted
from eventstore.form import LONGEST_LINE
from eventstore.jsonl import JsonlStore, create
from eventstore.reading import Walk
from tests.eventstore.jsonl import Counting, part_and_reason
from tests.eventstore.logs import AT, OPENING, drafts, log_of, rounds, small_log


@pytest.fixture
def path(tmp_path: Path) -> Path:
    create(tmp_path / "ford.jsonl", drafts(OPENING), by="gm", at=AT).close()
    return tmp_path / "ford.jsonl"


# ---------------------------------------------------------------- what is durable


def test_a_durable_append_makes_those_before_it_durable(path: Path) -> None:
    store = JsonlStore(path, disk=(disk := Counting()))
    store.append(rounds(1, 1), by="gm", at=AT, mode="flushed")
    store.append(rounds(2, 1), by="gm", at=AT)
    assert disk.calls == ["write", "write", "sync"]


def test_a_reader_brings_to_the_disk_what_it_shows(path: Path) -> None:
    """Its writer may have died between writing and syncing; what was shown, no power cut shall take back."""
    JsonlStore(path).append(rounds(1, 1), by="gm", at=AT, mode="flushed")
    store = JsonlStore(path, disk=(disk := Counting()))
    assert len(list(store.read())) == 2
    assert disk.calls == ["sync"]


def told_again(store: JsonlStore) -> None:
    assert store.append(rounds(1, 1), by="gm", at=AT, key="k").again


def told_what_came_between(store: JsonlStore) -> None:
    with pytest.raises(WrongVersion):
        store.append(rounds(2, 1), by="gm", at=AT, after=1)


@pytest.mark.parametrize("tells", [told_again, told_what_came_between])
def test_a_writer_that_is_told_of_a_record_has_it_on_the_disk(path: Path, tells: Callable[[JsonlStore], None]) -> None:
    JsonlStore(path).append(rounds(1, 1), by="gm", at=AT, key="k", mode="flushed")
    store = JsonlStore(path, disk=(disk := Counting()))
    tells(store)
    assert disk.calls == ["sync"]
    tells(store)
    own = JsonlStore(path, disk=(disk := Counting()))
    own.append(rounds(3, 1), by="gm", at=AT)
    disk.calls.clear()
    with pytest.raises(WrongVersion):
        own.append(rounds(2, 1), by="gm", at=AT, after=1)
    assert disk.calls == []


@pytest.mark.parametrize("lost", [1, 30, 400])
def test_a_log_that_becomes_shorter_while_it_is_read_is_no_torn_one(lost: int) -> None:
    data = small_log()
    with pytest.raises(CorruptLog, match="became shorter while it was read") as caught:
        list(Walk("log", BytesIO(data[:-lost]), len(data)))
    assert (caught.value.torn, caught.value.hint) == (False, "read it again")


def test_a_walk_that_could_not_read_in_a_batch_goes_on_where_it_stopped() -> None:
    class Once(BytesIO):
        failed = False

        def readline(self, size: int | None = -1, /) -> bytes:
            at, line = self.tell(), super().readline(size)
            if b'"seq":4' in line and not self.failed:
                self.failed = bool(self.seek(at))
                raise OSError(errno.EIO, "Input/output error")
            return line

    data = log_of(drafts(OPENING), rounds(1, 4))
    walk = Walk("log", Once(data), len(data))
    read: list[int] = []
    with pytest.raises(NotReadable):
        read.extend(record.seq for record in walk)
    read.extend(record.seq for record in walk)
    assert read == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(("more", "shown"), [(1, 4), (9, 3)])
def test_what_stands_beyond_the_size_that_was_durable_is_not_shown(more: int, shown: int) -> None:
    data = small_log()
    walk = Walk("log", BytesIO(data), len(data) - more)
    with suppress(CorruptLog):
        list(walk)
    assert walk.seq == shown
    assert walk.unended is (shown == 4)


def test_an_old_line_with_more_behind_it_is_torn_and_nothing_else_is_cut(path: Path) -> None:
    data = small_log()
    torn = data.splitlines(keepends=True)[3][:-1] + b"junk"
    path.write_bytes(data + torn)
    got, error = part_and_reason(path)
    assert isinstance(error, CorruptLog)
    assert (got, error.torn, error.line, error.offset) == ([1, 2, 3, 4], True, 5, len(data))
    JsonlStore(path).append(rounds(1, 1), by="gm", at=AT)
    assert path.read_bytes().startswith(data + b'{"seq":5,')
    assert path.with_name("ford.jsonl.torn-5-1").read_bytes() == torn


def test_a_line_that_is_too_long_is_no_torn_one_though_zeros_follow_it(path: Path) -> None:
    path.write_bytes(small_log() + b"x" * LONGEST_LINE + b"\0" * 9)
    _, error = part_and_reason(path)
    assert isinstance(error, CorruptLog)
    assert (error.torn, error.why) == (False, "is longer than 1,048,576 bytes")


# ---------------------------------------------------------------- what may be cut off meanwhile


@pytest.mark.parametrize("lost", [2, 100, 400, 700])
def test_a_reader_of_a_torn_log_does_not_show_a_writer_in_its_place(path: Path, lost: int) -> None:
    whole = log_of(drafts(OPENING), rounds(1, 2), rounds(7, 3))
    path.write_bytes(whole[:-lost])
    reading = JsonlStore(path).read()
    assert next(reading).seq == 1
    JsonlStore(path).append(rounds(1, 9), by="gm", at=AT)
    assert [next(reading).seq, next(reading).seq] == [2, 3]
    with pytest.raises(CorruptLog) as caught:
        next(reading)
    assert caught.value.torn


# ---------------------------------------------------------------- blocks that never reached the disk


def with_zeros(path: Path, batch: int) -> tuple[bytes, bytes, int]:
    """Return a log, the log with an append after it whose first block is zeros, and where that block ends."""
    good = path.read_bytes()
    JsonlStore(path).append(drafts(*(Noted(text="x" * 300) for _ in range(batch))), by="gm", at=AT)
    whole = path.read_bytes()
    end = (len(good) // 512 + 1) * 512
    return good, good + bytes(end - len(good)) + whole[end:], end


def test_zeros_with_a_line_feed_before_an_append_are_damage(path: Path) -> None:
    """Where its first record is whole, nothing of what stands before it was part of the append."""
    good = path.read_bytes()
    JsonlStore(path).append(rounds(1, 2), by="gm", at=AT)
    batch = path.read_bytes()[len(good) :]
    path.write_bytes(good + bytes(512 - len(good) % 512) + b"\n" + batch)
    _, error = part_and_reason(path)
    assert isinstance(error, CorruptLog)
    assert not error.torn


@pytest.mark.slow
@pytest.mark.parametrize("more", [0, 1])
def test_no_more_zeros_are_a_torn_tail_than_an_append_can_leave(path: Path, more: int) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size + FARTHEST + more)
    _, error = part_and_reason(path)
    assert isinstance(error, CorruptLog)
    assert error.torn == (not more)


def test_zeros_before_another_append_are_damage_and_nobody_cuts_them_off(path: Path) -> None:
    _, damaged, _ = with_zeros(path, 3)
    JsonlStore(path).append(rounds(1, 1), by="gm", at=AT)
    path.write_bytes(damaged + path.read_bytes()[len(damaged) :])
    before = path.read_bytes()
    _, error = part_and_reason(path)
    assert isinstance(error, CorruptLog)
    assert not error.torn
    with pytest.raises(CorruptLog):
        JsonlStore(path).append(rounds(1, 1), by="gm", at=AT)
    assert path.read_bytes() == before


@pytest.mark.parametrize("moved", [-1, 1])
def test_zeros_that_do_not_fill_what_was_missing_of_a_block_are_damage(path: Path, moved: int) -> None:
    good, damaged, end = with_zeros(path, 2)
    whole = bytearray(damaged)
    if moved < 0:
        whole[len(good) - 1] = 0
    else:
        whole[end : end + 1] = b"\0"
    path.write_bytes(whole)
    _, error = part_and_reason(path)
    assert isinstance(error, CorruptLog)
    assert not error.torn


def test_zeros_over_several_appends_are_damage_though_a_batch_follows(path: Path) -> None:
    """Of acked appends no block was lost on the way; what zeroed this one came later."""
    for number in range(1, 4):
        JsonlStore(path).append(rounds(number, 1), by="gm", at=AT)
    JsonlStore(path).append(rounds(9, 20), by="gm", at=AT)
    data = bytearray(path.read_bytes())
    second = data.index(b"\n") + 1
    start = (second // 512 + 1) * 512
    end = start
    while data.count(b"\n", 0, end) < 5:
        end += 512
    data[start:end] = bytes(end - start)
    path.write_bytes(data)
    _, error = part_and_reason(path)
    assert isinstance(error, CorruptLog)
    assert not error.torn
    with pytest.raises(CorruptLog):
        JsonlStore(path).append(rounds(1, 1), by="gm", at=AT)


def test_what_is_cut_off_lies_beside_the_log_itself_not_beside_a_link(path: Path, tmp_path: Path) -> None:
    path.write_bytes(path.read_bytes() + b'{"seq":2')
    (folder := tmp_path / "links").mkdir()
    (link := folder / "link.jsonl").symlink_to(path)
    JsonlStore(link).append(rounds(1, 1), by="gm", at=AT)
    assert [each.name for each in folder.iterdir()] == ["link.jsonl"]
    assert path.with_name("ford.jsonl.torn-2-1").exists()


def test_a_reader_does_not_hold_the_lock_while_it_syncs(path: Path) -> None:
    class Syncing(Disk):
        def sync(self, fd: int) -> None:
            super().sync(fd)
            JsonlStore(path, wait=0).append(rounds(1, 1), by="gm", at=AT)

    assert len(list(JsonlStore(path, disk=Syncing()).read())) == 1


def test_lines_of_zeros_cost_a_reader_no_time(path: Path) -> None:
    """Each is looked at, none decoded, and of more than an append has no more are looked at."""
    path.write_bytes(path.read_bytes() + b"\0\n" * 500_000)
    _, error = part_and_reason(path)
    assert isinstance(error, CorruptLog)
