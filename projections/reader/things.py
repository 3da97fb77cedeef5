"""Things: what is no combatant and hurts one, as a clause tells of it: falling bricks, the oil lamp, caltrops."""

from collections.abc import Sequence

from msgspec import Struct

from projections.reader.parts import Part

AMOUNTS = ("loss", "damage", "amount", "points", "bare")
"""The roles of numbers that are points."""


class Thing(Struct, frozen=True):
    """Something that is no combatant and hurts one: its name as typed, the places of the words that tell of it, and whether it may be somebody who has not joined."""

    name: str
    span: tuple[int, int]
    doubtful: bool = False


def thing_behind(parts: Sequence[Part]) -> Thing | None:
    """Return the thing of which a clause tells that it hurts whoever stands behind it: falling bricks hit Wren for 6; rubble on Bo, 2 pts; None if it tells of none."""
    first = next((at for at, part in enumerate(parts) if part.role == "who"), 0)
    lead = parts[:first]
    amounts = [part.role for part in parts if part.role in AMOUNTS]
    if not lead or len(amounts) != 1 or parts[first].owner or not all(part.role == "word" for part in lead):
        return None
    named = next((at for at, part in enumerate(lead) if not part.item.senses or part.is_("item")), -1)
    ends = next((at for at in range(named + 1, first) if lead[at].is_("to", "towards", "become")), first)
    verb = next((at for at in range(named + 1, first) if lead[at].item.is_verb("strike", "hit", "fall", "burns")), -1)
    verb = verb if verb >= 0 else next((at for at in range(named + 1, ends) if lead[at].item.is_verb()), -1)
    ends = verb if verb >= 0 else ends
    words = [part for part in lead[:ends] if part.text not in _ARTICLES and not part.is_("and")]
    article = any(part.text in _ARTICLES for part in lead[: max(named, 0)])
    capital = not article and lead[max(named, 0)].item.typed[:1].isupper() and named > 0
    before = lead[:named] if named >= 0 else []
    plain = all(part.text in _ARTICLES or part.is_(*_OF_THINGS) or part.text.endswith("ing") for part in before)
    if named < 0 or capital or not plain or not (verb >= 0 or ends < first):
        return None
    strikes = verb >= 0 and lead[verb].item.is_verb("strike", "hit") and not lead[verb].item.is_verb("burns")
    thing = any(part.is_("item", "type", "ammunition") or part.text.endswith("ing") for part in words)
    return Thing(" ".join(part.item.typed for part in words), (0, first), doubtful=strikes and not thing)


_ARTICLES = ("the", "a", "an", "some")
_OF_THINGS = ("type", "item", "ammunition", "size", "weapon", "adverb", "role", "class", "calling")
"""The kinds of words that may stand before the name of a thing: the oil lamp."""


def mishap(parts: Sequence[Part]) -> Thing | None:
    """Return the thing that somebody who is named before it is hurt by, and by nobody: steps on the caltrops, 1 damage."""
    first = next((at for at, part in enumerate(parts) if part.role == "who"), len(parts))
    ends = next((at for at in range(first + 1, len(parts)) if parts[at].role != "word"), len(parts))
    said = parts[first + 1 : ends]
    on = next((at for at, part in enumerate(said) if part.is_("to", "towards", "from")), -1)
    words = [part for part in said[on + 1 :] if part.text not in _ARTICLES]
    goes = any(part.item.is_verb("move", "fall", "place") for part in said[: on + 1])
    if on < 1 or not goes or not words or not all(not part.item.senses or part.is_(*_OF_THINGS) for part in words):
        return None
    return Thing(" ".join(part.item.typed for part in words), (first + 1, ends))


def subject(parts: Sequence[Part]) -> list[Part]:
    """Return the words that name a thing at the beginning of a clause, with their article: a wave, of a wave crashes over the deck; none without an article."""
    if not parts or parts[0].text not in _ARTICLES:
        return []
    ends = next((at for at, part in enumerate(parts) if part.role != "word" or part.is_("to", "towards")), len(parts))
    words = list(parts[:ends])
    if ends < len(parts) and len(words) > 2:
        words = words[:-1]  # its verb
    return words if all(not part.item.senses or part.is_(*_OF_THINGS) for part in words[1:]) else []
