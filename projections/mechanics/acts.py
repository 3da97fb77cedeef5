"""Acts as they were recorded; a game adds what its rules need to know of one."""

from msgspec import Struct

from eventstore.shapes import Action
from projections.time import Point


class Act(Struct, frozen=True, gc=False):
    """An act as it was recorded: by which fact, by whom, what, and at which point."""

    seq: int
    combatant: str
    action: Action
    point: Point

    @property
    def kind(self) -> str:
        """The kind of the action, as it was recorded."""
        return self.action.kind


def action_word(action: Action) -> str:
    """Return the name of an action, or else its kind."""
    return action.name or action.kind
