"""A log as it is now, folded on from where it was known last: who appends line after line reads only what came since."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from eventstore.chain import Anchor
from eventstore.errors import Rewritten
from eventstore.record import Recorded, batches
from eventstore.store import Store

if TYPE_CHECKING:
    from projections.grammar.table import Table


class Replayed:
    """The records of a log and their replay, as a table has them, without its grammar, which takes long to load."""

    def __init__(self, records: list[Recorded]) -> None:
        from projections.folds.replay import replay

        self.records, self.done = records, replay(records)

    def take(self, records: Sequence[Recorded]) -> None:
        """Take in further records, none of which is a correction."""
        from projections.folds.replay import resumed

        self.records += records
        self.done = resumed(self.done, records)


class Present:
    """What is known of a log since it was looked at last; one caller at a time has it, others begin with the whole log."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: list[Replayed | Table] = []

    @contextmanager
    def replayed(self) -> "Iterator[Replayed | Table]":
        """Hold the replay of the log as it is now; raise as the store and `replay` do."""
        known = self._now(Replayed)
        try:
            yield known
        finally:
            self._kept[:] = [known]

    @contextmanager
    def table(self) -> "Iterator[Table]":
        """Hold the table of the log as it is now; raise as the store and `replay` do."""
        from projections.grammar.table import Table

        known = self._now(Table)
        table = known if isinstance(known, Table) else Table(known.records)
        try:
            yield table
        finally:
            self._kept[:] = [table]

    def _now(self, begun: "Callable[[list[Recorded]], Replayed | Table]") -> "Replayed | Table":
        """Return what is known with what was appended since; begun again if that corrects it, or the log is another one."""
        from eventstore.events import Correction

        try:
            known = self._kept.pop()
        except IndexError:  # nothing is known, or another request has it
            return begun(list(self._store.read()))
        last = known.records[-1]
        try:
            news = list(self._store.read(Anchor(last.seq, last.hash)))
        except Rewritten:
            return begun(list(self._store.read()))
        if any(isinstance(record.event, Correction) for record in news):
            return begun([*known.records, *news])
        for append in batches(news):
            known.take(append)
        return known
