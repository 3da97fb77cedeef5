"""What people reckon beside the numbers of a line, which adds nothing to it: margins, sums, halves, totals so far."""

from collections.abc import Sequence

from projections.reader.parts import IN_ALL, is_damage
from projections.reader.tags import NOTHING, Item


def without_reckoning(items: Sequence[Item]) -> list[Item]:
    """Return items without what is only reckoned beside their numbers."""
    return without_totals_so_far(without_wholes(without_sums(without_margins(items))))


def _at(items: Sequence[Item], place: int) -> Item:
    return items[place] if 0 <= place < len(items) else NOTHING


def _is_number(item: Item) -> bool:
    return item.kind == "number" and item.number is not None and item.who is None


def _value(item: Item) -> int:
    return item.number.value if item.number else 0


def without_margins(items: Sequence[Item]) -> list[Item]:
    """Return items without by how much a save succeeds or fails, which is no roll: gob fails by one, orc 13 saves (meets)."""
    made: list[Item] = []
    place = 0
    while place < len(items):
        before, ahead = _at(made, len(made) - 1), items[place : place + 3]
        went = before.is_verb("fail", "succeed", "save") or before.is_("save", "success", "failure")
        said = [each.text for each in ahead]
        by = said[:1] == ["by"] and len(ahead) > 1 and ahead[1].kind == "number" and ahead[1].who is None
        ends = len(ahead) < 3 or ahead[2].kind == "mark" or ahead[2].text in ("and", "but", "so")
        meets = said in (["(", each, ")"] for each in ("meets", "meets it", "exactly", "just", "barely"))
        if went and ((by and ends) or meets):
            place += 3 if meets else 2
            continue
        made.append(items[place])
        place += 1
    return made


def without_sums(items: Sequence[Item]) -> list[Item]:
    """Return items without a total that is told behind the numbers of which it is the sum: 9 plus 8 from the smite, so 17; 3 and 4, that's 7 in all."""
    made: list[Item] = []
    for place, item in enumerate(items):
        numbers = [_value(each) for each in made if _is_number(each)]
        if item.kind == "number" and item.number and item.number.value in map(sum, (numbers[-2:], numbers[-3:])):
            first = len(made)
            while first and (made[first - 1].text in _TOTALLING or made[first - 1].kind == "mark"):
                first -= 1
            cue = {each.text for each in made[first:]} - {"a", "for", "and"}
            told = _at(items, place + 1).text in IN_ALL or any(
                each.isalpha() or each in ("=", "that's") for each in cue
            )
            start = _with_parts(made[:first]) if told else -1
            named = start >= 0 and any(each.is_("feature") for each in made[start:])
            plain = _are_damage(made[:first]) and not (named and made[first - 2].is_("feature"))
            if told and len(numbers) > 1 and plain:
                made[first:] = []
                continue
            if start >= 0 and (named or _at(items, place + 1).is_("type", "damage")):
                made[start:] = []  # 7 + sneak attack 10 = 17 piercing
        if made and item.text in IN_ALL and items[place - 1] is not made[-1]:
            continue  # of a sum that was left out
        made.append(item)
    return made


def _are_damage(items: Sequence[Item]) -> bool:
    """Say whether one of the last two numbers is called damage."""
    last = [place for place, item in enumerate(items) if item.number and not item.who][-2:]
    return any(is_damage(items, place + _at(items, place + 1).is_("type", "damage")) for place in last)


_TOTALLING = (
    "so",
    "that",
    "that's",
    "thats",
    "is",
    "=",
    "for",
    "a",
    "total",
    "of",
    "makes",
    "making",
    "and",
    "it",
    "'s",
)
"""Words between numbers and their sum."""


def _with_parts(items: Sequence[Item]) -> int:
    """Return the place of the first of two numbers that only a plus and names of what adds to them join, at the end of items: 7 + sneak attack 10; -1 without them."""
    places = [place for place, item in enumerate(items) if _is_number(item)][-2:]
    if len(places) < 2:
        return -1
    between = items[places[0] + 1 :]
    joined = any(item.text in _PLUS or (item.number is not None and item.number.sign == "+") for item in between)
    plain = all(_is_number(item) or item.text in _PLUS or item.is_("feature", "spell", "filler") for item in between)
    return places[0] if joined and plain else -1


