"""Chance: the only place where dice are rolled; by the system, or from a seed in scripts."""

import random
from collections.abc import Callable
from functools import cache

from projections.mechanics.dice import of, throw


def roller(seed: str | None = None) -> Callable[[str], str]:
    """Return the function that turns dice into faces: d20 into d20:14; with a seed always the same ones."""

    @cache
    def chance() -> Callable[[int, int], int]:
        source = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311 – repeatable on purpose
        return source.randint

    return lambda notation: throw(of(notation), lambda sides: chance()(1, sides))
