"""The roster: what a combatant brings along, and what is left of its resources."""

import pytest

from projections.replay.replay import replay
from tests.projections.logs import fact, joins, play, records


def spends(resource: str, **more: int) -> str:
    return fact("resource_changed", combatant="ulf", resource=resource, amount=-1, **more)


def test_a_combatant_goes_by_its_name_or_else_by_its_id() -> None:
    named = fact("combatant_joined", combatant="ulf", name="Ulf the Red", sheet={"hp": 3})
    assert play(named).combatants["ulf"].name == "Ulf the Red"
    assert play(joins("ulf")).combatants["ulf"].name == "ulf"


def test_a_pool_that_a_sheet_does_not_know_is_empty() -> None:
    one = replay(records(joins("ulf"), ruleset="osric")).state.combatants["ulf"]
    assert (one.hp, one.hp_max, one.temp, one.nld) == (10, 10, 0, 0)


def test_of_several_resources_the_one_that_is_named_is_spent() -> None:
    one = play(joins("ulf", resources={"oil": 3, "Arrows": 9}), spends("ARROWS")).combatants["ulf"]
    assert one.resources == {"oil": 3, "Arrows": 8}


def test_a_resource_of_which_nobody_said_anything_is_counted_from_0() -> None:
    assert play(joins("ulf"), spends("oil")).combatants["ulf"].resources == {"oil": -1}


@pytest.mark.parametrize(("key", "nonlethal"), [("plain", False), ("osric", False), ("definition-master", True)])
def test_a_status_is_dated_from_the_fact_that_brought_it_whatever_follows(key: str, *, nonlethal: bool) -> None:
    blow = fact("damage_dealt", target="ulf", amount=10, nonlethal=nonlethal)
    one = replay(records(joins("ulf"), blow, blow, ruleset=key)).state.combatants["ulf"]
    assert (one.status != "up", one.since) == (True, 3)
