"""Versions of event types at the command: either reads alike, what is written stays, what is yet to come is named."""

import json
from pathlib import Path
from typing import Any

import pytest

from encounterlog.log import appending as examples
from eventstore.record import EARLIER
from tests.encounterlog.json_schema import faults
from tests.encounterlog.support import append, encounter
from tests.eventstore.logs import rehashed

OLD, NEW = '{"type":"encounter_closed"}', '{"type":"encounter_closed.2","reason":"the orcs fled"}'


def told(log: Path, *words: str) -> list[str]:
    return [
        line.split("  ")[-1].strip()
        for line in encounter("log", log, *words).stdout.splitlines()
        if line[:5] >= "   20"
    ]


def rows(log: Path, *words: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in encounter("log", log, "--json", *words).stdout.splitlines()]


def said_later(log: Path, **events: str) -> None:
    """Put other events in the places of notes with these words, as a later version would write them."""
    data = log.read_bytes()
    for words, event in events.items():
        note = f'{{"type":"noted","text":"{words}"}}'.encode()
        assert note in data
        data = data.replace(note, event.encode())
    log.write_bytes(rehashed(data.splitlines(keepends=True)))


# ---------------------------------------------------------------- either version


def test_earlier_versions_are_carried_and_retried_without_a_reason(log: Path) -> None:
    append(log, '{"type":"noted","text":"x"}')
    append(log, f'{{"type":"amended","event":20,"replacement":{OLD}}}\n{{"type":"inserted","after":20,"fact":{OLD}}}')
    assert told(log) == ["the fight is over (as amended by 21)", "the fight is over"]
    assert "event 20 is amended: the fight is over" in told(log, "--struck")
    assert encounter("replay", log).exit_code == encounter("show", log).exit_code == 0
    for says in ("1 fact appended", "1 fact had already been appended"):
        assert says in encounter("append", log, "-", "--key", "end", stdin=OLD).stdout
    assert encounter("append", log, "-", "--key", "end", stdin=NEW).exit_code == 4
    done = encounter("append", log, "-", stdin='{"type":"encounter_closed","reason":"fled"}')
    assert done.exit_code == 4
    assert "line 1, reason: no field of encounter_closed\n      hint: encounter_closed.2 has it\n" in done.stderr


# ---------------------------------------------------------------- the schema


def test_each_version_has_its_page(log: Path) -> None:
    del log
    newest, old = encounter("schema", "encounter_closed.2").stdout, encounter("schema", "encounter_closed").stdout
    assert "  reason    text\n" in newest
    assert "Earlier versions, still read and accepted: encounter_closed\n" in newest
    assert "  (no fields)\n" in old
    assert "encounter_closed.2 is the newest" in old
    assert "arlier version" not in encounter("schema", "combatant_left").stdout


@pytest.mark.parametrize("tag", EARLIER)
def test_an_earlier_version_follows_the_schema_wherever_facts_go_in(log: Path, tag: str) -> None:
    root = json.loads(encounter("schema", "--json").stdout)
    fact = json.loads(examples.example_line(EARLIER[tag]))
    own = json.loads(encounter("schema", tag, "--json").stdout)
    assert faults(fact, own, own) == []
    for event in (
        fact,
        {"type": "amended", "event": 20, "replacement": fact},
        {"type": "inserted", "after": 20, "fact": fact},
    ):
        carrying = json.loads(encounter("schema", event["type"], "--json").stdout)
        assert faults(event, carrying, carrying) == []
        assert faults(event, root["$defs"]["input"], root) == []
        assert faults({"event": event, "secret": True}, root["$defs"]["input"], root) == []
        append(log, [event])
    for line in log.read_text("utf-8").splitlines():
        assert faults(json.loads(line), root["$defs"]["record"], root) == []
    for row in rows(log, "--struck"):
        assert faults(row, root["$defs"]["log"], root) == []


# ---------------------------------------------------------------- versions and types yet to come

LATER = {
    "A": '{"type":"dreamt","of":"sheep"}',
    "B": '{"type":"encounter_closed.9","reasons":["fled"]}',
    "C": '{"type":"damage_dealt.7"}',
    "D": '{"type":"dreamt.2"}',
}


@pytest.fixture
def later(log: Path) -> Path:
    """Give a log with events from a later version, two of them inside corrections."""
    append(log, '{"type":"noted","text":"A"}\n{"type":"noted","text":"B"}')
    append(log, '{"type":"amended","event":19,"replacement":{"type":"noted","text":"C"}}')
    append(log, '{"type":"inserted","after":12,"fact":{"type":"noted","text":"D"}}\n{"type":"struck","event":20}')
    said_later(log, **LATER)
    return log


NAMED = [
    f"a fact of a type unknown to this version: {name}"
    for name in ("dreamt", "encounter_closed.9", "damage_dealt.7", "dreamt.2")
]


def test_what_is_yet_to_come_is_named_verifies_and_stays(later: Path) -> None:
    assert told(later) == NAMED
    assert told(later, "--struck")[:4] == [f"{NAMED[0]} (struck by 24)", *NAMED[1:]]
    replayed = encounter("replay", later)
    assert (replayed.exit_code, [line in replayed.stdout for line in NAMED]) == (0, [True] * 4)
    assert ["event" in row for row in rows(later)[-4:]] == [False] * 4
    before = later.read_bytes()
    assert "of unknown type: 20-23\n" in encounter("verify", later).stdout
    append(later, NEW)
    assert later.read_bytes().startswith(before)
    assert "of unknown type: 20-23\n" in encounter("verify", later).stdout
