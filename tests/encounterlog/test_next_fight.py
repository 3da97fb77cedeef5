"""The next fight: a log is opened with the party of another one, with what that has left."""

from pathlib import Path

import pytest

import encounterlog as el
from eventstore.errors import Malformed
from tests.encounterlog.support import encounter


def fight(path: Path, *lines: str, ruleset: str = "5e") -> el.Log:
    """Return a log in which these lines were typed."""
    log = el.new(path, ruleset=ruleset)
    for line in lines:
        log.tell(line)
    return log


@pytest.fixture
def one(tmp_path: Path) -> Path:
    """Return the log of a fight after which Ana has 13 of 20 hit points."""
    path = tmp_path / "one.jsonl"
    fight(
        path,
        "join Ana party hp=20 creature=character slots=4",
        "join Orc foes hp=9",
        "ana -7",
        "ana is poisoned for 1 hour",
        "secret join Spy party hp=5 creature=character",
        "over",
    )
    return path


def test_the_words_that_were_taught_go_on_but_for_those_that_were_forgotten(one: Path, tmp_path: Path) -> None:
    for line in ("gronks means attacks", "yeets means throws", "forget yeets"):
        assert encounter("add", one, line).exit_code == 0
    encounter("new", two := tmp_path / "two.jsonl", "--ruleset", "5e", "--party", one)
    taught = encounter("add", two, "help words").stdout
    assert "gronks means attacks" in taught.splitlines()[-1]
    assert "yeets" not in taught


def test_who_was_hidden_is_hidden_in_the_next_fight(one: Path, tmp_path: Path) -> None:
    two = tmp_path / "two.jsonl"
    encounter("new", two, "--ruleset", "5e", "--party", one)
    assert "spy" not in encounter("export", two, "markdown", "--for", "players").stdout.lower()


def test_a_party_goes_on_only_in_its_own_ruleset(one: Path, tmp_path: Path) -> None:
    two = tmp_path / "two.jsonl"
    refused = encounter("new", two, "--ruleset", "osric", "--party", one)
    assert "is on 5e, and this encounter on osric" in refused.stderr
    assert "open it on 5e" in refused.stderr
    assert not two.exists()


def test_a_damaged_log_gives_no_party(one: Path, tmp_path: Path) -> None:
    lines = one.read_text().splitlines(keepends=True)
    one.write_text("".join([*lines[:2], lines[2].replace("Orc", "Ork"), *lines[3:]]))
    two = tmp_path / "two.jsonl"
    refused = encounter("new", two, "--ruleset", "5e", "--party", one)
    assert "line 3" in refused.stderr
    assert "hint" in refused.stderr
    assert not two.exists()


def test_an_id_that_is_taken_is_refused(one: Path, tmp_path: Path) -> None:
    two = tmp_path / "two.jsonl"
    refused = encounter("new", two, "--ruleset", "5e", "--party", one, "--party", one)
    assert "the id ana is taken" in refused.stderr
    assert not two.exists()


def test_a_log_without_anybody_and_one_that_is_missing_are_refused(tmp_path: Path) -> None:
    fight(tmp_path / "empty.jsonl")
    for name, says in (("empty.jsonl", "nobody has joined"), ("none.jsonl", "none.jsonl")):
        refused = encounter("new", tmp_path / "two.jsonl", "--ruleset", "5e", "--party", tmp_path / name)
        assert says in refused.stderr
        assert not (tmp_path / "two.jsonl").exists()


def test_a_new_log_takes_the_party_in_python_too(one: Path, tmp_path: Path) -> None:
    two = el.new(tmp_path / "two.jsonl", ruleset="5e", party=one)
    assert "Ana has 13 hit points" in str(two.why("ana.hp"))
    with pytest.raises(Malformed, match="no side"):
        el.new(tmp_path / "three.jsonl", ruleset="5e", party=f"{one}#reds")
