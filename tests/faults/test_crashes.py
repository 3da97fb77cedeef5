"""What the campaign of crashes found once, each by its name."""

from pathlib import Path

import pytest

from eventstore.damage import CHANGED_HINT, NO_LINE_FEED, TORN, TORN_HINT
from eventstore.errors import CorruptLog
from eventstore.jsonl import JsonlStore, create
from eventstore.repair import carried_out, plan_repair
from tests.eventstore.jsonl import part_and_reason
from tests.eventstore.logs import AT, OPENING, drafts, rounds, small_log
from tests.faults.files import NoLinks
from tests.faults.memfs import MemFS, Process
from tests.faults.recording import FORD, Make, Recording, before_sync
from tests.faults.recovering import ReadsLittle
from tests.faults.stories import filler

# ---------------------------------------------------------------- a log that is made


@pytest.mark.parametrize("filesystem", [Process, NoLinks])
def test_a_log_of_several_appends_is_made_whole_or_not_at_all(filesystem: type[Process]) -> None:
    """Its first append was there alone before the others were written."""
    recording = Recording(MemFS(), Make(process=filesystem))
    create(FORD, drafts(OPENING), rounds(1, 2), by="gm", at=AT, disk=recording.process()).close()
    whole = recording.machine.get(FORD)
    assert whole.count(b"\n") == 3
    assert {moment.machine.get(FORD) for moment in recording.moments if moment.machine.find(FORD)} <= {b"", whole}


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
def test_a_last_record_without_its_line_feed_outlives_a_power_cut(path: Path, junk: bytes) -> None:
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


def test_who_reads_a_log_full_of_holes_does_not_see_what_is_put_there() -> None:
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
