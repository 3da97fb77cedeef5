import errno
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from eventstore import files, writing
from eventstore.chain import withhold_payload
from eventstore.disk import Disk
from eventstore.errors import (
    Busy,
    CorruptLog,
    KeyReused,
    Malformed,
    NotALog,
    NotReadable,
    NotWritten,
    OutcomeUnknown,
    Rewritten,
    TooLarge,
    WrongVersion,
)
from eventstore.events import EVENT_TYPES, EncounterOpened, Noted, RoundStarted
from eventstore.form import event_of, read_json
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft
from tests.eventstore.contract import StoreContract, outcome
from tests.eventstore.jsonl import Flaky, as_nobody, beside, limited_file_size, part_and_reason
from tests.eventstore.logs import (
    AT,
    FIRST_VERSIONS,
    GOLDEN,
    OPENING,
    counted,
    drafts,
    example,
    log_of,
    rounds,
    small_log,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ford.jsonl"


ROOT = Path(__file__).parents[2]


@pytest.fixture
def store(path: Path) -> Iterator[JsonlStore]:
    with create(path, drafts(OPENING), by="gm", at=AT) as made:
        yield made


class TestTheContract(StoreContract):
    @pytest.fixture
    def store(self, path: Path) -> Iterator[JsonlStore]:
        with create(path, drafts(OPENING), by="gm", at=AT) as made:
            yield made

    @pytest.fixture
    def another(self, path: Path) -> Callable[[], JsonlStore]:
        return lambda: JsonlStore(path)


# ---------------------------------------------------------------- creating


def test_a_log_is_created_with_all_its_first_records_at_once(path: Path) -> None:
    made = create(path, [*drafts(OPENING), *rounds(1, 2)], by="gm", at=AT, key="import", entropy=counted())
    assert [(record.seq, record.batch, record.key) for record in made.read()] == [
        (1, (1, 3), "import"),
        (2, (2, 3), None),
        (3, (3, 3), None),
    ]
    assert made.append([*drafts(OPENING), *rounds(1, 2)], by="gm", at=AT, key="import").again


def test_an_append_has_its_largest_size_in_bytes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = create(path, drafts(OPENING), by="gm", at=AT)
    before = path.stat().st_size
    store.append(rounds(1, 2), by="gm", at=AT)
    size = path.stat().st_size - before
    monkeypatch.setattr(writing, "LARGEST_APPEND", size)
    store.append(rounds(3, 2), by="gm", at=AT)
    monkeypatch.setattr(writing, "LARGEST_APPEND", size - 1)
    with pytest.raises(TooLarge) as caught:
        store.append(rounds(5, 2), by="gm", at=AT)
    assert (caught.value.size, caught.value.limit) == (size, size - 1)
    assert store.head().seq == 5


def test_creating_without_links_still_overwrites_nothing(path: Path) -> None:
    """The file systems without hard links (FAT, some network ones) are not at hand here, so the call is replaced."""

    class WithoutLinks(Disk):
        def link(self, _old: str, _new: str) -> None:
            raise OSError(errno.EPERM, "no links here")

    disk = WithoutLinks()
    assert create(path, drafts(OPENING), by="gm", at=AT, disk=disk).head().seq == 1
    assert beside(path) == [path.name]
    with pytest.raises(FileExistsError):
        files.put_in_place(disk, str(path), str(path))


def test_of_many_who_create_one_log_one_wins(path: Path) -> None:
    results: list[object] = []
    threads = [
        threading.Thread(target=lambda: results.append(outcome(lambda: create(path, drafts(OPENING), by="gm", at=AT))))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(type(result).__name__ for result in results) == ["JsonlStore"] + ["NotWritten"] * 7
    assert beside(path) == [path.name]


@pytest.mark.parametrize(
    ("batch", "field"),
    [
        ([], ""),
        (rounds(1, 1), "type"),
        ([*drafts(OPENING), *drafts(OPENING)], "type"),
        ([Draft(OPENING, secret=True)], "secret"),
        (drafts(EncounterOpened(format=2, encounter="a", title="", ruleset="osric", revision=1, options={})), "format"),
        (
            drafts(EncounterOpened(format=1, encounter="A", title="", ruleset="osric", revision=1, options={})),
            "encounter",
        ),
    ],
)
def test_a_log_begins_with_one_opening_of_this_format(path: Path, batch: list[Draft], field: str) -> None:
    with pytest.raises(Malformed) as caught:
        create(path, batch, by="gm", at=AT)
    assert caught.value.field == field
    assert beside(path) == []


def test_creating_where_there_is_no_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotWritten, match="no such file or directory") as caught:
        create(tmp_path / "no" / "where.jsonl", drafts(OPENING), by="gm", at=AT)
    assert caught.value.hint == "make the folder first"


# ---------------------------------------------------------------- files that are none


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"\n", "holds nothing"),
        (b"\0" * 5000, "holds nothing"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG image"),
        (b"\x1f\x8b\x08\0\0\0\0\0", "compressed with gzip"),
        (b"SQLite format 3\0", "an SQLite database"),
        (b"\xff\xfe{\0", "UTF-16"),
        (b"[1,2]", "a JSON array"),
        (b'[\n{"seq":1}\n]\n', "a JSON array"),
        (b'{\n  "seq": 1\n}\n', "JSON spread over several lines"),
        (b'{"type":"round_started","round":1}\n', "holds bare facts"),
        (b'{"name":"orc"}', "is JSON"),
        (b"Dear diary,\ntoday\n", "is text"),
        ("Übeltäter\n".encode(), "is text"),
        (bytes(range(128, 256)) * 100, "another kind"),
        (b"x" * (1 << 21), "is text"),
    ],
)
def test_a_file_of_another_kind_is_named_and_left_alone(path: Path, content: bytes, says: str) -> None:
    path.write_bytes(content)
    for work in (
        lambda: list(JsonlStore(path).read()),
        lambda: JsonlStore(path).head(),
        lambda: JsonlStore(path).verify(),
        lambda: JsonlStore(path).append(rounds(1, 1), by="gm", at=AT),
    ):
        with pytest.raises(NotALog, match=says) as caught:
            work()
        assert caught.value.hint
    assert path.read_bytes() == content
    assert beside(path) == [path.name]


