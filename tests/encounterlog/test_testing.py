"""The pytest plugin, in processes of their own."""

import subprocess
import sys
from pathlib import Path

from tests.encounterlog.support import environment

TESTS = """
import pytest
import encounterlog as el

@pytest.mark.encounter("osric")
def test_an_orc_is_hit(encounter):
    encounter.tell("join ada party hp=9")
    encounter.tell("join orc*2 orcs hp=6")
    encounter.tell("ada hits orc-1 14 4")
    assert encounter.state().combatants["orc-1"].hp.value == 2

def test_an_engine_feeds_its_events(make_encounter, encounter_clock):
    log = make_encounter("plain", title="From another engine")
    encounter_clock("2026-05-01T12:00:00.000000Z")
    log.append({"type": "combatant_joined", "combatant": "bo", "sheet": {"hp": 20}})
    for target, points in (("bo", 7), ("bo", 3)):
        log.append({"type": "damage_dealt", "target": target, "amount": points})
    assert log.state()["bo.hp"].value == 10
    assert {record.at for record in log if record.seq > 1} == {"2026-05-01T12:00:00.000000Z"}

def test_a_rule_is_broken(make_encounter):
    log = make_encounter("osric", spoil_cause="hit")
    log.tell("join ada party hp=9")
    log.tell("r")
    assert [each.rule for each in log.audit().findings] == ["surprise.checked-at-start"]
"""
SCRIPT = """ruleset osric
encounter An orc
join ada party hp=9
join orc orcs hp=6
ada orc 14 4
expect orc.hp = {}
"""


def pytest_of(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "encounterlog.testing", "-p", "no:cacheprovider", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment())


def test_encounters_are_fixtures_and_scripts_are_tests_whose_failures_show_the_round(folder: Path) -> None:
    (folder / "test_mine.py").write_text(TESTS, "utf-8")
    (folder / "good.enc").write_text(SCRIPT.format(2), "utf-8")
    (folder / "bad.enc").write_text(SCRIPT.format(3), "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nencounter_files = *.enc\n", "utf-8")
    done = pytest_of(folder)
    assert "1 failed, 4 passed" in done.stdout, done.stdout
    assert "bad.enc, line 6: " in done.stdout
    assert "5  orc takes 4 damage" in done.stdout
    assert "Traceback" not in done.stdout


def test_scripts_are_collected_only_where_the_option_names_them(folder: Path) -> None:
    (folder / "good.enc").write_text(SCRIPT.format(2), "utf-8")
    assert pytest_of(folder).returncode == 5


def test_where_it_is_not_used_it_loads_nothing_of_ours() -> None:
    code = "import sys, encounterlog.testing; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment())
    assert not {name for name in done.stdout.split() if name.split(".")[0] in ("msgspec", "eventstore", "projections")}
