"""`whatif` and `diff`: forks in memory and as logs of their own, and what differs between two accounts."""

import json
from pathlib import Path

import pytest

from tests.encounterlog.fights import fixture
from tests.encounterlog.support import append, encounter, findings, log_of, shown

TEN = "osric/s12-ten-in-three-rounds"
FOUGHT = """\
{"type":"combatant_joined","combatant":"ana","name":"Ana\\u001b[31m","sheet":{"hp":14}}
{"type":"damage_dealt","target":"ana","amount":4}
{"event":{"type":"damage_dealt","target":"ana","amount":7},"secret":true}
"""


@pytest.fixture
def log(folder: Path) -> Path:
    return log_of(folder / "a.jsonl", FOUGHT, "plain", "A fight")


def test_corrections_of_all_kinds_go_together_and_withheld_ones_stay(log: Path) -> None:
    hurt = '{"type":"damage_dealt","target":"ana","amount":2}'
    more = ("--strike", "3", "--amend", "4", '{"amount":1}', "--insert-after", "4", hurt)
    found = json.loads(encounter("whatif", log, *more, "--json").stdout)
    assert [(one["address"], one["before"], one["after"]) for one in found["values"]] == [("ana.hp", 3, 11)]
    assert encounter("export", "jsonl", log, "--to", "cut.jsonl", "--withhold", "secret").exit_code == 0
    assert encounter("whatif", "cut.jsonl", "--strike", "3", "--save", "b.jsonl").exit_code == 0
    assert json.loads(encounter("verify", "b.jsonl", "--json").stdout)["withheld"] == [4]


def test_another_reading_shows_its_findings_and_is_saved_with_its_option(folder: Path) -> None:
    log = fixture(folder, TEN)
    done = encounter("whatif", log, "--option", "missile-initiative=win-only", "--save", "b.jsonl")
    told = done.stdout
    assert "  options.missile-initiative  shift     win-only" in told
    assert "Findings only in what if" in told
    assert "event 60: initiative.missile-dexterity (breach): Bram is due in segment 4" in told
    assert shown(folder / "b.jsonl")["options"]["missile-initiative"] == "win-only"
    assert len(findings(folder / "b.jsonl")) == len(findings(log)) + told.count("(breach)")


@pytest.mark.parametrize(("words", "code", "says"), [
    ((), 2, "nothing is to be different"),
    (("--strike", "99"), 4, "there is no record 99 before this one"),
    (("--strike", "1"), 4, "the first record cannot be corrected"),
    (("--strike", "x"), 2, "--strike: 'x' is not a whole number from 1"),
    (("--amend", "3", "{"), 4, "'{' is no fact"),
    (("--amend", "3", '{"amount":"x"}'), 4, "amount"),
    (("--insert-after", "3", '{"type":"damage_delt"}'), 4, "unknown event type damage_delt"),
    (("--option", "x=y"), 2, "no option of plain is called 'x'"),
    (("--strike", "3", "--at", "99"), 2, "this log has no record 99"),
    (("--strike", "3", "--as-of", "3", "--save", "b.jsonl"), 2, "--save does not go with --as-of"),
])  # fmt: skip
def test_what_cannot_be_asked_is_refused(log: Path, words: tuple[str, ...], code: int, says: str) -> None:
    done = encounter("whatif", log, *words)
    assert (done.exit_code, done.stdout, says in done.stderr) == (code, "", True), done.stderr


# ---------------------------------------------------------------- diff


@pytest.mark.parametrize("point", ["r1", "3", "@3"])
def test_one_point_alone_is_no_log_unless_a_file_has_its_name(log: Path, folder: Path, point: str) -> None:
    done = encounter("diff", log, point)
    assert (done.exit_code, done.stderr.splitlines()[0]) == (
        2,
        f"encounter: {point} is one point, and two are compared",
    )
    (folder / point).write_bytes(log.read_bytes())
    assert encounter("diff", log, point).exit_code == 0
    assert "nosuch is not there" in encounter("diff", log, "nosuch").stderr


def test_logs_without_a_common_past_are_refused_and_damaged_ones_told(folder: Path, log: Path) -> None:
    done = encounter("diff", log, log_of(folder / "c.jsonl", FOUGHT, "plain"))
    assert (done.exit_code, "have no common past" in done.stderr) == (2, True)
    assert encounter("diff", log, "nowhere.jsonl").exit_code == 3
    assert encounter("diff", log, "soon", "r1").exit_code == 2
    append(log, '{"type":"noted","text":"the end"}')
    log.write_bytes(log.read_bytes().replace(b"the end", b"the odd"))
    for done in (encounter("diff", log, "2", "3"), encounter("whatif", log, "--strike", "3")):
        assert (done.exit_code, "ana.hp" in done.stdout, "its event was changed" in done.stderr) == (3, True, True)
