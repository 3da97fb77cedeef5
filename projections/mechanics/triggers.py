"""Triggers: what can be answered by a reaction, for how long and by whom; and actions that are held for a trigger.

A fact opens an opening. It can be answered at once, until its moment is over (somebody acts or moves on), or, where a
text is more patient, for the rest of the turn.
"""

from typing import Literal

from msgspec import Struct

from eventstore.shapes import Action
from projections.because import Because, Derived

Window = Literal["at once", "same turn"]


class Opening(Struct, frozen=True, gc=False):
    """A fact that can be answered: the words for what it was, at whom it was aimed, and who may answer (() anybody).

    `moment` counts the moments of the turn that were over before it.
    """

    seq: int
    words: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    moment: int = 0


class Armed(Struct, frozen=True, gc=False):
    """An action that somebody holds until something happens: what it is, what it waits for, the record that says so."""

    seq: int
    action: Action | None
    awaiting: str


class Triggers(Struct):
    """What can be answered in this turn, the facts that ended a moment of it, and the actions held, by their holders."""

    openings: dict[int, Opening] = {}
    over: list[int] = []
    armed: dict[str, Armed] = {}


def opens(
    triggers: Triggers,
    seq: int,
    words: tuple[str, ...] = (),
    targets: tuple[str, ...] = (),
    to: tuple[str, ...] = (),
) -> Opening:
    """Let a fact be answered."""
    found = triggers.openings[seq] = Opening(seq, words, targets, to, len(triggers.over))
    return found


def moment_is_over(triggers: Triggers, seq: int) -> None:
    """Let what was opened before be answered at once no more."""
    triggers.over.append(seq)


def turn_is_over(triggers: Triggers, seq: int) -> None:
    """Let nothing be answered that was opened before."""
    triggers.openings.clear()
    triggers.over = [seq]


def answerable(triggers: Triggers, seq: int, window: Window = "at once", who: str = "") -> Derived[bool]:
    """Return whether a fact can be answered, by this one; where its moment is over, because of the facts that ended it."""
    opening = triggers.openings.get(seq)
    if opening is None:
        return Derived(False, Because((), tuple(triggers.over[:1])))
    if who and opening.to and who not in opening.to:
        return Derived(False, Because((), (seq,)))
    over = tuple(triggers.over[opening.moment :]) if window == "at once" else ()
    return Derived(not over, Because((), over or (seq,)))


def is_open(triggers: Triggers, seq: int) -> bool:
    """Say whether a fact can be answered at once."""
    opening = triggers.openings.get(seq)
    return opening is not None and opening.moment == len(triggers.over)


# ---------------------------------------------------------------- held actions


def arm(triggers: Triggers, who: str, seq: int, action: Action | None, awaiting: str) -> None:
    """Let somebody hold an action for a trigger, in the place of one held before."""
    triggers.armed[who] = Armed(seq, action, awaiting)


def disarm(triggers: Triggers, who: str) -> Armed | None:
    """Return the action that somebody holds, which is resolved or lost now; None where it holds none."""
    return triggers.armed.pop(who, None)
