"""A condition is a row: a play needs each cell of the table, and a further row with its words and plays is a further condition."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import structs

from projections.proving.loading import OF_READERS, mistakes
from projections.proving.plays import Play
from projections.proving.proof import run
from projections.replay.failing import RulesetFailed
from projections.ruleset.catalogue import CatalogueError, rows
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import RULESETS, find
from projections.rulesets.fifth_edition import conditions, table
from projections.rulesets.fifth_edition.table import CONDITIONS, Condition
from tests.few import few
from tests.projections.stage import stage

OUTSIDE = Path(__file__).parents[1] / "outside"
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
        return not run(play).failures
    except RulesetFailed:
        return False


# ---------------------------------------------------------------- a further row

SLIMED = """
[[rule]]
id = "throw.slimed-lower"
section = "Throws"
says = "Whoever is slimed throws two dice to attack, and the lower counts."
kind = "audit"
case = "Bo, who is slimed, throws 4 and 17 and keeps 4: no finding."
breach = "Bo, who is slimed, throws one die."

[[condition]]
name = "slimed"
attacks = "lower"
rule = "throw.slimed-lower"
"""
PLAYS_OF_SLIMED = """ruleset harbour-watch
combatant ana watch {} Ana
combatant bo smugglers {"quick":3,"skill":2} Bo

case throw.slimed-lower
{"type":"condition_gained","condition":"slimed","targets":["bo"]}
{"type":"attack_rolled","combatant":"bo","target":"ana","die":{"notation":"2d20kl1","faces":[4,17],"dropped":[1]},"hit":false}
expect bo.conditions = slimed
expect no findings

breach throw.slimed-lower
{"type":"condition_gained","condition":"slimed","targets":["bo"]}
2 {"type":"attack_rolled","combatant":"bo","target":"ana","die":{"notation":"1d20","faces":[9]}}
expect finding throw.slimed-lower at 2
"""
PROVE = """
import importlib, sys
import projections
from projections.proving.loading import OF_READERS, mistakes
from projections.proving.rulebook import Proof, gaps, prove_clause
ruleset = importlib.import_module(sys.argv[1]).RULESET
(clause,) = (each for each in ruleset.catalogue().rule if each.id == sys.argv[2])
found = prove_clause(ruleset, clause)
print([(one.play.kind, [each.says for each in one.failures]) for one in (*found.cases, *found.breaches)])
print(gaps(ruleset, Proof(ruleset.key, (found,), ())), mistakes(ruleset))
"""
AS_EXPECTED = "[('case', []), ('breach', [])]\n() ()\n"


def proven(module: str, rule: str, folder: Path, row: str, plays: str, path: Path) -> str:
    """Add a row, its clause and its plays to the ruleset in this folder, and nothing else; prove the clause in a process of its own."""
    rules = folder / "rules.toml"
    rules.write_text(rules.read_text("utf-8") + row, "utf-8")
    (folder / "rulebook" / "further.enc").write_text(plays, "utf-8")
    known = os.pathsep.join([str(path), *filter(None, sys.path)])
    command = [sys.executable, "-c", PROVE, module, rule]
    done = subprocess.run(
        command, cwd=path, env={**os.environ, "PYTHONPATH": known}, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def test_a_row_with_its_clause_and_plays_is_a_further_condition_of_a_ruleset_from_elsewhere(tmp_path: Path) -> None:
    folder = tmp_path / "harbour_watch"
    shutil.copytree(OUTSIDE / "harbour_watch", folder, ignore=shutil.ignore_patterns("__pycache__"))
    (info := tmp_path / "harbour_watch-1.0.dist-info").mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: harbour-watch\nVersion: 1.0\n", "utf-8")
    entry = "[encounterlog.rulesets]\nharbour-watch = harbour_watch:RULESET\n"
    (info / "entry_points.txt").write_text(entry, "utf-8")
    found = proven("harbour_watch", "throw.slimed-lower", folder, SLIMED, PLAYS_OF_SLIMED, tmp_path)
    assert found == AS_EXPECTED


# ---------------------------------------------------------------- what nothing reads


def test_a_column_of_conditions_that_no_type_has_is_named_with_its_line(tmp_path: Path) -> None:
    (folder := tmp_path / "game").mkdir()
    text = (
        'catalogue = "A game"\nruleset = "game"\nrule = []\n\n[[condition]]\nname = "wet"\nrule = "a.b"\nspeeds = 0\n'
    )
    (folder / "rules.toml").write_text(text, "utf-8")
    says = r"game/rules.toml, line 8, column 1: \[\[condition\]\] wet: no code reads speeds"
    with pytest.raises(CatalogueError, match=says):
        rows(folder / "rules.toml", "condition", Condition)


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
    says = [str(each) for each in mistakes(find(key))]
    columns = (
        f"the table {name} (rules.toml): no code reads the column 'a column that nobody reads'" for name in names
    )
    table = "the table a table that nobody reads (rules.toml): no code reads it"
    assert sorted(each.partition(" –")[0] for each in says) == sorted((*columns, table))


def test_a_cell_that_says_something_else_than_its_type_is_named_with_its_line(tmp_path: Path) -> None:
    (folder := tmp_path / "game").mkdir()
    text = 'catalogue = "A game"\nruleset = "game"\nrule = []\n\n[[condition]]\nname = "wet"\nrule = "a.b"\nblind = "yes"\n'
    (folder / "rules.toml").write_text(text, "utf-8")
    with pytest.raises(CatalogueError, match=r"line 8, column 1: \[\[condition\]\] wet, blind: expected `bool`"):
        rows(folder / "rules.toml", "condition", Condition)
