"""`encounter import`: a recorded combat becomes a log, compared state by state with what was recorded."""

from pathlib import Path

import pytest

from encounterlog.importers import importing
from tests.encounterlog.support import encounter

ENGINE = Path(__file__).parents[2] / "fixtures" / "5e" / "recordings"
EVENTS = ("import", "events", ENGINE / "engine.jsonl", "fight.jsonl", "--map", ENGINE / "engine.toml")


def test_a_source_that_is_not_there_and_a_log_that_is(folder: Path) -> None:
    assert encounter("import", "foundry", "none", "fight.jsonl").exit_code == 4
    (folder / "fight.jsonl").write_text("mine")
    assert (encounter(*EVENTS).exit_code, (folder / "fight.jsonl").read_text()) == (2, "mine")


def test_large_recordings_go_in_in_several_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "MOST_EVENTS", 20)
    assert encounter(*EVENTS).exit_code == 0
    assert "6 appends" in encounter("verify", "fight.jsonl").stdout


def test_an_import_that_fails_half_way_leaves_no_file_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "fight.jsonl")

    monkeypatch.setattr(importing, "MOST_EVENTS", 20)
    monkeypatch.setattr("eventstore.jsonl.JsonlStore.append", fail)
    done = encounter(*EVENTS)
    assert (done.exit_code, "no space left" in done.stderr, list(folder.iterdir())) == (6, True, [])
