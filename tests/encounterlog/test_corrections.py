"""undo, redo, strike, amend, ruling, strikes with consequences: corrections are facts; what hangs on them is shown; nothing is erased."""

import json
from pathlib import Path
from typing import Any

import pytest

from encounterlog.cli import correct
from encounterlog.log.logs import LogView
from tests.encounterlog.support import append, encounter, findings, fingerprint, log_of, shown

FOUGHT = """\
{"type":"combatant_joined","combatant":"ana","name":"Ana","sheet":{"hp":14}}
{"type":"combatant_joined","combatant":"bo","sheet":{"hp":9}}
"""
BLOW = """\
{"type":"action_taken","combatant":"bo","action":{"kind":"attack","name":"axe","targets":["ana"]}}
{"type":"damage_dealt","target":"ana","amount":4,"source":"bo","cause":-1}
"""


@pytest.fixture
def log(folder: Path) -> Path:
    log = log_of(folder / "a.jsonl", FOUGHT, "plain")
    append(log, BLOW)
    append(log, '{"type":"damage_dealt","target":"ana","amount":7,"cause":4}')
    return log


def hp(log: Path) -> int:
    found: int = shown(log)["combatants"]["ana"]["hp"]
    return found


def last(log: Path) -> dict[str, Any]:
    (*_, record) = LogView(str(log))
    found: dict[str, Any] = json.loads(log.read_text().splitlines()[-1])["event"]
    assert record.event is not None
    return found


def ok(*words: object, stdin: str = "") -> str:
    done = encounter(*words, stdin=stdin)
    assert done.exit_code == 0, done.stderr
    return done.stdout


# ---------------------------------------------------------------- undo and redo


def test_undo_goes_back_append_by_append_and_redo_forward(log: Path) -> None:
    assert hp(log) == 3
    assert ok("undo", log) == "  event 6 is struck (undo): Ana takes 7 damage\n1 fact appended: record 7\n"
    assert hp(log) == 10
    assert "event 5 is struck (undo)" in ok("undo", log)
    assert hp(log) == 14
    ok("redo", log)
    assert hp(log) == 10
    ok("redo", log)
    assert hp(log) == 3
    ok("undo", log, "2", "--because", "all wrong")
    assert (hp(log), last(log)["reason"]) == (14, "undo: all wrong")
    ok("redo", log)
    assert hp(log) == 3


def test_what_is_appended_after_an_undo_makes_it_final(log: Path) -> None:
    ok("undo", log)
    append(log, '{"type":"damage_dealt","target":"ana","amount":1}')
    done = encounter("redo", log)
    assert (done.exit_code, "cannot redo 1: nothing can be redone" in done.stderr) == (2, True)
    ok("undo", log, "2")
    assert hp(log) == 14


INSERTED = """\
{"type":"inserted","after":3,"fact":{"type":"action_taken","combatant":"bo","action":{"kind":"attack","targets":["ana"]}}}
"""


def test_what_hangs_on_an_undone_fact_is_listed_until_somebody_chooses(folder: Path) -> None:
    log = log_of(folder / "b.jsonl", FOUGHT, "plain")
    append(log, '{"type":"damage_dealt","target":"ana","amount":7,"source":"bo"}')
    append(log, INSERTED)
    before = fingerprint(log)
    done = encounter("undo", log)
    assert (done.exit_code, done.stdout, fingerprint(log)) == (2, "", before)
    assert (
        "1 fact depends on a struck fact; nothing was written\n      4  Ana takes 7 damage from bo (from 5)"
        in done.stderr
    )
    assert (ok("undo", log, "--alone").count("struck"), hp(log)) == (1, 7)
    ok("redo", log)
    assert (ok("undo", log, "--with-consequences").count("struck (undo)"), hp(log)) == (2, 14)
    ok("redo", log)
    assert hp(log) == 7


def test_a_strike_can_be_undone_and_what_opens_a_log_cannot(log: Path) -> None:
    ok("strike", log, "6")
    ok("undo", log)
    assert hp(log) == 3
    done = encounter("undo", log, "4")
    assert (done.exit_code, "cannot undo 4: 3 appends can be undone" in done.stderr) == (2, True)
    ok("undo", log, "3")
    assert shown(log)["combatants"] == {}
    done = encounter("undo", log)
    assert (done.exit_code, "nothing is left to undo" in done.stderr) == (2, True)
    assert encounter("undo", log).exit_code == encounter("undo", log, "0").exit_code == 2


# ---------------------------------------------------------------- strike


def test_what_hangs_on_a_struck_fact_is_listed_until_somebody_chooses(log: Path) -> None:
    before = fingerprint(log)
    done = encounter("strike", log, "4")
    assert (done.exit_code, done.stdout, fingerprint(log)) == (2, "", before)
    assert done.stderr.splitlines() == [
        "encounter: 2 facts depend on a struck fact; nothing was written",
        "      5  Ana takes 4 damage from bo (from 4)",
        "      6  Ana takes 7 damage (from 4)",
        "hint: --with-consequences strikes them too, --alone leaves them",
    ]


@pytest.mark.parametrize(("answer", "code", "left"), [("with", 0, 14), ("alone", 0, 3), ("", 2, 3), ("stop", 2, 3)])
def test_a_terminal_asks(log: Path, monkeypatch: pytest.MonkeyPatch, answer: str, code: int, left: int) -> None:
    monkeypatch.setattr(correct, "_is_interactive", lambda: True)
    done = encounter("strike", log, "4", stdin=f"{answer}\n")
    assert (done.exit_code, hp(log)) == (code, left)
    assert "    5  Ana takes 4 damage from bo (from 4)" in done.stdout


