"""The tables of monsters and spells against samples taken from the two documents, and against what they may hold."""

import re

import msgspec
import pytest

from projections.rulesets.fifth_edition.srd import tables
from projections.rulesets.fifth_edition.srd.tables import Action, Monster, Spell
from tests.srd import by_names, counting
from tests.tables import for_each

MONSTERS = {
    "2014": """
adult-copper-dragon: 18, 184 (16d12+80), +1, climb 40 fly 80 walk 40; Bite +11 2d10+6 piercing
archmage: 12, 99 (18d8+18), +2, walk 30; Dagger +6 1d4+2 piercing
djinni: 17, 161 (14d10+84), +2, fly 90 walk 30
giant-owl: 12, 19 (3d10+3), +2, fly 60 walk 5; Talons +3 2d6+1 slashing
goat: 10, 4 (1d8), +0, walk 40; Ram +3 1d4+1 bludgeoning
mage: 12, 40 (9d8), +2, walk 30; Dagger +5 1d4+2 piercing
ogre: 11, 59 (7d10+21), -1, walk 40; Greatclub +6 2d8+4 bludgeoning
salamander: 15, 90 (12d10+24), +2, walk 30
troll: 15, 84 (8d10+40), +1, walk 30; Bite +7 1d6+4 piercing
wolf: 13, 11 (2d8+2), +2, walk 40; Bite +4 2d4+2 piercing""",
    "2024": """
adult-gold-dragon: 19, 243 (18d12+126), +14, fly 80 swim 40 walk 40; Rend +14 2d8+8 slashing 1d8 fire; Fire Breath dexterity 21 half
ankylosaurus: 15, 68 (8d12+16), +0, walk 30; Tail +6 1d10+4 bludgeoning
deer: 13, 4 (1d8), +3, walk 50; Ram +2 1d4 bludgeoning
giant-ape: 12, 168 (16d12+64), +5, climb 40 walk 40; Fist +9 3d10+6 bludgeoning; Boulder Toss dexterity 17 half
giant-shark: 13, 92 (8d12+40), +3, swim 60 walk 5; Bite +9 3d10+6 piercing
lemure: 9, 9 (2d8), -3, walk 20; Vile Slime +2 1d4 poison
merfolk-skirmisher: 11, 11 (2d8+2), +1, swim 40 walk 10; Ocean Spear +2 1d6 piercing 1d4 cold
owlbear: 13, 59 (7d10+21), +1, climb 40 walk 40; Rend +7 2d8+5 slashing
swarm-of-piranhas: 13, 28 (8d8-8), +3, swim 40 walk 5; Bites +5 2d4+3 piercing
vampire: 16, 195 (23d8+92), +14, climb 40 walk 40; Grave Strike +9 1d8+4 bludgeoning 2d6 necrotic; Bite constitution 17 none
wolf: 12, 11 (2d8+2), +2, walk 40; Bite +4 1d6+2 piercing""",
}
"""Samples: armour class, hit points with their dice, initiative, speeds; attacks, and saves that actions ask for."""

SPELLS = {
    "2014": """
animal-messenger: 2 action, 30, VSM, 24 hour, ritual
call-lightning: 3 action, 120, VS, 10 minute, concentration; dexterity half; 3d10 lightning
cure-wounds: 1 action, touch, VS, instant; heals 1d8+mod
entangle: 1 action, 90, VS, 1 minute, concentration; strength none; restrained
flaming-sphere: 2 action, 60, VSM, 1 minute, concentration; dexterity half; 2d6 fire
healing-word: 1 bonus, 60, V, instant; heals 1d4+mod
magic-missile: 1 action, 120, VS, instant; 1d4+1 force
resilient-sphere: 4 action, 30, VSM, 1 minute, concentration; dexterity none
sleep: 1 action, 90, VSM, 1 minute; unconscious
vicious-mockery: 0 action, 60, V, instant; wisdom none; 1d4 psychic""",
    "2024": """
animal-shapes: 8 action, 30, VS, 24 hour
blight: 4 action, 30, VS, instant; constitution half; 8d8 necrotic
daylight: 3 action, 60, VS, 1 hour
faerie-fire: 1 action, 60, V, 1 minute, concentration; dexterity none
gust-of-wind: 2 action, self, VSM, 1 minute, concentration; strength none
hypnotic-pattern: 3 action, 120, SM, 1 minute, concentration; wisdom none
magic-mouth: 2 1 minute, 30, VSM, until dispelled, ritual
phantasmal-killer: 4 action, 120, VS, 1 minute, concentration; wisdom half; 4d10 psychic
scorching-ray: 2 action, 120, VS, instant; ranged; 2d6 fire
spare-the-dying: 0 action, 15, VS, instant""",
}


def samples(texts: dict[str, str]) -> list[tuple[str, str, str]]:
    """Return edition, id and line of each sample."""
    return [
        (edition, line.partition(": ")[0], line.partition(": ")[2])
        for edition, text in texts.items()
        for line in text.strip().splitlines()
    ]


def in_words(one: Action) -> list[str]:
    """Return an action as the samples write it: its attack, and the save that it asks for."""
    deals = "".join(f" {each.dice} {each.type}" for each in one.damage)
    attack = [f"{one.name} {one.hit:+}{deals}"] if one.hit is not None else []
    return attack + ([f"{one.name} {one.save.ability} {one.save.dc} {one.save.success}"] if one.save else [])


