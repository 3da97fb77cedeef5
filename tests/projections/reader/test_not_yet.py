"""What a line says of wishes, plans, conditions and other people's words did not happen, and is never recorded at once."""

import pytest

from eventstore.events import (
    ActionTaken,
    Amended,
    AttackRolled,
    ConditionGained,
    DamageDealt,
    EncounterClosed,
    Moved,
    Placed,
    SaveRolled,
)
from projections.grammar.tokens import NotUnderstood
from projections.reader.decision import decide
from tests.projections.reader.test_by_meaning_alone import fight, meant


@pytest.mark.parametrize(
    "line",
    [
        "ana wants to hit gob",
        "ana's about to hit gob",
        "ana is going to hit gob",
        "gob can't hit ana",
        "ana tells bo to hit gob",
        "ana stands down",
        "ana stands still",
        "gob is out for blood",
        "gob takes 1 action",
        "gob takes 3 arrows",
        "ana blesses everyone",
        "gob and orc save: gob passes, orc fails",
        "the gob who attacked bo takes 5",
        "undo gob",
        "undo gob's attack",
        "undo round 1",
    ],
)
def test_what_did_not_happen_or_may_be_something_else_is_asked_about(line: str) -> None:
    at = fight("5e")
    before = at.done.state
    with pytest.raises(NotUnderstood):
        at.tell(line)
    assert at.done.state == before


def test_a_time_that_is_awaited_ends_nothing() -> None:
    found = decide(fight("5e").context, "ana gives bo 6 temp hp until the fight ends")
    facts = [fact for each in (found.meaning, *found.offers) if each for fact in each.facts]
    assert not any(isinstance(fact, EncounterClosed) for fact in facts)


def test_a_number_that_is_halved_may_be_the_half_or_the_whole() -> None:
    found = decide(fight("5e").context, "gob takes 12 fire halved")
    assert found.meaning is None
    assert [fact.amount for each in found.offers for fact in each.facts if isinstance(fact, DamageDealt)] == [6, 12]


@pytest.mark.parametrize("line", ["after ana's turn gob takes 3", "on ana's turn gob takes 3"])
def test_whose_turn_it_is_does_not_say_who_dealt_the_damage(line: str) -> None:
    (fact,) = meant(fight("5e"), line)
    assert isinstance(fact, DamageDealt)
    assert (fact.target, fact.source) == ("gob", None)


@pytest.mark.parametrize(
    "line", ["gob frightened of ana", "gob, frightened of ana", "gob grappled by ana", "gob is scared of ana"]
)
def test_a_state_without_its_verb_is_of_the_combatant_before_it(line: str) -> None:
    (fact,) = meant(fight("5e"), line)
    assert isinstance(fact, ConditionGained)
    assert (fact.targets, fact.source) == (("gob",), "ana")


@pytest.mark.parametrize(
    "line",
    ["ana hits gob's AC, 5 damage", "ana rolled 17 vs gob's AC of 13, 5 damage", "ana 17 vs gob's ac, hits for 5"],
)
def test_the_armor_class_that_is_hit_is_that_of_the_target(line: str) -> None:
    roll = next(fact for fact in meant(fight("5e"), line) if isinstance(fact, AttackRolled))
    assert (roll.combatant, roll.target, roll.hit) == ("ana", "gob", True)


def test_the_number_by_which_a_blow_misses_is_no_roll() -> None:
    act, roll = meant(fight("5e"), "ana misses gob by 2")
    assert isinstance(act, ActionTaken)
    assert isinstance(roll, AttackRolled)
    assert (roll.die, roll.hit) == (None, False)


@pytest.mark.parametrize("line", ["ana 9 dmg gob", "ana gob 9 damage", "ana: 9 fire damage gob"])
def test_damage_beside_two_names_of_two_sides_is_that_of_the_first_to_the_second(line: str) -> None:
    (fact,) = meant(fight("5e"), line)
    assert isinstance(fact, DamageDealt)
    assert (fact.source, fact.target, fact.amount) == ("ana", "gob", 9)
    assert decide(fight("5e").context, line.replace("gob", "bo")).meaning is None


def test_of_a_blow_that_armor_softens_what_is_left_is_the_damage() -> None:
    facts = meant(fight("plain"), "ana hits gob with the axe, 9 minus 3 armour = 6")
    assert [fact.amount for fact in facts if isinstance(fact, DamageDealt)] == [6]
    assert [fact.die for fact in facts if isinstance(fact, AttackRolled | SaveRolled)] == [None]


@pytest.mark.parametrize(
    ("line", "amounts"),
    [
        ("ana and bo both hit gob, for 5 and 7 respectively", [("ana", 5), ("bo", 7)]),
        ("ana and bo attack gob, for 3 and 4 points", [("ana", 3), ("bo", 4)]),
        ("ana and bo hit gob for 5 each", [("ana", 5), ("bo", 5)]),
    ],
)
def test_each_of_several_attackers_deals_the_amount_in_its_place(line: str, amounts: list[tuple[str, int]]) -> None:
    facts = meant(fight("5e"), line)
    rolls = [fact.combatant for fact in facts if isinstance(fact, AttackRolled)]
    hurts = [fact.amount for fact in facts if isinstance(fact, DamageDealt)]
    assert [*zip(rolls, hurts, strict=True)] == amounts


