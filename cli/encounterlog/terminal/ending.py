"""The end of every command: its output written, its errors as sentences, the process with its exit code."""

import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from encounterlog.progress_line import show_with
from encounterlog.terminal.stopped import Stopped


def run(command: Callable[[], Any], writes: Callable[[], bool]) -> NoReturn:
    """Run a command and exit with its code; no error ever shows a traceback. `writes` says whether it adds to a log."""
    try:
        _settle_streams()
        show_with(_progress)
        code = command()
        sys.stdout.flush()
    except Exception as error:  # noqa: BLE001 – every error ends as a sentence and an exit code
        from encounterlog.terminal.failures import report

        code = report(error, writes())
    sys.exit(code if isinstance(code, int) else 0)


def _progress(line: str) -> None:
    from encounterlog.terminal import output  # only for long work

    output.progress(line)


def stoppable(command: Callable[[], Any]) -> Any:
    """Run a command; an interruption from outside is raised as Stopped."""
    try:
        return command()
    except (BrokenPipeError, KeyboardInterrupt) as error:
        raise Stopped(error) from None


def _settle_streams() -> None:
    """Write letters that the encoding of a terminal lacks as escapes, and treat a closed stream as an empty one."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        elif name != "stdin" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
