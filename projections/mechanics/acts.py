"""Acts as they were recorded; a game adds the values that its rules need."""

from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from eventstore.shapes import Action
from eventstore.wording import list_in_words
from projections.mechanics.grants import words_of
from projections.time import Point


class Act(Struct, frozen=True, gc=False):
    """An act as it was recorded."""

    seq: int
    """The record of the act."""
    combatant: str
    action: Action
    point: Point
    """The point of game time of the act."""

    @property
    def kind(self) -> str:
        """The kind of the action, as it was recorded."""
        return self.action.kind


def name_or_kind(action: Action) -> str:
    """Return the name of an action, or else its kind."""
    return action.name or action.kind


def is_shot(action: Action) -> bool:
    """Return whether an attack is a missile attack: in that manner, thrown, or with a weapon that only shoots or is thrown."""
    if action.plain_kind != "attack" or "melee" in action.plain_manner:
        return False
    return not {*action.plain_manner}.isdisjoint(_FLYING) or _is_shooter(action.name or "")


_FLYING = ("missile", "thrown", "ranged")
_FLIES = ("sling", "dart", "javelin", "arrow", "quarrel", "blowgun", "missile", "shot", "thrown", "throwing")


@lru_cache(maxsize=1024)
def _is_shooter(weapon: str) -> bool:
    return any(word.removesuffix("s").endswith(("bow", *_FLIES)) for word in words_of(weapon))


def with_targets(words: str, names: Iterable[str]) -> str:
    """Return an act in words, with the names of its targets."""
    targets = list_in_words(names)
    return f"{words} on {targets}" if targets else words


def kind_and_name(kind: str | None, name: str | None) -> str:
    """Return the kind and the name of an act in words; one of them where both are the same, case folded, or the kind says nothing."""
    if kind and kind.casefold() == "other":
        return name or "act"
    same = kind and name and kind.casefold() == name.casefold()
    return " ".join(word for word in (None if same else kind, name) if word)
