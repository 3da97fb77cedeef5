"""A log folded to its end, and on from there: the table at which its lines are read, and the audit of its facts."""

from collections.abc import Sequence
from typing import Any

from eventstore.events import Correction
from eventstore.record import Recorded, batches
from projections.folds.replay import Replay
from projections.grammar.table import Table
from projections.judging.audit import Audit, Auditor
from projections.occurrence import Occurrence
from projections.state import State


class Looking:
    """An auditor of the facts of a table; where a check fails, that is kept for who asks for the audit."""

    def __init__(self) -> None:
        self._auditor = Auditor()
        self._problem: Exception | None = None

    def look(self, state: State, fact: Occurrence[Any]) -> None:
        """Check a fact in the state before it."""
        try:
            if self._problem is None:
                self._auditor.look(state, fact)
        except Exception as problem:  # noqa: BLE001 – raised by the report
            self._problem = problem

    def audited(self, table: Table) -> Audit:
        """Return the audit of a table's records; raise what failed."""
        if self._problem:
            raise self._problem
        return self._auditor.outcome(table.records, table.done)


class Folded:
    """A log that was replayed to its end, and is folded on as it grows. Only a correction starts it from the beginning.

    The caller sees to it that nobody else uses it meanwhile: what it gives changes as it grows.
    """

    def __init__(self, records: Sequence[Recorded]) -> None:
        """Replay the log; raise as `replay` does."""
        self.looking = Looking()
        self.table = Table(records, before=self.looking.look)

    @property
    def replay(self) -> Replay:
        """The replay of the log."""
        return self.table.done

    def audited(self) -> Audit:
        """Return the audit of the log; raise what failed at a check."""
        return self.looking.audited(self.table)

    def take(self, records: Sequence[Recorded]) -> bool:
        """Take in further records; return whether that can be done, as it cannot if one of them is a correction."""
        if any(isinstance(each.event, Correction) for each in records):
            return False
        for append in batches(records):
            self.table.take(append)
        return True
