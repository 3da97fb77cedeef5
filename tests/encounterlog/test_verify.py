"""`encounter verify` and `encounter head`: what a chain shows by itself, and what only an anchor shows."""

import json
from pathlib import Path

import pytest

from tests.encounterlog.support import append, encounter, quarrel
from tests.eventstore.logs import rehashed

ROUND = '{"type":"round_ended"}\n'


@pytest.fixture
def log(folder: Path) -> Path:
    path = quarrel(folder / "halvaine.jsonl")
    append(path, ROUND)
    return path


def head(log: Path) -> str:
    return encounter("head", log).stdout.strip()


def rows(log: Path) -> list[bytes]:
    return log.read_bytes().splitlines(keepends=True)


def checked(log: Path, *words: str) -> tuple[int, str, bool]:
    """Return exit code, how the log stands to the anchor, and whether it is sound."""
    done = encounter("verify", log, "--json", *words)
    value = json.loads(done.stdout)
    return done.exit_code, value["anchor"], value["sound"]


def test_a_sound_log_without_an_anchor_says_that_it_is_unanchored(log: Path) -> None:
    done = encounter("verify", log)
    assert (done.exit_code, done.stdout.splitlines()[2:]) == (
        0,
        ["unanchored: an --anchor or a signature shows if its end was cut or rewritten", "sound"],
    )
    assert max(map(len, done.stdout.splitlines())) < 100
    assert "unanchored" not in encounter("verify", log, "--anchor", head(log)).stdout
    assert checked(log) == (0, "unanchored", True)


def test_a_cut_or_rewritten_tail_shows_to_an_anchor_alone(log: Path) -> None:
    anchor = head(log)
    log.write_bytes(b"".join(rows(log)[:-1]))
    assert checked(log) == (0, "unanchored", True)
    assert checked(log, "--anchor", anchor) == (1, "cut off", False)
    done = encounter("verify", log, "--anchor", anchor)
    assert "records were cut off after it was taken" in done.stdout
    assert "sound" not in done.stdout
    anchor, early = head(log), f"10:{json.loads(rows(log)[9])['hash']}"
    forged = rehashed([row.replace(b'"amount":3}', b'"amount":2}') for row in rows(log)])
    assert forged != log.read_bytes()
    log.write_bytes(forged)
    assert checked(log) == (0, "unanchored", True)
    assert checked(log, "--anchor", anchor) == (1, "rewritten", False)
    assert checked(log, "--anchor", early) == (0, "matches", True)
    assert "the hash at the anchor differs" in encounter("verify", log, "--anchor", anchor).stdout


def test_an_anchor_behind_a_fault_is_not_reached_and_in_a_torn_tail_cut(log: Path) -> None:
    anchor, whole = head(log), log.read_bytes()
    log.write_bytes(whole.replace(b'"amount":3}', b'"amount":2}'))
    assert checked(log, "--anchor", anchor) == (3, "not reached", False)
    log.write_bytes(whole[:-20])
    assert checked(log, "--anchor", anchor) == (3, "cut off", False)
