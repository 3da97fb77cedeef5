"""Sheets of the fifth edition as people write them: names of stat blocks, weapons and spells by their names."""

from typing import Any

import msgspec
import pytest

from projections.language.notation.tokens import NotUnderstood
from projections.rulesets.fifth_edition import spellbook
from projections.rulesets.fifth_edition.sheet import FifthEntry, Sheet, Weapon
from projections.rulesets.fifth_edition.srd import sheets
from projections.rulesets.fifth_edition.srd.sheets import PLACES, weapon_fields
from projections.rulesets.fifth_edition.srd.tables import EDITIONS, spells
from tests.projections.grammar import table
from tests.projections.notation.line_context import heard
from tests.tables import for_each

BLESS = {"name": "bless", "level": 1, "cost": "action", "concentration": True}
SCIMITAR = {"name": "scimitar", "dice": "1d6", "damage_type": "slashing", "properties": ["finesse", "light"]}


def sheet(line: str, *before: str) -> Any:
    """Return the sheet of the first fact of a line."""
    facts = heard(table("5e"), *before).tell(line).facts
    return msgspec.to_builtins(facts[0])["sheet"]


@for_each(("said", "meant"), [
    ("armor_class=15 hit_points=7 speed=30", {"ac": 15, "hp": 7, "speeds": {"walk": 30}}),
    ("AC=15 STR=8 dexterity=14", {"ac": 15, "abilities": {"strength": 8, "dexterity": 14}}),
    ("wis_save=5 con_save=2", {"saves": {"wisdom": 5, "constitution": 2}}),
    ("perception=5 sleight_of_hand=3", {"skills": {"perception": 5, "sleight of hand": 3}}),
    ("fly=60 walk=10", {"speeds": {"fly": 60, "walk": 10}}),
    ("resistances=fire,cold", {"resistances": ["fire", "cold"]}),
    ("damage_immunities=poison condition_immunities=poisoned", {"immunities": ["poison", "poisoned"]}),
    ("spell_save_dc=13 spellcasting_ability=wisdom", {"spellcasting": {"dc": 13, "ability": "wisdom"}}),
    ("spells=bless,mumble", {"entries": [BLESS, {"name": "mumble"}]}),
    ("weapons=Scimitar,stick", {"weapons": [SCIMITAR, {"name": "stick"}]}),
    ('weapons=["Scimitar",{"name":"stick"}]', {"weapons": [SCIMITAR, {"name": "stick"}]}),
    ("slots=4,2", {"resources": {"level 1 spell slot": 4, "level 2 spell slot": 2}}),
    ("slots=3", {"resources": {"level 1 spell slot": 3}}),
])  # fmt: skip
def test_a_sheet_is_written_with_the_names_that_stat_blocks_have(said: str, meant: dict[str, Any]) -> None:
    assert sheet(f"join gob foes {said}") == meant


@pytest.mark.parametrize("said", ["dex=14 dexterity=12", "abilities={} dex=14", "ac=14 armor_class=12"])
def test_a_field_that_is_said_twice_is_refused(said: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        sheet(f"join gob foes {said}")
    assert refused.value.why.endswith(" is said twice")


def test_slots_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(NotUnderstood, match="4,3,2"):
        sheet("join gob foes slots=many")


def test_parts_and_words_join_what_the_sheet_has_and_json_takes_its_place() -> None:
    before = ("join ana party dex=14 resistances=fire spells=bless",)
    assert sheet("sheet ana con=12", *before) == {"abilities": {"dexterity": 14, "constitution": 12}}
    assert sheet("sheet ana resistances=fire,cold", *before) == {"resistances": ["fire", "cold"]}
    assert [each["name"] for each in sheet("sheet ana spells=shield", *before)["entries"]] == ["bless", "shield"]
    assert sheet('sheet ana abilities={"wisdom":9}', *before) == {"abilities": {"wisdom": 9}}


def test_weapons_are_those_of_the_edition() -> None:
    assert weapon_fields("trident", "2014")["dice"] == "1d6"
    assert weapon_fields("trident", "2024")["dice"] == "1d8"


def test_a_spell_of_one_edition_is_known_in_the_other_with_its_time() -> None:
    assert spellbook.entry_fields("Antipathy Sympathy", "2024") == {
        "name": "antipathy/sympathy",
        "level": 8,
        "time": {"amount": 1, "unit": "hour"},
    }
    named = {edition: {one.name for one in spells(edition)} for edition in EDITIONS}
    for edition, other in (EDITIONS, EDITIONS[::-1]):
        alone = named[other] - named[edition]
        assert alone
        assert all(spellbook.entry_fields(name, edition) == spellbook.entry_fields(name, other) for name in alone)


def test_a_spell_that_both_editions_have_is_that_of_the_edition() -> None:
    assert spellbook.entry_fields("sleep", "2014") != spellbook.entry_fields("sleep", "2024")


@pytest.mark.parametrize("said", ["weapons=5", "slots=[4,2]", "spells=bless,,aid"])
def test_what_is_listed_otherwise_is_taken_as_far_as_it_says_something(said: str) -> None:
    if said.startswith("weapons"):
        with pytest.raises(NotUnderstood):
            sheet(f"join gob foes {said}")
    elif said.startswith("slots"):
        assert sheet(f"join gob foes {said}") == sheet("join gob foes slots=4,2")
    else:
        assert [each["name"] for each in sheet(f"join gob foes {said}")["entries"]] == ["bless", "aid"]


def test_every_place_weapon_and_spell_fits_a_sheet() -> None:
    fields = {field.name for field in msgspec.structs.fields(Sheet)}
    assert {place.partition(".")[0] for place in PLACES.values()} <= fields
    tables = sheets._weapon_tables()
    for edition in ("2014", "2024"):
        for name in {*tables["both"], *tables[edition]}:
            assert msgspec.convert(weapon_fields(name, edition), Weapon).dice
        for one in spells(edition):
            found = spellbook.entry_fields(one.name, edition)
            assert found is not None
            msgspec.convert(found, FifthEntry)
