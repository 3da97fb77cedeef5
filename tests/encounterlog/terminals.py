"""A pseudo-terminal with the command at it, for tests: what is typed, and what is seen."""

import re
import signal
import sys
from pathlib import Path

import pexpect

from tests.encounterlog.support import encounter, environment, opened

PATIENCE = 60
"""Seconds to wait for what has to come; a machine may be slow, and nothing is measured by this."""
READY = r"\x1b\[\?2004h"
"""What the prompt sends when it waits for a line."""
_COMMANDS = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[=>()][A-Z0-9]?)|\r")
DOWN, UP, TAB, WHY, ENTER, CTRL_C, CTRL_D = "\x1b[B", "\x1b[A", "\t", "\x1bOQ", "\r", "\x03", "\x04"


def _as_from_a_shell() -> None:
    """Let Ctrl-C interrupt, as a shell does for what it starts; tests that run in the background have it ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """The command at a pseudo-terminal."""

    def __init__(self, *words: object, columns: int = 80, ready: str = READY, **more: str) -> None:
        self.ready = ready
        with_terminal = {"TERM": "xterm", "LC_ALL": "C.UTF-8", **more}
        env = {name: value for name, value in environment(**with_terminal).items() if name not in ("COLUMNS", "LINES")}
        self.child = pexpect.spawn(
            sys.executable,
            ["-B", "-m", "encounterlog", *map(str, words)],
            env=env,
            dimensions=(24, columns),
            encoding="utf-8",
            codec_errors="replace",
            timeout=PATIENCE,
            preexec_fn=_as_from_a_shell,
        )

    def until(self, text: str) -> str:
        """Read until a text is seen, and return what was sent until then, commands to the terminal included."""
        self.child.expect(text)
        return f"{self.child.before}{self.child.after}"

    def prompt(self) -> str:
        """Read until the command waits for a line, and return what is seen until then."""
        return seen(self.until(self.ready))

    def sends(self, keys: str) -> None:
        self.child.send(keys)

    def types(self, line: str) -> str:
        self.sends(f"{line}{ENTER}")
        return self.prompt()

    def end(self) -> int:
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.exitstatus if self.child.exitstatus is not None else -1

    def close(self) -> None:
        self.child.close(force=True)


def seen(sent: str) -> str:
    """Return what is seen of what was sent to a terminal, without the commands to it."""
    return _COMMANDS.sub("", sent)


def ford(path: Path, *lines: str, ruleset: str = "osric") -> Path:
    """Make a log with the four of the reference round, and further lines of the grammar."""
    made = opened(path, ruleset)
    sheets = ("hp=9 weapon=dagger", "hp=14 weapon=sword", "hp=20 weapon=club", "hp=5")
    four = ("join Mira party", "join Brand party", "join Ogre foes", "join goblin*2 foes")
    joining = [f"{who} {sheet}" for who, sheet in zip(four, sheets, strict=True)]
    done = encounter("play", made, stdin="\n".join([*joining, *lines, ""]))
    assert (done.exit_code, done.stderr) == (0, "")
    return made
