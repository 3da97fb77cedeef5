"""`whatif` and `diff`: forks in memory and as logs of their own, and what differs between two accounts."""

import json
from pathlib import Path

import pytest

from encounterlog.log.logs import LogView
from tests.encounterlog.fights import fixture
from tests.encounterlog.support import append, encounter, findings, fingerprint, log_of, quarrel, shown

TEN = "osric/s12-ten-in-three-rounds"
FOUGHT = """\
{"type":"combatant_joined","combatant":"ana","name":"Ana\\u001b[31m","sheet":{"hp":14}}
{"type":"damage_dealt","target":"ana","amount":4}
{"event":{"type":"damage_dealt","target":"ana","amount":7},"secret":true}
"""


@pytest.fixture
def log(folder: Path) -> Path:
    return log_of(folder / "a.jsonl", FOUGHT, "plain", "A fight")


def test_a_fork_shows_what_would_differ_and_leaves_the_log_as_it_is(log: Path) -> None:
    before = fingerprint(log)
    done = encounter("whatif", log, "--strike", "3")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.split() == ["as", "it", "is", "what", "if", "ana.hp", "3", "7", "from", "record", "3"]
    assert fingerprint(log) == before


def test_a_field_that_changes_is_written_as_for_amend(log: Path) -> None:
    asked = [encounter("whatif", log, "--amend", "3", form, "--json") for form in ("amount=1", '{"amount":1}')]
    assert [done.exit_code for done in asked] == [0, 0]
    assert asked[0].stdout == asked[1].stdout


def test_corrections_of_all_kinds_go_together(log: Path) -> None:
    more = (
        "--strike",
        "3",
        "--amend",
        "4",
        '{"amount":1}',
        "--insert-after",
        "4",
        '{"type":"damage_dealt","target":"ana","amount":2}',
    )
    found = json.loads(encounter("whatif", log, *more, "--json").stdout)
    assert [(one["address"], one["before"], one["after"]) for one in found["values"]] == [("ana.hp", 3, 11)]


def test_a_saved_fork_names_its_origin_keeps_its_salts_and_is_what_was_shown(log: Path) -> None:
    done = encounter("whatif", log, "--strike", "3", "--save", "b.jsonl", "--by", "ada")
    assert (done.exit_code, done.stderr) == (0, f"b.jsonl: 5 records, forked from {log}\n")
    other = log.with_name("b.jsonl")
    assert encounter("verify", other).exit_code == 0
    mine, yours = list(LogView(str(log))), list(LogView(str(other)))
    assert [one.digest for one in mine[1:]] == [one.digest for one in yours[1:4]]
    assert [one.salt for one in mine[1:]] == [one.salt for one in yours[1:4]]
    origin = yours[0].event.forked_from  # type: ignore[union-attr]
    assert (origin.encounter, origin.seq, origin.hash) == (shown(log)["encounter"], 4, mine[-1].hash)  # type: ignore[union-attr]
    assert (yours[4].by, shown(other)["combatants"]["ana"]["hp"], yours[3].secret) == ("ada", 7, True)
    assert shown(other)["encounter"] != shown(log)["encounter"]


def test_a_withheld_payload_stays_withheld_in_a_fork(log: Path) -> None:
    assert encounter("export", "jsonl", log, "--to", "cut.jsonl", "--withhold", "secret").exit_code == 0
    assert encounter("whatif", "cut.jsonl", "--strike", "3", "--save", "b.jsonl").exit_code == 0
    assert json.loads(encounter("verify", "b.jsonl", "--json").stdout)["withheld"] == [4]


def test_another_reading_shows_its_findings_and_is_saved_with_its_option(folder: Path) -> None:
    log = fixture(folder, TEN)
    done = encounter("whatif", log, "--option", "missile-initiative=win-only", "--save", "b.jsonl")
    told = done.stdout
    assert "  options.missile-initiative  shift     win-only" in told
    assert "Findings only in what if" in told
    assert "event 60: initiative.missile-dexterity (breach): bram is due in segment 4" in told
    assert shown(folder / "b.jsonl")["options"]["missile-initiative"] == "win-only"
    assert len(findings(folder / "b.jsonl")) == len(findings(log)) + told.count("(breach)")


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ((), 2, "nothing is to be different"),
        (("--strike", "99"), 4, "there is no record 99 before this one"),
        (("--strike", "1"), 4, "the first record cannot be corrected"),
        (("--strike", "x"), 2, "--strike: 'x' is not a whole number from 1"),
        (("--amend", "3", "{"), 4, "'{' is no fact"),
        (("--amend", "3", '{"amount":"x"}'), 4, "amount"),
        (("--insert-after", "3", '{"type":"damage_delt"}'), 4, "unknown event type damage_delt"),
        (("--option", "x=y"), 2, "no option of plain 'x'"),
        (("--strike", "3", "--at", "99"), 2, "this log has no record 99"),
        (("--strike", "3", "--as-of", "3", "--save", "b.jsonl"), 2, "--save does not go with --as-of"),
    ],
)
def test_what_cannot_be_asked_is_refused(log: Path, words: tuple[str, ...], code: int, says: str) -> None:
    done = encounter("whatif", log, *words)
    assert (done.exit_code, done.stdout, says in done.stderr) == (code, "", True), done.stderr


