"""Input that is refused: every wrong line with its number, field, reason and hint; exit code 4, the log unchanged."""

import json
from pathlib import Path

import pytest

from tests.encounterlog.support import encounter, fingerprint

JOIN = {"type": "combatant_joined", "combatant": "ulf", "sheet": {"hp": 8}}

OPENING = {"type": "encounter_opened", "format": 1, "encounter": "x", "title": ""}
OPENING |= {"ruleset": "osric", "revision": 1, "options": {}}

REFUSED: dict[str, tuple[str, str]] = {
    "an unknown type": (
        '{"type":"damage_delt","target":"orc-1","amount":1}',
        "line 1, type: unknown event type damage_delt\n      hint: did you mean damage_dealt",
    ),
    "an unknown field": (
        '{"type":"damage_dealt","target":"orc-1","amont":1}',
        "line 1, amont: no field of damage_dealt\n      hint: did you mean amount",
    ),
    "an unknown combatant": (
        '{"type":"damage_dealt","target":"orc-11","amount":1}',
        "line 1 damage_dealt, target: no combatant orc-11 has joined\n      hint: did you mean orc-1",
    ),
    "a word for a number": (
        '{"type":"damage_dealt","target":"orc-1","amount":"three"}',
        "line 1, amount: expected a whole number, got text",
    ),
    "10,000 nested brackets": ("[" * 10_000, "line 1: nested deeper than 32 levels"),
    "not JSON": ("die of 7", "line 1: not JSON"),
    "a sheet of another game": (
        json.dumps(JOIN | {"sheet": {"hp": 8, "hitpoints": 8}}),
        "line 1 combatant_joined, sheet.hitpoints: not a field of a sheet of osric",
    ),
    "a reference to nothing": (
        '{"type":"damage_dealt","target":"orc-1","amount":1,"cause":99}',
        "line 1 damage_dealt, cause: there is no record 99 before this one",
    ),
    "an unknown field beside the event": (
        '{"event":{"type":"round_ended"},"secrt":true}',
        "line 1, secrt: no field beside an event\n      hint: did you mean secret",
    ),
    "a ruling of no kind": (
        '{"type":"ruling_made","ruling":"waver","decision":"so be it"}',
        "line 1, ruling: does not know the word 'waver'\n      hint: the words are fact, grant, override, reveal, tie",
    ),
    "a correction within a correction": (
        '{"type":"amended","event":3,"replacement":{"type":"struck","event":2}}',
        "line 1, replacement.type: struck cannot stand inside another fact\n      hint: a correction is",
    ),
    "quotes that a shell took": ("{type:round_ended}", "hint: words stand in straight double quotes"),
    "nothing": ("\n \n", "nothing to append"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_wrong_line_is_refused_with_place_reason_and_hint(log: Path, kind: str) -> None:
    facts, reason = REFUSED[kind]
    before = fingerprint(log)
    done = encounter("append", log, "-", stdin=facts + "\n")
    assert (done.exit_code, done.stdout) == (4, "")
    assert reason in done.stderr
    assert fingerprint(log) == before


def test_bytes_logs_and_too_many_facts_are_refused(log: Path) -> None:
    done = encounter("append", log, stdin=b'{"type":"noted","text":"\xff"}\n')
    assert (done.exit_code, "line 1: not UTF-8 at byte 25" in done.stderr) == (4, True)
    for data in (log.read_bytes(), log.read_bytes().split(b"\n", 3)[3]):
        done = encounter("append", log, stdin=data)
        assert (done.exit_code, len(done.stderr.splitlines())) == (4, 2)
        assert "the input is a log, or part of one; nothing was appended" in done.stderr
    before = fingerprint(log)
    done = encounter("append", log, stdin='{"type":"round_ended"}\n' * 10_001)
    assert (done.exit_code, "the limit is 10,000" in done.stderr, fingerprint(log)) == (4, True, before)


@pytest.mark.parametrize("way", ["utf-16", "utf-16-le", "utf-16-be"])
def test_facts_in_utf_16_are_refused_in_one_sentence(log: Path, way: str) -> None:
    done = encounter("append", log, stdin='{"type":"round_ended"}\n{"type":"round_ended"}\n'.encode(way))
    assert (done.exit_code, done.stderr.splitlines()) == (
        4,
        ["encounter: the input is UTF-16; nothing was appended", "hint: save it as UTF-8 without BOM"],
    )
