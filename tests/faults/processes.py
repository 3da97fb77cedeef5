"""Processes that fail and die, and small disks to do it on: by the system's own means."""

import gc
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

from tests.faults.campaign import NotTried

Said = list[Any]
"""What was said of a piece of work: a word, which piece, and more."""
Say = Callable[..., None]
PATIENCE = 60
"""How many seconds a child may live."""


# ---------------------------------------------------------------- children


class Child:
    """Is a process forked from this one, so that nothing is loaded twice. What it says outlives it, in a file."""

    def __init__(self, work: Callable[[Say], None]) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 – it lives as long as this
        self.code: int | None = None
        self.pid = os.fork()
        if not self.pid:
            self._live(work)

    def __del__(self) -> None:
        self._file.close()

    def end(self) -> int:
        if self.code is None:
            self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.code

    @property
    def over(self) -> bool:
        if self.code is None and (ended := os.waitpid(self.pid, os.WNOHANG))[0]:
            self.code = os.waitstatus_to_exitcode(ended[1])
        return self.code is not None

    def kill(self) -> None:
        if not self.over:
            os.kill(self.pid, signal.SIGKILL)
            self.end()

    def go_on(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    @property
    def said(self) -> list[Said]:
        """What it has said until now; of a word cut short by its death, nothing."""
        data = os.pread(self._file.fileno(), os.fstat(self._file.fileno()).st_size, 0)
        return [json.loads(line) for line in data.split(b"\n")[:-1]]

    def _say(self, *words: Any) -> None:
        os.writev(self._file.fileno(), [json.dumps(words).encode(), b"\n"])  # a call that no store makes

    def _live(self, work: Callable[[Say], None]) -> NoReturn:
        code = 1
        try:
            gc.freeze()  # what its parent left is not its business
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(PATIENCE)
            work(self._say)
            code = 0
        except BaseException as error:  # noqa: BLE001 – a child must not return into its parent's work
            with suppress(OSError):
                self._say("broke", None, repr(error))
        finally:
            os._exit(code)


@contextmanager
def limit(what: int, most: int) -> Iterator[None]:
    before = resource.getrlimit(what)
    resource.setrlimit(what, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(what, before)


class Heard(list[Said]):
    def __call__(self, *words: Any) -> None:
        self.append([*words])


# ---------------------------------------------------------------- small disks


@contextmanager
def mounted(*words: object) -> Iterator[None]:
    ran("mount", *words)
    try:
        yield
    finally:
        ran("umount", "-l", words[-1])


def ran(command: str, *words: object) -> None:
    """Run a command that only root on Linux may; raise NotTried with what it says where it fails."""
    if sys.platform != "linux" or os.geteuid() or not shutil.which(command):
        raise NotTried(f"{command} needs root on Linux")
    done = subprocess.run([command, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotTried(f"{command}: {done.stderr.strip()}")
