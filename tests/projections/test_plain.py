"""The ruleset plain: order by recorded totals, turns and rounds as recorded, and its timeline."""

import pytest

from projections.because import Explained
from projections.folds.addresses import derived, value_of
from projections.folds.order import who_is_due
from projections.judging.audit import audit
from projections.rulesets.plain.order import key
from projections.rulesets.plain.state import PlainState
from projections.views.view import EntryView, show
from tests.projections.grammar import fight, table
from tests.projections.logs import (
    act,
    bears,
    fact,
    findings,
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


def test_order_ties_as_recorded_are_broken_by_a_ruling_of_which_the_last_counts() -> None:
    level = tuple(rolls(who, 12) for who in ("ana", "bo", "cy"))
    assert order(*level, tie("cy", "ana")) == ["cy", "bo", "ana"]
    assert order(*level, tie("cy", "ana"), tie("bo", "cy", "ana")) == ["bo", "cy", "ana"]
    assert order(*level, rolls("dov", 15), tie("ana", "dov")) == ["dov", "ana", "bo", "cy"]


def test_a_die_of_a_side_has_no_bonus_of_a_sheet_and_a_roll_without_number_counts_nothing() -> None:
    of_side = fact("initiative_rolled", side="orcs", die=9)
    state = play(*FOUR, joins("eve", side="orcs"), rolls("ana", 10), of_side, fact("initiative_rolled", combatant="bo"))
    assert isinstance(state, PlainState)
    assert [key(state, who).value for who in ("ana", "eve", "bo")] == [{"total": n, "ties": []} for n in (10, 9, 0)]


# rulings on the order


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


# the timeline


def test_the_timeline_has_the_turns_of_the_round_their_acts_and_who_is_due() -> None:
    told = (rolls("ana", 9), rolls("bo", 5), rolls("cy", 7), turn("ana"), act("ana", "shout"), turn("cy"))
    assert rows(*told) == [
        ("ana", "turn", "done"),
        ("ana", "shout", "done"),
        ("cy", "turn", "begun"),
        ("bo", "turn", "due"),
    ]


def test_what_was_struck_stands_in_the_timeline_of_its_round_with_the_strike() -> None:
    *_, row = timeline(round_(1), act("ana", "shout"), strike(7))
    assert (row.combatant, row.name, row.status, row.because.events) == ("ana", "shout", "struck", (7, 8))
    *_, blow = timeline(round_(1), hit("bo", 3), strike(7))
    assert (blow.combatant, blow.action) == ("bo", "damage_dealt")
    assert timeline(round_(1), act("ana", "shout"), strike(7), round_(2)) == ()


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


# effects: what ran out, and who has left


def ends(name: str, *targets: str, **more: str) -> str:
    return fact("effect_ended", effect=name, targets=targets, **more)


def expires(name: str, *targets: str) -> str:
    return ends(name, *targets, reason="expired")


def test_effect_runs_out_what_has_time_left_has_not_expired() -> None:
    told = (bears("haze", "ana", "bo", duration={"amount": 2, "unit": "round"}), turn("ana"))
    (one,) = findings(*FOUR, *told, expires("haze", "ana"))
    assert (one.rule, one.severity, one.expected, one.found) == ("effect.runs-out", "breach", "1 round left", "expired")
    assert (one.says, one.because) == ("haze is recorded as expired, but has 1 round left", (6, 7))
    assert rules(*FOUR, *told, ends("haze", "ana", reason="dispelled")) == []
    assert rules(*FOUR, *told, turn("ana"), expires("haze", "ana", "bo")) == [("effect.runs-out", 9)]


def test_effect_runs_out_says_nothing_of_what_is_not_counted_or_has_no_time_left() -> None:
    told = (bears("haze", "ana", duration={"amount": 0, "unit": "round"}), bears("glow", "ana"))
    assert rules(*FOUR, *told, expires("haze"), expires("glow")) == []
    moons = bears("haze", "ana", duration={"amount": 3, "unit": "moon"})
    assert ("effect.runs-out", 7) not in rules(*FOUR, moons, expires("haze"))


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


# the timeline of what was ruled


def test_who_is_due_in_a_ruled_order_rests_on_no_turn_of_somebody_who_has_left() -> None:
    told = (rolls("ana", 5), rolls("bo", 5), override(order=["bo", "ana"]), round_(1), turn("bo"))  # records 6 to 10
    due = value_of(play(*FOUR, *told, fact("combatant_left", combatant="bo")), "due")
    assert due
    assert (due.value, 10 in due.because.events) == (["ana"], False)


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


# those who are down, and acts in the turns of others


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


@pytest.mark.parametrize(
    ("ended", "says"), [((3,), "round 3 ends, but round 2 is running"), ((2, 2), "round 2 ends, but none is running")]
)
def test_round_as_recorded_says_which_round_runs_as_another_ends(ended: tuple[int, ...], says: str) -> None:
    facts = ['{"type":"round_started","round":2}', *(f'{{"type":"round_ended","round":{each}}}' for each in ended)]
    at = heard(table("plain"), *facts)
    assert [each.says for each in audit(at.records).findings] == [says]


@pytest.mark.parametrize("key", ["plain", "definition-master", "5e"])
def test_who_is_paralysed_is_waited_for_and_who_is_down_is_not(key: str) -> None:
    at = heard(fight(key), "b=14", "o=9", "m=3", "g=2", "r", "o is paralysed", "m is dead")
    assert who_is_due(at.context.state).value == ["brand", "ogre", "goblin"]


@pytest.mark.parametrize(("end", "cites"), [((), {3, 4}), ((fact("effect_ended", effect="Haste"),), {5})])
def test_the_effects_cite_the_end_of_what_was_renewed_and_of_nothing_else(
    end: tuple[str, ...], cites: set[int]
) -> None:
    state = play(joins("ana"), bears("Haste", "ana"), *end, bears("Haste", "ana"))
    found = derived(state, "ana.effects")
    assert found is not None
    assert (found.value, {*found.because.own().events} | {state.seq}) == (["Haste"], cites)