@for_each(("edition", "name", "said"), samples(MONSTERS))
def test_a_monster_has_the_numbers_of_its_document(edition: str, name: str, said: str) -> None:
    (one,) = tables.records_meant(tables.monsters(edition), name)
    speeds = " ".join(f"{mode} {feet}".removesuffix(" True") for mode, feet in one.speeds.items())
    first, *others = said.split("; ")
    assert f"{one.ac}, {one.hp} ({one.hit_dice}), {one.initiative:+}, {speeds}" == first
    assert {*others} <= {text for each in one.actions for text in in_words(each)}


@for_each(("edition", "name", "said"), samples(SPELLS))
def test_a_spell_has_the_facts_of_its_document(edition: str, name: str, said: str) -> None:
    (one,) = tables.records_meant(tables.spells(edition), name)
    assert one.duration is not None
    cost = one.cost or (f"{one.time.amount} {one.time.unit}" if one.time else "")
    lasts = f"{one.duration.amount or ''} {one.duration.unit}".strip()
    marks = [*(["concentration"] if one.concentration else []), *(["ritual"] if one.ritual else [])]
    first, *others = said.split("; ")
    assert ", ".join([f"{one.level} {cost}", str(one.range), "".join(one.components), lasts, *marks]) == first
    deals = ", ".join(f"{each.dice} {each.type or ' or '.join(each.types)}" for each in one.damage)
    save = f"{one.save.ability} {one.save.success}" if one.save else ""
    assert {*others} <= {one.attack, save, deals, f"heals {one.healing}", *one.conditions}


@pytest.mark.parametrize("edition", tables.EDITIONS)
def test_a_table_is_sorted_and_each_id_stands_once(edition: str) -> None:
    monsters, spells = tables.monsters(edition), tables.spells(edition)
    for ids in ([each.id for each in monsters], [each.id for each in spells]):
        assert ids == sorted({*ids})
        assert len(ids) > 315


@pytest.mark.parametrize("edition", tables.EDITIONS)
def test_a_table_holds_no_sentence(edition: str) -> None:
    for record in map(msgspec.to_builtins, (*tables.monsters(edition), *tables.spells(edition))):
        for text in texts(record):
            assert len(text) < 45, (record["id"], text)
            assert not re.search(r"[.!?](\s|$)", text), (record["id"], text)


def texts(value: object) -> list[str]:
    """Return all texts in plain data."""
    if isinstance(value, str):
        return [value]
    inside = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for each in inside for text in texts(each)]


@pytest.mark.parametrize("edition", tables.EDITIONS)
def test_what_every_monster_and_spell_has_to_have_is_there(edition: str) -> None:
    """Without: a shape that turns into others, and what its summoner's spell decides."""
    for field in counting.NEEDED["monsters"]:
        missing = {one.id for one in tables.monsters(edition) if getattr(one, field) in (None, "", (), {})}
        assert missing <= {"avatar-of-death", "frog", "giant-fly", "sea-horse"}, field
    for field in counting.NEEDED["spells"]:
        assert [one.id for one in tables.spells(edition) if getattr(one, field) in (None, "", ())] == [], field
    assert counting.costs_missing(tables.spells(edition)) == []
    found = counting.attacks_missing(tables.monsters(edition)) + counting.saves_missing(tables.monsters(edition))
    summoned = ("draconic-spirit", "fiend-steed", "giant-insect")
    assert [each for each in found if not each.startswith(summoned)] == []


NAMES = [
    ("goblin", "2014", ["goblin"]),
    ("Goblins", "2014", ["goblin"]),
    ("goblin", "2024", ["goblin-boss", "goblin-minion", "goblin-warrior"]),
    ("Goblin Warriors", "2024", ["goblin-warrior"]),
    ("wolves", "2024", ["wolf"]),
    ("ghasts", "2014", ["ghast"]),
    ("harpies", "2014", ["harpy"]),
    ("red dragon wyrmling", "2024", ["red-dragon-wyrmling"]),
    ("hybrid form werewolf", "2014", ["werewolf-hybrid"]),
    ("will-o'-wisp", "2024", ["will-o-wisp"]),
    ("nobody", "2014", []),
    ("", "2014", []),
]


@for_each(("said", "edition", "ids"), NAMES)
def test_a_name_finds_its_monster_or_those_that_it_may_be(said: str, edition: str, ids: list[str]) -> None:
    assert [one.id for one in tables.records_meant(tables.monsters(edition), said)] == ids


def test_the_nearest_names_are_offered() -> None:
    assert [one.id for one in tables.nearest_records(tables.monsters("2014"), "golbin")][:1] == ["goblin"]
    assert [one.id for one in tables.nearest_records(tables.spells("2024"), "firebal")][:1] == ["fireball"]
    equal = [one.id for one in tables.nearest_records(tables.monsters("2014"), "gobl")][1:4]
    assert equal == ["noble", "gnoll", "ghoul"]  # in the same order each time


def test_an_edition_without_a_table_has_none() -> None:
    assert tables.monsters("3.5") == ()
    assert tables.spells("3.5") == ()


def test_the_kinds_of_records_are_told_apart() -> None:
    assert all(isinstance(each, Monster) for each in tables.monsters("2014"))
    assert all(isinstance(each, Spell) for each in tables.spells("2014"))


def test_names_leave_nothing_of_monsters_unknown_that_bare_sheets_left() -> None:
    """Of the six who join five are monsters; of the sixth, a character, nothing is typed."""
    left = by_names.unjudged(by_names.by_names())
    assert {one.facts for one in left if "whose sheets" in one.says} == {1}
    assert [*by_names.compared()]
