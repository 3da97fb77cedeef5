"""Long work shows on a terminal how far it is, and says nothing of it anywhere else."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from encounterlog.progress import LEAST_BYTES, LEAST_ITEMS
from tests.encounterlog.support import environment, log_of, quarrel

COMMANDS = {
    "verify": ("verify", "long.jsonl"),
    "audit": ("audit", "long.jsonl"),
    "stats": ("stats", "long.jsonl"),
    "export": ("export", "markdown", "long.jsonl", "--to", "out"),
    "import": ("import", "jsonl", "long.jsonl", "copy.jsonl"),
}


@pytest.fixture
def long(folder: Path) -> Path:
    log = log_of(folder / "long.jsonl", [{"type": "noted", "text": "x" * 300}] * (LEAST_ITEMS + 1), "plain")
    assert log.stat().st_size > LEAST_BYTES
    return log


def on_terminal(*words: str) -> tuple[str, str]:
    """Run a command whose standard error is a terminal; return what it printed, and what the terminal got."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "encounterlog", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=environment()) as child:
        os.close(theirs)
        seen = b"".join(iter(lambda: _read(ours), b""))
        printed, _ = child.communicate()
    os.close(ours)
    return printed.decode(), seen.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # so Linux says that nobody writes any more
        return b""


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_terminal_sees_how_far_it_is(long: Path, name: str) -> None:
    assert long.exists()
    printed, seen = on_terminal(*COMMANDS[name])
    shares = [int(share) for share in re.findall(r"\rreading: (\d+) %\033\[K", seen)]
    assert len(shares) > 20
    assert shares[0] < shares[10]
    assert seen.endswith("\r\033[K")
    assert "%" not in printed.replace("100 %", "")
    if name == "audit":
        assert re.search(r"checking: \d+ %", seen)


def test_a_short_log_is_read_before_anybody_looks(folder: Path) -> None:
    quarrel(folder / "a.jsonl")
    assert on_terminal("verify", "a.jsonl")[1] == ""


def test_a_terminal_sees_how_many_logs_are_done_and_what_is_left(folder: Path) -> None:
    for number in range(3):
        quarrel(folder / f"log-{number}.jsonl")
    printed, seen = on_terminal("audit", ".", "--jobs", "1")
    assert re.findall(r"\rauditing: (\d) of 3", seen) == ["0", "1", "2", "3"]
    assert re.search(r"\rauditing: 2 of 3, [\d.]+ a second, \d+ s left", seen)
    assert "auditing" not in printed
