"""Things: objects that hurt a combatant, as a clause reports it: falling bricks, the oil lamp, caltrops."""

from collections.abc import Sequence

from msgspec import Struct

from projections.reader.lexicon import ARTICLES
from projections.reader.parts import Part

AMOUNTS = ("loss", "damage", "amount", "points", "bare")
"""The roles of numbers that are points."""


class Thing(Struct, frozen=True):
    """An object that hurts a combatant: its name as typed, the places of its words, and whether it may be somebody who has not joined."""

    name: str
    span: tuple[int, int]
    doubtful: bool = False


def thing_behind(parts: Sequence[Part]) -> Thing | None:
    """Return the object that hurts the combatant after it: falling bricks hit Wren for 6; rubble on Bo, 2 damage; None if a clause is about none.

    It is doubtful where it may be a combatant's name, or where it may help.
    """
    first = next((at for at, part in enumerate(parts) if part.role == "who"), 0)
    lead, amounts = parts[:first], [part.role for part in parts if part.role in AMOUNTS]
    if not lead or len(amounts) != 1 or parts[first].owner or not all(part.role == "word" for part in lead):
        return None
    named = next((at for at, part in enumerate(lead) if not part.item.senses or part.is_("item")), -1)
    behind = range(named + 1, first)
    ends = next((at for at in behind if lead[at].item.is_verb() or lead[at].text in ("on", "onto", "upon")), -1)
    if named < 0 or ends < 0 or not (lead[ends].item.is_verb("strike", "hit", "fall", "burns") or ends == first - 1):
        return None
    if any(part.is_("miss", "heal", "regain") or part.item.is_verb("miss", "shoot", "heal") for part in parts):
        return None
    article = any(part.text in _DETERMINERS for part in lead[:named])
    plain = all(
        part.text in _DETERMINERS or part.is_(*_OF_THINGS) or part.text.endswith("ing") for part in lead[:named]
    )
    if not plain or (named > 0 and not article and lead[named].item.typed[:1].isupper()):
        return None
    words = [part for part in lead[:ends] if part.text not in _DETERMINERS]
    hurts = amounts[0] in ("damage", "loss")
    hits = lead[ends].item.is_verb("hit", "burns") and amounts[0] != "bare"
    sure = hurts if not hits else any(part.is_("item", "type") or part.text.endswith("ing") for part in words)
    strikes = lead[ends].item.is_verb("strike") and not lead[ends].item.is_verb("hit", "burns")
    return Thing(" ".join(part.item.typed for part in words), (0, first), doubtful=strikes or not sure)


_DETERMINERS = (*ARTICLES, "some")
_OF_THINGS = ("type", "item", "ammunition", "size", "weapon", "adverb", "role", "class", "calling")
"""The kinds of words that may stand before the name of a thing: the oil lamp."""


def mishap(parts: Sequence[Part]) -> Thing | None:
    """Return the object that hurts the combatant before it, without an attacker: steps on the caltrops, 1 damage."""
    first = next((at for at, part in enumerate(parts) if part.role == "who"), len(parts))
    ends = next((at for at in range(first + 1, len(parts)) if parts[at].role != "word"), len(parts))
    said = parts[first + 1 : ends]
    on = next((at for at, part in enumerate(said) if part.is_("to", "towards", "from")), -1)
    words = [part for part in said[on + 1 :] if part.text not in _DETERMINERS]
    goes = any(part.item.is_verb("move", "fall", "place") for part in said[: on + 1])
    if on < 1 or not goes or not words or not all(not part.item.senses or part.is_(*_OF_THINGS) for part in words):
        return None
    return Thing(" ".join(part.item.typed for part in words), (first + 1, ends))


def subject(parts: Sequence[Part]) -> list[Part]:
    """Return the words that name an object at the beginning of a clause, with their article: a wave, of a wave crashes
    over the deck; none without an article.
    """
    if not parts or parts[0].text not in _DETERMINERS:
        return []
    ends = next((at for at, part in enumerate(parts) if part.role != "word" or part.is_("to", "towards")), len(parts))
    words = list(parts[:ends])
    if ends < len(parts) and len(words) > 2:
        words = words[:-1]  # its verb
    return words if all(not part.item.senses or part.is_(*_OF_THINGS) for part in words[1:]) else []


def lists_below_a_spell(parts: Sequence[Part]) -> bool:
    """Say whether several with a number each stand behind a spell and a colon, which may be the damage of each: fireball: gob 7, orc 14."""
    told = [part for part in parts if part.text != ","]
    if len(told) < 6 or told[0].role != "word" or not told[0].is_("spell", "effect") or told[1].text != ":":
        return False
    return [part.role for part in told[2:]] == ["who", "bare"] * (len(told) // 2 - 1)
