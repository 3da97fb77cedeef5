"""Each test runs in a folder of its own, and without the settings of whoever runs it; nothing is kept in their cache."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("ENCOUNTER_BY", "ENCOUNTER_TRACEBACK", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ENCOUNTER_CACHE", "off")
    return tmp_path
