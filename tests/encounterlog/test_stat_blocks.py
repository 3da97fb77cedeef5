"""Stat blocks of other tools join as the log is opened, with all that their sheets have a place for."""

import json
from pathlib import Path
from typing import Any

import pytest

from encounterlog.lineups import prose
from encounterlog.lineups.prose import Feature
from encounterlog.lineups.stat_blocks import parse_speeds
from eventstore.events import CombatantJoined
from eventstore.jsonl import JsonlStore
from projections.rulesets import RULESETS
from projections.rulesets.fifth_edition import spellbook
from tests.encounterlog.support import encounter
from tests.tables import for_each

BITE = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 (1d8 + 3) piercing damage plus 3 (1d6) fire damage."
SPIT = "Ranged Weapon Attack: +4 to hit, range 30/120 ft., one target. Hit: 5 (1d6 + 2) acid damage."
TWICE = "The marsh drake makes three attacks: one with its bite and two with its claws."
CASTS = (
    "The drake is a 3rd-level spellcaster. Its spellcasting ability is Wisdom (spell save DC 12, +4 to hit with spell "
    "attacks). It has the following spells prepared:\n\n* Cantrips (at will): sacred flame\n"
    "* 1st level (4 slots): bless, healing word, mud song\n* 2nd level (2 slots): hold person*"
)
SHEET = {
    "creature": "monster",
    "hp": 33,
    "ac": 14,
    "initiative": 2,
    "size": "large",
    "abilities": {"strength": 16, "dexterity": 14, "constitution": 13, "intelligence": 6, "wisdom": 14, "charisma": 8},
    "proficiency": 2,
    "saves": {"dexterity": 4},
    "skills": {"stealth": 4},
    "speeds": {"walk": 30, "fly": 60, "hover": True},
    "resistances": ["cold", "fire"],
    "vulnerabilities": [],
    "immunities": ["poison", "poisoned", "prone"],
    "spellcasting": {"ability": "wisdom", "dc": 12, "attack": 4},
    "resources": {"level 1 spell slot": 4, "level 2 spell slot": 2, "marsh howl": 1},
    "attacks": 3,
    "weapons": [
        {"name": "bite", "dice": "1d8", "damage_type": "piercing", "reach": 5},
        {"name": "spit", "dice": "1d6", "damage_type": "acid", "range": [30, 120]},
    ],
    "entries": [
        {"name": "slippery", "cost": "bonus"},
        {"name": "marsh howl", "cost": "action"},
        {"name": "snap", "cost": "reaction"},
        {"name": "sacred flame", "level": 0, "cost": "action"},
        {"name": "bless", "level": 1, "cost": "action", "concentration": True},
        {"name": "healing word", "level": 1, "cost": "bonus"},
        {"name": "mud song", "level": 1},
        {"name": "hold person", "level": 2, "cost": "action", "concentration": True},
    ],
}
"""What each of the three tools says of the marsh drake below."""
SLIPPERY = "The drake can take the Disengage action as a bonus action."
HOWL = "Each creature within 30 feet must succeed on a DC 12 Wisdom saving throw."
IMPROVED = {
    "Name": "Marsh Drake",
    "Type": "Large dragon, unaligned",
    "HP": {"Value": 33, "Notes": "(6d10)"},
    "AC": {"Value": 14, "Notes": ""},
    "InitiativeModifier": 0,
    "Speed": ["30 ft.", "fly 60 ft. (hover)"],
    "Abilities": {"Str": 16, "Dex": 14, "Con": 13, "Int": 6, "Wis": 14, "Cha": 8},
    "DamageResistances": ["cold", "fire"],
    "DamageVulnerabilities": [],
    "DamageImmunities": ["poison"],
    "ConditionImmunities": ["poisoned", "prone"],
    "Saves": [{"Name": "Dex", "Modifier": 4}],
    "Skills": [{"Name": "Stealth", "Modifier": 4}],
    "Challenge": "2",
    "Traits": [{"Name": "Slippery", "Content": SLIPPERY}, {"Name": "Spellcasting", "Content": CASTS}],
    "Actions": [
        {"Name": "Multiattack", "Content": TWICE},
        {"Name": "Bite", "Content": BITE},
        {"Name": "Spit", "Content": SPIT},
        {"Name": "Marsh Howl (1/Day)", "Content": HOWL},
    ],
    "Reactions": [{"Name": "Snap", "Content": "It snaps."}],
    "LegendaryActions": [{"Name": "Detect", "Content": ""}],
    "Player": "",
}
OPEN5E = {
    "name": "Marsh Drake",
    "size": "Large",
    "armor_class": 14,
    "hit_points": 33,
    "strength": 16,
    "dexterity": 14,
    "constitution": 13,
    "intelligence": 6,
    "wisdom": 14,
    "charisma": 8,
    "dexterity_save": 4,
    "wisdom_save": None,
    "skills": {"stealth": 4},
    "speed": {"walk": 30, "fly": 60, "hover": True},
    "challenge_rating": "2",
    "damage_resistances": "cold, fire",
    "damage_vulnerabilities": "",
    "damage_immunities": "poison",
    "condition_immunities": "poisoned, prone",
    "special_abilities": [{"name": "Slippery", "desc": SLIPPERY}, {"name": "Spellcasting", "desc": CASTS}],
    "actions": [
        {"name": "Multiattack", "desc": TWICE},
        {"name": "Bite", "desc": BITE, "attack_bonus": 5},
        {"name": "Spit", "desc": SPIT},
        {"name": "Marsh Howl (1/Day)", "desc": HOWL},
    ],
    "bonus_actions": None,
    "reactions": [{"name": "Snap", "desc": "It snaps."}],
    "legendary_actions": [{"name": "Detect", "desc": ""}],
    "spell_list": ["https://api.open5e.com/v1/spells/healing-word/"],
}
SECOND = {
    **{key: OPEN5E[key] for key in ("name", "armor_class", "hit_points")},
    "size": {"key": "large", "name": "Large"},
    "ability_scores": SHEET["abilities"],
    "saving_throws": {"dexterity": 4},
    "skill_bonuses": {"stealth": 4},
    "speed": {"walk": 30, "fly": 60.0, "hover": True, "unit": "feet"},
    "challenge_rating_decimal": "2.000",
    "initiative_bonus": 2,
    "resistances_and_immunities": {
        "damage_resistances_display": "cold, fire",
        "damage_immunities_display": "poison",
        "condition_immunities_display": "poisoned, prone",
    },
    "traits": OPEN5E["special_abilities"],
    "actions": [
        *({**each, "action_type": "ACTION"} for each in OPEN5E["actions"]),  # type: ignore[attr-defined]
        {"name": "Snap", "desc": "It snaps.", "action_type": "REACTION"},
        {"name": "Detect", "desc": "", "action_type": "LEGENDARY_ACTION"},
    ],
}
NOTE = f"""# Marsh drake

```statblock
name: Marsh Drake
size: Large
ac: 14 (natural armor)
hp: 33 (6d10)
speed: 30 ft., fly 60 ft. (hover)
stats: [16, 14, 13, 6, 14, 8]
saves:
  - dexterity: 4
skillsaves:
  - stealth: +4
damage_resistances: cold, fire
damage_vulnerabilities: ""
damage_immunities: poison
condition_immunities: poisoned, prone
cr: 2
traits:
  - [Slippery, "{SLIPPERY}"]
actions:
  - name: Multiattack
    desc: "{TWICE}"
  - name: Bite
    desc: "{BITE}"
  - name: Spit
    desc: "{SPIT}"
  - name: Marsh Howl (1/Day)
    desc: {HOWL}
reactions:
  - name: Snap
    desc: It snaps.
legendary_actions:
  - name: Detect
    desc: ""
spells:
  - The drake is a spellcaster. Its spellcasting ability is Wisdom (spell save DC 12, +4 to hit with spell attacks).
  - Cantrips (at will): sacred flame
  - 1st level (4 slots): bless, healing word, mud song
  - 2nd level (2 slots): hold person*
```
"""


