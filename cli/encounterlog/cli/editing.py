"""Lines from a plain terminal or standard input, and the keys that a user is shown; text and offers come from what is played."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from encounterlog.cli import output
from eventstore.store import LARGEST_APPEND

if TYPE_CHECKING:
    from encounterlog.cli.play import Playing

PROMPT = "> "
KEPT = "set aside, and nothing was written; the Up key brings it back, quit ends"
NOTHING_KEPT = "nothing was typed; quit ends"
Ask = Callable[[], str | None]  # the function that returns the next line, or lines that were pasted; None at the end


def is_full() -> bool:
    """Return whether a user sits at a terminal that can move its cursor."""
    can_move = os.environ.get("TERM", "dumb") not in ("dumb", "unknown", "")
    return can_move and sys.stdin.isatty() and sys.stdout.isatty()


def is_asked() -> bool:
    """Return whether a user sits at a terminal and types."""
    return sys.stdin.isatty()


def key_to_take(*, plain: bool) -> str:
    """Return the key, on an empty line, that writes the offered line; "" if there is none."""
    if is_asked() and (plain or not is_full()):
        return "Tab and Enter" if find_spec("readline") else ""
    return "Tab" if is_asked() else ""


def keys_to_choose(count: int, *, plain: bool) -> str:
    """Say which keys, on an empty line, write the lines that a refusal offers, of which there are so many; "" where nobody types."""
    if not sys.stdin.isatty():
        return ""
    others = {1: "", 2: ", 2 the other"}.get(count, ", 2 and 3 the others")
    back = "" if plain or not is_full() else ", Esc goes back to the typed line"
    return f"Enter writes {'it' if count == 1 else 'the first'}{others}{back}"


def choose_line(typed: str, choices: Sequence[str]) -> str:
    """Return the offered line that was taken by the input below a refusal: nothing at all, or a number; "" if it takes none."""
    number = {"": 1, "1": 1, "2": 2, "3": 3}.get(typed.strip(), 0)
    return choices[number - 1] if 0 < number <= len(choices) else ""


def wait_for_choice(choices: Sequence[str]) -> str:
    """Say which keys write these lines, wait for a key, and return the line that it writes; "" for any other key."""
    output.print_notes([f"{keys_to_choose(len(choices), plain=True)}, any other key nothing"])
    with suppress(EOFError):
        key = click.getchar()
        return choose_line(key, choices) if key.strip() or key in ("\r", "\n", "\t") else ""
    return ""


def read_piped_line() -> str | None:
    """Return the next line of standard input; None at the end."""
    data = sys.stdin.buffer.readline(LARGEST_APPEND)
    return data.decode(errors="replace").rstrip("\r\n") if data else None


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Let an interrupt wait until all is done, and say that it came too late."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    late: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: late.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if late:
            output.print_notes(["Ctrl-C came after Enter: the line was written first; u takes it back"])


class Plain:
    """Lines as the system's own line editor reads them: nothing on the screen moves but what is typed."""

    def __init__(self, table: "Playing") -> None:
        self.table = table
        self.editor: Any = None
        os.environ["TERM"] = "dumb"  # for the editor below: it then sends no commands to the terminal
        with suppress(ImportError):  # some systems have none; lines are then edited by the terminal itself
            import readline

            self.editor = readline
            self.editor.set_completer(self.completion_at)
            self.editor.set_completer_delims(" ,")
            self.editor.parse_and_bind("tab: complete")
            self.editor.parse_and_bind("set enable-bracketed-paste off")

    def __call__(self) -> str | None:
        """Return the next line; one that is interrupted is kept in the history."""
        while True:
            sys.stdout.flush()
            try:
                return input(PROMPT)
            except EOFError:
                output.print_lines([""])
                return None
            except KeyboardInterrupt:
                line = self.editor.get_line_buffer().strip() if self.editor else ""
                if self.editor and line:
                    self.editor.add_history(line)
                output.print_lines(["", KEPT if line else NOTHING_KEPT])

    def completion_at(self, begun: str, place: int) -> str | None:
        """Return one of the words that the present word can become, as readline asks for them."""
        before = self.editor.get_line_buffer()[: self.editor.get_begidx()] if self.editor else ""
        if not before + begun and self.table.offered:
            return None if place else self.table.offered
        found = self.table.complete_word(before + begun)[1]
        return f"{found[place][0]} " if place < len(found) else None
