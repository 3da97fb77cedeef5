"""`encounter add FILE WORDS…` without click: what click would do, and everything else left to it."""

import json
import os
import subprocess
import sys
from inspect import signature
from pathlib import Path

import click
import pytest

from encounterlog.command import encounter as group
from encounterlog.direct import SPEAKING_TO_CLICK, is_direct
from encounterlog.questions import question_named
from encounterlog.terminal.adding import add
from tests.encounterlog.support import encounter, environment, opened

WITHOUT_CLICK = "import sys; sys.modules['click'] = None; from encounterlog.__main__ import main; main()"
LINES = (
    ("b", "o", "14", "6"),
    ("b", "-3"),
    ("b", "o", "14", "6", "--by", "ana"),
    ("note", "it is cold here"),
    ("note it is cold here",),
    ("ogre", "flies"),
    ("secret", "note", "Ödön 🐉"),
    ("?o",),
    ("help",),
    ("help", "damage"),
    ("--help",),
    ("--", "b", "-3"),
    ("--version",),
    ("",),
    ("b", ""),
)


@pytest.fixture
def ford(folder: Path) -> Path:
    log = opened(folder / "ford.jsonl", "plain")
    for line in ("join Brand party hp=14", "join Ogre foes hp=20"):
        assert encounter("add", log, line).exit_code == 0
    return log


def ended(log: object, words: tuple[str, ...], name: str = "add", **more: str) -> tuple[int, str, str]:
    command = [sys.executable, "-B", "-m", "encounterlog", name, str(log), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment(**more))
    return done.returncode, done.stdout, done.stderr


def facts(log: Path) -> list[object]:
    return [(line["by"], line["event"]) for line in map(json.loads, log.read_text("utf-8").splitlines())]


@pytest.mark.full
@pytest.mark.parametrize("words", LINES, ids=" ".join)
def test_a_line_comes_to_the_same_with_click_and_without(ford: Path, words: tuple[str, ...]) -> None:
    before = ford.read_bytes()
    directly, written = ended(ford, words), facts(ford)
    ford.write_bytes(before)
    assert is_direct(["add", str(ford), *words])
    assert (directly, written) == (ended(ford, words, ENCOUNTER_BY="gm"), facts(ford))


@pytest.mark.full
@pytest.mark.parametrize("file", ["nothing.jsonl", "", ".", "ftp://host/log", "postgresql://a@b@c/d", "b.jsonl\n"])
@pytest.mark.usefixtures("folder")
def test_a_file_that_is_no_log_is_refused_in_the_same_words(file: str) -> None:
    assert ended(file, ("b", "o")) == ended(file, ("b", "o"), ENCOUNTER_BY="gm")
    assert ended(file, (), "show") == ended(file, (), "show", ENCOUNTER_BY="gm")


@pytest.mark.full
@pytest.mark.parametrize("change", [b"", b"torn", b"{}\n"])
def test_a_log_is_shown_the_same_with_click_and_without(ford: Path, change: bytes) -> None:
    ford.write_bytes(ford.read_bytes() + change)
    assert is_direct(["show", str(ford)])
    directly = ended(ford, (), "show")
    assert directly == ended(ford, (), "show", ENCOUNTER_BY="gm")
    assert "Brand" in directly[1]


@pytest.mark.full
def test_a_fact_and_an_answer_need_nothing_of_click(ford: Path) -> None:
    for words in (("b", "o", "14", "6"), ("?o",), ("help",)):
        command = [sys.executable, "-B", "-c", WITHOUT_CLICK, "add", str(ford), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment())
        assert (done.returncode, done.stderr) == (0, "")


def test_a_log_that_is_shown_needs_nothing_of_click(ford: Path) -> None:
    command = [sys.executable, "-B", "-c", WITHOUT_CLICK, "show", str(ford)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment())
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "add",
        "add f",
        "add --by ana f b o",
        "add -- f b o",
        "add -h f b",
        "show f b",
        "--help add f",
        "undo f x",
        "show",
        "show -h",
        "show --json f",
        "show f --json",
        "audit f",
    ],
)
def test_what_is_no_line_for_a_file_is_left_to_click(line: str) -> None:
    assert not is_direct(line.split(), {})


@pytest.mark.parametrize("name", ["ENCOUNTER_BY", "_ENCOUNTER_COMPLETE"])
def test_what_the_environment_says_to_click_is_left_to_it(name: str) -> None:
    assert is_direct(["add", "f", "b"], {name: ""})
    assert not is_direct(["add", "f", "b"], {name: "x"})


def test_on_windows_all_is_left_to_click(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "name", "nt")
    assert not is_direct(["add", "f", "b"], {})


def test_every_variable_that_the_command_takes_from_the_environment_is_known() -> None:
    with click.Context(group) as context:
        command = group.get_command(context, "add")
    assert command is not None
    named = {option.envvar for option in command.params if isinstance(option, click.Option) and option.envvar}
    assert named == {*SPEAKING_TO_CLICK} - {"_ENCOUNTER_COMPLETE"}


def test_what_is_said_directly_are_the_defaults_of_the_options(ford: Path) -> None:
    with click.Context(group) as context:
        command = group.get_command(context, "add")
        assert command is not None
        given = command.make_context("add", [str(ford), "b", "-3"], parent=context).params
    defaults = {
        name: each.default for name, each in signature(add).parameters.items() if each.kind is each.KEYWORD_ONLY
    }
    assert given == {"file": str(ford), "words": ("b", "-3"), **defaults}


def test_what_is_asked_directly_are_the_defaults_of_the_options(ford: Path) -> None:
    with click.Context(group) as context:
        command = group.get_command(context, "show")
        assert command is not None
        given = command.make_context("show", [str(ford)], parent=context).params
    fields = {each.field: each.default for each in question_named("show").arguments}
    assert given == {"file": str(ford), "as_json": False, "as_of": None, "audience": None, **fields}
