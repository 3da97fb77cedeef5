"""Rolls: what dice show, roll-offs among those who are level, contests that go on until they are decided."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from eventstore.events import AttackRolled, SaveRolled
from eventstore.shapes import Contender, Dice, Modifier, Part
from projections.mechanics import rolls
from projections.mechanics.rolls import (
    Contest,
    DieKept,
    Ties,
    dice_and_sides,
    extremes,
    has_valid_faces,
    keep_contest,
    number_rolled,
    possible_sums,
    sum_parts,
    tied_groups,
)
from tests.tables import for_each


@pytest.mark.parametrize(
    ("notation", "count"), [("2d6", (2, 6)), ("d8", (1, 8)), (" 3 D10+2", (3, 10)), ("claw", None), (None, None)]
)
def test_a_notation_has_so_many_dice_of_so_many_sides(notation: str | None, count: tuple[int, int] | None) -> None:
    assert dice_and_sides(notation) == count


@pytest.mark.parametrize(
    ("notation", "least_and_most"),
    [("2d6", (2, 12)), ("d8", (1, 8)), ("1d6+1", (2, 7)), ("1D4 - 1", (0, 3)), ("claw", None)],
)
def test_dice_come_to_so_much_at_least_and_at_most(notation: str, least_and_most: tuple[int, int] | None) -> None:
    assert extremes(notation) == least_and_most


@pytest.mark.parametrize(
    ("notation", "faces", "right"),
    [("2d6", (1, 6), True), ("2d6", (1, 7), False), ("2d6", (1,), False), ("d4", (4,), True), ("claw", (9,), True)],
)
def test_dice_show_as_many_faces_as_there_are_of_those_that_they_have(
    notation: str, faces: tuple[int, ...], right: bool
) -> None:
    assert has_valid_faces(Dice(notation=notation, faces=faces)) is right


def test_some_amounts_come_to_the_sums_of_choices_of_the_first_six() -> None:
    assert possible_sums([]) == set()
    assert possible_sums([2, 0, 3, -2]) == {2, 3, -2, 5, 0, 1}
    assert possible_sums([1, 2, 4, 0, 8, 16, 32, 64]) == {*range(1, 64)}


def test_parts_are_multiplied_by_the_highest_before_reductions() -> None:
    parts = [Part(name="dagger", dice=Dice(notation="1d4", faces=(3,))), Part(name="strength", amount=2)]
    two, three, hide = (Modifier(name="x", amount=each) for each in (2, 3, -4))
    assert sum_parts(parts) == 5
    assert sum_parts(parts, [two, three]) == 15
    assert sum_parts(parts, [two], [hide]) == 6
    assert sum_parts([Part(name="punch", amount=1)], (), [hide]) == 0


@given(st.dictionaries(st.sampled_from("abcdef"), st.lists(st.integers(1, 3), max_size=4), min_size=1))
def test_settling_is_a_permutation_of_those_who_were_level(throws: dict[str, list[int]]) -> None:
    ties = Ties(throws={who: [(shown, 0) for shown in own] for who, own in throws.items()})
    parts = tied_groups(ties, list(throws))
    assert sorted(who for part in parts for who in part) == sorted(throws)


def test_a_contest_goes_on_among_those_who_are_level() -> None:
    kept: dict[str, Contest] = {}
    first = keep_contest(kept, "Trip", {"ana": 12, "bo": 12, "cy": 3}, 5)
    assert (first.winner, first.tied_combatants) == ("", frozenset({"ana", "bo"}))
    again = keep_contest(kept, "trip", {"ana": 4, "bo": 9}, 6)
    assert (again.winner, again.ranking, again.events) == ("bo", [["bo"], ["ana"], ["cy"]], (5, 6))
    assert list(kept) == ["trip"]


def test_a_contest_about_the_same_thing_among_others_is_a_new_one() -> None:
    kept: dict[str, Contest] = {}
    keep_contest(kept, "trip", {"ana": 12, "bo": 3}, 5)
    assert keep_contest(kept, "trip", {"ana": 1, "bo": 2}, 6).events == (6,)


def test_a_tie_is_open_until_throws_or_a_ruling_part_those_who_are_level() -> None:
    ties, level = rolls.Ties(), ["ana", "bo", "cy"]
    for seq, who in enumerate(level, 10):
        rolls.keep_throw(ties, who, 7 if who == "cy" else 4, seq)
    assert rolls.still_tied(ties, "bo", level) == ["ana", "bo"]
    assert rolls.still_tied(ties, "cy", level) == []
    rolls.rank_by_ruling(ties, ("bo", "ana", "bo"), 20)
    assert rolls.still_tied(ties, "bo", level) == []
    assert rolls.tied_ranks(ties, [level[2:], level[:2]]) == {"cy": 1, "bo": 1, "ana": 2}
    assert rolls.tie_records(ties, level) == (20, 20, 10, 11, 12)
    rolls.forget_throws(ties, "ana")
    assert rolls.tie_records(ties, level) == (20, 11, 12)
    assert rolls.tied_groups(ties, level) == [level]


# ---------------------------------------------------------------- two dice, one of which is kept


def two(*faces: int, dropped: tuple[int, ...]) -> Dice:
    return Dice(notation="2d20", faces=faces, dropped=dropped)


def test_a_roll_comes_to_its_die_with_all_added_else_to_what_was_stated() -> None:
    save = SaveRolled(combatant="ana", die=9, modifiers=(Modifier(name="ring", amount=2),), total=15)
    assert (rolls.result_of(save), rolls.result_of(save, 3)) == (11, 14)
    assert rolls.result_of(SaveRolled(combatant="ana", total=15), 3) == 15
    assert rolls.result_of(SaveRolled(combatant="ana")) is None


@pytest.mark.parametrize(("die", "total", "needed", "made"), [
    (9, None, 9, True), (9, 12, 10, False), (None, 12, 12, True), (None, 11, 12, False), (None, None, 12, None), (9, None, None, None),
])  # fmt: skip
def test_a_roll_reaches_what_it_needs_by_what_it_comes_to(
    die: int | None, total: int | None, needed: int | None, made: bool | None
) -> None:
    stated = (None, True, False)
    found = [
        rolls.reaches(SaveRolled(combatant="ana", die=die, total=total, succeeded=each), needed) for each in stated
    ]
    assert found == ([*stated] if made is None else [made] * 3)


@pytest.mark.parametrize(
    ("better", "worse", "kept"), [(True, False, "higher"), (False, True, "lower"), (True, True, ""), (False, False, "")]
)
def test_what_makes_a_roll_better_and_what_makes_it_worse_make_it_neither(better: bool, worse: bool, kept: str) -> None:
    assert rolls.die_kept(better, worse) == kept


@pytest.mark.parametrize(("die", "fits"), [
    (14, {"", "higher", "lower"}),
    (Dice(notation="1d20", faces=(14,)), {""}),
    (two(4, 14, dropped=(0,)), {"higher"}),
    (two(4, 14, dropped=(1,)), {"lower"}),
    (two(7, 7, dropped=(1,)), {"higher", "lower"}),
    (two(4, 14, dropped=()), set[str]()),
    (two(4, 14, dropped=(0, 1)), set[str]()),
    (two(4, 14, 2, dropped=(0, 2)), set[str]()),
])  # fmt: skip
def test_of_two_dice_the_right_one_is_kept(die: int | Dice, fits: set[str]) -> None:
    kept: tuple[DieKept, ...] = ("", "higher", "lower")
    assert {each for each in kept if rolls.has_right_die(die, each)} == fits


# ---------------------------------------------------------------- degrees of success


@for_each(("total", "die", "degree"), [
    (25, 12, "critical success"), (24, 12, "success"), (15, 12, "success"), (14, 12, "failure"), (6, 12, "failure"), (5, 12, "critical failure"),
    (14, 20, "success"), (24, 20, "critical success"), (25, 20, "critical success"), (5, 20, "failure"), (15, 1, "failure"), (25, 1, "success"),
    (5, 1, "critical failure"), (14, 0, "failure"),
])  # fmt: skip
def test_a_degree_is_by_ten_above_or_below_and_by_a_20_or_a_1(total: int, die: int, degree: str) -> None:
    assert rolls.degree(total, 15, die) == degree


@pytest.mark.parametrize(("recorded", "wrong"), [
    ({"die": 9, "hit": True}, None),
    ({"die": 9, "hit": True, "critical": False}, None),
    ({"die": 9, "hit": True, "critical": True}, ("success", "critical success")),
    ({"die": 8, "hit": True}, ("failure", "success")),
    ({"total": 15, "hit": False}, ("success", "failure")),
    ({"die": 9}, None),
    ({"hit": True}, None),
])  # fmt: skip
def test_a_roll_that_is_recorded_with_another_degree_is_misjudged(
    recorded: dict[str, Any], wrong: tuple[str, str] | None
) -> None:
    event = AttackRolled(combatant="ana", **recorded)
    assert rolls.wrong_degree(event, rolls.degree_of(event, 15, 6 if event.die else 0)) == wrong


def test_a_contender_rolled_its_check_or_its_die_or_nothing_that_is_known() -> None:
    assert number_rolled(Contender(combatant="ana", check=15, die=3)) == 15
    assert number_rolled(Contender(combatant="ana", die=3)) == 3
    assert number_rolled(Contender(combatant="ana", total=9)) is None
