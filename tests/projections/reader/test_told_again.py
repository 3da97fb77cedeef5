"""What is told twice, only describes or goes without saying: totals, titles, adjectives, and remarks."""

import pytest

from eventstore.events import ActionDeclared, AttackRolled
from eventstore.shapes import Action
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.reader.test_by_meaning_alone import PEOPLE
from tests.projections.test_grammar import table, told


def fight() -> Table:
    return heard(table("5e", *PEOPLE, "join kob*2 foes hp=5"), "r", "t ana")


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana hits gob for 9 plus 8 fire, so 17", "ana hits gob for 9 and 8 fire"),
        ("ana hits gob for 9 plus 8 fire, 17 in all", "ana hits gob for 9 and 8 fire"),
        ("gob takes 9 plus 8 fire, that's 17", "gob takes 9 and 8 fire"),
        ("Sir Bo hits the ugly gob for 5", "bo hits gob for 5"),
        ("poor old Ana takes 5", "ana takes 5"),
        ("ana hits gob for 6, it still stands", "ana hits gob for 6"),
        ("ana disengages. Nothing else this turn.", "ana disengages"),
        ("ana hits gob for 5 period", "ana hits gob for 5"),
    ],
)
def test_what_adds_nothing_is_left_out(line: str, plain: str) -> None:
    assert told(fight(), line) == told(fight(), plain)


@pytest.mark.parametrize(
    "line",
    [
        "bo is dead set on killing gob",
        "ana has the drop on gob",
        "bo trips over gob",
        "ana dodges the fireball",
        "kobs all go for bo. claws 14 no, 19 yes, third one 8",
        "entangle: gob kob-1 restrained",
        "bo doesn't get up",
        "gob hits ana for 5 but she parries",
        "ana hits gob with a 15 right",
    ],
)
def test_what_did_not_happen_is_not_recorded(line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight().tell(line)


def test_a_total_that_is_no_sum_is_kept() -> None:
    with pytest.raises(NotUnderstood):
        fight().tell("ana hits gob for 9 plus 8 fire, so 18")


def test_who_must_save_has_not_saved() -> None:
    (save, state) = fight().tell("gob must save against poison, rolls an 11, and is poisoned").facts
    assert (save.die, save.succeeded, state.condition) == (11, None, "poisoned")  # type: ignore[attr-defined]


def test_what_follows_damage_of_several_by_name_befalls_the_last() -> None:
    facts = fight().tell("gob takes 3, kob 1 takes 1, prone").facts
    assert facts[-1].targets == ("kob-1",)  # type: ignore[attr-defined]


def test_poison_that_is_off_is_over() -> None:
    at = heard(fight(), "gob is poisoned")
    assert [type(each).__name__ for each in at.tell("poison off gob").facts] == ["ConditionLost"]


def test_another_of_a_kind_has_what_all_of_it_have() -> None:
    assert told(fight(), "a third kob appears") == told(fight(), "join kob-3 foes hp=5")


def test_the_same_is_whoever_was_struck_last() -> None:
    at = heard(fight(), "ana hits kob 2 for 2")
    assert told(at, "bo hits the same kob for 2") == told(at, "bo hits kob 2 for 2")


def test_two_words_are_a_name_of_one_word() -> None:
    at = heard(table("plain", "join thunderfist party hp=20", "join gob foes hp=9"), "r")
    assert told(at, "gob hits Thunder Fist for 2") == told(at, "gob hits thunderfist for 2")


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana attacks gob, nat 1", "ana attacks gob 1 miss"),
        ("ana attacks gob, natural 20", "ana attacks gob 20 hit"),
        ("ana hits gob for 3 plus 2", "ana hits gob for 5"),
        ("ana hits gob twice for 3 and 4", "ana hits gob for 3. ana hits gob for 4"),
    ],
)
def test_a_blow_has_the_outcome_that_its_words_imply(line: str, plain: str) -> None:
    assert told(fight(), line) == told(fight(), plain)


def test_each_of_two_blows_has_the_weapon_before_its_number() -> None:
    facts = fight().tell("gob: claw 18 hits 6, bite 12 misses on bo").facts
    assert [each.name for each in facts if isinstance(each, AttackRolled)] == ["claw", "bite"]


@pytest.mark.parametrize(
    "line",
    ["ana swings with disadvantage 6, then 15 hits gob for 8", "bo hits gob for for", "gob takes 5 radient damage"],
)
def test_what_may_be_meant_otherwise_is_asked(line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight().tell(line)


def test_where_a_deed_is_done_is_kept() -> None:
    act, place = fight().tell("ana disengages, to the rafters").facts
    assert (act.action.kind, place.words) == ("disengage", "to the rafters")  # type: ignore[attr-defined]


def test_what_is_searched_is_kept() -> None:
    assert fight().tell("ana searches the chest").facts[-1].action.name == "the chest"  # type: ignore[attr-defined]


def test_unknown_words_beside_a_deed_are_asked_about() -> None:
    with pytest.raises(NotUnderstood):
        fight().tell("ana dodges like a pro")


@pytest.mark.parametrize(
    "line",
    [
        "ana will cast sleep, and the others will stand and fight",
        "ana will cast sleep, bo and cid attack",
        "ana casts sleep, bo and cid keep fighting",
    ],
)
def test_whoever_declares_something_else_is_no_target_of_the_spell(line: str) -> None:
    at = heard(table("osric", *PEOPLE, "join cid party hp=9"), "r")
    acts = [(each.combatant, each.action) for each in at.tell(line).facts if isinstance(each, ActionDeclared)]
    assert acts == [
        ("ana", Action(kind="cast", name="sleep")),
        ("bo", Action(kind="attack")),
        ("cid", Action(kind="attack")),
    ]


def test_two_letters_are_two_names_and_not_a_name_of_two_letters() -> None:
    at = heard(table("plain", "join bo party hp=20", "join ogre foes hp=9"), "r")
    assert told(at, "b o 14 6") == told(at, "bo ogre 14 6")


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana x2 on gob: 14 miss, 21 hit 8", "ana attacks gob twice: 14 miss, 21 hit 8"),
        ("ana got a natural 20 on gob exclamation point 12 damage", "ana got a natural 20 on gob! 12 damage"),
        ("bo rages comma and runs up to gob", "bo rages, and runs up to gob"),
    ],
)
def test_counts_and_marks_are_read_as_they_are_typed_or_said(line: str, plain: str) -> None:
    assert told(fight(), line) == told(fight(), plain)


def test_nobody_takes_0_hit_points() -> None:
    with pytest.raises(NotUnderstood):
        fight().tell("gob hits bo 5, 0 hp, bleeding")


def test_another_of_a_kind_without_a_side_has_none() -> None:
    at = heard(table("plain", "join ana party hp=20", "join kob*2 hp=5"), "r")
    (joined,) = at.tell("another kob appears").facts
    assert (joined.combatant, joined.side) == ("kob-3", None)  # type: ignore[attr-defined]


def test_an_undo_of_a_kind_takes_nothing_back() -> None:
    with pytest.raises(NotUnderstood, match="the last line"):
        fight().tell("undo kob")


def test_people_and_creatures_against_them_are_the_party_and_its_foes() -> None:
    facts = table("osric").tell("Ana fighter 20 hp ac 4, Bo thief 12 hp ac 7 vs 3 orcs 5 hp ac 6").facts
    assert [each.side for each in facts] == ["party", "party", "foes", "foes", "foes"]  # type: ignore[attr-defined]
