"""The quarrel, word for word through the real command: who was first, and was the mage still casting?"""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.encounterlog.support import (
    BREACH,
    QUARREL,
    TITLE,
    append,
    encounter,
    findings,
    log_of,
    quarrel,
    shown,
    spawn,
)


def words(done: subprocess.CompletedProcess[bytes]) -> tuple[int, str, str]:
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_the_quarrel_word_for_word() -> None:
    assert spawn("new", "halvaine.jsonl", "--ruleset", "osric", "--title", TITLE).returncode == 0
    done = spawn("append", "halvaine.jsonl", "-", stdin=QUARREL)
    assert words(done) == (0, "18 facts appended: records 2 to 19\n", "")
    assert json.loads(spawn("show", "halvaine.jsonl", "--json").stdout)["seq"] == 19
    done = spawn("audit", "halvaine.jsonl", "--json")
    assert (done.returncode, json.loads(done.stdout), done.stderr) == (0, {"findings": [], "leans_on": {}}, b"")
    assert spawn("append", "halvaine.jsonl", "-", stdin=BREACH).returncode == 0
    code, text, error = words(spawn("audit", "halvaine.jsonl"))
    assert (code, error) == (1, "")
    assert text.startswith(
        "1. line 21 (breach): sleep of halvaine was spoiled by event 19 and is given effect\n"
        "    (spell.spoiled-by-interruption)\n"
    )


@pytest.fixture
def log(folder: Path) -> Path:
    return quarrel(folder / "halvaine.jsonl")


def test_the_view_has_order_points_castings_and_who_is_out_with_reasons(log: Path) -> None:
    order = shown(log)["order"]
    assert [(slot["segment"], set(slot["combatants"])) for slot in order] == [
        (4, {"halvaine", "brand"}),
        (5, {"orc-1", "orc-2"}),
    ]
    for slot in order:
        assert "initiative.other-sides-die" in slot["because"]["rules"]
        assert slot["because"]["events"] == [11, 12], "the two dice"
    halvaine = shown(log)["combatants"]["halvaine"]
    assert (halvaine["hp"], halvaine["hp_max"], halvaine["concentration"]) == (6, 9, None)
    assert halvaine["because"]["hp"]["events"] == [2, 19]
    assert 19 in halvaine["because"]["concentration"]["events"]
    casting = entry(log, "halvaine")
    assert (casting["segment"], casting["name"], casting["status"]) == (4, "sleep", "spoiled")
    assert (casting["due"]["round"], casting["due"]["segment"]) == (1, 6)
    assert 19 in casting["because"]["events"]
    assert "spell.spoiled-by-interruption" in casting["because"]["rules"]
    orc = shown(log)["combatants"]["orc-1"]
    assert (orc["hp"], orc["status"], entry(log, "orc-1")["status"]) == (0, "out", "lost")
    for where in ("18", "r1s4"):
        halvaine = shown(log, "--at", where)["combatants"]["halvaine"]
        assert (halvaine["hp"], halvaine["concentration"]) == (9, "sleep")


def entry(log: Path, who: str) -> dict[str, Any]:
    return next(row for row in shown(log)["timeline"] if row["combatant"] == who)


def test_a_spoiled_spell_that_is_given_effect_is_found(log: Path) -> None:
    append(log, BREACH)
    (one,) = findings(log)
    assert (one["rule"], one["severity"]) == ("spell.spoiled-by-interruption", "breach")
    assert (one["line"], one["event"], one["because"], one["ruled"]) == (21, 21, [19], None)
    assert encounter("audit", log).exit_code == 1


UNHURT = "\n".join(QUARREL.splitlines()[:-1])


def test_without_the_damage_the_spell_takes_effect_in_segment_6(folder: Path) -> None:
    log = log_of(folder / "unhurt.jsonl", UNHURT)
    casting = entry(log, "halvaine")
    assert (casting["status"], casting["due"]["segment"]) == ("begun", 6)
    assert shown(log)["combatants"]["halvaine"]["concentration"] == "sleep"
    append(log, BREACH)
    assert findings(log) == []
    log = log_of(folder / "early.jsonl", UNHURT)
    append(log, BREACH.splitlines()[1])
    (one,) = findings(log)
    assert (one["rule"], one["line"]) == ("spell.completes-after-casting-time", 19)


def test_a_ruling_waives_the_breach_but_does_not_hide_it(log: Path) -> None:
    append(log, BREACH)
    ruling = {"type": "ruling_made", "ruling": "waiver", "decision": "It counts.", "event": 21}
    append(log, [ruling])
    (one,) = findings(log)
    assert one["ruled"] == 22
    done = encounter("audit", log)
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "1 ruled in 22 records")
