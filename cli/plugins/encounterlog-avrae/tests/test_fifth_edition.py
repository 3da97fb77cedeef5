"""What an import for the ruleset `5e` tells otherwise than one for `plain`: what the bot's numbers mean in the rules."""

import json
from pathlib import Path
from typing import Any

import pytest

from channel import Channel, Row, events, two
from encounterlog.importers.games import PLAIN, Game, game_of
from encounterlog.importers.writing import Event
from encounterlog_avrae.recordings import read
from tests.encounterlog.support import encounter

FIXTURES = Path(__file__).parent / "recordings" / "fireball"

FIFTH = game_of("5e")


def effect(name: str, rounds: int) -> Row:
    """An effect until the end of a turn of its bearer, as the bot counts: that of the present turn is the first."""
    return {"id": name, "name": name, "duration": rounds, "end_round": rounds, "end_on_turn_end": True}


def begins(channel: Channel, turn: int, number: int) -> None:
    """Let the bot announce a turn of round 1."""
    channel.round, channel.current = 1, turn
    channel.command("init next", "!i n", number)


def imported(channel: Channel) -> dict[str, Any]:
    """Import for 5e by the command: what was done."""
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in channel.rows), "utf-8")
    done = encounter("import", "fireball", "rows.jsonl", "fight.jsonl", "--ruleset", "5e", "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def set_right(channel: Channel) -> list[Event]:
    found: list[Event] = imported(channel)["repairs"]
    return found


def test_the_log_states_the_options_that_fit_the_bot() -> None:
    channel, _, _ = two()
    imported(channel)
    opening = json.loads(Path("fight.jsonl").read_text("utf-8").split("\n")[0])["event"]
    assert opening["ruleset"] == "5e"
    assert opening["options"].items() >= FIFTH.takes.options.items()


def test_an_effect_counts_no_end_of_the_turn_in_which_it_begins() -> None:
    channel, ada, _ = two()
    begins(channel, 0, 2)
    ada["effects"] = [effect("Guided", 2)]
    channel.command("init effect", "!i effect Ada Guided -dur 2 end", 3)
    begins(channel, 1, 4)
    assert set_right(channel) == []
    (begun,) = events(channel.read(FIFTH), "effect_started")
    assert begun["duration"] == {"amount": 1, "unit": "round", "of": "ada", "at": "end"}
    stated = [each["values"].get("ada.effects.Guided") for each in events(channel.read(FIFTH), "checked")]
    assert stated[-2:] == [1, 1], "the bot has 2 before the end of the turn, and 1 after it"


def test_a_place_after_the_first_is_the_word_of_the_game_master() -> None:
    channel, ada, _ = two()
    ada["init"] = 5
    channel.list.reverse()
    channel.message("!i opt Ada -p 5", number=2)
    channel.state(2)
    channel.say("\u2705 Ada's initiative set to 5 (was 15).")
    channel.row("command", message_id=2, content="!i opt Ada -p 5", command_name="init opt", caster=None)
    assert set_right(channel) == []
    transcript = channel.read(FIFTH)
    assert [one["values"] for one in events(transcript, "ruling_made")] == [{"ada.initiative": 5}]
    assert len(events(transcript, "initiative_rolled")) == 2


def test_damage_that_stands_for_a_drop_to_0_is_no_massive_damage() -> None:
    channel, ada, orc = two()
    roll = "9999 [Drop to 0] = `9999`"
    ada["seen"] = "<0/20 HP>"
    channel.message("!a glare -t Ada", number=2)
    channel.run(orc, [{"type": "damage", "damage": 9999, "damage_roll": roll}], 2, (ada,))
    channel.state(2)
    channel.say("", {"title": "Ada makes a Death Save!", "description": "1d20 (12) = `12`"})
    assert set_right(channel) == []
    (ruling,) = events(channel.read(FIFTH), "ruling_made")
    assert (ruling["values"], ruling["decision"]) == ({"ada.hp": 0}, "Ada drops to 0 hit points")
    assert encounter("audit", "fight.jsonl").exit_code == 0
    assert len(events(channel.read(), "damage_dealt")) == 1


def test_a_ruleset_that_no_importer_writes_and_one_for_a_copy_are_refused() -> None:
    channel, _, _ = two()
    imported(channel)
    for words, says in (
        (("fireball", "rows.jsonl", "other.jsonl", "--ruleset", "osric"), "are not imported for osric"),
        (("jsonl", "fight.jsonl", "other.jsonl", "--ruleset", "5e"), "jsonl keeps the ruleset of its source"),
    ):
        done = encounter("import", *words)
        assert (done.exit_code, says in done.stderr) == (2, True)


# sheets


def block(**more: Any) -> Row:
    """A stat block as the bot keeps it."""
    abilities = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
    damage = {"type": "damage", "damage": "2d4 + 3 [magical fire]"}
    claw = [{"type": "target", "effects": [{"type": "attack", "hit": [damage], "miss": []}]}]
    return {
        "stats": dict.fromkeys(abilities, 14) | {"prof_bonus": 3},
        "saves": {f"{name}Save": {"value": 2} for name in abilities} | {"wisdomSave": {"value": 5, "prof": 1}},
        "resistances": {"resist": [{"dtype": "cold"}], "immune": [], "vuln": [{"dtype": "fire"}], "neutral": []},
        "spellbook": {"slots": {"1": 3, "2": 0, "3": 0}, "max_slots": {"1": 4, "2": 2, "3": 0}, "dc": 14, "sab": 6},
        "attacks": [{"name": "Ember Claw", "automation": claw}, {"name": "Roar", "automation": []}],
    } | more


def joined(kind: str, stats: Row, game: Game = FIFTH) -> dict[str, Any]:
    """The sheet of somebody who joins with these stats."""
    channel = Channel()
    one = channel.join("Ash", 12, kind=kind)
    channel.list[0] |= stats
    channel.rows.clear()
    channel.command("init madd", "!i madd Ash", 1)
    assert one["name"] == "Ash"
    (found,) = events(channel.read(game), "combatant_joined")
    sheet: dict[str, Any] = found["sheet"]
    return sheet


def test_the_stat_block_of_a_monster_becomes_its_sheet() -> None:
    assert joined("monster", block()) == {
        "hp": 20,
        "hp_max": 20,
        "creature": "monster",
        "abilities": dict.fromkeys(("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"), 14),
        "proficiency": 3,
        "saves": {"strength": 2, "dexterity": 2, "constitution": 2, "intelligence": 2, "wisdom": 5, "charisma": 2},
        "spellcasting": {"dc": 14, "attack": 6},
        "resources": {"level 1 spell slot": 3, "level 2 spell slot": 0},
        "weapons": [{"name": "Ember Claw", "dice": "2d4", "damage_type": "fire"}, {"name": "Roar"}],
        "resistances": ["cold"],
        "vulnerabilities": ["fire"],
        "immunities": [],
    }


def test_a_log_of_plain_has_no_stat_blocks() -> None:
    assert joined("monster", block(), PLAIN) == {"hp": 20, "hp_max": 20}


def test_somebody_without_a_stat_block_is_neither_character_nor_monster() -> None:
    assert joined("common", block()) == {"hp": 20, "hp_max": 20}


def test_a_list_in_which_a_type_of_damage_has_a_condition_is_left_out() -> None:
    silver = {"resist": [{"dtype": "piercing", "unless": ["magical"]}, {"dtype": "cold"}]}
    sheet = joined(
        "monster", block(resistances=silver | {"immune": [{"dtype": "sleep", "only": ["magical"]}], "vuln": []})
    )
    assert "resistances" not in sheet
    assert (sheet["immunities"], sheet["vulnerabilities"]) == ([], [])
    assert "resistances" not in joined("monster", block(resistances={"resist": [], "neutral": [{"dtype": "fire"}]}))


def test_a_dc_from_which_that_of_a_spell_differs_is_left_out() -> None:
    book = block()["spellbook"] | {"spells": [{"name": "Web", "dc": 12, "sab": 6}, {"name": "Bless"}]}
    assert joined("monster", block(spellbook=book))["spellcasting"] == {"attack": 6}


def test_a_stat_block_of_the_wrong_form_says_nothing() -> None:
    wrong = {
        "stats": [],
        "saves": {"wisdomSave": 3},
        "resistances": "cold",
        "spellbook": None,
        "attacks": [{"name": 3}],
    }
    assert joined("monster", wrong) == {"hp": 20, "hp_max": 20, "creature": "monster"}


def test_the_sheet_of_a_character_is_that_of_the_command_by_which_it_joins() -> None:
    log = FIXTURES / "raw.jsonl"
    joins = {one["combatant"]: one["sheet"] for one in events(read(log, game=FIFTH), "combatant_joined")}
    keya, hag = joins["keya"], joins["sh1"]
    assert (keya["creature"], keya["ac"], keya["saves"]["charisma"]) == ("character", 18, 6)
    assert (keya["spellcasting"], keya["resources"]) == ({"dc": 14, "attack": 6}, {"level 1 spell slot": 1})
    assert (hag["creature"], hag["weapons"][0]) == (
        "monster",
        {"name": "Claws", "dice": "2d6", "damage_type": "slashing"},
    )


# what the audit judges


def test_a_save_for_concentration_is_judged_by_the_damage_that_asks_for_it() -> None:
    channel, ada, orc = two()
    ada["effects"] = [effect("Bless", 10) | {"concentration": True}]
    channel.command("init effect", "!i effect Ada Bless -dur 10 conc", 2)
    for points, amount in ((20 - 4, 4), (16 - 6, 6)):
        channel.message("!a claw -t Ada", number=amount)
        ada["seen"] = f"<{points}/20 HP>"
        hit = [{"type": "damage", "damage": amount, "damage_roll": f"1d8 ({amount}) [fire] = `{amount}`"}]
        channel.run(orc, hit, amount, (ada,))
        channel.state(amount)
    channel.say(
        "", {"title": "Ada makes a Concentration Save!", "description": "**DC 12**\n1d20 (9) + 2 = `11`; Failure!"}
    )
    imported(channel)
    (save,) = events(channel.read(FIFTH), "save_rolled")
    assert (save["save"], save["purpose"], save["dc"]) == ("constitution", "concentration", 12)
    assert findings() == ["concentration.dc"], "half of 4 and half of 6 are below 10, so that the DC is 10"


def findings() -> list[str]:
    """The rules of the breaches in the imported log."""
    found = json.loads(encounter("audit", "fight.jsonl", "--json").stdout)["findings"]
    return [one["rule"] for one in found if one["severity"] == "breach"]


def hit_for(roll: str, amount: int, **of: Any) -> list[str]:
    """The breaches of damage to somebody with this stat block."""
    channel, ada, _ = two()
    ash = channel.join("Ash", 3, kind="monster")
    channel.list[-1] |= block(**of)
    channel.rows[-2]["data"]["combatants"][-1] |= block(**of)
    ash["seen"] = f"<{20 - amount}/20 HP>"
    channel.message("!a bow -t Ash", number=5)
    channel.run(ada, [{"type": "damage", "damage": amount, "damage_roll": f"{roll} = `{amount}`"}], 5, (ash,))
    channel.state(5)
    imported(channel)
    return findings()


def test_damage_that_a_resistance_should_halve_is_found(folder: Path) -> None:
    assert hit_for("1d8 (6) + 2 [magical cold]", 8) == ["resistance.halves"]
    (folder / "fight.jsonl").unlink()
    assert hit_for("1d8 (6) + 2 [piercing]", 8) == []
    (folder / "fight.jsonl").unlink()
    assert hit_for("1d8 (6) + 2 [fire]", 8) == ["vulnerability.doubles"]


def test_damage_that_the_bot_has_halved_is_not_halved_again() -> None:
    assert hit_for("(1d8 (6) + 2) / 2 [cold]", 4) == []


def test_an_effect_tells_what_it_lets_its_bearer_resist() -> None:
    channel, ada, _ = two()
    given = {"resistances": [{"dtype": "slashing"}, {"dtype": "cold", "unless": ["magical"]}, {"dtype": "heal"}]}
    ada["effects"] = [effect("Rage", 10) | {"effects": given}]
    channel.state(2)
    (begun,) = events(channel.read(FIFTH), "effect_started")
    assert begun["attributes"] == ["resists slashing"]
    assert "attributes" not in events(channel.read(), "effect_started")[0]


def test_what_a_title_says_in_words_of_its_own_is_no_act_of_the_helpless() -> None:
    channel, ada, _ = two()
    ada["seen"] = "<0/20 HP>"
    channel.command("init hp", "!i hp Ada set 0", 2)
    for title in ("Ada is no longer Raging!", "Ada attacks with a Mace!"):
        channel.say("", {"title": title})
    imported(channel)
    assert findings() == ["incapacitated.no-acts"]


@pytest.mark.slow
def test_a_weapons_attack_as_part_of_a_spell_is_named_for_the_weapon() -> None:
    transcript = read(FIXTURES / "1669408684.jsonl.gz", game=FIFTH)
    acts = [one["action"]["name"] for one in events(transcript, "action_taken")]
    rolls = [one["name"] for one in events(transcript, "attack_rolled") if one["combatant"] == "avariel"]
    assert "Booming Blade with a Reef Pike" in acts
    assert rolls == ["Reef Pike"] * 3
