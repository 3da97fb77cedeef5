"""Every command that takes a log, with files that are none, damaged logs, and logs full of hostile text.

Each ends with a sentence and a known exit code: no traceback, no bug, no command to the terminal, and no reader writes.
"""

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from encounterlog.cli.main import COMMANDS
from tests.encounterlog.support import encounter, fingerprint, log_of, opened
from tests.few import few

ASKED: dict[str, tuple[tuple[object, ...], ...]] = {
    "show": ((), ("--all",), ("--why",), ("--json",), ("--at", "r1"), ("--as-of", "2")),
    "log": ((), ("--struck",), ("--where", "ana.hp <= 0"), ("--where", "ana.hp <= 0", "--turns", "--json")),
    "replay": ((), ("--json",), ("--list", "--at", "2")),
    "why": (
        ("ana.hp",), ("ana.hp", "--all"), ("ana.hp", "--short"), ("order", "--json"), ("finding", "1"), ("finding", "@3"),
        ("ana", "before", "bo"), ("ana", "cannot", "act"),
    ),
    "may": ((), ("ana",), ("bo", "--json"), ("--at", "2")),
    "blame": (("ana.hp",), ("ana.hp", "--json")),
    "first": (("ana.hp <= 0",), ("round >= 1", "--json")),
    "whatif": (("--strike", "3"), ("--strike", "3", "--json"), ("--insert-after", "2", '{"type":"noted","text":"x"}')),
    "diff": (("1", "3"), ("@2", "@3"), ("2", "3", "--json")),
    "audit": ((), ("--complete",), ("--complete", "--json")),
    "verify": ((), ("--json",)),
    "head": ((),),
    "stats": ((),),
    "undo": ((), ("2", "--dry-run", "--with-consequences")),
    "redo": ((), ("--dry-run",)),
    "strike": (("3", "--alone"), ("3", "--dry-run", "--with-consequences")),
    "amend": (("3", "amount=1"), ("3", "amount=1", "--dry-run")),
    "ruling": (("fact", "so be it"), ("override", "so be it", "--set", "ana.hp=3", "--dry-run")),
    "add": (("ana", "4"), ("-- the bridge creaks",)),
    "append": ((),),
    "play": ((),),
    "repair": (("--dry-run",), ()),
    "dice": ((), ("--json",), ("start",)),
}  # fmt: skip
"""What is asked of a log, or done to it, by each command that takes one as its first argument."""
OTHERWISE = {
    "demo", "new", "list", "import", "export", "run", "fmt", "rules", "schema", "sign", "grammar", "serve", "invite",
    "migrate", "backup", "restore", "remove", "srd", "mcp",
}  # fmt: skip
"""Commands that take no log, or not first; they have tests of their own."""
KNOWN = {0, 1, 2, 3, 4, 5, 6}
UNSEEN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")

NAME = "=HYPERLINK(\u202e\u001b]0;x\u0007<b>*../../etc|`$(reboot)`{{x}}\u200b"
FACTS: list[dict[str, Any]] = [
    {"type": "combatant_joined", "combatant": "ana", "name": NAME, "side": "a-1", "sheet": {"hp": 9}},
    {"type": "damage_dealt", "target": "ana", "amount": 2**53 - 1},
    {"type": "combatant_joined", "combatant": "bo", "name": NAME, "side": "a-1", "sheet": {"hp": -(2**53) + 1}},
    {"type": "round_started", "round": 2**53 - 1}, {"type": "turn_started", "combatant": "bo"},
    {"type": "action_taken", "combatant": "bo", "action": {"kind": NAME, "name": NAME, "targets": ["ana"] * 60}},
    {"type": "damage_dealt", "target": "ana", "amount": 1, "cause": -1, "segment": 2**53 - 1},
    {"type": "condition_gained", "condition": NAME, "targets": ["ana", "bo"]},
    {"type": "effect_started", "effect": NAME, "targets": ["ana"], "duration": {"amount": 2**53 - 1, "unit": "year"}},
    {"type": "checked", "values": {"ana.hp": 9, NAME: NAME, "order": [["ana"], "bo"], "ana.status": [[]], "x" * 119: 1}},
    {"type": "ruling_made", "ruling": "override", "decision": NAME, "values": {"ana.hp": NAME, "order": ["bo", "bo"]}},
    {"type": "struck", "event": 7, "reason": NAME}, {"type": "struck", "event": 13},
    {"type": "amended", "event": 3, "replacement": {"type": "noted", "text": NAME}},
    {"type": "inserted", "after": 5, "fact": {"type": "damage_dealt", "target": "bo", "amount": 1}}, {"type": "noted", "text": NAME},
]  # fmt: skip


