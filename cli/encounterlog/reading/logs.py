"""Reading logs: records that can be iterated repeatedly, and their replay."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

from encounterlog.edge import failures, output
from encounterlog.edge.failures import Failure
from encounterlog.edge.stores import open_store, size_of
from eventstore.address import Address
from eventstore.errors import CorruptLog, Malformed, StoreError
from eventstore.events import EncounterOpened
from eventstore.record import Recorded
from eventstore.store import Store
from projections.folds.replay import Observer, Replay, replay
from projections.rulesets import UnknownRuleset, find
from projections.time import Where

if TYPE_CHECKING:
    from encounterlog.reading import again
    from encounterlog.reading.folded import Folded

SMALL = 1 << 22
"""The largest log, in bytes, that is kept in memory once it is read."""


class Log:
    """A log whose records can be iterated repeatedly, always the same ones, whatever is appended meanwhile.

    With `as_of` it ends with that record: what was known then, without later corrections. `shows` names the work on a
    long log whose progress a terminal is told. `store` is what keeps it, if that is open already.
    """

    def __init__(
        self,
        path: Address,
        *,
        as_of: int | None = None,
        network_drive: bool = False,
        shows: str = "",
        store: Store | None = None,
    ) -> None:
        self.path, self.as_of, self._network_drive, self._shows = path, as_of, network_drive, shows
        self.store = store or open_store(path, network_drive=network_drive, shows=bool(shows))
        self.problem: StoreError | None = None
        self.last: Recorded | None = None
        """The last record of those that were read so far."""
        self._kept: list[Recorded] | None = None
        self._whole: int | None = None
        self._unchanged: again.State | None = None
        """How the file was before and after all of it was verified, if it was the same."""

    @property
    def folded(self) -> "Folded | None":
        """What the log comes to, where it is kept folded to its end and nobody else uses that meanwhile."""
        return None

    def first_under(self, key: str) -> int | None:
        """Return the first record that was appended under a key; None if there is none."""
        return next((record.seq for record in tolerant(self) if record.key == key), None)

    def __iter__(self) -> Iterator[Recorded]:
        if self._kept is None and self._is_small():
            self._kept = list(self._readable())
        if self._kept is not None:
            yield from self._with_progress(self._kept) if self._shows else self._kept
        else:
            yield from self._streamed()
        if self.problem:
            raise self.problem

    def _with_progress(self, records: list[Recorded]) -> Iterable[Recorded]:
        from encounterlog.edge.progress import Counted  # only for long work

        return Counted(records, self._shows)

    def revised(self) -> str:
        """Return a note if the log was opened on another revision of its ruleset than the one installed, else nothing."""
        first = next(iter(self), None)
        opened = first.event if first else None
        if not isinstance(opened, EncounterOpened):
            return ""
        rules = find(opened.ruleset)
        if rules.revision == opened.revision:
            return ""
        return f"the log was opened on revision {opened.revision} of {rules.key}; installed is {rules.revision}"

    def note_revision(self) -> None:
        """Print that note on standard error, if the log is read as of an earlier record."""
        if self.as_of is not None and (note := self.revised()):
            output.notes([f"note: {note}"])

    def anew(self, as_of: int | None = None) -> "Log":
        """Return the log as it is now, or as it was when it ended with a record."""
        return Log(self.path, as_of=as_of, network_drive=self._network_drive)

    def _is_small(self) -> bool:
        try:
            return size_of(self.path) <= SMALL
        except (OSError, ValueError, StoreError):
            return True  # reading it will say what is wrong

    def _streamed(self) -> Iterator[Recorded]:
        from encounterlog.reading import again  # only for long logs

        before, count = again.state(self.path), 0
        if self._whole and before and before == self._unchanged and isinstance(self.path, str):
            for record in again.records(self.path, self._whole, before):
                self.last = record
                yield record
            return
        for record in islice(self._readable(), self._whole):
            count = record.seq
            yield record
        self._whole = count
        unchanged = self.problem is None and not self._network_drive and before == again.state(self.path)
        self._unchanged = before if unchanged else None

    def _readable(self) -> Iterator[Recorded]:
        try:
            for record in self.store.read():
                self.last = record
                yield record
                if record.seq == self.as_of:
                    return
        except StoreError as error:
            self.problem = error
            return
        if self.as_of is not None:
            last = self.last.seq if self.last else 0
            raise Failure(
                failures.USAGE, f"--as-of {self.as_of}: this log has no record {self.as_of}", f"it ends at {last}"
            )


def replayed(
    log: Log, where: Where | None = None, *, before: Observer | None = None, after: Observer | None = None
) -> Replay:
    """Replay a log up to a point; raise Failure if there is no such point or the ruleset is not installed."""
    with explained(log, where):
        if where is None and before is None and after is None and (kept := log.folded):
            return kept.replay
        return replay(log, where, before=before, after=after)


def tolerant(log: Log) -> Iterator[Recorded]:
    """Yield the records of a log; raise what is wrong with it, unless it is only a torn tail, which the store mends."""
    try:
        yield from log
    except CorruptLog as error:
        if not error.torn:
            raise


@contextmanager
def explained(log: Log, where: Where | None = None) -> Iterator[None]:
    """Turn errors of a replay into errors that name the log and the point, which is checked first if it is an anchor."""
    try:
        if where and where.hash:
            _check_anchor(log, where)
        yield
    except UnknownRuleset as error:
        raise Failure(failures.UNREADABLE, f"{log.path}, line 1: {error}", error.hint) from None
    except Malformed as error:
        if log.problem is not None:  # the point may lie behind the fault
            raise log.problem from None
        if error.field == "WHERE" and where and where.seq is None:
            raise Malformed("WHERE", f"{_typed(where)}: {error.reason}", error.hint) from None
        raise


def _typed(where: Where) -> str:
    """Return a point in the notation of --at: r2s5, s1, r2.bo.4."""
    segment = "" if where.segment is None else f"s{where.segment}"
    turn = "" if where.turn is None else f".{where.turn}"
    second = "" if where.second is None else f".{where.second}"
    return f"r{where.round}{segment}{turn}{second}" if where.round or not segment else segment


def report_problem(problem: StoreError | None) -> bool:
    """Print on standard error where and why a log could not be read completely; return whether that is so."""
    if problem is None:
        return False
    failures.say(failures.failure_of(problem))
    return True


def _check_anchor(log: Log, where: Where) -> None:
    found = next((record.hash for record in log if record.seq == where.seq), None)
    if found is not None and found != where.hash:
        says = f"{log.path}: record {where.seq} has a different hash than this anchor"
        raise Failure(
            failures.DIFFERENCE, says, "it is another log, or it was rewritten: encounter verify FILE --anchor"
        )
