"""The Python API: the one import that a script needs."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import encounterlog as el
from encounterlog import api
from tests.encounterlog.support import environment


@pytest.fixture
def log(folder: Path) -> el.Log:
    made = el.new(folder / "ford.jsonl", ruleset="osric")
    made.append(
        [
            {"type": "combatant_joined", "combatant": "ada", "side": "party", "sheet": {"hp": 9}},
            {"type": "combatant_joined", "combatant": "orc-1", "side": "orcs", "sheet": {"hp": 6}},
        ]
    )
    return made


def test_the_example_of_the_documentation_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    found = doctest.testmod(api)
    assert (found.failed, found.attempted > 8) == (0, True)


def test_importing_it_loads_nothing_and_names_everything() -> None:
    code = "import sys, encounterlog as el; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment())
    assert not {"msgspec", "click", "pydantic", "eventstore", "projections"} & set(done.stdout.split())
    assert {"open", "new", "diff", "RoundStarted", "WrongVersion", "Log", "Untold"} <= set(dir(el))
    assert all(getattr(el, name) is not None for name in dir(el))
    with pytest.raises(AttributeError, match="Nobody"):
        el.Nobody  # noqa: B018


def test_a_writer_who_is_late_learns_what_came_in(log: el.Log) -> None:
    head = log.head
    log.tell("ada -1")
    with pytest.raises(el.WrongVersion) as caught:
        log.append(el.RoundStarted(round=1), after=head)
    assert (caught.value.expected, caught.value.found) == (3, 4)
    assert [record.seq for record in caught.value.since] == [4]


def test_an_anchor_of_another_log_is_no_place_in_this_one(log: el.Log, folder: Path) -> None:
    other = el.new(folder / "other.jsonl", ruleset="osric")
    other.append([{"type": "noted", "text": "x"}, {"type": "noted", "text": "y"}])
    with pytest.raises(el.WrongVersion):
        log.append(el.RoundStarted(round=1), after=other.head)


def test_a_key_makes_an_append_repeatable(log: el.Log) -> None:
    first = log.append(el.RoundStarted(round=1), key="r1")
    again = log.append(el.RoundStarted(round=1), key="r1")
    assert (again.first, again.again) == (first.first, True)


def test_steps_states_and_audits_are_values(log: el.Log) -> None:
    log.tell("r")
    log.tell("ada hits orc-1 14 4")
    assert [(step.record.seq, [each.address for each in step.changes]) for step in log.replay()][-1] == (
        7,
        ["orc-1.hp"],
    )
    assert (log.state(at=6)["orc-1.hp"].value, log.state().combatants["orc-1"].hp.value) == (6, 2)
    assert log.state().view.combatants["orc-1"].hp == 2
    assert log.audit().problem is None
    assert log.audit().findings[0].rule == "surprise.checked-at-start"
    with pytest.raises(KeyError, match="hq"):
        log.state()["orc-1.hq"]
    with pytest.raises(AttributeError):
        log.state().combatants["ada"].hq  # noqa: B018


def test_a_fork_changes_nothing_in_the_log(log: el.Log) -> None:
    log.tell("orc -4")
    before = log.path.read_bytes()
    with log.fork() as other:
        other.strike(4)
        other.tell("ada -2")
        other.append({"type": "round_started", "round": 1})
    found = {each.address: (each.before, each.after) for each in el.diff(log, other).values}
    assert (found["orc-1.hp"], found["ada.hp"]) == ((2, 6), (9, 7))
    assert log.path.read_bytes() == before


def test_what_is_wrong_is_said_in_the_errors_of_the_store(log: el.Log, folder: Path) -> None:
    with pytest.raises(el.Malformed, match="combatant"):
        log.append({"type": "turn_started", "combatant": "zed"})
    with pytest.raises(el.Untold) as caught:
        log.tell("zed -4")
    assert caught.value.column == 1
    with pytest.raises(el.Unsupported, match="postgresql"):
        el.open("postgresql://localhost/ford")
    with pytest.raises(el.UnknownRuleset):
        el.new(folder / "x.jsonl", ruleset="osrik")
    with pytest.raises(el.Malformed, match="spoil-cause"):
        el.new(folder / "x.jsonl", ruleset="osric", options={"spoil-cause": "hits"})
    with pytest.raises(el.StoreError):
        el.open(folder / "none.jsonl")
    with pytest.raises(el.StoreError):
        el.new(log.path, ruleset="osric")
    assert el.open(log.path).head == log.head
