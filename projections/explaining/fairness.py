"""The origin of a log's dice (proven, bound or typed), and the integrity of the chain from which they were drawn.

Records are read as they were written, since dice that were later struck or amended were still rolled.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct, structs

from eventstore import dice as scheme
from eventstore.events import Amended, DiceCommitted, DiceDrawn, Fact
from eventstore.record import Recorded
from eventstore.shapes import Dice
from eventstore.wording import short_repr
from projections.mechanics.dice import parse as notation_of
from projections.stream.corrections import absolute, append_start, corrections_of, stated_fact

Level = Literal["proven", "bound", "typed"]
LEVELS: tuple[Level, ...] = ("proven", "bound", "typed")
"""Drawn with an entropy word of another person; drawn with one of the secret's holder; stated by a person."""

NOTICES = frozenset({"struck", "amended", "withheld"})
"""The kinds of faults that an honest chain can have; all others are wrong."""


class Throw(Struct, frozen=True, gc=False):
    """Dice of one fact: who threw them, the notation ("" for a bare number), the faces, and their origin.

    `seq` is the record that shows them, `drawn` the one that proves them; `number` counts the rolls of a chain from 1.
    """

    seq: int
    combatant: str
    notation: str
    faces: tuple[int, ...]
    level: Level = "typed"
    drawn: int | None = None
    number: int | None = None
    giver: str | None = None
    hidden: bool = False
    right: bool | None = None

    def __repr__(self) -> str:
        says = f"{self.seq}: {self.notation} {_faces_in_words(self.faces)} {self.level}"
        return short_repr(self, says.replace("  ", " "))


class Fault(Struct, frozen=True, gc=False):
    """A fault of a chain, or a notice about it: the record, the kind, and a sentence."""

    seq: int
    kind: str
    says: str

    @property
    def wrong(self) -> bool:
        """Whether an honest program never writes it."""
        return self.kind not in NOTICES


class Chain(Struct):
    """A chain as the log has it: the holder of its secret, its purpose, the rolls drawn, and the last link revealed."""

    seq: int
    holder: str
    hidden: bool
    length: int
    link: str
    number: int = 0
    drawn: int = 0


