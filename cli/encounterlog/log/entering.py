"""The table of a log; and lines of the language, read at it and written to the log.

Where a line shows or rolls the dice of an attack roll, hit or miss is recorded with it, as if the line gave it. The game decides by the
facts of the line itself, too, so a replay beside that of the table has them before they are appended.
"""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, cast
from weakref import WeakKeyDictionary

from msgspec import Struct, structs, to_builtins

from encounterlog.errors import Reading, Refused, note_written
from encounterlog.log import folded_log
from encounterlog.log.folded_log import Done
from encounterlog.log.logs import LogView, name_log_in_errors, records_before_torn_tail, replay_log
from encounterlog.words import added
from encounterlog.words.added import describe_facts, fact_sentences
from eventstore.address import LogAddress, Url
from eventstore.events import AttackRolled, Correction, DiceCommitted, Event, Fact, Noted
from eventstore.paths import folder_of
from eventstore.record import Draft, Recorded, batches, upcast
from eventstore.shapes import Dice
from eventstore.store import Mode
from eventstore.wording import visible
from projections.explaining.fairness import dice_in
from projections.language.notation.parsing import Parsed
from projections.language.notation.records import make_records
from projections.language.notation.table import Suggest, Table
from projections.language.notation.tokens import NotUnderstood, quote
from projections.mechanics.dice import count_calls
from projections.occurrence import Occurrence, is_a
from projections.replay.failing import report_failures
from projections.replay.replay import Replay, Walk, replay, resume
from projections.ruleset.documents import OPTION
from projections.state import State
from projections.stream.placing import place_in_time

if TYPE_CHECKING:
    from encounterlog.log.drawn_dice import Asking
    from encounterlog.log.suggesting import Ask
    from encounterlog.places.remote import RemoteStore
    from encounterlog.places.services import Spoken

ROOM = 72  # the columns of a line that an error shows
Roll = Callable[[str], str]


def table_of(log: LogView, roll: Roll | None, suggest: "Ask | None" = None) -> Table:
    """Return the table of a log; raise the fault of the log, unless it is only a torn tail. If its campaign is not found, the log has a note."""
    with name_log_in_errors(log):
        table = kept.table if (kept := log.folded) else Table(records_before_torn_tail(log))
        table.roll, table.suggest = roll, make_suggester(suggest)
        said = table.done.state.option(OPTION)
        if said and (documents := table.done.state.rules.documents()):
            from encounterlog.log.campaigns import register_campaign  # few logs have one

            beside = None if isinstance(log.place, Url) else folder_of(log.place)
            note = register_campaign(documents, said, beside)
            log.notes += [note] if note and note not in log.notes else []
        return table


def make_suggester(ask: "Ask | None") -> Suggest | None:
    """Return what a table asks about a refused line; None without a model."""
    if ask is None:
        return None
    from encounterlog.log.suggesting import suggest_lines  # only where there is a model

    return partial(suggest_lines, ask)


class TypedLine(Struct, frozen=True):
    """A line as it was read and written: its meaning, the table where it was read, and the append (None: there were no facts)."""

    parsed: Parsed
    table: Table
    done: Done | None = None
    echo: tuple[str, ...] = ()
    """The facts in sentences, where a service wrote the line."""

    def lines(self) -> Iterator[str]:
        """Return each fact that was written as a sentence, marking those by which the clock moved."""
        first = self.done.written.first if self.done else 0
        return iter(self.echo) if self.echo else fact_sentences(self.parsed, self.table, first)


def sums_of_dice(done: Done) -> list[str]:
    """Return the sums of dice that were rolled here, in the state after the line; none if anything fails, as the facts are written."""
    if added.has_own_dice(done.written.records):
        with suppress(Exception):
            return [*added.roll_results(done.written.records, replay_log(done.before.reread()).state)]
    return []


def join_words(words: Sequence[str]) -> str:
    """Return the words of a command line as a line: one word is the line; of several, those with blanks are quoted."""
    return words[0] if len(words) == 1 else " ".join(word if word.split() == [word] else quote(word) for word in words)


