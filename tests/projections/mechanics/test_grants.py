"""Grants: a ruling permits exactly the act, person or event that it names, and words match whole, in any form."""

from typing import Any

import pytest

from eventstore.events import RulingMade
from eventstore.shapes import Modifier
from projections.mechanics.grants import has_grant, is_about, is_named, word_forms
from projections.occurrence import Occurrence

RULE = "attack.one-routine"


def grant(seq: int = 5, **fields: Any) -> Occurrence[RulingMade]:
    """Return a grant as it was recorded."""
    return Occurrence(seq, seq, RulingMade(ruling=fields.pop("ruling", "grant"), decision="so", **fields))


@pytest.mark.parametrize("said", ["drinks", "drinking", "drank a potion", "Drink", "drunk"])
def test_a_word_matches_in_all_its_common_forms(said: str) -> None:
    assert is_named("drink", [said])
    assert is_named(said, ["drink"])


@pytest.mark.parametrize(("subject", "said"), [
    ("dig", "digest"), ("drink", "drinkable"), ("art", "charter"), ("act", "action"), ("hold", "household"), ("", "x"),
])  # fmt: skip
def test_a_word_never_matches_a_piece_of_another(subject: str, said: str) -> None:
    assert not is_named(subject, [said])


@pytest.mark.parametrize(("subject", "said"), [
    ("fleeing", "flee"),
    ("fled", "flees"),
    ("barring the door", "bar the door"),
    ("striking", "struck"),
    ("carries", "carry"),
    ("the initiative of this round", "initiative"),
])  # fmt: skip
def test_further_forms(subject: str, said: str) -> None:
    assert is_named(subject, [said])


@pytest.mark.parametrize(
    ("word", "others"),
    [
        ("bar", ()),
        ("bed", ()),  # what is left of an ending has three letters
        ("walls", ("wall",)),  # a double letter is halved only where an ending of a verb doubled it
        ("barred", ("barr", "barre", "bar")),
        ("adding", ("add", "adde")),  # what is left of halving has three letters, too
        ("drinking", ("drink", "drinke")),
        ("dies", ("die",)),
        ("carries", ("carrie", "carri", "carry")),
    ],
)
def test_a_word_may_be_a_form_of_itself_and_of_what_its_endings_leave(word: str, others: tuple[str, ...]) -> None:
    assert word_forms(word) == {word, *others}


def test_articles_name_nothing() -> None:
    assert is_named("the web", ["a web"])


def test_what_has_no_words_is_named_by_nothing() -> None:
    assert not is_named("drink", [""])
    assert not is_named("", ["drink"])


def test_a_grant_that_names_nothing_permits_nothing() -> None:
    nothing = grant()
    assert not is_about(nothing.event)
    assert not has_grant([nothing], RULE, who=["ana"], said=["attack"]).value


def test_a_grant_permits_what_it_names_and_no_other() -> None:
    rule = grant(rule=RULE, combatants=("ana",))
    assert has_grant([rule], RULE, who=["ana"]).value
    assert not has_grant([rule], RULE, who=["bo"]).value
    assert not has_grant([rule], "another.rule", who=["ana"]).value
    event = grant(event=3)
    assert has_grant([event], RULE, event=[3]).value
    assert not has_grant([event], RULE, event=[4]).value
    act = grant(subject="drinking")
    assert has_grant([act], RULE, said=["drink"]).value
    assert not has_grant([act], RULE, said=["dig"]).value


def test_a_grant_may_name_nothing_but_a_person() -> None:
    assert has_grant([grant(combatants=("ana",))], RULE, who=["ana"]).value


def test_a_grant_that_names_the_rule_need_not_find_its_subject_in_the_act() -> None:
    assert has_grant([grant(rule=RULE, subject="a second blow")], RULE, said=["sword"]).value


@pytest.mark.parametrize("named", [
    {"rule": RULE},
    {"subject": "drinking"},
    {"event": 3},
    {"combatants": ("ana",)},
    {"values": {"ana.hp": 4}},
    {"modifiers": (Modifier(name="rain", amount=-2),)},
], ids=lambda named: next(iter(named)))  # fmt: skip
def test_a_ruling_is_about_whatever_it_names(named: dict[str, Any]) -> None:
    assert is_about(grant(**named).event)


def test_the_first_grant_that_permits_is_the_reason() -> None:
    found = has_grant([grant(3, rule="other"), grant(5, rule=RULE), grant(9, rule=RULE)], RULE)
    assert found.value
    assert found.because.flat().events == (5,)


@pytest.mark.parametrize("ruling", ["fact", "override", "tie", "waiver"])
def test_only_a_grant_grants(ruling: str) -> None:
    assert not has_grant([grant(ruling=ruling, rule=RULE)], RULE).value
