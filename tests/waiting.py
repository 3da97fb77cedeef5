"""Waiting for another thread or process, in tests: by events where there are any, with a limit that no load reaches."""

import time
from collections.abc import Callable

LONGEST = 120.0
"""The longest wait, in seconds; anything slower hangs."""


def until(happened: Callable[[], object]) -> None:
    """Return as soon as something has happened that notifies nobody, such as a lock in a server; fail if it never does."""
    end = time.monotonic() + LONGEST
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)