_PLUS = ("+", "plus", "and")


def without_wholes(items: Sequence[Item]) -> list[Item]:
    """Return items without damage of which only the half is taken, as they say: 10 fire, halved to 5; half of 22, so 11; for 10 -> 5. Where somebody saves, or a spell is named, others may take the whole."""
    if any(
        item.is_("save", "spell") or item.is_verb("fail", "succeed", "save") for item in items if item.text not in _LESS
    ):
        return list(items)
    for place, item in enumerate(items):
        whole = next((at for at in range(place - 1, -1, -1) if _is_number(items[at])), -1)
        if whole < 0 or not _is_number(item) or _value(item) not in halves_of(_value(items[whole])):
            continue
        cue = [each for each in items[whole + 1 : place] if not each.is_("type", "damage")]
        of_it = _at(items, whole - 1).text == "of" and _at(items, whole - 2).is_("half")
        if not all(each.text in _LEADS or each.is_("half") for each in cue):
            continue
        arrow = any(each.text in ARROWS for each in cue) and is_damage(items, place - len(cue) - 1)
        if not (of_it or arrow or any(each.is_("half") or each.text in _LESS for each in cue)):
            continue
        sort = [each for each in items[whole + 1 : place] if each.is_("type", "damage")]
        first, end = whole - of_it, place + 1
        if any(each.text == "(" for each in cue) and _at(items, end).text == ")":
            end += 1
        said = [each.text for each in items[end : end + 3]]
        end += 3 * (said[:1] == ["("] and said[1:2] != [] and said[1] in _LESS and said[2:] == [")"])
        return [*items[:first], *(cue if of_it else ()), item, *sort, *items[end:]]
    return list(items)


def halves_of(amount: int) -> tuple[int, int]:
    """Return half of an amount, rounded down and up."""
    return amount // 2, (amount + 1) // 2


ARROWS = ("->", "→", "=>", ">")
_LESS = ("halved", "half", "resisted", "resists", "resist", "resistance", "reduced")
_LEADS = (
    *_LESS,
    *ARROWS,
    "to",
    "so",
    "is",
    "=",
    "that's",
    "which",
    "only",
    "just",
    ",",
    "(",
    ":",
    "by",
    "for",
    "means",
)
"""Words between damage and the half of it that is taken."""


def without_totals_so_far(items: Sequence[Item]) -> list[Item]:
    """Return items without the sum of what somebody has taken by now, told behind the damage of a blow: for 9, 28 total on it now."""
    for place, item in enumerate(items):
        first = place
        while _at(items, first - 1).text in _BY_NOW or _at(items, first - 1).text in _TOTALLING:
            first -= 1
        before = [at for at in range(first) if _is_number(items[at])]
        if not _is_number(item) or not before or _at(items, first - 1).kind != "mark":
            continue
        end = next((at for at in range(place + 1, len(items)) if items[at].kind == "mark"), len(items))
        told = items[place + 1 : end]
        last = before[-1]
        typed = _at(items, last + 1).is_("type", "damage")
        if (
            _value(item) <= _value(items[last])
            or not is_damage(items, last + typed)
            or not _is_by_now(items[:first], told)
        ):
            continue
        closed = _at(items, first - 1).text == "(" and _at(items, end).text == ")"
        return [*items[: first - 1], *items[end + closed :]]
    return list(items)


def _is_by_now(before: Sequence[Item], told: Sequence[Item]) -> bool:
    """Say whether the words behind a number say that it is what somebody has taken by now: total on it now, so far; in a line without a blow also in total."""
    words = [item for item in told if not item.is_("damage", "points")]
    on = any(item.text in ("on", "to", "for") for item in words)
    plain = all(item.who or item.is_("pronoun_object", "filler") or item.text in (*_BY_NOW, *IN_ALL) for item in words)
    in_all = any(item.text in IN_ALL for item in words)
    now = any(item.text in _NOW for item in words)
    takes = any(item.is_verb("take") for item in before) and not any(item.is_verb("strike", "hit") for item in before)
    return plain and (now or (in_all and (on or takes)))


_NOW = ("so far", "far", "now", "by now", "already")
_BY_NOW = (*_NOW, "so", "on", "to", "taken", "done", "dealt", "it", "its", "the", "has", "up")
"""Words beside what somebody has taken by now."""
