"""The fifth edition as people type it at a table."""

import pytest

from projections.language.notation.tokens import NotUnderstood
from tests.projections.grammar import fight, said
from tests.projections.notation.fifth_edition import round_of_brand
from tests.projections.notation.line_context import heard


def test_a_slot_of_nobody_is_refused() -> None:
    with pytest.raises(NotUnderstood):
        heard(fight("5e")).tell("slot 2")


@pytest.mark.parametrize("line", ["m darts o 14 6", "react", "m casts bless 2 b"])
def test_a_feature_is_no_blow_a_reaction_is_somebodys_and_a_spell_takes_no_segments(line: str) -> None:
    with pytest.raises(NotUnderstood):
        round_of_brand().tell(line)


def test_a_quoted_name_that_joins_is_no_remark() -> None:
    with pytest.raises(NotUnderstood) as caught:
        round_of_brand().tell('"<b>=cmd|x</b>" joins goblins, 12 hp')
    assert caught.value.hint == 'the name stands after the word: join "<b>=cmd|x</b>"'
    assert said(round_of_brand(), '"We are lost!" shouts the mage.')[0]["type"] == "noted"


def test_a_combatant_of_no_kind_that_falls_to_0_is_noted() -> None:
    at = heard(fight("5e"), "join Kit party hp=5", "join Rex party hp=5 creature=monster")
    assert at.tell("kit -5").advice.startswith("kit is no character and no monster by its sheet")
    assert at.tell("kit -99").advice == ""  # so much damage kills anybody
    assert at.tell("kit -1").advice == ""
    assert at.tell("rex -5").advice == ""


def test_a_move_from_somewhere_is_not_taken_for_points_from_there() -> None:
    with pytest.raises(NotUnderstood) as refused:
        round_of_brand().tell("b walks 3 squares from the door")
    assert "comes from" not in str(refused.value)


def test_words_behind_a_comma_are_no_place() -> None:
    with pytest.raises(NotUnderstood):
        round_of_brand().tell("b runs 30 feet away, provoking")


@pytest.mark.parametrize("words", ["dire wolf*2", "dire wolf hp=9"])
def test_a_monsters_name_of_two_words_is_no_name_and_a_side(words: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        fight("5e").tell(f"join {words}")
    assert caught.value.hint == f'such as: join "{words.removesuffix(" hp=9")}" foes'
    assert [one["side"] for one in said(fight("5e"), "join orc wolf")] == ["wolf"]
