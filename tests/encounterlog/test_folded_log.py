"""A log that is kept folded while it grows comes to what it comes to if it is read from its start, and reads only what came since."""

from collections.abc import Callable
from pathlib import Path

import pytest

import encounterlog as el
from encounterlog.log.folded_log import FoldedLog, kept_view
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
    assert show(kept.table.done.state) == show(replay(whole).state)
    assert kept.audit_log().findings == audit(whole).findings


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


START = ("join Ada party hp=9", "join Orc orcs hp=6", "r")


@pytest.fixture
def log(tmp_path: Path) -> el.Log:
    made = el.new(tmp_path / "ford.jsonl", ruleset="plain")
    for line in START:
        made.tell(line)
    return made


def rolled_back(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: data.rindex(b'{"seq"')])


def replaced(path: Path) -> None:
    path.unlink()
    made = el.new(path, ruleset="plain")
    for line in (*START, "note another story"):
        made.tell(line)


@pytest.mark.parametrize("change", [rolled_back, replaced])
def test_a_log_that_was_rewritten_is_read_again(log: el.Log, change: Callable[[Path], None]) -> None:
    log.tell("orc -5")
    change(log.path)
    log.tell("orc -1")
    assert el.open(log.path).state().combatants["orc"].hp.value == 5


def test_damage_to_what_is_known_is_found_before_anything_is_appended(log: el.Log) -> None:
    log.path.write_bytes(log.path.read_bytes().replace(b'"hp":9', b'"hp":8'))
    for _ in range(2):
        with pytest.raises(CorruptLog):
            log.tell("orc -1")


def test_a_served_log_is_audited_fact_by_fact_at_any_size(path: Path) -> None:
    append(path, Noted(text="a"), el.RoundStarted(round=99))
    read = open_store(str(path)).read
    served = FoldedLog(lambda after: read(after or 0))
    beyond = FoldedLog(lambda after: read(after or 0), audited_to=3)
    for kept in (served, beyond):
        kept.read_new()
    assert served.audit_log().replay is served.table.done
    assert beyond.audit_log().replay is not beyond.table.done
    assert beyond.audit_log().findings == served.audit_log().findings != ()