def test_a_folder_or_nothing_at_all_is_no_log(tmp_path: Path) -> None:
    with pytest.raises(NotALog, match="is a folder"):
        list(JsonlStore(tmp_path).read())
    with pytest.raises(NotReadable, match="is not there"):
        list(JsonlStore(tmp_path / "no.jsonl").read())
    with pytest.raises(NotReadable, match="is not there"):
        JsonlStore(tmp_path / "no.jsonl").append(rounds(1, 1), by="gm", at=AT)
    with pytest.raises(NotReadable, match="not a directory") as caught:
        list(JsonlStore(Path(__file__) / "no.jsonl").read())
    assert caught.value.hint == ""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotALog, match="is not an ordinary file"):
        list(JsonlStore(tmp_path / "pipe").read())
    with pytest.raises(NotALog):
        JsonlStore(str(tmp_path / "pipe")).append(rounds(1, 1), by="gm", at=AT)
    for name in ("\0", "x" * 300):
        with pytest.raises(NotReadable):
            list(JsonlStore(tmp_path / name).read())
        with pytest.raises(NotWritten):
            create(tmp_path / name, drafts(OPENING), by="gm", at=AT)


@pytest.mark.parametrize(
    ("change", "line", "says"),
    [
        (lambda log: b"\xef\xbb\xbf" + log, 1, "byte order mark"),
        (lambda log: log.replace(b"\n", b"\r\n"), 1, "CR LF"),
        (lambda log: log[:900] + b"\0" * 10 + log[910:], 3, "NUL"),
        (lambda log: log + b"\0" * 10 + b"\n", 5, "NUL"),
        (lambda log: log + b"foo\n", 5, "not JSON"),
        (lambda log: log + b"x" * (1 << 21) + b"\n", 5, "longer than 1,048,576 bytes"),
        (lambda log: log + log.splitlines(keepends=True)[1], 5, "holds seq 2: an earlier line stands here again"),
        (lambda log: log.split(b"\n", 1)[1], 1, "holds seq 2: a line is missing"),
        (lambda log: b"x" + log[1:], 1, "not JSON"),
        (lambda log: log.replace(b"\n", b"\n\n", 1), 2, "is empty"),
        (lambda log: log[:-100] + b"\n", 4, "not what was written"),
    ],
)
def test_a_broken_log_names_line_and_reason_and_nobody_writes_to_it(
    path: Path, change: Callable[[bytes], bytes], line: int, says: str
) -> None:
    broken = change(small_log())
    path.write_bytes(broken)
    got, error = part_and_reason(path)
    assert isinstance(error, CorruptLog)
    assert (error.line, error.torn) == (line, False)
    assert says in error.why
    assert broken[: error.offset].count(b"\n") == line - 1
    assert len(got) <= line - 1
    with pytest.raises(CorruptLog, match=f"line {line} "):
        JsonlStore(path).append(rounds(1, 1), by="gm", at=AT)
    store = JsonlStore(path)
    problem = store.verify().problem
    assert problem is not None
    assert (problem.line, problem.offset, problem.why) == (line, error.offset, error.why)
    with pytest.raises(CorruptLog, match=f"line {line} "):  # also from a handle that knows the good part
        store.append(rounds(1, 1), by="gm", at=AT)
    assert path.read_bytes() == broken
    assert beside(path) == [path.name]