def may_be_several(words: Sequence[str]) -> bool:
    """Return whether the arguments of a command line may each be meant as a line: the first one has blanks, and others follow."""
    return len(words) > 1 and words[0][:1].isalnum() and words[0].split() != [words[0]]


def tell_line(
    log: LogView,
    line: str,
    *,
    arguments: Sequence[str] = (),
    by: str,
    mode: Mode = "durable",
    after: int | None = None,
    key: str | None = None,
    secret: bool = False,
    roll: Roll | None,
    ask: "Asking | None" = None,
    suggest: "Ask | None" = None,
) -> TypedLine:
    """Read a line against the log and append its facts as one batch; raise Refused if it cannot be read, with the suggestion of `suggest`.

    Dice are drawn from the chain of the log, if it has one, with a word that `ask` gives (by default a random one). If another writer comes
    first, the line is read again against the longer log, unless `after` forbids it or it is a correction, which would be of another line.
    """

    def read_at(log: LogView, suggest: "Ask | None" = None) -> tuple[Table, Parsed]:
        table = table_of(log, count_calls(roll) if roll else None, suggest)
        return table, parse_line(table, line, secret=secret)

    table, parsed = read_at(log, suggest)
    if not parsed.facts:
        return TypedLine(parsed, table)
    if may_be_several(arguments) and all(isinstance(fact, Noted) for fact in parsed.facts):  # nobody would see that
        hint = f"type one line a command, and begin with: encounter add FILE {shlex.quote(visible(arguments[0]))}"
        raise Refused("usage", f"{len(arguments)} arguments in quotes are not one line; nothing is written", hint)
    if parsed.corrects and after is None:
        after = table.done.records
    settled, there = settle_line(log.place, table, line, parsed, ask)
    if there:
        written, echo = cast("RemoteStore", log.store).tell(there, after=after, key=key)
        note_written()
        shown = [record for record in written.records if record.event is not None]
        facts = tuple(upcast(record.event) for record in shown if record.event)
        kept = frozenset(place for place, record in enumerate(shown) if record.secret)
        parsed = structs.replace(parsed, facts=facts, kept=kept)
        return TypedLine(parsed, table, Done(written, parsed.drafts, log), echo)

    def decided(present: LogView) -> tuple[Draft, ...]:
        nonlocal table, settled
        if present is not log:
            table, again = read_at(present)
            settled, _ = settle_line(log.place, table, line, again, ask)
        return settled.drafts

    done = folded_log.append_decided(log, decided, by=by, after=after, key=key, mode=mode)
    return TypedLine(settled, table, done)


def settle_line(
    place: LogAddress, table: Table, line: str, parsed: Parsed, ask: "Asking | None"
) -> "tuple[Parsed, Spoken | None]":
    """Return the meaning of a line, its dice drawn from the log's chain and its outcomes decided; and it for a service that draws itself."""
    if parsed.thrown and is_chained(table):
        from encounterlog.log import drawn_dice  # only where there is a chain

        parsed, there = drawn_dice.draw_dice(place, table, line, parsed, ask or drawn_dice.make_word_source())
        if there:
            return parsed, there
    return decide_attack_outcomes(table, parsed), None


def is_chained(table: Table) -> bool:
    """Return whether a chain of open dice was begun in the log of a table."""
    return any(type(record.event) is DiceCommitted and not record.event.hidden for record in table.records)


def decide_attack_outcomes(table: Table, parsed: Parsed) -> Parsed:
    """Return the meaning of a line in which attack rolls with only their dice have a hit or a miss, if the game decides that by the facts."""
    stays_open = table.done.state.rules.strikes is None or parsed.form == "json" or parsed.corrects
    if stays_open or not any(map(_is_open, parsed.facts)):
        return parsed
    ahead = _replays.setdefault(table, _Ahead())
    return structs.replace(parsed, facts=ahead.decide_facts(table.records, parsed))


