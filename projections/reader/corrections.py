"""Corrections as people make them: the latest fact that fits is amended, or the last line is taken back."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct, to_builtins

from projections.grammar.last_line_corrections import FIELDS, Number, _aimed_at, _with
from projections.grammar.line_context import Gap
from projections.occurrence import Occurrence
from projections.open_types import Fields
from projections.reader.composition import Reading
from projections.reader.scene import Scene
from projections.reader.tags import Item

MOST_BACK = 40
"""How many deeds back a fact is looked for."""


class Match(Struct, frozen=True):
    """A fact that a correction can be about: its record, the fact, the field with the number."""

    seq: int
    fact: object
    field: str
    value: int


def correction(scene: Scene, items: Sequence[Item]) -> list[Reading] | None:
    """Return what a correction can mean, the latest fact first; None if the line is none."""
    cue = items[0].is_("correction") and items[0].kind == "word"
    numbers = [
        at
        for at, item in enumerate(items)
        if item.number is not None and not item.number.summed and not item.values and item.who is None
    ]
    against = next(
        (at for at, item in enumerate(items) if item.text in ("not", "instead", "rather") or item.text == "wasn't"), -1
    )
    whom = [at for at, item in enumerate(items) if item.who is not None]
    was = any(
        item.text
        in (
            "was",
            "were",
            "did",
            "took",
            "got",
            "should",
            "had",
            "only",
            "actually",
            "meant",
            "really",
            "hit",
            "rolled",
            "been",
            "that was",
            "it was",
            "was really",
            "make that",
            "should be",
            "should have been",
        )
        or item.is_verb("take", "deal")
        for item in items
    )
    if against >= 0 and len(numbers) == 2 and (was or cue) and (numbers[0] < against < numbers[1]):
        return _renumbered(scene, items, new=items[numbers[0]], old=items[numbers[1]])
    if (
        against >= 0
        and len(whom) > 1
        and len(numbers) == 0
        and (was or cue)
        and any(at < against for at in whom)
        and any(at > against for at in whom)
    ):
        return _retargeted(scene, items, new=whom[-2] if whom[-2] < against else whom[0], old=whom[-1])
    if cue and len(numbers) == 1 and was:
        return _renumbered(scene, items, new=items[numbers[0]], old=None)
    if against >= 0 and len(numbers) == 2 and cue:
        return []
    return None


def _facts(scene: Scene) -> Iterator[tuple[int, object]]:
    """Yield the latest deeds, the last first, each with its record."""
    moments = scene.state.moments
    for seq in reversed(scene.context.memory.deeds[-MOST_BACK:]):
        fact = moments.get(seq)
        if fact is not None and seq not in scene.state.struck_by:
            yield seq, fact.event


def _people(fact: object) -> set[str]:
    found = {getattr(fact, name, None) for name in ("combatant", "target", "source")}
    return {each for each in found if each} | {*getattr(fact, "targets", ())}


def _sorts(items: Sequence[Item]) -> tuple[str, ...]:
    """Return the types of facts that the words of a correction can be about."""
    if any(item.is_("damage", "type", "points") or item.is_verb("take", "deal") for item in items):
        return ("DamageDealt",) if not any(item.is_verb("heal") for item in items) else ("Healed", "DamageDealt")
    if any(item.is_("to_hit", "rolled") or item.is_verb("hit") for item in items):
        return ("AttackRolled", "SaveRolled", "DiceRolled", "DamageDealt")
    if any(item.is_("save") for item in items):
        return ("SaveRolled",)
    if any(item.is_verb("heal", "regain") for item in items):
        return ("Healed",)
    return ("DamageDealt", "Healed", "AttackRolled", "SaveRolled", "DiceRolled")


def _matches(scene: Scene, items: Sequence[Item], old: int | None) -> Iterator[Match]:
    sorts = _sorts(items)
    named = [set(item.who.ids or item.who.options) for item in items if item.who is not None]
    actors_of = _actors(scene)
    takes = any(item.is_verb("take", "regain") for item in items) and not any(
        item.is_verb("deal", "hit") for item in items
    )
    for seq, fact in _facts(scene):
        if type(fact).__name__ not in sorts:
            continue
        about = _people(fact) | actors_of(fact)
        if takes and getattr(fact, "target", None):
            about = {getattr(fact, "target", "")}
        if not all(about & each for each in named):
            continue
        for field in FIELDS:
            value = getattr(fact, field, None)
            if isinstance(value, int) and (old is None or value == old):
                yield Match(seq, fact, field, value)
                break


def _actors(scene: Scene) -> Callable[[object], set[str]]:
    moments = scene.state.moments

    def of(fact: object) -> set[str]:
        cause = getattr(fact, "cause", None)
        act = moments.get(cause) if isinstance(cause, int) else _blow_before(scene, fact)
        who = getattr(act.event, "combatant", None) if act is not None else None
        return {who} if who else set()

    return of


def _blow_before(scene: Scene, fact: object) -> Occurrence[Any] | None:
    """Return the last blow at the target of damage before it, where its cause is not recorded."""
    seqs = [seq for seq, each in _facts(scene) if each is fact]
    for seq, each in _facts(scene):
        if seqs and seq < seqs[0]:
            return (
                scene.state.moments.get(seq)
                if type(each).__name__ == "AttackRolled" and getattr(each, "target", 0) == getattr(fact, "target", 1)
                else None
            )
    return None


def _renumbered(scene: Scene, items: Sequence[Item], *, new: Item, old: Item | None) -> list[Reading] | None:
    value = abs(new.number.value) if new.number else 0
    before = abs(old.number.value) if old is not None and old.number is not None else None
    found = list(_matches(scene, items, before))
    if before is None:
        found = [
            each for each in found if each.value != value and type(each.fact).__name__ in ("DamageDealt", "Healed")
        ]
    made: list[Reading] = []
    for match in found[:3]:
        try:
            changed = _with(Number(match.seq, match.fact, match.field, match.value), value)
        except Gap:
            continue
        fact: Fields = {"type": "amended", "event": match.seq, "replacement": to_builtins(changed)}
        made.append(Reading([fact], ("correction",), unread=_unread(items), guesses=0 if before is not None else 1))
    if len(made) > 1 and not _same_line(scene, found[0].seq, found[1].seq):
        made[1:] = []
    if len(made) == 1 and before is None and items[0].is_("correction") and any(item.who for item in items):
        made[0].guesses = 0
    if len(made) > 1:
        made[0].ambiguous = True
    return made


def _same_line(scene: Scene, one: int, other: int) -> bool:
    return any(first <= min(one, other) and max(one, other) <= last for first, last in scene.context.memory.lines)


def _retargeted(scene: Scene, items: Sequence[Item], *, new: int, old: int) -> list[Reading] | None:
    """Return the amendments of the last line by which what befell one befell another."""
    one, other = items[new].who, items[old].who
    if one is None or other is None or len(one.ids) != 1 or len(other.ids) != 1 or not scene.context.memory.lines:
        return None
    first, last = scene.context.memory.lines[-1]
    moments = scene.state.moments
    facts: list[Fields] = []
    for seq in range(first, last + 1):
        fact = moments.get(seq)
        if fact is not None and (changed := _aimed_at(fact.event, one.ids[0], other.ids[0])) != fact.event:
            facts.append({"type": "amended", "event": seq, "replacement": to_builtins(changed)})
    return [Reading(facts, ("correction",), unread=_unread(items))] if facts else None


_PLAIN = frozenset(
    [
        "was",
        "were",
        "did",
        "took",
        "got",
        "should",
        "have",
        "been",
        "had",
        "only",
        "actually",
        "meant",
        "really",
        "it",
        "that",
        "this",
        "one",
        "the",
        "a",
        "not",
        "instead",
        "of",
        "rather",
        "than",
        "n't",
        "wasn't",
        "round",
        "in",
        "last",
        "earlier",
        "hit",
        "shot",
        "attack",
        "blow",
        "damage",
        "dmg",
        "points",
        "it's",
        "for",
        "on",
        "to",
        "from",
        "'s",
        "roll",
        "rolled",
        "save",
        "is",
        "by",
        "he",
        "she",
        "they",
        "them",
        "him",
        "her",
        "his",
        "its",
        "but",
        "be",
        "just",
        "i",
        "no",
        "wait",
        "oops",
        "correction",
        "sorry",
    ]
)


def _unread(items: Sequence[Item]) -> tuple[str, ...]:
    return tuple(
        item.typed
        for item in items
        if item.kind == "word"
        and item.text not in _PLAIN
        and not item.is_(
            "filler",
            "correction",
            "damage",
            "points",
            "type",
            "to",
            "from",
            "for",
            "weapon",
            "spell",
            "not",
            "round",
            "rolled",
            "adverb",
            "to_hit",
            "save",
            "save_kind",
            "hit",
            "ammunition",
            "become",
            "undo",
        )
        and not item.is_verb("take", "deal", "hit", "strike", "shoot", "heal")
    )