# ---------------------------------------------------------------- permissions


@pytest.fixture
def open_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_a_log_without_permission_to_read_says_so(open_folder: Path) -> None:
    path = open_folder / "a.jsonl"
    create(path, drafts(OPENING), by="gm", at=AT)
    path.chmod(0)
    said = as_nobody(lambda: str(outcome(lambda: list(JsonlStore(path).read()))))
    assert said.endswith("a.jsonl: permission denied")
    path.chmod(0o644)


def test_a_log_that_may_only_be_read_is_read_but_not_appended_to(open_folder: Path) -> None:
    path = open_folder / "a.jsonl"
    create(path, drafts(OPENING), by="gm", at=AT)
    path.chmod(0o444)
    open_folder.chmod(0o555)

    def work() -> str:
        read = len(list(JsonlStore(path).read()))
        appended = outcome(lambda: JsonlStore(path).append(rounds(1, 1), by="gm", at=AT))
        created = outcome(lambda: create(open_folder / "b.jsonl", drafts(OPENING), by="gm", at=AT))
        return f"{read} {appended} {created}"

    said = as_nobody(work)
    assert said.startswith("1 ")
    assert "a.jsonl: not written: permission denied" in said
    assert "b.jsonl: not written: permission denied" in said
    open_folder.chmod(0o755)


# ---------------------------------------------------------------- opening changes nothing


def test_reading_changes_neither_log_nor_folder(path: Path) -> None:
    for content in (small_log(), small_log()[:-5], b"", b"junk"):
        path.write_bytes(content)
        os.utime(path, (1, 1))
        part_and_reason(path)
        outcome(lambda: JsonlStore(path).head())
        outcome(lambda: JsonlStore(path).verify())
        assert path.read_bytes() == content
        assert path.stat().st_mtime == 1
        assert beside(path) == [path.name]


def test_a_refused_append_does_not_touch_a_torn_tail(path: Path) -> None:
    path.write_bytes(small_log()[:-5])
    store = JsonlStore(path)
    with pytest.raises(Malformed):
        store.append([], by="gm", at=AT)
    with pytest.raises(Exception, match="ends at 3"):
        store.append(rounds(1, 1), by="gm", at=AT, after=4)
    assert path.read_bytes() == small_log()[:-5]
    assert beside(path) == [path.name]


# ---------------------------------------------------------------- torn tails


