"""Removing logs from a database that have not grown for a long time."""

from collections import deque

from msgspec import Struct

from encounterlog.errors import without_name
from encounterlog.storage import databases
from encounterlog.storage.clock import days_ago
from encounterlog.storage.stores import open_place, open_store
from encounterlog.text.layout import count, wrap
from eventstore.address import Url
from eventstore.chain import Anchor
from eventstore.errors import StoreError, WrongVersion


class Aged(Struct, frozen=True):
    """A log that is old, or of unknown age: its name, its head as SEQ:HASH, when its last record was written.

    One with a `problem` is left alone.
    """

    name: str
    head: str | None = None
    at: str | None = None
    removed: bool = False
    problem: str | None = None


class Ageing(Struct, frozen=True):
    """The outcome: the database, the days, whether the logs were to be removed, and each old one."""

    database: str
    older_than: int
    remove: bool
    logs: tuple[Aged, ...]


def aged(database: Url, days: int, *, remove: bool) -> Ageing:
    """Find the logs whose last record is older than a number of days, and remove them on demand."""
    limit = days_ago(days)
    found = (_looked_at(log, limit, remove=remove) for log in open_place(database))
    return Ageing(str(database), days, remove, tuple(each for each in found if each is not None))


def _looked_at(log: Url, limit: str, *, remove: bool) -> Aged | None:
    """Return the report on a log, None if it is young; it is verified before it is removed."""
    try:
        last = deque(open_store(log).read(), maxlen=1)[-1]
        if last.at >= limit:
            return None
        head = Anchor(last.seq, last.hash)
        if remove:
            databases.of_log(log).remove(log, head)
    except WrongVersion:
        return None  # it was written to meanwhile
    except StoreError as error:
        return Aged(log.name, problem=without_name(error))
    return Aged(log.name, str(head), last.at, remove)


def page(done: Ageing) -> list[str]:
    """Return the outcome for people."""
    old = [log for log in done.logs if log.problem is None]
    lines = [f"{done.database}: {count(len(old), 'log')} older than {count(done.older_than, 'day')}"]
    for log in done.logs:
        if log.problem:
            lines += wrap(f"{log.name}: left alone: {log.problem}", "    ")
        else:
            lines.append(f"{log.name}: {'removed, ' if log.removed else ''}last written {log.at}, {log.head}")
    return [*lines, *(["nothing was removed; --yes removes them"] if old and not done.remove else [])]
