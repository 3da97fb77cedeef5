"""The outcomes of attack rolls whose dice a line shows or rolls: hit or miss is recorded with the roll, as if the line gave it.

The game decides by the facts of the line itself, too, so a replay beside that of the table has them before they are appended.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from msgspec import structs

from eventstore.address import LogAddress
from eventstore.events import AttackRolled, Correction, DiceCommitted, Event, Fact
from eventstore.record import Recorded, batches
from eventstore.shapes import Dice
from projections.language.notation.parsing import Parsed
from projections.language.notation.records import make_records
from projections.language.notation.table import Table
from projections.occurrence import Occurrence, is_a
from projections.replay.failing import report_failures
from projections.replay.replay import Replay, Walk, replay, resume
from projections.state import State
from projections.stream.placing import place_in_time

if TYPE_CHECKING:
    from encounterlog.log.drawn_dice import Asking
    from encounterlog.places.services import Spoken


def settle_line(
    place: LogAddress, table: Table, line: str, parsed: Parsed, ask: "Asking | None"
) -> "tuple[Parsed, Spoken | None]":
    """Return the meaning of a line with its dice drawn from the chain of its log, if that has one, and its outcomes decided; and
    the line for a service that draws them itself, if one keeps the chain.
    """
    if parsed.thrown and is_chained(table):
        from encounterlog.log import drawn_dice  # only where there is a chain

        ask = ask or drawn_dice.make_word_source()
        if there := drawn_dice.line_for_service(place, table.records, line, parsed, ask):
            return parsed, there
        parsed = drawn_dice.draw_dice(place, table, line, parsed, ask)
    return decide_attack_outcomes(table, parsed), None


def is_chained(table: Table) -> bool:
    """Return whether a chain of open dice was begun in the log of a table."""
    return any(type(record.event) is DiceCommitted and not record.event.hidden for record in table.records)


def decide_attack_outcomes(table: Table, parsed: Parsed) -> Parsed:
    """Return the meaning of a line in which attack rolls with only their dice also have a hit or a miss, if the game
    decides that by the recorded facts.
    """
    if table.done.state.rules.strikes is None or parsed.form == "json" or parsed.corrects:
        return parsed
    if not any(map(_is_open, parsed.facts)):
        return parsed
    ahead = _replays.setdefault(table, _Ahead())
    return structs.replace(parsed, facts=ahead.decide_facts(table.records, parsed))


class _Ahead:
    """A replay beside that of a table, which continues to the facts of a line before they are appended.

    A replay cannot go back; so this one folds the records of the table once more, instead of the whole log for each
    line.
    """

    def __init__(self) -> None:
        self._done: Replay | None = None
        self._records: list[Recorded] = []
        """The records that it has folded, the last ones as they were foreseen."""
        self._sure = 0
        """How many of them are known to be those of the table."""

    @report_failures
    def decide_facts(self, records: Sequence[Recorded], parsed: Parsed) -> tuple[Fact, ...]:
        """Return the facts of a line that follows the records of its table, and fold them."""
        done = self._caught_up(records)
        facts = make_records(parsed.facts, len(records) + 1, kept=parsed.kept, together=True)
        walk = _Deciding(done)
        self._done = None  # until it has come through
        walk.apply_records(facts)
        self._done = structs.replace(done, records=walk.records)
        decided = tuple(
            structs.replace(fact, hit=walk.hits[seq]) if seq in walk.hits else fact
            for seq, fact in enumerate(parsed.facts, len(records) + 1)
        )
        self._records += (structs.replace(each, event=fact) for each, fact in zip(facts, decided, strict=True))
        return decided

    def _caught_up(self, records: Sequence[Recorded]) -> Replay:
        known = len(self._records)
        same = known <= len(records) and all(
            one.event == other.event
            for one, other in zip(self._records[self._sure :], records[self._sure :], strict=False)
        )
        news = records[known:]
        if self._done is None or not same or any(isinstance(each.event, Correction) for each in news):
            self._done = replay(records)
        else:
            for append in batches(news):
                self._done = resume(self._done, append)
        self._records, self._sure = list(records), len(records)
        return self._done


_replays = WeakKeyDictionary[Table, _Ahead]()  # the replays beside tables, as long as these are in use


class _Deciding(Walk):
    """A pass over the facts of a line after a replay, which adds the outcome to each attack roll."""

    def __init__(self, done: Replay) -> None:
        super().__init__(None, None)
        self.corrections, self.state, self.records = done.corrections, done.state, done.records
        self.hits: dict[int, bool | None] = {}
        """The outcomes of attack rolls, by their records."""

    def apply_fact(self, state: State, fact: Occurrence[Event], struck: int) -> None:
        """Apply a fact, an attack roll with its outcome."""
        if is_a(fact, AttackRolled) and _is_open(fact.event) and (strikes := state.rules.strikes):
            self.hits[fact.seq] = strikes(state, place_in_time(state, fact))
            fact = structs.replace(fact, event=structs.replace(fact.event, hit=self.hits[fact.seq]))
        super().apply_fact(state, fact, struck)


def _is_open(event: Fact) -> bool:
    return isinstance(event, AttackRolled) and isinstance(event.die, Dice) and event.hit is None
