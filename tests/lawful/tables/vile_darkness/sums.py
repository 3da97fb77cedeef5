"""The sums of the text: what a roll needs, who stands in HIGH, when work ends, how far it is, what comes before what."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

SLOTS = (
    *("DECLARE", "ROLL", "GF", "A", "B", "C", "M1"),
    *("H.D1", "H.D2", "H.D3", "H.D4", "L.D1", "L.D2", "L.D3", "L.D4"),
    *("M2", "E", "GL", "END"),
)
"""The slots of a round, in order."""
Square = tuple[int, int]


def need(aac0: int, starred: bool, ac: int) -> int:
    """Return what hits an armour class: 20 six times in a row, then from 21 on."""
    raw = aac0 + starred - max(-10, min(10, ac))
    return raw if raw <= 20 else max(20, raw - 5)


def hits(die: int, bonus: int, needed: int) -> bool:
    """Say whether a roll hits."""
    return die == 20 or (die > 1 and die + bonus >= needed)


def standing(dice: Mapping[str, int], middle_is_high: bool = False) -> dict[str, bool]:
    """Return for each group whether it is HIGH: whose die is the highest, and all who share it; with the option, not the lowest."""
    high, low = max(dice.values()), min(dice.values())
    return {side: die == high or (middle_is_high and die > low) for side, die in dice.items()}


def order_of_slots(options: Mapping[str, str]) -> tuple[str, ...]:
    """Return the slots of a round in order."""
    slots = [slot for slot in SLOTS if slot not in ("GF", "GL")]
    slots.insert(slots.index("C") + 1 if options.get("go-first-place") == "after-charge" else slots.index("A"), "GF")
    slots.insert(slots.index("E") + (options.get("go-last-place") != "before-spells"), "GL")
    return tuple(slots)


def ends(start: int, segments: int) -> tuple[int, int]:
    """Return the round and the segment in which work ends that began in segment 1 of a round; more than ten run on."""
    return start + (segments - 1) // 10, (segments - 1) % 10 + 1


def within(one: Square, other: Square, feet: int, counted: bool = False) -> bool:
    """Say whether two squares lie no farther apart than so many feet, from center to center, or counted in squares."""
    if counted:
        return 5 * max(abs(one[0] - other[0]), abs(one[1] - other[1])) <= feet
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
    """Something to be recorded in a slot, with what it is sorted by there.

    `high` is the standing that counts in its slot, `speed` that of the weapon with the minors of the round (None: it has
    none), `due` the segment in which a spell is complete; `waits` says that it is the announcement of a delay.
    """

    who: str
    side: str
    slot: str
    tell: Callable[[], None]
    high: bool = True
    delayed: bool = False
    speed: int | None = None
    due: int = 0
    die: int = 0
    major: bool = False
    waits: bool = False


def before(one: Deed, other: Deed, options: Mapping[str, str]) -> bool:
    """Say whether one deed has to come before another of the same slot; nobody is delayed before saying so."""
    if one.waits and one.who == other.who and one is not other:
        return True
    if one.slot == "E":
        return _ended(one, options) < _ended(other, options)
    if "." in one.slot:
        return one.side != other.side and _wins(one, other, options)
    if one.high != other.high:
        letter = one.slot in ("A", "B", "C") and options.get("same-letter") != "at-once"
        return one.high and (letter or one.slot in ("M1", "M2", "GL"))
    return one.slot in ("M1", "M2") and one.side != other.side and _quicker(one, other)


def _ended(spell: Deed, options: Mapping[str, str]) -> tuple[int, int]:
    """Return by what spells are sorted."""
    low = int(not spell.high)
    return (low, spell.due) if options.get("spell-order") == "initiative-first" else (spell.due, low)


def _wins(one: Deed, other: Deed, options: Mapping[str, str]) -> bool:
    """Say whether one comes before an opponent with whom it shares a slot of step 5."""
    if one.delayed != other.delayed:
        return other.delayed
    parted = options.get("weapon-speed") != "dice-tie" or one.die == other.die
    return parted and one.slot.endswith("D3") and _quicker(one, other)


def _quicker(one: Deed, other: Deed) -> bool:
    return one.speed is not None and other.speed is not None and one.speed < other.speed


def lined_up(deeds: Sequence[Deed], dice: random.Random, options: Mapping[str, str]) -> list[Deed]:
    """Return the deeds of a slot in one of the orders that they may have."""
    left, line = list(deeds), list[Deed]()
    while left:
        first = dice.choice([deed for deed in left if not any(before(other, deed, options) for other in left)])
        left.remove(first)
        line.append(first)
    return line


def at_once(deeds: Sequence[Deed], options: Mapping[str, str]) -> list[list[str]] | None:
    """Return who acts in which order and who at once, of the deeds of one slot; None where that is open.

    It is where allies alone share a slot and would be parted as opponents, and where claws meet weapons of several speeds.
    """
    placed: dict[tuple[int, int], list[Deed]] = {}
    for deed in deeds:
        placed.setdefault(_place(deed, options), []).append(deed)
    groups = [placed[key] for key in sorted(placed)]
    allies = len({deed.side for deed in deeds}) == 1 and deeds[0].slot not in ("A", "B", "C", "E", "GL")
    unlike = len({deed.die for deed in deeds}) > 1 and options.get("weapon-speed") == "dice-tie"
    claws = any(deed.speed is None for deed in deeds) and deeds[0].slot in ("M1", "M2", "H.D3", "L.D3")
    if len(groups) > 1 and (allies or unlike or claws):
        return None
    return [sorted(deed.who for deed in group) for group in groups]


def _place(deed: Deed, options: Mapping[str, str]) -> tuple[int, int]:
    """Return the place of a deed in its slot."""
    if deed.slot == "E":
        return _ended(deed, options)
    if "." in deed.slot:
        return int(deed.delayed), deed.speed or 0 if deed.slot.endswith("D3") else 0
    if deed.slot in ("A", "B", "C") and options.get("same-letter") == "at-once":
        return 0, 0
    return int(not deed.high), deed.speed or 0 if deed.slot in ("M1", "M2") else 0
