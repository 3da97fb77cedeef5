"""Concentration from the casting on: by the sheet, the list, or what somebody concentrated on before; and castings of which a line says otherwise."""

import pytest

from projections.folds.addresses import derive_value
from projections.language.notation.table import Table
from projections.language.notation.tokens import NotUnderstood
from tests.projections.grammar import said, table
from tests.projections.notation.fifth_edition import round_of_brand
from tests.projections.notation.line_context import heard


def concentration(at: Table, who: str) -> object:
    found = derive_value(at.done.state, f"{who}.concentration")
    return found.value if found else None


def in_slot_e(*declared: str) -> Table:
    """Return a table of Vile Darkness at the slot of spells, with what was declared."""
    entries = ' entries=[{"name":"web","kind":"incantation","time":2,"concentration":true}]'
    joined = f"join cleric party hp=30{entries}", "join ogre foes hp=30", "join ana party hp=9"
    before = ("place cleric 1,1", "place ogre 5,5", "place ana 1,2", "surprised", "r", "phase DECLARE")
    return heard(table("vile-darkness"), *joined, *before, *declared, "i p5 f3", "phase E")


def test_a_declared_casting_that_is_done_is_concentrated_on_by_the_sheet() -> None:
    at = heard(in_slot_e("d cleric web 2 ogre"), "cleric casts web on ogre")
    assert concentration(at, "cleric") == "web"


def test_a_casting_that_takes_time_and_was_not_declared_begins_no_effect() -> None:
    assert "effect_started" not in {each["type"] for each in said(in_slot_e(), "cleric casts web on ogre")}


@pytest.mark.parametrize("line", ["b casts web on o, fails", "b casts web on o and fails"])
def test_a_failure_that_may_be_that_of_a_save_is_none_of_the_spell(line: str) -> None:
    with pytest.raises(NotUnderstood):
        round_of_brand().tell(line)


def test_what_is_said_behind_a_spell_that_failed_is_asked_about() -> None:
    with pytest.raises(NotUnderstood):
        round_of_brand().tell("b casts web on o, but it fails, and moves 10 ft")