def joined(log: Path) -> list[Any]:
    return [one.event for one in JsonlStore(log).read() if isinstance(one.event, CombatantJoined)]


def new(folder: Path, name: str, content: Any, *more: str, ruleset: str = "5e") -> Any:
    (folder / name).write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return encounter("new", folder / "marsh.jsonl", "--ruleset", ruleset, "--foes", folder / name, *more)


@pytest.mark.parametrize(("name", "content"), [
    ("drake.json", IMPROVED),
    ("list.json", [IMPROVED]),
    ("export.json", {"Creatures.x1": json.dumps(IMPROVED), "Spells.y": "{}"}),
    ("open5e.json", OPEN5E),
    ("page.json", {"count": 1, "results": [OPEN5E]}),
    ("second.json", SECOND),
    ("drake.md", NOTE),
    ("drake.yaml", NOTE.partition("statblock\n")[2].partition("```")[0]),
    ("front.md", "---\nstatblock: true\n" + NOTE.partition("statblock\n")[2].replace("```", "---\n")),
])  # fmt: skip
def test_a_stat_block_of_each_tool_fills_the_sheet(folder: Path, name: str, content: Any) -> None:
    done = new(folder, name, content)
    assert done.exit_code == 0, done.stderr
    (drake,) = joined(folder / "marsh.jsonl")
    assert (drake.combatant, drake.name, drake.side) == ("marsh-drake", "Marsh Drake", "foes")
    assert drake.sheet == SHEET
    assert done.stderr == (
        "left out: legendary actions of Marsh Drake: Detect\n"
        "left out: cost and concentration of mud song, which no reference document lists (Marsh Drake)\n"
    )


