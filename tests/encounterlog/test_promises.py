"""What whole commands keep where the world around them is poor; and the table in the documentation of what is kept."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from encounterlog import api
from eventstore.events import Noted
from eventstore.jsonl import create
from eventstore.record import Draft
from tests.encounterlog.support import encounter, environment, opened, spawn
from tests.eventstore.logs import AT, OPENING

ROOT = Path(__file__).parents[2]
POOR = {"LANG": "C", "LC_ALL": "C"}
"""A system that knows no letters beyond ASCII."""
HELPING = ("PYTHONUTF8", "PYTHONIOENCODING", "PYTHONCOERCECLOCALE", "LC_CTYPE")


def test_a_clock_that_goes_back_changes_no_order_and_no_proof(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    days = ("2026-11-21T19:00", "2026-11-21T18:00", "1999-01-01T00:00", "2026-11-21T19:30")
    moments = [f"{day}:00.000000Z" for day in days]
    with create(log, [Draft(OPENING)], by="gm", at=AT) as store:
        for number, at in enumerate(moments):
            store.append([Draft(Noted(text=f"note {number}"))], by="gm", at=at)
    assert encounter("verify", log).exit_code == 0
    told = encounter("log", log).stdout
    assert [told.index(f"note {number}") for number in range(4)] == sorted(told.index(f"note {n}") for n in range(4))


def test_under_lang_c_names_are_written_and_shown_whole(tmp_path: Path) -> None:
    log = opened(tmp_path / "a.jsonl", "plain")
    poor = {name: value for name, value in environment(**POOR).items() if name not in HELPING}
    told = (("show", log), ("export", "markdown", log), ("export", "html", log))
    for words in (("add", log, "join", "Bär", "hp=5"), *told):
        command = [sys.executable, "-B", "-m", "encounterlog", *map(str, words)]
        done = subprocess.run(command, capture_output=True, check=False, env=poor)
        assert done.returncode == 0, done.stderr
        assert words[0] == "export" or done.stderr == b""  # an export says there how many records it wrote
        assert "Bär" in done.stdout.decode()
    assert "Bär" in log.read_text("utf-8")
    assert "Bär" in encounter("show", log).stdout


def test_a_name_is_understood_where_python_knows_no_letters_beyond_ascii(tmp_path: Path) -> None:
    log = opened(tmp_path / "a.jsonl", "plain")
    poor = {name: value for name, value in environment(**POOR).items() if name not in HELPING} | {"PYTHONUTF8": "0"}

    def run(*words: object) -> "subprocess.CompletedProcess[bytes]":
        command = [sys.executable, "-B", "-m", "encounterlog", *map(str, words)]
        return subprocess.run(command, capture_output=True, check=False, env=poor)

    done = run("add", log, "join", "Bär", "hp=5")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Bär" in done.stdout.decode()
    assert "Bär" in log.read_text("utf-8")
    other = tmp_path / "Bär.jsonl"
    assert run("new", other, "--ruleset", "plain", "--title", "Bär").returncode == 0
    assert '"title":"Bär"' in other.read_text("utf-8")
    assert b"not UTF-8" in run("add", log, "join", "B\udce4r").stderr


@pytest.mark.parametrize(
    "words",
    [("log",), ("show", "--json"), *(("export", name) for name in ("jsonl", "csv", "markdown", "discord", "html"))],
)
def test_a_reader_that_closes_its_pipe_ends_a_command_without_a_word(tmp_path: Path, words: tuple[str, ...]) -> None:
    log = opened(tmp_path / "a.jsonl", "plain")
    with api.open(log) as table:
        table.append([{"type": "noted", "text": f"{number} " * 400} for number in range(300)])
    command = [sys.executable, "-B", "-m", "encounterlog", *words, str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() not in (1, 70), "nothing went wrong, and it is no bug"


def test_without_a_terminal_nothing_is_asked_coloured_or_waited_for(tmp_path: Path) -> None:
    log = opened(tmp_path / "a.jsonl", "plain")
    done = spawn("play", str(log), stdin="join ana hp=5\njoin bo hp=5\nana\n")
    assert done.returncode == 0, done.stderr
    assert b"\x1b" not in done.stdout + done.stderr
    assert encounter("show", log, "--json").stdout.count('"ana"') >= 1
    for words in (("show", log), ("log", log), ("audit", log), ("--help",)):
        said = spawn(*words)
        assert b"\x1b" not in said.stdout + said.stderr


PROMISED = {
    "the clock goes back", "a file is replaced while it is followed", "two services on one folder", "an append is sent again, as after a timeout",
    "a stream is taken up again with `Last-Event-ID`", "names and texts in CSV", "… in Discord", "… in Markdown", "… in HTML",
    "a terminal of 20 columns", "`LANG=C`, and letters that a terminal lacks", "no terminal", "a reader closes its pipe",
}  # fmt: skip
"""Situations that have a row, whatever else has one."""


def test_each_situation_has_a_promise_and_each_promised_test_exists() -> None:
    page = (ROOT / "docs" / "explanation" / "store.md").read_text("utf-8")
    table = page.partition("## Promises, each with its test")[2]
    rows = dict(re.findall(r"^\| (?!situation|---)(.+?) \| (.+) \|$", table, re.MULTILINE))
    assert rows.keys() >= PROMISED
    named = {situation: re.findall(r"`(test_\w+)`", tests) for situation, tests in rows.items()}
    assert [situation for situation, tests in named.items() if not tests] == []
    texts = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py")]
    missing = [name for tests in named.values() for name in tests if not any(f"def {name}(" in text for text in texts)]
    assert missing == []
