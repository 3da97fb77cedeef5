"""Following a file: every record once and in order, whatever becomes of the file, and never anything that may vanish."""

import errno
import fcntl
import os
import resource
import shutil
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time

from eventstore import following
from eventstore.disk import Disk
from eventstore.errors import CorruptLog, NotALog, NotReadable, NotThere, Rewritten
from eventstore.following import Inotify, Watch, Watcher
from eventstore.jsonl import JsonlStore
from tests.eventstore.followers import Following
from tests.eventstore.logs import AT, OPENING, drafts, log_of, rehashed, rounds, small_log
from tests.waiting import LONGEST

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=[Inotify, Watcher])
def watch(request: pytest.FixtureRequest, tmp_path: Path) -> Watch:
    made: Watch = request.param
    try:
        made(str(tmp_path)).close()
    except (OSError, AttributeError, TypeError):
        pytest.skip("this system has no inotify")
    return made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "ford.jsonl").write_bytes(small_log())
    return tmp_path / "ford.jsonl"


@pytest.fixture(autouse=True)
def attentive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let followers notice at once that they are to stop, so that the tests are short."""
    monkeypatch.setattr(following, "ATTENTION", 0.02)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a fault count after a moment, so that a test of one is short."""
    monkeypatch.setattr(following, "PATIENCE", dict.fromkeys(following.PATIENCE, 0.05))


def copy_with(path: Path, count: int) -> Path:
    copy = path.with_name("copy.jsonl")
    shutil.copyfile(path, copy)
    with JsonlStore(copy) as store:
        for number in range(count):
            store.append(rounds(number, 1), by="copy", at=AT)
    return copy


def append(path: Path, count: int = 1) -> None:
    with JsonlStore(path) as store:
        store.append(rounds(1, count), by="gm", at=AT)


# ---------------------------------------------------------------- what is appended


WRITER = """
import sys
from eventstore.events import RoundStarted
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft
for number in range(1, 41):
    with JsonlStore(sys.argv[1]) as store:
        store.append([Draft(RoundStarted(round=number))] * (number % 3 + 1), by="child", at="2026-11-20T19:04:05.123456Z")
"""


def test_appends_of_another_process_are_followed(path: Path, watch: Watch) -> None:
    with Following(JsonlStore(path), 4, watch=watch) as follower:
        subprocess.run([sys.executable, "-c", WRITER, str(path)], check=True, cwd=ROOT, timeout=LONGEST)
        last = JsonlStore(path).head().seq
        assert follower.until(last) == list(range(5, last + 1))
    assert follower.records == list(JsonlStore(path).read(4))


def test_what_is_not_told_is_found_nevertheless(path: Path) -> None:
    """So it is with inotify where another machine writes."""

    waited: list[float] = []

    class Deaf(Watcher):
        def wait(self, seconds: float) -> None:
            threading.Event().wait(seconds)
            waited.append(seconds)

    with Following(JsonlStore(path), 3, watch=Deaf) as follower:
        follower.until(4)
        append(path)
        assert follower.until(5) == [4, 5]
    assert waited


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has inotify")
def test_inotify_says_what_it_lacks(path: Path) -> None:
    import ctypes  # now, for later no file can be opened

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, before[1]))
    try:
        with pytest.raises(OSError, match="inotify_init1") as caught:
            Inotify(str(path))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert caught.value.errno == errno.EMFILE
    assert ctypes
    with pytest.raises(OSError, match="inotify_add_watch") as caught:
        Inotify(str(path.with_name("none")))
    assert caught.value.errno == errno.ENOENT


def test_where_inotify_is_not_to_be_had_there_is_polling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert type(following.fastest_watcher(str(tmp_path / "not there"))) is Watcher
    for error in (OSError(errno.EMFILE, "too many"), AttributeError(), ImportError(), TypeError()):
        monkeypatch.setattr(following, "Inotify", raising(error))
        assert type(following.fastest_watcher(str(tmp_path))) is Watcher


def raising(error: Exception) -> Callable[[Path], Any]:
    def fail(_: Path) -> None:
        raise error

    return fail


def test_a_clock_that_stands_still_stops_no_follower(path: Path, watch: Watch) -> None:
    with freeze_time("2026-11-20"), Following(JsonlStore(path), watch=watch) as follower:
        follower.until(4)
        append(path)
        assert follower.until(5) == [1, 2, 3, 4, 5]


class Asked(Disk):
    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def kind(self, path: str) -> str:
        del path
        return "vfat"

    def stat(self, path: str) -> os.stat_result:
        self.asked["stat"] += 1
        return super().stat(str(path))

    def sync(self, fd: int) -> None:
        self.asked["sync"] += 1
        super().sync(fd)

    def sync_folder(self, path: str) -> None:
        self.asked["sync_folder"] += 1
        super().sync_folder(str(path))