@pytest.mark.parametrize("key", RULESETS)
def test_every_ruleset_takes_of_a_block_what_its_sheets_have_a_place_for(folder: Path, key: str) -> None:
    done = new(folder, "drake.json", IMPROVED, ruleset=key)
    assert done.exit_code == 0, done.stderr
    assert joined(folder / "marsh.jsonl")[0].sheet["hp"] == 33
    lacking = [line for line in done.stderr.splitlines() if "no such field" in line]
    assert len(lacking) == (key != "5e")


def test_several_of_a_kind_join_by_number_and_one_of_several_by_name(folder: Path) -> None:
    rat = {"name": "Rat", "armor_class": 10, "hit_points": 1}
    (folder / "beasts.json").write_text(json.dumps([OPEN5E, rat]), "utf-8")
    log = folder / "marsh.jsonl"
    assert encounter("new", log, "--ruleset", "5e", "--foes", f"{folder / 'beasts.json'}#rat*2").exit_code == 0
    assert [(one.combatant, one.sheet["hp"]) for one in joined(log)] == [("rat-1", 1), ("rat-2", 1)]
    done = encounter("new", folder / "b.jsonl", "--ruleset", "5e", "--foes", f"{folder / 'beasts.json'}#cat")
    assert (done.exit_code, "no stat block is called cat; there are: Marsh Drake, Rat" in done.stderr) == (4, True)


def test_an_encounter_takes_the_sheets_of_the_stat_blocks_beside_it(folder: Path) -> None:
    note = (
        f"{NOTE}\n```encounter\nname: Bog\ncreatures:\n  - 2: Marsh Drake\n  - [Marsh Drake, Old Drake], 50, 16\n```\n"
    )
    assert new(folder, "bog.md", note).exit_code == 0
    drakes = [
        (one.combatant, one.sheet["hp"], one.sheet["ac"], one.sheet["attacks"])
        for one in joined(folder / "marsh.jsonl")
    ]
    assert drakes == [("marsh-drake-1", 33, 14, 3), ("marsh-drake-2", 33, 14, 3), ("old-drake", 50, 16, 3)]


def test_a_character_that_is_kept_has_the_points_of_now_and_is_no_foe(folder: Path) -> None:
    block = {"Name": "Mira", "HP": {"Value": 24}, "AC": {"Value": 15}}
    kept = {"Id": "x", "Name": "Mira", "CurrentHP": 7, "Notes": "", "StatBlock": block}
    for content in (kept, {"PersistentCharacters.x": kept, "Spells.y": {"Name": "Fly"}}):
        assert new(folder, "kept.json", content).exit_code == 0
        (one,) = joined(folder / "marsh.jsonl")
        assert (one.side, one.sheet) == ("party", {"creature": "character", "hp": 7, "hp_max": 24, "ac": 15})
        (folder / "marsh.jsonl").unlink()
    assert sheet(folder, {"StatBlock": block, "CurrentHP": 7})["creature"] == "monster"


