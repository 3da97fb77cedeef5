"""`encounter play`, driven through a real pseudo-terminal and through a pipe."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from eventstore.jsonl import JsonlStore
from tests.encounterlog.support import encounter, environment, opened

PATIENCE = 30.0


class Terminal:
    """The command at a pseudo-terminal of 80 columns: what is typed, and what is seen."""

    def __init__(self, *words: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored, by children too
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "encounterlog", *map(str, words)]
        more = environment(TERM="dumb", NO_COLOR="1", COLUMNS="80", LC_ALL="C.UTF-8")
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=more, start_new_session=True
        )
        os.close(theirs)
        self.ours, self.seen = ours, ""

    def until(self, text: str) -> str:
        """Read until a text is seen, and return all since the last time."""
        end = time.monotonic() + PATIENCE
        while text not in self.seen:
            ready, _, _ = select.select([self.ours], [], [], max(0, end - time.monotonic()))
            assert ready, f"waited for {text!r}, saw {self.seen!r}"
            self.seen += os.read(self.ours, 4096).decode().replace("\r", "")
        before, _, self.seen = self.seen.partition(text)
        return before + text

    def interrupt(self) -> str:
        """Interrupt until a prompt comes, and return what is seen: readline misses a signal that comes as it begins to wait."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.process.send_signal(signal.SIGINT)
            if select.select([self.ours], [], [], 1)[0]:
                break
        return self.until("\n> ")

    def types(self, line: str) -> str:
        """Type a line and return what is seen until the next prompt."""
        os.write(self.ours, f"{line}\n".encode())
        self.until(f"{line}\n")
        return self.until("\n> ")

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self.ours)


@pytest.fixture
def log(folder: Path) -> Path:
    made = opened(folder / "ford.jsonl")
    lines = (
        "join Mira party hp=9 weapon=dagger\njoin Brand party hp=14 weapon=sword\njoin Ogre foes hp=20 weapon=club\n"
    )
    done = encounter("play", made, stdin=f"{lines}join goblin*2 foes hp=5\nsurprised\n")
    assert (done.exit_code, done.stderr) == (0, "")
    return made


@pytest.fixture
def terminal(log: Path) -> Iterator[Terminal]:
    made = Terminal("play", log)
    made.until("\n> ")
    yield made
    made.close()


def events(log: Path) -> list[str]:
    return [type(record.event).__name__ for record in JsonlStore(log).read()]


def test_a_round_with_a_typo_an_ambiguity_an_undo_and_a_kill_loses_no_line(terminal: Terminal, log: Path) -> None:
    terminal.types("r")
    terminal.types("d m web 3 o")
    assert "Mira 9" in terminal.types("p5 f3")
    assert "clock: segment 3 comes" in terminal.types("m")
    assert "Ogre takes 6 damage" in terminal.types("b o 14 6")
    typo = terminal.types("o mirra 17 7")
    assert "there is no combatant mirra" in typo
    assert "did you mean Mira?" in typo or "did you mean mira?" in typo
    assert "g can be goblin-1 or goblin-2" in (asked := terminal.types("g b 4"))
    assert "write more of the name" in asked
    terminal.types("o m 17 7")
    assert "is struck" in terminal.types("u")
    assert "Mira takes 5 damage" in terminal.types("o m 17 5")
    assert "Mira concentrates on nothing" in terminal.types("?m")
    os.write(terminal.ours, b"g1 mi")
    terminal.until("g1 mi")
    assert "the line was dropped" in terminal.interrupt()
    os.write(terminal.ours, b"g1 b ")
    terminal.close = lambda: None  # type: ignore[method-assign]  # it is killed here
    terminal.process.kill()
    terminal.process.wait()
    os.close(terminal.ours)
    assert encounter("verify", log).exit_code == 0
    assert events(log)[-4:] == ["SegmentReached", "ActionTaken", "AttackRolled", "DamageDealt"]
    assert events(log).count("Struck") == 4


def test_lines_fit_80_columns_and_end_with_quit(terminal: Terminal) -> None:
    seen = terminal.types("r")
    os.write(terminal.ours, b"quit\n")
    assert terminal.process.wait(PATIENCE) == 0
    assert all(len(line) <= 80 for line in seen.splitlines())


def test_plain_says_only_what_is_new(log: Path) -> None:
    terminal = Terminal("play", "--plain", log)
    try:
        terminal.until("> ")
        assert re.sub(r"\W+", " ", terminal.types("r")).strip().startswith("8 round 1 begins")
        assert "order" not in terminal.types("b -1")
    finally:
        terminal.close()


def test_pasted_lines_are_told_one_by_one_and_a_bad_one_stops_nothing(log: Path) -> None:
    done = encounter("play", log, stdin="r\nbogus 👍 line\n“Brand” said ‘no’\nb -1\n")
    assert done.exit_code == 0
    assert "no combatant bogus" in done.stderr or "bogus" in done.stderr
    assert "Brand takes 1 damage" in done.stdout
    assert events(log)[-3:] == ["RoundStarted", "Noted", "DamageDealt"]
