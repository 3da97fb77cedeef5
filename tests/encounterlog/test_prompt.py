"""At the prompt: what may be written shorter, what hints say, what an append says of the rules, facts typed one by one."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.encounterlog.support import BREACH, append, encounter, environment, fingerprint, log_of


def records(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line)["event"] for line in log.read_text("utf-8").splitlines()]


def refused(log: Path, fact: str) -> str:
    before = fingerprint(log)
    done = encounter("append", log, "-", stdin=fact)
    assert (done.exit_code, done.stdout, fingerprint(log)) == (4, "", before)
    return done.stderr


# ---------------------------------------------------------------- shorthand


@pytest.mark.parametrize(("short", "long"), [
    ({"action": "attack"}, {"action": {"kind": "attack"}}),
    ({"action": "cast sleep"}, {"action": {"kind": "cast", "name": "sleep"}}),
    ({"action": {"kind": "cast", "time": "1 round"}}, {"action": {"kind": "cast", "time": {"amount": 1, "unit": "round"}}}),
    ({"action": {"kind": "cast", "delay": "2 segments"}}, {"action": {"kind": "cast", "delay": {"amount": 2, "unit": "segment"}}}),
])  # fmt: skip
def test_what_is_written_short_stands_in_the_log_as_an_object(
    log: Path, short: dict[str, Any], long: dict[str, Any]
) -> None:
    append(log, [{"type": "action_declared", "combatant": "brand"} | short])
    append(log, [{"type": "action_declared", "combatant": "brand"} | long])
    assert records(log)[-2] == records(log)[-1]
    assert encounter("verify", log).exit_code == 0


# ---------------------------------------------------------------- hints


@pytest.mark.parametrize(
    ("fact", "hint"),
    [
        ('{"type":"condition_gained","condition":"prone","combatants":["brand"]}', "did you mean targets?"),
        ('{"type":"damage_dealt","combatant":"brand","amount":1}', "did you mean target?"),
        ('{"type":"initiative_rolled","side":"orcs","roll":1}', "did you mean die?"),
        ('{"type":"placed","combatant":"brand","at":[1,2]}', "did you mean square?"),
        ('{"type":"action_taken","combatant":"brand","targets":["orc-1"]}', 'within the action: {"action":{"kind":"attack","targets":'),
        ('{"type":"inserted","after":3,"fact":{"type":"noted","note":"x"}}', "did you mean text?"),
        ('{"type":"combatant_joined","combatant":"ulf","sheet":"9 hp"}', 'a line that would do: {"type":"combatant_joined","combatant":"ulf","sheet":{"hp":9}}'),
        ('{"type":"combatant_joined","combatant":"Ulf"}', 'a line that would do: {"type":"combatant_joined","combatant":"halvaine",'),
        ('{"type":"effect_started","effect":"bless","duration":"a while"}', 'such as "1 round", or {"amount":1,"unit":"round"}'),
        ('{"type":"action_taken","combatant":"brand","action":{"kind":"cast","time":"soon"}}', 'such as "1 round"'),
    ],
)  # fmt: skip
def test_a_hint_names_the_field_that_was_meant_or_shows_a_line(log: Path, fact: str, hint: str) -> None:
    assert f"hint: {hint}" in refused(log, fact) or hint in refused(log, fact).partition("hint: ")[2]


# ---------------------------------------------------------------- findings


def test_a_waived_breach_is_not_said_and_of_many_findings_the_first(log: Path) -> None:
    ruling = '{"type":"ruling_made","ruling":"waiver","rule":"spell.spoiled-by-interruption","decision":"So be it."}'
    assert encounter("append", log, stdin=BREACH + ruling).stderr == ""
    done = encounter("append", log, stdin='{"type":"segment_reached","segment":11}\n' * 14)
    assert done.stderr.count("\nline ") + 1 == 10
    assert done.stderr.endswith("findings more: encounter audit FILE\n")


# ---------------------------------------------------------------- line by line


def typed(log: Path, text: str, *words: str) -> tuple[int, str, str]:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "encounterlog", "append", str(log), *words]
    with subprocess.Popen(
        command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as child:
        os.close(theirs)
        os.write(ours, text.encode() + b"\x04")
        out, error = child.communicate(timeout=60)
    os.close(ours)
    return child.returncode, out.decode(), error.decode()


def test_facts_typed_at_a_terminal_are_written_line_by_line(log: Path) -> None:
    code, out, error = typed(
        log, '{"type":"noted","text":"one"}\n\n{"type":"noted","txt":"two"}\n{"type":"noted","text":"three"}\n'
    )
    assert out == "1 fact appended: record 20\n1 fact appended: record 21\n"
    assert error.startswith(
        "one fact per line, as JSON; each is written immediately; help lists the types, Ctrl-D ends\n"
    )
    assert "line 3, txt: no field of noted\n      hint: did you mean text?" in error
    assert code == 4, "one of them was refused"
    assert [one["text"] for one in records(log)[-2:]] == ["one", "three"]


def test_help_and_quit_are_words_at_the_prompt(log: Path) -> None:
    code, out, error = typed(log, "help damage_dealt\nhelp non-lethal\nhelp demage\nhelp zz\nquit\n")
    assert (code, out) == (0, "")
    assert "Example:" in error
    assert "healed        A gain of hit points" in error
    assert "no type of fact has the word demage; did you mean damage_dealt?" in error
    assert "no type of fact has the word zz; help lists them" in error
    before = log.read_bytes()
    for words, stdin in (("help",), ""), (("-",), "help\n"):
        done = encounter("append", log, *words, stdin=stdin)
        assert (done.exit_code, done.stderr, log.read_bytes()) == (0, "", before)
        assert "damage_dealt" in done.stdout
    code, out, error = typed(log, 'help\n{"type":"noted","text":"one"}\nquit\n{"type":"noted","text":"two"}\n')
    assert (code, out) == (0, "1 fact appended: record 20\n")
    assert error.count("one fact per line, as JSON") == 2
    assert "help TYPE lists the fields of one" in error


def test_references_typed_at_a_prompt_count_back_over_what_was_typed(log: Path) -> None:
    hurt = {"type": "damage_dealt", "target": "brand", "amount": 1, "cause": -1}
    amend = {"type": "amended", "event": -1, "replacement": {"amount": 2}}
    lines = [{"type": "noted", "text": "a trap"}, hurt, amend, hurt | {"cause": -9}]
    code, out, error = typed(log, "".join(json.dumps(line) + "\n" for line in lines))
    assert (code, out.count("1 fact appended")) == (4, 3)
    assert "line 4 damage_dealt, cause: -9 reaches back beyond this append" in error
    assert [one.get("cause") for one in records(log)[-3:-1]] == [None, 20]
    assert records(log)[-1]["replacement"] == hurt | {"amount": 2, "cause": 20}


# ---------------------------------------------------------------- amendments


def test_amendments_go_on_from_each_other_and_need_what_is_there(log: Path) -> None:
    append(log, [{"type": "amended", "event": 19, "replacement": {"amount": 1}}])
    append(log, [{"type": "amended", "event": 19, "replacement": {"nonlethal": True}, "reason": "flat of the spear"}])
    wanted = {"type": "damage_dealt", "target": "halvaine", "amount": 1, "nonlethal": True}
    assert records(log)[-1]["replacement"] == wanted
    append(log, [{"type": "amended", "event": 21, "replacement": {"amount": 2}}])
    assert records(log)[-1]["replacement"] == wanted | {"amount": 2}
    from eventstore.chain import withhold_payload

    append(log, [{"type": "noted", "text": "secret"}])
    data = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*data[:-1], withhold_payload(data[-1])]))
    assert "give the whole replacement, with its type" in refused(
        log, '{"type":"amended","event":23,"replacement":{"text":"x"}}'
    )


@pytest.mark.parametrize(("event", "change", "reason"), [
    (99, {"amount": 1}, "event: there is no record 99 before this one"),
    (-9, {"amount": 1}, "event: -9 reaches back beyond this append"),
    (1, {"title": "x"}, "event: record 1 cannot be amended"),
    (19, {"amuont": 1}, "replacement.amuont: no field of damage_dealt\n      hint: did you mean amount"),
    (19, {"amount": "one"}, "replacement.amount: expected a whole number, got text"),
])  # fmt: skip
def test_what_cannot_be_completed_is_refused(log: Path, event: int, change: dict[str, Any], reason: str) -> None:
    fact = json.dumps({"type": "amended", "event": event, "replacement": change})
    assert reason in refused(log, fact)


# ---------------------------------------------------------------- listings


@pytest.mark.parametrize("verb", ["log", "replay"])
def test_a_round_that_is_not_there_is_said(log: Path, verb: str) -> None:
    done = encounter(verb, log, "--round", "7")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("encounter: no round 7: this log has 1 round\n")
    early = log_of(log.with_name("early.jsonl"), [{"type": "noted", "text": "x"}], "plain")
    assert "no round 1: no round has begun in this log" in encounter(verb, early, "--round", "1").stderr
    assert encounter(verb, early, "--round", "0").exit_code == 0


def test_rules_lists_the_clauses_that_begin_with_what_was_typed() -> None:
    told = encounter("rules", "osric", "spell").stdout.splitlines()
    assert len(told) > 5
    assert all(line.startswith("  spell") for line in told[1:] if line.startswith("  ") and "." in line.split()[0])
    found = json.loads(encounter("rules", "osric", "spell", "--json").stdout)
    assert {one["id"].partition(".")[0] for one in found["rules"]} == {"spell"}
    assert encounter("rules", "osric", "spelt").exit_code == 2