@pytest.mark.parametrize("lost", range(2, 700, 31))
def test_a_torn_tail_is_cut_and_kept_beside_the_log(path: Path, lost: int) -> None:
    acked = log_of(drafts(OPENING), rounds(1, 2))
    whole = log_of(drafts(OPENING), rounds(1, 2), drafts(Noted(text="ü – ✓"), RoundStarted(round=2)))
    lost = min(lost, len(whole) - len(acked) - 1)
    path.write_bytes(whole[:-lost])
    with JsonlStore(path) as store:
        done = store.append(rounds(7, 1), by="gm", at=AT, after=3)
        assert (done.first, done.last) == (5, 5)
        records = list(store.read())
        assert store.verify().sound
    assert path.read_bytes().startswith(acked)
    assert (path.parent / "ford.jsonl.torn-4-1").read_bytes() == whole[len(acked) : -lost]
    note = records[3]
    assert note.by == "encounterlog"
    assert isinstance(note.event, Noted)
    assert note.event.text.endswith("*.torn-4-1")
    assert records[4].event == RoundStarted(round=7)


@pytest.mark.parametrize("tail", [b"\0", b"\0" * 5000, b"\0" * (1 << 21), b"garbage", b'{"seq":3', b"\xff" * 600])
def test_zeros_and_garbage_without_an_end_of_line_are_a_torn_tail(store: JsonlStore, path: Path, tail: bytes) -> None:
    store.append(rounds(1, 1), by="gm", at=AT)
    good = path.read_bytes()
    path.write_bytes(good + tail)
    got, error = part_and_reason(path)
    assert got == [1, 2]
    assert isinstance(error, CorruptLog)
    assert error.torn
    store.append(rounds(2, 1), by="gm", at=AT)
    assert path.read_bytes().startswith(good)
    assert (path.parent / "ford.jsonl.torn-3-1").read_bytes() == tail


def test_a_last_record_without_line_feed_gets_it_from_the_next_writer(path: Path) -> None:
    """An editor took it away, or a power cut came at the last byte: nothing is lost."""
    log = small_log()
    path.write_bytes(log[:-1])
    assert part_and_reason(path) == ([1, 2, 3, 4], None)
    store = JsonlStore(path)
    assert store.verify().sound
    with pytest.raises(WrongVersion):
        store.append(rounds(1, 1), by="gm", at=AT, after=3)
    assert path.read_bytes() == log[:-1]
    assert store.append(rounds(1, 1), by="gm", at=AT, after=4).first == 5
    assert path.read_bytes().startswith(log)
    assert store.append(rounds(2, 1), by="gm", at=AT).first == 6
    assert store.verify().sound
    assert beside(path) == [path.name]


def test_a_first_record_cut_short_is_no_log_and_is_left_alone(path: Path, whole: bool) -> None:
    first = log_of(drafts(OPENING))
    for size in (*range(1, len(first) - 1, 1 if whole else 7), len(first) - 2):
        path.write_bytes(first[:size])
        _, error = part_and_reason(path)
        assert isinstance(error, CorruptLog)
        assert (error.torn, error.line, error.offset, error.why) == (False, 1, 0, "the first append was cut short")
    with pytest.raises(CorruptLog, match="the first append was cut short"):
        JsonlStore(path).append(rounds(1, 1), by="gm", at=AT)
    assert path.read_bytes() == first[:-2]


def test_a_cut_that_was_not_recorded_is_recorded_by_the_next_writer(path: Path) -> None:
    """A writer may die after it cut the tail and before it wrote the note: the side file tells."""
    log = small_log()
    good = b"".join(log.splitlines(keepends=True)[:3])
    path.write_bytes(good)
    (path.parent / "ford.jsonl.torn-4-1").write_bytes(log[len(good) : -5])
    JsonlStore(path).append(rounds(1, 1), by="gm", at=AT)
    note, fact = JsonlStore(path).read(3)
    assert (note.by, fact.event) == ("encounterlog", RoundStarted(round=1))
    JsonlStore(path).append(rounds(2, 1), by="gm", at=AT)
    assert [record.by for record in JsonlStore(path).read(3)] == ["encounterlog", "gm", "gm"]


# ---------------------------------------------------------------- errors of the disk


