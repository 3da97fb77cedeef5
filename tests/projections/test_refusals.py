"""Refusals: what cannot be appended is refused, all of it at once; what breaks a rule is appended and found later."""

from typing import Literal

import pytest
from msgspec import Struct, structs

from eventstore import form
from eventstore.record import Draft
from projections.judging.refusals import Refusal, find_refusals
from projections.replay.replay import replay
from tests.projections.logs import act, amend, bears, fact, hit, insert, joins, play, records, strike, turn
from tests.tables import for_each

FIGHT = (joins("ana", 9, "heroes"), joins("bo", 8, "orcs"))  # records 2 and 3


def refusals(*facts: str, told: tuple[str, ...] = FIGHT) -> list[Refusal]:
    return [*find_refusals(play(*told), drafts_of(*facts), after=1 + len(told))]


def drafts_of(*facts: str) -> list[Draft]:
    return [Draft(form.event_of(form.read_json(text))) for text in facts]


def places(*facts: str, told: tuple[str, ...] = FIGHT) -> list[tuple[int, str]]:
    return [(one.place, one.field) for one in refusals(*facts, told=told)]


def test_facts_that_can_be_appended_are_returned_as_they_are() -> None:
    assert refusals(turn("ana"), act("ana"), hit("bo", 3, cause=-1), hit("bo", 3, cause=3)) == []


@pytest.mark.parametrize(
    "against_the_rules", [hit("bo", -3), turn("bo"), fact("segment_reached", segment=11), joins("bo")]
)
def test_what_breaks_a_rule_is_not_refused(against_the_rules: str) -> None:
    assert refusals(against_the_rules) == []


@for_each(("naming", "field"), [
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
])  # fmt: skip
def test_whoever_has_not_joined_is_refused_with_the_nearest(naming: str, field: str) -> None:
    (one,) = refusals(naming)
    assert (one.place, one.field) == (0, field)
    assert "bo" in one.hint or "orcs" in one.reason


def test_a_side_is_named_as_a_side_and_a_source_as_side_or_combatant() -> None:
    assert refusals(bears("haze", "ana", source="bo"), bears("haze", "ana", source="orcs")) == []
    (side,) = refusals(fact("surprise_rolled", side="ana", die=3))
    assert (side.field, side.reason) == ("side", "no side ana has joined")
    (one,) = refusals(hit("orcs", 3))
    assert one.reason == "no combatant orcs has joined"


def test_where_no_name_is_near_those_who_are_known_are_named() -> None:
    (one,) = refusals(hit("zzz", 3))
    assert one.hint == "known are ana, bo; combatant_joined adds one"
    (one,) = refusals(hit("zzz", 3), told=())
    assert one.hint == "known are none yet; combatant_joined adds one"


def test_whoever_rolls_or_declares_is_a_combatant_or_a_side() -> None:
    assert places(fact("initiative_rolled", die=3)) == [(0, "combatant")]
    assert places(fact("action_declared", action={"kind": "attack"})) == [(0, "combatant")]
    assert (
        refusals(fact("initiative_rolled", die=3, side="orcs"), fact("initiative_rolled", die=3, combatant="bo")) == []
    )


def test_whoever_joins_in_the_same_append_is_known_after_it() -> None:
    assert refusals(joins("cy", side="elves"), hit("cy", 3), fact("surprise_rolled", side="elves", die=3)) == []
    assert places(hit("cy", 3), joins("cy")) == [(0, "target")]
    assert refusals(joins("cy"), fact("surprise_rolled", side="cy", die=3)) == []
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


ACTED = (*FIGHT, act("ana"), hit("bo", 3))  # records 4 and 5


@pytest.mark.parametrize(
    ("reference", "refused"), [(4, False), (1, False), (-1, False), (-4, False), (5, True), (6, True), (-5, True)]
)
def test_a_reference_in_an_amendment_counts_from_the_record_it_replaces(reference: int, refused: bool) -> None:
    expected = [(0, "replacement.cause")] if refused else []
    assert places(amend(5, hit("bo", 1, cause=reference)), told=ACTED) == expected


