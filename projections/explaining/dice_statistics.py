"""The distribution of faces, by combatant, die and level, with a chi-squared test."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from math import exp, lgamma, log

from msgspec import Struct, structs

from projections.explaining.fairness import LEVELS, Level, Throw

ENOUGH = 5
"""The number of throws per face that the test needs; with fewer its result means little."""


class Spread(Struct, frozen=True):
    """The throws of one die by one combatant on one level, with the count of each face and its test.

    `sides` is 0 for bare numbers of an unknown die; `p` is the share of fair dice whose spread is at least as uneven,
    None with too few throws.
    """

    combatant: str
    die: str
    sides: int
    level: Level
    thrown: int
    mean: float
    counts: Mapping[int, int]
    chi_squared: float | None = None
    p: float | None = None


def count_spreads(throws: Iterable[Throw]) -> tuple[Spread, ...]:
    """Return the spread of each die, dropped dice included, in the order of combatants, sides and levels."""
    counted: dict[tuple[str, int, Level], Counter[int]] = {}
    for throw in throws:
        key = (throw.combatant, sides_of(throw.notation), throw.level)
        counted.setdefault(key, Counter()).update(throw.faces)
    order = sorted(counted, key=lambda key: (key[0], key[1], LEVELS.index(key[2])))
    return tuple(_make_spread(*key, counted[key]) for key in order)


def sides_of(notation: str) -> int:
    """Return the number of sides in a notation; 0 without one."""
    found = re.search(r"[dD](\d+|%)", notation)
    return 0 if found is None else 100 if found[1] == "%" else int(found[1])


def _make_spread(combatant: str, sides: int, level: Level, counts: Counter[int]) -> Spread:
    thrown = counts.total()
    mean = sum(face * number for face, number in counts.items()) / thrown
    shown = dict(sorted(counts.items()))
    made = Spread(combatant, f"d{sides}" if sides else "number", sides, level, thrown, round(mean, 4), shown)
    if sides < 2 or thrown < ENOUGH * sides or not all(1 <= face <= sides for face in counts):
        return made
    statistic = chi_squared(counts, sides)
    return structs.replace(made, chi_squared=round(statistic, 4), p=round(chi_squared_tail(statistic, sides - 1), 6))


def chi_squared(counts: Mapping[int, int], sides: int) -> float:
    """Return the sum over all faces of the squared difference from the expected count, divided by that count."""
    expected = sum(counts.values()) / sides
    return sum((counts.get(face, 0) - expected) ** 2 for face in range(1, sides + 1)) / expected


def chi_squared_tail(statistic: float, freedom: int) -> float:
    """Return the probability that a chi-squared value with so many degrees of freedom is at least this one.

    It is the regularized upper incomplete gamma function of freedom/2 and statistic/2.
    """
    a, x = freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    scale = exp(a * log(x) - x - lgamma(a))
    return max(0.0, 1.0 - scale * _lower_series(a, x)) if x < a + 1 else scale * _upper_fraction(a, x)


def _lower_series(a: float, x: float) -> float:
    """Return the series of the lower function, without its scale; it converges fast for x below a + 1."""
    term = total = 1 / a
    step = a
    while term > total * 1e-15:
        step += 1
        term *= x / step
        total += term
    return total


def _upper_fraction(a: float, x: float) -> float:
    """Return the continued fraction of the upper function, without its scale, from its end backwards."""
    value = 0.0
    for step in range(400, 0, -1):
        value = step * (step - a) / (x + 2 * step + 1 - a - value)
    return 1 / (x + 1 - a - value)
