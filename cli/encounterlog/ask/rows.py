"""A fact on a line: when, what, by whom; and the same as JSON."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from encounterlog.text.facts import brief, record_in_words, sentence
from encounterlog.text.layout import clip, name, room, width
from encounterlog.text.naming import Labels, Voice
from eventstore.events import Amended, CombatantJoined, Event, Fact, Inserted, name_of
from eventstore.form import ID_FIELDS, ID_LIST_FIELDS, members
from eventstore.record import Recorded, RecordedUnknown
from projections.occurrence import Occurrence
from projections.state import State
from projections.stream.audience import audience, shown_to_players
from projections.stream.concealment import joining
from projections.stream.placing import reached
from projections.time import Point

Name = Callable[[str], str]

LEAST = 48
"""The least room for the words of a line, in columns, however long the note after them."""


class Moment(Struct, frozen=True, omit_defaults=True):
    """The moment of a fact; round 0 is the time before the first round, and units that are not counted are left out."""

    round: int
    segment: int = 0
    turn: str = ""
    second: int = 0
    phase: str = ""


class LogRow(Struct, frozen=True, omit_defaults=True):
    """A line of a listing.

    `line` is the line of the file with the present content; `note` says what is unusual: struck, amended, secret,
    revealed, withheld, without effect. `secret` says that no ruling has revealed it. `source` are the lines of the imported
    file that it comes from. `event` is None if there is no payload that this version understands.
    """

    seq: int
    line: int
    at: str
    by: str
    when: Moment
    words: str
    event: Event | None = None
    note: str = ""
    secret: bool = False
    source: str = ""


class Names:
    """The names of the combatants while a log is read: display names, or labels that fit into short lines.

    The records, which can be read repeatedly, are looked through for rulings that reveal, once something secret is named.
    """

    def __init__(self, records: Iterable[Recorded], *, short: bool) -> None:
        self.short, self._labels = short, Labels()
        self.secrets = Secrets(records)

    def read(self, records: Iterable[Recorded]) -> None:
        """Take the records of the log as it is now: in it a ruling may have revealed what is secret."""
        self.secrets = Secrets(records, begun=self.secrets.begun)

    def at(self, state: State, event: Fact | None = None) -> "Called":
        """Return the names in a state, directly after this event."""
        if not self.short:
            found = state.combatants
            name = Voice(state.rules, lambda who: found[who].name if who in found else who)
            return Called(name, sentence, self.secrets)
        for who in islice(state.combatants, len(self._labels), None):
            self._labels.add(who, state.combatants[who].name)
        if isinstance(event, CombatantJoined) and event.combatant in state.combatants:  # again, under another name
            self._labels.add(event.combatant, state.combatants[event.combatant].name)
        return Called(Voice(state.rules, self._labels), brief, self.secrets)

    def none(self) -> "Called":
        """Return ids for names, as long as nobody has joined."""
        return Called(str, brief if self.short else sentence, self.secrets)


class Secrets:
    """The secret records of a log: those that a ruling has revealed, and those that are kept from players as they concern a
    hidden combatant.

    They have `begun` once one of them was named: before the first, nothing can be kept from players.
    """

    def __init__(self, records: Iterable[Recorded], *, begun: bool = False) -> None:
        self._records, self.begun = records, begun

    @cached_property
    def _shown(self) -> frozenset[int]:
        return shown_to_players(self._records)

    @cached_property
    def _concerned(self) -> frozenset[int]:
        hides = any(record.secret and joining(record.event) for record in self._records)
        return audience(self._records).withhold.seqs if hides else frozenset()

    def word(self, secret: bool, *seqs: int) -> str:
        """Return what a fact that comes from these records is called: secret, revealed, or nothing if players get it and always did."""
        self.begun = self.begun or secret
        if not secret:
            return "secret" if self.begun and not self._concerned.isdisjoint(seqs) else ""
        return "revealed" if self._shown.issuperset(seqs) else "secret"


class Called(NamedTuple):
    """The function from an id to a name, the one that puts a fact into words with it, and the secrets."""

    name: Name
    say: Callable[[Fact, Name], str]
    secrets: Secrets


def row(state: State, fact: Occurrence[Any], names: Names, note: str = "") -> LogRow:
    """Return the line of a fact in the corrected stream, directly after it took effect."""
    event = fact.event
    notes = [note] if note else []
    if not note and fact.line != fact.seq:
        notes.append(f"as amended by {fact.line}")
    notes += filter(None, [word := names.secrets.word(fact.secret, fact.seq, fact.line)])
    called = names.at(state, event)
    words, at = called.say(event, called.name), moment(state, reached(state, fact))
    return LogRow(
        fact.seq, fact.line, fact.at, fact.by, at, words, event, ", ".join(notes), word == "secret", fact.source
    )


def record_row(record: Recorded, called: Called, note: str = "", when: Moment | None = None) -> LogRow:
    """Return the line of a record as it is in the file."""
    notes = [note] if note else []
    notes += filter(None, [word := called.secrets.word(record.secret, record.seq)])
    words = record_in_words(record, called.name, called.say)
    event = None if isinstance(record, RecordedUnknown) else record.event
    at = when or Moment(0)
    return LogRow(record.seq, record.seq, record.at, record.by, at, words, event, ", ".join(notes), word == "secret")


def moment(state: State, point: Point) -> Moment:
    """Return a point of the clock as a moment, with the names of turn and phase."""
    turn = state.clock.turn if point.turn else ""
    slots = state.rules.schedule.phases(state)
    phase = slots[point.phase - 1] if 0 < point.phase <= len(slots) else ""
    return Moment(point.round, point.segment, turn, point.second, phase)


def where(when: Moment) -> str:
    """Return a moment in the notation of --at: r1s4, r2.ana, r2.bo.4, s1; or - before the first round."""
    if not when.round:
        return f"s{when.segment}" if when.segment else "-"
    if when.turn:
        return f"r{when.round}.{when.turn}" + (f".{when.second}" if when.second else "")
    return f"r{when.round}" + (f"s{when.segment}" if when.segment else "")


def line(one: LogRow) -> str:
    """Return a line for people: seq, moment, the writer unless it is the game master, the fact in words."""
    by = f"[{clip(one.by, 20)}] " if one.by != "gm" else ""
    note = "".join(f" ({words})" for words in (one.note, one.source and f"source {one.source}") if words)
    start = f"{one.seq:>5}  {name(where(one.when)):<12}  {by}"
    return clip(start + clip(one.words, max(LEAST, room() - width(start) - width(note))) + note)


def json_of(one: LogRow) -> dict[str, Any]:
    """Return a line as plain data for JSON."""
    value: dict[str, Any] = msgspec.to_builtins(one)
    return value


def concerned(event: Event | None) -> frozenset[str]:
    """Return the ids of the combatants who act in a fact or are acted upon; for a correction, in the fact that it contains."""
    if event is None:
        return frozenset()
    inner = event.replacement if isinstance(event, Amended) else event.fact if isinstance(event, Inserted) else event
    return frozenset(_ids(msgspec.to_builtins(inner)))


def _ids(fact: dict[str, Any]) -> Iterator[str]:
    if fact["type"] == "combatant_joined":
        yield from (fact["combatant"], fact.get("side", fact["combatant"]))
        return
    for path, item in members(fact):
        field = path.rpartition(".")[2]
        if field in ID_FIELDS:
            yield item
        elif field in ID_LIST_FIELDS:
            yield from item


def kind(one: LogRow) -> str:
    """Return the type of the fact in a line, in any version, or nothing."""
    return name_of(type(one.event)) if one.event is not None else ""
