"""What is told twice in one line, outcomes that several share, corrections in passing, and the ends of fights."""

import pytest

from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import table, told

PEOPLE = [
    "join Ana party hp=20",
    "join Bo party hp=18",
    "join gob foes hp=12",
    "join orc*3 foes hp=15",
    "join ogre foes hp=59",
]


def fight(*before: str, rules: str = "5e") -> Table:
    return heard(table(rules, *PEOPLE, "r"), *before)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("orc 1 dies, dead", "orc 1 dies"),
        ("orc 1 drops dead, it's dead", "orc 1 is dead"),
        ("orc 1 drops, dead", "orc 1 is dead"),
        ("orc 1 collapses, down", "orc 1 collapses"),
        ("orc 1 falls prone, it's prone", "orc 1 falls prone"),
        ("orc 1 is knocked prone and lies on the ground", "orc 1 is knocked prone"),
        ("orc 1 flees, so does orc 2", "orc 1 flees. orc 2 flees"),
        ("orc 1 is dead, so is the gob", "orc 1 is dead. gob is dead"),
        ("orc 1 falls prone, as does orc 2", "orc 1 falls prone. orc 2 falls prone"),
    ],
)
def test_a_state_in_other_words_is_told_once_and_of_somebody_else_again(line: str, plain: str) -> None:
    assert told(fight(), line) == told(fight(), plain)


@pytest.mark.parametrize(
    "after", ["so it's restrained", "and it's restrained", "it is restrained", "so he's restrained"]
)
def test_it_after_a_failed_save_is_whoever_failed(after: str) -> None:
    at = fight("t ana", "ana casts web on gob and orc 1")
    save, state = at.tell(f"gob fails its dex save with a 6, {after}").facts
    assert (save.combatant, save.succeeded, state.targets) == ("gob", False, ("gob",))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line",
    [
        "ana loses concentration so faerie fire is gone",
        "ana loses concentration, faerie fire ends",
        "ana loses concentration and faerie fire drops",
    ],
)
def test_what_ends_because_concentration_ends_is_told_once(line: str) -> None:
    begun = 'effect "faerie fire" by ana on orc-1'
    assert told(fight(begun), line) == told(fight(begun), "ana loses concentration")


def test_a_roll_and_its_outcome_are_one_save() -> None:
    at = fight("t ana", "ana casts hold person on gob")
    save, _ = at.tell("gob rolls 4 and fails the wis save").facts
    assert vars_of(save)[:3] == ("gob", 4, False)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        (
            "Saves vs. spell: orc 1 rolls 4, orc 2 rolls 9, both fail.",
            "orc 1 saves spell 4 fail, orc 2 saves spell 9 fail",
        ),
        ("saves vs spell: orc 1 4, orc 2 9, neither makes it", "orc 1 saves spell 4 fail, orc 2 saves spell 9 fail"),
        (
            "saves vs spell: orc 1 rolls 14, orc 2 rolls 19, both make it",
            "orc 1 saves spell 14 ok, orc 2 saves spell 19 ok",
        ),
        ("saves vs spell: orc 1 4, orc 2 19, only orc 2 saves", "orc 1 saves spell 4 fail, orc 2 saves spell 19 ok"),
        ("orc 1 attacks bo 14, orc 2 attacks ana 9, both miss", "orc 1 attacks bo 14 miss, orc 2 attacks ana 9 miss"),
    ],
)
def test_an_outcome_behind_rolls_of_several_is_that_of_each(line: str, plain: str) -> None:
    assert told(fight(rules="osric"), line) == told(fight(rules="osric"), plain)


@pytest.mark.parametrize(
    "line",
    [
        "saves vs spell: orc 1 4, orc 2 9, orc 3 2, both fail",
        "saves vs spell: orc 1 4, orc 2 9, one saves, one fails",
        "orc 1 gets a 14 and orc 2 gets a 17, both save",
    ],
)
def test_an_outcome_that_does_not_say_of_whom_it_is_is_asked_about(line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight(rules="osric").tell(line)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("gob rolls a nine on wisdom and fails", "gob wis save 9 fails"),
        ("gob makes it with seventeen", "gob wis save 17 succeeds"),
        ("gob fails with a 3", "gob wis save 3 fails"),
        ("gob blows it with a 3", "gob wis save 3 fails"),
    ],
)
def test_a_roll_behind_a_spell_that_allows_a_save_is_that_save(line: str, plain: str) -> None:
    at = fight("t ana", "ana casts hold person on gob")
    assert [(type(one), vars_of(one)) for one in at.tell(line).facts] == [
        (type(one), vars_of(one)) for one in at.tell(plain).facts
    ]


def vars_of(fact: object) -> tuple[object, ...]:
    return tuple(
        getattr(fact, name, None) for name in ("combatant", "die", "succeeded", "condition", "targets", "cause")
    )


def test_both_behind_rolls_alone_are_saves_against_the_spell() -> None:
    at = fight("t ana", "ana casts fireball on all orcs")
    facts = at.tell("orcs 1 and 2 roll 4 and 9, both fail").facts
    assert [vars_of(each)[:3] for each in facts] == [("orc-1", 4, False), ("orc-2", 9, False)]


def test_whoever_gets_points_is_the_subject_and_not_the_owner_of_the_potion() -> None:
    at = fight("bo is paralyzed")
    lost, healed = at.tell("bo shakes off the paralysis and gets 8 hp back from Ana's potion").facts
    assert (lost.targets, healed.target, healed.source) == (("bo",), "bo", "ana")  # type: ignore[attr-defined]
