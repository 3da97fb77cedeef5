"""The ruleset plain: order by recorded totals, turns and rounds as recorded, and its timeline."""

import pytest

from projections.rulesets import find
from projections.view import EntryView, show
from tests.projections.logs import (
    act,
    fact,
    hit,
    joins,
    override,
    play,
    rolls,
    round_,
    rules,
    strike,
    turn,
    turn_ends,
    value,
)

FOUR = tuple(joins(who) for who in ("ana", "bo", "cy", "dov"))  # records 2 to 5


def order(*facts: str) -> list[str]:
    return [who for (who,) in value(play(*FOUR, *facts), "order")]


def tie(*combatants: str) -> str:
    return fact("ruling_made", ruling="tie", decision="so", combatants=combatants)


def rows(*facts: str) -> list[tuple[str, str | None, str]]:
    return [(row.combatant, row.name or row.action, row.status) for row in timeline(*facts)]


def timeline(*facts: str) -> tuple[EntryView, ...]:
    return show(play(*FOUR, *facts)).timeline


# the order


def test_order_recorded_totals_run_from_the_highest_to_the_lowest() -> None:
    assert order(rolls("ana", 9), rolls("bo", 15), rolls("cy", "15.50"), rolls("dov", -1)) == ["cy", "bo", "ana", "dov"]


def test_order_recorded_totals_are_die_or_check_and_bonus_where_no_total_is_said() -> None:
    dice = {"notation": "2d20kh1", "faces": [4, 11], "dropped": [0]}
    told = (
        fact("initiative_rolled", combatant="ana", die=9, bonus=3),
        fact("initiative_rolled", combatant="bo", die=dice, bonus=2),
        fact("initiative_rolled", combatant="cy", check=20, bonus=-6),
        fact("initiative_rolled", combatant="dov", die=10),
    )
    assert order(*told) == ["cy", "bo", "ana", "dov"]
    quick = (*FOUR, joins("eve", initiative=5), fact("initiative_rolled", combatant="eve", die=10))
    (slot,) = show(play(*quick)).order
    assert slot.key == {"total": 15, "ties": []}


def test_order_recorded_totals_of_a_side_hold_for_members_without_one_and_for_those_together() -> None:
    told = (joins("eve", side="orcs"), joins("fay", side="orcs"), fact("initiative_rolled", side="orcs", total=7))
    assert order(*told, rolls("fay", 3), rolls("ana", 5, together=["bo"])) == ["eve", "ana", "bo", "fay"]


def test_order_ties_as_recorded_keep_that_order() -> None:
    assert order(rolls("bo", 12), rolls("ana", 12), rolls("cy", 12), rolls("dov", 13)) == ["dov", "bo", "ana", "cy"]
    assert order(rolls("bo", 12), rolls("ana", 12), rolls("bo", 12)) == ["ana", "bo"]


def test_order_ties_as_recorded_are_broken_by_further_rolls() -> None:
    level = (rolls("ana", 12), rolls("bo", 12))
    again = (rolls("ana", 4, tie_with=["bo"]), rolls("bo", 17, tie_with=["ana"]))
    assert order(*level, *again) == ["bo", "ana"]
    third = (rolls("ana", 9, tie_with=["bo"]), rolls("bo", 4, tie_with=["ana"]))
    same = (rolls("ana", 8, tie_with=["bo"]), rolls("bo", 8, tie_with=["ana"]))
    assert order(*level, *same, *third) == ["ana", "bo"]


def test_order_ties_as_recorded_are_broken_by_a_ruling_of_which_the_last_counts() -> None:
    level = tuple(rolls(who, 12) for who in ("ana", "bo", "cy"))
    assert order(*level, tie("cy", "ana")) == ["cy", "bo", "ana"]
    assert order(*level, tie("cy", "ana"), tie("bo", "cy", "ana")) == ["bo", "cy", "ana"]
    assert order(*level, rolls("dov", 15), tie("ana", "dov")) == ["dov", "ana", "bo", "cy"]


def test_the_order_names_the_rolls_and_rulings_that_made_it() -> None:
    told = (*FOUR, rolls("ana", 12), rolls("bo", 12), rolls("bo", 3, tie_with=["ana"]), tie("ana", "bo"))
    assert [slot.because.events for slot in show(play(*told)).order] == [(6, 9), (7, 8, 9)]


def test_whoever_left_is_out_of_the_order() -> None:
    assert order(rolls("ana", 9), rolls("bo", 5), fact("combatant_left", combatant="ana")) == ["bo"]


# rulings on the order


