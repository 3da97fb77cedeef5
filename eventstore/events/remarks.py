"""Events about the log's values and the fight: checked values, rulings, notes."""

from typing import Literal

from eventstore.events.fact import Fact, Momentary
from eventstore.shapes import (
    Id,
    Modifier,
    Reference,
    Stated,
    Text,
    Word,
)

# ---------------------------------------------------------------- record


class Checked(Momentary, frozen=True, kw_only=True):
    """A statement of derived values, from address to value, which the audit compares.

    The addresses are order, turn, round, segment, phase, seconds (where the ruleset counts them), options.<name>, and of
    a combatant <id>.name, side, hp, hp_max, temp, nld, status, conditions, effects, effects.<name> (what is left of it),
    casting and concentration. encounter rules log lists these, encounter rules KEY those of a ruleset alone.

    {"type":"checked","values":{"turn":"nitar","round":1,"nitar.hp":31,"nitar.effects":["Frightened"]}}
    """

    values: dict[Word, Stated]
    reason: Text | None = None


class RulingMade(Fact, frozen=True, kw_only=True):
    """A decision of the GM: a tie settled, a breach waived, values overridden, a grant, a fact of the world, a reveal.

    {"type":"ruling_made","ruling":"override","decision":"Ulf is out of the fight","values":{"ulf.status":"out"}}
    """

    ruling: Literal["tie", "waiver", "override", "grant", "fact", "reveal"]
    decision: Text
    reason: Text | None = None
    event: Reference | None = None
    rule: Word | None = None
    subject: Word | None = None
    combatants: tuple[Id, ...] = ()
    values: dict[Word, Stated] | None = None
    modifiers: tuple[Modifier, ...] = ()


class Noted(Fact, frozen=True, kw_only=True):
    """A remark, on an event if it names one.

    {"type":"noted","text":"The rope bridge creaks.","event":7}
    """

    text: Text
    event: Reference | None = None


Remark = Checked | RulingMade | Noted
"""The events of this module."""
