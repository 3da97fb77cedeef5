"""What prompt_toolkit does, which only this module knows: a whole screen, drawn again after each key, and lines with all that can be had."""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application, get_app, run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output.vt100 import Vt100_Output

from encounterlog.cli import output
from encounterlog.cli.editing import KEPT, NOTHING_KEPT, PROMPT, choose_line
from encounterlog.words.layout import clip

if TYPE_CHECKING:
    from encounterlog.cli.play import Playing

OUR_NAMES = {"c-m": "enter", "c-j": "enter", "c-h": "backspace", "c-c": "quit", "c-d": "quit", "<sigint>": "quit"}
PASTE = "<bracketed-paste>"  # the key that stands for pasted text


def run_screen(lines: Callable[[int], list[str]], press: Callable[[str], bool]) -> None:
    """Show `lines`, for so many rows, on the whole screen; `press` does the action of a key by its name, and returns whether it goes on."""
    keys = KeyBindings()

    @keys.add("<any>")
    @keys.add("c-c")
    @keys.add("c-d")
    @keys.add("<sigint>")
    def _(event: KeyPressEvent) -> None:
        pressed = event.key_sequence[0].key
        word = str(getattr(pressed, "value", pressed))
        words = [*event.data] if word == PASTE else [OUR_NAMES.get(word, word)]
        if not all(press(each) for each in words):
            event.app.exit()

    def text() -> ANSI:
        return ANSI("\n".join(output.render_lines(lines(max(1, shutil.get_terminal_size().lines)))))

    window = Window(FormattedTextControl(text, show_cursor=False), wrap_lines=False, always_hide_cursor=True)
    made: Application[None] = Application(Layout(window), key_bindings=keys, full_screen=True)
    with suppress(EOFError):  # the terminal is gone
        made.run(pre_run=lambda: asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, made.exit))


class _Terminal(Vt100_Output):
    """The terminal, which is not asked where its cursor is: over a slow line the answer would come as typed text."""

    responds_to_cpr = False

    def get_rows_below_cursor_position(self) -> int:
        return 1  # so that the lines in view stand right below the prompt


class Full(Completer):
    """Lines at a terminal: what is in view below them, words to complete, history, paste of many lines, a key for why."""

    def __init__(self, table: "Playing") -> None:
        self.table = table
        self.session: PromptSession[str] = PromptSession(
            PROMPT,
            output=_Terminal.from_pty(sys.stdout, term=os.environ.get("TERM")),
            history=InMemoryHistory(),  # in no file: secrets are typed here
            completer=self,
            complete_while_typing=False,
            reserve_space_for_menu=4,
            bottom_toolbar=self._status_text,
            key_bindings=self._make_keys(),
            include_default_pygments_style=False,
        )

    def __call__(self) -> str | None:
        """Return the next line, or the lines of a paste."""
        sys.stdout.flush()
        with suppress(EOFError):
            return self.session.prompt()
        return None

    def _status_text(self) -> str:
        return "\n".join(self.table.status_lines(get_app().output.get_size().columns, get_app().current_buffer.text))

    def get_completions(self, document: Document, _event: CompleteEvent) -> Iterator[Completion]:
        """Yield the words that the unfinished word can become."""
        begun, found = self.table.complete_word(document.current_line_before_cursor)
        for each, says in found:
            typed = each if each.endswith("=") else f"{each} "
            yield Completion(typed, -len(begun), display=each, display_meta=clip(says, 48))

    def _make_keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("tab", filter=Condition(lambda: bool(self.table.offered) and not get_app().current_buffer.text))
        def _(event: KeyPressEvent) -> None:
            event.current_buffer.insert_text(self.table.offered)
            event.current_buffer.validate_and_handle()

        is_open = Condition(lambda: bool(self.table.choices) and not get_app().current_buffer.text)
        for key in ("enter", "1", "2", "3"):

            @keys.add(key, filter=is_open)
            def _(event: KeyPressEvent) -> None:
                typed = event.data if event.data.isdigit() else ""
                line = choose_line(typed, self.table.choices)
                event.current_buffer.insert_text(line or typed)
                if line:
                    event.current_buffer.validate_and_handle()

        @keys.add("escape", filter=Condition(lambda: bool(self.table.refused) and not get_app().current_buffer.text))
        def _(event: KeyPressEvent) -> None:
            event.current_buffer.insert_text(self.table.refused)

        @keys.add("c-c")
        @keys.add("<sigint>")
        def _(event: KeyPressEvent) -> None:
            if text := event.current_buffer.text.strip():
                event.current_buffer.history.append_string(text)
            event.current_buffer.reset()
            run_in_terminal(lambda: output.print_lines([KEPT if text else NOTHING_KEPT]))

        @keys.add("f2")
        @keys.add("escape", "?")
        def _(event: KeyPressEvent) -> None:
            line = event.current_buffer.document.current_line_before_cursor
            run_in_terminal(lambda: self.table.print_reason(line))

        return keys
