"""The sessions of README and of the pages in docs/ are run: each ```console block, command by command, and its output compared.

Those of docs/disputes.md are run by encounterlog/test_disputes.py, in one process.

Two things differ from run to run, a log's random id and the hashes that come of it and of the time; neither side of the
comparison keeps them: 64 hexadecimal digits are read as <hash>. The set-up commands in ```sh blocks are run by .ci/run.
"""

import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from docs.session import PICTURE as SESSION, picture, session
from encounterlog.cli.main import COMMANDS
from encounterlog.places.serving import address_in_network
from projections.rulesets import RULESETS, find
from tests.sessions import BLOCK, DISPUTES, DOCS, HASH, OF_PLUGINS, README, ROOT, environment, played, shell, steps
from tests.tables import for_each

OVERVIEW = DOCS["docs/reference/overview.md"]
PAGES = {"README.md": README} | {
    name: page for name, page in DOCS.items() if BLOCK.search(page) and name not in (DISPUTES, *OF_PLUGINS)
}
"""The pages with a session that is run here."""


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_a_session_runs_as_it_is_printed(name: str, tmp_path: Path) -> None:
    for command, printed, given in played(PAGES[name], tmp_path):
        assert HASH.sub("<hash>", given) == HASH.sub("<hash>", printed), command


def test_the_readme_begins_with_a_quarrel_explained_in_eight_commands() -> None:
    commands = dict(steps(BLOCK.findall(README)[0]))
    assert len(commands) == 8
    assert "(breach)" in commands["encounter audit mill.jsonl"]
    assert any(command.startswith("encounter why ") for command in commands)
    first = "\n".join(README.splitlines()[:70])
    assert first.index("](docs/pictures/session.svg)") < first.index("$ encounter new") < first.index("python3 -m venv")
    assert first.count("python3 -m venv") == 2
    assert '{"' not in first
    assert len(README.splitlines()) <= 120


def test_the_picture_of_the_session_shows_what_the_readme_says() -> None:
    assert SESSION.read_text("utf-8") == picture(session(README))


def test_the_replay_that_is_linked_is_the_one_that_the_program_writes(tmp_path: Path) -> None:
    made = drawn(tmp_path, "html")
    assert _data_of(made) == _data_of(REPLAY.read_text("utf-8"))


def _data_of(page: str) -> str:
    """Return the data of a replay without what differs from log to log."""
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return re.sub(r"<hash>|\b(?:[0-9a-f]{64}|[0-9a-f]{16})\b", "<random>", data)


def test_two_set_up_commands_and_lines_of_a_hundred_columns() -> None:
    commands = re.findall(r"^```sh\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        assert command.count("\n") == 1
        assert command.startswith("python3 -m venv ")
    assert "encounter demo" in commands[0]
    assert "pytest" in commands[1]
    assert [line for line in README.splitlines() if len(line) > 100] == []


@pytest.mark.slow
def test_three_lines_lead_from_a_clone_to_a_second_person(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling is not installed: pip install '.[test-full]'")
    block = re.findall(r"^```sh\n(.*?)^```$", DOCS["docs/how-to/serve.md"], re.DOTALL | re.MULTILINE)[0]
    install, _, lines = block.partition(" && ")
    pip, *words = shlex.split(install)
    alone = ("--dry-run", "--no-deps", "--no-index", "--no-build-isolation")
    command = [sys.executable, "-m", pip, *words, *alone]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, "does not provide the extra" in done.stderr) == (0, False), done.stderr
    here = shell(tmp_path) | {"ENCOUNTER_PORT": "0"}
    lines = lines.replace("&\n", "&\nuntil [ -s campaign/.encounterlog-service ]; do sleep 0.1; done\n")
    played = ["bash", "-c", f"set -e; {lines}\nkill $!; wait $! || true"]
    done = subprocess.run(played, cwd=tmp_path, env=here, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "encounter:" in done.stderr) == (0, False), done.stderr
    link = rf"http://{re.escape(address_in_network() or '127.0.0.1')}:\d+/join#ford:\S+"
    assert re.search(link, done.stdout), done.stdout


def test_every_command_is_in_the_overview() -> None:
    for name in COMMANDS:
        assert f"`encounter {name} " in OVERVIEW or f"`encounter {name}`" in OVERVIEW


def test_the_picture_in_the_tutorial_is_what_the_program_draws(tmp_path: Path) -> None:
    picture = PICTURE.read_text("utf-8")
    ET.fromstring(picture)  # well formed, or nobody sees it
    assert drawn(tmp_path) == HASH.sub("<hash>", picture)


IN_ONE_LINE = re.compile(r"encounter: |hint: |left out: |would be kept: |\{|\d+ {2}")
"""The beginnings of output that is read line by line, and so is not wrapped: errors, hints, notes, JSON, recorded facts."""


@for_each("name", PAGES)
def test_output_in_pages_has_80_columns_but_for_what_is_one_line(name: str) -> None:
    output = [line for block in BLOCK.findall(PAGES[name]) for _, said in steps(block) for line in said.splitlines()]
    assert [line for line in output if len(line) > 80 and not IN_ONE_LINE.match(line)] == []


def test_the_rulesets_and_their_clauses_are_in_readme_and_changelog() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8") if (ROOT / "CHANGELOG.md").exists() else ""
    for key in RULESETS:
        clauses = len(find(key).catalogue().rule)
        assert f"| `{key}` | {clauses} |" in README
        assert not changes or f"`{key}`" in changes


PICTURE = ROOT / "docs" / "pictures" / "quarrel.svg"
REPLAY = ROOT / "docs" / "quarrel.html"


def drawn(folder: Path, form: str = "svg") -> str:
    """Return the demonstration's round as the program exports it, without hashes."""
    log, to = folder / "quarrel.jsonl", folder / f"quarrel.{form}"
    for words in (("demo", log), ("export", form, log, "--to", to)):
        command = [sys.executable, "-m", "encounterlog", *map(str, words)]
        subprocess.run(command, env=environment(), check=True, stdout=subprocess.DEVNULL)
    return HASH.sub("<hash>", to.read_text("utf-8"))


def rewrite(names: Sequence[str]) -> None:
    """Put the outputs that the sessions give now into these pages, or into all: python -m tests.test_readme [PAGE…], from the top folder."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        PICTURE.write_text(drawn(Path(folder)).replace("<hash>", "0" * 64), "utf-8")
    with TemporaryDirectory() as folder:
        REPLAY.write_text(drawn(Path(folder), "html").replace("<hash>", "0" * 64), "utf-8")
    for name in names or (*PAGES, DISPUTES):
        text = page = (ROOT / name).read_text("utf-8")
        with TemporaryDirectory() as folder:
            for command, printed, given in played(page, Path(folder)):
                if HASH.sub("<hash>", given) == HASH.sub("<hash>", printed):
                    continue
                typed = "$ " + command.replace("\n", "\n> ") + "\n"
                text = text.replace(typed + printed, typed + given, 1)
        (ROOT / name).write_text(text, "utf-8")
    SESSION.write_text(picture(session((ROOT / "README.md").read_text("utf-8"))), "utf-8")


if __name__ == "__main__":
    rewrite(sys.argv[1:])
