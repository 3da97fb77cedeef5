"""Appends of which another writer may come first: how often they are tried again, and after how long a pause."""

import time

MOST = 20
"""How often an append without an expected version is tried."""
PAUSE = 0.005
"""How many seconds are waited at most after the first try; after each further one as many more, a second in all."""


class Tries:
    """The tries of one append."""

    def __init__(self) -> None:
        self._made = 0

    def pause(self, overtaken: Exception) -> float:
        """Return how many seconds to wait before the next try, of random length, so that writers do not meet again; raise after the last."""
        from random import uniform  # only where another writer came first

        self._made += 1
        if self._made >= MOST:
            raise overtaken
        return uniform(0, PAUSE * self._made)  # noqa: S311 – nothing is kept secret by it

    def wait(self, overtaken: Exception) -> None:
        """Wait so long."""
        time.sleep(self.pause(overtaken))