def test_a_players_stat_block_is_a_character_and_says_only_what_was_said(folder: Path) -> None:
    tens = dict.fromkeys(("Str", "Dex", "Con", "Int", "Wis", "Cha"), 10)
    mira = {"Name": "Mira", "HP": {"Value": 9}, "AC": {"Value": 15}, "Player": "player", "Abilities": tens}
    assert new(folder, "mira.json", mira | {"InitiativeModifier": 3, "DamageResistances": []}).exit_code == 0
    (one,) = joined(folder / "marsh.jsonl")
    assert (one.side, one.sheet) == ("party", {"creature": "character", "hp": 9, "ac": 15, "initiative": 3})
    (folder / "marsh.jsonl").unlink()
    assert "initiative" not in sheet(folder, mira | {"InitiativeModifier": 0})


def test_resistance_by_more_than_the_type_of_damage_is_unknown(folder: Path) -> None:
    done = new(folder, "a.json", OPEN5E | {"damage_resistances": "cold; slashing from nonmagical attacks"})
    assert "left out: resistances of Marsh Drake, which depend on more than the type: slashing from" in done.stderr
    assert "resistances" not in joined(folder / "marsh.jsonl")[0].sheet


@for_each(("text", "number"), [
    ("The bear makes two attacks: one with its bite and one with its claws.", 2),
    ("The dragon can use its Frightful Presence. It then makes three attacks: one with its bite.", 3),
    ("The bear makes one Bite attack and two Claw or Fist attacks.", 3),
    ("The scout makes two melee attacks or two ranged attacks.", 2),
    ("The gladiator makes three melee attacks or two ranged attacks.", None),
    ("The hydra makes as many bite attacks as it has heads.", None),
    ("The captain makes three melee attacks: two with its axe. Or the captain makes two ranged attacks.", 3),
    ("The turtle makes three attacks. It can make one tail attack in place of its two claw attacks.", 3),
    ("The veteran makes two axe attacks. If it has a dagger drawn, it can also make a dagger attack.", None),
    ("The ghoul makes three attacks. Alternatively, it can make four attacks with its axe.", None),
    ("In bear form, it makes two claw attacks. In humanoid form, it makes two axe attacks.", 2),
])  # fmt: skip
def test_the_number_of_attacks_is_read_where_the_sentence_leaves_no_choice(text: str, number: int | None) -> None:
    assert prose.parse_number_of_attacks(text) == number


FORMS = "Gnaw (Wolf or Hybrid Form Only)"


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("Melee Weapon Attack: +5 to hit, reach 5 ft. Hit: 7 (1d8 + 3) fire damage.", {"dice": "1d8", "reach": 5}),
        ("Melee Attack Roll: +9, reach 5 ft. 9 (2d8) Fire damage. It can't regain Hit Points and takes 7 (2d6) Cold damage.", {"dice": "2d8", "reach": 5}),
        ("Melee Weapon Attack:+ 5 to hit, reach 5 ft. Hit: 1 (1d4 — 1) fire damage.", {"dice": "1d4", "reach": 5}),
        ("Ranged Weapon Attack: +3 to hit, range 80 ft./320 ft. Hit: 4 (1d8) fire damage.", {"dice": "1d8", "range": [80, 320]}),
        ("Melee Weapon Attack: +4 to hit, reach 0 ft. Hit: 7 (2d6) fire damage, or 3 (1d6) fire damage if the swarm has half", {"reach": 0}),
        ("Melee Weapon Attack: +4 to hit, reach 5 ft. Hit: 4 (1d8) fire damage, or 5 (1d10) fire damage with two hands", {"dice": "1d8", "reach": 5}),
        ("_Melee Attack Roll:_ `dice:1d20+4|noform|text(+4)`, reach 5 ft. _Hit:_ `dice:2d4+2|noparens|text(7)` (`2d4 + 2`) Fire damage", {"dice": "2d4", "reach": 5}),
        ("Ranged Weapon Attack: +5 to hit, range 30/60 ft. Hit: It is restrained. 5 (1d6) fire damage follow.", {"range": [30, 60], "damage_type": None}),
    ],
)  # fmt: skip
def test_an_attack_is_read_as_tools_and_their_books_write_it(text: str, more: dict[str, Any]) -> None:
    wanted = {"name": "gnaw", "damage_type": "fire", **more}
    assert prose.parse_weapon(Feature(FORMS, text)) == {
        name: value for name, value in wanted.items() if value is not None
    }


