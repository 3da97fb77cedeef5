"""Following a log: `encounter log --follow` prints the corrected stream so far, then each new record."""

import select
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice

from msgspec import structs

from encounterlog.core.logs import LogView
from encounterlog.reading import listing
from encounterlog.reading.listing import Filter, Listing
from encounterlog.storage.stores import open_store
from encounterlog.terminal import output
from encounterlog.terminal.failures import FINE
from encounterlog.text_pages.log import LogRow, record_row
from eventstore.address import LogAddress
from eventstore.errors import Busy, CorruptLog
from eventstore.record import Recorded, batches
from eventstore.store import Store
from projections.stream.corrections import CORRECTIONS


def log(path: LogAddress, wanted: Filter, *, struck: bool, as_json: bool) -> int:
    """Print what `encounter log` prints, then each new fact, until interrupted or until the output is closed."""
    with suppress(KeyboardInterrupt):
        part = _part(path)
        listed = listing.listed(
            part, output.json_line if as_json else output.lines, wanted, for_people=not as_json, struck=struck
        )
        structs.replace(wanted, round=None).check(listed.done.state, ())  # a round may be yet to come
        if part.problem is not None and not _is_torn(part.problem):
            raise part.problem
        sys.stdout.flush()
        for batch in batches(part.store.follow(part.head if part.last else 0, stop=_closed())):
            listed = _gone_on(listed, path, batch)
            sys.stdout.flush()
    return FINE


def _part(path: LogAddress, last: int | None = None) -> LogView:
    """Return a log up to a record, or up to its present end; reading waits as long as another process holds the lock."""
    store = open_store(path)
    return LogView(path, store=store, source=_waiting(store, last))


def _waiting(store: Store, last: int | None) -> Iterator[Recorded]:
    while True:
        with suppress(Busy):
            yield from islice(store.read(), last)
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

    listing_again = type(listed)(_part(path, batch[-1].seq), keep, listed.names.short)
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
