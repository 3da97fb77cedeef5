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
from tests.encounterlog.support import quarrel

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
