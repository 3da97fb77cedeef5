"""Events by which anybody can check where dice came from; they state nothing about the fight."""

from eventstore.events.fact import Fact
from eventstore.shapes import (
    Count,
    Digits,
    Reference,
    Text,
    Word,
)

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
