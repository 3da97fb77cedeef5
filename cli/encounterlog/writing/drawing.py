"""Dice drawn from the chain of a log, in place of those that the system rolls, with the facts that prove them.

A line is read twice: first it is settled what is rolled, then a word is asked for, and the dice are drawn with it. So who gives the
word knows what it is for, and who holds the secret does not know the word before.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct, structs

from encounterlog.edge import dice_secrets, given
from encounterlog.edge.chance import roller
from encounterlog.edge.failures import REFUSED, USAGE, Failure
from encounterlog.edge.given import Spoken
from encounterlog.edge.stores import is_served
from encounterlog.reading.logs import Log
from encounterlog.writing import entering
from eventstore.address import LogAddress
from eventstore.dice import back, faces, link_of
from eventstore.errors import Malformed
from eventstore.events import DiceCommitted, DiceDrawn, Fact, name_of
from eventstore.form import composed, visible
from eventstore.record import Recorded
from projections.explaining.fairness import dice_in
from projections.grammar.dice import Thrown, counting, of, shown, throw
from projections.grammar.parsing import Parsed
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood

LONGEST = 120
"""The most characters of a word, and of the name of who gives it."""
MISSING = "the secret of the chain of dice is not here, so these dice are not drawn from it; `encounter dice FILE start` begins another"
USED_UP = (
    "the chain of dice is used up, so these dice are not drawn from it; `encounter dice FILE start` begins another"
)
NO_HIDDEN = "the log has no chain for secret dice, so these are not drawn from one"


class Word(Struct, frozen=True):
    """A fresh word: its text, who gave it if not the holder of the secret, and if nobody did, why."""

    text: str
    giver: str | None = None
    lacks: str | None = None


class Wanted(Struct, frozen=True):
    """What a word is wanted for: the number of the first roll, and the dice."""

    number: int
    dice: tuple[str, ...]


Asking = Callable[[Wanted], Word]
"""The way to a word; it is asked once it is settled what is rolled."""


class Chain(Struct, frozen=True):
    """The chain that the next dice are drawn from, its secret, and the number of the next roll."""

    committed: DiceCommitted
    number: int
    secret: bytes

    def links(self, count: int) -> list[bytes]:
        """Return the links of the next rolls, so many: from the last one back, as each is the hash of the next."""
        found = [link_of(self.secret, self.number + count - 1, self.committed.length)]
        while len(found) < count:
            found.append(back(found[-1], 1))
        return found[::-1]


def own_word(seed: str | None = None) -> Asking:
    """Return the way to a word of the holder of the secret: random, or by a seed and the number of the roll."""

    def asked(wanted: Wanted) -> Word:
        if seed is None:
            return Word(dice_secrets.made()[:16].hex())
        return Word(dice_secrets.made(f"{seed}:{wanted.number}")[:16].hex())

    return asked


def given_word(text: str) -> Asking:
    """Return the way to a word that a person has given, as NAME:WORD; raise Failure if one of the two is missing."""
    giver, _, word = (each.strip() for each in composed(text).partition(":"))
    if not 1 <= len(giver) <= LONGEST or not 1 <= len(word) <= LONGEST:
        raise Failure(
            USAGE,
            f"--word {visible(text[:80])} is not NAME:WORD",
            "such as --word ana:heron; each at most 120 characters",
        )
    return lambda _: Word(word, giver)


def current(records: Sequence[Recorded], *, hidden: bool) -> tuple[DiceCommitted | None, int]:
    """Return the chain that a log draws from, None without one, and the number of the next roll of it."""
    last = 0
    for record in reversed(records):
        event = record.event
        if isinstance(event, DiceDrawn) and event.hidden == hidden:
            last = max(last, event.number)
        elif isinstance(event, DiceCommitted) and event.hidden == hidden:
            return event, last + 1
    return None, 1


def wanted(log: Log, line: str, roll: Callable[[str], str]) -> Wanted | None:
    """Return what a line would draw from the chain of a log; None if it rolls nothing, or cannot be read or drawn."""
    table = entering.table_of(log, roll)
    if current(table.records, hidden=False)[0] is None:
        return None
    try:
        parsed = table.tell(line)
    except NotUnderstood:  # which is reported when it is read
        return None
    dice = _drawable(parsed)
    chain = chain_of(log.place, table.records, hidden=parsed.secret, count=len(dice)) if dice else MISSING
    return None if isinstance(chain, str) else Wanted(chain.number, dice)


def spoken(place: LogAddress, records: Sequence[Recorded], line: str, parsed: Parsed, ask: Asking) -> Spoken | None:
    """Return what a service is to tell, where it keeps the secret of the chain that the dice of a line are drawn from; otherwise None."""
    dice = _drawable(parsed)
    if not dice or not is_served(place) or current(records, hidden=False)[0] is None:
        return None
    word = ask(Wanted(current(records, hidden=parsed.secret)[1], dice))
    return Spoken(line, word.text, word.giver)


def _drawable(parsed: Parsed) -> tuple[str, ...]:
    """Return the notations of the dice that a line rolls and that a fact shows."""
    thrown = [one for one in parsed.thrown if isinstance(one, Thrown)]
    return tuple(one.partition(":")[0] for one, _ in _placed(thrown, parsed.facts))


def drawn(place: LogAddress, table: Table, line: str, parsed: Parsed, ask: Asking) -> Parsed:
    """Return what a line means with its dice drawn from the chain of the log; as it is if there is no chain."""
    rolled = [one for one in parsed.thrown if isinstance(one, Thrown)]
    if not rolled or current(table.records, hidden=False)[0] is None:
        return parsed
    used = [one.number for one, _ in _placed(rolled, parsed.facts)]
    chain = chain_of(place, table.records, hidden=parsed.secret, count=len(used))
    if not used:
        return parsed
    if isinstance(chain, str):
        return structs.replace(parsed, advice="; ".join(filter(None, (parsed.advice, chain))))
    word = ask(Wanted(chain.number, tuple(one.partition(":")[0] for one in rolled if one.number in used)))
    return _redrawn(table, line, chain, word, used)


def chain_of(place: LogAddress, records: Sequence[Recorded], *, hidden: bool, count: int) -> Chain | str:
    """Return the chain for so many rolls, or why there is none."""
    committed, number = current(records, hidden=hidden)
    if committed is None:
        return NO_HIDDEN
    if number + count - 1 > committed.length:
        return USED_UP
    secret = dice_secrets.find(place, committed.link)
    return Chain(committed, number, secret) if secret else MISSING


def parsed_line(place: LogAddress, table: Table, line: str, word: str | None) -> tuple[Parsed, Spoken | None]:
    """Return what a line says, for those who write in Python: its dice are drawn from the chain of the log, or Malformed is raised.

    Of a log of a service, what that is to tell instead, if dice are rolled.
    """
    parsed = given.parsed_line(table, line, counting(roller()))
    try:
        ask = given_word(word) if word else own_word()
        if there := spoken(place, table.records, line, parsed, ask):
            return parsed, there
        found = drawn(place, table, line, parsed, ask)
    except Failure as failure:
        raise Malformed("word", str(failure), failure.hint) from None
    if parsed.thrown and not any(isinstance(fact, DiceDrawn) for fact in found.facts):
        raise Malformed(
            "line", found.advice or "shows none of the dice that it rolls", "give faces, such as d20:14, or `roll`"
        )
    return found, None


def _redrawn(table: Table, line: str, chain: Chain, word: Word, used: Sequence[int]) -> Parsed:
    """Read a line again, its dice drawn from the chain; those of its readings that did not count show ones."""
    links = chain.links(len(used))
    before, table.roll = table.roll, _Drawing(chain, links, word, used)
    try:
        parsed = table.tell(line)
    finally:
        table.roll = before
    thrown = [one for one in parsed.thrown if isinstance(one, Thrown) and one.number in used]
    placed = _placed(thrown, parsed.facts)
    if [one.number for one, _ in placed] != list(used):
        raise Failure(REFUSED, "the dice of this line cannot be drawn from the chain", "write a line for each roll")
    draws = [
        _draw(chain, links[rank], word, rank, one, place, parsed.facts) for rank, (one, place) in enumerate(placed)
    ]
    return structs.replace(parsed, facts=(*parsed.facts, *draws))


class _Drawing:
    """Throws dice, in the order in which they are asked for: those that count are drawn from the chain."""

    def __init__(self, chain: Chain, links: Sequence[bytes], word: Word, used: Sequence[int]) -> None:
        self._first, self._links, self._word = chain.number, links, word
        self._ranks = {number: rank for rank, number in enumerate(used)}
        self._asked = 0

    def __call__(self, notation: str) -> str:
        asked, dice = self._asked, of(notation)
        self._asked += 1
        if asked not in self._ranks:
            return Thrown.of(throw(dice, lambda _: 1), asked)
        rank = self._ranks[asked]
        drawn = faces(self._links[rank], self._first + rank, self._word.text, dice.sides, dice.count)
        return Thrown.of(shown(dice, drawn), asked)


def _draw(
    chain: Chain, link: bytes, word: Word, rank: int, one: Thrown, place: int, facts: Sequence[Fact]
) -> DiceDrawn:
    return DiceDrawn(
        number=chain.number + rank,
        link=link.hex(),
        word=word.text,
        giver=word.giver,
        lacks=word.lacks,
        notation=one.partition(":")[0],
        purpose=name_of(type(facts[place])),
        hidden=chain.committed.hidden,
        event=place - len(facts) - rank,
    )


def _placed(thrown: Sequence[Thrown], facts: Sequence[Fact]) -> list[tuple[Thrown, int]]:
    """Return the throws that a fact shows, each with the place of the first such fact that no other throw has taken."""
    free = list(_dice_of(facts))
    found: list[tuple[Thrown, int]] = []
    for one in thrown:
        notation, _, faces = one.partition(":")
        wanted = (notation, tuple(int(face) for face in re.findall(r"\d+", faces)))
        place = next((at for at, dice in free if dice == wanted), None)
        if place is not None:
            free.remove((place, wanted))
            found.append((one, place))
    return found


def _dice_of(facts: Sequence[Fact]) -> Iterator[tuple[int, tuple[str, tuple[int, ...]]]]:
    for place, fact in enumerate(facts):
        for _, die in dice_in(fact):
            if not isinstance(die, int):
                yield place, (die.notation, die.faces)
