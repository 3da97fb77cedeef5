"""What a blow rolled and cost, told in the next sentence of the line: it is the same blow."""

from itertools import product

import pytest

from projections.grammar.tokens import NotUnderstood
from tests.projections.reader.test_described_and_missed import fight
from tests.projections.test_grammar import told

BLOWS = ["Ana shoots gob", "Ana attacks gob with her sword", "Ana hits gob"]


@pytest.mark.parametrize("rules", ["5e", "osric", "plain"])
@pytest.mark.parametrize(
    ("blow", "more"),
    [
        *product(
            BLOWS,
            [
                "She got 19 and did 8 damage",
                "She got a 19. 8 damage",
                "She got 19 for 8 damage",
                "The roll was 19, damage 8",
                "She rolls 19 for 8 damage",
                "She rolled 19 and it hit for 8",
                "Got 19, dealt 8 damage",
            ],
        ),
        *product(BLOWS[:2], ["She rolled 19 and hit for 8", "Rolled 19, hits for 8"]),
    ],
)
def test_its_roll_and_damage_are_those_of_the_blow(rules: str, blow: str, more: str) -> None:
    act, rolled, hurt = told(fight(rules=rules), f"{blow}. {more}")
    assert '"action_taken"' in act
    assert '"die":19' in rolled
    assert '"hit":true' in rolled
    assert '"amount":8' in hurt
    assert '"target":"gob"' in hurt


@pytest.mark.parametrize("rules", ["5e", "osric", "plain"])
@pytest.mark.parametrize(("blow", "more"), [*product(BLOWS, ["That is 8 damage", "It was 8 damage", "She did 8"])])
def test_its_damage_alone_is_that_of_the_blow(rules: str, blow: str, more: str) -> None:
    act, *_, hurt = told(fight(rules=rules), f"{blow}. {more}")
    assert '"action_taken"' in act
    assert '"amount":8' in hurt
    assert '"cause":' in hurt


def test_a_bare_number_behind_a_hit_is_its_damage_and_behind_an_attack_may_be_its_roll() -> None:
    assert '"amount":8' in told(fight(rules="5e"), "Ana hits gob. That's 8")[-1]
    with pytest.raises(NotUnderstood):
        fight(rules="5e").tell("Ana attacks gob. That's 8")


@pytest.mark.parametrize("rules", ["5e", "osric", "plain"])
def test_a_miss_that_is_pointed_at_is_that_of_the_blow(rules: str) -> None:
    act, rolled = told(fight(rules=rules), "Ana shoots gob. That was a miss")
    assert '"action_taken"' in act
    assert '"hit":false' in rolled