def test_dice_of_a_roller_and_spells_of_the_new_form_are_read() -> None:
    assert (
        prose.strip_markup("It regains `dice:3d6` or dice: 1d4 + 1 hit points.")
        == "It regains 3d6 or 1d4 + 1 hit points."
    )
    assert prose.parse_spellcasting(["Spellcasting ability is\u00a0Wisdom (spell save DC\u00a013)"]).dc == 13
    text = "The drake casts one of these, using **Charisma** as the spellcasting ability (spell save DC 17):"
    found = prose.parse_spellcasting(
        [text, "- **At Will:** Detect Magic, Acid Arrow (level 3 version)\n- **1/Day Each:** Fly"]
    )
    assert (found.ability, found.dc, found.attack, found.slots) == ("charisma", 17, None, {})
    assert [*found.names] == ["detect magic", "acid arrow", "fly"]
    hunters = {"name": "hunter's mark", "level": 1, "cost": "bonus", "concentration": True}
    assert spellbook.entry_fields("hunters mark", "2014") == hunters
    assert spellbook.entry_fields("alarm", "2014") == {
        "name": "alarm",
        "level": 1,
        "time": {"amount": 1, "unit": "minute"},
    }
    marked = prose.parse_spellcasting(
        ["1st level (2 slots): false life†, mage armor\n\n†necromancy spell of 1st level or higher"]
    )
    assert marked.names == {"false life": 1, "mage armor": 1}


def sheet(folder: Path, content: Any, name: str = "a.json") -> dict[str, Any]:
    done = new(folder, name, content)
    assert done.exit_code == 0, done.stderr
    (one,) = joined(folder / "marsh.jsonl")
    (folder / "marsh.jsonl").unlink()
    found: dict[str, Any] = one.sheet
    return found


def named(**texts: str) -> list[dict[str, str]]:
    """Return features by their names, in which _ is a space."""
    return [{"name": name.replace("_", " "), "desc": text} for name, text in texts.items()]


EXTRA = {"Extra_Attack": "It attacks twice, instead of once, with the Attack action."}
TWO, THREE = ({f"Multiattack ({form} Form Only)": f"It makes {number} attacks."} for form, number in (("Rat", "two"), ("Ogre", "three")))  # fmt: skip
IN_FORMS = {"Bite (Rat Form Only)": BITE, "Bite (Ogre Form Only)": BITE.replace("1d8", "2d8")}
LONG = [{"name": "Sticky " * 25}, {"name": "(Recharge 5-6)"}, {"name": " "}]
DAILY = {"name": "Howl", "desc": HOWL, "action_type": "ACTION", "usage_limits": {"type": "PER_DAY", "param": 3}}
BREATH = DAILY | {"name": "Breath", "usage_limits": {"type": "RECHARGE_ON_ROLL", "param": 5}}
ZEROS = dict.fromkeys(SHEET["abilities"], 0)  # type: ignore[call-overload]
UNHURT = NOTE.replace("damage_immunities: poison", 'damage_immunities: ""')