@pytest.mark.parametrize(("reference", "refused"), [(5, False), (-1, False), (6, True)])
def test_an_amendment_may_count_back_to_its_record_in_the_same_append(reference: int, refused: bool) -> None:
    expected = [(1, "replacement.cause")] if refused else []
    assert places(hit("bo", 2), amend(-1, hit("bo", 1, cause=reference)), told=ACTED) == expected


def test_no_record_comes_before_the_first() -> None:
    assert places(amend(1, hit("bo", 3, cause=1))) == [(0, "replacement.cause"), (0, "event")]


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
    assert places(insert(2, fact("combatant_joined", combatant="cy", sheet=sheet))) == [(0, field)]
    assert places(amend(2, fact("combatant_joined", combatant="cy", sheet=sheet))) == [(0, field)]


@pytest.mark.parametrize(
    ("word", "found"), [("nine", "text"), (True, "true or false"), ([9], "a list"), ({"a": 9}, "an object")]
)
def test_a_sheet_of_the_wrong_form_is_refused_in_words(word: object, found: str) -> None:
    (one,) = refusals(fact("combatant_joined", combatant="cy", sheet={"hp": word}))
    assert one.reason == f"expected a whole number, got {found}"
    (nested,) = refusals(fact("combatant_joined", combatant="cy", sheet={"resources": {"oil": word}}))
    assert nested.reason == one.reason


def test_what_is_wrong_with_a_sheet_is_said_in_at_most_200_characters() -> None:
    class Sheet(Struct):
        size: Literal["small", "large"]

    state = play()
    state.rules = structs.replace(state.rules, sheet=Sheet)
    joining = fact("combatant_joined", combatant="cy", sheet={"size": "x" * 300})
    (first, *_) = find_refusals(state, drafts_of(joining), after=1)
    assert 80 < len(first.reason) <= 200


def test_what_is_wrong_deep_in_a_sheet_is_refused_by_its_whole_path() -> None:
    class Weapon(Struct):
        reach: int

    class Sheet(Struct):
        weapon: Weapon | None = None
        weapons: tuple[Weapon, ...] = ()

    state = play()
    state.rules = structs.replace(state.rules, sheet=Sheet)
    for sheet, field in (
        ({"weapon": {"reach": "long"}}, "sheet.weapon.reach"),
        ({"weapons": [{"reach": "long"}]}, "sheet.weapons[0].reach"),
        ({"weapon": "long"}, "sheet.weapon"),
    ):
        joining = fact("combatant_joined", combatant="cy", sheet=sheet)
        (first, *_) = find_refusals(state, drafts_of(joining), after=1)
        assert first.field == field


def test_a_misspelt_field_of_a_sheet_is_answered_with_the_nearest() -> None:
    (one,) = refusals(fact("combatant_joined", combatant="cy", sheet={"hp_maxx": 9}))
    assert one.hint.startswith("did you mean hp_max")
    (one,) = refusals(fact("combatant_joined", combatant="cy", sheet={"zzz": 9}))
    assert one.hint.startswith("a sheet of plain has ")


def test_combatants_and_sides_share_their_names() -> None:
    assert places(joins("orcs")) == [(0, "combatant")]
    assert places(joins("cy", side="bo")) == [(0, "side")]
    assert refusals(joins("ana", side="ana")) == []


def test_whoever_joined_without_a_side_is_one_that_others_may_join() -> None:
    assert refusals(joins("ana"), joins("bo", side="ana"), told=(joins("ana"),)) == []


def test_every_refusal_of_an_append_is_named() -> None:
    assert places(hit("x", 1), hit("bo", 1), hit("y", 1, cause=99)) == [(0, "target"), (2, "target"), (2, "cause")]


def test_a_sheet_that_lacks_what_its_ruleset_needs_is_refused() -> None:
    state = replay(records(ruleset="osric")).state
    found = find_refusals(state, drafts_of(joins("ana", None)), after=1)
    assert [(one.field, one.reason) for one in found] == [("sheet.hp", "is missing")]
    whole = joins("ana", 9), fact("sheet_changed", combatant="ana", sheet={"hp_max": 9})
    assert find_refusals(state, drafts_of(*whole), after=1) == ()
