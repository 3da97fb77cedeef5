"""`blame`: who wrote what touched a value, and in a recorded combat the dice and the act behind each change."""

import json
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.encounterlog.fights import fixture
from tests.encounterlog.support import encounter, log_of, shown

RECORDINGS = Path(__file__).parents[2] / "fixtures" / "recordings"
ROLLS = ("attack_rolled", "save_rolled", "dice_rolled", "contest_rolled")

CORRECTED = """\
{"type":"combatant_joined","combatant":"ana","name":"Ana\\u001b[31m","sheet":{"hp":14}}
{"type":"combatant_joined","combatant":"bo","sheet":{"hp":9}}
{"type":"action_taken","combatant":"bo","action":{"kind":"attack","name":"axe","targets":["ana"]}}
{"type":"attack_rolled","combatant":"bo","target":"ana","die":17,"cause":-1}
{"type":"damage_dealt","target":"ana","amount":4,"source":"bo","cause":-2}
{"type":"damage_dealt","target":"ana","amount":7,"source":"bo"}
{"type":"struck","event":7,"reason":"she parried"}
{"type":"amended","event":6,"replacement":{"type":"damage_dealt","target":"ana","amount":1,"source":"bo","cause":4}}
"""


def test_the_page_of_a_history(folder: Path, snapshot: SnapshotAssertion) -> None:
    log = log_of(folder / "a.jsonl", CORRECTED, "plain")
    done = encounter("blame", log, "ana.hp")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == snapshot


def test_what_was_amended_and_then_struck_is_shown_as_both(folder: Path) -> None:
    log = log_of(folder / "a.jsonl", CORRECTED, "plain")
    assert encounter("amend", log, "7", "amount=4").exit_code == encounter("strike", log, "8").exit_code == 0
    assert encounter("strike", log, "7", "--alone").exit_code == 0
    lines = encounter("blame", log, "ana.hp").stdout.splitlines()
    first = lines.index("    7    10 -> 3 by gm  amended by 10")
    then = lines.index("    7    13 -> 9 by gm  amended by 10, struck by 12")
    assert (first < then, lines[then + 1].strip()) == (True, "Ana\\x1b[31m takes 4 damage from bo")


@pytest.mark.in_turn(4)
@pytest.mark.slow
@pytest.mark.parametrize("name", ["horror", "lance", "rage", "missiles"])
def test_each_change_of_hit_points_names_its_dice_and_act(name: str) -> None:
    log = RECORDINGS / f"{name}.jsonl"
    changes: list[dict[str, Any]] = []
    for who in shown(log)["combatants"]:
        found = json.loads(encounter("blame", log, f"{who}.hp", "--json").stdout)
        changes += [each for each in found["touches"] if each["before"] not in (None, each["after"])]
    assert len(changes) > 9
    for each in changes:
        event, first = each["event"], each["causes"][0]["event"]
        if first["type"] == "noted":  # the command that set the points, or an act of somebody outside the fight
            assert first["text"].startswith("!") or ", who is not in the fight, " in first["text"]
        else:
            assert first["type"] in ("action_taken", *ROLLS)
            dice = [part for part in event.get("parts", ()) if "dice" in part]
            rolled = any(one["event"]["type"] in ROLLS for one in each["causes"])
            assert dice or rolled or event["type"] == "healed", each["seq"]  # healed by an act that rolled at others


@pytest.mark.parametrize(("words", "code", "says"), [
    (("ada.hq",), 2, "there is no value ada.hq here (did you mean ada.hp"),
    (("ada",), 2, "which value of ada?"),
    ((), 2, "missing argument 'ADDRESS...'"),
    (("ada.hp", "--at", "999"), 2, "WHERE: this log has no record 999"),
])  # fmt: skip
def test_what_is_no_value_ends_with_2_and_a_hint(folder: Path, words: tuple[str, ...], code: int, says: str) -> None:
    done = encounter("blame", fixture(folder, "osric/s12-ten-in-three-rounds"), *words)
    assert (done.exit_code, done.stdout) == (code, "")
    assert done.stderr.startswith(f"encounter: {says}")
