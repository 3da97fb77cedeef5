"""The ruleset plain: order by recorded totals, turns and rounds as recorded, and its timeline."""

import pytest

from projections.because import Explained
from projections.folds.addresses import derived, value_of
from projections.folds.order import who_is_due
from projections.judging.audit import audit
from projections.rulesets import find
from projections.rulesets.plain.order import key
from projections.rulesets.plain.state import PlainState
from projections.views.view import EntryView, show
from tests.projections.grammar import fight, table
from tests.projections.logs import (
    act,
    bears,
    fact,
    findings,
    heal,
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
from tests.projections.notation.line_context import heard

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


def test_a_die_of_a_side_has_no_bonus_of_a_sheet_and_a_roll_without_number_counts_nothing() -> None:
    of_side = fact("initiative_rolled", side="orcs", die=9)
    state = play(*FOUR, joins("eve", side="orcs"), rolls("ana", 10), of_side, fact("initiative_rolled", combatant="bo"))
    assert isinstance(state, PlainState)
    assert [key(state, who).value for who in ("ana", "eve", "bo")] == [{"total": n, "ties": []} for n in (10, 9, 0)]


def test_a_total_with_a_fraction_is_shown_with_it() -> None:
    state = play(*FOUR, rolls("ana", "12.25"))
    assert isinstance(state, PlainState)
    assert key(state, "ana").value == {"total": "12.25", "ties": []}


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


# turns that are put off


def delays(who: str) -> str:
    return fact("turn_delayed", combatant=who)


def resumes(who: str) -> str:
    return fact("turn_resumed", combatant=who)


def lasting(who: str, at: str = "start") -> str:
    return bears("haze", who, duration={"amount": 9, "unit": "round", "at": at})


def test_turn_put_off_is_held_and_is_the_turn_again_as_it_is_taken_up() -> None:
    told = (turn("ana"), delays("ana"), turn("bo"), turn_ends("bo"))
    assert value(play(*FOUR, *told), "turn") == "none"
    assert rows(*told) == [("ana", "turn", "held"), ("bo", "turn", "done")]
    taken = (*told, resumes("ana"), act("ana", "shout"), fact("checked", values={"turn": "ana"}), turn_ends("ana"))
    assert rules(*FOUR, *taken) == []
    assert rows(*taken) == [("bo", "turn", "done"), ("ana", "turn", "done"), ("ana", "shout", "done")]
    *_, row, _shout = timeline(*taken)
    assert (row.events, row.because.rules) == ((6, 7, 10), ("turn.as-recorded", "turn.put-off"))


def test_turn_put_off_is_taken_up_inside_the_turn_of_another_which_is_over() -> None:
    assert rows(turn("ana"), delays("ana"), turn("bo"), resumes("ana")) == [
        ("bo", "turn", "done"),
        ("ana", "turn", "begun"),
    ]


@pytest.mark.parametrize("over", [fact("round_ended"), fact("combatant_left", combatant="ana")])
def test_turn_put_off_is_lost_with_the_round_or_its_owner(over: str) -> None:
    assert rows(turn("ana"), delays("ana"), turn("bo"), over)[0] == ("ana", "turn", "lost")


def test_turn_put_off_is_lost_as_another_of_the_same_combatant_begins() -> None:
    told = (turn("ana"), delays("ana"), turn("bo"), turn("ana"))
    assert rows(*told) == [("ana", "turn", "lost"), ("bo", "turn", "done"), ("ana", "turn", "begun")]


@pytest.mark.parametrize("at", ["start", "end"])
def test_turn_put_off_counts_once(at: str) -> None:
    told = (lasting("ana", at), turn("ana"), delays("ana"), delays("ana"), turn("bo"), resumes("ana"), turn_ends("ana"))
    assert value(play(*FOUR, *told), "ana.effects.haze") == 8
    assert value(play(*FOUR, *told, round_(2)), "ana.effects.haze") == 8
    assert value(play(*FOUR, *told[:4], round_(2), round_(3)), "ana.effects.haze") == 8


def test_turn_put_off_before_it_began_begins_as_it_is_taken_up() -> None:
    told = (lasting("ana"), rolls("ana", 9), delays("ana"), turn("bo"))
    assert rows(*told) == [("ana", "turn", "held"), ("bo", "turn", "begun")]
    assert value(play(*FOUR, *told), "ana.effects.haze") == 9
    assert value(play(*FOUR, *told, resumes("ana")), "ana.effects.haze") == 8
    assert value(play(*FOUR, *told, round_(2)), "ana.effects.haze") == 9
    for begins in (resumes("ana"), turn("ana")):
        assert rows(*told, begins) == [("bo", "turn", "done"), ("ana", "turn", "begun")]


def test_turn_put_off_by_one_of_several_is_held_for_that_one_alone() -> None:
    told = (turn("ana", together=["bo", "cy"]), delays("ana"))
    assert value(play(*FOUR, *told), "turn") == "bo"
    assert rows(*told) == [("bo", "turn", "begun"), ("cy", "turn", "begun"), ("ana", "turn", "held")]
    others = (*told, turn_ends("bo"), turn_ends("cy"))
    assert [row[2] for row in rows(*others)] == ["done", "done", "held"]
    late = (turn("ana", together=["bo"]), turn_ends("bo"), delays("ana"), fact("round_ended"))
    assert rows(*late) == [("bo", "turn", "done"), ("ana", "turn", "lost")]


def test_turn_put_off_twice_is_held_as_it_was() -> None:
    told = (turn("ana"), delays("ana"), turn("bo"), delays("ana"))
    assert rows(*told) == [("ana", "turn", "held"), ("bo", "turn", "begun")]
    assert [row.events for row in timeline(*told, resumes("ana")) if row.combatant == "ana"] == [(6, 7, 10)]


def test_whoever_resumes_what_was_not_put_off_has_a_turn() -> None:
    assert value(play(*FOUR, resumes("ana")), "turn") == "ana"
    assert rows(turn("bo"), resumes("ana")) == [("bo", "turn", "done"), ("ana", "turn", "begun")]


# effects: what ran out, and who has left


def ends(name: str, *targets: str, **more: str) -> str:
    return fact("effect_ended", effect=name, targets=targets, **more)


def expires(name: str, *targets: str) -> str:
    return ends(name, *targets, reason="expired")


ONE_ROUND = {"amount": 1, "unit": "round"}


def test_effect_runs_out_what_just_did_may_be_said_to_have_expired() -> None:
    told = (bears("haze", "ana", duration=ONE_ROUND), bears("hazy", "bo", parent=6), turn("ana"))
    assert rules(*FOUR, *told, expires("Haze", "ana"), ends("hazy", "bo")) == []
    assert rules(*FOUR, *told, turn_ends("ana"), round_(2), expires("Haze", "ana")) == []


def test_effect_runs_out_a_condition_does_so_too_and_is_remembered() -> None:
    state = play(*FOUR, fact("condition_gained", condition="prone", targets=["ana"], duration=ONE_ROUND), turn("ana"))
    assert [(key, one.name) for key, one in state.over.items()] == [((6, "ana"), "prone")]


def test_effect_runs_out_what_did_so_long_ago_is_forgotten() -> None:
    told = (bears("haze", "ana", duration=ONE_ROUND), turn("ana"), round_(2), turn("bo"), round_(3))
    assert rules(*FOUR, *told, expires("haze", "ana")) == [("log.effect", 11)]


def test_effect_runs_out_what_has_time_left_has_not_expired() -> None:
    told = (bears("haze", "ana", "bo", duration={"amount": 2, "unit": "round"}), turn("ana"))
    (one,) = findings(*FOUR, *told, expires("haze", "ana"))
    assert (one.rule, one.severity, one.expected, one.found) == ("effect.runs-out", "breach", "1 round left", "expired")
    assert (one.says, one.because) == ("haze is recorded as expired, but has 1 round left", (6, 7))
    assert rules(*FOUR, *told, ends("haze", "ana", reason="dispelled")) == []
    assert rules(*FOUR, *told, turn("ana"), expires("haze", "ana", "bo")) == [("effect.runs-out", 9)]


def test_effect_runs_out_an_older_one_says_nothing_of_one_begun_since() -> None:
    told = (bears("haze", "ana", duration=ONE_ROUND), turn("ana"), lasting("ana"))
    assert rules(*FOUR, *told, expires("haze", "ana")) == [("effect.runs-out", 9)]


def test_effect_runs_out_says_nothing_of_what_is_not_counted_or_has_no_time_left() -> None:
    told = (bears("haze", "ana", duration={"amount": 0, "unit": "round"}), bears("glow", "ana"))
    assert rules(*FOUR, *told, expires("haze"), expires("glow")) == []
    moons = bears("haze", "ana", duration={"amount": 3, "unit": "moon"})
    assert ("effect.runs-out", 7) not in rules(*FOUR, moons, expires("haze"))


def test_concentration_one_at_a_time_whoever_leaves_lets_go() -> None:
    held = bears("hex", "bo", source="ana", concentration=True)
    told = (held, bears("hexed", "cy", parent=6), bears("mark", "bo", source="ana"))
    state = play(*FOUR, *told, fact("combatant_left", combatant="ana"))
    assert [effect.name for effect in state.effects.values()] == ["mark"]
    assert value(state, "ana.concentration") == "none"
    assert (
        rules(*FOUR, *told, fact("combatant_left", combatant="ana"), fact("checked", values={"bo.effects": ["mark"]}))
        == []
    )


# ties of sides

SIDES = (
    *(joins(who, side="pcs") for who in ("eve", "fay", "gil")),
    joins("ork", side="orcs"),
    fact("initiative_rolled", side="pcs", total=12),
    fact("initiative_rolled", side="orcs", total=12),
)


def test_order_ties_as_recorded_a_ruling_counts_for_those_whose_total_is_their_sides() -> None:
    assert order(*SIDES) == ["eve", "fay", "gil", "ork"]
    assert order(*SIDES, tie("ork", "eve")) == ["ork", "fay", "gil", "eve"]
    assert order(*SIDES, tie("fay", "eve")) == ["fay", "eve", "gil", "ork"]
    assert order(*SIDES, tie("gil", "fay", "eve")) == ["gil", "fay", "eve", "ork"]
    assert order(*SIDES, tie("ork", "eve"), tie("eve", "ork")) == ["eve", "fay", "gil", "ork"]


def test_order_ties_as_recorded_a_ruling_names_sides_too() -> None:
    assert order(*SIDES, tie("orcs", "pcs")) == ["ork", "eve", "fay", "gil"]
    assert order(*SIDES, rolls("ana", 12), tie("ana", "pcs")) == ["ana", "ork", "eve", "fay", "gil"]


def test_order_ties_as_recorded_a_further_roll_refines_the_total_of_a_side() -> None:
    again = (rolls("gil", 3, tie_with=["ork"]), rolls("ork", 8, tie_with=["gil"]))
    assert order(*SIDES, *again) == ["eve", "fay", "ork", "gil"]
    state = play(*FOUR, *SIDES, *again)
    assert show(state).order[-1].key == {"total": 12, "ties": [3]}
    assert show(state).order[-1].because.events == (10, 12)


def test_a_new_roll_of_a_side_takes_the_place_of_what_refined_its_old_one() -> None:
    anew = fact("initiative_rolled", side="pcs", total=20)
    assert order(*SIDES, tie("ork", "eve"), rolls("gil", 3), anew) == ["eve", "fay", "ork", "gil"]


def test_those_who_roll_together_keep_one_place_in_a_ruling() -> None:
    told = (rolls("ana", 12, together=["bo"]), rolls("cy", 12))
    assert order(*told, tie("cy", "ana")) == ["cy", "ana", "bo"]
    assert order(*told, tie("bo", "ana")) == ["bo", "ana", "cy"]


# the timeline of what was ruled


def test_the_rows_that_are_due_stand_in_the_ruled_order() -> None:
    told = (rolls("ana", 5), rolls("bo", 5), override(order=["bo", "ana"]), rolls("cy", 20), round_(1))
    assert [row[0] for row in rows(*told)] == ["bo", "ana", "cy"]


def test_who_is_due_in_a_ruled_order_rests_on_no_turn_of_somebody_who_has_left() -> None:
    told = (rolls("ana", 5), rolls("bo", 5), override(order=["bo", "ana"]), round_(1), turn("bo"))  # records 6 to 10
    due = value_of(play(*FOUR, *told, fact("combatant_left", combatant="bo")), "due")
    assert due
    assert (due.value, 10 in due.because.events) == (["ana"], False)


def test_nobody_is_due_before_anybody_said_that_a_round_or_turn_begins() -> None:
    assert rows(rolls("ana", 5)) == []
    assert rows(rolls("ana", 5), round_(0)) == [("ana", "turn", "due")]
    assert rows(rolls("ana", 5), override(round=3)) == [("ana", "turn", "due")]


def test_an_override_of_turn_and_round_takes_the_timeline_along() -> None:
    told = (rolls("ana", 9), rolls("bo", 5), round_(1), turn("bo"), act("bo"), override(turn="ana", round=4))
    assert rows(*told) == [("ana", "turn", "begun"), ("bo", "turn", "due")]
    assert {row.round for row in timeline(*told)} == {4}
    assert rows(*told, turn_ends("ana")) == [("ana", "turn", "done"), ("bo", "turn", "due")]
    assert rules(*FOUR, *told, turn_ends("ana"), fact("checked", values={"turn": "none", "round": 4})) == []


def test_an_override_of_the_round_carries_the_turn_that_goes_on_and_those_put_off() -> None:
    told = (turn("cy"), turn("ana"), delays("ana"), turn("bo"), act("bo"), override(round=4))
    assert rows(*told) == [("ana", "turn", "held"), ("bo", "turn", "begun")]
    assert rows(turn("ana"), override(round=1)) == [("ana", "turn", "begun")]


def test_an_override_of_the_turn_alone_ends_the_row_of_the_other() -> None:
    assert rows(turn("bo"), override(turn="ana")) == [("bo", "turn", "done"), ("ana", "turn", "begun")]
    assert rows(turn("bo"), override(turn="none")) == [("bo", "turn", "done")]
    assert timeline(turn("bo"), override(turn="none"))[0].because.events == (6, 7)
    assert rows(turn("ana"), delays("ana"), override(turn="ana")) == [("ana", "turn", "begun")]
    assert rows(turn("ana"), turn("bo"), override(turn="ana"))[-1] == ("ana", "turn", "begun")


def test_an_override_of_the_turn_begins_none_and_counts_the_one_that_ends() -> None:
    told = (lasting("ana"), lasting("bo", "end"), turn("bo"), override(turn="ana"))
    state = play(*FOUR, *told)
    assert (value(state, "ana.effects.haze"), value(state, "bo.effects.haze")) == (9, 8)
    assert value(play(*FOUR, *told, turn("cy")), "bo.effects.haze") == 8
    assert rules(*FOUR, *told[:3], override(turn="none"), turn_ends("bo")) == [("log.turn", 10)]


def test_the_turn_that_a_ruling_gives_is_the_next_of_the_round() -> None:
    told = (turn("bo"), act("bo"), override(turn="ana"), act("ana"))
    assert [row.turn for row in timeline(*told)] == [1, 1, 2, 2]


def test_what_lasts_is_seen_in_rounds_or_in_the_unit_that_is_none_here() -> None:
    told = [bears(name, "ana", duration={"amount": 1, "unit": name}) for name in ("minute", "moon")]
    seen = show(play(*FOUR, *told)).combatants["ana"].effects
    assert [(one.left, one.unit, one.ends) for one in seen] == [(10, "round", "ana in round 10"), (None, "moon", None)]


# those who are down, and acts in the turns of others


def test_turn_down_not_due_who_is_down_is_neither_due_nor_has_a_turn_to_lose_until_up_again() -> None:
    told = (rolls("ana", 9), rolls("bo", 5), round_(1), hit("ana", 10))
    assert rows(*told) == [("bo", "turn", "due")]
    assert rows(*told, fact("round_ended", round=1)) == [("bo", "turn", "lost")]
    assert rows(*told, heal("ana", 1)) == [("ana", "turn", "due"), ("bo", "turn", "due")]
    assert rows(*told, override(ana__status="up")) == [("ana", "turn", "due"), ("bo", "turn", "due")]
    assert rules(*FOUR, *told, turn("bo"), round_(2), turn("ana"), act("ana")) == []


def test_turn_down_not_due_cites_the_facts_by_which_somebody_is_up_or_down_and_none_that_only_hurt() -> None:
    told = (rolls("ana", 9), rolls("bo", 5), round_(1), hit("bo", 1), hit("ana", 9), hit("ana", 1))  # 6 to 11
    due = value_of(play(*FOUR, *told), "due")
    assert isinstance(due, Explained)
    assert (due.value, due.because.events) == (["bo"], (2, 3, 7, 8, 10, 11))
    quiet = value_of(play(*FOUR, *told[:3]), "due")
    assert isinstance(quiet, Explained)
    assert "turn.down-not-due" not in quiet.because.rules


def test_turn_own_acts_an_act_in_the_turn_of_another_is_a_notice_that_says_whose() -> None:
    (one,) = findings(*FOUR, turn("ana", together=["cy"]), act("bo"))
    assert (one.rule, one.event, one.severity, one.because) == ("turn.own-acts", 7, "notice", (6,))
    assert one.says.startswith("bo acts in the turn of ana and cy, and nothing says why")
    assert (one.expected, one.found) == ("a turn of bo, or what it reacts to", "the turn of ana and cy")
    (one,) = findings(*FOUR, turn("ana"), fact("moved", combatant="bo", path=[[0, 0], [1, 0]]))
    assert one.says.startswith("bo moves in the turn of ana")
    (one,) = findings(*FOUR, turn("ana"), fact("attack_rolled", combatant="bo", target="ana"))
    assert one.says.startswith("bo attacks in the turn of ana")


def test_turn_own_acts_are_those_with_a_trigger_or_another_cost_and_before_any_turn() -> None:
    reacts = fact("action_taken", combatant="bo", action={"kind": "attack", "cost": "Reaction"})
    assert rules(*FOUR, act("bo"), turn("ana"), act("bo", trigger=6), reacts, turn_ends("ana"), act("bo")) == []
    for cost in ("action", "Bonus Action", "standard"):
        dear = fact("action_taken", combatant="bo", action={"kind": "attack", "cost": cost})
        assert rules(*FOUR, turn("ana"), dear) == [("turn.own-acts", 7)]


@pytest.mark.parametrize("key", ["plain", "definition-master", "5e"])
def test_who_is_paralysed_is_waited_for_and_who_is_down_is_not(key: str) -> None:
    at = heard(fight(key), "b=14", "o=9", "m=3", "g=2", "r", "o is paralysed", "m is dead")
    assert who_is_due(at.context.state).value == ["brand", "ogre", "goblin"]


@pytest.mark.parametrize(
    ("ended", "says"), [((3,), "round 3 ends, but round 2 is running"), ((2, 2), "round 2 ends, but none is running")]
)
def test_round_as_recorded_says_which_round_runs_as_another_ends(ended: tuple[int, ...], says: str) -> None:
    facts = ['{"type":"round_started","round":2}', *(f'{{"type":"round_ended","round":{each}}}' for each in ended)]
    at = heard(table("plain"), *facts)
    assert [each.says for each in audit(at.records).findings] == [says]


@pytest.mark.parametrize(("end", "cites"), [((), {3, 4}), ((fact("effect_ended", effect="Haste"),), {5})])
def test_the_effects_cite_the_end_of_what_was_renewed_and_of_nothing_else(
    end: tuple[str, ...], cites: set[int]
) -> None:
    state = play(joins("ana"), bears("Haste", "ana"), *end, bears("Haste", "ana"))
    found = derived(state, "ana.effects")
    assert found is not None
    assert (found.value, {*found.because.own().events} | {state.seq}) == (["Haste"], cites)


def test_an_effect_that_begins_again_after_its_source_let_it_go_does_not_cite_that_first() -> None:
    def spell(name: str, on: str, concentration: bool) -> str:
        return fact("effect_started", effect=name, source="ana", targets=[on], concentration=concentration)

    state = play(
        joins("ulf"), joins("ana"), spell("hex", "ulf", True), spell("hold", "ana", True), spell("hex", "ulf", False)
    )
    found = value_of(state, "ulf.effects")
    assert found is not None
    assert (found.value, found.because.clause) == (["hex"], "effect.runs-out")