def test_a_ruled_order_stands_above_the_totals_and_others_follow_it() -> None:
    told = (rolls("ana", 9), rolls("bo", 5), rolls("cy", 7))
    assert order(*told, override(order=["bo", "ana"])) == ["bo", "ana", "cy"]
    assert order(*told, override(order=["bo", "ana"]), override(order="none")) == ["ana", "cy", "bo"]
    assert order(*told, override(order=["bo", "dov", "bo"])) == ["bo", "dov", "ana", "cy"]


def test_a_ruled_order_may_put_several_in_one_place_and_sides_for_their_members() -> None:
    told = (joins("eve", side="orcs"), joins("fay", side="orcs"), override(order=[["ana", "bo"], "orcs"]))
    assert value(play(*FOUR, *told), "order") == [["ana", "bo"], ["eve", "fay"]]


def test_a_ruled_order_lapses_as_somebody_in_it_rolls_anew() -> None:
    ruled = (rolls("ana", 9), rolls("bo", 5), override(order=["bo", "ana"]))
    assert order(*ruled, rolls("cy", 20)) == ["bo", "ana", "cy"]
    assert order(*ruled, rolls("ana", 10)) == ["ana", "bo"]


# turns and rounds


def test_round_as_recorded_the_first_turn_begins_round_1_where_nobody_said_so() -> None:
    assert play(*FOUR, turn("ana")).clock.round == 1
    assert play(*FOUR, turn("ana"), turn("bo")).clock.point.round == 1
    assert play(*FOUR, round_(0), turn("ana")).clock.round == 0
    assert play(*FOUR, round_(7), turn("ana")).clock.round == 7


@pytest.mark.parametrize(
    "over", [turn_ends("ana"), fact("round_ended"), fact("combatant_left", combatant="ana"), round_(2)]
)
def test_turn_as_recorded_is_over_when_it_is_said_to_end_or_cannot_go_on(over: str) -> None:
    assert value(play(*FOUR, turn("ana"), over), "turn") == "none"


def test_a_turn_passes_to_those_who_have_it_together_when_its_owner_leaves() -> None:
    shared = (turn("ana", together=["bo", "cy"]), fact("combatant_left", combatant="ana"))
    assert value(play(*FOUR, *shared), "turn") == "bo"


# the timeline


def test_the_timeline_has_the_turns_of_the_round_their_acts_and_who_is_due() -> None:
    told = (rolls("ana", 9), rolls("bo", 5), rolls("cy", 7), turn("ana"), act("ana", "shout"), turn("cy"))
    assert rows(*told) == [
        ("ana", "turn", "done"),
        ("ana", "shout", "done"),
        ("cy", "turn", "begun"),
        ("bo", "turn", "due"),
    ]


def test_who_had_no_turn_by_the_end_of_the_round_lost_it() -> None:
    told = (rolls("ana", 9), rolls("bo", 5), round_(1), turn("ana"), fact("round_ended"))
    assert rows(*told) == [("ana", "turn", "done"), ("bo", "turn", "lost")]
    assert rows(*told, round_(2)) == [("ana", "turn", "due"), ("bo", "turn", "due")]


def test_a_turn_together_is_a_row_for_each() -> None:
    told = (turn("ana", together=["bo"]), turn_ends("bo"))
    assert rows(*told) == [("ana", "turn", "begun"), ("bo", "turn", "done")]


def test_what_was_struck_stands_in_the_timeline_of_its_round_with_the_strike() -> None:
    *_, row = timeline(round_(1), act("ana", "shout"), strike(7))
    assert (row.combatant, row.name, row.status, row.because.events) == ("ana", "shout", "struck", (7, 8))
    *_, blow = timeline(round_(1), hit("bo", 3), strike(7))
    assert (blow.combatant, blow.action) == ("bo", "damage_dealt")
    assert timeline(round_(1), act("ana", "shout"), strike(7), round_(2)) == ()


def test_plain_finds_nothing_wrong_in_a_whole_fight() -> None:
    told = (rolls("ana", 9), rolls("bo", 5), round_(1), turn("ana"), act("ana"))
    assert rules(*FOUR, *told, hit("bo", 3), turn("bo"), act("bo"), round_(2), fact("encounter_closed")) == []


def test_the_budget_is_what_is_left_of_the_resources() -> None:
    assert show(play(joins("ana", resources={"oil": 2}))).combatants["ana"].budget == {"oil": 2}


def test_nobody_is_in_the_middle_of_casting_on_plain() -> None:
    assert show(play(*FOUR, act("ana"))).combatants["ana"].casting is None


@pytest.mark.parametrize("word", ["up", "down"])
def test_each_status_has_its_meaning(word: str) -> None:
    assert find("plain").statuses[word]
