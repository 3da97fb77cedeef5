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


@pytest.mark.parametrize("rules", ["5e", "osric", "plain"])
@pytest.mark.parametrize("heals", ["Ana casts cure wounds on Bo", "Ana heals Bo", "Ana uses a potion on Bo"])
@pytest.mark.parametrize(
    "more",
    ["He gets 6", "Bo gets 6 back", "He gets 6 hit points", "That's 6 hp", "It was 6 points", "It heals 6", "For 6"],
)
def test_what_a_remedy_heals_is_regained_by_whom_it_is_for(rules: str, heals: str, more: str) -> None:
    healed = told(fight("bo -9", rules=rules), f"{heals}. {more}")[-1]
    assert '"type":"healed","target":"bo","amount":6' in healed


@pytest.mark.parametrize("rules", ["5e", "osric", "plain"])
@pytest.mark.parametrize("more", ["It was 12 damage", "That was 12 damage", "That's 12 damage"])
def test_the_damage_of_a_blow_that_kills_is_that_of_the_blow(rules: str, more: str) -> None:
    facts = told(fight(rules=rules), f"Ana kills gob. {more}")
    assert facts == told(fight(rules=rules), "Ana kills gob for 12")


@pytest.mark.parametrize("blow", ["Bo hits gob for 3", "Bo misses gob", "Bo moves to gob"])
@pytest.mark.parametrize(
    ("more", "part"),
    [
        ("It is poisoned", '"targets":["gob"]'),
        ("It falls prone", '"targets":["gob"]'),
        ("It dies", '"gob.status":"dead"'),
        ("It runs away", '"combatant":"gob"'),
        ("It hits back for 4", '"target":"bo","amount":4'),
        ("It strikes back and misses", '"target":"bo"'),
        ("It takes 3 more", '"target":"gob","amount":3'),
    ],
)
def test_it_is_rather_a_creature_than_somebody_of_the_party(blow: str, more: str, part: str) -> None:
    assert part in told(fight(rules="5e"), f"{blow}. {more}")[-1]


@pytest.mark.parametrize("more", ["He also hides", "He then hides", "And then hides"])
def test_who_also_does_something_is_whoever_did_the_deed_before(more: str) -> None:
    assert '"combatant":"bo","action":{"kind":"hide"' in told(fight(rules="5e"), f"Bo hits gob for 3. {more}")[-1]


def test_a_creature_that_only_turns_round_does_nothing_else() -> None:
    assert told(fight(rules="5e"), "Gob turns round and hits Bo for 3") == told(fight(rules="5e"), "Gob hits Bo for 3")


@pytest.mark.parametrize(
    "more", ["Ana dodges", "but she dodges", "She dodges the blow", "Ana parries", "She parries the attack"]
)
def test_a_defence_behind_a_blow_without_an_outcome_is_a_miss(more: str) -> None:
    assert told(fight(rules="5e"), f"gob swings at Ana. {more}") == told(fight(rules="5e"), "gob swings at Ana, misses")


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        ("gob runs up to Ana and stabs her for 5", ["placed", "action_taken", "attack_rolled", "damage_dealt"]),
        ("gob hits Ana for 3 and orc 1 attacks Bo", ["action_taken", "attack_rolled", "damage_dealt", "action_taken"]),
        ("gob attacks Ana, Bo hides", ["action_declared", "action_declared"]),
        ("Ana casts web, gob takes 3 from the fire", ["action_declared", "damage_dealt"]),
    ],
)
def test_among_declarations_a_line_with_an_outcome_tells_what_is_done(line: str, kinds: list[str]) -> None:
    facts = told(fight(rules="osric"), line)
    assert [fact.split('"')[3] for fact in facts] == kinds