def parse_line(table: Table, line: str, *, secret: bool = False, offers: bool = True) -> Parsed:
    """Return the meaning of a line; raise Refused, with a mark below the character where it fails, and by `offers` with what it could record."""
    try:
        return table.tell(line, secret=secret, offers=offers)
    except NotUnderstood as error:
        readings: list[Reading] = []
        for offer, each in zip(error.offers, error.meant, strict=True) if error.readings or error.suggested else ():
            facts = () if each.thrown else (*map(to_builtins, each.facts),)
            reading = Reading(offer, preview_line(each, table.done.state), facts)
            readings.append(reading.marked() if offer == error.suggested else reading)
        says = mark_column(line, error.column)
        raise Refused("refused", error.why, error.hint, says, error.column, error.offers, tuple(readings)) from None


def preview_line(parsed: Parsed, state: State) -> tuple[str, ...]:
    """Return what a line would record, in sentences, without anything that dice decide, which are thrown anew."""
    if not parsed.thrown:
        return (*map(str.strip, describe_facts(parsed, state, 0)),)
    shows = next((place for place, fact in enumerate(parsed.facts) if any(dice_in(fact))), len(parsed.facts))
    before = structs.replace(parsed, facts=parsed.facts[:shows], advice="", offers=())
    return (*map(str.strip, describe_facts(before, state, 0)), "the other dice are rolled here")


def mark_column(line: str, column: int) -> list[str]:
    """Return a line, as much of it as an error shows, with a mark below the character at a column (from 1)."""
    column = min(column, len(line) + 1)
    first = max(0, column - ROOM)
    mark = len(visible(line[first : column - 1]))
    return [visible(line[first : first + ROOM]), f"{' ' * mark}^"] if line.strip() and "\n" not in line else []


class _Ahead:
    """A replay beside that of a table, continued to a line's facts; it folds the table's records once more, as it cannot go back."""

    def __init__(self) -> None:
        self._done: Replay | None = None
        self._records: list[Recorded] = []
        self._sure = 0  # how many of the records are known to be the table's; the others are as they were foreseen

    @report_failures
    def decide_facts(self, records: Sequence[Recorded], parsed: Parsed) -> tuple[Fact, ...]:
        """Return the facts of a line that follows the records of its table, and fold them."""
        known = len(self._records)
        same = known <= len(records) and all(
            one.event == other.event
            for one, other in zip(self._records[self._sure :], records[self._sure :], strict=False)
        )
        done, news, self._done = self._done, records[known:], None  # until it has come through
        if done is None or not same or any(isinstance(each.event, Correction) for each in news):
            done = replay(records)
        else:
            for append in batches(news):
                done = resume(done, append)
        facts = make_records(parsed.facts, len(records) + 1, kept=parsed.kept, together=True)
        walk = _Deciding(done)
        self._records, self._sure = list(records), len(records)
        walk.apply_records(facts)
        self._done = structs.replace(done, records=walk.records)
        decided = tuple(
            structs.replace(fact, hit=walk.hits[seq]) if seq in walk.hits else fact
            for seq, fact in enumerate(parsed.facts, len(records) + 1)
        )
        self._records += (structs.replace(each, event=fact) for each, fact in zip(facts, decided, strict=True))
        return decided


_replays = WeakKeyDictionary[Table, _Ahead]()  # the replays beside tables, as long as these are in use


class _Deciding(Walk):
    """A pass over the facts of a line after a replay, which adds the outcome to each attack roll."""

    def __init__(self, done: Replay) -> None:
        super().__init__(None, None)
        self.corrections, self.state, self.records = done.corrections, done.state, done.records
        self.hits: dict[int, bool | None] = {}  # the outcomes, by the records

    def apply_fact(self, state: State, fact: Occurrence[Event], struck: int) -> None:
        """Apply a fact, an attack roll with its outcome."""
        if is_a(fact, AttackRolled) and _is_open(fact.event) and (strikes := state.rules.strikes):
            self.hits[fact.seq] = strikes(state, place_in_time(state, fact))
            fact = structs.replace(fact, event=structs.replace(fact.event, hit=self.hits[fact.seq]))
        super().apply_fact(state, fact, struck)


def _is_open(event: Fact) -> bool:
    return isinstance(event, AttackRolled) and isinstance(event.die, Dice) and event.hit is None
