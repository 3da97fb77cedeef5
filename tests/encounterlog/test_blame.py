"""`blame`: who wrote what touched a value, and in a recorded combat the dice and the act behind each change."""

from pathlib import Path

from syrupy.assertion import SnapshotAssertion

from tests.encounterlog.support import encounter, log_of

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
