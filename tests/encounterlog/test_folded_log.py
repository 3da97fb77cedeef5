"""A log that is kept folded while it grows comes to what it comes to if it is read from its start."""

from pathlib import Path

import pytest

from encounterlog.log.folded_log import kept_view
from encounterlog.log.logs import LogView
from encounterlog.places.stores import open_store
from eventstore.errors import CorruptLog
from eventstore.events import Event, Noted, Struck
from eventstore.record import Draft
from projections.judging.audit import audit
from projections.replay.replay import replay
from projections.views.view import show
from tests.encounterlog.support import encounter, quarrel

AT = "2026-11-20T19:04:05.123456Z"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return quarrel(tmp_path / "a.jsonl")


def append(path: Path, *events: Event) -> None:
    open_store(str(path)).append([Draft(event) for event in events], by="ana", at=AT)


def agrees(log: LogView) -> None:
    """Hold what a log comes to against a reading of the file from its start."""
    whole = LogView(log.path)
    assert list(log) == list(whole)
    assert log.last == whole.last
    kept = log.folded
    assert kept is not None
    assert show(kept.replay.state) == show(replay(whole).state)
    assert kept.audited().findings == audit(whole).findings


@pytest.mark.parametrize(
    "events", [[Noted(text="rain")], [Noted(text="rain"), Noted(text="more")], [Struck(event=9, reason="")]]
)
def test_what_others_append_is_folded_in(path: Path, events: list[Event]) -> None:
    log = kept_view(str(path))
    agrees(log)
    append(path, *events)
    agrees(log := log.reread())
    append(path, Noted(text="and on"))
    agrees(log.reread())


def test_only_a_correction_begins_it_anew(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = kept_view(str(path))
    kept = log.folded
    monkeypatch.setattr(
        "projections.language.notation.table.Table.__init__", None
    )  # nothing is replayed from its start any more
    for number in range(3):
        append(path, Noted(text=f"{number}"))
        log = log.reread()
        assert log.folded is kept
    append(path, Struck(event=9, reason=""))
    with pytest.raises(TypeError):
        agrees(log.reread())


def test_who_took_in_what_was_appended_passes_it_on_and_the_log_before_has_it_no_more(path: Path) -> None:
    before = kept_view(str(path))
    kept = before.folded
    assert kept is not None
    written = before.store.append([Draft(Noted(text="rain"))], by="gm", at=AT).records
    kept.table.take(written)
    assert before.folded is None
    after = before.grown(written)
    assert after.folded is kept
    agrees(after)
    assert [record.seq for record in before] == [record.seq for record in list(after)[:-1]]


def test_a_log_that_others_rewrote_is_read_from_its_start(path: Path) -> None:
    log = kept_view(str(path))
    agrees(log)
    other = quarrel(path.with_name("b.jsonl"))
    append(other, Noted(text="another log"))
    other.rename(path)
    agrees(log.reread())


def test_behind_a_torn_tail_it_is_as_far_as_it_is_whole(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"seq":')
    log = kept_view(str(path))
    assert log.folded is not None
    assert isinstance(log.problem, CorruptLog)
    with pytest.raises(CorruptLog):
        list(log)
    append(path, Noted(text="mended"))
    agrees(log.reread())


def test_what_is_damaged_comes_to_nothing(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"amount":', b'"amounts":', 1))
    with pytest.raises(CorruptLog):
        _ = kept_view(str(path)).folded


def test_lines_of_one_prompt_write_what_lines_of_several_do(tmp_path: Path) -> None:
    one, several = quarrel(tmp_path / "one.jsonl"), quarrel(tmp_path / "several.jsonl")
    lines = ["note rain", "note more", "undo", "?order", "u", "redo", "note on"]
    encounter("play", one, stdin="\n".join(lines))
    for line in lines:
        encounter("play", several, stdin=line)
    assert [record.event for record in LogView(str(one))][1:] == [record.event for record in LogView(str(several))][1:]
    assert len(list(LogView(str(one)))) > len(list(LogView(str(quarrel(tmp_path / "before.jsonl"))))) + 4
