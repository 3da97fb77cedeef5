"""Repairing: what is kept, what goes aside, what is noted; and that no step of it can be the last one of a log."""

import errno
import fcntl
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from eventstore.chain import Anchor, withhold_payload
from eventstore.disk import NEW, Disk
from eventstore.errors import Busy, CorruptLog, Malformed, NotALog, NotWritten, OutcomeUnknown
from eventstore.events import Noted, RoundStarted
from eventstore.jsonl import JsonlStore
from eventstore.record import Recorded
from eventstore.repair import Plan, carried_out, plan_repair
from tests.eventstore import verifier
from tests.eventstore.jsonl import Flaky, beside
from tests.eventstore.logs import AT, OPENING, drafts, log_of, rehashed, rounds

GOOD = log_of(drafts(OPENING), rounds(1, 3), *(rounds(number, 1) for number in range(4, 8)))
"""Eight records: the opening, three at once, and four that came one by one."""
LINES = GOOD.splitlines(keepends=True)


def upto(line: int) -> bytes:
    return b"".join(LINES[:line])


def changed(line: int, data: bytes = GOOD) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join([*lines[: line - 1], lines[line - 1].replace(b'"round":', b'"round":7'), *lines[line:]])


NOTHING = "no append before it is whole, so there is nothing to keep; make the log again, or bring back a copy"
FORGED = rehashed([*LINES[:5], LINES[5].replace(AT.encode(), b"2026-02-30T19:04:05.123456Z"), *LINES[6:]])
"""A log that any reader takes, though no writer wrote it: it has a day that there never was."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ford.jsonl"


def repair(path: Path, by: str = "ada") -> Plan:
    """Plan a repair, carry it out, and hold the outcome against the plan and what is promised."""
    before = path.read_bytes()
    plan = plan_repair(path, by=by)
    end = carried_out(plan, path, at=AT)
    assert verifier.first_fault(path.read_bytes()) == (0, str(end))
    assert JsonlStore(path).head() == end
    aside = path.with_name(path.name + plan.side).read_bytes()
    assert (len(aside), sha256(aside).hexdigest()) == (plan.aside, plan.digest)
    assert aside == (before if plan.mended else before[plan.kept :])
    return plan


def records(path: Path) -> list[Recorded]:
    return list(JsonlStore(path).read())


def notes(path: Path) -> list[str]:
    return [each.event.text for each in records(path) if each.by == "encounterlog" and isinstance(each.event, Noted)]


# ---------------------------------------------------------------- nothing to do, and nothing to be done


@pytest.mark.parametrize("content", [GOOD, GOOD[:-1]], ids=["whole", "without its last line feed"])
def test_a_sound_log_is_left_as_it_is(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    os.utime(path, (1, 1))
    plan = plan_repair(path, by="ada")
    assert (plan.problem, plan.records, plan.aside, plan.note) == (None, 8, 0, "")
    assert carried_out(plan, path, at=AT) == plan.head == JsonlStore(path).head()
    assert (path.read_bytes(), path.stat().st_mtime, beside(path)) == (content, 1, ["ford.jsonl"])


@pytest.mark.parametrize(
    ("content", "error", "says", "hint"),
    [
        (b"", NotALog, "is empty", "encounter new makes a log, under a name that is free"),
        (b"Dear diary,\n", NotALog, "is text", "encounter new makes a log"),
        (b"\x89PNG\r\n\x1a\n" + bytes(90), NotALog, "a PNG image", "encounter new makes a log"),
        (GOOD.replace(b'"format":1', b'"format":2', 1), CorruptLog, "digest", NOTHING),
        (
            rehashed([LINES[0].replace(b'"format":1', b'"format":2')]),
            NotALog,
            "format 2",
            "a later version of encounterlog reads it",
        ),
        (rehashed([LINES[0].replace(b'"format":1', b'"format":0')]), NotALog, "format 0", ""),
        (LINES[0][:-90], CorruptLog, "cut short", NOTHING),
        (changed(2, log_of([*drafts(OPENING), *rounds(1, 3)])), CorruptLog, "line 2 .*digest", NOTHING),
        (
            changed(5).replace(b"\n", b"\r\n"),
            CorruptLog,
            "line 1 .*CR LF",
            "4 records would be good; put this right in a copy and repair that: CR LF at the ends of lines",
        ),
        (LINES[0].replace(b"Ford", b"Fard").replace(b"\n", b"\r\n"), CorruptLog, "line 1 .*CR LF", NOTHING),
        (rehashed([LINES[0].replace(AT.encode(), b"2026-02-30T19:04:05.123456Z")]), CorruptLog, "timestamp", NOTHING),
    ],
    ids=[
        "nothing",
        "text",
        "an image",
        "the first record changed",
        "a later format",
        "a format that there never was",
        "the first one cut short",
        "within the first batch",
        "damaged and CR LF",
        "the first record damaged and CR LF",
        "a first day that never was",
    ],
)
def test_where_no_append_is_whole_nothing_is_touched(
    path: Path, content: bytes, error: type[CorruptLog | NotALog], says: str, hint: str
) -> None:
    path.write_bytes(content)
    with pytest.raises(error, match=says) as caught:
        plan_repair(path, by="ada")
    assert caught.value.hint == hint
    assert (path.read_bytes(), beside(path)) == (content, ["ford.jsonl"])


DAMAGED: dict[str, tuple[bytes, int, int, bool]] = {
    "a changed fact": (changed(6), 6, 5, False),
    "a changed fact among several at once": (changed(3), 3, 1, False),
    "a line lost": (upto(4) + b"".join(LINES[5:]), 5, 4, False),
    "a line of several at once lost": (upto(2) + b"".join(LINES[3:]), 3, 1, False),
    "a line twice": (upto(6) + b"".join(LINES[5:]), 7, 6, False),
    "a line by hand": (GOOD + b'{"type":"round_ended"}\n', 9, 8, False),
    "zeros": (upto(5) + b"\0" * 600 + GOOD[len(upto(5)) + 600 :], 6, 5, False),
    "CR LF from somewhere on, and damage": (upto(5) + changed(7)[len(upto(5)) :].replace(b"\n", b"\r\n"), 6, 5, False),
    "a day that never was": (FORGED, 6, 5, False),
    "a torn tail": (GOOD[:-30], 8, 7, True),
    "a torn batch": (upto(3), 2, 1, True),
    "a torn batch whose last line lacks its line feed": (upto(3)[:-1], 2, 1, True),
}
"""What is wrong: the content, the line where it shows, the records that are kept, and whether it is a mere torn tail."""


@pytest.mark.parametrize("kind", DAMAGED)
def test_whole_appends_before_a_fault_are_kept_and_the_rest_put_aside(path: Path, kind: str) -> None:
    content, line, kept, torn = DAMAGED[kind]
    path.write_bytes(content)
    plan = repair(path)
    assert plan.problem is not None
    assert (plan.problem.line, plan.problem.torn, plan.records) == (line, torn, kept)
    end = len(b"".join(content.splitlines(keepends=True)[:kept]))
    assert (plan.kept, plan.aside) == (end, len(content) - end)
    assert plan.side == f".{'torn' if torn else 'damaged'}-{kept + 1}-1"
    assert path.read_bytes().startswith(content[:end])
    assert beside(path) == ["ford.jsonl", f"ford.jsonl{plan.side}"]


# ---------------------------------------------------------------- what goes aside


def test_what_is_no_record_as_it_stands_or_proves_no_event_is_not_told(path: Path) -> None:
    spaced = LINES[6].replace(b'{"seq":7', b'{"seq": 7')
    path.write_bytes(changed(5, upto(5)) + withhold_payload(LINES[5]) + spaced + LINES[7])
    plan = plan_repair(path, by="ada")
    assert (plan.whole, [record.seq for record in plan.lost]) == ((8,), [8])


def test_a_second_repair_at_the_same_place_gets_a_file_of_its_own(path: Path) -> None:
    path.write_bytes(changed(6))
    repair(path)
    first = path.with_name("ford.jsonl.damaged-6-1").read_bytes()
    path.write_bytes(path.read_bytes().replace(b"Repaired by ada", b"Repaired by eve"))
    assert repair(path).side == ".damaged-6-2"
    assert path.with_name("ford.jsonl.damaged-6-1").read_bytes() == first
    told, again = notes(path)
    assert ("*.damaged-6-1" in told, "*.damaged-6-2" in again) == (True, True), "the note of the first repair was lost"


@pytest.mark.parametrize("content", [changed(6), GOOD.replace(b"\n", b"\r\n")], ids=["cut", "mended"])
def test_log_and_side_file_have_the_permissions_that_the_log_had(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    path.chmod(0o640)
    plan = repair(path)
    assert path.stat().st_mode & 0o777 == 0o640
    assert path.with_name(path.name + plan.side).stat().st_mode & 0o777 == 0o640


# ---------------------------------------------------------------- what loses nothing

EDITED: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "CR LF": (GOOD.replace(b"\n", b"\r\n"), ("CR LF at the ends of lines",)),
    "CR LF from somewhere on": (upto(4) + b"".join(LINES[4:]).replace(b"\n", b"\r\n"), ("CR LF at the ends of lines",)),
    "a byte order mark": (b"\xef\xbb\xbf" + GOOD, ("a byte order mark",)),
    "both": (b"\xef\xbb\xbf" + GOOD.replace(b"\n", b"\r\n"), ("a byte order mark", "CR LF at the ends of lines")),
    "CR LF, but not at the end": (
        GOOD.replace(b"\n", b"\r\n")[:-2],
        ("the end of the last line", "CR LF at the ends of lines"),
    ),
    "empty lines": (upto(4) + b"\n\n" + b"".join(LINES[4:]) + b"\n", ("empty lines",)),
    "an empty line before all": (b"\n" + GOOD, ("empty lines",)),
    "blanks": (GOOD.replace(b"\n", b" \t\n") + b"   \n", ("blanks around lines", "empty lines")),
    "blanks before lines": (b"  " + GOOD.replace(b"\n", b"\n  ", 3), ("blanks around lines",)),
    "another last byte": (GOOD[:-1] + b"\x0b", ("the end of the last line",)),
}
"""What editors do, and what it is called."""


@pytest.mark.parametrize("kind", EDITED)
def test_of_a_log_that_an_editor_saved_every_record_is_kept(path: Path, kind: str) -> None:
    content, names = EDITED[kind]
    path.write_bytes(content)
    plan = repair(path)
    assert (plan.mended, plan.records, plan.side, plan.whole) == (names, 8, ".damaged-1-1", ())
    assert path.read_bytes().startswith(GOOD)
    assert beside(path) == ["ford.jsonl", "ford.jsonl.damaged-1-1"]
    (note,) = notes(path)
    assert f"Put right: {', '.join(names)}; every record is as it was. The file as it was is kept" in note
    assert note.endswith(f"*.damaged-1-1, SHA-256 {sha256(content).hexdigest()}")


# ---------------------------------------------------------------- others, meanwhile


def test_the_longest_line_is_mended_too(path: Path) -> None:
    long = b'{"type":"zonk","text":"' + b"x" * ((1 << 20) - 400) + b'"}'
    filler = LINES[1].replace(LINES[1][LINES[1].index(b'{"type"') : LINES[1].index(b',"salt"')], long)
    data = rehashed([LINES[0], filler.replace(b'"batch":[1,3],', b"")])
    assert (1 << 20) - 400 < len(data.splitlines()[1]) < 1 << 20
    path.write_bytes(data.replace(b"\n", b"   \r\n"))
    assert repair(path).mended == ("CR LF at the ends of lines", "blanks around lines")
    assert path.read_bytes().startswith(data)


@pytest.mark.parametrize(
    "meanwhile",
    [
        lambda path: path.write_bytes(GOOD),
        lambda path: path.write_bytes(changed(7)),
        lambda path: path.write_bytes(changed(6) + LINES[7]),
        lambda path: path.with_name("ford.jsonl.damaged-6-1").write_bytes(b"taken"),
    ],
    ids=["mended", "damaged elsewhere", "longer", "the name is taken"],
)
def test_a_plan_is_not_carried_out_where_it_does_not_fit_any_more(
    path: Path, meanwhile: Callable[[Path], object]
) -> None:
    path.write_bytes(changed(6))
    plan = plan_repair(path, by="ada")
    meanwhile(path)
    before = path.read_bytes(), beside(path)
    with pytest.raises(NotWritten, match="was changed after the repair was planned"):
        carried_out(plan, path, at=AT)
    assert (path.read_bytes(), beside(path)) == before


def test_a_repair_waits_for_writers_and_is_told_who_they_are(path: Path) -> None:
    path.write_bytes(changed(6))
    plan = plan_repair(path, by="ada")
    with path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        for work in (lambda: plan_repair(path, by="ada", wait=0.01), lambda: carried_out(plan, path, at=AT, wait=0.01)):
            with pytest.raises(Busy, match=rf"process {os.getpid()} \(this one\)"):
                work()
    assert path.read_bytes() == changed(6)


# ---------------------------------------------------------------- errors and deaths


@pytest.mark.parametrize("content", [changed(6), GOOD.replace(b"\n", b"\r\n"), GOOD[:-30]])
def test_handles_that_were_open_before_go_on_after_a_repair(path: Path, content: bytes) -> None:
    path.write_bytes(GOOD)
    writer, reader, other = JsonlStore(path), JsonlStore(path), JsonlStore(path)
    keyed = writer.append(rounds(8, 1), by="gm", at=AT, key="k").last
    other.append(rounds(9, 1), by="gm", at=AT)
    assert reader.head().seq == keyed + 1
    path.write_bytes(content)
    plan = repair(path)
    expected = plan.records + 1
    for store in (writer, reader, other):
        expected += 1
        assert store.append(rounds(1, 1), by="gm", at=AT, after=expected - 1).last == expected
    assert writer.append(rounds(8, 1), by="gm", at=AT, key="k").again is False, "what is lost can be said again"
    assert len(notes(path)) == 1
    assert reader.verify().sound
    assert path.read_bytes().startswith(GOOD[: plan.kept])


class Died(BaseException):
    pass


CHANGING = ("write", "truncate", "sync", "sync_folder", "link", "rename", "unlink")


class Dying(Disk):
    """Is the machine's disk, until at the nth call that would change something its process dies."""

    def __init__(self, nth: int, *, after: bool) -> None:
        self.left, self.after = nth, after
        for name in CHANGING:
            setattr(self, name, self._mortal(getattr(self, name)))

    def open(self, path: str, flags: int) -> int:
        return self._mortal(super().open)(path, flags) if flags == NEW else super().open(str(path), flags)

    def _mortal(self, call: Callable[..., int]) -> Callable[..., int]:
        def made(*args: object) -> int:
            self.left -= 1
            if self.left > 0:
                return call(*args)
            if self.left == 0 and self.after:
                call(*args)
            raise Died

        return made


