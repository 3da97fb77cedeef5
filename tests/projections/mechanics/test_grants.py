"""Grants: a ruling permits exactly the act, person or event that it names, and words match whole, in any form."""

from typing import Any

import pytest

from eventstore.events import RulingMade
from projections.mechanics.grants import granted, is_about, names
from projections.occurrence import Occurrence

RULE = "attack.one-routine"


def grant(seq: int = 5, **fields: Any) -> Occurrence[RulingMade]:
    """Return a grant as it was recorded."""
    return Occurrence(seq, seq, RulingMade(ruling=fields.pop("ruling", "grant"), decision="so", **fields))


@pytest.mark.parametrize("said", ["drinks", "drinking", "drank a potion", "Drink", "drunk"])
def test_a_word_matches_in_all_its_common_forms(said: str) -> None:
    assert names("drink", [said])
    assert names(said, ["drink"])


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("dig", "digest"),
        ("drink", "drinkable"),
        ("art", "charter"),
        ("act", "action"),
        ("hold", "household"),
        ("", "x"),
    ],
)
def test_a_word_never_matches_a_piece_of_another(subject: str, said: str) -> None:
    assert not names(subject, [said])


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("fleeing", "flee"),
        ("fled", "flees"),
        ("barring the door", "bar the door"),
        ("striking", "struck"),
        ("carries", "carry"),
        ("the initiative of this round", "initiative"),
    ],
)
def test_further_forms(subject: str, said: str) -> None:
    assert names(subject, [said])


def test_a_grant_that_names_nothing_permits_nothing() -> None:
    nothing = grant()
    assert not is_about(nothing.event)
    assert not granted([nothing], RULE, who=["ana"], said=["attack"]).value


def test_a_grant_permits_the_rule_person_event_and_act_that_it_names_and_no_other() -> None:
    rule = grant(rule=RULE, combatants=("ana",))
    assert granted([rule], RULE, who=["ana"]).value
    assert not granted([rule], RULE, who=["bo"]).value
    assert not granted([rule], "another.rule", who=["ana"]).value
    event = grant(event=3)
    assert granted([event], RULE, event=[3]).value
    assert not granted([event], RULE, event=[4]).value
    act = grant(subject="drinking")
    assert granted([act], RULE, said=["drink"]).value
    assert not granted([act], RULE, said=["dig"]).value


def test_a_grant_counts_since_it_was_made_and_is_the_reason() -> None:
    found = granted([grant(5, rule=RULE), grant(9, rule=RULE)], RULE, since=6)
    assert found.value
    assert found.because.flat().events == (9,)
    assert not granted([grant(5, rule=RULE)], RULE, since=6).value


@pytest.mark.parametrize("ruling", ["fact", "override", "tie", "waiver"])
def test_only_a_grant_grants(ruling: str) -> None:
    assert not granted([grant(ruling=ruling, rule=RULE)], RULE).value
