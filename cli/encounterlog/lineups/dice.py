"""Dice that are thrown in order, all of which count, as those of a line-up do."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import structs

from encounterlog.core.drawn_dice import Asking, Wanted, Word, chain_of, current
from eventstore.address import LogAddress
from eventstore.dice import faces, link_of
from eventstore.events import DiceDrawn, DiceRolled, name_of
from eventstore.record import Recorded
from projections.mechanics.dice import of, shown


class LineupDice:
    """Throws dice, and draws them from the chain of a log if it has one whose secret is here."""

    def __init__(self, place: LogAddress, records: Sequence[Recorded], roll: Callable[[str], str], ask: Asking) -> None:
        """Take the log that is written to, the function that rolls without a chain, and the function that asks for a word."""
        self._place, self._records, self._roll, self._ask = place, records, roll, ask
        self._word: Word | None = None
        self._draws: list[DiceDrawn | None] = []
        """The proof of each throw, without its place; None for one that was rolled without a chain."""

    def throw(self, notation: str, *, hidden: bool = False) -> str:
        """Return dice with their faces, d6 as d6:4; raise ValueError for text that is no notation."""
        dice = of(notation)
        used = sum(one is not None and one.hidden == hidden for one in self._draws)
        begun = current(self._records, hidden=False)[0] is not None
        chain = chain_of(self._place, self._records, hidden=hidden, count=used + 1) if begun else ""
        if isinstance(chain, str):
            self._draws.append(None)
            return self._roll(notation)
        number = chain.number + used
        word = self._word = self._word or self._ask(Wanted(number, (notation,)))
        link = link_of(chain.secret, number, chain.committed.length)
        self._draws.append(
            DiceDrawn(
                number=number,
                link=link.hex(),
                word=word.text,
                giver=word.giver,
                lacks=word.lacks,
                notation=notation,
                purpose=name_of(DiceRolled),
                hidden=hidden,
                event=-1,
            )
        )
        return shown(dice, faces(link, number, word.text, dice.sides, dice.count))

    def proofs(self, places: Sequence[int], end: int) -> Iterator[DiceDrawn]:
        """Yield the proofs of the dice in facts at these places, one for each throw, to be appended after `end` facts."""
        drawn = [(one, place) for one, place in zip(self._draws, places, strict=True) if one is not None]
        for rank, (one, place) in enumerate(drawn):
            yield structs.replace(one, event=place - end - rank)
