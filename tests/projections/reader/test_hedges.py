"""Guesses, plans, bounds, shares and totals so far are asked about with their reading, and never recorded at once."""

import pytest

from eventstore.events import ConditionLost, DamageDealt, Healed
from projections.reader.decision import decide
from tests.projections.reader.test_by_meaning_alone import fight, meant


@pytest.mark.parametrize(
    "line",
    [
        "probably gob takes 5",
        "i guess ana hits gob for 5",
        "gob takes at least 5",
        "gob takes about 5",
        "gob has taken 8 so far",
        "gob already took 8",
        "gob will take 5",
        "ana will heal bo for 5",
        "gob must take 5",
        "gob takes double 5",
        "ana and bo take 10 between them",
        "ana and bo take 10 in total",
        "ana hits gob for 5-2",
        "ana attacks gob at -5 for 12",
        "ana hits gob for 5 but only does 3",
        "ana hits gob for 5. actually no",
        "ana hits gob for 5 and takes 3 from bo",
        "ana misses gob and takes 3",
        "ana still has her reaction",
        "ana saves, bo fails, 12 damage",
        "gob takes 5 gold",
    ],
)
def test_what_is_left_open_is_offered(line: str) -> None:
    found = decide(fight("5e").context, line)
    assert found.meaning is None
    assert found.offers


@pytest.mark.parametrize(
    "line", ["gob takes 5", "that will be 5 damage to gob", "ana hits gob, 18 to hit, 5 damage all told"]
)
def test_what_is_not_is_recorded(line: str) -> None:
    assert [fact.amount for fact in meant(fight("5e"), line) if isinstance(fact, DamageDealt)] == [5]


@pytest.mark.parametrize("line", ["gob is stunned, not paralysed", "gob is stunned and not prone"])
def test_a_state_that_is_denied_behind_another_ends_none(line: str) -> None:
    found = decide(fight("5e", "gob is stunned").context, line)
    facts = [fact for each in (found.meaning, *found.offers) if each for fact in each.facts]
    assert not any(isinstance(fact, ConditionLost) for fact in facts)


@pytest.mark.parametrize("line", ["ana is healed to 15", "bo heals ana to 15"])
def test_points_to_which_somebody_is_healed_are_not_what_they_gain(line: str) -> None:
    found = decide(fight("5e", "ana -8").context, line)
    facts = [fact for each in (found.meaning, *found.offers) if each for fact in each.facts]
    assert not any(isinstance(fact, Healed) and fact.amount == 15 for fact in facts)
