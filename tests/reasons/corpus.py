"""The logs that are held against the law: whole encounters, plays of the rulebooks, and random ones."""

from collections.abc import Iterator
from typing import NamedTuple

from hypothesis import HealthCheck, Phase, given, seed, settings

from eventstore.record import Recorded
from projections.proving.proof import records_of
from projections.proving.rulebook import plays
from projections.rulesets.ruleset import Ruleset
from tests.projections import logs
from tests.projections.random_logs import stories
from tests.projections.stage import script, scripts


class Subject(NamedTuple):
    """A log with the name that a break of it is printed with."""

    name: str
    records: list[Recorded]


def fixtures(ruleset: Ruleset) -> Iterator[Subject]:
    """Yield the encounters among the fixtures."""
    for play in (play for path in scripts(ruleset.key) for play in script(path)):
        yield Subject(f"{play.source}:{play.line}", records_of(play))


def rulebook(ruleset: Ruleset) -> Iterator[Subject]:
    """Yield the plays of a rulebook."""
    for play in plays(ruleset):
        yield Subject(f"{ruleset.key}/rulebook/{play.source}:{play.line}", records_of(play))


def random_logs(ruleset: Ruleset, count: int, start: int) -> Iterator[Subject]:
    """Yield so many random logs; the same start yields the same, while hypothesis stays the same."""
    told: list[list[str]] = []

    @seed(start)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        derandomize=False,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(stories())
    def draw(story: list[str]) -> None:
        told.append(story)

    draw()
    for number, story in enumerate(told, 1):
        yield Subject(f"random {start}/{number}", logs.records(*story, ruleset=ruleset.key))
