"""Objections: facts about strangers and sheets of the wrong form take no hold, and all others do."""

import pytest

from projections.replay.replay import replay
from projections.state import State
from tests.projections.logs import fact, hit, hp, joins, records

ANA = joins("ana", 9)


def played(*facts: str) -> State:
    """Return the state of a log whose ruleset wants hit points on every sheet."""
    return replay(records(*facts, ruleset="osric")).state


def refused(*facts: str) -> list[tuple[int, str]]:
    """Return the facts that took no hold, and the rules."""
    return [(each.seq, rule) for each, rule, _ in played(*facts).refused]


def sheet(who: str, **fields: object) -> str:
    return fact("sheet_changed", combatant=who, sheet=fields)


@pytest.mark.parametrize(("told", "rule"), [
    (hit("zoe", 3), "log.stranger"),
    (fact("turn_started", combatant="zoe"), "log.stranger"),
    (sheet("zoe", hp=3), "log.stranger"),
    (sheet("ana", hp="nine"), "log.sheet"),
    (fact("combatant_joined", combatant="bo", sheet={"hp": "nine"}), "log.sheet"),
    (fact("combatant_joined", combatant="bo", sheet={}), "log.sheet"),
])  # fmt: skip
def test_a_fact_about_a_stranger_or_with_a_wrong_sheet_takes_no_hold(told: str, rule: str) -> None:
    assert refused(ANA, told) == [(3, rule)]
    assert hp(played(ANA, told)) == {"ana": 9}


def test_a_part_of_a_sheet_changes_what_it_names() -> None:
    assert refused(ANA, sheet("ana", hp_max=12), hit("ana", 2)) == []
    assert hp(played(ANA, sheet("ana", hp_max=12), hit("ana", 2))) == {"ana": 7}
