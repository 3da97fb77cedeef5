"""The mistakes of a ruleset that show before it is used: in its tables, its catalogue, its forms and its source.

A ruleset of another distribution is checked whole when it is loaded; ours are checked by the tests, so that a command that
reads a log does not wait for it.
"""

import ast
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import get_args, get_type_hints

from msgspec import Struct
from msgspec.structs import fields

from eventstore import events
from eventstore.events import Fact
from eventstore.paths import name_of, path_beside
from eventstore.wording import nearest
from projections.folds.counts import Count
from projections.folds.levels import Graded
from projections.judging.book import catalogue
from projections.judging.unjudged import broken_paths
from projections.language.notation import forms, several_tokens, slots
from projections.mechanics.conditions import TwoDice
from projections.mechanics.resources import Resource
from projections.mechanics.tallies import Tally
from projections.proving.rulebook import place_of
from projections.ruleset.catalogue import Catalogue, hint_among
from projections.ruleset.phases import PHASES
from projections.ruleset.ruleset import Check, Derivation, Marked, Ruleset, marked
from projections.time import BoundaryKind

KINDS: tuple[str, ...] = get_args(BoundaryKind)
MARKING = ("derives", "check", "checks_by")
"""The decorators of functions that belong in a table."""


class RulesetMistake(Struct, frozen=True):
    """A mistake in a ruleset: the function or table, its place, the mistake, and a hint."""

    about: str
    place: str
    says: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.about} ({self.place}): {self.says}{f' – {self.hint}' if self.hint else ''}"


def find_mistakes(ruleset: Ruleset) -> tuple[RulesetMistake, ...]:
    """Return all mistakes of a ruleset, table by table."""
    pages, book = tuple(_source_pages(ruleset)), ruleset.catalogue()
    carriers = tuple(marked(page.module for page in pages if page.module))
    functions = {id(each): each for each in (*carriers, *_functions_in_tables(ruleset))}
    needs = name_of(ruleset.rules)
    found = (
        *(wrong for each in functions.values() for wrong in _function_mistakes(each, book)),
        *_functions_in_no_table(ruleset, carriers),
        *(wrong for page in pages for wrong in _page_mistakes(page, book, ruleset.patterns)),
        *_unread_tables(ruleset, book, pages),
        *_status_mistakes(ruleset, book, pages),
        *_form_mistakes(ruleset),
        *(RulesetMistake(f"row {row} of needs", needs, says, hint) for row, says, hint in broken_paths(ruleset)),
    )
    return tuple(dict.fromkeys(found))


# ---------------------------------------------------------------- the functions and the tables


def _functions_in_tables(ruleset: Ruleset) -> Iterator[Marked]:
    for steps in (*ruleset.steps.values(), *ruleset.boundaries.values()):
        yield from steps
    for series in (*ruleset.checks.values(), *ruleset.late.values()):
        yield from (each for one in series for each in one.checks)


def _function_mistakes(one: Marked, book: Catalogue) -> Iterator[RulesetMistake]:
    about, place = name_and_place(one)
    known = tuple(clause.id for clause in (*book.rule, *catalogue().rule))
    for rule in one.rules:
        if rule not in known:
            yield RulesetMistake(about, place, f"the catalogue has no clause {rule!r}", hint_among(str(rule), known))
    for kind in one.on:
        if not (isinstance(kind, type) and issubclass(kind, Fact)):
            word = kind if isinstance(kind, str) else getattr(kind, "__name__", repr(kind))
            hint = "on= takes types of facts from eventstore.events"
            kinds = (each for each in vars(events).values() if isinstance(each, type) and issubclass(each, Fact))
            if near := nearest(word, tuple(each.__name__ for each in kinds if each is not Fact)):
                hint = f"{near} (the class from eventstore.events, without quotes)"
            yield RulesetMistake(about, place, f"on={word!r} is no type of fact", hint)
    for at in one.at if isinstance(one, Derivation) else ():
        if at not in KINDS:
            yield RulesetMistake(about, place, f"at={at!r} is no kind of boundary", hint_among(str(at), KINDS))
    if isinstance(one, Derivation) and one.phase not in PHASES:
        yield RulesetMistake(about, place, f"phase={one.phase!r} is no phase", hint_among(str(one.phase), PHASES))