@for_each(
    ("content", "wanted"),
    [
        (OPEN5E | {"actions": named(Bite=BITE, Claw=BITE)}, {"attacks": 1}),
        (OPEN5E | {"actions": named(Bite=BITE, **TWO)}, {"attacks": 2}),
        (OPEN5E | {"actions": named(Bite=BITE, **TWO, **THREE)}, {"attacks": None}),
        (OPEN5E | {"actions": named(Bite=BITE, **EXTRA)}, {"attacks": None}),
        (IMPROVED | {"Player": "player", "Actions": IMPROVED["Actions"][1:]}, {"attacks": None}),  # type: ignore[index]
        (OPEN5E | {"actions": named(**IN_FORMS)}, {"weapons": [{"name": "bite", "damage_type": "piercing", "reach": 5}]}),
        (SECOND | {"actions": [DAILY, BREATH, DAILY | {"name": "Roar (2/Day)", "usage_limits": None}]}, {
            "resources": {"level 1 spell slot": 4, "level 2 spell slot": 2, "howl": 3, "roar": 2}}),
        (SECOND | {"saving_throws": ZEROS}, {"saves": None}),
        (SECOND | {"saving_throws": ZEROS | {"wisdom": -1}}, {"saves": ZEROS | {"wisdom": -1}}),
        (UNHURT, {"immunities": ["poisoned", "prone"], "vulnerabilities": []}),
        (UNHURT.replace('damage_immunities: ""\n', ""), {"immunities": None}),
        ("name: Spirit\nhp: 40 + 10 for each level above 4th\nac: 11 plus the level of the spell\nspeed: 30", {
            "creature": "monster", "speeds": {"walk": 30}, "hp": None, "ac": None}),
    ],
)  # fmt: skip
def test_what_a_block_leaves_open_stays_unknown_and_the_rest_is_read(folder: Path, content: Any, wanted: Any) -> None:
    name = "a.json" if isinstance(content, dict) else "a.md" if "```" in content else "a.yaml"
    found = sheet(folder, content, name)
    assert {field: found.get(field) for field in wanted} == wanted


def test_names_as_long_as_sentences_are_cut_and_nameless_features_left(folder: Path) -> None:
    names = [entry["name"] for entry in sheet(folder, OPEN5E | {"special_abilities": LONG, "actions": []})["entries"]]
    assert names == [("sticky " * 25)[:120].strip(), "(recharge 5-6)", "snap", "healing word"]


def test_the_bestiary_of_the_plugin_has_pairs_and_features_without_a_name(folder: Path) -> None:
    drake = {"name": "Drake", "hp": 9, "ac": 14, "traits": [{"desc": "It is old."}, {"name": "Sly", "desc": "It is."}]}
    (folder / "data.json").write_text(json.dumps({"monsters": [["Drake", drake], ["Rat", {"name": "Rat", "hp": 1}]]}))
    assert (
        encounter("new", folder / "a.jsonl", "--ruleset", "5e", "--foes", f"{folder / 'data.json'}#Drake").exit_code
        == 0
    )
    (one,) = joined(folder / "a.jsonl")
    assert (one.sheet["hp"], one.sheet["entries"]) == (9, [{"name": "sly", "cost": "none"}])


@for_each(("given", "wanted"), [
    ("30 ft., burrow 10 ft., swim 40 ft. (in bear form)", {"walk": 30, "burrow": 10, "swim": 40}),
    (30, {"walk": 30}),
    (["0 ft.", "fly 50 ft. It can hover."], {"walk": 0, "fly": 50, "hover": True}),
    ({"walk": 0, "fly": 50, "swim": 0}, {"walk": 0, "fly": 50}),
    ("30 ft. (40 ft. in wolf form), climb 30 ft.", {"climb": 30}),
    ("30 ft. in humanoid form, 40 ft. in wolf form, fly 20 ft. (fly 20 ft. hovering)", {"fly": 20, "hover": True}),
    ("30ft-40ft, fly 10 ft. (hover) in its true form only", {"fly": 10, "hover": True}),
    ("fly 60 ft., (hover)", {"fly": 60, "hover": True}),
])  # fmt: skip
def test_speeds_are_feet_by_their_modes_and_unknown_with_several_figures(given: Any, wanted: Any) -> None:
    assert parse_speeds(given) == wanted


# ---------------------------------------------------------------- as other people write them


def noted(folder: Path, *blocks: str) -> tuple[list[dict[str, Any]], str]:
    """Return the sheets of those who join by a note with blocks, and what is left out."""
    done = new(folder, "a.md", "\n\n".join(f"```statblock\n{each}\n```" for each in blocks))
    assert done.exit_code == 0, done.stderr
    return [one.sheet for one in joined(folder / "marsh.jsonl")], done.stderr


