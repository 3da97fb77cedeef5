"""Dice drawn from the chains of a log, in place of those that the system rolls, with the facts that prove them; and the chains' beginning.

A line is read twice: first the roll is settled, then an entropy word is asked for, and the dice are drawn with it. So
the giver of the word knows the roll's purpose, and the holder of the secret does not know the word in advance.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, cast

from msgspec import Struct, structs

from encounterlog.errors import Refused, note_written
from encounterlog.log.logs import LogView, records_before_torn_tail
from encounterlog.places import databases
from encounterlog.places.services import Spoken
from encounterlog.places.stores import is_served
from encounterlog.places.time_and_chance import current_time
from eventstore import files
from eventstore.address import LogAddress
from eventstore.dice import LENGTH, SIZE, faces_of_link, link_before, link_of
from eventstore.disk import MACHINE
from eventstore.errors import NotReadable, NotWritten
from eventstore.events import DiceCommitted, DiceDrawn, DiceRolled, name_of
from eventstore.form import normalize_nfc
from eventstore.paths import real_path
from eventstore.record import Draft, Recorded
from eventstore.wording import visible
from projections.language.notation.parsing import Parsed
from projections.language.notation.table import Table
from projections.language.notation.thrown import facts_showing
from projections.language.notation.tokens import NotUnderstood
from projections.mechanics.dice import Thrown, format_faces, parse, throw

if TYPE_CHECKING:
    from encounterlog.places.remote import RemoteStore

SECRETS = "encounterlog dice 1"
"""The beginning of a line of secrets, in <log>.dice beside the log; the link before the first roll and the secret follow, in hexadecimal digits."""
LARGEST = 1 << 20  # the largest file of secrets to which one is added, in bytes: thousands of them
WAIT = 5.0  # the longest wait for its lock, in seconds
LONGEST = 120  # the most characters of an entropy word, and of its giver's name


class Word(Struct, frozen=True):
    """An entropy word: its text, its giver if that is not the holder of the secret, and the reason if it has no giver."""

    text: str
    giver: str | None = None
    lacks: str | None = None


class Wanted(Struct, frozen=True):
    """The dice that need an entropy word, and the number of the first roll; `hidden` ones are kept from players."""

    number: int
    dice: tuple[str, ...]
    hidden: bool = False


Asking = Callable[[Wanted], Word]  # the function that asks for an entropy word, once the roll is settled


class Chain(Struct, frozen=True):
    """The chain that the next dice are drawn from, its secret, and the number of the next roll."""

    committed: DiceCommitted
    number: int
    secret: bytes

    def draw_proofs(self, many: int, word: Word) -> list[DiceDrawn]:
        """Return the proofs of the next rolls with a word, without their notations and places."""
        bare = DiceDrawn(number=0, link="", word=word.text, giver=word.giver, lacks=word.lacks, notation="", event=-1)
        links = [link_of(self.secret, self.number + many - 1, self.committed.length)]
        while len(links) < many:
            links.append(link_before(links[-1], 1))  # each is the hash of the next
        return [
            structs.replace(bare, number=number, link=link.hex(), hidden=self.committed.hidden)
            for number, link in enumerate(reversed(links), self.number)
        ]


def _draw_as_faces(draw: DiceDrawn, notation: str) -> str:
    dice = parse(notation)
    return format_faces(dice, faces_of_link(bytes.fromhex(draw.link), draw.number, draw.word, dice.sides, dice.count))


def secrets_file(log: LogAddress) -> str | None:
    """Return the file with a log's secrets; None for a log that is no file."""
    return f"{real_path(log)}.dice" if isinstance(log, str) else None


def make_secret(seed: str | None = None) -> bytes:
    """Return a new secret: random, or always the same one for a seed."""
    return os.urandom(SIZE) if seed is None else sha256(f"{SECRETS} {seed}".encode()).digest()


def keep_secret(log: LogAddress, secret: bytes) -> str:
    """Keep a secret, durably, and return its commitment.

    Raises NotWritten, also for a log of a service, and where the file is there and holds something else; and as the store does.
    """
    path, link = secrets_file(log), link_of(secret, 0, LENGTH).hex()
    if databases.is_one(log):
        databases.open_database(log).keep_dice_secret(link, secret)
        return link
    if path is None:
        says = "the secret of a chain of dice is kept beside the log, and this one is elsewhere"
        raise NotWritten(str(log), says, "begin the chain where the service keeps its logs")
    kind = files.LinesOf("secrets of dice", f"{SECRETS} ".encode(), LARGEST, "move it away, or rename the log", 0o600)
    files.add_line(MACHINE, path, f"{SECRETS} {link} {secret.hex()}".encode(), kind, WAIT)
    return link