def _functions_in_no_table(ruleset: Ruleset, carriers: Iterable[Marked]) -> Iterator[RulesetMistake]:
    """Yield the functions that should be called for facts or at boundaries, but are in no table of the ruleset."""
    others = (each for one in carriers for each in _rulesets(sys.modules[one.__module__]))
    called = {id(each) for one in (ruleset, *others) for each in _functions_in_tables(one)}
    for one in carriers:
        if id(one) in called or not (one.on or getattr(one, "at", ())):
            continue
        table = "checks" if isinstance(one, Check) else "steps" if one.on else "boundaries"
        maker = {"checks": "checks_of", "steps": "steps_of", "boundaries": "boundaries_of"}[table]
        module = one.__module__.rpartition(".")[2]
        yield RulesetMistake(*name_and_place(one), "it is in no table of the ruleset", f"{table}={maker}(…, {module})")


def name_and_place(one: object) -> tuple[str, str]:
    """Return a function's name, and the file and line where it is."""
    function = getattr(one, "function", one)
    return str(getattr(one, "__name__", one)), place_of(function) if callable(function) else ""


# ---------------------------------------------------------------- the source


class _Page(Struct, frozen=True):
    """A module's file in the folder of a ruleset, read; the module is None if nothing imports it."""

    path: Path
    tree: ast.Module
    module: ModuleType | None


def _source_pages(ruleset: Ruleset) -> Iterator[_Page]:
    """Yield the files of a ruleset: of its package, or of its modules if the catalogue lies in no package."""
    folder = Path(ruleset.rules).parent
    loaded = {str(getattr(each, "__file__", None)): each for each in list(sys.modules.values())}
    for path in sorted(folder.rglob("*.py") if (folder / "__init__.py").exists() else folder.glob("*.py")):
        module = loaded.get(str(path))
        if (folder / "__init__.py").exists() or (module and any(each is ruleset for each in _rulesets(module))):
            with suppress(SyntaxError):  # such as a template that nothing imports
                yield _Page(path, ast.parse(path.read_bytes()), module)


def _rulesets(module: ModuleType) -> list[Ruleset]:
    return [each for each in vars(module).values() if isinstance(each, Ruleset)]


def _page_mistakes(page: _Page, book: Catalogue, patterns: Iterable[str]) -> Iterator[RulesetMistake]:
    marking = (call.lineno for _, call in _calls(page.tree) if _called(call) in MARKING)
    if page.module is None and (first := next(marking, None)):
        hint = f"steps_of(…, {page.path.stem}), boundaries_of or checks_of"
        place = f"{page.path.name}, line {first}"
        yield RulesetMistake(f"the module {page.path.stem}", place, "no table names it", hint)
    names = (*(option.name for option in (*book.option, *catalogue().option)), *patterns)
    for function, call in _calls(page.tree):
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("option", "chosen"):
            for word in (each.value for each in call.args if isinstance(each, ast.Constant)):
                if isinstance(word, str) and word not in names and word[:1] != "-":
                    place, says = f"{page.path.name}, line {call.lineno}", f"the catalogue has no option {word!r}"
                    yield RulesetMistake(function, place, says, hint_among(word, names))


def _called(call: ast.Call) -> str:
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


def _calls(tree: ast.AST, function: str = "the module") -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls in a tree, each with the function that it stands in."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Call):
            yield function, node
        yield from _calls(node, node.name if isinstance(node, ast.FunctionDef) else function)


# ---------------------------------------------------------------- the tables of the catalogue

READ_HERE: dict[str, tuple[str, ...]] = {
    "action": ("kind", "name", "manner", "cost", "amount", "entry", "edition"),
    "resource": Resource.__struct_fields__,
    "tally": Tally.__struct_fields__,
    "level": Graded.__struct_encode_fields__,
    "count": Count.__struct_encode_fields__,
    "words": (),
    "size": ("name",),
    "feat": ("name",),
}
"""The columns of tables that no ruleset has to read by itself."""
OF_TYPES = {"condition": TwoDice.__struct_fields__}
"""The columns that a type of `mechanics` reads, for a ruleset that names the table."""
FOR_READERS = ("note", "notes", "means", "meaning")
"""The columns that explain a row to people."""
OF_READERS = ("carrier", "sheet", "addresses")
"""The tables that explain a ruleset to people; the addresses say which of their values a ruling may set."""


