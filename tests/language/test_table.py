"""The tables of sentences: whatever they name exists, their closed lists are short, and their shapes and adjuncts are used."""

import pytest

from projections.language.completing import FILLS
from projections.language.describing import list_themes, synonyms
from projections.language.table import Pattern, Slot, Table, flat_nodes, language_table
from projections.language.values import KINDS
from projections.rulesets import RULESETS, find
from tests.language.scenes import read, scene

TABLES = {key: language_table(find(key).rules) for key in RULESETS}
MOST_FILLERS = 15
MOST_CONNECTIVES = 25


def patterns(table: Table) -> list[Pattern]:
    """Return all patterns of a table."""
    heads = [each for shape in table.shapes for each in shape.heads]
    adjuncts = [each for adjunct in table.adjuncts.values() for each in adjunct.patterns]
    return [*heads, *adjuncts, *(each for part in table.parts.values() for each in part)]


@pytest.mark.parametrize("key", RULESETS)
def test_a_word_is_passed_over_only_if_it_is_a_filler_or_a_connective(key: str) -> None:
    assert len(TABLES[key].fillers) <= MOST_FILLERS
    assert len(TABLES[key].connectives) <= MOST_CONNECTIVES


@pytest.mark.parametrize("key", RULESETS)
def test_whatever_a_table_names_exists(key: str) -> None:
    table = TABLES[key]
    found = [node for each in patterns(table) for node in flat_nodes(each.nodes)]
    classes = {sort for node in found for sort in node.classes}
    kinds = {node.kind for node in found if isinstance(node, Slot)}
    assert sorted(sort for sort in classes if not synonyms(table, sort)) == []
    assert sorted(kind for kind in kinds if kind[0] != "@" and kind not in {*table.parts, *KINDS}) == []
    assert (
        sorted({name for shape in table.shapes for name in (*shape.takes, *shape.leads)} - table.adjuncts.keys()) == []
    )
    assert sorted({name for shape in table.shapes for name in shape.fills} - FILLS.keys()) == []


@pytest.mark.parametrize("key", RULESETS)
def test_whatever_a_table_has_is_used(key: str) -> None:
    table = TABLES[key]
    found = [node for each in patterns(table) for node in flat_nodes(each.nodes)]
    used = {sort for node in found for sort in (*node.classes, *([node.kind] if isinstance(node, Slot) else []))}
    by_functions = {"natural", "cure", "whither", "aside", "many"}
    assert sorted({*table.synonyms, *table.named} - used - by_functions) == []
    assert sorted(table.adjuncts.keys() - {name for shape in table.shapes for name in shape.takes}) == []
    assert sorted(table.parts.keys() - used) == []
    assert sorted(KINDS.keys() - used) == []


@pytest.mark.parametrize("key", RULESETS)
def test_every_shape_has_a_theme_a_sentence_and_an_example(key: str) -> None:
    shown = [shape for theme in list_themes(find(key).rules) for shape in theme.shapes]
    assert len(shown) == len(TABLES[key].shapes)
    assert [shape.name for shape in shown if not (shape.says.endswith(".") and shape.example and shape.patterns)] == []
    assert all(theme.name for theme in list_themes(find(key).rules))


def test_a_shape_of_a_ruleset_adds_its_heads_to_the_common_one() -> None:
    common, own = (
        next(shape for shape in TABLES[key].shapes if shape.name == "blow") for key in ("plain", "vile-darkness")
    )
    assert own.heads[: len(common.heads)] == common.heads
    assert len(own.heads) > len(common.heads)
    assert own.says == common.says


@pytest.mark.parametrize("denial", ["would", "never", "almost", "doesn't", "if"])
def test_no_offer_passes_over_a_denial(denial: str) -> None:
    found = read(scene("fight"), f"Ana {denial} hits orc 1 for 8")
    assert found.meaning is None
    assert found.offers == ()