def plain(path: Path) -> Path:
    return log_of(path, FACTS, "plain", NAME)


def spoiled(path: Path) -> Path:
    opened(path, "plain")
    for fact in FACTS[:4]:
        assert encounter("append", path, stdin=json.dumps(fact)).exit_code == 0
    path.write_bytes(path.read_bytes().replace(b'"round":9', b'"round":8'))
    return path


def raw(data: bytes) -> Any:
    def write(path: Path) -> Path:
        path.write_bytes(data)
        return path

    return write


FILES: dict[str, Any] = {
    "hostile text and numbers": plain, "a changed record": spoiled, "only opened": lambda path: opened(path, "plain"), "empty": raw(b""),
    "an empty line": raw(b"\n"), "no JSON": raw(b"\x00\xff\xfe\x1b]0;owned\x07\n" * 9), "another JSON": raw(b'{"name":"\\u001b[31m"}\n'),
    "deep JSON": raw(b'{"seq":1,"event":' + b"[" * 5000 + b"\n"), "a long line": raw(b'{"seq":1,"at":"' + b"x" * 300_000 + b'"}\n'),
    "a torn line": raw(b'{"seq":1,"at":"2000-01-01T00:00:00.000000Z","by":"gm"'),
}  # fmt: skip


def test_every_command_that_takes_a_log_is_asked() -> None:
    assert set(COMMANDS) <= ASKED.keys() | OTHERWISE
    assert {"why", "blame", "first", "whatif", "diff", "undo", "redo", "strike", "amend", "ruling"} <= ASKED.keys()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("made")
    return {kind: make(folder / f"{number}.jsonl").read_bytes() for number, (kind, make) in enumerate(FILES.items())}


@few(25, ("verb", "kind"), product([verb for verb in ASKED if verb in COMMANDS], FILES))
def test_it_ends_with_a_sentence_and_a_known_code(folder: Path, made: dict[str, bytes], verb: str, kind: str) -> None:
    for words in ASKED[verb]:
        path = folder / "a.jsonl"
        path.write_bytes(made[kind])
        before = fingerprint(path)
        done = encounter(verb, path, *words, stdin='{"type":"noted","text":"x"}')
        said = f"{verb} {words}: {done.exit_code} {done.stdout[-600:]} {done.stderr[-600:]}"
        assert done.exit_code in KNOWN, said
        assert "a bug in encounterlog" not in done.stderr, said
        assert not UNSEEN.search(done.stdout + done.stderr), said
        if done.exit_code > 1:
            assert done.stderr.startswith("encounter: ") or "\nencounter: " in f"\n{done.stderr}", said
        if not COMMANDS[verb].writes or "--dry-run" in words:
            assert fingerprint(path) == before, said


@pytest.mark.parametrize("verb", [verb for verb in ASKED if verb in COMMANDS])
def test_a_folder_and_nothing_at_all_are_no_logs(folder: Path, verb: str) -> None:
    for words in ASKED[verb][:1]:
        for path in (folder, folder / "nowhere.jsonl", folder / "no" / "where.jsonl", Path("\x1b[31m")):
            done = encounter(verb, path, *words, stdin='{"type":"noted","text":"x"}')
            assert done.exit_code in KNOWN - {0}, (verb, done.stdout, done.stderr)
            assert "a bug" not in done.stderr
            assert not UNSEEN.search(done.stdout + done.stderr)
