"""What combatants are called on pages for people: short, and no two of them alike."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from encounterlog.wording.layout import NAME, name, width


def labels(names: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the label of each id with its display name: the name, clipped, and the id where that would be ambiguous."""
    return _labels(tuple(names))


@lru_cache(maxsize=4)
def _labels(names: tuple[tuple[str, str], ...]) -> dict[str, str]:
    ids = {who for who, _ in names}
    found = {who: name(called) for who, called in names}
    for distinct in (_with_id, lambda who, _: who):
        often = Counter(found.values())
        for who, called in found.items():
            if often[called] > 1 or called in ids - {who}:
                found[who] = distinct(who, called)
    return found


def _with_id(who: str, called: str) -> str:
    both = f"{called} ({who})"
    return both if called != who and width(both) <= NAME + 12 else who