def survived(path: Path, nth: int, *, after: bool) -> bool:
    disk = Dying(nth, after=after)
    try:
        carried_out(plan_repair(path, by="ada"), path, at=AT, disk=disk)
    except Died:
        return False
    return True


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("kind", ["cut", "mended", "torn"])
def test_a_repair_that_dies_is_completed_by_the_next_writer_or_repair(tmp_path: Path, kind: str, after: bool) -> None:
    content = {"cut": changed(6), "mended": GOOD.replace(b"\n", b"\r\n"), "torn": GOOD[:-30]}[kind]
    kept = {"cut": 5, "mended": 8, "torn": 7}[kind]
    for nth in range(1, 30):
        folder = tmp_path / str(nth)
        folder.mkdir()
        path = folder / "ford.jsonl"
        path.write_bytes(content)
        ended = survived(path, nth, after=after)
        left = path.read_bytes()
        assert left == content or left.startswith(upto(kept)), "as it was, or its good part"
        try:
            JsonlStore(path).append(rounds(1, 1), by="gm", at=AT)
        except CorruptLog:
            repair(path)
            JsonlStore(path).append(rounds(1, 1), by="gm", at=AT)
        assert JsonlStore(path).verify().sound
        assert path.read_bytes().startswith(upto(kept))
        whole = content if kind == "mended" else content[len(upto(kept)) :]
        held = [name for name in beside(path) if (folder / name).read_bytes() == whole]
        assert any(name.removeprefix("ford.jsonl") in note for name in held for note in notes(path))
        if ended:
            assert len(notes(path)) == 1
            return
    pytest.fail("it never ended")


