"""Events of an engine as JSON lines, turned into facts by a mapping: each line becomes the facts of the mapping, or a problem."""

import json
import re
from collections import ChainMap
from collections.abc import Iterator, Mapping as Table
from pathlib import Path
from typing import Any, NamedTuple

from encounterlog.importers import mapping as mappings
from encounterlog.importers.mapping import BLANK, NAME, OWN, SHOWN, Blank, Facts, Mapping, quote_value, shorten_message
from encounterlog.importers.sources import Limits, read_lines
from encounterlog.importers.transcript import BadSource, Fact, Problem, Transcript
from encounterlog.importers.words import Ids, parse_moment
from encounterlog.log import opening
from encounterlog.places.time_and_chance import current_time
from eventstore.errors import Malformed
from eventstore.form import REFERENCE_FIELDS
from eventstore.record import Draft
from eventstore.shapes import LARGEST
from eventstore.wording import nearest, visible
from projections.judging.refusals import find_refusals
from projections.replay.replay import empty_state

LIMITS = Limits(line=1 << 22, lines=2_000_000, size=2 << 30)
FIRST = 2  # the record that the first fact becomes: record 1 opens the log
MISSING: Any = object()
"""The filling of a blank whose field is missing, if that is allowed: the value around it is left out."""
_PLACE = re.compile(r"[0-9]{1,15}")


class Unfilled(Exception):
    """The error that a line cannot become the facts of the mapping."""


class Line(NamedTuple):
    """The source of fillings: the fields of a list's item and those of its line; the tables of words, and the names so far."""

    fields: tuple[Table[str, Any], ...]
    words: Table[str, Table[str, Any]]
    ids: Ids

    def at(self, path: str | tuple[str, ...]) -> Any:
        """Return the value at a path, in the first of the fields that has its first key; None if there is none."""
        steps = tuple(path.split(".")) if isinstance(path, str) else path
        found: Any = next((one for one in self.fields if steps[0] in one), {})
        for step in steps:
            if isinstance(found, Table):
                found = found.get(step)
            elif isinstance(found, list) and _PLACE.fullmatch(step) and int(step) < len(found):
                found = found[int(step)]
            else:
                return None
        return found

    def look_up(self, table: str, key: object) -> Any:
        """Return what a table has for a key, as a name of the log for an id; true and false are the words true and false."""
        if not isinstance(key, str | int | float) or (table == NAME and isinstance(key, bool | float)):
            return None
        word = str(key).lower() if isinstance(key, bool) else str(key)
        return self.ids.meet(word, word) if table == NAME else self.words[table].get(word)

    def matches(self, where: dict[str, Any]) -> bool:
        """Say whether the fields have these values, or one of those in a list."""
        return all(
            self.at(name) in wanted if isinstance(wanted, list) else self.at(name) == wanted
            for name, wanted in where.items()
        )

    def items(self, fact: dict[str, Any]) -> Iterator["Line"]:
        """Yield the line, or of each item of the list in the field `each` of a fact the fields before those of the line; an item that
        is no object is `item`.
        """
        if "each" not in fact:
            yield self
        elif isinstance(found := self.at(fact["each"]), list):
            for one in found:
                yield self._replace(fields=((one if isinstance(one, dict) else {"item": one}), *self.fields))
        else:
            raise Unfilled(f"{fact['each']} is no list, of whose items a fact is to be made each")


def read(source: Path, *, mapping: Path, ruleset: str = "") -> Transcript:
    """Turn an engine's JSON lines into facts by a mapping; raise BadSource if a line cannot be read, or nothing fits the mapping."""
    said = mappings.read_mapping(mapping, ruleset)
    refused: dict[int, str] = {}
    while more := _refused_lines(done := _Pass(said, source, refused).transcribe_all()):
        refused |= more  # what needs a fact of these lines fails in the next pass
    return done


def _refused_lines(done: Transcript) -> dict[int, str]:
    state = empty_state(opening.make_opening(opening.ruleset_named(done.ruleset), done.title, done.options))
    found: dict[int, str] = {}
    for one in find_refusals(state, [Draft(opening.parse_event(fact.event)) for fact in done.facts], FIRST - 1):
        fact, hint = done.facts[one.place], f"; {one.hint}" if one.hint else ""
        found.setdefault(fact.lines[0], f"{fact.event['type']}: {one.field}: {one.reason}{hint}")
    return found


