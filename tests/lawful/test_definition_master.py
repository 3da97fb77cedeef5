"""The fights of the generator for Definition Master: plain bookkeeping of hit points agrees, and each breach is told in some."""

import random

import pytest

from tests.lawful.definition_master import fought, lawful
from tests.lawful.fight import Fight
from tests.lawful.judging import faults
from tests.lawful.tables.definition_master.breaches import BREACHES
from tests.tables import for_each

FIGHTS = range(12)


@for_each("number", FIGHTS)
def test_hit_points_are_those_of_plain_if_all_is_lethal_and_no_save_fails(number: int) -> None:
    fight = lawful(random.Random(number), 5)
    last = next((seq for seq, fact in enumerate(fight.facts, 2) if fact.get("purpose") == "massive-damage"), fight.seq)
    facts = [
        fact | ({"sheet": {"hp": fact["sheet"]["hp"], "hp_floor": 0}} if "sheet" in fact else {})
        if not fact.get("nonlethal") and "object" not in fact and fact["type"] != "time_passed"
        else {"type": "noted", "text": "not of the hit points"}
        for fact in fight.facts[: last - 2]
    ]
    known = {seq: {k: v for k, v in values.items() if k.endswith(".hp")} for seq, values in fight.knows.items()}
    assert not [each for each in faults("plain", Fight({}, facts, known)) if ".hp is" in each]


@pytest.mark.slow
def test_each_breach_is_told_in_some_fight() -> None:
    for breach in BREACHES:
        fight = next(each for number in range(200) if (each := fought(random.Random(number), 5, breach)))
        assert all("." in rule and 2 <= seq <= fight.seq for rule, seq in fight.breaks), breach