def test_where_nothing_comes_a_follower_looks_now_and_then_and_no_further(path: Path, watch: Watch) -> None:
    with Following(JsonlStore(path, disk=(disk := Asked())), watch=watch) as follower:
        follower.until(4)
        assert follower.stays_silent()
        disk.asked.clear()
        assert follower.stays_silent()
        assert 0 < disk.asked["stat"] < 30
        assert disk.asked["sync"] == 0


def test_the_name_of_a_log_that_is_followed_is_brought_to_the_disk_once(path: Path, watch: Watch) -> None:
    with Following(JsonlStore(path, disk=(disk := Asked())), watch=watch) as follower:
        follower.until(4)
        assert disk.asked["sync_folder"] == 1
        append(path)
        follower.until(5)
        assert disk.asked["sync_folder"] == 1


# ---------------------------------------------------------------- only what stays


def test_nothing_is_shown_while_its_writer_has_not_finished(path: Path, watch: Watch) -> None:
    more = copy_with(path, 1).read_bytes()[len(small_log()) :]
    with path.open("ab", buffering=0) as writer, Following(JsonlStore(path), watch=watch) as follower:
        follower.until(4)
        fcntl.flock(writer, fcntl.LOCK_EX)
        writer.write(more)
        assert follower.stays_silent()
        fcntl.flock(writer, fcntl.LOCK_UN)
        assert follower.until(5) == [1, 2, 3, 4, 5]


def test_a_disk_that_does_not_confirm_is_asked_only_once(path: Path, watch: Watch) -> None:
    class Failing(Disk):
        def __init__(self) -> None:
            self.fails, self.failed = False, 0

        def sync(self, fd: int) -> None:
            if self.fails:
                self.failed += 1
                raise OSError(errno.EIO, "Input/output error")
            super().sync(fd)

    disk = Failing()
    with Following(JsonlStore(path, disk=disk), watch=watch) as follower:
        follower.until(4)
        disk.fails = True
        append(path)
        assert isinstance(error := follower.ends(), NotReadable)
    assert "input/output error" in str(error)
    assert (follower.seqs, disk.failed) == ([1, 2, 3, 4], 1)


@pytest.mark.parametrize("lost", [2, 100, 400])
def test_a_torn_tail_is_waited_out(path: Path, watch: Watch, lost: int) -> None:
    more = copy_with(path, 0).with_name("copy.jsonl")
    append(more, 2)
    torn = more.read_bytes()[:-lost]
    with Following(JsonlStore(path), watch=watch) as follower:
        follower.until(4)
        path.write_bytes(torn)
        assert follower.stays_silent()
        append(path)
        assert follower.until(6) == [1, 2, 3, 4, 5, 6]
    assert [record.by for record in follower.records[4:]] == ["encounterlog", "gm"]
    assert follower.records == list(JsonlStore(path).read())


def test_a_log_that_begins_with_a_torn_tail_is_followed(path: Path, watch: Watch) -> None:
    path.write_bytes(small_log()[:-7])
    with Following(JsonlStore(path), watch=watch) as follower:
        assert follower.until(3) == [1, 2, 3]
        append(path)
        assert follower.until(5) == [1, 2, 3, 4, 5]


# ---------------------------------------------------------------- another file, other content


def renamed(path: Path, new: Path) -> None:
    new.replace(path)


def written_over(path: Path, new: Path) -> None:
    path.write_bytes(new.read_bytes())


def in_pieces(path: Path, new: Path) -> None:
    """Copy as a slow program does: for a moment there is nothing, then half a line."""
    data = new.read_bytes()
    with path.open("wb", buffering=0) as file:
        for piece in (data[:0], data[:500], data[500:1000], data[1000:]):
            threading.Event().wait(0.02)
            file.write(piece)


@pytest.mark.parametrize("replace", [renamed, written_over, in_pieces])
def test_a_file_that_goes_on_after_the_last_record_is_followed(
    path: Path, watch: Watch, replace: Callable[[Path, Path], None]
) -> None:
    with Following(JsonlStore(path), watch=watch) as follower:
        follower.until(4)
        replace(path, copy_with(path, 2))
        assert follower.until(6) == [1, 2, 3, 4, 5, 6]
        append(path)
        assert follower.until(7) == [1, 2, 3, 4, 5, 6, 7]
    assert follower.records == list(JsonlStore(path).read())


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("replace", [renamed, written_over])
@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"".join(small_log().splitlines(keepends=True)[:3]), "the log ends before it"),
        (small_log()[:-7], "the log ends before it"),
        (small_log()[:-200], "the log ends before it"),
        (b"", "the log ends before it"),
        (log_of(drafts(OPENING), rounds(1, 2), rounds(3, 2)), "another stands there"),
    ],
)
def test_a_file_without_the_last_record_ends_the_following(
    path: Path, replace: Callable[[Path, Path], None], content: bytes, why: str
) -> None:
    head = JsonlStore(path).head()
    (other := path.with_name("other.jsonl")).write_bytes(content)
    with Following(JsonlStore(path)) as follower:
        follower.until(4)
        replace(path, other)
        assert isinstance(error := follower.ends(), Rewritten)
    assert (follower.seqs, error.seq, error.why) == ([1, 2, 3, 4], 4, why)
    assert f"encounter verify FILE --anchor {head}" in error.hint


