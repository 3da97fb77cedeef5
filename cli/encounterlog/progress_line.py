"""The line that says how far a piece of work is, for the terminal that shows it."""

import sys
from collections.abc import Callable

_shown: list[Callable[[str], None]] = []
"""The function that shows the line, if there is one."""


def show_with(show: Callable[[str], None]) -> None:
    """Let progress be shown, where standard error is a terminal."""
    _shown[:] = [show]


def looked_at() -> bool:
    """Return whether progress is shown, and standard error is a terminal."""
    return bool(_shown) and sys.stderr.isatty()


def tell(line: str) -> None:
    """Show another line in place of the last one."""
    for show in _shown:
        show(line)
