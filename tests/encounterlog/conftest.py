"""Each test runs in a folder of its own, and without the settings of whoever runs it."""

from pathlib import Path

import pytest

from tests.encounterlog.support import quarrel


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("ENCOUNTER_BY", "ENCOUNTER_TRACEBACK", "ENCOUNTER_READER", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def log(folder: Path) -> Path:
    """Return the log of the quarrel; files whose tests are about another one have a fixture of their own."""
    return quarrel(folder / "halvaine.jsonl")
