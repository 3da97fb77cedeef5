"""Derived values by address: what each is and why, how a statement agrees with it, and how a ruling overrides it."""

import pytest
from msgspec import structs

from projections.address import Address
from projections.because import Because, Derived
from projections.folds.addresses import (
    agrees_with_statement,
    all_addresses,
    means_the_same,
    no_value,
    value_as_text,
    value_of,
)
from tests.projections.logs import (
    bears,
    fact,
    findings,
    hit,
    joins,
    override,
    override_of,
    play,
    rolls,
    round_,
    rules,
    strike,
    turn,
    value,
)
from tests.tables import for_each

FIGHT = (
    joins("ana", 9, "heroes", hp_max=12, temp=2, nld=1),  # 2
    joins("bo", 8, "orcs"),  # 3
    joins("cy", 7, "orcs"),  # 4
    rolls("ana", 12),
    rolls("bo", 9),
    round_(2),  # 7
    turn("ana"),  # 8
    bears("Hex", "bo", source="ana", concentration=True),  # 9
    fact("condition_gained", condition="prone", targets=["bo"]),  # 10
)


@for_each(("address", "expected"), [
    ("order", [["ana"], ["bo"]]), ("turn", "ana"), ("round", 2), ("segment", "none"), ("phase", "none"), ("options.concentration", "one"),
    ("ana.name", "ana"), ("bo.side", "orcs"), ("ana.hp", 9), ("ana.hp_max", 12), ("ana.temp", 2), ("ana.nld", 1), ("ana.status", "up"),
    ("bo.effects", ["Hex"]), ("bo.effects.hex", True), ("ana.effects.hex", "none"), ("bo.conditions", ["prone"]), ("ana.casting", "none"),
    ("ana.concentration", "Hex"), ("bo.concentration", "none"),
])  # fmt: skip
def test_each_address_names_a_value_with_its_reason(address: str, expected: object) -> None:
    assert value(play(*FIGHT), address) == expected
    assert rules(*FIGHT, fact("checked", values={address: expected})) == []


def test_where_the_address_of_a_ruleset_has_no_value_the_common_one_has() -> None:
    state = play(*FIGHT)
    nothing = Address("<who>.hp", lambda _state, _who: None, says="nothing")
    state.rules = structs.replace(state.rules, addresses=(nothing,))
    assert value(state, "ana.hp") == 9


@pytest.mark.parametrize("address", ["mood", "ana", "ana.", "ana.mood", "zoe.hp", "options.mood", ".hp", "effects.hex"])
def test_an_address_that_names_nothing_has_no_value_and_is_found(address: str) -> None:
    assert value_of(play(*FIGHT), address) is None
    assert rules(*FIGHT, fact("checked", values={address: 1})) == [("log.address", 11)]


def test_the_addresses_of_a_state_all_name_values() -> None:
    state = play(*FIGHT)
    assert all(value_of(state, address) for address in all_addresses(state))
    assert "cy.hp" in all_addresses(state)


def test_a_field_without_its_owner_is_answered_with_its_address() -> None:
    state = play(joins("aurelian-of-the-long-name"))
    assert no_value(state, "ada") == "there is no value ada here"
    assert no_value(play(joins("ada")), "dda") == "there is no value dda here (did you mean ada?)"
    assert no_value(state, "hp") == "there is no value hp here (say <who>.hp)"
    assert no_value(state, "zzzz") == "there is no value zzzz here"


# statements


@pytest.mark.parametrize(("address", "stated"), [
    ("turn", "ANA"), ("order", ["heroes", "bo"]), ("order", ["ana", "orcs"]), ("order", [["ana"], ["bo"]]), ("bo.effects", ["hex"]),
    ("ana.effects", []), ("ana.effects", "none"), ("bo.conditions", ["PRONE"]),
])  # fmt: skip
def test_a_statement_agrees_whatever_its_case_with_sides_for_their_members(address: str, stated: object) -> None:
    assert rules(*FIGHT, fact("checked", values={address: stated})) == []


@for_each(("address", "stated", "rule"), [
    ("turn", "bo", "turn.as-recorded"),
    ("turn", 3, "log.statement"),
    ("turn", ["a", "n", "a"], "log.statement"),
    ("order", ["bo", "ana"], "order.recorded-totals"),
    ("order", "ana", "order.recorded-totals"),
    ("order", "none", "order.recorded-totals"),
    ("order", [["ana", "zoe"], "bo"], "order.recorded-totals"),
    ("round", True, "log.statement"),
    ("ana.hp", 8, "pool.damage-subtracts"),
    ("ana.hp", "9", "log.statement"),
    ("ana.temp", 3, "pool.temporary"),
    ("ana.nld", 3, "pool.nonlethal-beside"),
    ("ana.status", "down", "status.down-at-zero"),
    ("ana.concentration", "none", "concentration.one-at-a-time"),
    ("bo.effects", ["Hex", "Hex"], "effect.runs-out"),
    ("ana.side", "orcs", "log.joining"),
])  # fmt: skip
def test_log_statement_one_that_differs_is_found_with_the_values_rule(address: str, stated: object, rule: str) -> None:
    (one,) = findings(*FIGHT, fact("checked", values={address: stated}))
    assert (one.rule, one.event, one.severity) == (rule, 11, "breach")


