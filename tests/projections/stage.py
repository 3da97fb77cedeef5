"""The stage: every play there is, of the rulebooks and of the fixtures, and what came of those that were run."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

from projections.proving.enc import parse
from projections.proving.plays import Play
from projections.proving.proof import Played, run_play
from projections.proving.rulebook import Proof, plays, prove
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import find, keys

T = TypeVar("T")

FIXTURES = Path(__file__).parents[2] / "fixtures"


def scripts(key: str = "") -> list[Path]:
    """Return the scripts among the fixtures, of one ruleset or of all."""
    return sorted((FIXTURES / key).rglob("*.enc"))


@cache
def script(path: Path) -> tuple[Play, ...]:
    """Return the plays of a script among the fixtures; raise EncError where it cannot be read."""
    return parse(path.read_bytes(), path.relative_to(FIXTURES).as_posix())


def encounters(key: str = "") -> list[Play]:
    """Return the plays of the scripts among the fixtures, of one ruleset or of all."""
    return [play for path in scripts(key) for play in script(path)]


def stage(ruleset: Ruleset) -> tuple[Play, ...]:
    """Return every play of a ruleset: its rulebook, and the whole encounters among the fixtures."""
    return (*plays(ruleset), *(play for path in scripts(ruleset.key) for play in script(path)))


def one_in(each: int, items: Iterable[T], start: int = 0) -> list[T]:
    """Return one in so many items, beginning among the first."""
    return list(items)[start % each :: each]


@dataclass(frozen=True)
class Script:
    """The plays of a page of a rulebook or of a fixture, which are read when they are asked for."""

    key: str
    source: str

    def __iter__(self) -> Iterator[Play]:
        """Yield the plays in the order of the script."""
        return iter(_by_source(self.key).get(self.source, ()))


@cache
def _by_source(key: str) -> dict[str, list[Play]]:
    found: dict[str, list[Play]] = {}
    for play in stage(find(key)):
        found.setdefault(play.source, []).append(play)
    return found


def every_script(*of: str) -> pytest.MarkDecorator:
    """Return the mark of a test that is run with the plays of each script, of these rulesets or of all.

    A script is a page of a rulebook, or a fixture.
    """
    rows = [Script(key, source) for key in of or keys() for source in _sources(key)]
    return pytest.mark.parametrize("plays", rows, ids=[f"{row.key}, {row.source}" for row in rows])


def _sources(key: str) -> list[str]:
    pages = sorted(Path(find(key).rules).with_name("rulebook").glob("*.enc"))
    return [*(path.name for path in pages), *(path.relative_to(FIXTURES).as_posix() for path in scripts(key))]


@cache
def proof_of(key: str) -> Proof:
    """Return the proof of a ruleset's rulebook, run once for all tests."""
    proof = prove(find(key))
    proving = [one for each in proof.clauses for one in (*each.cases, *each.breaches)]
    proving += [one for each in proof.values for one in each.plays]
    _ran(key).update(((one.play.source, one.play.line), one) for one in proving)
    return proof


def played(play: Play) -> Played:
    """Return what came of a play, which is run once for all tests."""
    ran = _ran(play.ruleset)
    place = (play.source, play.line)
    if place not in ran:
        ran[place] = run_play(play)
    return ran[place]


@cache
def _ran(key: str) -> dict[tuple[str, int], Played]:
    """Return the plays of a ruleset that were run, by their places; `proof_of` adds those of its proof."""
    del key
    return {}