def find_secret(log: LogAddress, link: str) -> bytes | None:
    """Return the secret with this commitment; None if it is not here. Raise NotReadable."""
    if databases.is_one(log):
        return databases.open_database(log).dice_secret(link)
    if (path := secrets_file(log)) is None:
        return None
    try:
        with open(path, encoding="ascii", errors="replace") as file:  # noqa: PTH123 – pathlib takes long to load
            rows = [line.split() for line in file]
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotReadable(path, files.system_message(error), "it holds the secret of the chain of dice") from None
    found = next((row[4] for row in rows if len(row) == 5 and row[:3] == SECRETS.split() and row[3] == link), None)
    return bytes.fromhex(found) if found and len(found) == 2 * SIZE else None


def make_word_source(seed: str | None = None) -> Asking:
    """Return the function that gives the secret's holder a word: a random one, or one from a seed and the number of the roll."""

    def asked(wanted: Wanted) -> Word:
        number = f"{'hidden:' if wanted.hidden else ''}{wanted.number}"
        return Word(make_secret(None if seed is None else f"{seed}:{number}")[:16].hex())

    return asked


def given_word(text: str) -> Asking:
    """Return the function for a word that a person has given, as NAME:WORD; raise Refused if one of the two is missing."""
    giver, _, word = (each.strip() for each in normalize_nfc(text).partition(":"))
    if not 1 <= len(giver) <= LONGEST or not 1 <= len(word) <= LONGEST:
        hint = "such as --word ana:heron; each at most 120 characters"
        raise Refused("usage", f"--word {visible(text[:80])} is not NAME:WORD", hint)
    return lambda _: Word(word, giver)


def current_chain(records: Sequence[Recorded], *, hidden: bool) -> tuple[DiceCommitted | None, int]:
    """Return the chain that a log draws from, None without one, and the number of the next roll of it."""
    last = 0
    for record in reversed(records):
        event = record.event
        if isinstance(event, DiceDrawn) and event.hidden == hidden:
            last = max(last, event.number)
        elif isinstance(event, DiceCommitted) and event.hidden == hidden:
            return event, last + 1
    return None, 1


def wanted_dice(place: LogAddress, table: Table, line: str, *, secret: bool = False) -> Wanted | None:
    """Return the dice that a line at a table would draw from the chain of its log; None if it rolls nothing, or cannot be read or drawn."""
    if current_chain(table.records, hidden=False)[0] is None:
        return None
    try:
        parsed = table.tell(line, secret=secret)
    except NotUnderstood:  # which is reported when it is read
        return None
    return _chains_for_rolls(place, table.records, _visible_rolls(parsed))[2]


class Roll(Struct, frozen=True):
    """Dice that a line rolls, the place of the fact that shows them, and whether players do not get that fact."""

    thrown: Thrown
    place: int
    hidden: bool
    notation: str


def _visible_rolls(parsed: Parsed, hidden: Mapping[int, bool] | None = None) -> list[Roll]:
    """Return the dice that a line rolls and that a fact shows, by preference one that is `hidden` as is said for the number of the throw."""
    thrown = [one for one in parsed.thrown if isinstance(one, Thrown)]
    placed = facts_showing(thrown, parsed.facts, parsed.kept, [(hidden or {}).get(one.number, False) for one in thrown])
    return [
        Roll(one, place, place in parsed.kept, one.partition(":")[0])
        for one, place in zip(thrown, placed, strict=True)
        if place is not None
    ]


def _dice_that_need_words(rolls: Sequence[Roll], numbers: Mapping[bool, int]) -> Wanted | None:
    for hidden, number in numbers.items():
        if dice := tuple(roll.notation for roll in rolls if roll.hidden == hidden):
            return Wanted(number, dice, hidden)  # a line's open dice, and the hidden ones only if there are no others
    return None


