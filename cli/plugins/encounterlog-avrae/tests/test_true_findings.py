"""What happens in recorded fights and is no breach: those kept at 1 hit point, resets, latecomers, unnamed bonuses, skipped rounds."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from channel import Channel, Row, two
from encounterlog.importers import importing
from encounterlog.log.logs import LogView
from projections.judging.audit import audit

TURN = "**Initiative {} (round {})**: {} (<@1>)\n```md\n{} <20/20 HP>```"


def found(folder: Path, channel: Channel) -> list[tuple[str, str]]:
    """Import a fight under the rules of the fifth edition, and return its findings: clause and severity."""
    rows, log = folder / "rows.jsonl", folder / "fight.jsonl"
    rows.write_text("".join(json.dumps(row) + "\n" for row in channel.rows))
    done = importing.run_import("fireball", str(rows), str(log), None, "gm", ruleset="5e")
    assert done.differences == ()
    return [(one.rule, one.severity) for one in audit(LogView(str(log))).findings]


def points(channel: Channel, one: Row, typed: str, number: int, now: int, answer: str = "") -> None:
    """Let somebody change hit points, and the bot show what they are now."""
    one["seen"] = f"<{now}/20 HP>"
    channel.message(typed, number=number)
    channel.say(answer or f"{one['name']}: <{now}/20 HP>")
    channel.state(number)
    channel.row("command", message_id=number, content=typed, command_name="init hp", caster=None)


def turn(channel: Channel, place: int, number: int, count: int) -> None:
    """Let the turn go to a place of the list in a round."""
    one = channel.list[place]
    channel.current, channel.round = place, count
    channel.message("!i n", number=number)
    channel.say(TURN.format(one["init"], count, one["name"], one["name"]))
    channel.state(number)
    channel.row("command", message_id=number, content="!i n", command_name="init next", caster=None)


def attack(channel: Channel, one: Row, other: Row, number: int) -> None:
    """Let a combatant attack another and miss."""
    roll = {
        "type": "attack",
        "attack_roll": "1d20 (2) + 3 = `5`",
        "adv": 0,
        "did_hit": False,
        "did_crit": False,
        "children": [],
    }
    channel.message("!i a slam", number=number)
    channel.say("", {"title": f"{one['name']} attacks with a Slam!", "description": "", "fields": []})
    channel.run(one, [roll], number, (other,))


@pytest.mark.parametrize(("typed", "now"), [("!i hp orc 1", 1), ("!i hp orc set 1", 1), ("!i hp orc max", 20)])
def test_a_monster_that_is_given_points_back_is_not_dead(tmp_path: Path, typed: str, now: int) -> None:
    channel, ada, orc = two()
    turn(channel, 0, 2, 1)
    points(channel, orc, "!i hp orc -20", 3, 0)
    points(channel, orc, typed, 4, now)
    turn(channel, 1, 5, 1)
    attack(channel, orc, ada, 6)
    attack(channel, orc, ada, 7)
    assert found(tmp_path, channel) == [("healing.not-the-dead", "notice")]


def test_a_monster_that_acts_at_0_is_one_notice_where_no_traits_are_known(tmp_path: Path) -> None:
    channel, ada, orc = two()
    turn(channel, 0, 2, 1)
    points(channel, orc, "!i hp orc -20", 3, 0)
    turn(channel, 1, 5, 1)
    attack(channel, orc, ada, 6)
    attack(channel, orc, ada, 7)
    assert found(tmp_path, channel) == [("dead.out", "notice")]


@pytest.mark.parametrize("kind", ["common", "monster"])
@pytest.mark.parametrize("typed", ["!i hp zombie set 1", "!i hp zombie max", ""])
def test_a_zombie_that_stands_up_again_and_again_is_one_notice(tmp_path: Path, kind: str, typed: str) -> None:
    """Undead Fortitude leaves it 1 hit point; some tables set the tracker, others only go on."""
    channel, ada, _ = two()
    zombie = channel.join("Zombie", 5, number=2, kind=kind)
    place, number = channel.list.index(zombie), 3
    for count in (1, 2, 3):
        turn(channel, 0, number, count)
        if count == 1 or typed:
            points(channel, zombie, "!i hp zombie -20", number + 1, 0)
        if typed:
            points(channel, zombie, typed, number + 2, 20 if "max" in typed else 1)
        turn(channel, 1, number + 3, count)
        turn(channel, place, number + 4, count)
        attack(channel, zombie, ada, number + 5)
        number += 6
    rule = "healing.not-the-dead" if typed else "dead.out"
    assert found(tmp_path, channel) == ([(rule, "notice")] if kind == "monster" else [])


def rolled(channel: Channel, name: str, total: int, roll: str, bonus: int, number: int, kind: str = "monster") -> Row:
    """Let somebody join with a printed roll, and the bot show the initiative modifier that it knows."""
    channel.message(f"!i madd {name}", number=number)
    channel.say(f"{name} was added to combat with initiative {roll}.")
    one = {"name": name, "id": f"id of {name}", "type": kind, "init": total, "effects": [], "seen": "<20/20 HP>"}
    one["skills"] = {"initiative": {"value": bonus}}
    channel.list = sorted([*channel.list, one], key=lambda other: -int(other["init"]))
    channel.state(number)
    channel.row("command", message_id=number, content=f"!i madd {name}", command_name="init madd", caster=None)
    return one


@pytest.mark.parametrize(
    "roll", ["1d20 (14) + 2 = `16`", "1d20 (14) + 5 = `19`", "1d20 (14) = `19`", "1d20 (14) + 2 + 3 = `19`"]
)
def test_parts_of_an_initiative_that_nobody_announced_are_no_contradiction(tmp_path: Path, roll: str) -> None:
    channel = Channel()
    rolled(channel, "Orc", int(roll.split("`")[1]), roll, 2, 1)
    rolled(channel, "Kobold", 4, "1d20 (2) + 2 = `4`", 2, 2)
    turn(channel, 0, 3, 1)
    turn(channel, 1, 4, 1)
    assert found(tmp_path, channel) == []


def test_a_part_that_nobody_announced_stands_in_the_record(tmp_path: Path) -> None:
    channel = Channel()
    rolled(channel, "Orc", 19, "1d20 (14) = `19`", 2, 1)
    found(tmp_path, channel)
    assert {"name": "not announced", "amount": 3} in [
        part for event in events(tmp_path, "dice_rolled") for part in event["modifiers"]
    ]


def events(folder: Path, kind: str) -> Iterable[dict[str, Any]]:
    """Yield the facts of a type in the log that was imported."""
    lines = (folder / "fight.jsonl").read_text().splitlines()
    return (one for line in lines if (one := json.loads(line)["event"])["type"] == kind)


@pytest.mark.parametrize("number", [1, 2, 10])
def test_a_round_that_the_bot_skips_to_is_the_round(tmp_path: Path, number: int) -> None:
    channel, _, _ = two()
    turn(channel, 0, 2, 1)
    turn(channel, 1, 3, 1)
    channel.round = 1 + number
    channel.message(f"!i skipround {number}", number=4)
    channel.say(TURN.format(9, 1 + number, "Orc 1", "Orc 1"))
    channel.state(4)
    channel.row("command", message_id=4, content=f"!i skipround {number}", command_name="init skipround", caster=None)
    turn(channel, 0, 5, 2 + number)
    assert found(tmp_path, channel) == []
    assert [event["round"] for event in events(tmp_path, "round_started")] == [1, 1 + number, 2 + number]


@pytest.mark.parametrize("init", [17, 12, 3])
def test_a_latecomer_has_the_first_turn_whenever_the_bot_gives_it(tmp_path: Path, init: int) -> None:
    channel, _, _ = two()
    turn(channel, 0, 2, 1)
    late = channel.join("Wolf", init, number=3)
    place = channel.list.index(late)
    channel.current, channel.round = place, 1
    channel.message("!i move wolf", number=4)
    channel.say(TURN.format(init, 1, "Wolf", "Wolf"))
    channel.state(4)
    channel.row("command", message_id=4, content="!i move wolf", command_name="init move", caster=None)
    assert [rule for rule, _ in found(tmp_path, channel) if rule == "initiative.latecomer"] == []


def goes_to(channel: Channel, place: int, number: int, typed: str = "") -> None:
    """Let the game master send the turn to a place of the list, or back."""
    one = channel.list[place]
    channel.current = place
    typed = typed or f"!i goto {one['name']}"
    channel.message(typed, number=number)
    channel.say(TURN.format(one["init"], channel.round, one["name"], one["name"]))
    channel.state(number)
    name = "init prev" if "prev" in typed else "init move"
    channel.row("command", message_id=number, content=typed, command_name=name, caster=None)


def test_a_turn_that_the_tracker_is_sent_back_to_is_no_second_turn(tmp_path: Path) -> None:
    """Such as for what Ada holds ready, and on with the orc; another time a turn too far is taken back."""
    channel, ada, orc = two()
    wolf = channel.join("Wolf", 4, number=2)
    turn(channel, 0, 3, 1)
    turn(channel, 1, 4, 1)
    goes_to(channel, 0, 5)
    attack(channel, ada, orc, 6)
    goes_to(channel, 1, 7)
    attack(channel, orc, ada, 8)
    turn(channel, 2, 9, 1)
    attack(channel, wolf, ada, 10)
    goes_to(channel, 1, 11, "!i prev")
    goes_to(channel, 0, 12, "!i prev")
    turn(channel, 1, 13, 1)
    turn(channel, 2, 14, 1)
    turn(channel, 0, 15, 2)
    assert [one for one in found(tmp_path, channel) if one[1] == "breach"] == []
    grants = [each for each in events(tmp_path, "ruling_made") if each["ruling"] == "grant"]
    assert {each["rule"] for each in grants} == {"round.one-turn-each"}
    assert grants[0]["reason"].startswith("!i goto Ada (line ")


def test_a_turn_that_the_tracker_is_sent_to_comes_before_its_place(tmp_path: Path) -> None:
    """Over the orc to the wolf, and back to the orc, who had no turn yet."""
    channel, ada, orc = two()
    wolf = channel.join("Wolf", 4, number=2)
    turn(channel, 0, 3, 1)
    goes_to(channel, 2, 4)
    attack(channel, wolf, ada, 5)
    goes_to(channel, 1, 6, "!i prev")
    attack(channel, orc, ada, 7)
    assert [one for one in found(tmp_path, channel) if one[1] == "breach"] == []
    grants = [each for each in events(tmp_path, "ruling_made") if each["ruling"] == "grant"]
    assert [(each["rule"], each["combatants"]) for each in grants] == [
        ("round.turns-in-order", ["wolf"]), ("round.turns-in-order", ["orc-1"]),
    ]  # fmt: skip


def test_the_points_that_the_game_master_gives_the_dead_bring_them_back(tmp_path: Path) -> None:
    """By damage as large as all hit points, which nobody at the table took for death; an act that heals them does not."""
    channel, ada, orc = two()
    turn(channel, 0, 2, 1)
    points(channel, ada, "!i hp ada -45", 3, 0)
    points(channel, ada, "!i hp ada +5", 4, 5)
    attack(channel, ada, orc, 5)
    assert found(tmp_path, channel) == []
    ruled = [each for each in events(tmp_path, "ruling_made") if each["ruling"] == "override"]
    assert ruled[-1]["values"] == {"ada.hp": 5}


def test_a_spell_listed_after_its_caster_fell_has_ended_until_they_are_up(tmp_path: Path) -> None:
    """The bot drops no concentration by itself; people remove the effect a message later, or forget it."""
    channel, ada, _ = two()
    turn(channel, 0, 2, 1)
    ada["effects"] = [{"id": "b", "name": "Bless", "duration": 10, "end_round": 11, "concentration": True}]
    channel.command("init effect", "!i effect Ada Bless -dur 10 conc", 3)
    points(channel, ada, "!i hp ada -20", 4, 0)
    turn(channel, 1, 5, 1)
    assert found(tmp_path, channel) == []
    points(channel, ada, "!i hp ada 5", 6, 5)
    (tmp_path / "fight.jsonl").unlink()
    assert importing_differs(tmp_path, channel) == ["ada.effects"]


def importing_differs(folder: Path, channel: Channel) -> list[str]:
    """Import a fight, and return the addresses of the values on which a state and the facts differ."""
    rows = folder / "rows.jsonl"
    rows.write_text("".join(json.dumps(row) + "\n" for row in channel.rows))
    done = importing.run_import("fireball", str(rows), str(folder / "fight.jsonl"), None, "gm", ruleset="5e")
    return [one.address for one in done.differences] or [one.address for one in done.repairs if one.cause is None]
