"""The quarrel, word for word through the real command: who was first, and was the mage still casting?"""

from pathlib import Path
from typing import Any

from tests.encounterlog.support import (
    BREACH,
    QUARREL,
    append,
    encounter,
    findings,
    log_of,
    shown,
)


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
