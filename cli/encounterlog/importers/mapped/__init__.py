"""Events of an engine as JSON lines, turned into facts by a mapping: each line becomes the facts of the mapping, or a problem."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from encounterlog.importers.mapped.blanks import (
    MISSING,
    SHOWN,
    Line,
    Unfilled,
    field_at_path,
    fill_blanks,
    shorten_message,
)
from encounterlog.importers.mapped.mapping import NAME, OWN, Facts, Mapping, read_mapping
from encounterlog.importers.sources import Limits, read_lines
from encounterlog.importers.transcript import BadSource, Fact, Problem, Transcript
from encounterlog.importers.words import Ids, parse_moment
from encounterlog.log import opening
from encounterlog.places.time_and_chance import current_time
from eventstore.errors import Malformed
from eventstore.form import REFERENCE_FIELDS
from eventstore.record import Draft
from eventstore.wording import nearest, visible
from projections.judging.refusals import find_refusals
from projections.replay.replay import empty_state

LIMITS = Limits(line=1 << 22, lines=2_000_000, size=2 << 30)
FIRST = 2
"""The record that the first fact becomes: record 1 opens the log."""


def read(source: Path, *, mapping: Path, ruleset: str = "") -> Transcript:
    """Turn an engine's JSON lines into facts by a mapping; raise BadSource if a line cannot be read, or nothing fits the mapping."""
    said = read_mapping(mapping, ruleset)
    refused: dict[int, str] = {}
    while more := _refused_lines(done := _Pass(said, source, refused).transcribe_all()):
        refused |= more  # what needs a fact of these lines fails in the next pass
    return done


def _refused_lines(done: Transcript) -> dict[int, str]:
    """Return the lines of which a log would refuse a fact, each with the first reason."""
    state = empty_state(opening.make_opening(opening.ruleset_named(done.ruleset), done.title, done.options))
    drafts = tuple(Draft(opening.parse_event(fact.event)) for fact in done.facts)
    found: dict[int, str] = {}
    for one in find_refusals(state, drafts, FIRST - 1):
        fact = done.facts[one.place]
        hint = f"; {one.hint}" if one.hint else ""
        found.setdefault(fact.lines[0], f"{fact.event['type']}: {one.field}: {one.reason}{hint}")
    return found


