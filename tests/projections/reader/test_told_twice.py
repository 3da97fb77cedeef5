"""What a line says twice, or of the clock beside a deed, is neither recorded twice nor passed over."""

from collections.abc import Iterable

import pytest

from eventstore.events import AttackRolled, CombatantJoined, DamageDealt, Fact, RoundStarted
from projections.reader.decision import decide
from tests.projections.reader.test_by_meaning_alone import fight, meant
from tests.projections.test_grammar import table


@pytest.mark.parametrize(
    "line",
    [
        "ana hits gob for 3. gob takes 3 damage",
        "ana hits gob for 3, it takes 3",
        "ana hits gob for 3. gob: dealt 3 damage!",
    ],
)
def test_damage_that_is_told_again_is_asked_about_once_before_twice(line: str) -> None:
    found = decide(fight("5e").context, line)
    assert found.meaning is None
    assert [len(hurts(offer.facts)) for offer in found.offers] == [1, 2]


@pytest.mark.parametrize(
    "line",
    [
        "ana hits gob for 3, it takes 3 more",
        "ana hits gob for 3, it takes 4",
        "ana hits gob for 3 slashing, it takes 3 fire",
    ],
)
def test_other_damage_is_dealt_on_top(line: str) -> None:
    assert len(hurts(meant(fight("5e"), line))) == 2


def hurts(facts: Iterable[Fact]) -> list[DamageDealt]:
    return [each for each in facts if isinstance(each, DamageDealt)]


@pytest.mark.parametrize(
    "line", ["new round, gob takes 1", "a new round, and gob takes 1", "next round ana hits gob for 1"]
)
def test_a_round_without_its_number_begins_before_what_happens_in_it(line: str) -> None:
    begun, *rest = of_the_clock_too(line)
    assert isinstance(begun, RoundStarted)
    assert rest


@pytest.mark.parametrize("line", ["this round ana hits gob for 1", "every round gob takes 1", "last round gob took 1"])
def test_a_round_that_is_not_read_is_not_passed_over(line: str) -> None:
    assert decide(fight("5e").context, line).meaning is None


def of_the_clock_too(line: str) -> list[Fact]:
    meaning = decide(fight("5e").context, line).meaning
    assert meaning is not None
    return [*meaning.facts]


@pytest.mark.parametrize(
    ("line", "hits"),
    [
        ("gob takes an opportunity attack on ana, 15, 3 damage", True),
        ("gob gets an attack of opportunity against ana and misses", False),
        ("ana stands up; gob takes an attack of opportunity against her and misses", False),
    ],
)
def test_whoever_takes_an_opportunity_attack_attacks(line: str, hits: bool) -> None:
    at = fight("5e", "ana is prone")
    (roll,) = [each for each in meant(at, line) if isinstance(each, AttackRolled)]
    assert (roll.combatant, roll.target, roll.hit) == ("gob", "ana", hits)


def test_creatures_of_a_list_need_no_stats_of_their_own_where_others_have_some() -> None:
    facts = meant(table("5e", "join ana party hp=9"), "Their enemies are a ghast (26 HP) and 2 ghouls.")
    assert [(each.combatant, each.side) for each in facts if isinstance(each, CombatantJoined)] == [
        ("ghast", "enemies"),
        ("ghoul-1", "enemies"),
        ("ghoul-2", "enemies"),
    ]
    assert decide(table("5e", "join bo party hp=9").context, "party: Ana 24 hp, mage").meaning is None


def test_a_state_in_which_somebody_rises_lasts() -> None:
    at = fight("5e", "ana is stunned")
    found = decide(at.context, "ana stands up stunned")
    assert found.meaning is None


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("gob runs away and is out of the fight", "gob runs away"),
        ("gob flees the fight", "gob flees the fight"),
        ("gob surrenders, he's out of the fight", "gob surrenders"),
        ("ana hits gob for 2, gob falls and is prone", "ana hits gob for 2, gob is prone"),
        ("ana attacks gob: 12 + 5 against AC 15, a hit for 3", "ana attacks gob: 12+5 against AC 15, a hit for 3"),
    ],
)
def test_an_outcome_in_more_words_is_the_same_outcome(line: str, plain: str) -> None:
    assert meant(fight("5e"), line) == meant(fight("5e"), plain)


def test_a_sum_before_a_type_is_two_amounts() -> None:
    (hurt,) = hurts(meant(fight("5e"), "ana hits gob for 5 + 3 fire"))
    assert [part.amount for part in hurt.parts or ()] == [5, 3]


def test_whoever_stands_on_the_side_of_the_foes_is_on_it() -> None:
    facts = meant(fight("5e"), "On the side of the foes stand 3 robbers with each 12 hit points.")
    assert [(each.combatant, each.side) for each in facts if isinstance(each, CombatantJoined)] == [
        (f"robber-{n}", "foes") for n in (1, 2, 3)
    ]
