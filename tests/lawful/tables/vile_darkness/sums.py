"""The sums of the text: what a roll needs, who stands in HIGH, when work ends, how far it is, what comes before what."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

SLOTS = (
    *("DECLARE", "ROLL", "GF", "A", "B", "C", "M1"),
    *("H.D1", "H.D2", "H.D3", "H.D4", "L.D1", "L.D2", "L.D3", "L.D4"),
    *("M2", "E", "GL", "END"),
)
"""The slots of a round, in order."""
Square = tuple[int, int]


def need(aac0: int, starred: bool, ac: int) -> int:
    """Return what hits an armor class: 20 six times in a row, then from 21 on."""
    raw = aac0 + starred - max(-10, min(10, ac))
    return raw if raw <= 20 else max(20, raw - 5)


def hits(die: int, bonus: int, needed: int) -> bool:
    """Say whether a roll hits."""
    return die == 20 or (die > 1 and die + bonus >= needed)


def standing(dice: Mapping[str, int]) -> dict[str, bool]:
    """Return for each group whether it is HIGH: whose die is the highest, and all who share it."""
    return {side: die == max(dice.values()) for side, die in dice.items()}


def ends(start: int, segments: int) -> tuple[int, int]:
    """Return the round and the segment in which work ends that began in segment 1 of a round; more than ten run on."""
    return start + (segments - 1) // 10, (segments - 1) % 10 + 1


def within(one: Square, other: Square, feet: int) -> bool:
    """Say whether two squares lie no farther apart than so many feet, from center to center."""
    return 25 * ((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) <= feet * feet


def hit_points(faces: Sequence[int], bonus: int) -> int:
    """Return the hit points of enhanced hit dice: the bonus counts once for each die."""
    return sum(faces) + len(faces) * bonus


def path(start: Square, to: Square, blocked: set[Square], size: int) -> list[Square]:
    """Return the shortest way without diagonals over squares that are free, with both ends; empty if there is none."""
    came: dict[Square, Square] = {start: start}
    edge = [start]
    for here in edge:
        for step in ((here[0] + 1, here[1]), (here[0] - 1, here[1]), (here[0], here[1] + 1), (here[0], here[1] - 1)):
            if step not in came and step not in blocked and 0 <= step[0] < size and 0 <= step[1] < size:
                came[step] = here
                edge.append(step)
    if to not in came:
        return []
    way = [to]
    while way[-1] != start:
        way.append(came[way[-1]])
    return way[::-1]


@dataclass
class Deed:
    """Something to be told in a slot, with what it is sorted by there.

    `high` is the standing that counts in its slot, `speed` that of the weapon with the minors of the round (None: it has
    none), `due` the segment in which a spell is complete.
    """

    who: str
    side: str
    slot: str
    tell: Callable[[], None]
    high: bool = True
    delayed: bool = False
    speed: int | None = None
    due: int = 0
    major: bool = False
    minor: bool = False


def before(one: Deed, other: Deed) -> bool:
    """Say whether one deed has to come before another of the same slot."""
    slot, opponents = one.slot, one.side != other.side
    if slot in ("A", "B", "C", "GL"):
        return one.high and not other.high
    if slot == "E":
        return (one.due, not one.high) < (other.due, not other.high)
    quicker = one.speed is not None and other.speed is not None and one.speed < other.speed
    if slot in ("M1", "M2"):
        return (one.high and not other.high) or (one.high == other.high and opponents and quicker)
    if "." not in slot or not opponents:
        return False
    if one.delayed != other.delayed:
        return other.delayed
    return slot.endswith("D3") and quicker


def lined_up(deeds: Sequence[Deed], dice: random.Random) -> list[Deed]:
    """Return the deeds of a slot in one of the orders that they may have."""
    left, line = list(deeds), list[Deed]()
    while left:
        first = dice.choice([deed for deed in left if not any(before(other, deed) for other in left)])
        left.remove(first)
        line.append(first)
    return line


def at_once(line: Sequence[Deed]) -> list[list[str]] | None:
    """Return who acts in which order and who at once, of deeds of one slot in a lawful order; None where that is open."""
    groups: list[list[Deed]] = []
    for deed in line:
        if not groups or any(before(other, deed) for other in groups[-1]):
            groups.append([deed])
        else:
            groups[-1].append(deed)
    for earlier, later in pairwise(groups):
        if not all(before(one, other) for one in earlier for other in later):
            return None
    return [sorted(deed.who for deed in group) for group in groups]
