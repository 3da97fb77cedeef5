"""Reveals of several records, and of somebody; values with a bar in their names; yes and true."""

import pytest

from eventstore.events import RulingMade
from projections.language.notation.table import Table
from projections.language.notation.tokens import NotUnderstood
from projections.rulesets import RULESETS
from tests.projections.grammar import table, told


def secrets() -> Table:
    at = table("osric")
    for line in (
        "join Bo party hp=9",
        "secret join Assassin foes hp=9",
        "surprised",
        "r",
        "secret b -1",
        "secret ass -2",
    ):
        at.hear(line)
    return at


def revealed(at: Table, line: str) -> list[tuple[int | None, str]]:
    facts = at.hear(line).facts
    assert all(isinstance(fact, RulingMade) and fact.ruling == "reveal" for fact in facts)
    return [(fact.event, fact.decision) for fact in facts if isinstance(fact, RulingMade)]


@pytest.mark.parametrize(("line", "says"), [
    ("reveal 6,7", [(6, "revealed"), (7, "revealed")]), ("reveal 6,7,6 so it was", [(6, "so it was"), (7, "so it was")]),
    ("reveal 6", [(6, "revealed")]), ("reveal 6 so it was", [(6, "so it was")]),
    ("reveal assassin", [(3, "Assassin is revealed"), (7, "Assassin is revealed")]), ("reveal ASS at last", [(3, "at last"), (7, "at last")]),
])  # fmt: skip
def test_records_and_people_are_revealed(line: str, says: list[tuple[int, str]]) -> None:
    assert revealed(secrets(), line) == says


def test_what_is_revealed_or_struck_is_not_revealed_again() -> None:
    at = secrets()
    at.hear("reveal 3 it is he")
    assert revealed(at, "reveal assassin") == [(7, "Assassin is revealed")]
    with pytest.raises(NotUnderstood, match="nothing about assassin is secret"):
        at.tell("reveal assassin")
    at.hear("u")
    at.hear("strike 7")
    with pytest.raises(NotUnderstood, match="nothing about assassin is secret"):
        at.tell("reveal assassin")


@pytest.mark.parametrize(("line", "says"), [("reveal zed", "there is no combatant zed"), ("reveal 98,99", "event")])
def test_what_is_not_there_is_not_revealed(line: str, says: str) -> None:
    with pytest.raises(NotUnderstood, match=says):
        secrets().tell(line)


@pytest.mark.parametrize("key", RULESETS)
def test_a_value_with_a_bar_in_its_name_is_stated_and_ruled(key: str) -> None:
    at = table(key, "join Ogg foes hp=35")
    assert told(at, "check ogg.hp_max=35") == ['{"type":"checked","values":{"ogg.hp_max":35}}']
    assert '"values":{"ogg.hp_max":30}' in told(at, "rule override og.hp_max=30 he is weak")[0]


@pytest.mark.parametrize("word", ["true", "yes", "True"])
def test_a_field_of_a_sheet_that_is_yes_or_no_may_be_true(word: str) -> None:
    assert '"aac0_starred":true' in told(table("vile-darkness"), f"join Ogg foes hp=9 aac0_starred={word}")[0]


@pytest.mark.parametrize("key", ["osric", "vile-darkness"])
def test_a_spell_may_have_its_time_before_its_target(key: str) -> None:
    at = table(key, "join Tobb party hp=9", "join Brand party hp=9", "surprised", "r")
    assert told(at, "d tobb cure 5 brand") == [
        '{"type":"action_declared","combatant":"tobb","action":{"kind":"cast","name":"cure","targets":["brand"],"time":5}}'
    ]


def test_who_declared_a_delay_strikes_with_a_plain_blow() -> None:
    at = table("vile-darkness", "join Ada party hp=9", "join Orc foes hp=9", "surprised", "r", "d ada delay", "i p5 f3")
    assert next(fact for fact in told(at, "ada orc 14 6") if "attack_rolled" in fact or "attack" in fact) == (
        '{"type":"action_taken","combatant":"ada","action":{"kind":"attack","targets":["orc"]}}'
    )