def test_rows_of_the_timeline_that_differ_are_shown_with_their_moments(folder: Path) -> None:
    log = quarrel(folder / "quarrel.jsonl")
    told = encounter("whatif", log, "--amend", "15", '{"segment":6}').stdout
    assert (
        told[told.index("Timeline") : told.index("Findings")]
        == """\
Timeline
  round 1  brand  as it is  segment 4: attack sword done
                  what if   segment 6: attack sword done
"""
    )
    (row,) = json.loads(encounter("whatif", log, "--strike", "14", "--json").stdout)["rows"]
    assert (row["round"], row["combatant"]) == (1, "halvaine")
    assert [row[which] and row[which]["status"] for which in ("before", "after")] == ["spoiled", "due"]


def test_a_casting_that_runs_on_into_the_next_round_differs_once(folder: Path) -> None:
    log = folder / "sif.jsonl"
    encounter("new", log, "--ruleset", "osric")
    lines = ["join Sif party hp=6", "join orc foes hp=6", "surprised", "r", "d sif cast web 2 orc", "p4 f4", "sif", "orc sif -3", "r"]  # fmt: skip
    assert encounter("play", log, stdin="\n".join(lines)).exit_code == 0
    hurt = max(one["seq"] for one in map(json.loads, encounter("log", log, "--json").stdout.splitlines()) if one["event"]["type"] == "damage_dealt")  # fmt: skip
    rows = json.loads(encounter("whatif", log, "--strike", str(hurt), "--json").stdout)["rows"]
    assert [(row["combatant"], row["before"]["status"], row["after"]["status"]) for row in rows] == [("sif", "spoiled", "begun")]  # fmt: skip


def test_two_moments_differ_in_the_rows_of_the_rounds_that_both_have(folder: Path) -> None:
    log = fixture(folder, TEN)
    rows = json.loads(encounter("diff", log, "r1", "r2", "--json").stdout)["rows"]
    assert rows == []
    within = json.loads(encounter("diff", log, "r1s3", "r1", "--json").stdout)["rows"]
    assert {one["round"] for one in within} == {1}
    assert ("due", "done") in {
        tuple(one[which] and one[which]["status"] for which in ("before", "after")) for one in within
    }


# ---------------------------------------------------------------- diff


def test_two_moments_and_two_states_of_knowledge(log: Path) -> None:
    append(log, '{"type":"struck","event":3}')
    rows = {
        words: [
            (one["address"], one["before"], one["after"])
            for one in json.loads(encounter("diff", log, *words, "--json").stdout)["values"]
        ]
        for words in (("3", "4"), ("@3", "3"), ("@4", "@5"))
    }
    assert rows == {
        ("3", "4"): [("ana.hp", 14, 7)],
        ("@3", "3"): [("ana.hp", 10, 14)],
        ("@4", "@5"): [("ana.hp", 3, 7)],
    }
    done = encounter("diff", log, "4", "5")
    assert (done.exit_code, done.stdout) == (0, "nothing is different\n")
    assert encounter("diff", log, "3", "4").exit_code == 1


@pytest.mark.parametrize("point", ["r1", "3", "@3"])
def test_one_point_alone_is_no_log_unless_there_is_a_file_of_that_name(log: Path, folder: Path, point: str) -> None:
    done = encounter("diff", log, point)
    assert (done.exit_code, done.stderr.splitlines()[0]) == (
        2,
        f"encounter: {point} is one point, and two are compared",
    )
    (folder / point).write_bytes(log.read_bytes())
    assert encounter("diff", log, point).exit_code == 0
    assert "nosuch: is not there" in encounter("diff", log, "nosuch").stderr


def test_two_logs_with_a_common_past(log: Path) -> None:
    assert encounter("whatif", log, "--strike", "3", "--save", "b.jsonl").exit_code == 0
    append(log, '{"type":"damage_dealt","target":"ana","amount":1}')
    done = encounter("diff", log, "b.jsonl")
    assert (done.exit_code, done.stderr) == (1, "")
    assert done.stdout.splitlines()[:3] == [
        "records 2 to 4 are the same",
        "  record 5 of a.jsonl: ana takes 1 damage",
        "  record 5 of b.jsonl: event 3 is struck",
    ]
    assert done.stdout.split()[-6:] == ["ana.hp", "2", "7", "from", "record", "3"]


def test_logs_without_a_common_past_are_not_compared(folder: Path, log: Path) -> None:
    done = encounter("diff", log, log_of(folder / "c.jsonl", FOUGHT, "plain"))
    assert (done.exit_code, "have no common past" in done.stderr) == (2, True)
    assert encounter("diff", log, "nowhere.jsonl").exit_code == 3
    assert encounter("diff", log, "soon", "r1").exit_code == 2


def test_a_damaged_log_is_compared_up_to_its_fault(log: Path) -> None:
    append(log, '{"type":"noted","text":"the end"}')
    log.write_bytes(log.read_bytes().replace(b"the end", b"the odd"))
    for done in (encounter("diff", log, "2", "3"), encounter("whatif", log, "--strike", "3")):
        assert (done.exit_code, "ana.hp" in done.stdout, "its event was changed" in done.stderr) == (3, True, True)
