"""Strikes: with a record, if wanted, all that it caused."""

import json
from pathlib import Path

from tests.encounterlog.support import encounter, findings, log_of, shown

HIT = """\
{"type":"combatant_joined","combatant":"ana","side":"h","sheet":{"hp":12}}
{"type":"combatant_joined","combatant":"bo","side":"k","sheet":{"hp":12}}
{"type":"round_started","round":1}
{"type":"turn_started","combatant":"ana"}
{"type":"action_taken","combatant":"ana","action":{"kind":"attack","name":"sword","targets":["bo"]}}
{"type":"attack_rolled","combatant":"ana","target":"bo","die":17,"total":22,"ac":13,"hit":true,"cause":-1}
{"type":"damage_dealt","target":"bo","amount":9,"cause":-1}
{"type":"noted","text":"a cheer"}
"""
"""Record 6 is a blow, 7 its roll, 8 its damage."""


def test_a_strike_with_consequences_strikes_all_that_the_record_caused_and_nothing_else(tmp_path: Path) -> None:
    log = log_of(tmp_path / "log.jsonl", HIT, ruleset="plain")
    alone = '{"type":"noted","text":"she was out of reach"}'
    strike = '{"type":"struck","event":6,"reason":"out of reach"}'
    done = encounter("append", log, "--with-consequences", stdin=f"{strike}\n{alone}")
    assert done.output == "4 facts appended: records 10 to 13\nstruck with what caused them: 7, 8\n"
    written = [json.loads(line)["event"] for line in log.read_text("utf-8").splitlines()[9:]]
    assert [(one["type"], one.get("event"), one.get("reason")) for one in written] == [
        ("struck", 6, "out of reach"),
        ("noted", None, None),
        ("struck", 7, "out of reach"),
        ("struck", 8, "out of reach"),
    ]
    assert findings(log) == []
    assert shown(log)["combatants"]["bo"]["hp"] == 12


def test_what_a_struck_record_caused_is_struck_once_although_two_strikes_reach_it(tmp_path: Path) -> None:
    log = log_of(tmp_path / "log.jsonl", HIT, ruleset="plain")
    strikes = '{"type":"struck","event":7}\n{"type":"struck","event":6}'
    assert encounter("append", log, "--with-consequences", stdin=strikes).output.endswith("what caused it: 8\n")
    again = encounter("append", log, "--with-consequences", stdin='{"type":"noted","text":"so be it"}')
    assert again.output == "1 fact appended: record 13\n"


def test_a_strike_with_consequences_has_no_idempotency_key_for_what_follows_may_differ(tmp_path: Path) -> None:
    log = log_of(tmp_path / "log.jsonl", HIT, ruleset="plain")
    done = encounter("append", log, "--with-consequences", "--key", "k", stdin='{"type":"struck","event":6}')
    assert done.exit_code == 2
    assert "--key does not go with --with-consequences" in done.stderr
