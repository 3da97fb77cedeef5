"""Entry points of other distributions are those that importlib.metadata finds, wherever their metadata are."""

import sys
import zipfile
from importlib.metadata import entry_points as found_by_python
from pathlib import Path

import pytest

from eventstore.distributions import entry_points

GROUP = "encounterlog.nothing-else-has-it"
TEXT = f"[other]\nx = a:b\n[{GROUP}]\nduel = coins:GAME\n"
METADATA = "Metadata-Version: 2.1\nName: coins\nVersion: 1.0\n"


@pytest.mark.parametrize(
    ("where", "metadata"),
    [("coins-1.0.dist-info", "METADATA"), ("coins.egg-info", "PKG-INFO"), ("coins-1.0.egg/EGG-INFO", "PKG-INFO")],
)
@pytest.mark.parametrize("archived", [False, True])
def test_they_are_found_in_folders_and_archives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, metadata: str, archived: bool
) -> None:
    folder = tmp_path / "site" / where
    folder.mkdir(parents=True)
    (folder / metadata).write_text(METADATA)
    (folder / "entry_points.txt").write_text(TEXT)
    place = folder.parent
    if archived:
        place = tmp_path / f"{place.stem}.{'egg' if place.suffix == '.egg' else 'zip'}"
        with zipfile.ZipFile(place, "w") as archive:
            for file in folder.iterdir():
                archive.write(file, f"{folder.name}/{file.name}")
    monkeypatch.setattr(sys, "path", [str(place), *sys.path])
    (found,) = entry_points(GROUP)
    assert (found.name, found.value) == ("duel", "coins:GAME")
    assert (found,) == tuple(found_by_python(group=GROUP))
