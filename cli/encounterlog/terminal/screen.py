"""A whole screen, drawn again after each key. With full_editing.py the only module that knows prompt_toolkit."""

import asyncio
import shutil
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import FormattedTextControl, Layout, Window

from encounterlog.terminal import output

if TYPE_CHECKING:
    from prompt_toolkit.key_binding import KeyPressEvent

KEYS = {"c-m": "enter", "c-j": "enter", "c-h": "backspace", "c-c": "quit", "c-d": "quit", "<sigint>": "quit"}
"""The names of keys where ours differ from those of the library."""

PASTE = "<bracketed-paste>"
"""The key that stands for pasted text."""


class Drawn(Protocol):
    """The content of the screen: its lines for so much room, and the effect of a key."""

    def lines(self, rows: int) -> list[str]:
        """Return the lines to be shown, at most `rows`."""

    def press(self, key: str) -> bool:
        """Do the action of a key, given by its name or the letter itself; return whether the program goes on."""


def run(drawn: Drawn) -> None:
    """Show something on the whole screen until a key ends it; then the terminal is as it was."""
    made = _application(drawn)

    def prepared() -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, made.exit)

    with suppress(EOFError):  # the terminal is gone
        made.run(pre_run=prepared)


def _application(drawn: Drawn) -> "Application[None]":
    def text() -> "ANSI":
        return ANSI(output.rendered(drawn.lines(max(1, shutil.get_terminal_size().lines))))

    window = Window(FormattedTextControl(text, show_cursor=False), wrap_lines=False, always_hide_cursor=True)
    return Application(Layout(window), key_bindings=_keys(drawn), full_screen=True)


def _keys(drawn: Drawn) -> "KeyBindings":
    keys = KeyBindings()

    @keys.add("<any>")
    @keys.add("c-c")
    @keys.add("c-d")
    @keys.add("<sigint>")
    def _(event: "KeyPressEvent") -> None:
        pressed = event.key_sequence[0].key
        word = str(getattr(pressed, "value", pressed))
        words = [*event.data] if word == PASTE else [KEYS.get(word, word)]
        if not all(drawn.press(each) for each in words):
            event.app.exit()

    return keys
