"""Stat blocks as sheets: what srd=EDITION:NAME on a sheet stands for, and which names of those who join stand for one."""

import json
from typing import Any

import msgspec
import pytest

from projections.judging.audit import audit
from projections.language.notation.records import make_records
from projections.language.notation.table import Table
from projections.language.notation.tokens import NotUnderstood
from projections.rulesets import find
from projections.rulesets.fifth_edition.deeds import BLOWS_AS_BONUS
from projections.rulesets.fifth_edition.sheet import Sheet
from projections.rulesets.fifth_edition.srd import sheets, tables
from tests.projections.logs import fact, records
from tests.tables import for_each


def table(edition: str = "2014") -> Table:
    """Return an empty table of the fifth edition."""
    return Table(records(ruleset="5e", options={"edition": edition}), script=True)


def told(line: str, at: Table) -> list[dict[str, Any]]:
    """Return the facts of a line, and take them to the table."""
    facts = at.tell(line).facts
    at.take(make_records(facts, len(at.records) + 1))
    return [msgspec.to_builtins(each) for each in facts]


@pytest.mark.parametrize("edition", tables.EDITIONS)
def test_every_monster_makes_a_sheet(edition: str) -> None:
    for one in tables.monsters(edition):
        sheet = msgspec.convert(sheets.completed_fields(None, {"srd": f"{edition}:{one.id}"}), Sheet)  # type: ignore[arg-type]
        assert (sheet.creature, sheet.ac, sheet.hp) == ("monster", one.ac, one.hp)
        assert sheet.entries is not None
        named = [each.name for each in sheet.entries]
        assert len(named) == len({*named}), one.id


UNCOUNTED = {
    "2014": {"hydra": "as many as it has heads", "violet-fungus": "1d4"},
    "2024": {
        "avatar-of-death": "by the proficiency bonus of its summoner",
        "draconic-spirit": "by the level of its spell",
        "giant-insect": "by the level of its spell",
        "hydra": "as many as it has heads",
    },
}
"""The monsters whose stat block leaves the number of their attacks to something else."""


@pytest.mark.parametrize("edition", tables.EDITIONS)
def test_every_monster_may_make_the_attacks_of_its_block_and_no_more(edition: str) -> None:
    """With each weapon of the block in turn, and no cost recorded; a bonus action of the block may be the one more."""
    for one in tables.monsters(edition):
        most = sheets.attack_count(one)
        assert (most is None) == (one.id in UNCOUNTED[edition]), one.id
        weapons = [each.name.casefold() for each in one.actions if each.attack and each.cost == "action"]
        if most is None or not weapons:
            continue
        more = any(each.name.casefold() in BLOWS_AS_BONUS for each in one.actions if each.cost == "bonus")
        facts = [
            fact("combatant_joined", combatant="x", sheet={"srd": f"{edition}:{one.id}"}),
            fact("combatant_joined", combatant="y", sheet={"hp": 999}),
            fact("initiative_rolled", combatant="x", total=2),
            fact("turn_started", combatant="x"),
        ]
        for place in range(most + 1 + more):
            action = {"kind": "attack", "name": weapons[place % len(weapons)], "targets": ["y"]}
            facts.append(fact("action_taken", combatant="x", action=action))
        log = records(*facts, ruleset="5e", options={"edition": edition})
        assert [(each.event, each.rule) for each in audit(log).findings] == [(len(log), "act.attack")], one.id


def test_what_the_sheet_says_itself_goes_first() -> None:
    found = sheets.completed_fields(None, {"srd": "2014:goblin", "hp": 9, "speeds": {"walk": 20}})  # type: ignore[arg-type]
    assert (found["hp"], found["ac"], found["speeds"]) == (9, 15, {"walk": 20})


def test_a_stat_block_that_no_table_has_says_nothing() -> None:
    assert sheets.completed_fields(None, {"srd": "2014:nobody", "hp": 9}) == {"srd": "2014:nobody", "hp": 9}  # type: ignore[arg-type]


JOINING = [
    ("join goblin*2", "2014", [{"srd": "2014:goblin"}] * 2),
    ("join goblin*2 hp=9", "2014", [{"srd": "2014:goblin", "hp": 9}] * 2),
    ("join goblin*2 heroes hp=9", "2014", [{"srd": "2014:goblin", "hp": 9}] * 2),
    ("join goblin foes hp=9", "2014", [{"srd": "2014:goblin", "hp": 9}]),
    ("join owlbear", "2024", [{"srd": "2024:owlbear"}]),
    ("join goblin-warrior foes", "2024", [{"srd": "2024:goblin-warrior"}]),
    ("join knight heroes", "2014", [{"srd": "2014:knight"}]),
    ("join Ghoul party", "2014", [{"srd": "2014:ghoul"}]),
    ("join Ghoul party hp=9", "2014", [{"hp": 9}]),
    ("join knight hp=52", "2014", [{"hp": 52}]),
    ("join knight foes creature=character", "2014", [{"creature": "character"}]),
    ("join goblin*2 srd=none", "2014", [{}] * 2),
    ("join snaga*2 srd=orc", "2014", [{"srd": "2014:orc"}] * 2),
    ("join snaga srd=2024:ogre hp=60", "2014", [{"srd": "2024:ogre", "hp": 60}]),
    ("join goblin*2", "2024", [{}] * 2),
    ("join ana heroes", "2014", [{}]),
]