def test_where_facts_allow_two_values_either_may_be_stated_until_a_ruling() -> None:
    told = (
        joins("mira", 9, "party"),
        joins("archer", 9, "party", missile_bonus=1),
        joins("ogre", 20, "foes"),
        fact("surprise_settled"),
        round_(1),
        *(fact("initiative_rolled", side=side, die=3) for side in ("party", "foes")),
    )
    free, ruled = play(*told, ruleset="osric"), play(*told, override(archer__segment=6), ruleset="osric")
    derived = value(free, "archer.segment")
    either = [number for number in range(1, 11) if agrees_with_statement(free, "archer.segment", number, derived)]
    assert len(either) == 2
    assert [number for number in range(1, 11) if agrees_with_statement(ruled, "archer.segment", number, 6)] == [6]


def test_a_statement_of_a_list_is_a_member_unless_the_order_counts() -> None:
    state = play(*FIGHT, bears("Glow", "bo"))
    assert means_the_same(state, "bo.effects", ["glow", "hex"], value(state, "bo.effects"))
    assert not means_the_same(state, "bo.effects", ["glow"], value(state, "bo.effects"))
    assert not means_the_same(state, "bo.effects", 2, value(state, "bo.effects"))
    queue = Address("queue", lambda _state: Derived(["ana", "bo"], Because((), (2,))), says="a queue", ordered=True)
    state.rules = structs.replace(state.rules, addresses=(queue,))
    assert means_the_same(state, "queue", ["ANA", "bo"], value(state, "queue"))
    assert not means_the_same(state, "queue", ["bo", "ana"], value(state, "queue"))


def test_in_an_order_a_name_of_a_side_and_a_combatant_is_the_combatants() -> None:
    told = (joins("ana"), joins("bo", side="ana"), rolls("ana", 12), rolls("bo", 9), turn("ana"))
    assert rules(*told, fact("checked", values={"order": ["ana", "bo"]})) == []


@pytest.mark.parametrize(("found", "words"), [
    ([["ana", "bo"], "cy"], "ana & bo, cy"), (["Hex", "Glow"], "Hex, Glow"), ([], "none"), (True, "true"), (7, "7"), ("Hex", "Hex"),
])  # fmt: skip
def test_a_value_is_shown_in_words(found: object, words: str) -> None:
    assert value_as_text(found) == words


# overrides


@for_each(("address", "word"), [
    ("turn", "bo"), ("turn", "none"), ("round", 5), ("segment", 3), ("segment", "none"), ("phase", "none"), ("ana.name", "Ana the Bold"),
    ("ana.side", "orcs"), ("ana.hp", 4), ("ana.hp", "none"), ("ana.hp_max", 40), ("ana.temp", 7), ("ana.nld", 3), ("ana.status", "hidden"),
    ("ana.effects.glow", 3), ("ana.effects.glow", True), ("bo.effects.hex", "none"), ("bo.effects", ["glow"]), ("bo.conditions", ["wary"]),
    ("ana.concentration", "none"),
])  # fmt: skip
def test_log_ruling_an_override_of_each_address_takes_hold_and_is_a_reason(address: str, word: object) -> None:
    told = (*FIGHT, override_of({address: word}))
    assert rules(*told) == []
    state = play(*told)
    assert value(state, address) == word
    derived = value_of(state, address)
    assert derived
    assert 11 in derived.because.events or word == "none"


@for_each(("address", "word"), [
    ("order", 7), ("order", ["zoe"]), ("order", True), ("turn", "zoe"), ("turn", 3), ("round", -5), ("round", True), ("round", "many"),
    ("segment", -1), ("phase", "H.D1"), ("ana.hp", "many"), ("ana.hp", True), ("ana.hp_max", ["9"]), ("ana.temp", "none"), ("ana.nld", "many"),
    ("ana.status", 5), ("ana.name", 5), ("ana.side", 5), ("ana.effects", 3), ("ana.effects.hex", "long"), ("ana.effects.hex", ["x"]),
    ("ana.conditions", True), ("ana.casting", "none"), ("ana.concentration", "Hex"), ("options.concentration", "any"),
])  # fmt: skip
def test_log_ruling_an_absurd_override_takes_no_hold_and_is_found(address: str, word: object) -> None:
    told = (*FIGHT, override_of({address: word}))
    assert rules(*told) == [("log.ruling", 11)]
    before = value_of(play(*FIGHT), address)
    after = value_of(play(*told), address)
    assert before == after


# statements that a correction overtook


def stated(**values: object) -> str:
    return fact("checked", values={address.replace("__", "."): item for address, item in values.items()})


def test_a_wrong_statement_says_what_was_expected_found_and_why() -> None:
    (one,) = findings(*FIGHT, hit("bo", 3), fact("checked", values={"bo.hp": 6}))
    assert (one.expected, one.found, one.because) == ("5 hp", "6 hp", (3, 11))
    assert one.says == "bo.hp is stated as 6, but the facts give 5"


def test_log_address_an_override_of_nothing_is_found() -> None:
    assert rules(*FIGHT, override(mood=5)) == [("log.address", 11)]
    assert rules(joins("ana"), override(ana__hp=5), strike(2)) == [("log.address", 3)]


def test_a_ruling_that_is_no_override_leaves_its_values_alone() -> None:
    says = fact("ruling_made", ruling="fact", decision="so", values={"bo.hp": 1})
    assert value(play(*FIGHT, says), "bo.hp") == 8
    assert rules(*FIGHT, says) == []