@pytest.mark.parametrize(("text", "what"), [
    ("layout: Basic Pathfinder 2e Layout\nac: 31\nhp: 195", "of another game, Pathfinder"),
    ("AC: 3, touch 3\nHP: 105\npf1e_stats: [16, 1, 22, None, 1, 1]", "of another game, Pathfinder"),
    ("layout: Daggerheart Adversary\ndifficulty: 14\nhp: 7", "of another game, Daggerheart"),
    ("difficulty: 14\nthresholds: 9/17\nhp: 7", "of another game, Daggerheart"),
    ("layout: OSE\nTHAC0: 19\nac: 7 (12)", "of another game, by its THAC0"),
    ("stats: [4, -1, 3, 4, 2, 2]\nac: 16", "of another game, whose stats are modifiers"),
    ("hp: 256\nspeed: 40 pies, volar 80 pies", "in another language, Spanish"),
    ("hp: 9\nsaves:\n  - Sab: +7", "in another language, Spanish"),
])  # fmt: skip
def test_a_block_of_another_game_or_language_is_refused(folder: Path, text: str, what: str) -> None:
    done = new(folder, "a.md", f"```statblock\nname: Drake\n{text}\n```")
    says = f"Drake is {what}; blocks of the fifth edition in English are read, and --foes takes any other by its name"
    assert (done.exit_code, says in done.stderr) == (4, True), done.stderr
    assert not (folder / "marsh.jsonl").exists()


def test_a_block_that_names_a_creature_takes_its_note_and_its_own_name(folder: Path) -> None:
    sheets, left_out = noted(
        folder, "name: Mud Rat\nhp: 3\nac: 11", "monster: mud rat\nname: Old Rat", "creature: Mud Rat"
    )
    assert [(each["hp"], each["ac"]) for each in sheets] == [(3, 11)] * 3
    assert left_out == ""
    assert [one.combatant for one in joined(folder / "marsh.jsonl")] == ["mud-rat", "old-rat", "mud-rat-2"]


def test_a_block_that_names_a_creature_of_the_document_is_that_one(folder: Path) -> None:
    (found, named), left_out = noted(folder, "monster: Giant Rat\nname: Squeak", "name: Cat\nhp: 2\nmonster: Gobbo")
    assert found == {"srd": "2014:giant-rat"}
    assert named == {"creature": "monster", "hp": 2}
    assert left_out == ("left out: the stat block of Giant Rat, which is not in the note: it joins as 2014:giant-rat\n")
    (folder / "marsh.jsonl").unlink()
    assert new(folder, "a.md", "```statblock\nmonster: Giant Rat\n```", ruleset="plain").exit_code == 0
    (plain,) = joined(folder / "marsh.jsonl")
    assert (plain.sheet["hp"], plain.sheet["ac"]) == (7, 12)


def test_of_a_vault_a_block_that_fails_is_named_and_the_others_are_taken(folder: Path) -> None:
    sheets, left_out = noted(folder, "name: Rat\nhp: 1", "name: Cat\nhp: many", "name: Bat\nhp: 2")
    assert [each["hp"] for each in sheets] == [1, 2]
    assert left_out == "left out: stat block in line 6: hp: many is no number of hit points, such as 7 or 7 (2d6)\n"
    done = encounter("new", folder / "b.jsonl", "--ruleset", "5e", "--foes", f"{folder / 'a.md'}#cat")
    assert (
        done.exit_code,
        "no stat block is called cat; there are: Rat, Bat; and one is wrong: stat block" in done.stderr,
    ) == (4, True)
    log = folder / "c.jsonl"
    assert encounter("new", log, "--ruleset", "5e", "--foes", f"{folder / 'a.md'}#bat*2").exit_code == 0
    assert len(joined(log)) == 2


def test_a_block_ends_where_the_next_begins_and_hit_dice_are_unknown(folder: Path) -> None:
    done = new(folder, "a.md", "```statblock\nname: Rat\nhp: 1\n\n```statblock\nname: Nihil\nhp: 13d8 + 13\nac: 14\n")
    assert done.stderr == "left out: hit points 13d8 + 13, which are to be rolled (Nihil)\n"
    assert [one.sheet.get("hp") for one in joined(folder / "marsh.jsonl")] == [1, None]


