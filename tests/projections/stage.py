"""The stage: every play there is, of the rulebooks and of the fixtures, and what came of those that were run."""

from functools import cache
from pathlib import Path

import pytest

from projections.proving.enc import Play, parse
from projections.proving.proof import Played, run
from projections.proving.rulebook import Proof, plays, prove
from projections.rulesets import find, keys
from projections.rulesets.ruleset import Ruleset

FIXTURES = Path(__file__).parents[2] / "fixtures"


def scripts(key: str = "") -> list[Path]:
    """Return the scripts among the fixtures, of one ruleset or of all."""
    return sorted((FIXTURES / key).rglob("*.enc"))


@cache
def script(path: Path) -> tuple[Play, ...]:
    """Return the plays of a script among the fixtures; raise EncError where it cannot be read."""
    return parse(path.read_bytes(), path.relative_to(FIXTURES).as_posix())


def stage(ruleset: Ruleset) -> tuple[Play, ...]:
    """Return every play of a ruleset: its rulebook, and the whole encounters among the fixtures."""
    return (*plays(ruleset), *(play for path in scripts(ruleset.key) for play in script(path)))


def every_script() -> pytest.MarkDecorator:
    """Return the mark of a test that is run with the plays of each script: a page of a rulebook, or a fixture."""
    rows: dict[str, list[Play]] = {}
    for key in keys():
        for play in stage(find(key)):
            rows.setdefault(f"{key}, {play.source}", []).append(play)
    return pytest.mark.parametrize("plays", list(rows.values()), ids=list(rows))


@cache
def proof_of(key: str) -> Proof:
    """Return the proof of a ruleset's rulebook, run once for all tests."""
    return prove(find(key))


def played(play: Play) -> Played:
    """Return what came of a play, which is run once for all tests."""
    ran = _ran(play.ruleset)
    place = (play.source, play.line)
    if place not in ran:
        ran[place] = run(play)
    return ran[place]


@cache
def _ran(key: str) -> dict[tuple[str, int], Played]:
    """Return the plays of a ruleset that were run by their places; those of its proof to begin with."""
    if key not in keys():
        return {}
    proof = proof_of(key)
    proving = [one for each in proof.clauses for one in (*each.cases, *each.breaches)]
    proving += [one for each in proof.values for one in each.plays]
    return {(one.play.source, one.play.line): one for one in proving}
