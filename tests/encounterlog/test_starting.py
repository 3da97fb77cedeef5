"""`encounter rules --start` writes a distribution of a ruleset that is in order, whatever its key."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from encounterlog.starting.writing import TEMPLATE, files
from tests.encounterlog.support import encounter, environment

KEY = "rope-duel"


@pytest.fixture
def started(tmp_path: Path) -> Path:
    """Return a distribution that was started, with the metadata that an installation would write."""
    folder = tmp_path / "game"
    done = encounter("rules", "--start", KEY, folder)
    assert (done.exit_code, done.stderr) == (0, "")
    info = folder / "rope_duel-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {KEY}\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text(f"[encounterlog.rulesets]\n{KEY} = rope_duel:RULESET\n")
    return folder


def within(folder: Path, module: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python in a process that finds what is in the folder."""
    paths = os.pathsep.join([str(folder), *(path for path in sys.path if path)])
    command = [sys.executable, "-m", module, *words]
    own = {**environment(), "PYTHONPATH": paths}
    return subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, check=False)


def test_its_files_have_the_names_of_the_new_game_and_none_of_the_template() -> None:
    written = dict(files(KEY))
    assert {"pyproject.toml", "README.md", "rope_duel/__init__.py", "rope_duel/rulebook/turns.enc"} <= written.keys()
    assert len(written) == len([path for path in TEMPLATE.rglob("*") if path.is_file()])
    whole = " ".join((*written, *written.values())).casefold()
    assert [word for word in ("new-game", "new_game", "newgame", "new game") if word in whole] == []


def test_its_own_tests_pass_at_once(started: Path) -> None:
    done = within(started, "pytest", "-q", "-p", "no:cacheprovider")
    assert (done.returncode, done.stdout.splitlines()[-1].split(" in ")[0]) == (0, "4 passed")


@pytest.mark.parametrize(
    "words", [("--uncovered",), ("--unnoticed",), ("--unnoticed", "--places"), ("--reasons", "--plays")], ids=" ".join
)
def test_every_proof_of_it_finds_nothing(started: Path, words: tuple[str, ...]) -> None:
    done = within(started, "encounterlog", "rules", KEY, *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) < 2


def test_it_has_ten_plays_at_least(started: Path) -> None:
    listed = json.loads(within(started, "encounterlog", "rules", KEY, "--json").stdout)
    plays = sum(len(each["cases"]) + len(each["breaches"]) for each in listed["rules"])
    assert plays >= 10


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("Rope Duel", "encounter: 'Rope Duel' is no key of a ruleset\n"),
        ("-", "encounter: '-' is no key of a ruleset\n"),
        ("osric", "encounter: there is a ruleset osric already\n"),
        ("json", "encounter: a package json would hide the one of that name\n"),
    ],
)
def test_a_key_that_cannot_be_one_is_refused(tmp_path: Path, key: str, says: str) -> None:
    done = encounter("rules", "--start", "--", key, tmp_path / "game")
    assert (done.exit_code, done.stderr.splitlines(keepends=True)[0]) == (2, says)
    assert not (tmp_path / "game").exists()


def test_nothing_is_written_over_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    done = encounter("rules", "--start", KEY, tmp_path)
    assert (done.exit_code, [path.name for path in tmp_path.iterdir()]) == (6, ["README.md"])
    assert (
        done.stderr
        == f"encounter: {tmp_path} is there already, and not empty\nhint: name another folder behind the key\n"
    )
