"""A mapping from an engine's kinds of events to facts, read from TOML and checked before any line is read."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from datetime import date, time
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from encounterlog.importers.mapped.blanks import BadBlank, blanks_in, shorten_message
from encounterlog.importers.transcript import BadSource
from encounterlog.log import opening
from encounterlog.log.campaigns import read_text
from eventstore.events import TAGS, Amended, EncounterOpened, Inserted, Struck
from eventstore.files import system_message
from eventstore.form import DEEPEST, REFERENCE_FIELDS
from eventstore.shapes import Text
from eventstore.wording import nearest

NAME = "name"
"""The table that gives each id of the engine a name of the log."""
TYPES = {tag: kind for tag, kind in TAGS.items() if kind not in (EncounterOpened, Struck, Amended, Inserted)}
"""The types of facts that an event of an engine may become."""
OWN = ("type", "as", "each", "if", "where")
"""The fields of a fact in a mapping that are no fields of the fact."""


class Facts(Struct, forbid_unknown_fields=True):
    """The facts that an event becomes: of the `kind`, with these values (`where`)."""

    kind: str
    where: dict[str, Any] = {}
    fact: list[dict[str, Any]] = []


class Mapping(Struct, forbid_unknown_fields=True):
    """A mapping. `kind` is the field of a line with its kind, `time` that with its moment; lines of kinds in `ignore` are left out."""

    kind: str
    event: list[Facts]
    ruleset: str = ""
    title: Text = ""
    time: str = ""
    ignore: list[str] = []
    options: dict[str, str] = {}
    words: dict[str, dict[str, Any]] = {}


def read_mapping(path: Path, ruleset: str = "") -> Mapping:
    """Read a mapping and check it for its ruleset, or this one; raise BadSource with the line and a hint."""
    try:
        text = read_text(path).replace("\r\n", "\n")
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        raise BadSource(f"the mapping {path} cannot be read: {system_message(error)}") from None
    page = _Page(path, text)
    page.check_values(page.tables, ())
    try:
        found = msgspec.convert(page.tables, Mapping)
    except msgspec.ValidationError as error:
        raise page.error_in_value(str(error)) from None
    _check_events(found, page)
    found.ruleset = ruleset or found.ruleset
    if not found.ruleset:
        raise BadSource(f"the mapping {path} names no ruleset", 'ruleset = "plain" at its top, or --ruleset plain')
    rules = opening.ruleset_named(found.ruleset)
    found.options = opening.parse_options(rules, tuple(f"{name}={value}" for name, value in found.options.items()))
    sheet = tuple(one.encode_name for one in msgspec.structs.fields(rules.sheet))
    for number, event in enumerate(found.event):
        for which, fact in enumerate(event.fact):
            if says := next(_mapping_faults(fact, found, sheet), None):
                raise page.error_in_fact(number, which, *says)
    return found


class _Page:
    """The text of a mapping, in which the lines of its tables are looked up."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text = path, text
        try:
            self.tables = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise BadSource(f"the mapping {path} is not TOML: {error}") from None
        except RecursionError:
            raise BadSource(f"the mapping {path} is nested deeper than {DEEPEST} levels") from None
        except ValueError:
            raise BadSource(f"the mapping {path} has a number of more digits than can be read") from None

    def check_values(self, value: Any, steps: tuple[int | str, ...]) -> None:
        """Raise BadSource for values that TOML has and no fact can hold: dates and times, infinity and NaN, deep nesting."""
        if isinstance(value, date | time):  # a datetime is a date
            raise self._error_at(steps, "expected a text, got a date or a time", f'"{value}" is a text')
        if isinstance(value, float) and not isfinite(value):
            raise self._error_at(steps, f"{value} is not a number", "leave it out")
        if isinstance(value, dict | list):
            if len(steps) >= DEEPEST:
                raise BadSource(f"the mapping {self.path} is nested deeper than {DEEPEST} levels")
            for step, each in value.items() if isinstance(value, dict) else enumerate(value):
                self.check_values(each, (*steps, step))

    def error_in_fact(self, event: int, fact: int, says: str, hint: str = "") -> BadSource:
        """Return the error of an event's fact, both counted from 0; a fact of -1 is the event itself."""
        given = self.tables["event"][event]
        called = f"the event {given['kind']!r}" if isinstance(given, dict) and "kind" in given else f"event {event + 1}"
        what = f"fact {fact + 1} of {called.removeprefix('the event ')}" if fact >= 0 else called
        said = f"the mapping {self.path}{self._line_of_table(event, fact)}: {what[:80]}: {shorten_message(says)}"
        return BadSource(said, hint or "nothing was written")

    def _line_of_table(self, event: int, fact: int) -> str:
        """Return where a table begins, as far as it has a head of its own."""
        at = -1, -1
        for number, line in enumerate(self.text.split("\n"), 1):
            if head := re.match(r"\s*\[\[\s*event\s*(\.\s*fact\s*)?\]\]", line):
                at = (at[0], at[1] + 1) if head[1] else (at[0] + 1, -1)
                if at == (event, fact):
                    return f", line {number}"
        return ""

    def error_in_value(self, error: str) -> BadSource:
        """Return the error for msgspec's complaint about a value: with its fact or event and the line of that, or its path from the top."""
        says, _, path = error.partition(" - at `$")
        steps = tuple(int(number) if number.isdigit() else name or "…" for name, number in _STEP.findall(path))
        return self._error_at(steps, says[:1].lower() + says[1:])

    def _error_at(self, steps: tuple[int | str, ...], says: str, hint: str = "") -> BadSource:
        """Return the error for the value to which steps lead."""
        match steps:
            case ("event", int(event), "fact", int(fact), *inside):
                return self.error_in_fact(event, fact, _prefix_path(inside, says), hint or _hint_for(says, Facts))
            case ("event", int(event), *inside):
                return self.error_in_fact(event, -1, _prefix_path(inside, says), hint or _hint_for(says, Facts))
        return BadSource(
            f"the mapping {self.path}: {shorten_message(_prefix_path(steps, says))}", hint or _hint_for(says, Mapping)
        )


