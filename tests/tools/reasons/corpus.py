"""The logs that are held against the law: whole encounters, plays of the rulebooks, and random ones."""

from collections.abc import Iterator

from hypothesis import HealthCheck, Phase, given, seed, settings

from encounterlog_rulelab.reasons import Subject, encounters
from projections.ruleset.ruleset import Ruleset
from tests.projections import logs
from tests.projections.random_logs import stories
from tests.projections.stage import script, scripts


def fixtures(ruleset: Ruleset) -> Iterator[Subject]:
    """Yield the encounters among the fixtures."""
    return encounters(play for path in scripts(ruleset.key) for play in script(path))


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
