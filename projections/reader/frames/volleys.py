"""Several blows of one attacker whose outcomes are counted or told by weapon: looses three arrows, two hit for 5 and 7; claws miss, bite hits for 6."""

from collections.abc import Sequence

from msgspec import Struct

from projections.reader.frames.results import Result, times
from projections.reader.parts import Part
from projections.reader.slots import Slots
from projections.reader.tokens import Number

MOST = 8
"""The most blows that are counted."""
_COUNTS = {"both": 2, "one": 1}
_BESIDE = ("only", "just", "of", "them", "those", "these", "for", "but", "other", "with", "from", "time", "times")
"""Words between counts, outcomes and points."""
_BLOWS = ("attacks", "swings", "shots", "blows", "strikes", "weapons")
"""Nouns for several blows."""


class Group(Struct):
    """Blows that went alike: how many, whether they hit, with which weapon, and what they cost."""

    count: int
    hit: bool
    name: str = ""
    amounts: list[tuple[int, str]] = []
    each: bool = False

    def results(self) -> list[Result]:
        """Return the results; none where the points are not as many as the hits."""
        costs = self.amounts * self.count if self.each else self.amounts
        count = (
            len(costs) if self.count == 1 and self.name.endswith("s") and costs else self.count
        )  # claws hit for 4 and 5
        if not count or (costs and (len(costs) != count or not self.hit)):
            return []
        if self.count == 1 < count and len({sort for _, sort in costs}) > 1:
            return []  # claws hit for 4 slashing and 5 fire, which may be one blow
        left = [*costs, *([None] * count)]
        return [Result(hit=self.hit, name=self.name, damage=[each] if each else []) for each in left[:count]]


class Volley:
    """What is told of several blows, read part by part: how many there are, and how they went."""

    def __init__(self) -> None:
        self.announced, self.waiting, self.weapon, self.sure = 0, 0, "", False
        self.groups: list[Group] = []
        self.rolls: list[Number] = []
        self.ordinals: list[int] = []

    def results(self) -> list[Result]:
        """Return the results of all blows; none where they do not agree with the counts."""
        told = [each.results() for each in self.groups]
        found = [each for results in told for each in results]
        total = self.announced or len(found)
        hits = [each for each in found if each.hit]
        if self.ordinals and (self.ordinals != [*range(1, len(found) + 1)] or len(found) != total):
            return []  # the second hits, of which the first and the third are not told
        if not all(told) or not 1 < total <= MOST or len(found) > total or (len(found) < total and hits != found):
            return []
        counted = self.announced or self.sure or (len(told) > 1 and all(each.name for each in found))
        if not counted and not (len(hits) > 1 and all(each.damage for each in hits)):
            return []  # eight misses, which is what was rolled
        if self.rolls and (len(self.rolls) != total or len(told) > 1 or len(found) != total):
            return []
        for each, roll in zip(found, self.rolls, strict=False):
            each.roll = roll  # 8 and 11, both miss
        return found + [Result(hit=False) for _ in range(total - len(found))]


def counted(slots: Slots, actors: Sequence[str]) -> list[Result] | None:
    """Take the outcomes of several blows of one attacker that are counted; an empty list where they are not, None where the counts disagree."""
    if len(actors) != 1 or not slots.has("hit", "miss") or slots.has("not", "to_hit", "critical"):
        return []
    volley, taken = Volley(), set[int]()
    for at, part in enumerate(slots.parts):
        if part.role in ("mark", "who", "pronoun") or part.text in ("and", "the", "a", "an"):
            continue
        if not _reads(slots.parts, volley, at, taken):
            return []
    if not volley.groups or volley.waiting:
        return []
    results = volley.results()
    if results:
        slots.used |= taken
    return results or (None if volley.announced or volley.sure else [])