@for_each(("line", "edition", "found"), JOINING)
def test_who_joins_by_the_name_of_a_monster_has_its_stat_block(line: str, edition: str, found: list[object]) -> None:
    assert [each.get("sheet", {}) for each in told(line, table(edition))] == found


@pytest.mark.parametrize("line", ["join a srd=gobln", "join a srd=3.5:goblin", "join a srd=dragon"])
def test_a_name_for_none_or_several_is_refused_with_those_near(line: str) -> None:
    with pytest.raises(NotUnderstood, match=r"no monster|no edition|may be"):
        told(line, table())


def test_the_engine_has_the_numbers_of_the_stat_block() -> None:
    at = table()
    told("join goblin*2", at)
    state = at.done.state
    one = state.combatants["goblin-1"]
    assert (one.hp, one.sheet.ac, one.sheet.initiative, one.sheet.speeds) == (7, 15, 2, {"walk": 30})
    assert [each.name for each in one.sheet.weapons] == ["scimitar", "shortbow"]
    assert one.records("ac") == (one.joined,)


def test_a_sheet_that_changes_takes_the_numbers_of_another_stat_block() -> None:
    at = table()
    told("join goblin*1", at)
    told(json.dumps({"type": "sheet_changed", "combatant": "goblin-1", "sheet": {"srd": "2014:ogre"}}), at)
    one = at.done.state.combatants["goblin-1"]
    assert (one.hp, one.hp_max, one.sheet.ac) == (59, 59, 11)


def test_sheets_of_other_games_know_nothing_of_it() -> None:
    for key in ("plain", "osric"):
        rules = find(key)
        assert rules.recognized(None, "goblin", "foes", True, {}) == {}
        assert rules.filled(None, {"hp": 1}) == {"hp": 1}


@for_each(
    ("name", "sheet", "found"),
    [
        ("Ogre", {"hp": 59}, "2014:ogre"),
        ("Ogre 2", {"hp": 40, "hp_max": 59, "ac": 11}, "2014:ogre"),
        ("Goblin #3", {"hp": 7, "abilities": {"dexterity": 14}}, "2014:goblin"),
        ("Ogre", {"hp": 59, "ac": 12}, ""),
        ("Ogre", {"hp": 60}, ""),
        ("Goblin", {"hp": 7, "abilities": {"dexterity": 15}}, ""),
        ("Ogre", {"ac": 11}, ""),
        ("Ogre", {"hp": 59, "creature": "character"}, ""),
        ("Ogri", {"hp": 59}, ""),
        ("7", {"hp": 7}, ""),
    ],
)
def test_an_imported_creature_is_the_named_monster_only_with_its_numbers(
    name: str, sheet: dict[str, object], found: str
) -> None:
    assert sheets.agreeing_monster(name, "2014", sheet) == found


@pytest.mark.parametrize(
    ("line", "spent"),
    [
        ("mage cast fireball", ["level 3 spell slot"]),
        ("mage cast fireball with a level 4 slot", ["level 4 spell slot"]),
        ("mage cast fire bolt", []),
        ('mage cast "detect magic" manner=ritual', []),
        ("mage cast fly granted_by=potion", []),
        ("ana cast fireball", []),
    ],
)
def test_a_typed_spell_of_a_monster_spends_its_slot(line: str, spent: list[str]) -> None:
    at = Table(records(ruleset="5e", options={"edition": "2014"}))
    told("join mage foes", at)
    told("join ana heroes hp=9", at)
    at.done.state.combatants["ana"].resources["level 3 spell slot"] = 2
    facts = told(line, at)
    assert [each["resource"] for each in facts if each["type"] == "resource_changed"] == spent


def test_when_its_slots_are_gone_the_next_ones_are_spent() -> None:
    at = Table(records(ruleset="5e", options={"edition": "2014"}))
    told("join mage foes", at)
    for _ in range(4):
        told("mage cast fireball", at)
    assert at.done.state.combatants["mage"].resources["level 3 spell slot"] == 0
    assert at.done.state.combatants["mage"].resources["level 4 spell slot"] == 2
