"""Whether an attack roll hits whose dice a line shows or rolls: it is recorded where the game decides it by what the log has."""

import json
from pathlib import Path

import pytest

import encounterlog as el
from tests.encounterlog.support import encounter


@pytest.fixture
def fight(tmp_path: Path) -> Path:
    """Make the log of a fight in the fifth edition, in which Bo's armour class is not known."""
    path = tmp_path / "mill.jsonl"
    assert encounter("new", path, "--ruleset", "5e").exit_code == 0
    for line in ("join Ana party hp=31 ac=14", "join Bo party hp=24", "join goblin foes", "r", "i goblin=19 ana=11"):
        assert encounter("add", path, line).exit_code == 0
    return path


def hits(path: Path) -> list[bool | None]:
    """Return what the log says of each attack roll."""
    events = [json.loads(line)["event"] for line in path.read_text("utf-8").splitlines()]
    return [event.get("hit") for event in events if event["type"] == "attack_rolled"]


def test_dice_that_a_line_shows_hit_or_miss_by_the_armour_class_as_far_as_it_is_known(fight: Path) -> None:
    for line in ("goblin ana d20:14+4", "goblin ana d20:9+4", "goblin bo d20:9+4", "goblin bo d20:1+4", "goblin bo 9"):
        assert encounter("add", fight, line).exit_code == 0
    assert hits(fight) == [True, False, None, False, False]


def test_dice_that_are_rolled_hit_or_miss_by_command_and_in_python(fight: Path) -> None:
    """On a 20 an attack hits, on a 1 it misses; the chain draws others."""
    assert encounter("dice", fight, "start", "--seed", "mill").exit_code == 0
    for _ in range(4):
        assert encounter("add", fight, "goblin ana d20+4").exit_code == 0
    with el.open(fight) as log:
        log.tell("goblin ana d20+4", roll=lambda _: "d20:20")
        log.tell("goblin ana d20+4", roll=lambda _: "d20:1")
        log.tell("goblin ana d20+4")
    events = [json.loads(line)["event"] for line in fight.read_text("utf-8").splitlines()]
    rolled = [event["die"]["faces"][0] for event in events if event["type"] == "attack_rolled"]
    assert hits(fight) == [face != 1 and (face == 20 or face + 4 >= 14) for face in rolled]
    assert {*hits(fight)} == {True, False}
    assert encounter("verify", fight, "--dice").exit_code == 0


def test_a_game_whose_lines_say_it_alone_leaves_it_open(tmp_path: Path) -> None:
    path = tmp_path / "crypt.jsonl"
    encounter("new", path, "--ruleset", "plain")
    for line in ("join Bo party hp=24", "join goblin foes hp=7", "goblin bo d20:9+4"):
        assert encounter("add", path, line).exit_code == 0
    assert hits(path) == [None]
