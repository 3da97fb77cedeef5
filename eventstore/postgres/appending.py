"""Appends to a log in a database: in one round trip, or under a lock if others have appended meanwhile."""

from collections.abc import Sequence
from typing import NoReturn

import psycopg
from msgspec import Struct
from psycopg.errors import DivisionByZero, UniqueViolation

from eventstore.appending import Tail, Written
from eventstore.chain import START, LogPosition
from eventstore.committing import Append, decide_appends, write_together
from eventstore.errors import NotReadable, NotThere, NotWritten, Rewritten
from eventstore.postgres import connections, statements
from eventstore.postgres.connections import Connection, Database, is_settled
from eventstore.postgres.following import notify_followers
from eventstore.postgres.looking import Looking
from eventstore.reading import first_batch
from eventstore.record import Recorded
from eventstore.writing import Entropy

UNSAFE_HINT = "set fsync and synchronous_commit to on; or append with --mode flushed, which a power cut may lose"


class VerifiedPart(Struct, frozen=True):
    """The verified part of a log: the log's number in the database, and the end of the last append that was verified."""

    log: int
    place: LogPosition


class Moved(Exception):
    """The signal that another writer has appended, so that the append must be decided under the lock."""


class Writer:
    """The writer of a handle, which one thread at a time uses, and the part of the log that the handle has verified."""

    def __init__(self, database: Database, looking: Looking, entropy: Entropy) -> None:
        self.known: VerifiedPart | None = None
        self._database, self._looking, self._entropy = database, looking, entropy
        self._contended = False
        """Whether others have appended since this handle last looked, so that the lock is taken at once."""

    def keep_walked(self, log: int, place: LogPosition) -> None:
        """Take over the part that a walk has verified, if it is larger than the known one."""
        if self.known is None or place.seq >= self.known.place.seq:
            self.known = VerifiedPart(log, place)

    def _caught_up(self, looking: Looking) -> tuple[VerifiedPart, tuple[Recorded, ...]]:
        """Verify the records since the last look, and return them if there was one; raise Rewritten, and forget the verified part, if that is gone."""
        start = self.known.place if self.known else START
        end = looking.log_end(start)
        if not end.stands:
            self.known = None
            raise looking.rewritten_error(start, end)
        walk = looking.walk_to_end(start, end)
        news = tuple(record for record in looking.walked_records(walk, end) if self.known)
        self._contended = bool(news)
        self.known = VerifiedPart(end.log, walk.place)
        return self.known, news

    def write_appends(self, jobs: Sequence[Append]) -> None:
        """Write the appends of several threads in one transaction, and give each its own result."""
        write_together(jobs, self._write_jobs)

    def _write_jobs(self, jobs: Sequence[Append]) -> None:
        try:
            with self._database.connection() as connection:
                if not self._took_short_path(connection, jobs):
                    self._behind_lock(connection, jobs)
        except NotThere:
            raise
        except NotReadable as error:
            raise NotWritten(self._looking.path, error.why, error.hint) from None

    def _took_short_path(self, connection: Connection, jobs: Sequence[Append]) -> bool:
        """Append in one round trip, if the log still ends where it is known to; return whether the appends are decided."""
        if self.known is None or self._contended:
            return False
        tail = Tail(Written(self.known.place, {}, _raise_moved, _raise_moved), self._entropy)
        try:
            decide_appends(jobs, tail)
            if not tail.lines:
                return True
            return self._send(connection, self.known, tail, jobs, alone=True)
        except (Moved, UniqueViolation):
            return False
        except psycopg.Error as error:
            raise connections.write_error(
                self._looking.path, error, self._database.wait, lost=connection.broken
            ) from None

    def _send(
        self, connection: Connection, known: VerifiedPart, tail: Tail, jobs: Sequence[Append], *, alone: bool = False
    ) -> bool:
        """Send lines and the keys in them, and commit; return False, with nothing written, if the log does not end there.

        Those sent `alone` need a transaction only where the session does not have the settings of one.
        """
        keys = [
            (str(record.key).encode(), lines.records[0].seq, lines.records[-1].seq)
            for lines in tail.lines
            for record in lines.records
            if record.key is not None
        ]
        values = {
            "log": known.log,
            "after": known.place.seq,
            "previous": known.place.hash,
            "last": tail.place.seq,
            "hash": tail.place.hash,
            "lines": tail.data.splitlines(),
            "keys": [key for key, _, _ in keys],
            "firsts": [first for _, first, _ in keys],
            "lasts": [last for _, _, last in keys],
        }
        able = self._database.able
        text = statements.append_statement(
            safe="settings" in able and _needs_safety(jobs), heard={"listen", "advisory-lock"} <= able
        )
        try:
            if alone and not is_settled(connection):
                connection.execute(statements.begin_transaction(self._database.wait))
            found = connection.execute(text, values).fetchone()
        except DivisionByZero:
            return False
        if found is None:
            return False
        connection.commit()
        self.known = VerifiedPart(known.log, tail.place)
        if found[0] and "listen" in able:
            notify_followers(connection, known.log)
        return True

    def _behind_lock(self, connection: Connection, jobs: Sequence[Append]) -> None:
        """Append with the log locked from the look at its end to the commit."""
        ends = False
        try:
            connection.rollback()  # what the short path began
            connection.execute(statements.begin_transaction(self._database.wait))
            connection.execute(statements.LOCKED, {"name": self._looking.name})
            allowed = self._allowed_appends(connection, jobs)
            known, tail = self._decide_appends(connection, allowed)
            if not tail.lines:
                return
            ends = True
            if not self._send(connection, known, tail, allowed):
                raise NotWritten(self._looking.path, "the end of the log moved while it was locked", "try again")
        except psycopg.Error as error:
            lost = ends and connection.broken
            raise connections.write_error(self._looking.path, error, self._database.wait, lost=lost) from None

    def _allowed_appends(self, connection: Connection, jobs: Sequence[Append]) -> Sequence[Append]:
        """Return the appends that may be made: no durable ones on a server that may lose what it confirmed."""
        if (why := unsafe_reason(self._database, connection)) is None:
            return jobs
        for job in jobs:
            job.keep_error(NotWritten(self._looking.path, why, UNSAFE_HINT))
        return [job for job in jobs if job.request.mode != "durable"]

    def _decide_appends(self, connection: Connection, jobs: Sequence[Append]) -> tuple[VerifiedPart, Tail]:
        """Decide on the appends in their order; those without condition and key are refused if the log went back."""
        looking = Looking(self._database, self._looking.path, self._looking.name, connection)
        start, gone = self.known, None
        try:
            known, news = self._caught_up(looking)
        except Rewritten as error:
            gone, (known, news) = error, self._caught_up(looking)
        keys = [key.encode() for job in jobs for key in job.request.keys if _is_text(key)]
        found = connection.execute(statements.KEYS, {"name": looking.name, "keys": keys}) if keys else ()
        written = Written(
            known.place,
            {bytes(key).decode(): LogPosition(0, first - 1, "") for key, first in found},
            lambda place: self._batch_after(place, known, looking),
            lambda after: (
                news if start and after == start.place.seq and not gone else tuple(looking.records_since(after))
            ),
        )
        tail = Tail(written, self._entropy)
        decide_appends(jobs, tail, gone)
        return known, tail

    def _batch_after(self, place: LogPosition, known: VerifiedPart, looking: Looking) -> tuple[Recorded, ...]:
        """Return the append after a place, which the table of keys names; raise NotWritten if there is none."""
        if not 0 <= place.seq < known.place.seq:
            why = f"the table of keys names record {place.seq + 1}, which is none"
            raise NotWritten(looking.path, why, "its owner removes such a row; choose another key")
        return first_batch(looking.records_since(place.seq))


def unsafe_reason(database: Database, connection: Connection) -> str | None:
    """Return why a server may lose what it confirmed, None if it may not, or cannot say."""
    if "settings" not in database.able:
        return None
    (settings,) = connection.execute(statements.SETTINGS).fetchall()
    off = [name for name, value in zip(("fsync", "synchronous_commit"), settings, strict=True) if value == "off"]
    return f"the server has {off[0]}=off: a power cut may undo confirmed appends" if off else None


def _needs_safety(jobs: Sequence[Append]) -> bool:
    """Return whether a server that may lose confirmed appends must refuse these together; one durable append is enough."""
    return any(job.request.mode == "durable" for job in jobs)


def _raise_moved(_: object) -> NoReturn:
    raise Moved


def _is_text(key: str) -> bool:
    """Return whether a key can be in a log at all; half a surrogate pair, or a value that is no text, is refused later, with the reason."""
    return isinstance(key, str) and not any("\ud800" <= letter <= "\udfff" for letter in key)
