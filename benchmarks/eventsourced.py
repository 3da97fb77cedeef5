"""The peer pyeventsourcing, in its own documented way: an aggregate, saved to its SQLite recorder after each event."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from benchmarks.measuring import Work
from eventstore.record import AnyEvent


class Encounter(Aggregate):
    """An aggregate that keeps facts as they come, without looking at them."""

    @event("Occurrence")
    def recorded(self, fact: dict[str, Any]) -> None:
        pass


def saved(path: Path, facts: Sequence[AnyEvent]) -> None:
    """Write facts into a new database, each durable before the next; the recorder's defaults are WAL and FULL."""
    _saved(_application(path), facts)


def saved_in_postgres(address: str, facts: Sequence[AnyEvent]) -> None:
    """Write facts into a database of PostgreSQL, each durable before the next, as an aggregate of its own."""
    from psycopg.conninfo import conninfo_to_dict

    how = conninfo_to_dict(address)
    env = {name: str(how.get(key, other)) for name, key, other in _POSTGRES}
    _saved(Application(env={"PERSISTENCE_MODULE": "eventsourcing.postgres", **env}), facts)


_POSTGRES = (
    ("POSTGRES_DBNAME", "dbname", ""),
    ("POSTGRES_HOST", "host", ""),
    ("POSTGRES_PORT", "port", "5432"),
    ("POSTGRES_USER", "user", ""),
    ("POSTGRES_PASSWORD", "password", "none"),
)


def _saved(application: Application, facts: Sequence[AnyEvent]) -> None:
    encounter = Encounter()
    for fact in facts:
        encounter.recorded(fact=msgspec.to_builtins(fact))
        application.save(encounter)
    application.close()


def reading(path: Path, facts: Sequence[AnyEvent]) -> Work:
    """Write facts into a new database, all at once, and return the work of reading their aggregate back."""
    application, encounter = _application(path), Encounter()
    for fact in facts:
        encounter.recorded(fact=msgspec.to_builtins(fact))
    application.save(encounter)
    return lambda: application.repository.get(encounter.id)


def _application(path: Path) -> Application:
    return Application(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)})
