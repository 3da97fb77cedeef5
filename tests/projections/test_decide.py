"""Decide: what cannot be appended is refused, all of it at once; what breaks a rule is appended and found later."""

import pytest

from eventstore import form
from eventstore.record import Draft
from projections.folds.replay import replay
from projections.judging.decide import Append, Refusal, Refused, decide
from tests.projections.logs import (
    act,
    amend,
    bears,
    fact,
    hit,
    insert,
    joins,
    play,
    records,
    strike,
    turn,
)

FIGHT = (joins("ana", 9, "heroes"), joins("bo", 8, "orcs"))  # records 2 and 3


def refusals(*facts: str, told: tuple[str, ...] = FIGHT) -> list[Refusal]:
    drafts = tuple(Draft(form.event_of(form.read_json(text))) for text in facts)
    decided = decide(play(*told), Append(drafts, after=1 + len(told)))
    if isinstance(decided, Refused):
        return list(decided.refusals)
    assert decided == drafts
    return []


def places(*facts: str, told: tuple[str, ...] = FIGHT) -> list[tuple[int, str]]:
    return [(one.place, one.field) for one in refusals(*facts, told=told)]


def test_facts_that_can_be_appended_are_returned_as_they_are() -> None:
    assert refusals(turn("ana"), act("ana"), hit("bo", 3, cause=-1), hit("bo", 3, cause=3)) == []


@pytest.mark.parametrize(
    "against_the_rules", [hit("bo", -3), turn("bo"), fact("segment_reached", segment=11), joins("bo")]
)
def test_what_breaks_a_rule_is_not_refused(against_the_rules: str) -> None:
    assert refusals(against_the_rules) == []


@pytest.mark.parametrize(
    ("naming", "field"),
    [
        (hit("boo", 3), "target"),
        (act("boo"), "combatant"),
        (bears("haze", "ana", "boo"), "targets"),
        (bears("haze", "ana", source="boo"), "source"),
        (bears("haze", "ana", duration={"amount": 1, "unit": "round", "of": "boo"}), "duration.of"),
        (fact("surprise_rolled", side="boo", die=3), "side"),
        (fact("action_taken", combatant="ana", action={"kind": "x", "targets": ["boo"]}), "action.targets"),
        (fact("contest_rolled", contenders=[{"combatant": "boo", "die": 1}]), "contenders[0].combatant"),
        (amend(2, hit("boo", 3)), "replacement.target"),
        (insert(2, hit("boo", 3)), "fact.target"),
        (hit("orcs", 3), "target"),
    ],
)
def test_whoever_has_not_joined_is_refused_with_the_nearest(naming: str, field: str) -> None:
    (one,) = refusals(naming)
    assert (one.place, one.field) == (0, field)
    assert "bo" in one.hint or "orcs" in one.reason


def test_whoever_joins_in_the_same_append_is_known_after_it() -> None:
    assert refusals(joins("cy", side="elves"), hit("cy", 3), fact("surprise_rolled", side="elves", die=3)) == []
    assert places(hit("cy", 3), joins("cy")) == [(0, "target")]
    assert refusals(insert(2, joins("cy")), hit("cy", 3)) == []
    assert refusals(amend(2, joins("cy")), hit("cy", 3)) == []


def test_whoever_was_struck_is_not_known() -> None:
    assert places(hit("bo", 3), told=(*FIGHT, strike(3))) == [(0, "target")]


@pytest.mark.parametrize(
    ("reference", "refused"), [(3, False), (1, False), (4, True), (99, True), (-1, True), (-9, True)]
)
def test_a_reference_names_a_record_before_it(reference: int, refused: bool) -> None:
    assert places(hit("bo", 3, cause=reference)) == ([(0, "cause")] if refused else [])


def test_a_reference_may_count_back_within_its_append_and_no_further() -> None:
    assert refusals(act("ana"), hit("bo", 3, cause=-1), hit("bo", 3, cause=4)) == []
    assert places(act("ana"), hit("bo", 3, cause=-2)) == [(1, "cause")]


def test_the_first_record_cannot_be_corrected_and_comes_once() -> None:
    assert places(strike(1), amend(1, hit("bo", 3)), insert(1, hit("bo", 3))) == [(0, "event"), (1, "event")]
    opens = fact("encounter_opened", format=1, encounter="x", title="t", ruleset="plain", revision=1, options={})
    assert places(opens) == [(0, "type")]


@pytest.mark.parametrize(
    ("sheet", "field"),
    [({"hp": "nine"}, "sheet.hp"), ({"hq": 9}, "sheet.hq"), ({"resources": {"oil": "x"}}, "sheet.resources")],
)
def test_a_sheet_of_the_wrong_form_is_refused_by_its_field(sheet: dict[str, object], field: str) -> None:
    assert places(fact("combatant_joined", combatant="cy", sheet=sheet)) == [(0, field)]
    assert places(fact("sheet_changed", combatant="bo", sheet=sheet)) == [(0, field)]


@pytest.mark.parametrize(
    ("word", "found"), [("nine", "text"), (True, "true or false"), ([9], "a list"), ({"a": 9}, "an object")]
)
def test_a_sheet_of_the_wrong_form_is_refused_in_words(word: object, found: str) -> None:
    (one,) = refusals(fact("combatant_joined", combatant="cy", sheet={"hp": word}))
    assert one.reason == f"expected a whole number, got {found}"
    (nested,) = refusals(fact("combatant_joined", combatant="cy", sheet={"resources": {"oil": word}}))
    assert nested.reason == one.reason


def test_a_misspelt_field_of_a_sheet_is_answered_with_the_nearest() -> None:
    (one,) = refusals(fact("combatant_joined", combatant="cy", sheet={"hp_maxx": 9}))
    assert "hp_max" in one.hint


def test_combatants_and_sides_share_their_names() -> None:
    assert places(joins("orcs")) == [(0, "combatant")]
    assert places(joins("cy", side="bo")) == [(0, "side")]


def test_every_refusal_of_an_append_is_named() -> None:
    assert places(hit("x", 1), hit("bo", 1), hit("y", 1, cause=99)) == [(0, "target"), (2, "target"), (2, "cause")]


def test_a_sheet_that_lacks_what_its_ruleset_needs_is_refused() -> None:
    state = replay(records(ruleset="osric")).state
    decided = decide(state, Append((Draft(form.event_of(form.read_json(joins("ana", None)))),), after=1))
    assert isinstance(decided, Refused)
    assert [(one.field, one.reason) for one in decided.refusals] == [("sheet.hp", "is missing")]
