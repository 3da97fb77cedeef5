"""What an import for the ruleset `5e` tells otherwise than one for `plain`: what the bot's numbers mean in the rules."""

import json
from pathlib import Path
from typing import Any

from encounterlog.importers.fireball.writer import Event
from encounterlog.importers.games import FIFTH
from tests.encounterlog.channel import Channel, Row, events, two
from tests.encounterlog.support import encounter


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
    assert opening["options"].items() >= FIFTH.options.items()


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
