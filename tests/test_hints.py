"""Hints of what to install name the clone: no package index has Encounterlog, and what has its name there is a stranger's."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from encounterlog.errors import how_to_install

ROOT = Path(__file__).parents[1]
PACKAGES = ("eventstore", "projections", "cli/encounterlog")
SHOWN = {".md", ".html", ".js", ".toml", ".txt", ".service", ".yml", ".yaml"}
"""The ends of the names of files that people read, or that are made into what they read."""
INSTALLS = re.compile(r"\b(?:pip3?|pipx|uv(?: pip| tool)?|poetry|conda) (?:install|add|inject) +([^`\n;&|]*)")
"""A command that installs something, and what it names."""
EXTRAS = frozenset(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"])


def texts(path: Path) -> Iterator[str]:
    """Yield what a file says: the literals of a Python file that may name an installation, with … for what is filled in; else all of it."""
    text = path.read_text("utf-8")
    if path.suffix != ".py" or not ("install" in text or "'.[" in text):
        yield text
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(each.value) if isinstance(each, ast.Constant) else "…" for each in node.values)


@cache
def said() -> tuple[tuple[str, str], ...]:
    """Return each text of the packages and of the pages with the name of its file."""
    folders = [*PACKAGES, "docs", "deploy"]
    found = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in SHOWN | {".py"}]
    paths = [path for path in sorted([*found, *ROOT.glob("*.md")]) if "__pycache__" not in path.parts]
    return tuple((path.relative_to(ROOT).as_posix(), text) for path in paths for text in texts(path))


def strangers(text: str) -> list[str]:
    """Return what the commands in a text install that is neither the clone nor the folder in which somebody stands."""
    found = []
    for words in INSTALLS.findall(text):
        for word in re.findall(r"[^\s\"'\\]+", words.partition("#")[0]):
            path = word.startswith((".", "/", "-")) or word.partition("[")[0] in ("", "…")
            found += [] if path else [word]
    return found


@pytest.mark.slow
def test_whatever_is_said_installs_the_clone() -> None:
    assert {name for name, text in said() if INSTALLS.search(text)} >= {"README.md", "cli/encounterlog/errors.py"}
    assert [(name, word) for name, text in said() for word in strangers(text)] == []


@pytest.mark.slow
def test_a_hint_names_an_extra_that_there_is() -> None:
    named = {
        word
        for name, text in said()
        if name.endswith(".py") and "encounterlog/" in name
        for word in re.findall(r"'\.\[([\w,]+)\]'", text)
    }
    calls = {
        argument.value
        for path in (ROOT / "cli").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id in ("missing_extra", "how_to_install", "_refuse_missing_part")
        for argument in node.args[-1:]
        if isinstance(argument, ast.Constant)
    }
    assert calls == {"serve", "postgres", "tables", "dask", "objects", "sign", "mcp"}
    assert calls | {each for words in named for each in words.split(",")} <= EXTRAS
    assert strangers(how_to_install("serve")) == []
