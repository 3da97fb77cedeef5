"""Several blows of one attacker whose outcomes are counted: looses three arrows, two hit for 5 and 7; attacks twice, one hit, one miss."""

from collections.abc import Sequence

from projections.reader.frames.results import Result
from projections.reader.parts import Part
from projections.reader.slots import Slots

MOST = 8
"""The most blows that are counted."""
_COUNTS = {"both": 2, "one": 1, "once": 1, "twice": 2, "thrice": 3}
_BESIDE = ("only", "just", "of", "them", "those", "these", "for", "but", "other", "with", "from", "time", "times")
"""Words between counts, outcomes and points."""


class Volley:
    """What is told of several blows, read part by part: how many there are, and of how many it is told that they hit or miss."""

    def __init__(self) -> None:
        self.announced, self.waiting = 0, 0
        self.groups: list[tuple[int, bool]] = []
        self.amounts: list[tuple[int, str]] = []
        self.each = False

    def results(self) -> list[Result]:
        """Return the results of all blows; none where they do not agree with the counts."""
        told = sum(count for count, _ in self.groups)
        hits = sum(count for count, hit in self.groups if hit)
        total = self.announced or told
        amounts = self.amounts * hits if self.each and len(self.amounts) == 1 else self.amounts
        if not self.announced and not 1 < hits == len(amounts):
            return []  # eight misses, which is what was rolled
        if (
            not (1 < total <= MOST)
            or any(not count for count, _ in self.groups)
            or told > total
            or (told < total and hits < told)
            or len(amounts) not in (0, hits)
        ):
            return []
        went = [hit for count, hit in self.groups for _ in range(count)] + [False] * (total - told)
        left = iter(amounts)
        return [Result(hit=hit, damage=[each] if hit and (each := next(left, None)) else []) for hit in went]


def counted(slots: Slots, actors: Sequence[str]) -> list[Result] | None:
    """Take the outcomes of several blows of one attacker that are counted; an empty list where they are not, None where the counts disagree."""
    if len(actors) != 1 or not slots.has("hit", "miss") or slots.has("not", "to_hit", "critical"):
        return []
    volley, taken = Volley(), set[int]()
    for at, part in enumerate(slots.parts):
        if part.role in ("mark", "who", "pronoun") or part.text in ("and", "the", "a", "an"):
            continue
        if not _reads(slots, volley, at, part, taken):
            return []
    if not volley.groups or volley.waiting:
        return []
    results = volley.results()
    if results:
        slots.used |= taken
    return results or (None if volley.announced else [])


def _reads(slots: Slots, volley: Volley, at: int, part: Part, taken: set[int]) -> bool:
    """Read one part, and say whether it can be about several blows."""
    behind = slots.parts[at + 1] if at + 1 < len(slots.parts) else part
    outcome = part.role == "word" and part.is_("hit", "miss") and not part.is_("weapon")
    times = _times(part)
    if part.text == "both" and behind.role == "word" and (behind.is_("strike", "ammunition") or _is_blow(behind)):
        if volley.groups and volley.groups[-1][0] == 0:
            volley.groups[-1] = (2, volley.groups[-1][1])  # hits with both attacks
        elif volley.announced or volley.groups:
            return False
        volley.announced = 2
        taken |= {at} if behind.is_("weapon") else {at, at + 1}
        return True
    if at in taken:
        return True
    if times and volley.groups and _is_outcome(slots.parts[at - 1]) and not volley.announced < times:
        count, hit = volley.groups[-1]
        volley.groups[-1] = (count - 1 + times, hit)  # hits once
    elif times or (part.role == "count" and not _is_outcome(behind)):
        if volley.announced or volley.groups:
            return False
        volley.announced = times or part.value
    elif outcome:
        with_both = any(each.text == "both" for each in slots.parts[at + 1 :]) and not volley.groups
        if not volley.waiting and not _is_counted(slots.parts, at) and not with_both:
            return False
        volley.groups.append((volley.waiting or (0 if with_both else 1), not part.is_("miss")))
        volley.waiting = 0
    elif count := _count(part, behind, slots.parts[at - 1] if at else part):
        if at and slots.parts[at - 1].text == "of" and volley.waiting and not volley.groups:
            if volley.announced not in (0, count):
                return False
            volley.announced = count  # two of three hit
        elif volley.waiting or (volley.amounts and not any(map(_is_outcome, slots.parts[at + 1 : at + 3]))):
            return False
        else:
            volley.waiting = count
    elif part.role in ("amount", "damage", "bare", "points") and volley.groups and part.number is not None:
        volley.amounts.append((abs(part.value), ""))
    elif part.role == "word" and part.is_("type") and volley.amounts and not part.item.is_verb("shoot"):
        volley.amounts[-1] = (volley.amounts[-1][0], part.says("type"))
    elif part.text in ("each", "apiece") and volley.amounts:
        volley.each = True
    elif part.role == "word" and not volley.groups and not volley.waiting:
        return True  # the blow itself, and its weapon
    elif part.text not in _BESIDE and not part.is_("damage", "points", "filler"):
        return False
    else:
        return part.role == "word"
    taken.add(at)
    return True


def _is_outcome(part: Part) -> bool:
    return part.role == "word" and part.is_("hit", "miss")


def _is_blow(part: Part) -> bool:
    plural = part.text.endswith("s") and part.is_("weapon")
    return plural or part.text in ("attacks", "swings", "shots", "blows", "strikes", "weapons")


def _times(part: Part) -> int:
    """Return how often something is done by a word: twice, once, both times; 0 for other words."""
    if part.role == "word" and part.is_("times"):
        return {"two": 2, "three": 3}.get(part.says("times"), 0)
    return 1 if part.text == "once" else 0


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


def _is_counted(parts: Sequence[Part], at: int) -> bool:
    """Say whether how often is said right behind an outcome: hits once, misses both times."""
    return any(_times(part) or part.text in _COUNTS for part in parts[at + 1 : at + 2])