@pytest.mark.parametrize("content", [changed(6), GOOD.replace(b"\n", b"\r\n")], ids=["cut", "mended"])
@pytest.mark.parametrize("name", ["write", "sync", "sync_folder"])
def test_what_cannot_be_kept_is_not_cut(path: Path, content: bytes, name: str) -> None:
    path.write_bytes(content)
    with pytest.raises(NotWritten, match="input/output error"):
        carried_out(plan_repair(path, by="ada"), path, at=AT, disk=Flaky(name))
    assert path.read_bytes() == content
    assert [each for each in beside(path) if each.endswith(".new")] == []
    repair(path)


def test_a_new_file_that_cannot_take_the_place_leaves_the_old_one(path: Path) -> None:
    path.write_bytes(GOOD.replace(b"\n", b"\r\n"))
    with pytest.raises(NotWritten):
        carried_out(plan_repair(path, by="ada"), path, at=AT, disk=Flaky("rename"))
    assert path.read_bytes() == GOOD.replace(b"\n", b"\r\n")
    assert beside(path) == ["ford.jsonl", "ford.jsonl.damaged-1-1"]


def test_a_name_that_the_disk_does_not_confirm_leaves_the_outcome_unknown(path: Path) -> None:
    class Once(Disk):
        calls = 0

        def sync_folder(self, path: str) -> None:
            self.calls += 1
            if self.calls == 2:
                raise OSError(errno.EIO, "Input/output error")
            super().sync_folder(str(path))

    path.write_bytes(GOOD.replace(b"\n", b"\r\n"))
    with pytest.raises(OutcomeUnknown):
        carried_out(plan_repair(path, by="ada"), path, at=AT, disk=Once())
    assert JsonlStore(path).verify().sound


