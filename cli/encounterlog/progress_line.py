"""The line that shows the progress of a piece of work, for the terminal."""

import sys
from collections.abc import Callable

_shown: list[Callable[[str], None]] = []  # the function that shows the line, if there is one


def set_progress_display(show: Callable[[str], None]) -> None:
    """Let progress be shown, where standard error is a terminal."""
    _shown[:] = [show]


def is_shown() -> bool:
    """Return whether progress is shown, and standard error is a terminal."""
    return bool(_shown) and sys.stderr.isatty()


def show_line(line: str) -> None:
    """Show another line in place of the last one."""
    for show in _shown:
        show(line)
