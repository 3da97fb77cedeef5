"""Statements are judged by the telling as it is, and fairly where a correction came later."""

from typing import Any

from tests.projections.logs import amend, fact, findings, hit, joins, strike

ULF = joins("ulf")


def checked(values: dict[str, Any]) -> str:
    return fact("checked", values=values)


def test_a_statement_that_a_later_strike_overtook_is_a_notice() -> None:
    (one,) = findings(ULF, hit("ulf", 3), checked({"ulf.hp": 7}), strike(3))
    assert (one.event, one.severity, one.expected, one.found) == (4, "notice", "10", "7")
    assert "right when it was stated" in one.says


def test_a_statement_that_was_wrong_all_along_is_a_breach() -> None:
    (one,) = findings(ULF, hit("ulf", 3), checked({"ulf.hp": 5}), strike(3))
    assert (one.event, one.severity) == (4, "breach")


def test_an_amended_statement_is_judged_by_its_new_words() -> None:
    (one,) = findings(ULF, hit("ulf", 3), checked({"ulf.hp": 7}), amend(4, checked({"ulf.hp": 5})))
    assert (one.event, one.line, one.severity, one.found) == (4, 5, "breach", "5")


def test_wrong_values_of_one_rule_make_one_finding_that_names_them_all() -> None:
    (one,) = findings(ULF, joins("ana"), checked({"ulf.hp": 1, "ana.hp": 2, "ulf.temp": 0}))
    assert "ulf.hp is stated as 1" in one.says
    assert "ana.hp is stated as 2" in one.says
    assert (one.expected, one.found, one.because) == ("10; 10", "1; 2", (2, 3))
