"""The tables agree: event types with steps, rule ids with catalogues, clauses with functions and tests."""

import ast
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from eventstore.events import (
    EVENT_TYPES,
    ActionAbandoned,
    ActionDeclared,
    AttackRolled,
    Checked,
    ContestRolled,
    DiceCommitted,
    DiceDrawn,
    DiceRolled,
    EncounterOpened,
    Fact,
    Noted,
    Placed,
    RoundEnded,
    RoundStarted,
    SaveRolled,
    SurpriseRolled,
    SurpriseSettled,
    TerrainSet,
    TurnDelayed,
    TurnEnded,
    TurnResumed,
    TurnStarted,
)
from projections.folds import addresses as values, durations
from projections.judging import audit, book, bookkeeping, known_words
from projections.replay.replay import COMMON, FOLDS
from projections.ruleset.catalogue import Clause
from projections.ruleset.ruleset import Derivation, marked
from projections.rulesets import RULESETS, find, package_of
from projections.rulesets.plain import (
    checks as plain_checks,
    effects as plain_effects,
    order,
    timeline,
    turns,
    vitals as plain_vitals,
)
from projections.stream.corrections import CORRECTIONS
from projections.views import view
from tests.tables import for_each

PLAIN = (order, turns, plain_effects, timeline, plain_vitals, plain_checks)
TESTS = Path(__file__).parent

CHANGE_NOTHING_ON_PLAIN = {
    EncounterOpened,  # the state begins with it
    *CORRECTIONS,  # they are applied before anything is told
    Checked,  # the audit compares it
    Noted,
    Placed,
    TerrainSet,
    SurpriseRolled,
    SurpriseSettled,
    ActionDeclared,
    ActionAbandoned,
    AttackRolled,  # this and the other dice: what came out of them is told by facts of its own
    SaveRolled,
    ContestRolled,
    DiceRolled,
    DiceCommitted,  # these say where dice came from, and nothing about the fight
    DiceDrawn,
}


BOUNDARIES_ON_PLAIN = {RoundStarted, RoundEnded, TurnStarted, TurnEnded, TurnDelayed, TurnResumed}
"""What takes hold by the boundaries that it crosses."""


def modules_of(key: str) -> list[ModuleType]:
    package = import_module(f"projections.rulesets.{package_of(key)}")
    folder = Path(str(package.__file__)).parent
    return [import_module(f"{package.__name__}.{path.stem}") for path in sorted(folder.glob("[a-z]*.py"))]


def test_each_event_type_takes_a_step_on_plain_or_changes_nothing() -> None:
    stepping = COMMON.keys() | find("plain").steps.keys() | BOUNDARIES_ON_PLAIN
    assert stepping | CHANGE_NOTHING_ON_PLAIN == set(EVENT_TYPES)
    assert not stepping & CHANGE_NOTHING_ON_PLAIN


@pytest.mark.parametrize("key", RULESETS)
def test_tables_of_a_ruleset_name_events_of_the_union_and_each_step_once(key: str) -> None:
    rules = find(key)
    assert rules.steps.keys() | rules.checks.keys() | COMMON.keys() <= set(EVENT_TYPES)
    for kind in EVENT_TYPES:
        taken = [*COMMON.get(kind, ()), *rules.steps.get(kind, ())]
        assert len(taken) == len(set(taken))


@for_each("kind", EVENT_TYPES)
def test_each_step_and_check_stands_in_the_table_of_its_events(kind: type[Fact]) -> None:
    common = [step for step in marked(FOLDS) if kind in step.on]
    assert set(common) == set(COMMON.get(kind, ()))
    of_plain = [step for step in marked((*PLAIN, durations)) if kind in step.on and isinstance(step, Derivation)]
    assert set(of_plain) == set(find("plain").steps.get(kind, ()))
    looking = {each for series in audit.COMMON.get(kind, ()) for each in series.checks}
    assert {each for each in marked((bookkeeping, known_words)) if kind in each.on} == looking


@pytest.mark.parametrize("key", RULESETS)
def test_every_rule_that_a_function_carries_stands_in_a_catalogue(key: str) -> None:
    known = {clause.id for clause in (*find(key).catalogue().rule, *book.catalogue().rule)}
    carried = {
        rule
        for function in marked((*modules_of(key), *FOLDS, bookkeeping, known_words, audit))
        for rule in function.rules
    }
    assert carried - known == set()


@pytest.mark.parametrize("key", RULESETS)
def test_the_reasons_that_a_ruleset_gives_as_data_stand_in_a_catalogue(key: str) -> None:
    rules = find(key)
    known = {clause.id for clause in (*rules.catalogue().rule, *book.catalogue().rule)}
    assert {*rules.clock_rules, *rules.effect_rules} <= known


@pytest.mark.parametrize("key", [*RULESETS, "log"])
def test_the_ids_of_a_catalogue_are_unique(key: str) -> None:
    catalogue = book.catalogue() if key == "log" else find(key).catalogue()
    ids = [clause.id for clause in catalogue.rule]
    assert len(ids) == len(set(ids))
    assert all(clause.says and clause.case for clause in catalogue.rule)
    assert all(bool(clause.breach) == (clause.kind in ("audit", "both")) for clause in catalogue.rule)


@for_each("clause", book.catalogue().rule)
def test_each_clause_of_bookkeeping_is_cited_somewhere(clause: Clause) -> None:
    source = "".join(Path(str(m.__file__)).read_text() for m in (*FOLDS, audit, bookkeeping, known_words, values, view))
    from projections.ruleset import ruleset

    assert f'"{clause.id}"' in source + Path(str(ruleset.__file__)).read_text()


@for_each("clause", book.catalogue().rule)
def test_each_clause_of_bookkeeping_has_a_function_that_carries_it(clause: Clause) -> None:
    carried = {rule for function in marked((*FOLDS, bookkeeping, known_words, audit)) for rule in function.rules}
    assert clause.id in carried | {"log.clock"}  # each ruleset says by which clause its own clock goes
    assert clause.id in carried or clause.kind == "derive"


@cache
def _tests() -> dict[str, str]:
    """Return each test here with its text."""
    found = {}
    for path in TESTS.glob("test_*.py"):
        text = path.read_text("utf-8")
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                found[f"{path.stem}.{node.name}"] = "\n".join(text.splitlines()[first - 1 : node.end_lineno])
    return found


@for_each("clause", book.catalogue().rule)
def test_each_clause_of_bookkeeping_has_a_test_that_names_it(clause: Clause) -> None:
    words = re.split(r"\W+", clause.id)
    named = "_".join(words)
    begins = "_".join(words[:3]) if len(words) > 3 else named
    assert [name for name, text in _tests().items() if f".test_{begins}" in name or f'"{clause.id}"' in text]