def _chains_for_rolls(
    place: LogAddress, records: Sequence[Recorded], rolls: Sequence[Roll]
) -> tuple[dict[bool, Chain], list[str], Wanted | None]:
    """Return the chains by whether they are hidden, open ones first, why others are not there, and the dice that need a word."""
    counts = {hidden: sum(roll.hidden == hidden for roll in rolls) for hidden in (False, True)}
    found = {hidden: chain_of(place, records, hidden=hidden, count=count) for hidden, count in counts.items() if count}
    chains = {hidden: chain for hidden, chain in found.items() if isinstance(chain, Chain)}
    needed = _dice_that_need_words(rolls, {hidden: chain.number for hidden, chain in chains.items()})
    return chains, [why for why in found.values() if isinstance(why, str)], needed


def draw_dice(place: LogAddress, table: Table, line: str, parsed: Parsed, ask: Asking) -> tuple[Parsed, Spoken | None]:
    """Return the meaning of a line with dice drawn from the chains, secret ones from the hidden one; or the line for a service that draws them."""
    rolls = _visible_rolls(parsed)
    if is_served(place):
        numbers = {hidden: current_chain(table.records, hidden=hidden)[1] for hidden in (False, True)}
        if needed := _dice_that_need_words(rolls, numbers):
            word = ask(needed)
            return parsed, Spoken(line, word.text, word.giver, parsed.secret)
    chains, lacking, needed = _chains_for_rolls(place, table.records, rolls)
    if needed:
        parsed = _reread_with_drawn_dice(table, line, parsed, rolls, chains, ask(needed))
    advice = "; ".join(filter(None, (parsed.advice, *lacking)))
    return structs.replace(parsed, advice=advice) if lacking else parsed, None


def chain_of(place: LogAddress, records: Sequence[Recorded], *, hidden: bool, count: int) -> Chain | str:
    """Return the chain for this number of rolls, or the reason that there is none."""
    committed, number = current_chain(records, hidden=hidden)
    if committed is None:
        return "the log has no chain for secret dice, so these are not drawn from one"
    if number + count - 1 > committed.length:
        lacks = "the chain of dice is used up"
    elif secret := find_secret(place, committed.link):
        return Chain(committed, number, secret)
    else:
        lacks = "the secret of the chain of dice is not here"
    return f"{lacks}, so these dice are not drawn from it; `encounter dice FILE start` begins another"


def _reread_with_drawn_dice(
    table: Table, line: str, read: Parsed, rolls: Sequence[Roll], chains: Mapping[bool, Chain], word: Word
) -> Parsed:
    rolls, roll = _told_apart(table, line, read, rolls), table.roll
    rolled = {one.thrown.number for one in rolls if one.hidden not in chains}
    draws: dict[int, DiceDrawn] = {}
    for hidden, chain in chains.items():
        numbers = [one.thrown.number for one in rolls if one.hidden == hidden]
        draws.update(zip(numbers, chain.draw_proofs(len(numbers), word), strict=True))

    def throws(number: int, notation: str) -> str:
        if number in draws:
            return _draw_as_faces(draws[number], notation)
        return roll(notation) if roll and number in rolled else throw(parse(notation), lambda _: 1)

    parsed = _reread_with_dice(table, line, read, throws)
    wanted = {one.thrown.number: one.hidden for one in rolls}
    placed = _visible_rolls(parsed, wanted)
    if {one.thrown.number: one.hidden for one in placed} != wanted:
        raise Refused("refused", "the dice of this line cannot be drawn from the chain", "write a line for each roll")
    facts, kept = list(parsed.facts), set(parsed.kept)
    for one in placed:
        if draw := draws.get(one.thrown.number):
            if one.hidden:  # a proof is as secret as the fact that shows the dice
                kept.add(len(facts))
            purpose, event = name_of(type(parsed.facts[one.place])), one.place - len(facts)
            facts.append(structs.replace(draw, notation=one.notation, purpose=purpose, event=event))
    return structs.replace(parsed, facts=tuple(facts), kept=frozenset(kept))


