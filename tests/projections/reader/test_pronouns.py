"""Pronouns whose antecedents stand in earlier lines, and contractions with names."""

import pytest

from eventstore.events import AttackRolled
from projections.grammar.tokens import NotUnderstood
from projections.reader.decision import decide
from tests.projections.grammar.test_line_context import heard
from tests.projections.reader.test_by_meaning_alone import fight
from tests.projections.reader.test_meanings import order, told
from tests.projections.test_grammar import table


@pytest.mark.parametrize(
    ("before", "line", "form"),
    [
        ("b goes 10ft", "and she hits the ogre for 5", "b attack o hit -5"),
        ("b o 14 6", "he hits the goblin with his axe for nine", "b attack axe g hit -9"),
        ("b o 14 6", "ok so she moves 10 feet", "b goes 10ft"),
        ("b o 14 6", "the ogre hits him for 3", "o attack b hit -3"),
        ("b goes 10ft", "so yeah brand's gonna stab the ogre and that's a 15 for 6", "b attack o 15 6"),
        ("b goes 10ft", "the goblin's prone", "g is prone"),
        ("b goes 10ft", "and the ogre's on the floor now", "o is prone"),
    ],
)
def test_a_pronoun_is_whoever_has_the_turn_and_acted_last(before: str, line: str, form: str) -> None:
    at = heard(order("plain"), before)
    assert told(at, line) == told(at, form)


@pytest.mark.parametrize(
    ("before", "line", "whom"),
    [
        ("b o 14 6", "he takes another 11", {"ogre", "brand"}),
        ("b o 14 6", "she is prone", {"ogre", "brand"}),
    ],
)
def test_a_pronoun_that_can_be_two_people_is_asked_about(before: str, line: str, whom: set[str]) -> None:
    at = heard(order("plain"), before)
    with pytest.raises(NotUnderstood) as caught:
        at.tell(line)
    assert {str(who) for who in whom} <= set(str(caught.value.meant).replace("'", " ").split())


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("it takes another 11", "ogre takes 11"),
        ("it hits back, 14 for 3", "o b 14 3"),
        ("mira hits it for 3", "mira hits the ogre for 3"),
        ("mira hits him for 3", "mira hits the ogre for 3"),
        ("5 damage to it", "ogre takes 5"),
    ],
)
def test_it_is_a_foe_and_whoever_is_struck_is_of_the_other_side(line: str, form: str) -> None:
    at = heard(order("plain"), "b o 14 6")
    assert told(at, line) == told(at, form)


def test_a_pronoun_that_stands_for_a_number_is_nobody() -> None:
    at = heard(order("plain"), "b goes 10ft")
    assert told(at, "goblin strikes brand and it's a 12 so no that misses") == told(at, "g attack b 12 miss")


def test_whom_an_ordinal_means_among_several_is_never_left_out() -> None:
    at = heard(order("plain"), "join orc*2 foes hp=5")
    line = "both orcs thrust at mira; the first hits for 2, the second misses"
    try:
        found = at.tell(line)
    except NotUnderstood as error:
        found = error.meant[0]
    hurt = [(fact.combatant, fact.hit) for fact in found.facts if isinstance(fact, AttackRolled)]
    assert hurt == [("orc-1", True), ("orc-2", False)]


def test_the_article_of_a_name_names_nobody() -> None:
    at = heard(order("plain"), 'join "the Duke" foes hp=9', 'join "the Abbot" foes hp=9')
    assert told(at, "The Duke hits the ogre for 3") == told(at, "duke attack o hit -3")


def test_others_of_a_kind_are_those_who_are_up() -> None:
    at = heard(order("plain"), "join orc*3 foes hp=5", "orc-1 -5")
    assert {fact.get("combatant") for fact in told(at, "the other orcs wait until someone steps closer")} == {
        "orc-2",
        "orc-3",
    }


def test_two_pronouns_that_name_nobody_are_offered_and_not_recorded() -> None:
    at = heard(order("plain"), "b o 14 6")
    with pytest.raises(NotUnderstood) as caught:
        at.tell("and he hits it again, 15 for 6")
    assert [
        (fact.combatant, fact.target) for fact in caught.value.meant[0].facts if isinstance(fact, AttackRolled)
    ] == [("brand", "ogre")]


@pytest.mark.parametrize("line", ["undo that", "undo the last one please"])
def test_what_is_taken_back_is_no_reason(line: str) -> None:
    assert [fact.get("reason") for fact in told(heard(order("plain"), "b goes 10ft"), line)] == [None]


