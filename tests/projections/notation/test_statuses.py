"""Statuses said as conditions: what is denied is stated, ruled off, or refused."""

import pytest

from eventstore.events import Checked, Fact, RulingMade
from projections.language.notation.tokens import NotUnderstood
from tests.language.scenes import table


def told(*lines: str) -> Fact:
    """Return the one fact of the last of some lines about an orc of 15 hit points."""
    *before, last = lines
    (fact,) = table("plain", ("join Ana party hp=30", "join orc foes hp=15", *before)).tell(last).facts
    return fact


def test_a_denied_status_that_nobody_has_states_the_one_they_have() -> None:
    assert told("orc is not dead") == Checked(values={"orc.status": "up"})


def test_a_denied_status_that_was_ruled_ends_the_ruling() -> None:
    fact = told("orc is dead", "orc is not dead")
    assert isinstance(fact, RulingMade)
    assert fact.values == {"orc.status": "none"}


def test_a_denied_status_that_hit_points_give_is_refused_with_the_reason() -> None:
    with pytest.raises(NotUnderstood, match="by its points"):
        told("orc takes 15", "orc is not down")
