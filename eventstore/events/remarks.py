"""What is said beside the fight: notes, statements, rulings, and how dice were drawn."""

from typing import Literal

from eventstore.events.fact import Fact, Momentary
from eventstore.shapes import (
    Count,
    Digits,
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


# ---------------------------------------------------------------- fair dice


class DiceCommitted(Fact, frozen=True, kw_only=True):
    """The beginning of a chain of dice: who holds its secret, the link before the first roll, and for how many rolls.

    A `hidden` chain is for secret rolls. FORMAT.md describes the scheme.

    {"type":"dice_committed","holder":"gm","link":"784ce94314f0f5f4ac208b5b75e4fd7e86f6cd74d706c1dd393f0e061c6d2841"}
    """

    holder: Word
    link: Digits
    length: Count = 10_000
    hidden: bool = False
    reason: Text | None = None


class DiceDrawn(Fact, frozen=True, kw_only=True):
    """A roll drawn from the chain: its number, the link that it reveals, a fresh word and who gave it, the dice, and the record that shows them.

    Without `giver` the word is that of the holder of the secret; `lacks` says why no other person gave one.

    {"type":"dice_drawn","number":1,"link":"0f2619ede756097166938d491301618e07a5681d7d9700f3a7777e4ea9dc024d","word":"ford","giver":"ana","notation":"d20","purpose":"attack_rolled","event":-1}
    """

    number: Count
    link: Digits
    word: Word
    giver: Word | None = None
    lacks: Text | None = None
    notation: Word
    purpose: Word | None = None
    hidden: bool = False
    event: Reference


Provenance = DiceCommitted | DiceDrawn
"""The events by which anybody can check where dice came from; they state nothing about the fight."""
