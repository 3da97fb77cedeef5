"""What faults 36 to 64 brought to light once: each fault of the store with a test of its own."""

import os
import time
from pathlib import Path

import pytest

from eventstore import disk
from eventstore.disk import MACHINE
from eventstore.errors import CorruptLog, Malformed, TooLarge
from eventstore.events import CombatantJoined, Noted
from eventstore.form import LONGEST_LINE, read_json
from eventstore.jsonl import JsonlStore, create
from tests.encounterlog.support import encounter
from tests.eventstore import verifier
from tests.eventstore.copied_logs import with_events
from tests.eventstore.logs import AT, OPENING, drafts, line_of, log_of, read, rehashed, rounds
from tests.faults.stories import of_length


def test_what_is_far_beyond_the_limits_is_refused_with_nothing_written(tmp_path: Path) -> None:
    deep: object = 1
    for _ in range(100_000):
        deep = [deep]
    with create(path := tmp_path / "a.jsonl", drafts(OPENING), by="gm", at=AT) as store:
        before = path.read_bytes()
        sheet = drafts(CombatantJoined(combatant="a", sheet={"x": deep}))
        for batch in (rounds(0, 1) * 100_000, [of_length(10 << 20)], sheet):
            with pytest.raises((TooLarge, Malformed)) as caught:
                store.append(batch, by="gm", at=AT)
            assert len(str(caught.value)) < 300
            assert path.read_bytes() == before


def test_events_of_unknown_types_are_exported_and_imported_as_they_are(tmp_path: Path) -> None:
    path, out, back = (tmp_path / f"{name}.jsonl" for name in ("a", "out", "back"))
    path.write_bytes(with_events('{"type":"dreamt","of":"sheep"}', '{"type":"damage_dealt.2","worse":[{"ü":-1}]}'))
    for words in (("export", "jsonl", path, "--to", out), ("import", "jsonl", out, back)):
        assert encounter(*words).exit_code == 0
    assert back.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("marks", ["\u0300" * 60_000 + "\u0316" * 60_000, "\u0f73" * 120_000])
def test_marks_without_end_are_put_in_order_at_once(marks: str) -> None:
    """The library sorts them by insertion, which takes half a minute for these, and for a full line many minutes."""
    start = time.process_time()
    read_json(f'"a{marks}"')
    assert time.process_time() - start < 5


def test_a_line_one_byte_too_long_does_not_pass_for_want_of_its_line_feed(tmp_path: Path) -> None:
    """It was read, and the next append, which put the line feed there, made the log unreadable."""
    opening = log_of(drafts(OPENING))
    line = line_of(of_length(LONGEST_LINE + 1), 2, AT, "gm", None, "0" * 32, read(opening)[0].hash)
    assert len(line) == LONGEST_LINE + 1
    path = tmp_path / "a.jsonl"
    path.write_bytes(opening + line[:-1])
    for work in (lambda: list(JsonlStore(path).read()), lambda: JsonlStore(path).append(rounds(1, 1), by="gm", at=AT)):
        with pytest.raises(CorruptLog, match=r"line 2 .*is longer than") as caught:
            work()
        assert not caught.value.torn
    assert verifier.first_fault(path.read_bytes())[0] == 2


def test_a_handle_does_not_go_on_with_a_log_that_was_replaced_by_its_like(tmp_path: Path) -> None:
    """It wrote a line that followed a record which was no longer there: nobody could read it."""
    path = tmp_path / "a.jsonl"
    with create(path, drafts(OPENING), by="gm", at=AT) as store:
        store.append(drafts(Noted(text="aaa")), by="gm", at=AT)
        before = path.stat()
        path.write_bytes(rehashed([line.replace(b'"aaa"', b'"bbb"') for line in path.read_bytes().splitlines(True)]))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert store.append(drafts(Noted(text="c")), by="gm", at=AT, after=2).last == 3
        assert store.verify().sound


@pytest.mark.skipif(not Path("/proc/self/mountinfo").exists(), reason="only Linux tells what is mounted")
def test_a_file_system_that_gets_the_number_of_another_is_not_taken_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long-lived program would have written on a network drive that was mounted where a disk in memory had been."""
    place = Path("/proc")
    device = place.stat().st_dev
    for kind in ("tmpfs", "fuse.sshfs"):
        row = f"27 1 {os.major(device)}:{os.minor(device)} / /mnt rw - {kind} none rw\n"
        monkeypatch.setattr(disk, "read_system_file", lambda _, row=row: row)
        assert MACHINE.kind(str(place)) == kind