class _Pass:
    """One pass over the lines, but for those of which a log would refuse a fact."""

    def __init__(self, mapping: Mapping, source: Path, refused: dict[int, str]) -> None:
        self._mapping, self._source, self._refused = mapping, source, refused
        self._kinds: dict[str, list[Facts]] = {}
        for each in mapping.event:
            self._kinds.setdefault(each.kind, []).append(each)
        self._ids = Ids()
        words = {name: partial(_look_up, table) for name, table in mapping.words.items()}
        self._tables: dict[str, Callable[[Any], Any]] = words | {NAME: self._log_name}
        self._facts: list[Fact] = []
        self._labels: dict[str, int] = {}
        self._problems: dict[str, list[int]] = {}
        self._ignored = 0
        self._at = current_time()

    def transcribe_all(self) -> Transcript:
        """Transcribe every line; a line that becomes no facts is a problem unless its kind is ignored."""
        number = 0
        for number, data in enumerate(read_lines(self._source, LIMITS), 1):
            if data.strip():
                try:
                    self._transcribe_line(number, data)
                except Unfilled as error:
                    self._problems.setdefault(str(error), []).append(number)
        if not self._facts:
            first = next((f": line {where[0]}: {says}" for says, where in self._problems.items()), "")
            raise BadSource(
                f"has no line of which the mapping makes a fact{shorten_message(first) or f', of {number}'}"
            )
        return Transcript(
            title=self._mapping.title or self._source.name,
            ruleset=self._mapping.ruleset,
            options=self._mapping.options,
            facts=self._facts,
            problems=sorted(Problem(where[0], _how_often(says, where)) for says, where in self._problems.items()),
            states=sum(one.event["type"] == "checked" for one in self._facts),
            ignored=self._ignored,
        )

    def _log_name(self, key: object) -> str | None:
        """Return the log's name for an id of the engine."""
        return self._ids.meet(str(key), str(key)) if isinstance(key, str | int) and not isinstance(key, bool) else None

    def _transcribe_line(self, number: int, data: bytes) -> None:
        """Add the facts of a line, all of them or, if one cannot be made, none."""
        if number in self._refused:
            raise Unfilled(self._refused[number])
        found = _parse_object(data)
        whole = Line((found,), self._tables)
        kind = field_at_path(tuple(self._mapping.kind.split(".")), whole)
        if not isinstance(kind, str):
            is_what = "no" if kind is None else "no text in"
            raise Unfilled(f"it has {is_what} {self._mapping.kind}, which gives a line's kind")
        if kind in self._mapping.ignore:
            self._ignored += 1
            return
        event = next((each for each in self._kinds.get(kind, ()) if _matches_fields(each.where, whole)), None)
        if event is None:
            if kind in self._kinds:
                raise Unfilled(f"of the events {visible(kind)!r} of the mapping none fits it by its where")
            hint = nearest(kind, tuple(self._kinds)) or "name it in an [[event]], or in ignore"
            raise Unfilled(f"the mapping has no event {visible(kind)!r}; {hint}")
        self._at = self._parse_moment(whole)
        before, labels = len(self._facts), dict(self._labels)
        try:
            for place, fact in enumerate(event.fact, 1):
                for line in _expand_items(fact, whole):
                    asked = field_at_path(tuple(fact["if"].split(".")), line) if "if" in fact else True
                    if _matches_fields(fact.get("where", {}), line) and asked not in (None, False, "", [], {}):
                        self._add_fact(number, fact, line, f"fact {place} of {kind!r}, {fact['type']}")
        except Unfilled:
            del self._facts[before:]
            self._labels = labels
            raise

    def _add_fact(self, number: int, fact: dict[str, Any], line: Line, called: str) -> None:
        try:
            made = {name: self._fill_field(name, value, line) for name, value in fact.items() if name not in OWN}
            event = {"type": fact["type"]} | {name: each for name, each in made.items() if each is not MISSING}
            opening.parse_event(event)
        except Malformed as error:
            hint = "; {field:name} makes one" if error.reason.endswith("is not an id") else ""
            raise Unfilled(f"{called}: {error.field}: {error.reason}{hint}") from None
        except Unfilled as error:
            raise Unfilled(f"{called}: {error}") from None
        self._facts.append(Fact(event, self._at, (number,)))
        if (label := fill_blanks(fact.get("as", MISSING), line)) is not MISSING:
            self._labels[str(label)] = len(self._facts) - 1 + FIRST

    def _fill_field(self, name: str, value: Any, line: Line) -> Any:
        """Return the value of a fact's field: with its blanks filled, or the record of a label, `@label`."""
        found = fill_blanks(value, line)
        if name in REFERENCE_FIELDS and isinstance(found, str):
            label = found.removeprefix("@").removesuffix("?")
            if label not in self._labels and not found.endswith("?"):
                raise Unfilled(f"{name}: no fact before it is called {label!r}; @{label}? may be missing")
            return self._labels.get(label, MISSING)
        return found

    def _parse_moment(self, line: Line) -> str:
        """Return the moment of a line: seconds since 1970, or ISO 8601, in UTC where it names no zone; that of the line before where it has none."""
        if not self._mapping.time:
            return self._at
        said = field_at_path(tuple(self._mapping.time.split(".")), line)
        if said is not None and (found := parse_moment(said)) is None:
            says = f"{self._mapping.time} is {str(said)[:SHOWN]!r}, neither seconds since 1970 nor an ISO 8601 moment"
            raise Unfilled(says)
        return self._at if said is None else str(found)


def _look_up(table: dict[str, Any], key: object) -> Any:
    """Return the value that a table of a mapping has for a key; true and false are looked up as the words true and false."""
    return table.get(str(key).lower() if isinstance(key, bool) else str(key))


def _parse_object(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except json.JSONDecodeError as error:
        raise Unfilled(f"it is not JSON: {error.msg[:1].lower()}{error.msg[1:]} at column {error.pos + 1}") from None
    except (ValueError, RecursionError):  # no UTF-8, a number of too many digits, or too many brackets in one another
        raise Unfilled("it is not JSON that can be read") from None
    if not isinstance(found, dict):
        raise Unfilled("it is no JSON object")
    return found


def _matches_fields(where: dict[str, Any], line: Line) -> bool:
    """Say whether the fields of a line have these values, or one of those in a list."""
    for name, wanted in where.items():
        found = field_at_path(tuple(name.split(".")), line)
        if found not in wanted if isinstance(wanted, list) else found != wanted:
            return False
    return True


def _expand_items(fact: dict[str, Any], line: Line) -> Iterator[Line]:
    """Yield the line, or of each item of the list in its field `each` the fields before those of the line; an item that is none is `item`."""
    if "each" not in fact:
        yield line
        return
    found = field_at_path(tuple(fact["each"].split(".")), line)
    if not isinstance(found, list):
        raise Unfilled(f"{fact['each']} is no list, of whose items a fact is to be made each")
    for one in found:
        yield line._replace(fields=((one if isinstance(one, dict) else {"item": one}), *line.fields))


def _how_often(says: str, where: list[int]) -> str:
    more = f" (and {len(where) - 1} more such, the last in line {where[-1]})" if where[1:] else ""
    return visible(f"{shorten_message(says)}{more}")
