"""`encounter import fireball`: a recorded combat becomes a log, compared state by state with what was recorded."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.encounterlog.support import encounter, spawn

RECORDING = Path(__file__).parent / "recordings" / "fireball" / "raw.jsonl"


def imported(source: Path = RECORDING, file: str = "fight.jsonl", *words: str) -> dict[str, Any]:
    done = encounter("import", "fireball", source, file, "--json", *words)
    assert (done.exit_code, done.stderr) == (0, "")
    value: dict[str, Any] = json.loads(done.stdout)
    return value


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in RECORDING.read_text("utf-8").splitlines()]


def write(path: Path, changed: list[dict[str, Any]]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in changed) + "\n")
    return path


def test_facts_agree_with_all_57_states_of_the_recorded_combat() -> None:
    done = imported()
    assert done["states"] == 57
    agree = {one["name"]: (one["agree"], one["states"]) for one in done["respects"]}
    assert set(agree.values()) == {(57, 57)}
    assert {one["by_itself"] for one in done["respects"]} == {57}
    assert (done["unexplained"], done["repairs"]) == (0, [])


def test_the_log_is_sound_and_has_the_times_of_the_recording() -> None:
    imported()
    assert encounter("verify", "fight.jsonl").exit_code == 0
    first = json.loads(encounter("log", "fight.jsonl", "--type", "checked", "--json").stdout.splitlines()[0])
    assert first["at"].startswith("2022-11-25T")


def with_state(folder: Path, line: int, old: str, new: str) -> Path:
    """Write the recording with another word in one of its states."""
    changed = rows()
    state = changed[line - 1]
    assert old in state["human_readable"]
    state["human_readable"] = state["human_readable"].replace(old, new)
    return write(folder / "changed.jsonl", changed)


def test_hit_points_that_no_row_explains_are_counted_with_their_line(folder: Path) -> None:
    done = imported(with_state(folder, 179, "Keya <24/24 HP>", "Keya <20/24 HP>"))
    assert done["unexplained"] == 2, "down, and up again"
    first = done["repairs"][0]
    assert (first["line"], first["address"], first["cause"]) == (179, "keya.hp", None)
    assert first["says"] == "Keya is at 20 hit points (the facts give 24)"
    hp = next(one for one in done["respects"] if one["name"] == "hp")
    assert (hp["by_itself"], hp["with_cause"], hp["without_cause"]) == (55, 0, 2)
    assert done["differences"] == []


@pytest.mark.slow
def test_a_duration_that_no_row_explains_is_listed_with_its_line(folder: Path) -> None:
    changed = rows()
    (frightened,) = [
        effect
        for figure in changed[178]["data"]["combatants"]
        for effect in figure.get("effects", [])
        if (figure["name"], effect["name"]) == ("Nitar", "Frightened")
    ]
    frightened["end_round"] -= 2
    done = imported(write(folder / "changed.jsonl", changed))
    assert [(one["line"], one["address"]) for one in done["repairs"]] == [
        (179, "nitar.effects.Frightened"),
        (185, "nitar.effects.Frightened"),
    ], "shorter, and longer again"
    durations = next(one for one in done["respects"] if one["name"] == "durations")
    assert (durations["by_itself"], durations["without_cause"], durations["states"]) == (55, 2, 57)
    text = encounter("import", "fireball", "changed.jsonl", "again.jsonl").stdout
    says = "Frightened on Nitar has 7 rounds left (the facts give 9 rounds left)"
    assert f"\n2 values set right without a cause\n  line 179: {says}\n" in text


def test_a_packed_recording_and_a_title_of_ones_own(folder: Path) -> None:
    packed = folder / "raw.jsonl.gz"
    packed.write_bytes(gzip.compress(RECORDING.read_bytes()))
    assert imported(packed, "fight.jsonl", "--title", "Six against a horror")["title"] == "Six against a horror"


@pytest.mark.slow
def test_a_recording_comes_from_standard_input_too(folder: Path) -> None:
    done = spawn("import", "fireball", "-", folder / "fight.jsonl", stdin=gzip.compress(RECORDING.read_bytes()))
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"57 states" in done.stdout


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "the source is empty"),
        (b"Dear diary\n", "line 1: is not JSON"),
        (b"\x00\xff\n", "line 1"),
        (b"{}\n", "has no 'combat_id'"),
    ],
)
def test_a_source_that_is_no_recording_leaves_no_file_behind(folder: Path, content: bytes, says: str) -> None:
    (folder / "source").write_bytes(content)
    done = encounter("import", "fireball", "source", "fight.jsonl")
    assert (done.exit_code, done.stdout, says in done.stderr) == (4, "", True)
    assert not (folder / "fight.jsonl").exists()


def test_a_source_that_is_not_there_and_a_log_that_is(folder: Path) -> None:
    assert encounter("import", "fireball", "none", "fight.jsonl").exit_code == 4
    (folder / "fight.jsonl").write_text("mine")
    done = encounter("import", "fireball", RECORDING, "fight.jsonl")
    assert (done.exit_code, (folder / "fight.jsonl").read_text()) == (2, "mine")


def test_a_row_that_cannot_be_understood_is_named_and_the_rest_imported(folder: Path) -> None:
    changed = rows()
    changed[40]["event_type"] = "dance"
    done = imported(write(folder / "changed.jsonl", changed))
    assert [(one["line"], "dance" in one["what"]) for one in done["problems"]] == [(41, True)]


def test_an_import_ends_with_0_whatever_differs(folder: Path) -> None:
    changed = with_state(folder, 179, "Keya <24/24 HP>", "Keya <20/24 HP>")
    assert encounter("import", "fireball", changed, "fight.jsonl").exit_code == 0
