"""Whether anybody still wants the work of a thread: a replay asks after each record, where it can end without harm."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_WANTED: ContextVar[Callable[[], bool]] = ContextVar("wanted")


class Abandoned(BaseException):
    """Ends work that nobody wants any more; nothing catches it by the way."""


@contextmanager
def as_long_as(wanted: Callable[[], bool]) -> Iterator[None]:
    """Let the work in this block, on this thread, end by Abandoned soon after it is no longer wanted."""
    before = _WANTED.set(wanted)
    try:
        yield
    finally:
        _WANTED.reset(before)


def go_on() -> None:
    """Raise Abandoned if the work that calls this is no longer wanted."""
    wanted = _WANTED.get(None)
    if wanted is not None and not wanted():
        raise Abandoned
