"""Following a log: `encounter log --follow` prints the corrected stream so far, then each new record."""

import select
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice

from msgspec import structs

from encounterlog.core.logs import Log
from encounterlog.reading import listing
from encounterlog.reading.listing import Filter, Listing
from encounterlog.terminal import output
from encounterlog.terminal.failures import FINE
from encounterlog.text_pages.log import LogRow, record_row
from eventstore.address import LogAddress
from eventstore.chain import Anchor
from eventstore.errors import Busy, CorruptLog
from eventstore.record import Recorded, batches
from projections.stream.corrections import CORRECTIONS


def log(path: LogAddress, wanted: Filter, *, struck: bool, as_json: bool) -> int:
    """Print what `encounter log` prints, then each new fact, until interrupted or until the output is closed."""
    with suppress(KeyboardInterrupt):
        part = _Part(path)
        listed = listing.listed(
            part, output.json_line if as_json else output.lines, wanted, for_people=not as_json, struck=struck
        )
        structs.replace(wanted, round=None).check(listed.done.state, ())  # a round may be yet to come
        if part.problem is not None and not _is_torn(part.problem):
            raise part.problem
        sys.stdout.flush()
        for batch in batches(part.store.follow(part.end, stop=_closed())):
            listed = _gone_on(listed, path, batch)
            sys.stdout.flush()
    return FINE


class _Part(Log):
    """A log up to a record, or up to its present end; reading waits as long as another process holds the lock."""

    def __init__(self, path: LogAddress, last: int | None = None) -> None:
        super().__init__(path)
        self._last = last
        self.end = Anchor(0, "")
        """The last record that was read."""

    def _readable(self) -> Iterator[Recorded]:
        while True:
            self.problem = None
            for record in islice(super()._readable(), self._last):
                self.end = Anchor(record.seq, record.hash)
                yield record
            if not isinstance(self.problem, Busy):
                return


def _is_torn(problem: Exception) -> bool:
    """Return whether the next writer will mend it."""
    return isinstance(problem, CorruptLog) and problem.torn


def _gone_on(listed: Listing, path: LogAddress, batch: Sequence[Recorded]) -> Listing:
    """Show a batch, corrections as lines of their own; return the listing to continue with."""
    if not any(type(record.event) in CORRECTIONS for record in batch):
        listed.go_on(batch)
        return listed
    rows: dict[int, LogRow] = {}

    def keep(one: LogRow) -> None:
        if one.seq >= batch[0].seq:
            rows[one.seq] = one

    listing_again = type(listed)(_Part(path, batch[-1].seq), keep, listed.names.short)
    rows |= _corrections(listing_again, batch, rows)
    listing_again.show = listed.show
    for seq in sorted(rows):
        listing_again.show(rows[seq])
    return listing_again


def _corrections(listed: Listing, batch: Iterable[Recorded], rows: dict[int, LogRow]) -> dict[int, LogRow]:
    """Return the lines for a batch's corrections; an insertion has the moment of the inserted fact."""
    notes, names = listing.outcomes(listed.done), listed.names.at(listed.done.state)
    return {
        one.seq: record_row(
            one,
            names,
            notes.get(one.seq, ""),
            rows[one.seq].when if one.seq in rows else None,
        )
        for one in batch
        if type(one.event) in CORRECTIONS
    }


def _closed() -> threading.Event:
    """Return an event that is set when the output is closed, on systems that report it."""
    closed = threading.Event()

    def watch() -> None:
        poll.poll()
        closed.set()

    with suppress(AttributeError, OSError, ValueError):  # there is no poll(), or the output is none of the system's
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        threading.Thread(target=watch, daemon=True).start()
    return closed
