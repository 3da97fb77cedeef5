"""The peer pyeventsourcing, in its own documented way: an aggregate, saved to its SQLite recorder after each event."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from eventstore.versions import AnyEvent


class Encounter(Aggregate):
    """Keeps facts as it gets them, without looking at them."""

    @event("Occurrence")
    def told(self, fact: dict[str, Any]) -> None:
        pass


def saved(path: Path, facts: Sequence[AnyEvent]) -> None:
    """Write facts into a new database, each durable before the next; the recorder's defaults are WAL and FULL."""
    application = Application(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)})
    encounter = Encounter()
    for fact in facts:
        encounter.told(fact=msgspec.to_builtins(fact))
        application.save(encounter)
    application.close()
