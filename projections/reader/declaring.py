"""What is announced for a round: its heading, who acts as those before, and spells that somebody begins in any words."""

from collections.abc import Sequence

from msgspec import structs

from projections.reader.dictionary import listed
from projections.reader.lexicon import ARTICLES, lexicon
from projections.reader.scene import Scene
from projections.reader.tags import Item

_HEADINGS = frozenset(
    listed(
        "declaration, declarations, declare, declares, declared, declaring, intent, intents, intention, intentions, action, actions,"
        "order, orders, plan, plans, everyone, everybody, all, players, the, for, round, this"
    )
)
_NAMES = frozenset(
    listed(
        "declaration, declarations, declare, declares, declared, declaring, intent, intents, intention, intentions, actions, orders, plan, plans"
    )
)
"""The words of a heading before what is announced; of these it has one."""
_AFTER, _BETWEEN = (":", "-", "–", "—", ",", "..."), (",", ";", "and", "&", ".")
_AIMS = ("on", "at", "for", "vs", "against", "->", "to", ":", "goes", "takes", "the")
_CHANTS = frozenset(
    listed(
        "muttering, mumbling, murmuring, chanting, intoning, incanting, reciting, whispering, weaving, praying, singing, speaking, invoking,"
        "preparing, readying, working, working on, conjuring, summoning, gesturing, hissing, humming, calling, channeling, channelling, the"
    )
)
"""What else the beginning of a casting is called, before the name of a spell: starts muttering sleep."""


def announced(scene: Scene, items: list[Item], *, declaring: bool) -> list[Item]:
    """Return the items of a line in which nothing of what is announced for a round is left out."""
    items = _with_castings(scene, items)
    if not declaring:
        return items
    heading = next((at for at, item in enumerate(items[:6]) if item.text in _AFTER), 0)
    said = items[:heading]
    headed = {item.text for item in said} <= _HEADINGS and any(item.text in _NAMES for item in said)
    return _with_verbs(
        scene, _without_to(items[heading + 1 :] if headed else items), headed=headed or _lists_aims(items)
    )


def _lists_aims(items: Sequence[Item]) -> bool:
    """Say whether a list without numbers begins with somebody on somebody else: Ulla on kobold 2, Fenn casts web."""
    first, *others = _pieces([item for item in items if item.text not in ARTICLES])
    whom = [item.who for item in first if item.who is not None]
    aims = (
        len(first) == 3
        and len(whom) == 2
        and first[1].text in ("on", "at", "vs", "against")
        and first[0].who is not None
    )
    return aims and bool(others) and all(item.number is None and item.kind != "dice" for item in items)


def _without_to(items: Sequence[Item]) -> list[Item]:
    """Return items in which what somebody is to do is said as what they do: Gord to attack gnoll 1, Hume to cast web."""
    return [item for at, item in enumerate(items) if not _is_to_do(items, at)]


def _is_to_do(items: Sequence[Item], at: int) -> bool:
    """Say whether a word stands between somebody at the beginning and what that one is to do: Gord to attack; and not: waits for gob to step out."""
    if items[at].text != "to" or not 0 < at < len(items) - 1 or items[at - 1].who is None:
        return False
    verb = items[at + 1]
    before = next((item for item in reversed(items[: at - 1]) if item.text not in ARTICLES), None)
    begins = before is None or before.kind == "mark" or before.is_("and") or before.who is not None
    plain = verb.text not in ("hit", "go") and not verb.text.endswith(("s", "ed", "ing"))
    return begins and plain and verb.is_verb(*_DEEDS)


_DEEDS = ("strike", "shoot", "cast", "leave", "move", "heal")


def _with_castings(scene: Scene, items: list[Item]) -> list[Item]:
    """Return items in which a spell that somebody begins to chant is one that somebody begins to cast."""
    made = list(items)
    for at in range(1, len(items) - 1):
        behind = next((item for item in items[at + 1 : at + 4] if item.text not in ARTICLES), None)
        spell = behind is not None and behind.is_("spell")
        if items[at - 1].is_verb("begin") and items[at].text in _CHANTS and spell:
            senses = lexicon(scene.state.rules.rules).senses("casting")
            made[at] = structs.replace(items[at], text="casting", kind="word", senses=senses)
    return made


def _with_verbs(scene: Scene, items: list[Item], *, headed: bool) -> list[Item]:
    """Return items in which those behind somebody who attacks do so, too, and a spell behind a name is cast: Gord to attack gnoll 1, Hume gnoll 2, Elspeth web."""
    made: list[Item] = []
    attacks = False
    for piece in _pieces(items):
        verbs = any(item.is_verb() and not item.is_("spell", "filler") for item in piece)
        told = [item for item in piece if item.text not in (*ARTICLES, *_BETWEEN)]
        named = [item for item in told if item.text not in _AIMS]
        pair = len(named) == 2 and named[0].who is not None and told[0] is named[0]
        attacks = (attacks or headed) if pair and not verbs else any(item.is_verb("strike", "shoot") for item in piece)
        if pair and attacks and named[1].who is not None and not verbs:
            made += [*piece[: piece.index(named[0]) + 1], _verb(scene, "attacks", named[0]), named[1]]
        elif pair and headed and named[1].is_("spell") and len(told) == 2:
            made += [*piece[: piece.index(named[0]) + 1], _verb(scene, "casts", named[0]), named[1]]
            attacks = False
        else:
            made += piece
    return made


def _pieces(items: Sequence[Item]) -> list[list[Item]]:
    """Return the pieces between commas and and, each with the mark before it."""
    found: list[list[Item]] = [[]]
    for item in items:
        if item.text in _BETWEEN and found[-1]:
            found.append([])
        found[-1].append(item)
    return found


def _verb(scene: Scene, verb: str, behind: Item) -> Item:
    return Item(verb, verb, behind.end, behind.end, "word", senses=lexicon(scene.state.rules.rules).senses(verb))


def only_plans(items: Sequence[Item]) -> bool:
    """Say whether a line says only what somebody is to do: Elspeth to cast web."""
    return any(_is_to_do(items, at) for at in range(len(items)))