@pytest.mark.usefixtures("impatient")
def test_another_record_as_long_as_the_last_one_ends_the_following(path: Path) -> None:
    other = rehashed([line.replace(b'"amount":2', b'"amount":3') for line in small_log().splitlines(keepends=True)])
    assert len(other) == len(small_log())
    with Following(JsonlStore(path)) as follower, path.open("r+b", buffering=0) as hand:
        follower.until(4)
        hand.write(other)
        assert isinstance(error := follower.ends(), Rewritten)
    assert (follower.seqs, error.why) == ([1, 2, 3, 4], "another stands there")


@pytest.mark.usefixtures("impatient")
def test_damage_before_the_last_record_is_told_as_what_it_is(path: Path) -> None:
    (other := path.with_name("other.jsonl")).write_bytes(small_log().replace(b'"hp":6', b'"hp":7'))
    with Following(JsonlStore(path)) as follower:
        follower.until(4)
        renamed(path, other)
        assert isinstance(error := follower.ends(), CorruptLog)
    assert (follower.seqs, error.line) == ([1, 2, 3, 4], 2)


def test_a_name_that_is_gone_for_a_moment_is_waited_for(path: Path, watch: Watch) -> None:
    with Following(JsonlStore(path), watch=watch) as follower:
        follower.until(4)
        copy = copy_with(path, 1)
        path.unlink()
        assert follower.stays_silent()
        copy.rename(path)
        assert follower.until(5) == [1, 2, 3, 4, 5]
        away = path.rename(path.with_name("away.jsonl"))
        append(away)
        assert follower.stays_silent()
        away.rename(path)
        assert follower.until(6) == [1, 2, 3, 4, 5, 6]


@pytest.mark.usefixtures("impatient")
def test_a_log_that_stays_away_ends_the_following(path: Path, watch: Watch) -> None:
    with Following(JsonlStore(path), watch=watch) as follower:
        follower.until(4)
        path.unlink()
        assert isinstance(error := follower.ends(), NotThere)
    assert "is not there" in str(error)


# ---------------------------------------------------------------- damage


def test_a_link_that_leads_elsewhere_is_followed(path: Path, watch: Watch) -> None:
    (link := path.with_name("link.jsonl")).symlink_to(path)
    with Following(JsonlStore(link), watch=watch) as follower:
        follower.until(4)
        copy = copy_with(path, 1)
        (new := path.with_name("new")).symlink_to(copy)
        new.replace(link)
        assert follower.until(5) == [1, 2, 3, 4, 5]


@pytest.mark.usefixtures("impatient")
def test_damage_ends_the_following_and_repaired_it_goes_on(path: Path, watch: Watch) -> None:
    good = copy_with(path, 2).read_bytes()
    bad = good.replace(b'"round":1', b'"round":2')
    with Following(JsonlStore(path), watch=watch) as follower:
        follower.until(4)
        with path.open("ab") as hand:
            hand.write(bad[len(small_log()) :])
        assert isinstance(error := follower.ends(), CorruptLog)
    assert (follower.seqs, error.line, error.torn) == ([1, 2, 3, 4, 5], 6, False)
    path.write_bytes(good)
    with Following(JsonlStore(path), follower.seqs[-1], watch=watch) as follower:
        assert follower.until(6) == [6]
        append(path)
        assert follower.until(7) == [6, 7]


def test_damage_that_is_gone_in_a_moment_is_no_damage(path: Path, watch: Watch) -> None:
    more = copy_with(path, 2).read_bytes()[len(small_log()) :]
    with Following(JsonlStore(path), watch=watch) as follower, path.open("r+b", buffering=0) as hand:
        follower.until(4)
        hand.seek(0, os.SEEK_END)
        hand.write(b"x" + more[1:])
        assert follower.stays_silent()
        hand.seek(-len(more), os.SEEK_END)
        hand.write(more)
        assert follower.until(6) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("content", "kind"), [(None, NotThere), (b"", NotALog), (b"Dear diary\n", NotALog), (small_log()[1:], CorruptLog)]
)
def test_what_is_wrong_from_the_start_is_said_at_once(
    tmp_path: Path, content: bytes | None, kind: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "PATIENCE", dict.fromkeys(following.PATIENCE, 1e9))
    path = tmp_path / "ford.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(kind):
        next(JsonlStore(path).follow())