@pytest.mark.parametrize("room", [0, 1, 100, 500])
def test_a_short_write_is_taken_back(store: JsonlStore, path: Path, room: int) -> None:
    before = path.read_bytes()
    with limited_file_size(len(before) + room), pytest.raises(NotWritten, match="file too large") as caught:
        store.append(rounds(1, 3), by="gm", at=AT, key="k")
    assert "make room" in caught.value.hint
    assert path.read_bytes() == before
    assert store.append(rounds(1, 3), by="gm", at=AT, key="k").last == 4
    assert store.verify().sound


def test_a_full_disk_keeps_a_log_from_being_created_and_leaves_nothing(path: Path) -> None:
    with limited_file_size(10), pytest.raises(NotWritten, match="file too large"):
        create(path, drafts(OPENING), by="gm", at=AT)
    assert beside(path) == []


@pytest.mark.usefixtures("store")
def test_a_failed_sync_poisons_the_handle_and_is_never_repeated(path: Path) -> None:
    disk = Flaky("sync")
    doubtful = JsonlStore(path, disk=disk)
    for _ in range(3):
        with pytest.raises(OutcomeUnknown, match="did not confirm the append: input/output error"):
            doubtful.append(rounds(1, 1), by="gm", at=AT, key="k")
    assert disk.calls == ["sync"]
    del disk.sync
    with pytest.raises(OutcomeUnknown):
        doubtful.append(rounds(1, 1), by="gm", at=AT, key="k")
    for key in (None, "another"):  # which was never tried
        with pytest.raises(
            NotWritten, match="this handle writes no more: the disk did not confirm the append"
        ) as caught:
            doubtful.append(rounds(1, 1), by="gm", at=AT, key=key)
        assert caught.value.hint == "open the log again"
    again = JsonlStore(path, doubt=doubtful.unwritable, disk=disk)
    assert again.append(rounds(1, 1), by="gm", at=AT, key="k").last == 2
    assert (doubtful.unwritable, again.unwritable) == ("the disk did not confirm the append: input/output error", "")


def test_a_failed_sync_that_cannot_be_undone_leaves_the_outcome_to_the_key(store: JsonlStore, path: Path) -> None:
    with pytest.raises(OutcomeUnknown):
        JsonlStore(path, disk=Flaky("sync", "truncate")).append(rounds(1, 1), by="gm", at=AT, key="k")
    assert JsonlStore(path).append(rounds(1, 1), by="gm", at=AT, key="k").again
    assert store.verify().sound


@pytest.mark.usefixtures("store")
def test_a_short_write_that_cannot_be_undone_leaves_the_outcome_unknown(path: Path) -> None:
    disk = Flaky("truncate")
    doubtful = JsonlStore(path, disk=disk)
    size = path.stat().st_size
    with limited_file_size(size + 100), pytest.raises(OutcomeUnknown, match="could not be taken back"):
        doubtful.append(rounds(1, 3), by="gm", at=AT)
    with pytest.raises(NotWritten, match="this handle writes no more"):
        doubtful.append(rounds(1, 3), by="gm", at=AT)
    with JsonlStore(path) as anew:
        assert anew.append(rounds(1, 3), by="gm", at=AT).first == 3
    assert (path.parent / "ford.jsonl.torn-2-1").stat().st_size == 100


# ---------------------------------------------------------------- one file, many hands


def test_a_log_that_somebody_else_holds_is_busy_for_readers_and_writers(store: JsonlStore, path: Path) -> None:
    import fcntl

    with path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        impatient = JsonlStore(path, wait=0.02)
        with pytest.raises(Busy, match=r"for 0\.02 s"):
            list(impatient.read())
        with pytest.raises(Busy):
            impatient.append(rounds(1, 1), by="gm", at=AT)
    assert store.append(rounds(1, 1), by="gm", at=AT).last == 2


def test_readers_do_not_keep_each_other_out(store: JsonlStore, path: Path) -> None:
    import fcntl

    with path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_SH)
        assert len(list(JsonlStore(path, wait=0).read())) == 1
    reading = store.read()
    next(reading)
    assert store.append(rounds(1, 1), by="gm", at=AT).last == 2
    assert list(reading) == []


