"""Words in capitals are the same words; names are shown as they were recorded. `test_plays.py` has whole logs in capitals."""

import pytest

from eventstore.shapes import Action
from projections.mechanics.acts import kind_and_name
from tests.projections.logs import fact, joins, play, value


def test_an_action_has_kind_and_manners_folded_beside_those_recorded() -> None:
    action = Action(kind="Cast", name="Sleep", manner=("Quickened",))
    assert (action.plain_kind, action.plain_manner) == ("cast", ("quickened",))
    assert (action.kind, action.manner) == ("Cast", ("Quickened",))


def test_a_name_that_is_its_kind_in_another_case_is_shown_once() -> None:
    assert (kind_and_name("DODGE", "Dodge"), kind_and_name("cast", "Sleep")) == ("Dodge", "cast Sleep")
    assert (kind_and_name("CAST", None), kind_and_name(None, None)) == ("CAST", "")


@pytest.mark.parametrize("name", ["exhaustion", "Exhaustion"])
def test_a_condition_counts_in_any_case(name: str) -> None:
    state = play(joins("ana"), fact("condition_gained", condition=name, targets=["ana"], detail="2"), ruleset="5e")
    assert value(state, "ana.exhaustion") == 2
