"""The ruleset plain: order by recorded totals, turns and rounds as recorded, and its timeline."""

import pytest

from projections.folds.addresses import derive_value, value_of
from projections.folds.order import who_is_due
from projections.rulesets.plain.order import order_key
from projections.rulesets.plain.state import PlainState
from projections.views.view import EntryView, show
from tests.projections.grammar import fight
from tests.projections.logs import (
    act,
    bears,
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
from tests.projections.notation.line_context import heard

FOUR = tuple(joins(who) for who in ("ana", "bo", "cy", "dov"))  # records 2 to 5


def rows(*facts: str) -> list[tuple[str, str | None, str]]:
    return [(row.combatant, row.name or row.action, row.status) for row in timeline(*facts)]


def timeline(*facts: str) -> tuple[EntryView, ...]:
    return show(play(*FOUR, *facts)).timeline


def test_a_die_of_a_side_has_no_bonus_and_one_without_number_is_nothing() -> None:
    of_side = fact("initiative_rolled", side="orcs", die=9)
    state = play(*FOUR, joins("eve", side="orcs"), rolls("ana", 10), of_side, fact("initiative_rolled", combatant="bo"))
    assert isinstance(state, PlainState)
    assert [order_key(state, who).value for who in ("ana", "eve", "bo")] == [
        {"total": n, "ties": []} for n in (10, 9, 0)
    ]


def test_a_ruled_order_may_put_several_in_one_place_and_sides_for_members() -> None:
    told = (joins("eve", side="orcs"), joins("fay", side="orcs"), override(order=[["ana", "bo"], "orcs"]))
    assert value(play(*FOUR, *told), "order") == [["ana", "bo"], ["eve", "fay"]]


def test_the_timeline_has_the_turns_of_the_round_their_acts_and_who_is_due() -> None:
    told = (rolls("ana", 9), rolls("bo", 5), rolls("cy", 7), turn("ana"), act("ana", "shout"), turn("cy"))
    assert rows(*told) == [
        ("ana", "turn", "done"),
        ("ana", "shout", "done"),
        ("cy", "turn", "begun"),
        ("bo", "turn", "due"),
    ]


def test_what_was_struck_stands_in_the_timeline_with_the_strike() -> None:
    *_, row = timeline(round_(1), act("ana", "shout"), strike(7))
    assert (row.combatant, row.name, row.status, row.because.events) == ("ana", "shout", "struck", (7, 8))
    *_, blow = timeline(round_(1), hit("bo", 3), strike(7))
    assert (blow.combatant, blow.action) == ("bo", "damage_dealt")
    assert timeline(round_(1), act("ana", "shout"), strike(7), round_(2)) == ()


def delays(who: str) -> str:
    return fact("turn_delayed", combatant=who)


def lasting(who: str, at: str = "start") -> str:
    return bears("haze", who, duration={"amount": 9, "unit": "round", "at": at})


def test_who_is_due_in_a_ruled_order_rests_on_no_turn_of_a_leaver() -> None:
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


def test_an_override_of_the_round_carries_the_turn_and_those_put_off() -> None:
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


@pytest.mark.parametrize("key", ["plain", "definition-master", "5e"])
def test_who_is_paralysed_is_waited_for_and_who_is_down_is_not(key: str) -> None:
    at = heard(fight(key), "b=14", "o=9", "m=3", "g=2", "r", "o is paralysed", "m is dead")
    assert who_is_due(at.context.state).value == ["brand", "ogre", "goblin"]


@pytest.mark.parametrize(("end", "cites"), [((), {3, 4}), ((fact("effect_ended", effect="Haste"),), {5})])
def test_the_effects_cite_the_end_of_what_was_renewed_and_of_nothing_else(
    end: tuple[str, ...], cites: set[int]
) -> None:
    state = play(joins("ana"), bears("Haste", "ana"), *end, bears("Haste", "ana"))
    found = derive_value(state, "ana.effects")
    assert found is not None
    assert (found.value, {*found.because.own().events} | {state.seq}) == (["Haste"], cites)
