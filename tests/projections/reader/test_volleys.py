"""Several blows of one attacker whose outcomes are counted, and numbers before an outcome that are rolls and no counts."""

import pytest

from eventstore.events import DamageDealt
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import table, told

PEOPLE = ["join Ana party hp=40", "join Bo party hp=40", "join gob foes hp=40", "join orc foes hp=40", "r"]


def fight(rules: str = "plain") -> Table:
    return heard(table(rules, *PEOPLE))


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana shoots two arrows at gob, one hits for 5", "hits 5|misses"),
        ("ana shoots two arrows at gob, both hit for 5 and 6", "hits 5|hits 6"),
        ("ana shoots two arrows at gob, both miss", "misses|misses"),
        ("ana looses three arrows at gob: two hit for 5 and 7, one misses", "hits 5|hits 7|misses"),
        ("ana attacks gob three times, two hit for 5 and 7", "hits 5|hits 7|misses"),
        ("ana attacks gob three times, two of three hit, 5 and 7 damage", "hits 5|hits 7|misses"),
        ("ana attacks gob twice, hits once for 5", "hits 5|misses"),
        ("ana attacks gob twice, one hit for 5, one miss", "hits 5|misses"),
        ("ana attacks twice against gob, only one hits, 5 damage", "hits 5|misses"),
        ("ana hits gob with both attacks, 5 and 6", "hits 5|hits 6"),
        ("ana misses gob with both attacks", "misses|misses"),
        ("ana attacks gob, two hits for 5 and 4", "hits 5|hits 4"),
        ("ana attacks gob twice, 8 misses, 14 hits for 4", "8 misses|14 hits 4"),
        ("ana attacks gob twice, 8 and 11, both miss", "8 misses|11 misses"),
        ("ana attacks gob 8 and 11, both miss", "8 misses|11 misses"),
        ("ana attacks gob 8, 11 and 4, all miss", "8 misses|11 misses|4 misses"),
        ("ana attacks gob, 8 and 11, misses both", "8 misses|11 misses"),
        ("ana attacks gob, 18 and 17, both hit for 5 and 6", "18 hits 5|17 hits 6"),
        ("ana attacks gob, eight misses", "8 misses"),
        ("ana attacks gob 8 misses", "8 misses"),
    ],
)
def test_the_outcomes_of_several_blows_are_counted(line: str, plain: str) -> None:
    one_by_one = ". ".join(f"ana attacks gob {each.replace('hits ', 'hits for ')}" for each in plain.split("|"))
    assert told(fight(), line) == told(fight(), one_by_one)


@pytest.mark.parametrize(
    "line",
    [
        "ana shoots three arrows at gob, one misses",
        "ana shoots two arrows at gob, one hits for 5 and 6",
        "ana attacks gob twice, three hit for 5, 6 and 7",
        "ana attacks gob twice, 2 misses",
        "ana attacks gob, two hits",
        "ana attacks gob, 8 and 11, both hit for 5",
        "ana attacks gob, five hits for three, two misses",
    ],
)
def test_counts_that_leave_something_open_are_asked_about(line: str) -> None:
    at = fight()
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize(
    "line",
    [
        "bo casts scorching ray at orc, two of three hit, 7 and 5",
        "bo casts scorching ray at orc, two hit for 7 and 5, one misses",
    ],
)
def test_the_rays_of_a_spell_are_counted_too(line: str) -> None:
    cast, *rest = fight("5e").tell(line).facts
    assert cast.action.name == "scorching ray"  # type: ignore[attr-defined]
    assert [getattr(each, "hit", getattr(each, "amount", None)) for each in rest] == [True, 7, True, 5, False]


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("gob attacks bo, claws miss, bite hits for 6", "claws misses|bite hits for 6"),
        ("gob attacks bo, bite misses but the claws hit for 4 and 5", "bite misses|claws hits for 4|claws hits for 5"),
        ("gob's bite misses bo, claws hit for 4", "bite misses|claws hits for 4"),
        ("gob hits bo with both claws for 3 and 4, bite misses", "claws hits for 3|claws hits for 4|bite misses"),
        ("gob misses bo with both claws", "claws misses|claws misses"),
    ],
)
def test_several_blows_are_told_by_their_weapons(line: str, plain: str) -> None:
    at, one_by_one = fight("osric"), []
    for each in plain.split("|"):
        weapon, _, outcome = each.partition(" ")
        one_by_one += told(fight("osric"), f"gob attacks bo with {weapon}, {outcome}")
    assert told(at, line) == one_by_one


def test_points_for_each_are_those_of_every_hit() -> None:
    facts = fight().tell("ana attacks gob twice, both hit for 4 each").facts
    assert [fact.amount for fact in facts if isinstance(fact, DamageDealt)] == [4, 4]


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("gob and orc hit ana, 5 and 4 slashing", "gob hits ana for 5 slashing. orc hits ana for 4 slashing"),
        ("gob and orc hit ana for 5 and 4 slashing", "gob hits ana for 5 slashing. orc hits ana for 4 slashing"),
        ("gob and orc hit ana, 15 and 14, 5 and 4 damage", "gob hits ana 15 for 5. orc hits ana 14 for 4"),
    ],
)
def test_each_of_several_has_their_number_of_a_list(line: str, plain: str) -> None:
    assert told(fight(), line) == told(fight(), plain)


@pytest.mark.parametrize("line", ["ana swings, 22, 11 slashing", "ana swings her longsword, 22, 11 slashing"])
def test_a_blow_at_nobody_is_offered_at_each_foe(line: str) -> None:
    at = fight("5e")
    with pytest.raises(NotUnderstood) as caught:
        at.tell(line)
    assert [meant.facts[-1].target for meant in caught.value.meant] == ["gob", "orc"]


def test_a_swing_goes_on_at_whoever_was_struck_last() -> None:
    at, line = heard(fight(), "ana hits orc for 3"), "ana swings her longsword and misses"
    assert told(at, line) == told(heard(fight(), "ana hits orc for 3"), "ana misses orc with longsword")


@pytest.mark.parametrize(
    "line",
    ["ana attacks gob three times, the second hits for 5", "ana attacks gob three times, first hits for 5"],
)
def test_of_counted_blows_those_that_are_not_told_are_not_invented(line: str) -> None:
    at = fight()
    with pytest.raises(NotUnderstood):
        at.tell(line)


def test_points_of_two_types_may_be_those_of_one_blow() -> None:
    facts = fight("osric").tell("gob attacks ana, claws hit for 4 slashing and 5 fire").facts
    assert [fact.amount for fact in facts if isinstance(fact, DamageDealt)] == [9]


def test_some_of_announced_shots_hit_with_what_was_thrown() -> None:
    line = "ana throws three darts at gob, hits with two darts for 2 and 3"
    facts = fight("osric").tell(line).facts
    assert [fact.amount for fact in facts if isinstance(fact, DamageDealt)] == [2, 3]
