"""Durable appends to PostgreSQL: one at a time against a bare insert of the same bytes and against a peer, and 8 writers on 8 logs."""

import itertools
import threading
from collections.abc import Mapping, Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.append import AT, OPENING, script
from benchmarks.measuring import Measurement, Work, in_turn, median_of_pairs
from eventstore.record import Draft

if TYPE_CHECKING:
    from eventstore.address import Url

FLOOR = "a bare insert of the line, a transaction each (floor)"
OWN = "append, handle kept open"
FOLLOWED = "the same, of a log that is followed"
PEER = "pyeventsourcing, PostgreSQL, a save each (peer)"
WRITERS = 8
MANY = f"{WRITERS} writers on {WRITERS} logs"
TARGETS = {OWN: 0.65, MANY: 1.0, PEER: 1.5}
"""The share of the floor that each shall reach; for the writers, the growth of their sum; for the peer, the factor by which it takes longer."""


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure on a private server, whose files are on the disk to be measured."""
    try:
        from tests.servers import NoServer, Server
    except ImportError as error:
        return [Measurement(OWN, "", (), note=f"not tried: {error}")]
    try:
        server = Server(at=folder)
    except NoServer as reason:
        return [Measurement(OWN, "", (), note=f"not tried: {reason}")]
    try:
        return _rows(server.url(), 240 if short else 960, 5 if short else 11)
    finally:
        server.remove()


def _rows(address: str, events: int, runs: int) -> list[Measurement]:
    from eventstore.address import Url
    from eventstore.postgres.connections import Database
    from eventstore.postgres.migrating import migrate_tables

    url = Url(address)
    drafts = [Draft(event) for event in itertools.islice(script(), events)]
    with Database(url) as database:
        migrate_tables(database)
        lines = _lines(drafts)
        works: dict[str, Work] = {
            FLOOR: lambda: _insert(address, lines),
            OWN: lambda: _append(url, "own", drafts),
            FOLLOWED: lambda: _append(url, "followed", drafts, followed=True),
            MANY: lambda: _append_all(url, drafts),
        }
        peer, lacks = _peer(url, drafts)
        taken = in_turn(works | peer, runs)
    rows = [_row(name, taken, events) for name in taken]
    return [*rows, Measurement(PEER, "", (), note=f"not tried: {lacks}")] if lacks else rows


def _row(name: str, taken: Mapping[str, list[float]], events: int) -> Measurement:
    """Return a row with the share of the floor; for the peer the factor by which it takes longer than ours."""
    share = median_of_pairs(taken[PEER], taken[OWN]) if name == PEER else median_of_pairs(taken[FLOOR], taken[name])
    note = f"times as long as our {OWN}" if name == PEER else ""
    times = tuple(seconds / events * 1e6 for seconds in taken[name])
    return Measurement(name, "µs an event", times, ratio=share, target=TARGETS.get(name), note=note)


def _peer(url: "Url", drafts: Sequence[Draft]) -> tuple[dict[str, Work], str]:
    """Return the work of the peer, or the reason for its absence."""
    try:
        from benchmarks.eventsourced import saved_in_postgres
    except ImportError as error:
        return {}, str(error)
    facts = [draft.event for draft in drafts]
    return {PEER: lambda: saved_in_postgres(url.given, facts)}, ""


def _lines(drafts: Sequence[Draft]) -> list[bytes]:
    """Return the lines that appends of these facts write."""
    from eventstore.memory import MemoryStore

    made = MemoryStore([Draft(OPENING)], by="gm", at=AT)
    for draft in drafts:
        made.append([draft], by="gm", at=AT)
    return made.data.splitlines()[1:]


def _insert(address: str, lines: Sequence[bytes]) -> None:
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("drop table if exists bare")
        connection.execute("create table bare (seq bigint primary key, line bytea not null)")
        for seq, line in enumerate(lines):
            connection.execute("insert into bare values (%s, %s)", (seq, line))


def _append(url: "Url", name: str, drafts: Sequence[Draft], *, followed: bool = False) -> None:
    from eventstore.memory import MemoryStore
    from eventstore.postgres import keeping
    from eventstore.postgres.connections import Database
    from eventstore.postgres.following import Listener
    from eventstore.postgres.looking import Looking
    from eventstore.postgres.store import PostgresStore

    with Database(url) as database:
        if name in keeping.list_names(database):
            keeping.remove_log(database, url, name, PostgresStore(database, name).head())
        keeping.create_log(
            database, url, name, MemoryStore([Draft(OPENING)], by="gm", at=AT).data.splitlines(keepends=True)
        )
        store = PostgresStore(database, name)
        with closing(Listener(database, threading.Event())) if followed else nullcontext() as listener:
            if listener:
                listener.is_listening(Looking(database, store.path, name).log_end().log)
            for draft in drafts:
                store.append([draft], by="gm", at=AT)


def _append_all(url: "Url", drafts: Sequence[Draft]) -> None:
    crew = [
        threading.Thread(target=_append, args=(url, f"many {first}", drafts[first::WRITERS]))
        for first in range(WRITERS)
    ]
    for each in crew:
        each.start()
    for each in crew:
        each.join()
