"""What the tests of jsonl share with others."""

import os
import resource
from collections.abc import Callable
from pathlib import Path

from eventstore.disk import Disk
from eventstore.errors import CorruptLog, NotALog
from eventstore.jsonl import JsonlStore


def part_and_reason(path: Path) -> tuple[list[int], CorruptLog | NotALog | None]:
    got: list[int] = []
    try:
        for record in JsonlStore(path).read():
            got.append(record.seq)  # noqa: PERF401  # a comprehension would lose the part
    except (CorruptLog, NotALog) as error:
        return got, error
    return got, None


def beside(path: Path) -> list[str]:
    """Return the names in the folder of a log."""
    return sorted(each.name for each in path.parent.iterdir())


def as_nobody(work: Callable[[], str]) -> str:
    """Return what work says, done by a user who is not root, whom permissions do not stop."""
    if os.geteuid():
        return work()
    out, into = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setgid(65534)
            os.setuid(65534)
            os.write(into, work().encode())
        finally:
            os._exit(0)
    os.close(into)
    os.waitpid(child, 0)
    with os.fdopen(out, encoding="utf-8") as said:
        return said.read()


class limited_file_size:  # noqa: N801  # reads as a sentence
    def __init__(self, size: int) -> None:
        self.size = size

    def __enter__(self) -> None:
        self.before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.size, self.before[1]))

    def __exit__(self, *_: object) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, self.before)


class Flaky(Disk):
    def __init__(self, *names: str) -> None:
        self.calls: list[str] = []
        for name in names:
            setattr(self, name, self._failing(name))

    def _failing(self, name: str) -> Callable[..., None]:
        def fail(*_: object) -> None:
            self.calls.append(name)
            raise OSError(5, "Input/output error")

        return fail


class Counting(Disk):
    def __init__(self) -> None:
        self.calls: list[str] = []

    def write(self, fd: int, data: bytes | memoryview) -> int:
        self.calls.append("write")
        return super().write(fd, data)

    def sync(self, fd: int) -> None:
        self.calls.append("sync")
        super().sync(fd)