def test_a_misspelt_article_is_no_weapon() -> None:
    at = order("plain")
    assert told(at, "b hits teh ogre 17 for 8") == told(at, "b hits the ogre 17 for 8")


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("bo moves 20 ft; gob hits him for 3", "bo"),
        ("bo moves 20 ft; gob takes an attack of opportunity against him and misses", "bo"),
        ("gob hits bo for 2, ana hits it for 1", "gob"),
        ("bo hits gob for 1, ana hits him for 1", "gob"),
    ],
)
def test_a_pronoun_behind_a_blow_is_whoever_of_the_line_is_on_the_other_side(line: str, target: str) -> None:
    found = decide(fight("5e").context, line)
    assert found.meaning is not None
    *_, roll = [each for each in found.meaning.facts if isinstance(each, AttackRolled)]
    assert roll.target == target


def test_a_pronoun_that_can_be_two_of_the_line_is_asked_about() -> None:
    assert decide(fight("5e").context, "ana heals bo for 3, gob attacks her and misses").meaning is None


@pytest.mark.parametrize(
    "line",
    [
        "ana hits gob for 3, he hits her for 4",
        "gob hits ana for 3, she hits him for 4",
        "ana misses gob but he hits her for 4",
        "ana hits gob for 3, he kills her",
        "ana moves to gob, he hits her for 3",
        "ana scares gob, he flees",
        "gob hits ana and bo for 3, he falls",
        "gob hits ana and bo for 3, she hits him for 4",
        "ana hits gob for 3, he heals himself for 5",
    ],
)
def test_a_pronoun_that_can_be_the_actor_or_the_target_is_asked_about(line: str) -> None:
    found = decide(fight("5e").context, line)
    assert found.meaning is None
    assert found.offers


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana hits gob for 3, he hits her back for 4", "ana hits gob for 3, gob hits ana for 4"),
        ("ana hits gob for 3, she hits him again for 4", "ana hits gob for 3, ana hits gob for 4"),
        ("ana hits gob for 3, it hits bo for 4", "ana hits gob for 3, gob hits bo for 4"),
        ("ana hits gob, who hits her for 4", "ana hits gob, gob hits ana for 4"),
        ("gob hits bo for 3, ana hits for 4", "gob hits bo for 3, ana hits gob for 4"),
        ("gob hits bo for 3, ana kills him", "gob hits bo for 3, ana kills gob"),
        ("gob shoots at ana but he misses her", "gob shoots at ana, gob misses ana"),
    ],
)
def test_sides_and_small_words_say_who_a_pronoun_is(line: str, plain: str) -> None:
    def rolls(said: str) -> list[tuple[object, ...]]:
        found = decide(fight("5e").context, said)
        assert found.meaning is not None
        return [
            (type(each), getattr(each, "combatant", None), getattr(each, "target", None), getattr(each, "values", None))
            for each in found.meaning.facts
            if not type(each).__name__.startswith(("Turn", "Round", "Action"))
        ]

    assert rolls(line)[-2:] == rolls(plain)[-2:]


def test_it_may_be_an_animal_of_the_party() -> None:
    at = heard(table("plain", "join ana party hp=20", "join wolf party hp=9", "join orc foes hp=9"), "r", "t wolf")
    at = heard(at, "wolf bites orc for 3")
    assert told(at, "it bites the orc again for 2") == told(at, "wolf bites the orc again for 2")


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("tobb hits it for 5", "tobb hits bear for 5"),
        ("mira gets up and stabs it for 5", "mira gets up and stabs bear for 5"),
        ("it hits mira for 4", "bear hits mira for 4"),
        ("tobb heals her for 4", "tobb heals mira for 4"),
        ("mira lays hands on him for 4", "mira lays hands on tobb for 4"),
        ("mira uses lay on hands on him, he regains 4", "mira uses lay on hands on tobb. tobb regains 4"),
    ],
)
def test_a_pronoun_that_strikes_or_is_struck_is_of_the_other_side(line: str, plain: str) -> None:
    people = (
        "join mira party hp=20",
        "join tobb party hp=20",
        "join bear foes hp=27",
        "r",
        "mira is prone",
        "tobb casts bless on mira",
    )
    assert told(table("5e", *people), line) == told(table("5e", *people), plain)


def test_of_several_foes_each_may_be_the_one_that_is_struck() -> None:
    people = (
        "join mira party hp=20",
        "join tobb party hp=20",
        "join bear*2 foes hp=27",
        "r",
        "tobb casts bless on mira",
    )
    at = table("5e", *people)
    with pytest.raises(NotUnderstood) as caught:
        at.tell("tobb hits it for 5")
    assert [meant.facts[-1].target for meant in caught.value.meant] == ["bear-1", "bear-2"]