def test_a_moment_that_is_none_is_refused_before_anything_is_touched(path: Path) -> None:
    path.write_bytes(changed(6))
    with pytest.raises(Malformed):
        carried_out(plan_repair(path, by="ada"), path, at="yesterday")
    assert (path.read_bytes(), beside(path)) == (changed(6), ["ford.jsonl"])


# ---------------------------------------------------------------- network drives


class Nfs(Disk):
    def kind(self, _path: str) -> str:
        return "nfs4"


@pytest.mark.parametrize("content", [changed(6), GOOD.replace(b"\n", b"\r\n")], ids=["cut", "mended"])
def test_on_a_network_drive_a_repair_must_be_let_and_is_noted_once(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    plan = plan_repair(path, by="ada", disk=Nfs())
    with pytest.raises(NotWritten, match="network file system"):
        carried_out(plan, path, at=AT, disk=Nfs())
    assert (path.read_bytes(), beside(path)) == (content, ["ford.jsonl"])
    end = carried_out(plan, path, at=AT, network_drive=True, disk=Nfs())
    assert end == Anchor(plan.records + 2, records(path)[-1].hash)
    JsonlStore(path, network_drive=True, disk=Nfs()).append(rounds(1, 1), by="gm", at=AT)
    assert [note.split()[0] for note in notes(path)] == ["Written", "Repaired"]
    assert records(path)[-1].event == RoundStarted(round=1)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    carried_out(plan_repair(path, by="ada", disk=Nfs()), path, at=AT, network_drive=True, disk=Nfs())
    assert [note.split()[0] for note in notes(path)] == ["Written", "Repaired", "Repaired"]