def _reads(parts: Sequence[Part], volley: Volley, at: int, taken: set[int]) -> bool:
    """Read one part, and say whether it can be about several blows."""
    part, before = parts[at], parts[at - 1] if at else parts[at]
    behind = parts[at + 1] if at + 1 < len(parts) else part
    last = volley.groups[-1] if volley.groups else None
    often = _times(part)
    if at in taken:
        return True
    if part.text == "both" and _are_blows(behind):
        armed = behind.text if behind.is_("weapon") and behind.text not in _BLOWS else ""
        after = parts[at + 2] if at + 2 < len(parts) else part
        volley.sure = True
        taken |= {at, at + 1}
        if last and last.count == 0:
            last.count, last.name = 2, armed  # hits with both attacks
        elif _is_outcome(after):
            volley.waiting, volley.weapon = 2, armed  # both claws hit
        elif volley.announced or last:
            return False
        else:
            volley.announced = 2
            taken -= {at + 1} if armed else set()  # attacks with both swords
        return True
    if part.text in ("both", "all") and volley.rolls and (_is_outcome(behind) or (last and _is_outcome(before))):
        count, volley.sure = 2 if part.text == "both" else len(volley.rolls), True
        if last and _is_outcome(before):
            last.count = count  # misses both
        else:
            volley.waiting = count
        taken.add(at)
        return not volley.waiting or last is None
    if often and last and _is_outcome(before) and volley.announced >= often:
        last.count += often - 1  # hits once
    elif part.role == "count" and last and last.count == 0:
        last.count, volley.sure = part.value, True  # hits with two darts
    elif often or (part.role == "count" and not _is_outcome(behind)):
        if volley.announced or last:
            return False
        volley.announced = often or part.value
    elif part.role == "word" and part.is_("weapon") and _is_outcome(behind):
        volley.weapon, volley.waiting = part.text, volley.waiting or 1
    elif _is_outcome(part) and not part.is_("weapon"):
        several = (each.text == "both" or each.role == "count" for each in parts[at + 1 :])
        with_both = last is None and any(several)
        if not (volley.waiting or with_both or _is_counted(behind)):
            return False
        count = volley.waiting or (0 if with_both else 1)
        volley.groups.append(Group(count, not part.is_("miss"), volley.weapon, []))
        volley.waiting, volley.weapon = 0, ""
    elif count := _count(part, behind, before):
        if before.text == "of" and volley.waiting and last is None:
            if volley.announced not in (0, count):
                return False
            volley.announced = count  # two of three hit
        elif volley.waiting or (last and last.amounts and not any(map(_is_outcome, parts[at + 1 : at + 3]))):
            return False
        else:
            volley.waiting = count
            volley.ordinals += [*part.item.values] if part.item.kind == "ordinal" else []  # the first hits
    elif part.role in ("bare", "roll") and not last and not volley.waiting and part.number is not None:
        volley.rolls.append(part.number)
    elif part.role in ("amount", "damage", "bare", "points") and last and part.number is not None:
        hit = next((each for each in reversed(volley.groups) if each.hit), last)
        hit.amounts.append((abs(part.value), ""))
    elif part.role == "word" and part.is_("type") and last and last.amounts and not part.item.is_verb("shoot"):
        last.amounts[-1] = (last.amounts[-1][0], part.says("type"))
    elif part.text in ("each", "apiece") and last and len(last.amounts) == 1:
        last.each = True
    elif part.role == "word" and not last and not volley.waiting:
        return True  # the blow itself, and its weapon
    elif part.text not in _BESIDE and not part.is_("damage", "points", "filler"):
        return False
    else:
        return part.role == "word"
    taken.add(at)
    return True


def _is_outcome(part: Part) -> bool:
    return part.role == "word" and part.is_("hit", "miss")


def _are_blows(part: Part) -> bool:
    """Say whether a word is a noun for several blows, or for what they are struck with: with both attacks, both arrows, both swords."""
    armed = part.role == "word" and part.is_("ammunition", "weapon") and part.text.endswith("s")
    return armed or part.text in _BLOWS


def _times(part: Part) -> int:
    """Return how often something is done by a word, also once; 0 for other words."""
    return 1 if part.text == "once" else times(part)


def _count(part: Part, behind: Part, before: Part) -> int:
    """Return how many blows a word or a number before their outcome counts: two hit, both miss, the first hits, one of them; 0 for others."""
    if part.role == "ordinal" or (part.role == "word" and part.item.kind == "ordinal"):
        return 1
    if part.text in _COUNTS and part.role != "who":
        return _COUNTS[part.text]
    spelled = part.number is not None and part.number.spelled
    if part.role not in ("bare", "count", "which") or not 0 < part.value <= MOST:
        return 0
    return part.value if (spelled and _is_outcome(behind)) or "of" in (behind.text, before.text) else 0


def _is_counted(behind: Part) -> bool:
    """Say whether how often is said right behind an outcome: hits once, misses both times."""
    return bool(_times(behind)) or behind.text in (*_COUNTS, "all")
