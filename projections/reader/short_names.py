"""Short names that newcomers are given as they join: four hobgoblins (HG1-4), Grimtooth the ogre, aka GT, ghouls A and B."""

import re
from collections.abc import Sequence

from projections.grammar.names import folded
from projections.reader.scene import abbreviates, initials
from projections.reader.tags import Item

GIVES = frozenset(
    [
        "called",
        "named",
        "aka",
        "a.k.a",
        "a.k.a.",
        "alias",
        "dubbed",
        "labelled",
        "labeled",
        "marked",
        "tagged",
        "nicknamed",
    ]
)
"""Words before a name that somebody is given."""
MOST_NAMES = 100
"""The most names of a range."""
MOST_ITEMS = 60
"""The most items of a list of names."""
_RANGE = re.compile(
    r"(?P<before>.*?)#?(?P<first>\d+|\b[A-Za-z])\s*(?:-|–|to|thru|through|\.\.+)\s*(?P<again>.*?)(?P<last>\d+|\b[A-Za-z])"
)
_BETWEEN = re.compile(r"\s*(?:,\s*and\s|,|;|/|&|\+|\band\b)\s*")
_NAME = re.compile(r"#?\d+|[A-Z]|[A-Za-z]{1,4}[ -]?#?\d+|[A-Z][a-z'’]+(?: [A-Z][a-z'’]+)?|[A-Z]{2,5}")
_ALONE = re.compile(r"[a-z]{2,3}")


def text_of(items: Sequence[Item]) -> str:
    """Return items as they were typed, with a blank wherever there was one."""
    made = ""
    for before, item in zip([None, *items], items, strict=False):
        made += (" " if before is not None and item.start > before.end else "") + item.typed
    return made


def names_in(text: str, kind: str, count: int) -> list[str]:
    """Return the names of so many of a kind, or of several where `count` is zero, that a range or a list gives them; none if it gives fewer, or more."""
    text = text.strip(",:;-– ")
    found = [*_of_a_range(text)] or [part for part in _BETWEEN.split(text) if part]
    own, _, first = found[0].rpartition(" ") if found else ("", "", "")
    if own and folded(own) == folded(kind):
        found = [first, *(each.removeprefix(f"{own} ") for each in found[1:])]
    count = count or max(2, len(found))
    if len(found) != count or len({*map(folded, found)}) < count or not all(_NAME.fullmatch(each) for each in found):
        return found if count == len(found) == 1 and _ALONE.fullmatch(found[0]) else []
    numbers = [each.strip("#") for each in found]
    if any(map(str.isdigit, numbers)):
        counted = numbers[0] == "1" or found != numbers or "," not in text  # and not: orcs (7, 8)
        return [f"{kind} {number}" for number in numbers] if counted and all(map(str.isdigit, numbers)) else []
    return [f"{kind} {each}" if len(each) == 1 else re.sub(r"(?<=\D)[ #-]+(?=\d)", "", each) for each in found]


def _of_a_range(text: str) -> list[str]:
    """Return the names from the first to the last of a range: HG1-4, G1 to G3, A-C; none if there is no range."""
    range_ = _RANGE.fullmatch(text)
    if range_ is None or range_["again"].strip() not in ("", "#", range_["before"].strip()):
        return []
    first, last = range_["first"], range_["last"]
    if first.isdigit() and last.isdigit() and int(last) - int(first) < MOST_NAMES:
        return [f"{range_['before']}{number}" for number in range(int(first), int(last) + 1)]
    if first.isalpha() and last.isalpha():
        return [f"{range_['before']}{chr(code)}" for code in range(ord(first), ord(last) + 1)]
    return []


def is_short_for(word: str, name: str) -> bool:
    """Say whether a word can only be a name for somebody because its letters are those of the whole name: GT of Grimtooth the ogre."""
    short, whole = folded(word), folded(name)
    plain = re.sub(r"\d+$", "", short)
    numbered = plain != short and whole.startswith(plain) and len(plain) < len(whole)
    return numbered or abbreviates(plain, whole) or (len(plain) > 1 and plain == initials(whole))