class Fairness(Struct, frozen=True):
    """The dice of a log, the chains from which they were drawn, and the faults."""

    chains: tuple[Chain, ...] = ()
    throws: tuple[Throw, ...] = ()
    faults: tuple[Fault, ...] = ()

    def __repr__(self) -> str:
        levels = ", ".join(f"{count} {level}" for level, count in self.levels.items())
        return short_repr(self, levels if self.holds else f"{levels}, not right")

    @property
    def levels(self) -> dict[Level, int]:
        """The number of throws on each level."""
        return {level: sum(1 for each in self.throws if each.level == level) for level in LEVELS}

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong with a chain, or with a roll drawn from it."""
        return not any(fault.wrong for fault in self.faults)


def check_fairness(records: Iterable[Recorded]) -> Fairness:
    """Return the dice of a log with their faults."""
    kept = list(records)
    reading = _Reading(kept)
    for record in kept:
        reading.read_record(record)
    return reading.make_fairness()


def dice_in(event: Fact | None) -> Iterator[tuple[str, int | Dice]]:
    """Yield the dice of a fact with the combatant who threw them, in the order of its fields; a bare number is one die."""
    who = next((found for name in ("combatant", "side", "source") if (found := getattr(event, name, None))), "")
    if (die := getattr(event, "die", None)) is not None:
        yield who, die
    for part in getattr(event, "parts", ()):
        if part.dice is not None:
            yield who, part.dice
    for one in getattr(event, "contenders", ()):
        if one.die is not None:
            yield one.combatant, one.die
    if (inner := stated_fact(event)) is not event:
        yield from dice_in(inner)


class _Reading:
    """One pass over the records."""

    def __init__(self, records: Sequence[Recorded]) -> None:
        self._records = records
        self._corrections = corrections_of(records)
        self._throws: dict[int, list[Throw]] = {}
        self._shown: dict[int, list[tuple[str, int | Dice]]] = {}
        """The dice of each record, and those that amendments have added to it."""
        self._chains: list[Chain] = []
        self._current: dict[bool, Chain] = {}
        """The chain that open rolls are drawn from (False), and the one for secret rolls (True)."""
        self._words: dict[str, int] = {}
        self._withheld: list[int] = []
        self._withheld_openly: list[int] = []
        """The withheld records that may have drawn from the chain for open rolls: those recorded in public, or together
        with public facts."""
        self._faults: list[Fault] = []

    def read_record(self, record: Recorded) -> None:
        match record.event:
            case None:
                self._withheld.append(record.seq)
                first, count = append_start(record) - 1, record.batch[1] if record.batch else 1
                if not record.secret or any(not each.secret for each in self._records[first : first + count]):
                    self._withheld_openly.append(record.seq)
            case DiceCommitted() as event:
                self._begin_chain(record.seq, event)
            case DiceDrawn() as event:
                self._check_draw(record, absolute(event, record.seq))
            case event:
                for who, die in self._new_dice(record.seq, event):
                    notation = die.notation if isinstance(die, Dice) else ""
                    throw = Throw(record.seq, who or self._doer_of(record), notation, _faces_of(die))
                    self._throws.setdefault(record.seq, []).append(throw)

    def _new_dice(self, seq: int, event: Fact | None) -> Iterator[tuple[str, int | Dice]]:
        """Yield the dice of a record, as `dice_in` does; of an amendment, those that nothing before it showed."""
        shown = self._shown[seq] = list(dice_in(event))
        before = self._shown.get(event.event, []) if isinstance(event, Amended) else []
        left = [die for _, die in before]
        for each in shown:
            if each[1] in left:
                left.remove(each[1])
            else:
                before.append(each)
                yield each

    def _doer_of(self, record: Recorded) -> str:
        """Return the combatant of the act from which a record follows; "" if none is named."""
        cause = getattr(record.event, "cause", None) or 0
        seq = cause if cause > 0 else record.seq + cause
        event = self._records[seq - 1].event if cause and 0 < seq < record.seq else None
        return getattr(event, "combatant", None) or ""

    def make_fairness(self) -> Fairness:
        throws = tuple(throw for found in self._throws.values() for throw in found)
        self._report_corrected(throws)
        return Fairness(tuple(self._chains), throws, tuple(sorted(self._faults, key=lambda fault: fault.seq)))

    # ------------------------------------------------------------ chains

    def _begin_chain(self, seq: int, event: DiceCommitted) -> None:
        """Begin a chain, and report it if it replaces one with rolls left: its holder could avoid bad rolls."""
        replaced = self._current.get(event.hidden)
        chain = Chain(seq, event.holder, event.hidden, event.length, event.link)
        self._chains.append(chain)
        self._current[event.hidden] = chain
        if replaced and replaced.number < replaced.length:
            left = replaced.length - replaced.number
            why = f", because {event.reason}" if event.reason else ""
            says = f"was begun, though the one of record {replaced.seq} has {left:,} rolls left{why}"
            self._fault(seq, "second-chain", f"a second chain{_chain_suffix(chain)} {says}")

    def _check_draw(self, record: Recorded, event: DiceDrawn) -> None:
        chain = self._current.get(event.hidden)
        if chain is None:
            says = f"{_name_roll(event)} is of a chain{_chain_suffix(event)} that was never begun"
            self._fault(record.seq, "no-chain", says)
            return
        follows = self._check_link(record.seq, event, chain)
        fresh = self._check_entropy(record, event)
        chain.drawn += 1
        self._mark_drawn(record.seq, event, chain, follows=follows, fresh=fresh)

    def _check_link(self, seq: int, event: DiceDrawn, chain: Chain) -> bool:
        """Return whether a link follows from the last one, and record missing links and other faults."""
        left = max(0, chain.length - chain.number)
        steps = scheme.steps_between(bytes.fromhex(chain.link), bytes.fromhex(event.link), left)
        if event.number <= chain.number or steps == 0:
            self._fault(seq, "used-twice", f"{_name_roll(event)}: link {event.number:,} of the chain was used before")
            return False
        if steps is None or chain.number + steps != event.number:
            says = f"the link is not number {event.number:,} of the chain of record {chain.seq}"
            self._fault(seq, "other-secret", f"{_name_roll(event)}: {says}")
            return False
        if missing := range(chain.number + 1, event.number):
            self._report_missing(seq, event, missing)
        chain.link, chain.number = event.link, event.number
        return True

    def _report_missing(self, seq: int, event: DiceDrawn, missing: range) -> None:
        which = f"link {missing[0]:,}" if len(missing) == 1 else f"links {missing[0]:,} to {missing[-1]:,}"
        withheld = self._withheld if event.hidden else self._withheld_openly
        if len(withheld) >= len(missing):
            del withheld[: len(missing)]
            says = f"{which} of the chain{_chain_suffix(event)} may be in records that are withheld"
            self._fault(seq, "withheld", f"{_name_roll(event)}: {says}")
            return
        verb = "was" if len(missing) == 1 else "were"
        self._fault(seq, "left-out", f"{_name_roll(event)}: {which} of the chain{_chain_suffix(event)} {verb} left out")

    def _check_entropy(self, record: Recorded, event: DiceDrawn) -> bool:
        """Return whether an entropy word is new, else record a fault: with a known one the faces can be computed."""
        append = append_start(record)
        if self._words.setdefault(event.word, append) == append:
            return True
        says = f"{_name_roll(event)}: its word was used before, so the face was known before the draw"
        self._fault(record.seq, "old-word", says)
        return False

    # ------------------------------------------------------------ throws

    def _mark_drawn(self, seq: int, event: DiceDrawn, chain: Chain, *, follows: bool, fresh: bool) -> None:
        """Mark the dice of a fact as drawn here, and record whether they agree with the chain."""
        throws = self._throws.get(event.event, [])
        same = (n for n, throw in enumerate(throws) if throw.notation == event.notation and throw.drawn is None)
        place = next(same, None)
        if place is None:
            self._report_unused(seq, event)
            return
        throw, wanted = throws[place], _expected_faces(event)
        right = follows and wanted == throw.faces
        if follows and not right:
            says = f"{_name_roll(event)} gives {_faces_in_words(wanted)}, and record {throw.seq} says {_faces_in_words(throw.faces)}"
            self._fault(seq, "wrong", says)
        giver = event.giver if fresh and event.giver != chain.holder else None
        level: Level = "typed" if not right else "proven" if giver else "bound"
        origin = Throw(throw.seq, throw.combatant, throw.notation, throw.faces, level, seq)
        throws[place] = structs.replace(origin, number=event.number, giver=giver, hidden=event.hidden, right=right)

    def _report_unused(self, seq: int, event: DiceDrawn) -> None:
        if 0 < event.event <= len(self._records) and self._records[event.event - 1].event is None:
            self._fault(seq, "withheld", f"{_name_roll(event)} is for record {event.event}, which is withheld")
        else:
            self._fault(seq, "not-used", f"{_name_roll(event)}: {event.notation} was drawn and not used")

    def _report_corrected(self, throws: Iterable[Throw]) -> None:
        for throw in throws:
            if throw.drawn is None:
                continue
            number = f"roll {throw.number:,}{' of the secret ones' if throw.hidden else ''}"
            if strike := self._corrections.struck.get(throw.seq):
                self._fault(throw.seq, "struck", f"{number} was struck by record {strike}")
            elif words := self._corrections.amended.get(throw.seq):
                new = [_faces_of(die) for _, die in dice_in(words.event)]
                if new and throw.faces not in new:
                    says = f"record {words.seq} puts {_faces_in_words(new[0])} in its place"
                    self._fault(throw.seq, "amended", f"{number} shows {_faces_in_words(throw.faces)}; {says}")

    def _fault(self, seq: int, kind: str, says: str) -> None:
        self._faults.append(Fault(seq, kind, says))


def _expected_faces(event: DiceDrawn) -> tuple[int, ...]:
    """Return the faces that a link and an entropy word give; none for an unknown notation."""
    try:
        dice = notation_of(event.notation)
    except ValueError:
        return ()
    return scheme.faces_of_link(bytes.fromhex(event.link), event.number, event.word, dice.sides, dice.count)


def _faces_of(die: int | Dice) -> tuple[int, ...]:
    return die.faces if isinstance(die, Dice) else (die,)


def _name_roll(event: DiceDrawn) -> str:
    return f"{'secret ' if event.hidden else ''}roll {event.number:,}"


def _chain_suffix(one: DiceDrawn | DiceCommitted | Chain) -> str:
    return " for secret rolls" if one.hidden else ""


def _faces_in_words(faces: Sequence[int]) -> str:
    return ", ".join(map(str, faces)) or "nothing"


def dice_levels_by_record(records: Iterable[Recorded]) -> Mapping[int, str]:
    """Return the levels of drawn dice in words, such as "proven: roll 7, word of ana", by record."""
    if not any(type(record.event) is DiceDrawn for record in records):
        return {}
    found: dict[int, list[str]] = {}
    for throw in check_fairness(records).throws:
        if throw.drawn is not None:
            found.setdefault(throw.seq, []).append(level_in_words(throw))
    return {seq: "; ".join(words) for seq, words in found.items()}


def level_in_words(throw: Throw) -> str:
    """Return the level of a throw in words, with its number and the giver of the entropy word."""
    if throw.drawn is None:
        return throw.level
    if not throw.right:
        return f"wrong: roll {throw.number:,} of the chain gives something else"
    word = f", word of {throw.giver}" if throw.giver else ""
    return f"{throw.level}: roll {throw.number:,}{word}"
