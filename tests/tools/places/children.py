"""Processes of the application as forks of this one, so that a change that was made in memory runs in them, too, and is marked."""

import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from encounterlog.__main__ import main

OWN = ([sys.executable, "-B", "-m", "encounterlog"], [sys.executable, "-m", "encounterlog"])
"""How the words begin by which tests start the application."""
HIGHEST = 1 << 12
"""No file is open under a higher number."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE)


class Forked(subprocess.Popen[Any]):
    """A process that is a fork of this one if it is to run the application; any other is started as ever."""

    def _execute_child(self, args: Any, *how: Any) -> None:
        words = [] if isinstance(args, str | bytes | os.PathLike) else [os.fspath(word) for word in args]
        begin = next((own for own in OWN if words[: len(own)] == own), None)
        _, first, _, kept, folder, environment, _, _, _, *ends = how[:15]
        if begin is None or first or kept:
            super()._execute_child(args, *how)  # type: ignore[misc]
            return
        theirs = ends[0], ends[3], ends[5]
        self.pid = os.fork()
        if not self.pid:
            _run(words[len(begin) :], folder, environment, theirs)
        self._child_created = True
        self._close_pipe_fds(*ends)  # type: ignore[attr-defined]


def _run(words: Sequence[str], folder: Any, environment: Mapping[str, str] | None, ends: Sequence[int]) -> None:
    """Run the application in this process with these files as input, output and errors, and end with it."""
    code: object = 1
    try:
        for number, end in enumerate(ends):
            if end >= 0:
                os.dup2(end, number)
        os.closerange(3, HIGHEST)
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL if number != signal.SIGINT else signal.default_int_handler)
        sys.stdin, sys.stdout, sys.stderr = (open(number, how, encoding="utf-8") for number, how in enumerate("rww"))  # noqa: PTH123, SIM115
        sys.argv = ["encounter", *words]
        if folder is not None:
            os.chdir(folder)
        if environment is not None:
            os.environ.clear()
            os.environ.update(environment)
        main()
        code = 0
    except SystemExit as end:
        code = end.code
    except BaseException:  # noqa: BLE001 - as Python would
        traceback.print_exc()
    finally:
        with suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code if isinstance(code, int) else code is not None)


@contextmanager
def forked() -> Iterator[None]:
    """Start the application as forks of this process until the block ends."""
    before = subprocess.Popen
    subprocess.Popen = Forked  # type: ignore[misc]
    try:
        yield
    finally:
        subprocess.Popen = before  # type: ignore[misc]
