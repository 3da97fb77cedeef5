"""Input that is refused: every wrong line with its number, field, reason and hint; exit code 4, the log unchanged."""

import json
from pathlib import Path

import pytest

from tests.encounterlog.support import append, encounter, fingerprint, quarrel, shown

JOIN = {"type": "combatant_joined", "combatant": "ulf", "sheet": {"hp": 8}}

OPENING = {"type": "encounter_opened", "format": 1, "encounter": "x", "title": ""}
OPENING |= {"ruleset": "osric", "revision": 1, "options": {}}

REFUSED: dict[str, tuple[str, str]] = {
    "an unknown type": (
        '{"type":"damage_delt","target":"orc-1","amount":1}',
        "line 1, type: unknown event type damage_delt\n      hint: did you mean damage_dealt",
    ),
    "no type": ('{"target":"orc-1"}', "line 1, type: is missing"),
    "an unknown field": (
        '{"type":"damage_dealt","target":"orc-1","amont":1}',
        "line 1, amont: no field of damage_dealt\n      hint: did you mean amount",
    ),
    "a missing field": ('{"type":"damage_dealt","target":"orc-1"}', "line 1, amount: is missing"),
    "an unknown combatant": (
        '{"type":"damage_dealt","target":"orc-11","amount":1}',
        "line 1 damage_dealt, target: no combatant orc-11 has joined\n      hint: did you mean orc-1",
    ),
    "an unknown side": (
        '{"type":"initiative_rolled","side":"partie","die":1}',
        "no side partie has joined\n      hint: did you mean party",
    ),
    "a word for a number": (
        '{"type":"damage_dealt","target":"orc-1","amount":"three"}',
        "line 1, amount: expected a whole number, got text",
    ),
    "10^30": (
        f'{{"type":"damage_dealt","target":"orc-1","amount":{10**30}}}',
        f"line 1, amount: {10**30} is beyond ±9,007,199,254,740,991",
    ),
    "a fraction": ('{"type":"damage_dealt","target":"orc-1","amount":1.5}', "line 1, amount: 1.5 is a fraction"),
    "null": ('{"type":"noted","text":null}', "line 1, text: is null\n      hint: leave out what is not said"),
    "a number for text": ('{"type":"noted","text":1}', "line 1, text: expected text, got a whole number"),
    "a word for a flag": (
        '{"type":"damage_dealt","target":"orc-1","amount":1,"nonlethal":"yes"}',
        "line 1, nonlethal: expected true or false, got text",
    ),
    "a field twice": ('{"type":"noted","text":"a","text":"b"}', "line 1, text: stands twice in one object"),
    "a path for an id": (
        json.dumps(JOIN | {"combatant": "../../etc/passwd"}),
        "line 1, combatant: '../../etc/passwd' is not an id",
    ),
    "a name of 10,000 letters": (
        json.dumps(JOIN | {"name": "x" * 10_000}),
        "line 1, name: expected text of at most 120",
    ),
    "10,000 nested brackets": ("[" * 10_000, "line 1: nested deeper than 32 levels"),
    "10,000 nested brackets within": (
        '{"type":"noted","text":' + "[" * 10_000 + "]" * 10_000 + "}",
        "line 1: nested deeper than 32 levels",
    ),
    "not JSON": ("die of 7", "line 1: not JSON"),
    "a list": ("[]", "line 1: is not a JSON object"),
    "two objects": ("{} {}", "line 1: not JSON: extra data at column 4\n      hint: one JSON object a line"),
    "a NUL": ('{"type":"noted","text":"\0"}', "line 1: not JSON"),
    "half a letter": (
        '{"type":"noted","text":"\\ud800"}',
        "line 1, text: has bytes that are not UTF-8, or half of a surrogate pair",
    ),
    "a byte order mark": ('\ufeff{"type":"round_ended"}', "line 1: begins with a byte order mark"),
    "a sheet of another game": (
        json.dumps(JOIN | {"sheet": {"hp": 8, "hitpoints": 8}}),
        "line 1 combatant_joined, sheet.hitpoints: not a field of a sheet of osric",
    ),
    "hit points in words": (
        json.dumps(JOIN | {"sheet": {"hp": "eight"}}),
        "line 1 combatant_joined, sheet.hp: expected a whole number, got text",
    ),
    "a reference to nothing": (
        '{"type":"damage_dealt","target":"orc-1","amount":1,"cause":99}',
        "line 1 damage_dealt, cause: there is no record 99 before this one",
    ),
    "a reference beyond the batch": ('{"type":"struck","event":-1}', "event: -1 reaches back beyond this append"),
    "the first record struck": ('{"type":"struck","event":1}', "event: the first record cannot be corrected"),
    "a second opening": (json.dumps(OPENING), "an encounter is opened only once"),
    "an unknown field beside the event": (
        '{"event":{"type":"round_ended"},"secrt":true}',
        "line 1, secrt: no field beside an event\n      hint: did you mean secret",
    ),
    "a wrong flag beside the event": (
        '{"event":{"type":"round_ended"},"secret":1}',
        "line 1, secret: expected true or false",
    ),
    "a ruling of no kind": (
        '{"type":"ruling_made","ruling":"waver","decision":"so be it"}',
        "line 1, ruling: does not know the word 'waver'\n      hint: the words are fact, grant, override, reveal, tie",
    ),
    "a correction within a correction": (
        '{"type":"amended","event":3,"replacement":{"type":"struck","event":2}}',
        "line 1, replacement.type: struck cannot stand inside another fact\n      hint: a correction is",
    ),
    "an opening put in later": (
        json.dumps({"type": "inserted", "after": 3, "fact": OPENING}),
        "line 1, fact.type: encounter_opened cannot stand inside another fact",
    ),
    "single quotes": ("{'type':'round_ended'}", "not JSON: expecting property name"),
    "quotes that a shell took": ("{type:round_ended}", "hint: words stand in straight double quotes"),
    "quotes of a letter": ('{"type":“round_ended”}', "hint: words stand in straight double quotes"),
    "nothing": ("\n \n", "nothing to append"),
}


@pytest.fixture
def log(folder: Path) -> Path:
    return quarrel(folder / "halvaine.jsonl")


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


def test_hostile_names_are_kept_as_they_are_and_shown_harmlessly(log: Path) -> None:
    name = "\u001b[31mred\u001b[0m <b>[bold]../../x</b>\u202e"
    append(log, [JOIN | {"name": name}, {"type": "damage_dealt", "target": "ulf", "amount": 1}])
    assert shown(log)["combatants"]["ulf"]["name"] == name
    for verb in ("show", "log", "replay"):
        out = encounter(verb, log).stdout
        assert "\u001b" not in out
        assert "\u202e" not in out
        assert "\\x1b[31mred" in out
