"""A ruleset's catalogue: its clauses and options as data, from the rules.toml in its folder.

That file is the only one that a projection reads; it is part of the program, like its code. It is read where rules are
cited or options chosen, not for a replay alone. Clauses and options are read strictly, and everything that they refer
to must exist; further tables ([[action]], [[resource]], …) are data for the ruleset's code.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from eventstore.events import NEWEST
from eventstore.paths import AnyPath, folder_of, name_of
from eventstore.wording import nearest, visible
from projections.open_types import Fields
from projections.ruleset.needs import Need
from projections.toml import read_copy, read_text

Row = TypeVar("Row", bound=Struct)
Kind = Literal["derive", "audit", "both", "gm"]
KINDS: tuple[Kind, ...] = ("derive", "audit", "both", "gm")
"""The kinds of clauses: one derives a value, audits (finds a breach), does both, or is left to the game master."""


class CatalogueError(ValueError):
    """An error in a catalogue, with its line and column (both from 1) and a hint."""

    def __init__(self, source: str, line: int, column: int, why: str, hint: str = "") -> None:
        self.source, self.line, self.column, self.why, self.hint = source, line, column, why, hint
        super().__init__(f"{source}, line {line}, column {column}: {why}")


class Option(Struct, frozen=True, forbid_unknown_fields=True):
    """An open point of the text, with its values (the first is the default) and their meanings.

    `silent` are the clauses whose findings may depend on a point about which the text is silent: in a log that does not
    state the option, these are reported only if they stand under each of its values. `earlier` are the options that
    this one replaced: each of their values, with the present value of the same meaning.
    """

    name: str
    values: tuple[str, ...]
    says: str
    rules: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    case: dict[str, str] = {}
    earlier: dict[str, dict[str, str]] = {}


class Clause(Struct, frozen=True, forbid_unknown_fields=True):
    """A clause in our words; `unclear` names the reading adopted."""

    id: str
    section: str
    says: str
    kind: Kind
    case: str
    breach: str = ""
    unclear: str = ""


class Catalogue(Struct, frozen=True):
    """A ruleset's text as data; `tables` are those that only its own code understands.

    `documents` are those that the text refers to and does not contain, by the first words of `unclear` in each clause
    that depends on one. `needs` name the fields that the facts of a log must have so that clauses can be judged.
    """

    catalogue: str
    ruleset: str
    rule: tuple[Clause, ...]
    option: tuple[Option, ...] = ()
    action: tuple[Fields, ...] = ()
    documents: dict[str, str] = {}
    needs: tuple[Need, ...] = ()
    tables: Fields = {}

    def find_option(self, name: str) -> Option | None:
        """Return the option of this name, or None."""
        return next((option for option in self.option if option.name == name), None)

    def clause(self, rule: str) -> Clause | None:
        """Return the clause of this id, or None."""
        return next((clause for clause in self.rule if clause.id == rule), None)

    def holds_under(self, rule: str) -> tuple[str, str] | None:
        """Return the option and value with which a clause begins, such as "2014: …"; it holds only under that value."""
        found = self.clause(rule)
        head, colon, _ = found.says.partition(":") if found else ("", "", "")
        names = (option.name for option in self.option if colon and head in option.values)
        return next(((name, head) for name in names), None)

    def document_needed(self, rule: str) -> str:
        """Return the document on which a clause depends and which the text does not contain; "" if there is none."""
        found = self.clause(rule) if self.documents else None
        return self.documents.get(found.unclear.partition(".")[0], "") if found else ""

    def documents_needed(self, rules: Iterable[str]) -> dict[str, str]:
        """Return the documents on which these rules depend and which the text does not contain, by rule."""
        return {rule: document for rule in sorted(set(rules)) if (document := self.document_needed(rule))}


@cache
def read_catalogue(path: AnyPath) -> Catalogue:
    """Read a rules.toml; raise CatalogueError if it is malformed, or refers to something that does not exist."""
    return parse_catalogue(read_text(path), f"{name_of(folder_of(path))}/{name_of(path)}", path)


def parse_catalogue(data: bytes, source: str, path: AnyPath | None = None) -> Catalogue:
    """Return a catalogue by the text of its rules.toml, or by an up-to-date copy; raise CatalogueError."""
    page = _decode_page(data, source)
    copy = read_copy(path, data, Fields) if path else None
    book = _convert_catalogue(page, copy or _tables(page))
    for table, place, words, why, hint in () if copy else _faults(book):
        raise page.error(page.find(table, place, *words), why, hint)
    return book


def table_rows(path: AnyPath, table: str, kind: type[Row]) -> tuple[Row, ...]:
    """Return the rows of a further table as this type, in their order; raise CatalogueError if one does not fit."""
    page, found = read_catalogue(path).tables.get(table, ()), list[Row]()
    for place, row in enumerate(page):
        try:
            found.append(msgspec.convert(row, kind))
        except msgspec.ValidationError as error:
            text = _decode_page(read_text(path), f"{name_of(folder_of(path))}/{name_of(path)}")
            raise _misfit(text, table, place, row, str(error), kind.__struct_fields__) from None
    return tuple(found)


@cache
def rows_by_name(path: AnyPath, table: str, kind: type[Struct]) -> dict[str, Any]:
    """Return the rows of a further table as this type, by name; raise CatalogueError if one does not fit."""
    rows: tuple[Any, ...] = table_rows(path, table, kind)
    return {row.name: row for row in rows}


def _misfit(page: "_Page", table: str, place: int, row: Fields, error: str, known: tuple[str, ...]) -> CatalogueError:
    """Return an error message of msgspec about a row as an error with its place."""
    says, _, path = error.partition(" - at `$.")
    unknown = re.search("unknown field `(.+)`", says)
    field = unknown[1] if unknown else path.strip("`")
    what = f"[[{table}]] {row.get('name', place + 1)}"
    if unknown:
        return page.error(page.find(table, place, field), f"{what}: no code reads {field}", hint_among(field, known))
    where = page.find(table, place, *field.split("."))
    return page.error(where, f"{what}{field and f', {field}'}: {says[:1].lower()}{says[1:]}")


class _Page(Struct, frozen=True):
    """The text of a catalogue, in which the places of errors are looked up."""

    source: str
    text: str

    def error(self, offset: int, why: str, hint: str = "") -> CatalogueError:
        """Return an error at an offset of the text."""
        line, column = self.text.count("\n", 0, offset) + 1, offset - self.text.rfind("\n", 0, offset)
        return CatalogueError(self.source, line, column, visible(why), hint)

    def entry_span(self, table: str, place: int) -> tuple[int, int]:
        """Return where an entry of a table begins and ends; the whole text if it has no head."""
        heads = list(re.finditer(r"^[ \t]*(\[\[\s*(\w+)\s*\]\])", self.text, re.MULTILINE))
        begins = [*(head.start(1) for head in heads), len(self.text)]
        found = [n for n, head in enumerate(heads) if head[2] == table]
        return (begins[found[place]], begins[found[place] + 1]) if place < len(found) else (0, len(self.text))

    def find(self, table: str, place: int, *words: str) -> int:
        """Return where the last of these words is in an entry, each searched for after the one before."""
        at, end = self.entry_span(table, place)
        for word in words:
            name = re.escape(word)
            patterns = (rf'^[ \t]*("?{name}"?)\s*=', rf"^[ \t]*\[\w+\.({name})\]", rf"(?<![\w.-])({name})(?![\w.-])")
            found = (re.compile(each, re.MULTILINE).search(self.text, at, end) for each in patterns)
            at = next((match.start(1) for match in found if match), at)
        return at


# ---------------------------------------------------------------- from bytes to a catalogue


def _decode_page(data: bytes, source: str) -> _Page:
    try:
        return _Page(source, data.decode("utf-8").replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        raise _Page(source, before).error(len(before), "this is not UTF-8") from None


def _tables(page: _Page) -> Fields:
    try:
        return msgspec.toml.decode(page.text)  # type: ignore[no-any-return]
    except msgspec.DecodeError as error:
        why, _, where = str(error).partition(" (at ")
        if found := re.match(r"line (\d+), column (\d+)", where):
            raise CatalogueError(page.source, int(found[1]), int(found[2]), visible(why)) from None
        raise page.error(len(page.text.rstrip()), why) from None


def _convert_catalogue(page: _Page, data: Fields) -> Catalogue:
    known = {name: value for name, value in data.items() if name in _FIELDS}
    further = {name: value for name, value in data.items() if name not in _FIELDS}
    for name, value in further.items():
        if not isinstance(value, dict | list):
            raise page.error(page.find("", 0, name), f"the catalogue has no field {name}", hint_among(name, _FIELDS))
    try:
        return msgspec.convert(known | {"tables": further}, Catalogue)
    except msgspec.ValidationError as error:
        raise _error_in_catalogue(page, data, str(error)) from None


_FIELDS = tuple(name for name in Catalogue.__struct_fields__ if name != "tables")
_ENTRIES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "rule": ("clause", "id", Clause.__struct_fields__),
    "option": ("option", "name", Option.__struct_fields__),
    "needs": ("row of needs", "says", Need.__struct_fields__),
}
"""For each table: the word for an entry, the field that identifies it, and its fields."""


def _error_in_catalogue(page: _Page, data: Fields, error: str) -> CatalogueError:
    """Return an error message of msgspec about clauses or options as an error with its place."""
    says, _, path = error.partition(" - at `$")
    found = re.match(r"\.(rule|option|needs)\[(\d+)\]\.?(\w*)", path) or re.match(r"()()\.?(\w*)", path)
    table, place, field = (found[1], int(found[2] or 0), found[3]) if found else ("", 0, "")
    what, by, fields = _ENTRIES.get(table, ("catalogue", "", _FIELDS))
    entry = data[table][place] if table else {}
    called = f"the {what} {entry[by]}" if isinstance(entry, dict) and by in entry else f"the {what}"
    if missing := re.search("required field `(.+)`", says):
        return page.error(page.find(table, place), f"{called} has no {missing[1]}")
    if unknown := re.search("unknown field `(.+)`", says):
        at = page.find(table, place, unknown[1])
        return page.error(at, f"{called} has an unknown field {unknown[1]}", hint_among(unknown[1], fields))
    if field == "kind":
        hint = f"a kind is one of {', '.join(KINDS)}"
        return page.error(page.find(table, place, field), f"{called} is of the kind {entry['kind']!r}", hint)
    hint = f"an entry begins with [[{field}]]" if not table and "`array`" in says else ""
    where = page.find(table, place, *([field] if field else ()))
    return page.error(where, f"{called}{f', {field}' if field else ''}: {says[:1].lower()}{says[1:]}", hint)


def hint_among(word: str, known: Iterable[str]) -> str:
    """Return a hint for an unknown word: the nearest known one, else the first of them."""
    words = tuple(known)
    return nearest(word, words) or f"there are {', '.join(words[:12]) or 'none'}"


# ---------------------------------------------------------------- whether what it refers to exists

_Fault = tuple[str, int, tuple[str, ...], str, str]
"""What is wrong in an entry: its table and its place there, the words to look for in it, the fault and a hint."""


def _faults(book: Catalogue) -> Iterator[_Fault]:
    yield from _doubled_names(book)
    rules, options = [clause.id for clause in book.rule], {option.name: option for option in book.option}
    for place, clause in enumerate(book.rule):
        if not clause.says.strip():
            yield "rule", place, ("says",), f"the clause {clause.id} says nothing", ""
        for name in re.findall(r"option: ([\w-]+)", clause.unclear):
            if name not in options:
                why = f"the clause {clause.id} names an unknown option {name}"
                yield "rule", place, ("unclear", name), why, hint_among(name, options)
    for place, option in enumerate(book.option):
        yield from _faults_of_option(option, place, rules)
    for place, row in enumerate(book.action):
        if not isinstance(row.get("kind", row.get("name")), str):
            hint = 'kind = "…", or name = "…" where facts name it by no kind of its own'
            yield "action", place, ("kind",), "an action has no kind that is text", hint
    for place, need in enumerate(book.needs):
        yield from _faults_of_need(need, place, rules, options)


def _doubled_names(book: Catalogue) -> Iterator[_Fault]:
    """Yield the ids and names that occur twice; clauses and options share one namespace."""
    seen: set[str] = set()
    entries = [("rule", place, "id", clause.id) for place, clause in enumerate(book.rule)]
    entries += [("option", place, "name", option.name) for place, option in enumerate(book.option)]
    for table, place, field, word in entries:
        if word in seen:
            yield table, place, (field,), f"{word} occurs twice", "clauses and options share one namespace"
        seen.add(word)


def _faults_of_option(option: Option, place: int, rules: list[str]) -> Iterator[_Fault]:
    called, others = f"the option {option.name}", option.values[1:]
    if not option.says.strip():
        yield "option", place, ("says",), f"{called} says nothing", ""
    if len(option.values) < 2 or len(set(option.values)) < len(option.values):
        hint = "at least two, each once; the first by default"
        yield "option", place, ("values",), f"{called} has no choice of values", hint
    for field, says in (("rules", "is a reading of"), ("silent", "may decide findings of")):
        for rule in getattr(option, field):
            if rule not in rules:
                why = f"{called} {says} {rule}, which is not a clause"
                yield "option", place, (field, rule), why, hint_among(rule, rules)
    for value in option.case:
        if value not in others:
            why = f"{called} has a case of {value}, which is not one of its other values"
            yield "option", place, (value,), why, hint_among(value, others)
    for value in others:
        if value not in option.case:
            yield "option", place, (), f"{called} has no case of {value}", ""


def _faults_of_need(need: Need, place: int, rules: list[str], options: dict[str, Option]) -> Iterator[_Fault]:
    """Yield the names in a row of needs that do not exist; its paths are checked in proving/loading.py."""
    called = f"row {place + 1} of needs"
    for field in ("facts", "rules", "says"):
        if not getattr(need, field):
            yield "needs", place, (field,), f"{called} has no {field}", ""
    named = (("clause", need.rules, rules), ("type of fact", need.types, NEWEST), ("option", need.options, options))
    for what, words, known in named:
        for word in words:
            if word not in known:
                yield "needs", place, (word,), f"{called}: there is no {what} {word}", hint_among(word, known)
    for name, wanted in need.options.items():
        values = options[name].values if name in options else ()
        for value in (wanted,) if isinstance(wanted, str) else wanted:
            if values and value not in values:
                why = f"{called}: the option {name} has no value {value}"
                yield "needs", place, ("options", value), why, hint_among(value, values)