# ---------------------------------------------------------------- amend and ruling


def test_an_amendment_changes_fields_by_their_names(log: Path) -> None:
    assert ok("amend", log, "6", "amount=2", "--because", "misread").splitlines()[0] == (
        "  event 6 is amended: Ana takes 2 damage (misread)"
    )
    assert hp(log) == 8
    ok("amend", log, "4", "action.name=spear", 'action.manner=["reckless"]')
    assert last(log)["replacement"]["action"] == {
        "kind": "attack", "name": "spear", "targets": ["ana"], "manner": ["reckless"],
    }  # fmt: skip


# ---------------------------------------------------------------- what they have in common


@pytest.mark.parametrize(
    "words",
    [
        ("undo",), ("strike", "6"), ("strike", "4", "--with-consequences"), ("amend", "6", "amount=1"),
        ("ruling", "override", "x", "--set", "ana.hp=9"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_dry_run_writes_nothing_and_shows_what_would_change(log: Path, words: tuple[str, ...]) -> None:
    before, verb, *rest = fingerprint(log), *words
    told = ok(verb, log, *rest, "--dry-run")
    assert fingerprint(log) == before
    assert " would be appended:\n" in told
    (row,) = [line.split() for line in told.splitlines() if line.startswith("  ana.hp ")]
    ok(verb, log, *rest)
    assert str(hp(log)) == row[2]


@pytest.mark.parametrize(("words", "code", "says"), [
    (("strike", "99"), 4, "there is no record 99 before this one"),
    (("strike", "1"), 4, "the first record cannot be corrected"),
    (("amend", "6", "amount"), 2, "'amount' is not FIELD=VALUE"),
    (("amend", "6", f"amount={'9' * 20}"), 4, f"{'9' * 20} is beyond ±9,007,199,254,740,991"),
    (("amend", "6", "amuont=3"), 4, "amuont"),
    (("amend", "6", "amount={"), 4, "is not JSON"),
    (("amend", "6", "a=1", "a.b=2"), 2, "lies within a field that is set to a value"),
    (("amend", "4", "action.name=axe", 'action={"kind":"attack"}'), 2, "'action' has a value already"),
    (("ruling", "verdict", "x"), 2, "verdict"),
    (("ruling", "override", "x", "--set", "ana"), 2, "'ana' is not ADDRESS=VALUE"),
    (("ruling", "tie", "x", "--combatant", "cy"), 4, "no combatant cy has joined"),
    (("undo", "6"), 2, "encounter strike FILE N takes out record N"),
], ids=str)  # fmt: skip
def test_what_cannot_be_corrected_is_refused_and_nothing_written(
    log: Path, words: tuple[str, ...], code: int, says: str
) -> None:
    before, verb, *rest = fingerprint(log), *words
    done = encounter(verb, log, *rest)
    assert (done.exit_code, done.stdout, fingerprint(log)) == (code, "", before)
    assert says in done.stderr


def test_a_ruling_that_does_nothing_says_so(log: Path) -> None:
    done = encounter("ruling", log, "override", "so be it")
    assert (done.exit_code, done.stderr.startswith("note: it sets no value")) == (0, True)
    assert encounter("ruling", log, "override", "so be it", "--set", "ana.hp=3").stderr == ""
    assert encounter("ruling", log, "reveal", "there it is").stderr.startswith("note: it reveals nothing")
    assert encounter("ruling", log, "reveal", "there it is", "--event", "3").stderr == ""


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


def test_a_strike_with_consequences_strikes_what_it_caused_once(tmp_path: Path) -> None:
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
    log = log_of(tmp_path / "log-2.jsonl", HIT, ruleset="plain")
    strikes = '{"type":"struck","event":7}\n{"type":"struck","event":6}'
    assert encounter("append", log, "--with-consequences", stdin=strikes).output.endswith("what caused it: 8\n")
    again = encounter("append", log, "--with-consequences", stdin='{"type":"noted","text":"so be it"}')
    assert again.output == "1 fact appended: record 13\n"
    log = log_of(tmp_path / "log-3.jsonl", HIT, ruleset="plain")
    done = encounter("append", log, "--with-consequences", "--key", "k", stdin='{"type":"struck","event":6}')
    assert done.exit_code == 2
    assert "--key does not go with --with-consequences" in done.stderr


@pytest.mark.parametrize("options", [(), ("--struck",)])
def test_a_fact_without_effect_is_listed_in_the_turn_in_which_it_stands(log: Path, options: tuple[str, ...]) -> None:
    """It stood in the turn after it, or in none."""
    turns = [{"type": "turn_started", "combatant": who} for who in ("ana", "cy")]
    blow = {"type": "damage_dealt", "target": "bo", "amount": 2}
    cy = {"type": "combatant_joined", "combatant": "cy", "sheet": {"hp": 9}}
    append(log, [cy, {"type": "round_started", "round": 1}, turns[0], blow, turns[1]])
    ok("strike", log, 3, "--alone")
    rows = {row["seq"]: row for row in map(json.loads, ok("log", log, "--json", *options).splitlines())}
    assert rows[10]["note"].startswith("no effect")
    assert rows[10]["when"] == {"round": 1, "turn": "ana"}