def _told_apart(table: Table, line: str, read: Parsed, rolls: Sequence[Roll]) -> list[Roll]:
    """Tell dice with the same notation apart by reading the line with twos for each in turn, and ones for the others."""
    notations = [{roll.notation for roll in rolls if roll.hidden == hidden} for hidden in (False, True)]
    same, found = notations[0] & notations[1], list(rolls)
    for rank, roll in enumerate(rolls):
        if roll.notation in same:
            marked = roll.thrown.number

            def throws(number: int, notation: str, marked: int = marked) -> str:
                return throw(parse(notation), lambda sides: min(sides, 2 if number == marked else 1))

            parsed = _reread_with_dice(table, line, read, throws)
            hidden = (one.hidden for one in _visible_rolls(parsed) if one.thrown.number == marked)
            found[rank] = structs.replace(roll, hidden=next(hidden, roll.hidden))
    return found


def _reread_with_dice(table: Table, line: str, read: Parsed, throws: Callable[[int, str], str]) -> Parsed:
    before, calls = table.roll, count()

    def roll(notation: str) -> str:
        number = next(calls)
        return Thrown.of(throws(number, notation), number)

    table.roll = roll
    try:
        return table.tell(line, secret=read.secret)
    finally:
        table.roll = before


def begin_chains(log: LogView, *, by: str, seed: str | None = None, because: str | None = None) -> list[Recorded]:
    """Begin chains with new secrets, and return a log's records with their commitments; raise Refused where a chain can still be used."""
    if is_served(log.place):
        cast("RemoteStore", log.store).ask("POST", "dice", {"because": because or "", "seed": seed or ""})
    records = list(records_before_torn_tail(log))
    if is_served(log.place):
        return records
    before, number = current_chain(records, hidden=False)
    if before and number <= before.length and because is None:
        here = find_secret(log.place, before.link) is not None
        hint = "" if here else "its secret is not here; if it is lost, say so: encounter dice FILE start --because TEXT"
        left = f"{before.length - number + 1:,} rolls left"
        raise Refused("refused", f"{log.path}: the log has a chain of dice with {left}", hint or "just roll: d20+5")
    drafts = make_commitments(log.place, len(records), by=by, seed=seed, because=because)
    done = log.store.append(drafts, by=by, at=current_time(), after=len(records))
    note_written()
    return [*records, *done.records]


def make_commitments(
    place: LogAddress, records: int, *, by: str, seed: str | None = None, because: str | None = None
) -> tuple[Draft, ...]:
    """Store two new secrets beside a log of so many records, other ones each time, and return the facts that begin their chains."""
    return tuple(
        Draft(DiceCommitted(holder=by, link=keep_secret(place, secret), hidden=hidden, reason=because))
        for hidden, kind in ((False, "open"), (True, "hidden"))
        for secret in [make_secret(None if seed is None else f"{seed}:{records}:{kind}")]
    )


class LineupDice:
    """Throws dice, and draws them from the chain of a log if it has one whose secret is here."""

    def __init__(self, place: LogAddress, records: Sequence[Recorded], roll: Callable[[str], str], ask: Asking) -> None:
        """Take the log that is written to, the function that rolls without a chain, and the function that asks for a word."""
        self._place, self._records, self._roll, self._ask = place, records, roll, ask
        self._word: Word | None = None
        self._chains: dict[bool, Chain | str] = {}
        self._draws: list[DiceDrawn | None] = []  # the proof of each throw, None for one without a chain

    def throw(self, notation: str, *, hidden: bool = False) -> str:
        """Return dice with their faces, d6 as d6:4; raise ValueError for text that is no notation."""
        parse(notation)
        if hidden not in self._chains:
            begun = current_chain(self._records, hidden=False)[0] is not None
            self._chains[hidden] = chain_of(self._place, self._records, hidden=hidden, count=1) if begun else ""
        chain = self._chains[hidden]
        if isinstance(chain, str) or chain.number > chain.committed.length:
            self._draws.append(None)
            return self._roll(notation)
        word = self._word = self._word or self._ask(Wanted(chain.number, (notation,)))
        (draw,) = chain.draw_proofs(1, word)
        self._chains[hidden] = structs.replace(chain, number=chain.number + 1)
        self._draws.append(structs.replace(draw, notation=notation, purpose=name_of(DiceRolled)))
        return _draw_as_faces(draw, notation)

    def make_proofs(self, places: Sequence[int], end: int) -> Iterator[DiceDrawn]:
        """Yield the proofs of the dice in facts at these places, one for each throw, to be appended after `end` facts."""
        drawn = [(one, place) for one, place in zip(self._draws, places, strict=True) if one is not None]
        for rank, (one, place) in enumerate(drawn):
            yield structs.replace(one, event=place - end - rank)
