"""Arrivals: what people write of those who join, in the order in which a roll call is read: sides by name, numbers behind names, and whom the writer plays."""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import structs

from projections.reader.dictionary import Sense, listed
from projections.reader.lexicon import ARTICLES
from projections.reader.pronouns import PLAYS
from projections.reader.scene import Scene, singular
from projections.reader.tags import NOTHING, Item, side_in_words

_OF_US = {
    "party": listed(
        "good guy, with us, with me, us, our side, our team, my side, my team, one of us, one of ours, on ours"
    ),
    "foes": listed(
        "against us, against me, them, their side, their team, one of them, one of theirs, the other side, the enemy side, enemy side"
    ),
}
"""Words for the two sides, as one of the party says them."""
_LABELS = ("us", "them")
"""Of these, the words that name a side only before a colon, or beside team."""
_SIDES = {tuple(words.split()): side for side, said in _OF_US.items() for words in said}
_LONGEST = 3


def prepared(scene: Scene, items: Sequence[Item]) -> list[Item]:
    """Return the items of a line about newcomers in the order in which a roll call is read."""
    return _with_names_first(_with_numbered_names(_with_sides(scene, _introduced(items))))


def _introduced(items: Sequence[Item]) -> list[Item]:
    """Return items in which a verb of playing leads to a name: I play Bo, I'm running Bo."""
    first = items[0].text.casefold() if items else ""
    return [
        structs.replace(item, senses=(Sense("introduces", item.text), Sense("at_the_table", item.text)))
        if first == "i" and at < 3 and item.kind == "word" and item.text.split()[-1] in PLAYS
        else item
        for at, item in enumerate(items)
    ]


def whom_it_plays(items: Sequence[Item]) -> str:
    """Return the words, as typed, by which a line says that its writer plays whoever joins: I'm playing Sable; "" if it does not."""
    texts = [item.text.casefold() for item in items]
    for start, text in enumerate(texts):
        behind = texts[start + 1 : start + 4]
        rest = items[start + 1 :]
        if text == "i" and not start and behind:
            skip = int(behind[0] in ("'m", "am", "is"))
            plays = len(behind) > skip and behind[skip].split()[-1] in PLAYS
            named = rest[skip : skip + 1]
            if plays or (skip and named and named[0].typed[:1].isupper() and not named[0].senses):
                return _typed(items, start, start + 2 + skip + plays)
        if text != "my" or (start and items[start - 1].kind != "mark" and texts[start - 1] not in _IS):
            continue
        is_named = len(behind) > 1 and behind[0] in _CHARACTERS and behind[1] in (*_IS, ":")
        if is_named or (rest and rest[0].is_("class") and rest[0].kind == "word"):
            return _typed(items, start, start + 2)
    return ""


def _typed(items: Sequence[Item], start: int, end: int) -> str:
    return "".join(
        item.typed if not at or item.start == items[start + at - 1].end else f" {item.typed}"
        for at, item in enumerate(items[start:end])
    )


_IS = ("is", "'s", "am", "'m")
_CHARACTERS = ("character", "char", "pc", "guy", "hero", "toon", "name")


def _with_sides(scene: Scene, items: Sequence[Item]) -> list[Item]:
    """Return items in which words for us and them, as the place of those who join, are the two sides."""
    made: list[Item] = []
    at = 0
    items = _with_ours(items)
    while at < len(items):
        for length in range(_LONGEST, 0, -1):
            words = tuple("with" if item.text in ("w", "w/") else item.text for item in items[at : at + length])
            side = _SIDES.get(words, "")
            if side and len(words) == length and (words[0] not in _LABELS or _is_a_label(items, at, length)):
                named = side_in_words(scene, side).side or side
                first, last = items[at], items[at + length - 1]
                made.append(
                    Item(named, named, first.start, last.end, "word", (Sense(side, named), Sense("of_us", named)))
                )
                at += length
                break
        else:
            made.append(items[at])
            at += 1
    return made


def _with_ours(items: Sequence[Item]) -> Sequence[Item]:
    """Return the items of a line about one newcomer, who is on our side if it is our class: Elara, our druid, has 28 hp."""
    ours = any(one.text == "our" and other.is_("class") for one, other in pairwise(items))
    texts = {item.text for item in items}
    several = sum(item.is_("points") for item in items) > 1 or texts & {"and", "&", ";", "vs", "versus", "against"}
    if not ours or several or any(item.is_("party", "foes") for item in items):
        return items
    end = next((at for at in range(len(items), 0, -1) if items[at - 1].kind != "mark"), 0)
    place = items[end - 1].end
    side = [Item(word, word, place, place, "word") for word in ("our", "side")]
    return [*items[:end], *side, *items[end:]]


