"""What the generator for Definition Master takes the text to say, held against worked examples; and that its fights are well formed."""

import random

import pytest

from tests.lawful.definition_master import fought, lawful
from tests.lawful.fight import Fight
from tests.lawful.judging import faults
from tests.lawful.tables.definition_master.breaches import BREACHES
from tests.lawful.tables.definition_master.people import Body, roster
from tests.lawful.tables.definition_master.play import Table
from tests.lawful.tables.definition_master.sums import (
    attack_bonuses,
    behind,
    daily,
    in_two_hands,
    is_massive,
    lined_up,
    percent_target,
    pushed,
    reaches,
    stats_dc,
)
from tests.tables import for_each

FIGHTS = range(12)


# ---------------------------------------------------------------- worked examples of the text


def test_a_base_bonus_above_five_brings_further_attacks_at_five_less_and_at_most_four() -> None:
    assert [attack_bonuses(base) for base in (0, 5, 6, 10, 11, 16, 21)] == [
        [0], [5], [6, 1], [10, 5], [11, 6, 1], [16, 11, 6, 1], [21, 16, 11, 6],
    ]  # fmt: skip


def test_two_hands_add_one_and_a_half_times_strength_rounded_down() -> None:
    assert [in_two_hands(strength) for strength in (4, 3, 1, 0, -1, -2, -3)] == [6, 4, 1, 0, -2, -3, -5]
    assert [in_two_hands(strength, toward_zero=True) for strength in (3, -1, -3)] == [4, -1, -4]


def test_reach_is_8_squares_24_with_a_reach_weapon_and_20_for_the_small() -> None:
    around = [(x, y) for x in range(-3, 4) for y in range(-3, 4) if (x, y) != (0, 0)]
    counts = [
        sum(reaches((0, 0), each, rings, corners=corners) for each in around)
        for rings, corners in ((1, True), (2, True), (2, False))
    ]
    assert counts == [8, 24, 20]


def test_half_of_the_maximum_is_massive_and_less_is_not() -> None:
    assert [is_massive(amount, most) for amount, most in ((24, 48), (23, 48), (13, 25), (12, 25))] == [
        True,
        False,
        True,
        False,
    ]


def test_death_rolls_need_51_61_71_or_what_hit_dice_and_constitution_say() -> None:
    assert [percent_target(failures) for failures in range(3)] == [51, 61, 71]
    assert [stats_dc(6, 2), stats_dc(3, -1)] == [14, 14]


def test_a_day_restores_constitution_times_hit_dice_and_five_times_that_of_what_is_not_lethal() -> None:
    assert [daily(2, 6), daily(0, 5), daily(-2, 3), daily(1, 4)] == [(12, 60), (5, 25), (3, 15), (4, 20)]


def test_a_shove_pushes_5_ft_and_5_more_for_each_full_5_of_the_lead() -> None:
    assert [pushed(lead) for lead in (4, 5, 9, 12, 14)] == [5, 10, 10, 15, 15]


def test_those_who_are_level_roll_off_among_themselves_only() -> None:
    rolls = iter([{"bo": 9, "kex": 14, "lum": 9}, {"bo": 4, "lum": 16}])
    totals = {"bo": 17, "kex": 17, "lum": 17, "ana": 18, "cy": 12}
    assert lined_up(totals, lambda _: next(rolls)) == ["ana", "kex", "lum", "bo", "cy"]


def test_a_place_that_moves_is_right_behind_whoever_acted_last() -> None:
    assert behind(["bo", "ana", "kex", "lum"], "bo", "kex") == ["ana", "kex", "bo", "lum"]


def somebody(name: str) -> Body:
    found = {each.name: each for number in range(20) for each in roster(random.Random(number))}[name]
    found.hp = found.hp_max = 30
    return found


@pytest.mark.parametrize(("options", "automatic", "dc"), [
    ({"death-roll": "not-chosen"}, 0, None),
    ({"death-roll": "all-equal"}, 0, 61),
    ({"death-roll": "all-equal", "automatic-failure": "rolled-only"}, 1, 51),
    ({"death-roll": "stats-matter"}, 0, 10 + 6 - 2),
    ({"death-roll": "brutality"}, 0, 22),
], ids=["not chosen", "all equal", "rolled only", "stats matter", "brutality"])  # fmt: skip
def test_what_a_death_roll_needs_depends_on_the_kind_that_the_table_chose(
    options: dict[str, str], automatic: int, dc: int | None
) -> None:
    ana = somebody("ana")
    ana.hp, ana.state, ana.failures, ana.automatic, ana.felled_by = 0, "dying", 1, automatic, 12
    assert Table(random.Random(0), options).death_dc(ana) == dc


def test_non_lethal_damage_up_to_the_hit_points_makes_unconscious_and_leaves_them_alone() -> None:
    table, ana, gru = Table(random.Random(0), {}), somebody("ana"), somebody("gru")
    table.suffer(ana, 20, gru, nonlethal=True)
    assert (ana.hp, ana.nld, ana.status) == (30, 20, "up")
    table.suffer(ana, 10, gru)
    assert (ana.hp, ana.nld, ana.status, ana.wounds) == (20, 20, "nld-unconscious", 0)


# ---------------------------------------------------------------- its fights


@for_each("number", FIGHTS)
def test_hit_points_are_those_of_plain_bookkeeping_wherever_damage_is_lethal_and_no_save_fails(number: int) -> None:
    fight = lawful(random.Random(number), 5)
    last = next((seq for seq, fact in enumerate(fight.facts, 2) if fact.get("purpose") == "massive-damage"), fight.seq)
    facts = [
        fact | ({"sheet": {"hp": fact["sheet"]["hp"], "hp_floor": 0}} if "sheet" in fact else {})
        if not fact.get("nonlethal") and "object" not in fact and fact["type"] != "time_passed"
        else {"type": "noted", "text": "not of the hit points"}
        for fact in fight.facts[: last - 2]
    ]
    known = {seq: {k: v for k, v in values.items() if k.endswith(".hp")} for seq, values in fight.knows.items()}
    assert not [each for each in faults("plain", Fight({}, facts, known)) if ".hp is" in each]


@pytest.mark.slow
def test_each_breach_is_told_in_some_fight() -> None:
    for breach in BREACHES:
        fight = next(each for number in range(200) if (each := fought(random.Random(number), 5, breach)))
        assert all("." in rule and 2 <= seq <= fight.seq for rule, seq in fight.breaks), breach
