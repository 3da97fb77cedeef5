"""Lines at a terminal with everything that prompt_toolkit can do. With screen.py the only module that knows it; both are loaded only where they are used."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app, run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output.vt100 import Vt100_Output

from encounterlog.terminal import output
from encounterlog.terminal.editing import KEPT, MENU, NOTHING_KEPT, PROMPT, Table, chosen
from encounterlog.text.layout import clip


class Full:
    """Lines at a terminal: what is in view below them, words to complete, history, paste of many lines, a key for why."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.session = self._session()

    def __call__(self) -> str | None:
        """Return the next line, or the lines of a paste."""
        sys.stdout.flush()
        with suppress(EOFError):
            return self.session.prompt()
        return None

    def _session(self) -> PromptSession[str]:
        return PromptSession(
            PROMPT,
            output=_screen(),
            history=InMemoryHistory(),  # in no file: secrets are typed here
            completer=self._completer(),
            complete_while_typing=False,
            reserve_space_for_menu=MENU,
            bottom_toolbar=self._bar,
            key_bindings=self._keys(),
            include_default_pygments_style=False,
        )

    def _bar(self) -> str:
        app = get_app()
        return "\n".join(self.table.bar(app.output.get_size().columns, app.current_buffer.text))

    def _completer(self) -> Completer:
        words = self.table.words

        class Words(Completer):
            def get_completions(self, document: Document, _event: CompleteEvent) -> Iterator[Completion]:
                begun, found = words(document.current_line_before_cursor)
                for each, says in found:
                    end = "" if each.endswith("=") else " "
                    yield Completion(each + end, -len(begun), display=each, display_meta=clip(says, 48))

        return Words()

    def _keys(self) -> KeyBindings:
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
                if line := chosen(typed, self.table.choices):
                    event.current_buffer.insert_text(line)
                    event.current_buffer.validate_and_handle()
                else:
                    event.current_buffer.insert_text(typed)

        @keys.add("escape", filter=Condition(lambda: bool(self.table.refused) and not get_app().current_buffer.text))
        def _(event: KeyPressEvent) -> None:
            event.current_buffer.insert_text(self.table.refused)

        @keys.add("c-c")
        @keys.add("<sigint>")
        def _(event: KeyPressEvent) -> None:
            text = event.current_buffer.text.strip()
            if text:
                event.current_buffer.history.append_string(text)
            event.current_buffer.reset()
            run_in_terminal(lambda: output.lines([KEPT if text else NOTHING_KEPT]))

        @keys.add("f2")
        @keys.add("escape", "?")
        def _(event: KeyPressEvent) -> None:
            line = event.current_buffer.document.current_line_before_cursor
            run_in_terminal(lambda: self.table.why(line))

        return keys


def _screen() -> Any:
    """Return the terminal, which is not asked where its cursor is: over a slow line the answer would come as typed text."""

    class Screen(Vt100_Output):
        responds_to_cpr = False

        def get_rows_below_cursor_position(self) -> int:
            return 1  # so that the lines in view stand right below the prompt

    return Screen.from_pty(sys.stdout, term=os.environ.get("TERM"))
