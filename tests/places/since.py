"""Places in what has changed since a commit: functions that stand there as they did were tried before."""

import ast
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from encounterlog_rulelab.places import Place
from tests.places.rooms import Room


class UnknownCommit(Exception):
    """A word that names no commit of the repository."""

    def __init__(self, word: str, root: Path) -> None:
        super().__init__(f"there is no commit {word} in {root}; a branch, a tag or the beginning of a hash names one")


def changed_since(commit: str, places: Iterable[tuple[Room, Place]], root: Path) -> list[tuple[Room, Place]]:
    """Return the places in functions, classes and tables that did not stand in their file as they do at a commit; raise UnknownCommit."""
    if _git(root, "rev-parse", "--quiet", "--verify", f"{commit}^{{commit}}") is None:
        raise UnknownCommit(commit, root)

    @cache
    def before(file: str) -> frozenset[str]:
        source = _git(root, "show", f"{commit}:{Path(file).resolve().relative_to(root.resolve()).as_posix()}")
        return frozenset(ast.dump(each) for each in ast.parse(source or "").body)

    dumped = cache(ast.dump)
    return [(room, place) for room, place in places if dumped(place.top) not in before(place.file)]


def _git(root: Path, *words: str) -> str | None:
    """Return what git prints; None if it fails."""
    done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None