def changed(**more: Any) -> str:
    return json.dumps([IMPROVED, IMPROVED | more])


def other(**more: Any) -> str:
    return json.dumps({"results": [OPEN5E | more]})


def block(line: str) -> str:
    return f"text\n\n```statblock\nname: Drake\nhp: 9\n{line}\n```\n"


@pytest.mark.parametrize(("name", "text", "says"), [
    ("a.json", '{"Name": "Drake",\n "HP": }', "a.json: it is not JSON: Expecting value: line 2 column 8"),
    ("a.json", "[]", "a.json: there is no stat block here"),
    ("a.json", '{"monster": [{"name": "Drake", "hp": {"average": 9}}]}', "a.json: no stat block: a stat block of"),
    ("a.json", changed(Name=""), "a.json: 1: Name: a stat block has a name, of at most 120 characters"),
    ("a.json", changed(HP=33), "a.json: 1: HP.Value: 33 has no Value"),
    ("a.json", changed(Speed=["fast"]), "a.json: 1: Speed: fast is no speed, such as 30 ft."),
    ("a.json", changed(Actions=[{"Name": 3}]), "a.json: 1: Actions: 0: a name and a desc, which are texts"),
    ("a.json", changed(Abilities={"Str": "x"}), "a.json: 1: Abilities: x is no score of Str, such as 14"),
    ("a.json", '{"Creatures.x": "{"}', "a.json: Creatures.x: a stat block, and not a text"),
    ("a.json", '{"Combatants": [{"StatBlock": {"Name": "A", "Speed": ["x"]}}]}', "Combatants.0: StatBlock: Speed: x"),
    ("a.json", other(hit_points=None), "a.json: results.0: hit_points: it is left out"),
    ("a.json", other(speed={"walk": 9, "unit": "metres"}), "speeds in metres: only feet are known"),
    ("a.md", block("ac: none"), "a.md: stat block in line 3: ac: none is no armour class, such as 15"),
    ("a.md", block("stats: [1, 2]"), "stat block in line 3: stats: six numbers, from strength to charisma"),
    ("a.md", block("speed: {walk: x}"), "speed: x is no speed (walk)"),
    ("a.md", block("saves:\n  - luck: 4"), "saves: luck is no ability; they are strength, "),
    ("a.md", block("actions: bite"), "actions: a list of names, each with a desc"),
    ("a.md", block("spells: {a: 1}"), "spells: a list of lines such as"),
    ("a.md", block("desc: a: b"), "stat block in line 3: line 3, column 8 of the block: mapping values"),
    ("a.md", "```statblock\nhp: 9\n```", "name: a stat block has a name"),
    ("a.md", "```statblock\nmonster: Gobbo\n```", "Gobbo is of the bestiary of the plugin; neither this note nor the"),
])  # fmt: skip
def test_a_wrong_stat_block_is_named_with_its_place(folder: Path, name: str, text: str, says: str) -> None:
    done = new(folder, name, text)
    assert (done.exit_code, done.stdout) == (4, ""), done.stderr
    assert says in done.stderr
    assert "bug" not in done.stderr
    assert not (folder / "marsh.jsonl").exists()


@pytest.mark.parametrize(("name", "text", "number", "says"), [
    ("a.json", json.dumps(IMPROVED), "0", "0 of a kind cannot join, 1 to 100"),
    ("a.json", json.dumps({"Combatants": [{"StatBlock": IMPROVED}]}), "2", "*2 is for a stat block"),
    ("a.toml", '[[member]]\nname = "A"', "2", "this is a party, of which a member has a count"),
])  # fmt: skip
def test_a_number_of_a_file_is_for_a_stat_block(folder: Path, name: str, text: str, number: str, says: str) -> None:
    (folder / name).write_text(text, "utf-8")
    done = encounter("new", folder / "a.jsonl", "--ruleset", "5e", "--foes", f"{folder / name}*{number}")
    assert (done.exit_code, says in done.stderr) == (4, True), done.stderr