_STEP = re.compile(r"\.(\w+)|\[(\d+|\.{3})\]")
"""A step in a path as msgspec writes it: a field, or the number of an item; a key of a table, which it does not name."""


def _prefix_path(steps: Sequence[int | str], says: str) -> str:
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")
    return f"{path}: {says}" if path else says


def _hint_for(says: str, of: type[Struct]) -> str:
    fields = of.__struct_fields__
    if found := re.search("unknown field `(.+)`", says):
        return nearest(found[1], fields) or f"there are {', '.join(fields)}"
    return 'a mapping has at least kind = "…" and one [[event]] with its kind and [[event.fact]] tables'


def _mapping_faults(fact: dict[str, Any], mapping: Mapping, sheet: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the errors in a mapping's fact, each with a hint; `sheet` are the fields of sheets in its ruleset."""
    tag = str(fact.get("type", ""))
    if tag not in TYPES:
        says = f"{tag!r} is no type of fact" if tag else "it has no type"
        yield says, " ".join((nearest(tag, tuple(TYPES)), "encounter schema lists the types of facts")).strip()
        return
    fields = msgspec.structs.fields(TYPES[tag])
    names = tuple(one.encode_name for one in fields)
    for name in fact:
        if name not in names and name not in OWN:
            yield f"{tag} has no field {name!r}", nearest(name, names) or f"there are {', '.join(names)}"
    for one in fields:
        if one.required and one.encode_name not in fact:
            yield f"it has no {one.encode_name}, which every {tag} has", f'{one.encode_name} = "{{field}}"'
    for own, kind in (("as", str), ("each", str), ("if", str), ("where", dict)):
        if own in fact and not isinstance(fact[own], kind):
            yield f"{own} is {'a text' if kind is str else 'a table of fields and values'}", ""
    said = fact.get("sheet")
    for name in said if isinstance(said, dict) else ():
        if name not in sheet and "{" not in name:
            says = f"a sheet of {mapping.ruleset} has no field {name!r}"
            yield says, nearest(name, sheet) or f"there are {', '.join(sheet)}"
    yield from _wrong_labels(fact, mapping)
    yield from _wrong_blanks(fact, mapping)


def _wrong_labels(fact: dict[str, Any], mapping: Mapping) -> Iterator[tuple[str, str]]:
    labels = tuple(each["as"] for event in mapping.event for each in event.fact if isinstance(each.get("as"), str))
    for name in sorted(REFERENCE_FIELDS & fact.keys()):
        said = fact[name]
        if not isinstance(said, str) or not said.startswith("@"):
            yield f"{name} is {said!r}, no other fact", f'{name} = "@label", where another fact has as = "label"'
        elif _label_pattern(label := said[1:].removesuffix("?")) not in map(_label_pattern, labels):
            hint = nearest(label, labels) or f"there are {', '.join(labels) or 'none'}"
            yield f"{name}: no fact has as = {label!r}", hint


def _label_pattern(label: str) -> str:
    return re.sub(r"\{[^{}]*\}", "{}", label)


def _wrong_blanks(fact: dict[str, Any], mapping: Mapping) -> Iterator[tuple[str, str]]:
    tables = (NAME, *mapping.words)
    for text in _all_texts({name: each for name, each in fact.items() if name not in ("type", "each", "if", "where")}):
        try:
            for blank in blanks_in(text):
                if blank.table and blank.table not in tables:
                    says = f"{{{blank.text}}} looks up in words.{blank.table}, which is not there"
                    yield says, nearest(blank.table, tables) or f"there are {', '.join(tables)}"
        except BadBlank as error:
            yield str(error), "a blank is {field}, {field?}, {a - b}, {field:table} or {field.of.a.field}"


def _all_texts(value: Any) -> Iterator[str]:
    """Yield every text in a value, the keys of its tables too."""
    if isinstance(value, str):
        yield value
    for each in value.items() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _all_texts([*each] if isinstance(each, tuple) else each)


def _check_events(found: Mapping, page: _Page) -> None:
    here = f"the mapping {page.path}:"
    if not found.kind:
        raise BadSource(f"{here} kind names no field", 'kind = "event", where lines have "event": "turn"')
    if NAME in found.words:
        says = f"{here} words.{NAME} is taken: {{field:{NAME}}} makes a name of the log"
        raise BadSource(says, "call it otherwise")
    for number, event in enumerate(found.event):
        if event.kind in found.ignore:
            raise page.error_in_fact(number, -1, "its kind is also in ignore", "leave out one of the two")
        if not event.fact:
            raise page.error_in_fact(number, -1, "it becomes no facts", "[[event.fact]], or its kind in ignore")
