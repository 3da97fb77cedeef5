"""`may`: what somebody may do now, with the clause that bars the rest, in every ruleset."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import encounterlog as el
from eventstore.errors import Malformed
from tests.encounterlog.fights import fixture
from tests.encounterlog.support import encounter, log_of, opened

PAGES = {
    "plain": ("s01-a-brawl-at-the-ferry", "29"),
    "osric": ("s09-declarations-in-disorder", "40"),
    "nameless-journey": ("s09-reactions-and-counterspells", "37"),
    "semiautomagic": ("s04-turns-put-off-and-taken", "68"),
    "vile-darkness": ("s01-one-untied-round", "35"),
    "definition-master": ("s10-death-roll-all-equal-d", "60"),
    "5e": ("s01-a-skirmish-at-the-ford", "30"),
}
"""A fight of each ruleset, and a point of it."""


def told(path: Path, ruleset: str, *lines: str) -> Path:
    opened(path, ruleset)
    return told_more(path, *lines)


def told_more(path: Path, *lines: str) -> Path:
    for line in lines:
        done = encounter("add", path, line)
        assert done.exit_code in (0, 1), done.stderr
    return path


def choices(log: Path, *words: str) -> dict[str, dict[str, dict[str, Any]]]:
    done = encounter("may", log, *words, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    people = json.loads(done.stdout)["people"]
    return {one["combatant"]: {each["what"]: each for each in one["choices"]} for one in people}


@pytest.fixture
def journey(folder: Path) -> Path:
    """Make a log in which it is the turn of bo, who has just attacked lum; kex comes last, and has no Reaction."""
    facts: list[dict[str, Any]] = [
        {"type": "combatant_joined", "combatant": "bo", "side": "heroes", "sheet": {"hp": 24, "entries": [parry("bo")]}},
        {"type": "combatant_joined", "combatant": "lum", "side": "raiders", "sheet": {"hp": 14, "entries": [parry("lum")]}},
        {"type": "combatant_joined", "combatant": "kex", "side": "raiders", "sheet": {"hp": 20}},
        *({"type": "initiative_rolled", "combatant": who, "die": die, "bonus": 0} for who, die in (("bo", 15), ("lum", 9), ("kex", 4))),
        {"type": "turn_started", "combatant": "lum"},
        {"type": "turn_started", "combatant": "bo"},
        {"type": "action_taken", "combatant": "bo", "action": {"kind": "attack", "name": "axe", "targets": ["lum"]}},
    ]  # fmt: skip
    return log_of(folder / "journey.jsonl", facts, "nameless-journey")


def parry(who: str) -> dict[str, str]:
    return {"name": "parry", "cost": "reaction", "answers": f"attack on {who}"}


@pytest.mark.parametrize("ruleset", PAGES)
def test_the_page_of_each_ruleset(folder: Path, ruleset: str, snapshot: SnapshotAssertion) -> None:
    name, at = PAGES[ruleset]
    done = encounter("may", fixture(folder, f"{ruleset}/{name}"), "--at", at)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == snapshot


# ---------------------------------------------------------------- whom it is asked of


def test_may_takes_names_as_at_the_table_and_nobody_acts_after_the_end(journey: Path) -> None:
    assert [*choices(journey)] == ["bo"]
    assert encounter("may", journey, "LU").stdout == encounter("may", journey, "lum").stdout
    done = encounter("may", journey, "lun")
    assert (done.exit_code, done.stderr) == (2, "encounter: there is no combatant lun\nhint: did you mean lum?\n")
    log = el.open(journey)
    assert [each.combatant for each in log.may().people] == ["bo"]
    assert [each.combatant for each in log.may("KE", at=9).people] == ["kex"]
    with pytest.raises(Malformed, match="there is no combatant lun") as caught:
        log.may("lun")
    assert caught.value.hint == "did you mean lum?"
    assert encounter("append", journey, stdin='{"type":"encounter_closed"}\n').exit_code in (0, 1)
    assert encounter("may", journey).stdout == "nobody may act: the fight is over\n"
    action = choices(journey, "kex")["kex"]["reaction"]
    assert (action["status"], action["because"]["rules"]) == ("barred", ["log.closed"])


def test_turns_begin_dice_may_be_missing_and_may_can_be_a_name(folder: Path) -> None:
    joining = [f"{who} joins the {side} with 9 hp" for who, side in (("Ana", "party"), ("orc", "foes"))]
    log = told(folder / "a.jsonl", "definition-master", *joining, "Ana 17, orc 12", "r")
    assert encounter("may", log, "ana").stdout.splitlines()[1] == "  open     Ana's turn may begin"
    assert "the turn of Ana goes on" in encounter("may", told_more(log, "t"), "ana").stdout
    log = fixture(folder, "osric/s09-declarations-in-disorder")
    found = choices(log, "--at", "30")
    assert {each["turn"]["status"] for each in found.values()} == {"unknown"}
    page = encounter("may", log, "--at", "30").stdout
    assert page.endswith("the order is not known yet: no initiative die of heroes, orcs in this round\n")
    log = told(folder / "may.jsonl", "plain", "join May party hp=9", "join bo foes hp=5")
    assert encounter("add", log, "?may").stdout == encounter("why", log, "may").stdout
    assert encounter("add", log, "?may may").stdout == encounter("may", log, "may").stdout


# ---------------------------------------------------------------- wherever it is asked


def lines(journey: Path) -> Iterator[tuple[str, str]]:
    yield from (
        ("?may", encounter("may", journey).stdout), ("? may kex", encounter("may", journey, "kex").stdout),
        ("?may kex @9", encounter("may", journey, "kex", "--at", "9").stdout),
    )  # fmt: skip


def test_it_is_a_question_at_the_table(journey: Path) -> None:
    before = journey.read_bytes()
    for line, says in lines(journey):
        done = encounter("add", journey, line)
        assert (done.exit_code, done.stdout) == (0, says), line
    assert encounter("play", journey, stdin="?may kex\n").stdout == encounter("may", journey, "kex").stdout
    assert journey.read_bytes() == before
