"""Processes that fail and die, and small disks to do it on: by the system's own means."""

import ctypes
import gc
import json
import os
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

from msgspec import Struct

from tests.faults.campaign import NotTried

Said = list[Any]
"""What was said of a piece of work: a word, which piece, and more."""
Say = Callable[..., None]
PATIENCE = 60
"""How many seconds a child may live."""
NOBODY = 65534
_SET_PTRACER, _ANYBODY = 0x59616D61, -1


# ---------------------------------------------------------------- children


class Child:
    """Is a process forked from this one, so that nothing is loaded twice. What it says outlives it, in a file.

    One that `waits` does not begin its work until it is told to.
    """

    def __init__(self, work: Callable[[Say], None], *, waits: bool = False) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 – it lives as long as this
        self._may_begin, self._gate = os.pipe()
        self.code: int | None = None
        self.pid = os.fork()
        if not self.pid:
            self._live(work)
        if not waits:
            self.begin()

    def __del__(self) -> None:
        self._file.close()
        for fd in (self._may_begin, self._gate):
            with suppress(OSError):  # in a child that is made to fail
                os.close(fd)

    def begin(self) -> None:
        """Let it begin its work."""
        os.write(self._gate, b"!")

    def end(self) -> int:
        """Wait until it has ended, and return its exit code, that of a signal below zero."""
        if self.code is None:
            self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.code

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        if self.code is None and (ended := os.waitpid(self.pid, os.WNOHANG))[0]:
            self.code = os.waitstatus_to_exitcode(ended[1])
        return self.code is not None

    def kill(self) -> None:
        if not self.over:
            os.kill(self.pid, signal.SIGKILL)
            self.end()

    def go_on(self) -> None:
        """Let it go on after it was stopped."""
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
            _may_be_traced()
            select.select([self._may_begin], [], [])
            work(self._say)
            code = 0
        except BaseException as error:  # noqa: BLE001 – a child must not return into its parent's work
            with suppress(OSError):
                self._say("broke", None, repr(error))
        finally:
            os._exit(code)


def _may_be_traced() -> None:
    """Let strace look at this process even where that is left to its parents (Yama)."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_PTRACER, _ANYBODY, 0, 0, 0)


class Traced(Struct, frozen=True):
    """Tells how a child ended under strace, and how many calls of the first injection were harmed, if not by a signal."""

    code: int
    harmed: int


def straced(child: Child, *injections: str, only: Path | None = None) -> Traced:
    """Let a waiting child do its work with these injections of strace.

    With `only`, calls that have nothing to do with that file pass unharmed, and are not counted.
    """
    if not shutil.which("strace"):
        child.kill()
        raise NotTried("there is no strace")
    calls = [each.partition(":")[0] for each in injections]
    options = [
        f"--trace={','.join(calls)}",
        *(f"--inject={each}" for each in injections),
        *(["-P", str(only)] if only else []),
    ]
    with tempfile.NamedTemporaryFile("r") as trace:
        tracer = subprocess.Popen(
            ["strace", "-f", "-p", str(child.pid), "-o", trace.name, *options], stderr=subprocess.PIPE
        )
        assert tracer.stderr is not None
        with tracer.stderr:
            attached = tracer.stderr.readline().decode().strip()
            if "attached" not in attached:
                child.kill()
                tracer.wait()
                raise NotTried(f"strace is of no use here: {attached}")
            child.begin()
            code = child.end()
            tracer.wait()
        first = re.compile(rf"\d+ +({calls[0].replace('?', '').replace(',', '|')})\(")
        return Traced(code, sum("(INJECTED)" in line and bool(first.match(line)) for line in trace))


@contextmanager
def limit(what: int, most: int) -> Iterator[None]:
    """Let this process have no more than that of something (RLIMIT_…)."""
    before = resource.getrlimit(what)
    resource.setrlimit(what, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(what, before)


def as_nobody() -> None:
    """Become a user whom permissions stop."""
    if not os.geteuid():
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


class Heard(list[Said]):
    """Is what is said by work that is done in this process."""

    def __call__(self, *words: Any) -> None:
        self.append([*words])


# ---------------------------------------------------------------- small disks


@contextmanager
def tmpfs(size: int, options: str = "") -> Iterator[Path]:
    """Give a disk in memory of that many bytes."""
    with tempfile.TemporaryDirectory(prefix="fault-") as name:
        folder = Path(name)
        with mounted("-t", "tmpfs", "-o", f"size={size}{options}", "none", folder):
            yield folder


@contextmanager
def ext4(size: int, image: Path) -> Iterator[Path]:
    """Give a real file system of that many bytes, in a file."""
    with image.open("wb") as file:
        file.truncate(size)
    ran("mkfs.ext4", "-q", "-F", "-m", "0", "-b", "4096", image)
    with attached(image) as folder:
        yield folder


@contextmanager
def attached(image: Path) -> Iterator[Path]:
    """Give what is in the image of a file system."""
    with tempfile.TemporaryDirectory(prefix="fault-") as name:
        folder = Path(name)
        with mounted("-o", "loop", image, folder):
            yield folder


@contextmanager
def mounted(*words: object) -> Iterator[None]:
    """Mount what `mount` is told to; the last word is where."""
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
