"""Spells that are cast by their names: by whom, at whom, and who fails the save."""

import pytest

from projections.folds.addresses import derived
from projections.folds.replay import replay
from projections.grammar.table import Table, recorded
from projections.grammar.tokens import NotUnderstood
from projections.judging.audit import audit
from projections.judging.unjudged import Unjudging
from tests.projections.grammar.test_line_context import heard
from tests.projections.grammar.test_phrases import said
from tests.projections.test_grammar import table


def goblins(*lines: str) -> Table:
    """Return a table at which it is the turn of Ana, with bare sheets, against three goblins."""
    return heard(table("5e"), "join ana party", "join bo party", "join goblin*3 foes", "t ana", *lines)


def cast(at: Table, line: str) -> tuple[object, ...]:
    """Return who casts what at whom by a line."""
    act = said(at, line)[0]
    assert (act["type"], act["action"]["kind"]) == ("action_taken", "cast")
    return act["combatant"], act["action"]["name"], act["action"].get("targets", [])


THREE = ["goblin-1", "goblin-2", "goblin-3"]


@pytest.mark.parametrize(
    "line",
    [
        "ana casts fireball on g1-g3: 28",
        "casts fireball on g1-3 for 28",
        "fireball on g1..g3: 28",
        "fireball on goblins: 28 fire",
        "fireball at goblin-1-goblin-3: 28 damage",
    ],
)
def test_a_spell_is_cast_by_the_one_on_turn_at_all_of_a_range(line: str) -> None:
    assert cast(goblins(), line) == ("ana", "fireball", THREE)


def test_a_spell_of_nobody_that_was_cast_in_this_turn_is_not_cast_again() -> None:
    facts = said(goblins("ana casts fireball"), "fireball on goblins: 28")
    assert [(each["type"], each["target"]) for each in facts] == [("damage_dealt", who) for who in THREE]


@pytest.mark.parametrize("line", ["g3-g1 are prone", "g1-b3 are prone", "g1-g9 are prone"])
def test_what_is_no_range_of_those_who_are_here_is_asked_about(line: str) -> None:
    with pytest.raises(NotUnderstood):
        goblins().tell(line)


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("ana casts web on goblins, g1 and g2 fail", {"goblin-1": False, "goblin-2": False}),
        ("ana casts web on goblins, g1 fails and g2 saves", {"goblin-1": False, "goblin-2": True}),
        ("ana casts hold person on g1, g1 fails", {"goblin-1": False}),
        ("fireball on g1-g3: 28, g1 saves", {"goblin-1": True}),
    ],
)
def test_who_fails_behind_a_spell_fails_the_save_that_it_allows(line: str, made: dict[str, bool]) -> None:
    at = goblins()
    assert cast(at, line)[0] == "ana"
    saves = [each for each in said(at, line) if each["type"] == "save_rolled"]
    assert {each["combatant"]: each["succeeded"] for each in saves} == made


@pytest.mark.parametrize("line", ["casts aside his shield", "casts bless", "casts gloom on g1"])
def test_a_caster_is_supplied_for_a_known_spell_alone(line: str) -> None:
    at = goblins()
    if line == "casts bless":
        assert cast(at, line) == ("ana", "bless", [])
    else:
        with pytest.raises(NotUnderstood):
            at.tell(line)


# ---------------------------------------------------------------- what a spell is known to do


def kinds(at: Table, line: str) -> list[str]:
    """Return the types of the facts of a line."""
    return [each["type"] for each in said(at, line)]


@pytest.mark.parametrize(
    ("line", "time"),
    [
        ("casts bless on ana, bo", (1, "minute")),
        ("casts web on goblins", (1, "hour")),
        ("ana casts bless on bo with a level 2 slot", (1, "minute")),
        ("ana casts bless on bo for 3 rounds, concentrating", (3, "round")),
        ("ana casts bestow curse on g1 with a level 5 slot", None),
    ],
)
def test_the_effect_of_a_spell_lasts_as_long_as_its_document_says(line: str, time: tuple[int, str] | None) -> None:
    effect = next(each for each in said(goblins(), line) if each["type"] == "effect_started")
    lasts = effect.get("duration")
    assert effect["concentration"] is True
    assert (lasts and (lasts["amount"], lasts["unit"])) == time


def test_half_of_a_number_for_all_is_left_to_those_who_save() -> None:
    facts = said(goblins(), "fireball on g1-g3: 28, g1 saves")
    assert [each["type"] for each in facts] == ["action_taken", "save_rolled", *["damage_dealt"] * 3]
    assert (facts[1]["save"], facts[1]["succeeded"]) == ("dexterity", True)
    assert [each["amount"] for each in facts[2:]] == [14, 28, 28]
    assert len({at + each["cause"] for at, each in enumerate(facts[1:], 1)}) == 1


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("fireball on g1-g3: 27 fire, g1 and g2 save", [13, 13, 27]),
        ("acid splash on g1, g2: 5, g2 saves", [5]),
        ("ana casts fireball on goblins for 28", [28, 28, 28]),
    ],
)
def test_a_save_leaves_what_the_spell_says(line: str, left: list[int]) -> None:
    facts = [each for each in said(goblins(), line) if each["type"] == "damage_dealt"]
    assert [each["amount"] for each in facts] == left
    assert all(sum(part["amount"] for part in each.get("parts", ())) in (0, each["amount"]) for each in facts)