def _unread_tables(ruleset: Ruleset, book: Catalogue, pages: Iterable[_Page]) -> Iterator[RulesetMistake]:
    """Yield the tables and columns that no code reads, here or in a module of the ruleset, which must name them."""
    named = {word for page in pages if page.module for word in _words_of(page.tree)}
    place = name_of(ruleset.rules)
    for table, rows in {"action": [*book.action], **book.tables}.items():
        known = READ_HERE.get(table, OF_TYPES.get(table, ()))
        if table in OF_READERS or not rows:
            continue
        if table not in READ_HERE and table not in named:
            yield RulesetMistake(f"the table {table}", place, "no code reads it", "read it by its name, or remove it")
            continue
        columns = (column for row in (rows if isinstance(rows, list) else ()) for column in row)
        for column in dict.fromkeys(each for each in columns if each not in (*known, *named, *FOR_READERS)):
            hint = nearest(column, (*known, *named)) or "name it in the code of the ruleset, or remove it"
            yield RulesetMistake(f"the table {table}", place, f"no code reads the column {column!r}", hint)


def _words_of(tree: ast.AST) -> Iterator[str]:
    """Yield the attributes and texts that code names, without the docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


# ---------------------------------------------------------------- the words for a status


def _status_mistakes(ruleset: Ruleset, book: Catalogue, pages: Iterable[_Page]) -> Iterator[RulesetMistake]:
    """Yield the statuses that `statuses` lacks: of the function, of the sheet, of rows, of addresses.

    A status that nothing gives is no mistake, for a ruling can give it.
    """
    says = "the status {!r} is not among `statuses`"
    for about, place, word in (
        *((*name_and_place(ruleset.status), word) for word in _statuses_given(ruleset.status, pages)),
        *(("the sheet", ruleset.sheet.__name__, word) for word in _sheet_statuses(ruleset.sheet)),
        *(("a row of the catalogue", name_of(ruleset.rules), word) for word in _row_statuses(book)),
        *((f"the address {each.pattern}", "addresses", each.tally) for each in ruleset.addresses),
    ):
        if word and word not in ruleset.statuses:
            yield RulesetMistake(about, place, says.format(word), hint_among(word, ruleset.statuses))


def _sheet_statuses(sheet: type[Struct]) -> Iterator[str]:
    """Yield the statuses that a sheet can have, if it has a field of that name: its literals and its default."""
    for one in fields(sheet):
        if one.name == "status":
            literals = get_args(get_type_hints(sheet)[one.name])
            yield from (each for each in (*literals, one.default) if isinstance(each, str))


def _row_statuses(book: Catalogue) -> Iterator[str]:
    tables = (book.action, *(each for each in book.tables.values() if isinstance(each, list)))
    words = (row.get(key) for table in tables for row in table if isinstance(row, dict) for key in ("status", "full"))
    return (word for word in words if isinstance(word, str))


def _statuses_given(function: Callable[..., object], pages: Iterable[_Page]) -> Iterator[str]:
    """Yield the words that the function of statuses gives, as far as they are literals in it."""
    function = inspect.unwrap(getattr(function, "function", function))
    for page in pages:
        if page.module is None or page.module.__name__ != getattr(function, "__module__", ""):
            continue
        for name, call in _calls(page.tree):
            if name == getattr(function, "__name__", ""):
                place = {"Derived": 0, "pool_status": 2}.get(_called(call), len(call.args))
                for value in call.args[place : place + 1]:
                    yield from _texts(value)


def _texts(value: ast.expr) -> Iterator[str]:
    """Yield the texts that an expression may evaluate to, not those that it only compares."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value
    elif isinstance(value, ast.IfExp):
        yield from (*_texts(value.body), *_texts(value.orelse))


# ---------------------------------------------------------------- the forms


def _form_mistakes(ruleset: Ruleset) -> Iterator[RulesetMistake]:
    """Yield the slots of an unknown kind in forms.toml, and the patterns that cannot be read."""
    try:
        own = forms.read_forms(path_beside(ruleset.rules, "forms.toml"))
    except FileNotFoundError:
        return
    except ValueError as error:
        yield RulesetMistake("the forms", "forms.toml", str(error))
        return
    known = (*slots.KINDS, *several_tokens.WIDE)
    for form in own.form:
        about = f"the form {form.name}"
        try:
            found = [slot for nodes in form.nodes for slot in forms.flat(nodes)]
        except (ValueError, IndexError):
            hint = "brackets are closed: [may be left out]"
            yield RulesetMistake(about, "forms.toml", "a pattern cannot be read", hint)
            continue
        for kind in (slot.kind for slot in found if slot.kind not in known):
            yield RulesetMistake(about, "forms.toml", f"there is no slot {kind!r}", hint_among(kind, known))