class _Pass:
    """One pass over the lines, but for those of which a log would refuse a fact."""

    def __init__(self, mapping: Mapping, source: Path, refused: dict[int, str]) -> None:
        self._mapping, self._source, self._refused = mapping, source, refused
        self._ids = Ids()
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
            first = next((f": line {where[0]}: {says}" for says, where in self._problems.items()), f", of {number}")
            raise BadSource(f"has no line of which the mapping makes a fact{shorten_message(first)}")
        problems = []
        for says, where in self._problems.items():
            more = f" (and {len(where) - 1} more such, the last in line {where[-1]})" if where[1:] else ""
            problems.append(Problem(where[0], visible(f"{shorten_message(says)}{more}")))
        title, rules = self._mapping.title or self._source.name, self._mapping.ruleset
        states = [one.event["type"] for one in self._facts].count("checked")
        found = Transcript(title, rules, self._facts, sorted(problems), states, ignored=self._ignored)
        return found._replace(options=self._mapping.options)

    def _transcribe_line(self, number: int, data: bytes) -> None:
        if number in self._refused:
            raise Unfilled(self._refused[number])
        whole = Line((_parse_object(data),), self._mapping.words, self._ids)
        if (event := self._event_of(whole)) is None:
            self._ignored += 1
            return
        self._at = self._parse_moment(whole)
        made, labels = list[Fact](), ChainMap[str, int]({}, self._labels)
        for place, fact in enumerate(event.fact, 1):
            for line in whole.items(fact):
                asked = line.at(fact["if"]) if "if" in fact else True
                if line.matches(fact.get("where", {})) and asked not in (None, False, "", [], {}):
                    called = f"fact {place} of {event.kind!r}, {fact['type']}"
                    made.append(Fact(_make_event(fact, line, labels, called), self._at, (number,)))
                    if (label := fill_blanks(fact.get("as", MISSING), line)) is not MISSING:
                        labels[str(label)] = FIRST - 1 + len(self._facts) + len(made)
        self._facts += made
        self._labels |= labels.maps[0]

    def _event_of(self, line: Line) -> Facts | None:
        kind = line.at(self._mapping.kind)
        if not isinstance(kind, str):
            what = "no" if kind is None else "no text in"
            raise Unfilled(f"it has {what} {self._mapping.kind}, which gives a line's kind")
        if kind in self._mapping.ignore:
            return None
        of_kind = [each for each in self._mapping.event if each.kind == kind]
        if found := next((each for each in of_kind if line.matches(each.where)), None):
            return found
        if of_kind:
            raise Unfilled(f"of the events {visible(kind)!r} of the mapping none fits it by its where")
        kinds = dict.fromkeys(each.kind for each in self._mapping.event)
        hint = nearest(kind, kinds) or "name it in an [[event]], or in ignore"
        raise Unfilled(f"the mapping has no event {visible(kind)!r}; {hint}")

    def _parse_moment(self, line: Line) -> str:
        """Return the moment of a line: seconds since 1970, or ISO 8601, in UTC where it names no zone; that of the line before where it has none."""
        said = line.at(self._mapping.time) if self._mapping.time else None
        if said is None:
            return self._at
        if found := parse_moment(said):
            return found
        says = f"{self._mapping.time} is {str(said)[:SHOWN]!r}, neither seconds since 1970 nor an ISO 8601 moment"
        raise Unfilled(says)


def _make_event(fact: dict[str, Any], line: Line, labels: Table[str, int], called: str) -> dict[str, Any]:
    try:
        made = {name: _fill_field(name, value, line, labels) for name, value in fact.items() if name not in OWN}
        event = {"type": fact["type"]} | {name: each for name, each in made.items() if each is not MISSING}
        opening.parse_event(event)
    except Malformed as error:
        hint = "; {field:name} makes one" if error.reason.endswith("is not an id") else ""
        raise Unfilled(f"{called}: {error.field}: {error.reason}{hint}") from None
    except Unfilled as error:
        raise Unfilled(f"{called}: {error}") from None
    return event


def _fill_field(name: str, value: Any, line: Line, labels: Table[str, int]) -> Any:
    found = fill_blanks(value, line)
    if name not in REFERENCE_FIELDS or not isinstance(found, str):
        return found
    label = found.removeprefix("@").removesuffix("?")
    if label not in labels and not found.endswith("?"):
        raise Unfilled(f"{name}: no fact before it is called {label!r}; @{label}? may be missing")
    return labels.get(label, MISSING)


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


def fill_blanks(value: Any, line: Line) -> Any:
    """Return a value of a mapping with its blanks filled, MISSING where it is left out; raise Unfilled. A text that is one blank
    becomes the value itself, a number or a list too; in a longer text the blank becomes text.
    """
    if isinstance(value, str):
        return _fill_text(value, line)
    if isinstance(value, dict):
        found: dict[str, Any] = {}
        for name, each in value.items():
            key, inside = _fill_text(name, line), fill_blanks(each, line)
            if key is MISSING or inside is MISSING:
                continue
            if str(key) in found:
                raise Unfilled(f"{quote_value(key)} is there twice, the second time as {quote_value(name)}")
            found[str(key)] = inside
        return found if found or not value else MISSING
    if isinstance(value, list):
        return [each for each in (fill_blanks(one, line) for one in value) if each is not MISSING]
    return value


def _fill_text(text: str, line: Line) -> Any:
    values = [_fill_blank(blank, line) for blank in mappings.blanks_in(text)]
    if MISSING in values:
        return MISSING
    if BLANK.fullmatch(text):
        return values[0]
    rest = iter(values)
    return BLANK.sub(lambda _: str(next(rest)), text)


def _fill_blank(blank: Blank, line: Line) -> Any:
    found = [line.at(one.path) if one.path else one.number for one in blank.terms]
    if None in found:
        if blank.may_be_missing:
            return MISSING
        path = blank.terms[found.index(None)].path
        raise Unfilled(f"it has no {'.'.join(path)}, which the mapping asks for as {{{blank.text}}}")
    value = found[0] if len(found) == 1 and blank.terms[0].sign > 0 else _sum_values(blank, found)
    if not blank.table:
        return value
    looked_up = [line.look_up(blank.table, each) for each in (value if isinstance(value, list) else [value])]
    if None in looked_up:
        raise Unfilled(f"{quote_value(value)} is not in words.{blank.table}, in which {{{blank.text}}} looks it up")
    return looked_up if isinstance(value, list) else looked_up[0]


def _sum_values(blank: Blank, values: list[Any]) -> int | float:
    total: int | float = 0
    for one, value in zip(blank.terms, values, strict=True):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not abs(value) <= LARGEST:  # NaN is not
            of = f"{{{blank.text}}}"
            wants = f"too large a number for {of}" if is_number else f"no number, which {of} needs"
            raise Unfilled(f"{'.'.join(one.path)} is {quote_value(value)}, {wants}")
        total += one.sign * value
    return total