@pytest.mark.parametrize("line", ["ana attacks gob, 15 hits, and 12 misses", "ana attacks gob: 12 misses, 15 hits"])
def test_a_number_that_hits_beside_one_that_misses_is_a_roll(line: str) -> None:
    facts = meant(fight("5e"), line)
    assert sorted((fact.die, fact.hit) for fact in facts if isinstance(fact, AttackRolled)) == [(12, False), (15, True)]
    assert not any(isinstance(fact, DamageDealt) for fact in facts)


def test_a_state_that_is_told_again_without_its_origin_begins_once() -> None:
    found = fight("5e").tell("gob grabs ana, she's grappled")
    assert [fact.source for fact in found.facts if isinstance(fact, ConditionGained)] == ["gob"]


def test_who_goes_on_without_a_name_is_who_acted_before() -> None:
    *_, placed = meant(fight("5e"), "gob disengages and runs behind bo")
    assert isinstance(placed, Placed)
    assert (placed.combatant, placed.words) == ("gob", "behind bo")
    *_, moved = meant(fight("5e"), "ana dodges and moves back")
    assert isinstance(moved, Moved)
    assert moved.combatant == "ana"


@pytest.mark.parametrize("line", ["hits gob for 5", "attack gob 5", "hits gob 17 for 5"])
def test_a_blow_without_its_attacker_against_the_other_side_is_of_who_is_up(line: str) -> None:
    found = decide(fight("5e").context, line)
    readings = [found.meaning] if found.meaning else [*found.offers]
    assert {
        (fact.combatant, fact.target) for each in readings for fact in each.facts if isinstance(fact, AttackRolled)
    } == {("ana", "gob")}
    assert decide(fight("5e").context, line.replace("gob", "bo")).meaning is None


def test_who_hits_back_hits_the_last_attacker() -> None:
    (roll,) = (
        fact for fact in meant(fight("5e", "gob hits bo for 3"), "bo hits back for 4") if isinstance(fact, AttackRolled)
    )
    assert (roll.combatant, roll.target) == ("bo", "gob")
    assert decide(fight("5e", "gob hits ana for 3").context, "bo hits back for 4").meaning is None


@pytest.mark.parametrize(
    ("line", "field", "expected"),
    [("actually 5", "amount", 5), ("ana, not bo", "target", "ana"), ("5, not 3", "amount", 5)],
)
def test_a_line_that_only_says_who_or_how_much_it_was_corrects_the_last_one(
    line: str, field: str, expected: object
) -> None:
    *_, amended = fight("5e", "gob hits bo for 3").tell(line).facts
    assert isinstance(amended, Amended)
    assert getattr(amended.replacement, field) == expected


def blows(line: str) -> list[tuple[str, str | None, bool | None]]:
    facts = meant(fight("5e"), line)
    return [(fact.combatant, fact.target, fact.hit) for fact in facts if isinstance(fact, AttackRolled)]


def test_who_strikes_and_is_struck_by_another_in_one_sentence_is_the_same() -> None:
    assert blows("bo struck gob for 8 and was missed by gob") == [("bo", "gob", True), ("gob", "bo", False)]
    assert blows("ana hits gob for 8 and is hit by the gob for 3") == [("ana", "gob", True), ("gob", "ana", True)]


def test_words_between_a_subject_and_its_verb_that_only_say_it_had_its_turn_change_nothing() -> None:
    missed = blows("ana missed gob, bo missed gob, and gob in its turn missed ana")
    assert missed == [("ana", "gob", False), ("bo", "gob", False), ("gob", "ana", False)]


def test_a_feature_beside_a_weapon_is_not_the_weapon() -> None:
    facts = meant(fight("5e"), "ana shortbow on gob, 19 to hit, 11 dmg w/ sneak attack")
    assert [fact.name for fact in facts if isinstance(fact, AttackRolled)] == ["shortbow"]


def test_a_spell_that_is_a_verb_goes_on_with_its_caster() -> None:
    assert blows("ana stands up and fire bolts gob with a 20, 12 fire") == [("ana", "gob", True)]


def test_what_ought_to_have_been_is_what_should_have_been() -> None:
    *_, amended = meant(fight("5e", "ana hits gob for 12"), "that ought to have been ten rather than twelve")
    assert isinstance(amended, Amended)
    assert getattr(amended.replacement, "amount", None) == 10


def test_a_line_that_begins_with_and_and_an_amount_is_refused_and_no_fault() -> None:
    with pytest.raises(NotUnderstood):
        fight("5e", "gob hits ana for 8").tell("and 3 cold")
