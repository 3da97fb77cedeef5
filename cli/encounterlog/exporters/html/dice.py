"""The dice of a log as the page checks them: chains that were begun, and rolls that were drawn from them."""

from collections.abc import Container, Iterable

from msgspec import Struct

from eventstore.events import DiceCommitted, DiceDrawn
from eventstore.form import visible
from eventstore.record import Recorded
from projections.explaining.fairness import append_of, fairness

ABOUT_CHAINS = frozenset({DiceDrawn, DiceCommitted})


class DrawnRoll(Struct, frozen=True):
    """A roll that was drawn from a chain, with the record that shows it and the faces there; none if there is no such record.

    `append` is the first record that was appended with it: a word serves the rolls of one append.
    """

    seq: int
    append: int
    number: int
    link: str
    word: str
    giver: str
    notation: str
    hidden: bool
    event: int
    faces: tuple[int, ...]
    withheld: bool


class Begun(Struct, frozen=True):
    """A chain of dice that was begun: the record, and the link before its first roll."""

    seq: int
    holder: str
    link: str
    length: int
    hidden: bool


class Dice(Struct, frozen=True):
    """The data with which the page checks the dice by itself, and the number of typed ones."""

    chains: tuple[Begun, ...]
    rolls: tuple[DrawnRoll, ...]
    typed: int


def dice_of(records: Iterable[Recorded]) -> Dice | None:
    """Return the dice of a log; None for one without a chain of dice."""
    about = [one for one in records if type(one.event) in ABOUT_CHAINS]
    if not about:
        return None
    begun = tuple(_begun(one.seq, one.event) for one in about if isinstance(one.event, DiceCommitted))
    found = fairness(records)
    shown = {throw.drawn: throw.faces for throw in found.throws if throw.drawn}
    withheld = {one.seq for one in records if one.event is None}
    rolls = tuple(
        _roll(one.seq, append_of(one), one.event, shown.get(one.seq, ()), withheld)
        for one in about
        if isinstance(one.event, DiceDrawn)
    )
    return Dice(begun, rolls, sum(1 for throw in found.throws if throw.drawn is None))


def _begun(seq: int, event: DiceCommitted) -> Begun:
    return Begun(seq, visible(event.holder), event.link, event.length, event.hidden)


def _roll(seq: int, append: int, event: DiceDrawn, faces: tuple[int, ...], withheld: Container[int]) -> DrawnRoll:
    place = seq + event.event if event.event < 0 else event.event
    return DrawnRoll(
        seq, append, event.number, event.link, event.word, visible(event.giver or ""), event.notation, event.hidden, place, faces, place in withheld,
    )  # fmt: skip
