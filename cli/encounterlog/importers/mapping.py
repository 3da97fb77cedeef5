"""A mapping from an engine's kinds of events to facts, read from TOML and checked before any line is read.

A value has blanks, which a line of the source fills: `{field}`, `{field?}` where the field may be missing, `{a - b + 1}`, or
`{field:words}`, which looks the value up. A field of a field is `{target.id}`, a place of a list `{targets.0}`, a key with other
characters `{"hit points"}`.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from datetime import date, time
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from encounterlog.importers.transcript import NOTHING_WRITTEN, BadSource
from encounterlog.log import opening
from encounterlog.log.campaigns import read_text
from eventstore.events import TAGS, Amended, EncounterOpened, Inserted, Struck
from eventstore.files import system_message
from eventstore.form import DEEPEST, REFERENCE_FIELDS
from eventstore.shapes import Text
from eventstore.wording import nearest

NAME = "name"  # the table that gives each id of the engine a name of the log
TYPES = {tag: kind for tag, kind in TAGS.items() if kind not in (EncounterOpened, Struck, Amended, Inserted)}
"""The types of facts that an event of an engine may become."""
OWN = {"type": str, "as": str, "each": str, "if": str, "where": dict}
"""The fields of a fact in a mapping that are no fields of the fact."""
SHOWN, LONGEST = 60, 300  # the most characters of a value that a message shows, and of a message
BLANK = re.compile(r"\{([^{}]*)\}")
_TERM = re.compile(
    r'\s*(?:(?P<sign>[+-])\s*)?(?:(?P<number>[0-9]{1,15})|(?P<path>(?:"[^"]*"|\w+)(?:\.(?:"[^"]*"|\w+))*))\s*'
)
_KEY = re.compile(r'"([^"]*)"|(\w+)')
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.{3})\]")
"""A step in a path as msgspec writes it: a field, or the number of an item; a key of a table, which it does not name."""
_HEAD = re.compile(r"\s*\[\[\s*event\s*(\.\s*fact\s*)?\]\]")

Steps = tuple[int | str, ...]


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


class Term(NamedTuple):
    """A field, by the keys that lead to it, or a number; added or taken away."""

    sign: int
    path: tuple[str, ...]
    number: int = 0


class Blank(NamedTuple):
    """A blank: its terms, whether it may be missing, and the table in which its value is looked up, if in any."""

    text: str
    terms: tuple[Term, ...]
    may_be_missing: bool = False
    table: str = ""


class _Fault(Exception):
    """An error in a mapping: the steps to its value, what is wrong, and a hint."""

    def __init__(self, steps: Steps, says: str, hint: str = "") -> None:
        super().__init__(says)
        self.steps, self.says, self.hint = steps, says, hint or NOTHING_WRITTEN


def read_mapping(path: Path, ruleset: str = "") -> Mapping:
    """Read a mapping and check it for its ruleset, or this one; raise BadSource with the line and a hint."""
    here = f"the mapping {path}"
    try:
        text = read_text(path).replace("\r\n", "\n")
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        raise BadSource(f"{here} cannot be read: {system_message(error)}") from None
    try:
        tables = tomllib.loads(text)
        return _check_mapping(tables, here, ruleset)
    except tomllib.TOMLDecodeError as error:
        raise BadSource(f"{here} is not TOML: {error}") from None
    except _Fault as fault:
        raise BadSource(f"{here}{_locate_fault(fault, tables, text)}", fault.hint) from None
    except RecursionError:
        raise BadSource(f"{here} is nested deeper than {DEEPEST} levels") from None
    except ValueError:  # of the reader of TOML, which has no error of its own for it
        raise BadSource(f"{here} has a number of more digits than can be read") from None


def _check_mapping(tables: dict[str, Any], here: str, ruleset: str) -> Mapping:
    _check_values(tables, ())
    found = _convert_tables(tables)
    found.ruleset = ruleset or found.ruleset
    if not found.ruleset:
        raise BadSource(f"{here} names no ruleset", 'ruleset = "plain" at its top, or --ruleset plain')
    rules = opening.ruleset_named(found.ruleset)
    found.options = opening.parse_options(rules, tuple(f"{name}={value}" for name, value in found.options.items()))
    for number, event in enumerate(found.event):
        for which, fact in enumerate(event.fact):
            if says := next(_mapping_faults(fact, found, rules.sheet), None):
                raise _Fault(("event", number, "fact", which), *says)
    return found


def _check_values(value: Any, steps: Steps) -> None:
    """Raise _Fault for values that TOML has and no fact can hold: dates and times, infinity and NaN; RecursionError for deep nesting."""
    if isinstance(value, date | time):  # a datetime is a date
        raise _Fault(steps, "expected a text, got a date or a time", f'"{value}" is a text')
    if isinstance(value, float) and not isfinite(value):
        raise _Fault(steps, f"{value} is not a number", "leave it out")
    if isinstance(value, dict | list):
        if len(steps) >= DEEPEST:
            raise RecursionError
        for step, each in value.items() if isinstance(value, dict) else enumerate(value):
            _check_values(each, (*steps, step))


def _convert_tables(tables: dict[str, Any]) -> Mapping:
    """Return the mapping in these tables; raise _Fault for a wrong value, and for an event that can become nothing."""
    try:
        found = msgspec.convert(tables, Mapping)
    except msgspec.ValidationError as error:
        says, _, path = str(error).partition(" - at `$")
        steps = tuple(int(number) if number.isdigit() else name or "…" for name, number in _STEP.findall(path))
        fields = (Facts if steps[:1] == ("event",) != steps else Mapping).__struct_fields__
        hint = 'a mapping has at least kind = "…" and one [[event]] with its kind and [[event.fact]] tables'
        if unknown := re.search("unknown field `(.+)`", says):
            hint = nearest(unknown[1], fields) or f"there are {', '.join(fields)}"
        raise _Fault(steps, says[:1].lower() + says[1:], hint) from None
    if not found.kind:
        raise _Fault((), "kind names no field", 'kind = "event", where lines have "event": "turn"')
    if NAME in found.words:
        raise _Fault((), f"words.{NAME} is taken: {{field:{NAME}}} makes a name of the log", "call it otherwise")
    for number, event in enumerate(found.event):
        if event.kind in found.ignore:
            raise _Fault(("event", number), "its kind is also in ignore", "leave out one of the two")
        if not event.fact:
            raise _Fault(("event", number), "it becomes no facts", "[[event.fact]], or its kind in ignore")
    return found


def _locate_fault(fault: _Fault, tables: dict[str, Any], text: str) -> str:
    event = number = -1
    match fault.steps:
        case ("event", int(event), "fact", int(number), *inside):
            what = f"fact {number + 1} of "
        case ("event", int(event), *inside):
            what = ""
        case inside:
            what = ""
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in inside).removeprefix(".")
    says = shorten_message(f"{path}: {fault.says}" if path else fault.says)
    if event < 0:
        return f": {says}"
    given = tables["event"][event]
    if isinstance(given, dict) and "kind" in given:
        what = f"{what or 'the event '}{given['kind']!r}"
    else:
        what += f"event {event + 1}"
    return f"{_line_of_table(text, (event, number))}: {what[:80]}: {says}"


def _line_of_table(text: str, wanted: tuple[int, int]) -> str:
    event = fact = -1
    for number, line in enumerate(text.split("\n"), 1):
        if head := _HEAD.match(line):
            event, fact = (event, fact + 1) if head[1] else (event + 1, -1)
            if (event, fact) == wanted:
                return f", line {number}"
    return ""


def _mapping_faults(fact: dict[str, Any], mapping: Mapping, sheet: type[Struct]) -> Iterator[tuple[str, str]]:
    tag = str(fact.get("type", ""))
    if tag not in TYPES:
        says = f"{tag!r} is no type of fact" if tag else "it has no type"
        yield says, " ".join((nearest(tag, tuple(TYPES)), "encounter schema lists the types of facts")).strip()
        return
    names, of_sheet = ([one.encode_name for one in msgspec.structs.fields(each)] for each in (TYPES[tag], sheet))
    for name in fact:
        if name not in names and name not in OWN:
            yield f"{tag} has no field {name!r}", _nearest_or_all(name, names)
    for one in msgspec.structs.fields(TYPES[tag]):
        if one.required and one.encode_name not in fact:
            yield f"it has no {one.encode_name}, which every {tag} has", f'{one.encode_name} = "{{field}}"'
    for own, kind in OWN.items():
        if own != "type" and own in fact and not isinstance(fact[own], kind):
            yield f"{own} is {'a text' if kind is str else 'a table of fields and values'}", ""
    for name in said if isinstance(said := fact.get("sheet"), dict) else ():
        if name not in of_sheet and "{" not in name:
            yield f"a sheet of {mapping.ruleset} has no field {name!r}", _nearest_or_all(name, of_sheet)
    yield from _wrong_labels(fact, mapping)
    yield from _wrong_blanks(fact, (NAME, *mapping.words))


def _wrong_blanks(fact: dict[str, Any], tables: Sequence[str]) -> Iterator[tuple[str, str]]:
    for text in _all_texts({name: each for name, each in fact.items() if name == "as" or name not in OWN}):
        try:
            for blank in blanks_in(text):
                if blank.table and blank.table not in tables:
                    says = f"{{{blank.text}}} looks up in words.{blank.table}, which is not there"
                    yield says, _nearest_or_all(blank.table, tables)
        except ValueError as error:
            yield str(error), "a blank is {field}, {field?}, {a - b}, {field:table} or {field.of.a.field}"


def _nearest_or_all(word: str, words: Sequence[str]) -> str:
    return nearest(word, tuple(words)) or f"there are {', '.join(words) or 'none'}"


def _wrong_labels(fact: dict[str, Any], mapping: Mapping) -> Iterator[tuple[str, str]]:
    labels = [each["as"] for event in mapping.event for each in event.fact if isinstance(each.get("as"), str)]
    patterns = {BLANK.sub("{}", label) for label in labels}
    for name in sorted(REFERENCE_FIELDS & fact.keys()):
        said = fact[name]
        if not isinstance(said, str) or not said.startswith("@"):
            yield f"{name} is {said!r}, no other fact", f'{name} = "@label", where another fact has as = "label"'
        elif BLANK.sub("{}", label := said[1:].removesuffix("?")) not in patterns:
            yield f"{name}: no fact has as = {label!r}", _nearest_or_all(label, labels)


def _all_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for each in value.items() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _all_texts([*each] if isinstance(each, tuple) else each)


def blanks_in(text: str) -> Iterator[Blank]:
    """Yield the blanks of a text; raise ValueError for one without a form."""
    if re.search("[{}]", BLANK.sub("", text)):
        raise ValueError(f"{text!r} has a brace without its other one")
    yield from map(_parse_blank, BLANK.findall(text))


@cache
def _parse_blank(text: str) -> Blank:
    body, colon, table = (part.strip() for part in text.partition(":"))
    wrong, terms, at = ValueError(f"{quote_value(text)} is no blank"), list[Term](), 0
    may_be_missing, body = body.endswith("?"), body.removesuffix("?")
    while at < len(body):
        found = _TERM.match(body, at)
        if not found or (at and not found["sign"]):
            raise wrong
        keys = tuple(quoted or plain for quoted, plain in _KEY.findall(found["path"] or ""))
        terms.append(Term(-1 if found["sign"] == "-" else 1, keys, int(found["number"] or 0)))
        at = found.end()
    if (colon and not re.fullmatch(r"[\w-]+", table)) or not terms:
        raise wrong
    return Blank(text, tuple(terms), may_be_missing, table)


def quote_value(value: object) -> str:
    """Return a value as a message shows it."""
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def shorten_message(says: str) -> str:
    """Return a message of at most 300 characters."""
    return says if len(says) <= LONGEST else f"{says[: LONGEST - 1]}…"