@pytest.mark.parametrize(("spell", "left"), [("fireball", ([14], [28])), ("sacred flame", ([], [28]))])
def test_whether_a_number_is_halved_already_is_asked_where_all_save(
    spell: str, left: tuple[list[int], list[int]]
) -> None:
    line = f"ana casts {spell} on g1: 28, g1 saves"
    with pytest.raises(NotUnderstood) as refused:
        goblins().tell(line)
    assert refused.value.offers == (f"reading 1: {line}", f"reading 2: {line}")
    for offer, amounts in zip(refused.value.offers, left, strict=True):
        facts = said(goblins(), offer)
        assert [each["amount"] for each in facts if each["type"] == "damage_dealt"] == amounts


def conditions(at: Table, who: str) -> object:
    found = derived(at.done.state, f"{who}.conditions")
    return found.value if found else None


@pytest.mark.parametrize(
    "lines",
    [
        ("ana casts hold person on g1, g1 fails",),
        ("ana casts hold person on g1", "g1 fails his save"),
        ("ana casts hold person on g1", "save g1 wis 5 dc 13"),
        ("ana casts hold person on g1", "g1 is paralyzed"),
        ("ana casts hold person on g1, g1 fails", "g1 is paralyzed"),
    ],
)
def test_who_fails_has_the_condition_until_the_concentration_ends(lines: tuple[str, ...]) -> None:
    at = goblins(*lines)
    assert conditions(at, "goblin-1") == ["incapacitated", "paralyzed"]
    assert conditions(heard(at, "ana loses concentration"), "goblin-1") == []


def test_a_save_in_the_own_turn_ends_what_may_be_saved_against_again() -> None:
    at = goblins("ana casts hold person on g1, g1 fails", "t goblin-1", "g1 saves")
    assert conditions(at, "goblin-1") == []
    assert conditions(goblins("ana casts web on g1, g1 fails", "t goblin-1", "g1 saves"), "goblin-1") == ["restrained"]


def test_several_who_fail_in_one_line_have_it_each() -> None:
    at = goblins("ana casts web on goblins", "g1 and g2 fail their saves")
    assert [conditions(at, who) for who in THREE] == [["restrained"], ["restrained"], []]


def test_who_falls_prone_by_a_spell_stays_prone_without_it() -> None:
    facts = said(goblins(), "ana casts grease on g1 g2, g1 fails")
    assert [(each["condition"], each.get("duration")) for each in facts if each["type"] == "condition_gained"] == [
        ("prone", None)
    ]


def test_a_spell_that_its_only_target_withstands_is_not_concentrated_on() -> None:
    assert kinds(goblins(), "ana casts hold person on g1, g1 saves") == ["action_taken", "save_rolled"]
    assert "effect_started" in kinds(goblins(), "ana casts web on g1, g1 saves")


def test_a_script_says_all_that_it_records() -> None:
    at = Table(goblins().records, script=True)
    assert [type(each).__name__ for each in at.tell("ana cast bless bo").facts] == ["ActionTaken"]


def test_what_the_name_of_a_spell_says_leaves_no_clause_unjudged() -> None:
    """Components, level, casting time, range and the save of a spell that no sheet lists are those of its document."""
    for spell, left in (("fireball", set()), ("gloom", {"component.verbal", "spell.casting-time", "slot.not-needed"})):
        collector = Unjudging()
        at = goblins()
        facts = at.tell(f"ana cast {spell} goblin-1").facts
        replay([*at.records, *recorded(facts, len(at.records) + 1)], after=collector.look)
        found = {one.rule for one in collector.all(at.done.state) or () if one.event == len(at.records) + 1}
        assert found & {"component.verbal", "spell.casting-time", "slot.not-needed"} == left


@pytest.mark.parametrize(("spell", "judged"), [("fireball", True), ("ice storm", False)])
def test_the_one_type_of_damage_of_a_spell_is_judged_where_the_line_says_a_number_alone(
    spell: str, judged: bool
) -> None:
    collector = Unjudging()
    at = heard(goblins(), 'sheet goblin-1 {"immunities":["fire"]}')
    facts = at.tell(f"ana casts {spell} on g1: 28").facts
    replay([*at.records, *recorded(facts, len(at.records) + 1)], after=collector.look)
    left = {one.rule for one in collector.all(at.done.state) or () if one.event == len(at.records) + 2}
    assert ("immunity.nothing" not in left) is judged
    assert not getattr(facts[1], "parts", ())  # the record holds what was typed


def test_damage_of_a_type_by_the_name_of_a_spell_cites_the_row_that_says_so() -> None:
    at = heard(goblins(), 'sheet goblin-1 {"immunities":["fire"]}', "ana casts fireball on g1: 28")
    (found,) = [one for one in audit(at.records).findings if one.rule == "immunity.nothing"]
    assert (found.severity, found.says) == (
        "notice",
        "fireball deals fire (2014:fireball), and goblin-1 is immune to it",
    )
    own = '{"immunities":["fire"]}', '{"entries":[{"name":"fireball","damage_type":"fire"}]}'
    at = heard(goblins(), f"sheet goblin-1 {own[0]}", f"sheet ana {own[1]}", "ana casts fireball on g1: 28")
    (found,) = [one for one in audit(at.records).findings if one.rule == "immunity.nothing"]
    assert (found.severity, found.says) == ("breach", "fireball deals fire, and goblin-1 is immune to it")
