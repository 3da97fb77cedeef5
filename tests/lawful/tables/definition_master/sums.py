"""The sums of Definition Master: bonuses, damage, reach, death rolls, the order. Values in, values out."""

from collections.abc import Callable, Iterable

Square = tuple[int, int]

SIZES = {"small": -4, "medium": 0, "large": 4, "huge": 8}
"""What a size adds to opposed rolls."""


def attack_bonuses(base: int) -> list[int]:
    """Return the bonuses of the attacks that a base attack bonus gives: each 5 lower, above 0, at most four."""
    return [base] + [base - less for less in (5, 10, 15) if base - less > 0]


def in_two_hands(strength: int, *, toward_zero: bool = False) -> int:
    """Return one and a half times a Strength modifier, rounded down."""
    half_again = 3 * strength
    return -(-half_again // 2) if toward_zero and half_again < 0 else half_again // 2


def reaches(origin: Square, square: Square, rings: int, *, corners: bool = True) -> bool:
    """Return whether a square lies within so many rings around another, with or without the corners of the outer one."""
    dx, dy = abs(origin[0] - square[0]), abs(origin[1] - square[1])
    return max(dx, dy) <= rings and (corners or (dx, dy) != (rings, rings))


def is_massive(amount: int, maximum: int) -> bool:
    """Return whether one application of damage calls for a save: at least half of the maximum."""
    return 2 * amount >= maximum


def stats_dc(hit_dice: int, constitution: int) -> int:
    """Return the DC of a death roll by Hit Dice and Constitution."""
    return 10 + hit_dice - constitution


def percent_target(failures: int) -> int:
    """Return what a d% must reach after so many failures: 51, 61, 71."""
    return 51 + 10 * failures


def daily(constitution: int, hit_dice: int) -> tuple[int, int]:
    """Return the hit points and the non-lethal damage that an untreated day restores."""
    rate = max(constitution, 1) * hit_dice
    return rate, 5 * rate


def lined_up(totals: dict[str, int], roll_off: Callable[[list[str]], dict[str, int]]) -> list[str]:
    """Return the order of these totals, the highest first; those who are level roll against each other until none is."""
    order: list[str] = []
    for total in sorted(set(totals.values()), reverse=True):
        tied = [who for who, theirs in totals.items() if theirs == total]
        order += tied if len(tied) == 1 else lined_up(roll_off(tied), roll_off)
    return order


def behind(order: Iterable[str], who: str, mark: str) -> list[str]:
    rest = [each for each in order if each != who]
    at = rest.index(mark) + 1
    return [*rest[:at], who, *rest[at:]]
