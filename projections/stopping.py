"""Cancellation of a thread's work: a replay asks after each record, where it can stop safely, whether to go on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_WANTED: ContextVar[Callable[[], bool]] = ContextVar("wanted")


class Abandoned(BaseException):
    """The end of cancelled work; nothing catches it on the way."""


@contextmanager
def stop_unless_wanted(wanted: Callable[[], bool]) -> Iterator[None]:
    """End the work in this block, on this thread, by Abandoned soon after it is no longer wanted."""
    before = _WANTED.set(wanted)
    try:
        yield
    finally:
        _WANTED.reset(before)


def can_be_stopped() -> bool:
    """Return whether the work of this thread may be cancelled at all."""
    return _WANTED.get(None) is not None


def check_wanted() -> None:
    """Raise Abandoned if the work of this thread is no longer wanted."""
    wanted = _WANTED.get(None)
    if wanted is not None and not wanted():
        raise Abandoned
