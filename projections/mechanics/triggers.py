"""Triggers: the facts that allow a reaction, for how long and by whom; and actions that are held for a trigger.

A fact can give combatants an opening to react. It can be answered at once, until its moment is over (a combatant acts or moves), or, where a
game allows that, for the rest of the turn.
"""

from typing import Literal

from msgspec import Struct

from eventstore.shapes import Action
from projections.because import Because, Derived

Window = Literal["at once", "same turn"]


class Opening(Struct, frozen=True, gc=False):
    """A fact that allows a reaction."""

    seq: int
    words: tuple[str, ...] = ()
    """The words for it."""
    targets: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    """The combatants who may react; (): any."""
    moment: int = 0
    """The number of the turn's moments that were over before it."""


class Armed(Struct, frozen=True, gc=False):
    """An action that is held for a trigger."""

    seq: int
    """The record that holds it."""
    action: Action | None


class Triggers(Struct):
    """The openings of this turn, and the held actions."""

    openings: dict[int, Opening] = {}
    over: list[int] = []
    """The facts that ended a moment of the turn."""
    armed: dict[str, Armed] = {}
    """The held actions, by combatant."""


def allow_reaction(
    triggers: Triggers, seq: int, words: tuple[str, ...] = (), targets: tuple[str, ...] = (), to: tuple[str, ...] = ()
) -> Opening:
    """Let combatants react to a fact."""
    found = triggers.openings[seq] = Opening(seq, words, targets, to, len(triggers.over))
    return found


def end_moment(triggers: Triggers, seq: int) -> None:
    """End the moment: earlier openings can no longer be answered at once."""
    triggers.over.append(seq)


def end_turn(triggers: Triggers, seq: int) -> None:
    """End the turn: earlier openings can no longer be answered at all."""
    triggers.openings.clear()
    triggers.over = [seq]


def may_react(triggers: Triggers, seq: int, window: Window = "at once", who: str = "") -> Derived[bool]:
    """Return whether a combatant can react to a fact, citing the facts that ended its moment if that is over."""
    opening = triggers.openings.get(seq)
    if opening is None:
        return Derived(False, Because((), tuple(triggers.over[:1])))
    if who and opening.to and who not in opening.to:
        return Derived(False, Because((), (seq,)))
    over = tuple(triggers.over[opening.moment :]) if window == "at once" else ()
    return Derived(not over, Because((), over or (seq,)))


def is_open(triggers: Triggers, seq: int) -> bool:
    """Say whether a reaction to a fact is possible at once."""
    opening = triggers.openings.get(seq)
    return opening is not None and opening.moment == len(triggers.over)
