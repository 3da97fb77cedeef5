"""The application knows no game: what it needs of one it asks a ruleset for, and only what reads a named format knows whose that is."""

import ast
import re
from collections.abc import Iterator

from tests.trees import modules, tree_of

FORMATS = ("importers.foundry", "lineups.prose", "lineups.stat_blocks", "lineups.encounters")
"""What reads the files of tools that were made for one game."""
DOOR = "srd"
"""What `el.srd` is: the reference documents, with the types that their tables have."""
NAMED = re.compile(r"\b5e\b|fifth[ _]edition", re.IGNORECASE)
"""The key and the name of the game with the most tools."""
WORDS = frozenset({
    "weapon", "weapons", "spellcasting", "acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic",
    "radiant", "slashing", "thunder",
})  # fmt: skip
"""Fields of sheets of some games, and types of damage."""


def known(tree: ast.Module) -> Iterator[str]:
    """Yield what a module says of a game: its name anywhere, and words of its sheets where they stand for fields or values."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            said = [f"{getattr(node, 'module', '')}.{each.name}" for each in node.names]
            yield from (each for each in said if NAMED.search(each))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if found := NAMED.search(node.value):
                yield found[0]
            if node.value in WORDS:
                yield node.value
        elif isinstance(node, ast.Name | ast.Attribute | ast.arg | ast.keyword):
            name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else node.arg
            if name in WORDS:
                yield name


def test_no_module_but_those_of_named_formats_knows_a_game() -> None:
    own = [module for module in modules() if module.startswith("encounterlog.")]
    knowing = {module.partition(".")[2]: found for module in own if (found := sorted({*known(tree_of(module))}))}
    assert {module: found for module, found in knowing.items() if not module.startswith(FORMATS)} == {
        DOOR: [
            "projections.rulesets.fifth_edition.srd.documents",
            "projections.rulesets.fifth_edition.srd.tables.Monster",
            "projections.rulesets.fifth_edition.srd.tables.Spell",
        ]
    }
