"""The distributions of `cli/plugins` as if they were installed: their folders and the metadata that an installation would write."""

import sys
import tomllib
from pathlib import Path

import pytest

from eventstore import distributions

PLUGINS = Path(__file__).parents[1] / "cli" / "plugins"


def metadata(name: str, folder: Path) -> None:
    """Write the metadata of a plug-in into a folder, by what its pyproject.toml declares."""
    project = tomllib.loads((PLUGINS / name / "pyproject.toml").read_text("utf-8"))["project"]
    info = folder / f"{name.replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {project['version']}\n")
    groups = project["entry-points"].items()
    lines = [
        f"[{group}]\n" + "".join(f"{key} = {target}\n" for key, target in those.items()) for group, those in groups
    ]
    (info / "entry_points.txt").write_text("".join(lines))


def install(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a plug-in in this process, with its metadata in a folder that is created for it."""
    folder.mkdir(exist_ok=True)
    metadata(name, folder)
    monkeypatch.setattr(sys, "path", [str(folder), str(PLUGINS / name), *sys.path])
    distributions._entry_points_on_path.cache_clear()
