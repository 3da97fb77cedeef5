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


def test_without_any_there_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "coins.egg-info").write_text(METADATA)
    (tmp_path / "empty-1.0.dist-info").mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path / "missing"), str(tmp_path), *sys.path])
    assert entry_points(GROUP) == () == tuple(found_by_python(group=GROUP))


class Elsewhere:
    """Finds distributions that are in no folder."""

    def find_spec(self, *_: object) -> None:
        """Find no module."""

    def find_distributions(self, _context: object) -> list[object]:
        """Find one distribution."""
        from importlib.metadata import Distribution

        class Found(Distribution):
            def read_text(self, filename: str) -> str | None:
                return {"METADATA": METADATA, "entry_points.txt": TEXT}.get(filename)

            def locate_file(self, path: object) -> Path:
                return Path(str(path))

        return [Found()]


def test_whoever_finds_distributions_otherwise_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "meta_path", [Elsewhere(), *sys.meta_path])
    assert [each.name for each in entry_points(GROUP)] == ["duel"]
