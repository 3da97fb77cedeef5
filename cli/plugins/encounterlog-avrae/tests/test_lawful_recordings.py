"""Lawful play as a bot records it: the audit finds no breach, and no notice but those that are true."""

from pathlib import Path

import pytest

from encounterlog.importers import importing
from encounterlog.log.logs import LogView
from projections.judging.audit import audit

RECORDINGS = Path(__file__).parent / "recordings" / "lawful"
NOTICES = {"fortitude.jsonl.gz": ["healing.not-the-dead", "dead.out"], "shapes.jsonl.gz": ["healing.not-the-dead"]}
"""What nobody can know of a monster without a stat block: whether it has a trait that keeps it alive, or is another shape."""


@pytest.mark.parametrize("path", sorted(RECORDINGS.glob("*.gz")), ids=lambda path: path.name)
def test_lawful_play_that_a_bot_kept_has_no_finding_that_is_false(tmp_path: Path, path: Path) -> None:
    done = importing.run_import("fireball", str(path), str(tmp_path / "fight.jsonl"), None, "gm", ruleset="5e")
    assert (done.problems, done.differences) == ((), ())
    findings = audit(LogView(str(tmp_path / "fight.jsonl"))).findings
    assert [one.rule for one in findings] == NOTICES.get(path.name, [])
    assert {one.severity for one in findings} <= {"notice"}
