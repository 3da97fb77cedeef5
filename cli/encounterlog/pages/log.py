"""The telling, line by line: what `encounter log` and `encounter replay` print, for people and as JSON."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from encounterlog.wording.facts import brief, sentence
from encounterlog.wording.facts import told as record_in_words
from encounterlog.wording.layout import clip, name, room, width
from encounterlog.wording.naming import labels
from eventstore.events import Amended, Event, Inserted, name_of
from eventstore.record import Recorded, RecordedUnknown
from projections.folds.clock import reached
from projections.state import Occurrence, State
from projections.time import Point

Name = Callable[[str], str]

LEAST = 48
"""So many columns the words keep, however long the note behind them is."""


class Moment(Struct, frozen=True, omit_defaults=True):
    """Is the moment of a fact: round 0 is what lies before the first round; what is not counted is left out."""

    round: int
    segment: int = 0
    turn: str = ""
    second: int = 0
    phase: str = ""


class Row(Struct, frozen=True, omit_defaults=True):
    """Is a line of the telling.

    `line` is where the words that count stand in the file; `note` says what is peculiar: struck, amended, secret,
    withheld, of no hold. `event` is None where there is no payload that this version understands.
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


def called(state: State, short: bool = False) -> Name:
    """Return the function from an id to the name that people use, in full or clipped and told from every other one."""
    if short:
        found = labels((who, one.name) for who, one in state.combatants.items())
        return lambda who: found.get(who) or name(who)
    return lambda who: state.combatants[who].name if who in state.combatants else who


def row(state: State, told: Occurrence[Any], note: str = "", *, short: bool = False) -> Row:
    """Return the line of a fact of the telling, just after it took hold."""
    event = told.event
    notes = [note] if note else []
    if not note and told.line != told.seq:
        notes.append(f"as amended by {told.line}")
    if told.secret:
        notes.append("secret")
    words = (brief if short else sentence)(event, called(state, short))
    at = moment(state, reached(state, told))
    return Row(told.seq, told.line, told.at, told.by, at, words, event, ", ".join(notes), told.secret)


def record_row(
    record: Recorded, with_names: Name, note: str = "", when: Moment | None = None, *, short: bool = False
) -> Row:
    """Return the line of a record as it stands in the file."""
    notes = [note] if note else []
    notes += ["secret"] if record.secret else []
    words = record_in_words(record, with_names, brief if short else sentence)
    event = None if isinstance(record, RecordedUnknown) else record.event
    at = when or Moment(0)
    return Row(record.seq, record.seq, record.at, record.by, at, words, event, ", ".join(notes), record.secret)


def moment(state: State, point: Point) -> Moment:
    """Return a point by the names that people use."""
    turn = state.clock.turn if point.turn else ""
    phases = state.rules.phases
    phase = phases[point.phase - 1] if 0 < point.phase <= len(phases) else ""
    return Moment(point.round, point.segment, turn, point.second, phase)


def where(when: Moment) -> str:
    """Return a moment in the notation of --at: r1s4, r2.ana, r2.bo.4, s1; - before the first round."""
    if not when.round:
        return f"s{when.segment}" if when.segment else "-"
    if when.turn:
        return f"r{when.round}.{when.turn}" + (f".{when.second}" if when.second else "")
    return f"r{when.round}" + (f"s{when.segment}" if when.segment else "")


def line(one: Row) -> str:
    """Return a line for people: seq, moment, who wrote it down if it was not the game master, the fact in words."""
    by = f"[{clip(one.by, 20)}] " if one.by != "gm" else ""
    note = f" ({one.note})" if one.note else ""
    start = f"{one.seq:>5}  {name(where(one.when)):<12}  {by}"
    return clip(start + clip(one.words, max(LEAST, room() - width(start) - width(note))) + note)


def json_of(one: Row) -> dict[str, Any]:
    """Return a line as JSON has it."""
    value: dict[str, Any] = msgspec.to_builtins(one)
    return value


def named(event: Event | None) -> Iterator[str]:
    """Yield who does something in a fact: combatant, side, source, those who contend; in a correction, in what it puts in."""
    inner = event.replacement if isinstance(event, Amended) else event.fact if isinstance(event, Inserted) else event
    for field in ("combatant", "side", "source"):
        if who := getattr(inner, field, None):
            yield who
    yield from getattr(inner, "together", ())
    yield from (one.combatant for one in getattr(inner, "contenders", ()))


def kind(one: Row) -> str:
    """Return the name of the type of the fact in a line, whatever its version, or nothing."""
    return name_of(type(one.event)) if one.event is not None else ""
