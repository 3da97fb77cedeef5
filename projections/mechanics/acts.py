"""Acts as they were recorded; a game adds the values that its rules need."""

from msgspec import Struct

from eventstore.shapes import Action
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


def action_word(action: Action) -> str:
    """Return the name of an action, or else its kind."""
    return action.name or action.kind


def kind_and_name(kind: str | None, name: str | None) -> str:
    """Return the kind and the name of an act in words; one of them where both are the same, case folded."""
    same = kind and name and kind.casefold() == name.casefold()
    return " ".join(word for word in (None if same else kind, name) if word)
