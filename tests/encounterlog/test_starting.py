"""`encounter rules --start` writes a distribution of a ruleset that is in order, whatever its key."""

import os
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from msgspec.structs import fields

from encounterlog.ruleset_tools import TEMPLATE, template_files
from projections.fight import Combatant
from projections.state import State
from tests.encounterlog.support import encounter, environment
from tests.plugins import metadata

KEY = "rope-duel"
ROOT = Path(__file__).parents[2]
HARBOUR = ROOT / "tests" / "outside" / "harbour_watch"


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
    metadata("encounterlog-rulelab", folder)
    return folder


def within(folder: Path, module: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python in a process that finds what is in the folder."""
    paths = os.pathsep.join([str(folder), *(path for path in sys.path if path)])
    command = [sys.executable, "-m", module, *words]
    own = {**environment(), "PYTHONPATH": paths}
    return subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, check=False)


def test_its_files_have_the_names_of_the_new_game_and_none_of_the_template() -> None:
    written = dict(template_files(KEY))
    assert {"pyproject.toml", "README.md", "rope_duel/__init__.py", "rope_duel/rulebook/turns.enc"} <= written.keys()
    assert len(written) == len([path for path in TEMPLATE.rglob("*") if path.is_file()])
    whole = " ".join((*written, *written.values())).casefold()
    assert [word for word in ("new-game", "new_game", "newgame", "new game") if word in whole] == []


@pytest.mark.slow
def test_a_fight_is_typed_as_a_stranger_would_type_it(started: Path) -> None:
    assert within(started, "encounterlog", "new", "duel.jsonl", "--ruleset", KEY).returncode == 0
    for line in ("join Ana heroes", "join Bo rogues hp=6", "r", "i ana15 bo9"):
        assert within(started, "encounterlog", "add", "duel.jsonl", line).returncode == 0
    assert "6 of 6 hp" in within(started, "encounterlog", "show", "duel.jsonl").stdout
    may = within(started, "encounterlog", "may", "duel.jsonl").stdout
    assert "Ana's turn may begin" in may
    assert "No round has begun" not in may
    for line in ("t ana", "ana attack bo 14 3"):
        assert within(started, "encounterlog", "add", "duel.jsonl", line).returncode == 0
    may = within(started, "encounterlog", "may", "duel.jsonl", "bo").stdout
    assert "open     a reaction to 8: Ana attacks Bo" in may
    assert "Bo parries in answer to 8" in within(started, "encounterlog", "add", "duel.jsonl", "bo parries").stdout
    assert within(started, "encounterlog", "audit", "duel.jsonl").stdout == "no findings in 11 records\n"


@pytest.mark.parametrize(("key", "says"), [
    ("Rope Duel", "encounter: 'Rope Duel' is no key of a ruleset\n"),
    ("-", "encounter: '-' is no key of a ruleset\n"),
    ("osric", "encounter: there is a ruleset osric already\n"),
    ("json", "encounter: a package json would hide the one of that name\n"),
])  # fmt: skip
def test_a_key_that_cannot_be_one_is_refused(tmp_path: Path, key: str, says: str) -> None:
    done = encounter("rules", "--start", "--", key, tmp_path / "game")
    assert (done.exit_code, done.stderr.splitlines(keepends=True)[0]) == (2, says)
    assert not (tmp_path / "game").exists()


# ---------------------------------------------------------------- the page that leads through it


def blocks(info: str) -> list[str]:
    page = (ROOT / "docs" / "how-to" / "add-a-ruleset.md").read_text("utf-8")
    return re.findall(rf"^```{info}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)


def test_pages_name_only_what_there_is_and_show_what_stands_in_files() -> None:
    shown = [text for kind in ("python", "toml", "text") for text in blocks(kind)]
    kept = [
        path.read_text("utf-8") for root in (TEMPLATE, HARBOUR) for path in root.rglob("*.*") if path.suffix != ".pyc"
    ]
    assert len(shown) > 8
    assert [text for text in shown if not any(text in each for each in kept)] == []
    page = (ROOT / "docs" / "reference" / "folds.md").read_text("utf-8")
    named = set(re.findall(r"`state\.(\w+)", page))
    assert {"effects", "loss", "touched", "moments", "dues"} <= named
    assert [name for name in named if not hasattr(State, name)] == []
    assert [
        name for name in re.findall(r"`one\.(\w+)", page) if name not in {one.name for one in fields(Combatant)}
    ] == []
    for module, name in re.findall(r"`((?:folds|mechanics)\.\w+)\.(\w+)", page):
        assert hasattr(import_module(f"projections.{module}"), name), f"{module}.{name}"


@pytest.mark.slow
def test_the_commands_of_the_page_do_what_it_says(started: Path) -> None:
    lines = [line for text in blocks("sh") for line in text.splitlines()]
    commands = [shlex.split(line) for line in lines if not line.startswith(("cd ", "pip "))]
    for name, *words in commands:
        if "--start" not in words:
            done = within(started, {"encounter": "encounterlog"}.get(name, name), *words)
            assert done.returncode == 0, (words, done.stdout, done.stderr)
    assert len(commands) > 10


@pytest.mark.slow
def test_a_recipe_that_is_followed_is_proven(started: Path) -> None:
    package = started / "rope_duel"
    (rows,), (code,), (plays,) = (blocks(f"{kind} recipe") for kind in ("toml", "python", "text"))
    turns, rules = ((package / name).read_text("utf-8") for name in ("turns.py", "rules.toml"))
    (package / "rules.toml").write_text(f"{rules}\n{rows}")
    (package / "turns.py").write_text(re.sub(r"^SPENDING = .*\n", code, turns, flags=re.MULTILINE))
    (package / "rulebook" / "luck.enc").write_text(plays)
    for proof in ("--uncovered", "--unnoticed"):
        done = within(started, "encounterlog", "rules", KEY, proof)
        assert (done.returncode, done.stderr) == (0, ""), done.stdout


EXAMPLE = re.compile(r"^( *)#(?=(?:[^ !#\n]|  |$))", re.MULTILINE)
"""The mark of a line that is an example: # without a blank, or before an indented line of one."""


@pytest.mark.slow
def test_every_example_in_its_comments_works_without_its_mark(started: Path) -> None:
    package = started / "rope_duel"
    changed = {}
    for path in sorted(path for path in package.rglob("*") if path.suffix in (".py", ".toml", ".enc")):
        text, number = EXAMPLE.subn(r"\1", path.read_text("utf-8"))
        path.write_text(text, "utf-8")
        changed[path.name] = number > 0
    assert [name for name, there in changed.items() if there] == [
        "__init__.py",
        "blows.py",
        "more.enc",
        "rules.toml",
        "turns.py",
    ]
    done = within(started, "pytest", "-q", "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout
    assert within(started, "encounterlog", "new", "duel.jsonl", "--ruleset", KEY).returncode == 0
    for line in ("join Ana heroes", "join Bo rogues", "i ana15 bo9", "t ana", "ana is frightened 2", "ana attack bo"):
        done = within(started, "encounterlog", "add", "duel.jsonl", line)
        assert done.returncode == 0, done.stderr
    assert "up, frightened 2, next attack -5" in within(started, "encounterlog", "show", "duel.jsonl").stdout
