"""Following a log in a database: its records, then new ones, each once, also while the server is away for a time."""

import threading
from collections.abc import Iterator
from contextlib import closing

from eventstore.chain import START, Anchor
from eventstore.errors import Busy, NotReadable, NotThere
from eventstore.postgres.looking import Looking
from eventstore.postgres.notifications import Listener
from eventstore.record import Recorded, ends_batch
from eventstore.store import ATTENTION

PATIENCE = 30.0
"""How long a server may be away, in seconds. A server in its place must have the records that were seen."""
_PAUSE = 0.1


class Follower:
    """A reader that goes through a log and waits for more, until it is stopped.

    It looks every `ATTENTION` seconds, and sooner when it is notified that some log has grown.
    """

    def __init__(self, looking: Looking, after: int | Anchor, stop: threading.Event) -> None:
        self._looking, self._stop = looking, stop
        self._anchor = after if isinstance(after, Anchor) else None
        self._after, self._place = (after if isinstance(after, int) else after.seq), START
        self._log = 0
        self._waited = 0.0
        self._patient = False
        """Whether the log was read once; before that every fault counts at once."""

    def __iter__(self) -> Iterator[Recorded]:
        """Yield every record once; raise as store.py says of `follow`."""
        with closing(Listener(self._looking.database, self._stop)) as listener:
            while not self._stop.is_set():
                try:
                    yield from self._news()
                except (NotReadable, Busy) as error:
                    self._bear(error)
                else:
                    self._patient, self._waited = True, 0.0
                    if listener.hears(self._log):
                        listener.wait(ATTENTION)

    def _news(self) -> Iterator[Recorded]:
        """Yield the records after the place; raise Rewritten if the record before it is gone."""
        if self._anchor is not None:
            (self._place, _), self._anchor = self._looking.after_anchor(self._anchor), None
        end = self._looking.end(self._place)
        self._log = end.log
        if not end.stands:
            raise self._looking.gone(self._place, end)
        walk = self._looking.walk(self._place, end)
        for record in self._looking.records(walk, end):
            self._place = walk.place
            if record.seq > self._after:
                yield record
            if self._stop.is_set() and ends_batch(record):
                return

    def _bear(self, error: NotReadable | Busy) -> None:
        """Wait a moment for the server to come back; raise the error if it has been away too long."""
        if isinstance(error, NotThere) or not self._patient or self._waited >= PATIENCE:
            raise error from None
        self._stop.wait(_PAUSE)
        self._waited += _PAUSE
