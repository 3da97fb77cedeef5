"""The entry points of installed distributions. If no distribution names their group, they are found without
importlib.metadata, which is slow to load.
"""

import os
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def entry_points(group: str) -> "tuple[EntryPoint, ...]":
    """Return the entry points of a group; metadata are read once for each path on which modules are found."""
    return _entry_points_on_path(group, tuple(sys.path))


@lru_cache(maxsize=8)
def _entry_points_on_path(group: str, path: tuple[str, ...]) -> "tuple[EntryPoint, ...]":
    if not _may_be_named(group, path):
        return ()
    from importlib.metadata import entry_points  # slow, so only for what others have

    return tuple(entry_points(group=group))


def _may_be_named(group: str, path: tuple[str, ...]) -> bool:
    """Return whether a distribution names a group, or may do so because it is not in a folder."""
    if any(hasattr(finder, "find_distributions") for finder in sys.meta_path if finder is not PathFinder):
        return True
    if any(os.path.isfile(folder) for folder in path):  # noqa: PTH113 – pathlib is slow to load
        return True
    head = f"[{group}]".encode()
    return any(head in text for folder in path for text in _entry_point_files(folder or os.curdir))


def _entry_point_files(folder: str) -> Iterator[bytes]:
    try:
        names = [entry.name for entry in os.scandir(folder)]
    except OSError:  # it is not there
        return
    for name in names:
        if name.endswith((".dist-info", ".egg-info")) or name == "EGG-INFO":
            try:
                with open(os.path.join(folder, name, "entry_points.txt"), "rb") as file:  # noqa: PTH118, PTH123 – as above
                    yield file.read()
            except OSError:  # it has none
                continue