def test_a_replaced_log_is_noticed(store: JsonlStore, path: Path) -> None:
    store.append(rounds(1, 3), by="gm", at=AT)
    other = path.with_name("other.jsonl")
    create(other, [*drafts(OPENING), *rounds(5, 1)], by="gm", at=AT).close()
    other.replace(path)
    assert store.append(rounds(6, 1), by="gm", at=AT, after=2).last == 3
    assert store.verify().records == 3


def test_a_log_that_was_cut_or_rewritten_in_place_is_noticed(store: JsonlStore, path: Path) -> None:
    store.append(rounds(1, 3), by="gm", at=AT)
    opening = path.read_bytes().splitlines(keepends=True)[0]
    path.write_bytes(opening)
    with pytest.raises(Rewritten, match="record 4 is no longer what it was: the log ends before it"):
        store.append(rounds(1, 1), by="gm", at=AT)
    assert path.read_bytes() == opening
    assert store.append(rounds(1, 1), by="gm", at=AT).last == 2
    foreign = log_of(drafts(OPENING), rounds(1, 9))
    path.write_bytes(foreign)
    with pytest.raises(WrongVersion):
        store.append(rounds(1, 1), by="gm", at=AT, after=2)
    assert store.append(rounds(1, 1), by="gm", at=AT).last == 11
    path.write_bytes(foreign.replace(b'"round":3', b'"round":4'))
    with pytest.raises(CorruptLog, match="line 4"):
        store.append(rounds(1, 1), by="gm", at=AT)


def test_a_deleted_log_is_not_brought_back(store: JsonlStore, path: Path) -> None:
    store.append(rounds(1, 1), by="gm", at=AT)
    path.unlink()
    with pytest.raises(NotReadable, match="is not there"):
        store.append(rounds(1, 1), by="gm", at=AT)
    assert beside(path) == []


def test_a_child_process_does_not_write_with_its_parents_lock(store: JsonlStore) -> None:
    store.append(rounds(1, 1), by="gm", at=AT)
    child = os.fork()
    if not child:
        try:
            store.append(rounds(2, 1), by="child", at=AT)
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    store.append(rounds(3, 1), by="gm", at=AT)
    assert [record.by for record in store.read()] == ["gm", "gm", "child", "gm"]


# ---------------------------------------------------------------- withheld, and kept for ever


def test_a_log_with_withheld_payloads_is_read_and_appended_to(path: Path) -> None:
    lines = small_log().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:1], *(withhold_payload(line) for line in lines[1:])]))
    with JsonlStore(path) as store:
        assert [record.withheld for record in store.read()] == [False, True, True, True]
        with pytest.raises(KeyReused, match="withheld"):
            store.append(rounds(1, 2), by="gm", at=AT, key="joining")
        store.append(rounds(1, 1), by="gm", at=AT)
        assert store.verify().withheld == (2, 3, 4)


def test_the_golden_log_of_every_type_is_written_the_same_for_ever() -> None:
    """If this fails, format 1 changed: a type needs a new version, not a new golden file."""
    assert log_of(*([Draft(event_of(read_json(example(event))))] for event in FIRST_VERSIONS)) == GOLDEN.read_bytes()


def test_the_golden_log_verifies_for_ever() -> None:
    assert {type(record.event) for record in JsonlStore(GOLDEN).read()} == set(EVENT_TYPES)
    assert str(JsonlStore(GOLDEN).head()) == "43:32e5864ec2409624ced9f489080cb5cabe6a98370826335363495143e0fcf8aa"


def test_a_changed_byte_in_place_of_the_last_line_feed_is_no_torn_tail(path: Path) -> None:
    spoiled = small_log()[:-1] + b"\x0b"
    path.write_bytes(spoiled)
    found = JsonlStore(path).verify().problem
    assert found is not None
    assert not found.torn
    assert "where its line feed was" in found.why
    with pytest.raises(CorruptLog):
        JsonlStore(path).append(drafts(Noted(text="x")), by="gm", at=AT)
    assert path.read_bytes() == spoiled
