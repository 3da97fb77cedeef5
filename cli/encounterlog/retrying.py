"""Appends to a service that another writer may precede: how often they are tried again, and after which pause."""

import time

from eventstore.address import Url
from eventstore.errors import Busy

MOST = 20
"""The number of tries of an append without an expected version."""
PAUSE = 0.005
"""The pause after the first try, in seconds; it grows by as much with each further one, a second in all."""


class Tries:
    """The tries of one append."""

    def __init__(self) -> None:
        self._made, self._waited = 0, 0.0

    def pause(self, path: Url) -> float:
        """Return the pause before the next try, in seconds, of random length, so that writers do not meet again; raise Busy after the last."""
        from random import uniform  # only where another writer came first

        self._made += 1
        if self._made >= MOST:
            raise Busy(path, self._waited, (f"other writers, who came first {MOST} times,",))
        pause = uniform(0, PAUSE * self._made)  # noqa: S311 – nothing is kept secret by it
        self._waited += pause
        return pause

    def wait(self, path: Url) -> None:
        """Wait for that pause."""
        time.sleep(self.pause(path))
