"""What the tests of the application share: the quarrel, the command run inside and outside of this process."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from click.testing import CliRunner, Result

from encounterlog.cli.main import encounter as group

QUARREL = Path(__file__).with_name("quarrel.jsonl").read_text("utf-8")
"""The facts of the quarrel, word for word: those that the demonstration types."""
BREACH = Path(__file__).with_name("breach.jsonl").read_text("utf-8")
TITLE = "Halvaine and the orcs"

TABLES = (
    pytest.mark.slow,
    pytest.mark.skipif(not find_spec("pyarrow"), reason="pyarrow is not installed: pip install '.[test-full]'"),
)
"""The marks of what reads or writes Parquet, which needs more than the first tier has."""


def marked(names: Iterable[str], *those: str) -> list[Any]:
    """Return the names as values of a parameter, with the marks of tables at those that need them."""
    return [pytest.param(name, marks=TABLES) if name in those else name for name in names]


def in_tables(test: Any) -> Any:
    """Mark a test that reads or writes Parquet."""
    for mark in TABLES:
        test = mark(test)
    return test


def encounter(*words: object, stdin: str | bytes = "", **environment: str) -> Result:
    """Run the command in this process."""
    return CliRunner(env=environment).invoke(group, [str(word) for word in words], input=stdin, prog_name="encounter")


def spawn(*words: object, stdin: str | bytes = b"", **more: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a process of its own, in the present folder.

    It leaves no compiled modules behind: with files limited in size they would be cut short, and found so by the next one.
    """
    command = [sys.executable, "-B", "-m", "encounterlog", *map(str, words)]
    data = stdin.encode() if isinstance(stdin, str) else stdin
    return subprocess.run(command, input=data, capture_output=True, check=False, env=environment(), **more)


def environment(**more: str) -> dict[str, str]:
    """Return an environment in which a child process finds what this one found, and writes its output as for a user."""
    here = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**here, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), **more}


def opened(path: Path, ruleset: str = "osric", title: str = TITLE) -> Path:
    done = encounter("new", path, "--ruleset", ruleset, "--title", title)
    assert (done.exit_code, done.stderr) == (0, "")
    return path


def log_of(path: Path, facts: str | Sequence[dict[str, Any]], ruleset: str = "osric", title: str = TITLE) -> Path:
    """Make a log with these facts in it, appended at once."""
    opened(path, ruleset, title)
    append(path, facts)
    return path


def log_of_lines(path: Path, ruleset: str, lines: Iterable[str]) -> Path:
    opened(path, ruleset)
    for line in lines:
        done = encounter("add", path, line)
        assert done.exit_code in (0, 1), (line, done.stderr)
    return path


def append(path: Path, facts: str | Sequence[dict[str, Any]], *words: str) -> None:
    """Append facts that are well formed, whatever findings they raise."""
    text = facts if isinstance(facts, str) else "\n".join(map(json.dumps, facts))
    done = encounter("append", path, "-", *words, stdin=text)
    assert done.exit_code == 0, done.stderr


def another_writer_comes_first(monkeypatch: pytest.MonkeyPatch, log: Path, owner: Any, name: str) -> None:
    """Let another writer append to a log as soon as a function has returned for the first time."""
    meant = getattr(owner, name)

    def late(*given: Any, **named: Any) -> Any:
        found = meant(*given, **named)
        monkeypatch.setattr(owner, name, meant)
        append(log, [{"type": "noted", "text": "by another writer"}])
        return found

    monkeypatch.setattr(owner, name, late)


def quarrel(path: Path) -> Path:
    return log_of(path, QUARREL)


def shown(path: Path, *words: object) -> dict[str, Any]:
    done = encounter("show", path, "--json", *words)
    assert (done.exit_code, done.stderr) == (0, "")
    value: dict[str, Any] = json.loads(done.stdout)
    return value


def findings(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(encounter("audit", path, "--json").stdout)["findings"]
    return found


def fingerprint(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def calls(work: Callable[[], Any]) -> int:
    count = 0

    def see(_frame: FrameType, kind: str, _: Any) -> None:
        nonlocal count
        count += kind == "call"

    sys.setprofile(see)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count
