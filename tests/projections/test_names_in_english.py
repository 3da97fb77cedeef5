"""Singulars and plurals, said once for lines that are typed and for names that are kept from players."""

import pytest

from projections.stream.names import forms, singular_of
from tests.projections.grammar import said, table
from tests.tables import for_each


@for_each(("plural", "one"), [
        ("goblins", "goblin"), ("zombies", "zombie"), ("harpies", "harpy"), ("thieves", "thief"), ("wolves", "wolf"), ("slaves", "slave"),
        ("witches", "witch"), ("foxes", "fox"), ("mice", "mouse"), ("lizardmen", "lizardman"), ("boss", ""), ("omen", ""), ("goblin", ""),
    ])  # fmt: skip
def test_a_plural_has_one_singular(plural: str, one: str) -> None:
    assert singular_of(plural) == one


@pytest.mark.parametrize(
    ("line", "kind"), [("3 zombies join", "zombie"), ("two harpies, 9 hp each", "harpy"), ("3 mice hp 1", "mouse")]
)
def test_several_join_under_the_name_of_one(line: str, kind: str) -> None:
    assert {each["combatant"].partition("-")[0] for each in said(table("plain", "join Ana party hp=9"), line)} == {kind}


def test_a_name_counts_in_the_plural_too() -> None:
    assert {"wolf", "wolves"} <= {*forms("wolf")}
