"""Statements are judged by the corrected stream as it is, and fairly where a correction came later."""

from typing import Any

from tests.projections.logs import amend, bears, fact, findings, hit, joins, strike

ULF = joins("ulf")


def checked(values: dict[str, Any]) -> str:
    return fact("checked", values=values)


def test_a_statement_that_a_later_strike_overtook_is_a_notice() -> None:
    (one,) = findings(ULF, hit("ulf", 3), checked({"ulf.hp": 7}), strike(3))
    assert (one.event, one.severity, one.expected, one.found) == (4, "notice", "10 hp", "7 hp")
    assert "right when it was stated" in one.says


def test_a_statement_that_was_wrong_all_along_is_a_breach() -> None:
    (one,) = findings(ULF, hit("ulf", 3), checked({"ulf.hp": 5}), strike(3))
    assert (one.event, one.severity) == (4, "breach")


def test_an_effect_may_be_stated_as_there_or_not_by_the_rule_of_effects() -> None:
    told = (ULF, bears("bless", "ulf"))
    assert findings(*told, checked({"ulf.effects.bless": True})) == []
    for lasts in ({}, {"duration": {"amount": 2, "unit": "round"}}):
        (one,) = findings(ULF, bears("bless", "ulf", **lasts), checked({"ulf.effects.bless": False}))
        assert one.rule != "log.statement"
        assert "which is not" not in one.says


def test_an_amended_statement_is_judged_by_its_new_words() -> None:
    (one,) = findings(ULF, hit("ulf", 3), checked({"ulf.hp": 7}), amend(4, checked({"ulf.hp": 5})))
    assert (one.event, one.line, one.severity, one.found) == (4, 5, "breach", "5 hp")


def test_wrong_values_of_one_rule_make_one_finding_that_names_them_all() -> None:
    (one,) = findings(ULF, joins("ana"), checked({"ulf.hp": 1, "ana.hp": 2, "ulf.temp": 0}))
    assert "ulf.hp is stated as 1" in one.says
    assert "ana.hp is stated as 2" in one.says
    assert (one.expected, one.found, one.because) == ("10 hp; 10 hp", "1 hp; 2 hp", (2, 3))


def test_what_is_no_value_at_all_is_said_once_of_all_addresses() -> None:
    (one,) = findings(ULF, checked({"ulf.mood": 1, "ulf.luck": 2}))
    assert (one.rule, one.expected, one.found) == ("log.address", "a value", "ulf.mood; ulf.luck")


def test_a_statement_of_another_kind_is_no_breach_of_the_values_rule() -> None:
    told = (ULF, bears("bless", "ulf"))
    for address, stated, kind in (("order", 3, "list"), ("ulf.hp", "ten", "number"), ("ulf.status", 5, "word")):
        (one,) = findings(*told, checked({address: stated}))
        assert (one.rule, one.severity) == ("log.statement", "breach")
        assert f"{address} is stated as {stated}, which is not a {kind}, but the facts give" in one.says
    for address, stated in (("ulf.hp", "none"), ("ulf.effects.bless", False), ("ulf.effects", "haste")):
        (one,) = findings(*told, checked({address: stated}))
        assert one.rule != "log.statement"