def _is_a_label(items: Sequence[Item], at: int, length: int) -> bool:
    """Say whether us or them is the name of a side before a list: us: Ana 20; team them: 3 orcs."""
    behind = items[at + length].text if at + length < len(items) else ""
    begins = not at or items[at - 1].kind == "mark" or items[at - 1].text in ("team", "side", "the", "our")
    return begins and behind in (":", "=", "-", "is", "'s")


def _with_numbered_names(items: Sequence[Item]) -> list[Item]:
    """Return items in which letters with a number, where a name is expected, are one: GO1 7 hp; not F4 behind a name."""
    made: list[Item] = []
    items = [item for item in items if item.text != "#"]  # goblin #1
    for place, (item, behind) in enumerate(pairwise((*items, NOTHING))):
        after = items[place + 2] if place + 2 < len(items) else NOTHING
        before = made[-1] if made else None
        begins = before is None or before.text in (",", ";", ":", "/", "and", "&", ".")
        glued = item.kind == "word" and item.typed.isalpha() and behind.number is not None and behind.start == item.end
        told = after.number is not None or after.text in ("(", ":", "with", "has", "-", "@", "at")
        if begins and glued and told and behind.text.isdigit() and item.typed[0].isupper() and not item.is_("points"):
            typed = item.typed + behind.typed
            made.append(Item(typed, typed.casefold(), item.start, behind.end, "word"))
        elif not (made and made[-1].end >= item.end and item.end > item.start):
            made.append(item)
    return made


_CUTS = (",", ";", "/", "and", "&", ".")
_LEADING = ("for", "on", "to", "at", "with", "of")


def _with_names_first(items: Sequence[Item]) -> list[Item]:
    """Return items in which points stand behind the name that they were typed before: 25 hp Kit, 18 Moss; hp 20 Bo; 30 hp on the ogre, 12 each for two wolves."""
    if not items or not _leads_with_points(items) or any(item.who and not item.who.side for item in items):
        return list(items)
    made: list[Item] = []
    clause: list[Item] = []
    turned = 0
    if len(items) > 1 and items[1].text == ":":
        items = [items[0], *items[2:]]
    for item in (*items, NOTHING):
        if item.text in _CUTS or item.kind == "none":
            turns = _turned(clause)
            turned += turns is not None
            if not made and turns and len(clause) == len(items) and any(each.text in _LEADING for each in clause):
                return list(items)  # 5 hp to Bo
            made += [*(turns or clause), *([item] if item.kind != "none" else [])]
            clause = []
        else:
            clause.append(item)
    return made if turned else list(items)


def _leads_with_points(items: Sequence[Item]) -> bool:
    """Say whether a line begins with a number of hit points, or with their word and a number, and no name before."""
    one, other, *rest = (*(item for at, item in enumerate(items) if at != 1 or item.text != ":"), NOTHING, NOTHING)[:3]
    first = (one, other) if one.number else (other, one)
    return _is_plain(first[0]) and first[1].is_("points") and first[1].kind == "word" and rest[0].kind != "mark"


def _is_plain(item: Item) -> bool:
    number = item.number
    return number is not None and not (number.sign or number.notation or number.pair or number.summed or item.values)


def _turned(clause: Sequence[Item]) -> list[Item] | None:
    """Return a clause that begins with points, with the name before them; None for any other."""
    at = 0
    given: list[Item] = []
    while at < len(clause) and (
        (_is_plain(clause[at]) and not any(item.number for item in given))
        or clause[at].is_("points", "for_each")
        or (given and clause[at].text in _LEADING)
    ):
        given += [clause[at]] if clause[at].text not in _LEADING else []
        at += 1
    stats = (each for each in range(at + 1, len(clause)) if clause[each].number or clause[each].is_("points", "armor"))
    cut = next(stats, len(clause))
    name, behind = [*clause[at:cut]], clause[cut:]
    if not any(item.number for item in given) or not name or any(item.is_("points") for item in behind):
        return None
    words = [item for item in name if item.kind == "word" and item.text not in ARTICLES]
    leads = at and (clause[at - 1].text in _LEADING or any(item.is_("points") for item in given))
    if not words or not (leads or words[0].typed[:1].isupper() or singular(words[-1].text) == words[-1].text):
        return None
    start = name[-1].end
    points = [item for item in given if item.is_("points")] or [Item("hp", "hp", start, start, "word", _POINTS)]
    number = next(item for item in given if item.number)
    each = [item for item in given if item.is_("for_each")]
    told = (structs.replace(item, start=start + 1, end=start + 1) for item in (number, points[0], *each))
    return [*name, *told, *behind]


_POINTS = (Sense("points", "hp"),)
