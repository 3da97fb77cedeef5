"""A condition is a row: a play needs each cell of the table, and a column or a table that nothing reads is a mistake."""

from pathlib import Path

import pytest
from msgspec import structs

from projections.proving.loading import OF_READERS, find_mistakes
from projections.proving.plays import Play
from projections.proving.proof import run_play
from projections.replay.failing import RulesetFailed
from projections.ruleset.catalogue import CatalogueError, table_rows
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import RULESETS, find
from projections.rulesets.fifth_edition import conditions, table
from projections.rulesets.fifth_edition.table import CONDITIONS, Condition
from tests.few import few
from tests.projections.stage import stage

EMPTY = Condition(name="", rule="")
SAYS = [name for name in Condition.__struct_fields__ if name not in ("name", "rule", "note", "edition", "level")]
CELLS = [(n, name) for n, row in enumerate(CONDITIONS) for name in SAYS if getattr(row, name) != getattr(EMPTY, name)]
"""The cells of the table that say something: the number of the row, and the column."""


@few(6, ("place", "column"), [pytest.param(*cell, id=f"{CONDITIONS[cell[0]].name} {cell[1]}") for cell in CELLS])
def test_a_play_fails_without_a_cell_of_the_table(place: int, column: str, monkeypatch: pytest.MonkeyPatch) -> None:
    row = CONDITIONS[place]
    without = structs.replace(row, **{column: getattr(EMPTY, column)})
    naming = [play for play in stage(find("5e")) if row.name in repr(play).casefold()]
    with monkeypatch.context() as change:
        change.setattr(table, "CONDITIONS", (*CONDITIONS[:place], without, *CONDITIONS[place + 1 :]))
        forget()
        noticed = any(not holds(play) for play in naming)
    forget()
    assert noticed


def forget() -> None:
    """Forget what was read of the table."""
    for kept in (table.conditions, table.rows_with, conditions._implications, conditions._conditions_implying):
        kept.cache_clear()


def holds(play: Play) -> bool:
    """Say whether a play comes out as its script expects."""
    try:
        return not run_play(play).failures
    except RulesetFailed:
        return False


# ---------------------------------------------------------------- what nothing reads


def test_a_column_of_conditions_that_no_type_has_is_named_with_its_line(tmp_path: Path) -> None:
    (folder := tmp_path / "game").mkdir()
    text = (
        'catalogue = "A game"\nruleset = "game"\nrule = []\n\n[[condition]]\nname = "wet"\nrule = "a.b"\nspeeds = 0\n'
    )
    (folder / "rules.toml").write_text(text, "utf-8")
    says = r"game/rules.toml, line 8, column 1: \[\[condition\]\] wet: no code reads speeds"
    with pytest.raises(CatalogueError, match=says):
        table_rows(folder / "rules.toml", "condition", Condition)


def tables_of(key: str) -> list[str]:
    """Return the tables of rows of a ruleset that code reads."""
    book = find(key).catalogue()
    further = [name for name, those in book.tables.items() if isinstance(those, list) and name not in OF_READERS]
    return [*(["action"] if book.action else ()), *further]


@pytest.mark.parametrize("key", RULESETS)
def test_a_column_of_any_table_and_a_table_that_nothing_reads_are_mistakes(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One look finds the column in all tables, and the table: to read the source of a ruleset takes long."""
    book, names = find(key).catalogue(), tables_of(key)
    further = {"a column that nobody reads": 1}
    tables = {name: [book.tables[name][0] | further, *book.tables[name][1:]] for name in names if name != "action"}
    action = (book.action[0] | further, *book.action[1:]) if book.action else ()
    unread = {"a table that nobody reads": [{"name": "x"}]}
    changed = structs.replace(book, action=action, tables=book.tables | tables | unread)
    monkeypatch.setattr(Ruleset, "catalogue", lambda _self: changed)
    says = [str(each) for each in find_mistakes(find(key))]
    columns = (
        f"the table {name} (rules.toml): no code reads the column 'a column that nobody reads'" for name in names
    )
    table = "the table a table that nobody reads (rules.toml): no code reads it"
    assert sorted(each.partition(" –")[0] for each in says) == sorted((*columns, table))


def test_a_cell_that_says_other_than_its_type_is_named_with_its_line(tmp_path: Path) -> None:
    (folder := tmp_path / "game").mkdir()
    text = 'catalogue = "A game"\nruleset = "game"\nrule = []\n\n[[condition]]\nname = "wet"\nrule = "a.b"\nblind = "yes"\n'
    (folder / "rules.toml").write_text(text, "utf-8")
    with pytest.raises(CatalogueError, match=r"line 8, column 1: \[\[condition\]\] wet, blind: expected `bool`"):
        table_rows(folder / "rules.toml", "condition", Condition)
