"""Time and chance: the only place where the clock is read, and where dice are rolled, by the system or from a seed in scripts."""

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from projections.mechanics.dice import parse, throw


def current_time(days_ago: int = 0) -> str:
    """Return the time, or that so many days ago, as a log has it: RFC 3339, UTC, microseconds; as texts, times compare as the moments do."""
    return (datetime.now(UTC) - timedelta(days=days_ago)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def make_roller(seed: str | None = None) -> Callable[[str], str]:
    """Return the function that turns dice into faces: d20 into d20:14; with a seed always the same ones."""
    source = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311 – repeatable on purpose
    return lambda notation: throw(parse(notation), lambda sides: source.randint(1, sides))
