"""Twelve recorded fights as logs: the audit finds in each what a person found to be true of it, and nothing else."""

import tomllib
from pathlib import Path

from encounterlog.importers import importing
from encounterlog.log.logs import LogView
from projections.judging.audit import audit
from tests.few import few

FIXTURES = Path(__file__).parents[2] / "fixtures"
LOGS = sorted((FIXTURES / "recordings").glob("*.jsonl"))
FINDINGS = tomllib.loads((FIXTURES / "recordings" / "findings.toml").read_text("utf-8"))
ENGINE = FIXTURES / "5e" / "recordings"


def test_every_log_has_its_list_of_findings() -> None:
    assert [path.stem for path in LOGS] == sorted(FINDINGS)


@few(4, "path", LOGS, ids=lambda path: path.stem)
def test_a_recorded_fight_has_the_findings_that_a_person_judged_true(path: Path) -> None:
    found = [(one.line, one.severity, one.rule) for one in audit(LogView(str(path))).findings]
    assert found == [(one["line"], one["severity"], one["rule"]) for one in FINDINGS[path.stem]["findings"]]


def test_lawful_play_that_an_engine_tells_has_no_finding(tmp_path: Path) -> None:
    source, mapping = ENGINE / "engine.jsonl", ENGINE / "engine.toml"
    done = importing.run_import("events", str(source), str(tmp_path / "fight.jsonl"), None, "gm", mapping=str(mapping))
    assert (done.problems, done.differences) == ((), ())
    assert audit(LogView(str(tmp_path / "fight.jsonl"))).findings == ()
