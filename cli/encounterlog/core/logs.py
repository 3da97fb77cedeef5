"""Reading logs: records that can be iterated repeatedly, and their replay."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from encounterlog.errors import Refused
from encounterlog.storage.stores import open_store
from eventstore.address import LogAddress
from eventstore.chain import Anchor
from eventstore.errors import CorruptLog, Malformed, StoreError
from eventstore.events import DiceCommitted, EncounterOpened
from eventstore.record import Recorded
from eventstore.spool import Once
from eventstore.store import Store
from projections.folds.replay import Observer, Replay, replay
from projections.rulesets import UnknownRuleset, find
from projections.time import Where

if TYPE_CHECKING:
    from encounterlog.core.folded_log import FoldedLog


class Log:
    """A log whose records can be iterated repeatedly, always the same ones, also if others are appended meanwhile.

    Each is read and verified once. With `as_of` it ends with that record: the knowledge of then, without later
    corrections. `shows` names the work on a long log whose progress a terminal shows. `store` is its store, if that is
    open already.
    """

    def __init__(
        self,
        path: LogAddress,
        *,
        as_of: int | None = None,
        network_drive: bool = False,
        shows: str = "",
        store: Store | None = None,
    ) -> None:
        self.path, self.as_of, self._network_drive, self._shows = path, as_of, network_drive, shows
        self._store = store
        self.problem: StoreError | None = None
        self.notes: list[str] = []
        """The notes that belong to every answer about the log."""
        self.last: Recorded | None = None
        """The last record of those that were read so far."""
        self._chained = False
        self._records: Once | None = None
        self._begun: tuple[Log | None, Sequence[Recorded] | None] = (None, None)
        """The same log as it was read before, and the records appended to it since, if they are known."""

    @cached_property
    def store(self) -> Store:
        """The store of the log, opened on first use."""
        return self._store or open_store(self.path, network_drive=self._network_drive, shows=bool(self._shows))

    @property
    def folded(self) -> "FoldedLog | None":
        """The log folded to its end, if that is kept and nobody else uses it meanwhile; else None."""
        return None

    @property
    def is_chained(self) -> bool:
        """Whether a chain of dice was begun in the part of the log read so far."""
        return self._chained

    @property
    def place(self) -> LogAddress:
        """The address of the log itself, which its other files stand beside; `path` may only be its name."""
        return self.path

    def first_under(self, key: str) -> int | None:
        """Return the first record that was appended under a key; None if there is none."""
        return next((record.seq for record in tolerant(self) if record.key == key), None)

    def __iter__(self) -> Iterator[Recorded]:
        if self._records is None:
            self._records = Once(self._readable())
            for _ in self._records if self.as_of is not None else ():
                pass  # nothing is shown of a log that does not reach so far
        records = self._records
        if self.as_of is not None and self.problem is None and len(records) != self.as_of:
            says = f"--as-of {self.as_of}: this log has no record {self.as_of}"
            raise Refused("usage", says, f"it ends at {len(records)}")
        yield from self._with_progress(records) if self._shows else records
        if self.problem:
            raise self.problem

    def read(self) -> Iterator[Recorded]:
        """Yield the records, as a source of copies does."""
        return iter(self)

    def _with_progress(self, records: Once) -> Iterable[Recorded]:
        from encounterlog.progress import Counted  # only for long work

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
        """Keep that note, if the log is read as of an earlier record."""
        if self.as_of is not None and (note := self.revised()):
            self.notes.append(f"note: {note}")

    def reread(self, as_of: int | None = None) -> "Log":
        """Return the log as it is now, or as it was when it ended with a record, without reading known records again."""
        return self._after(None, as_of)

    def grown(self, appended: Sequence[Recorded]) -> "Log":
        """Return the log with records that were appended to it; as it is now, if others came in between."""
        end = self.last.seq if self.last else 0
        return self._after(appended if appended[0].seq == end + 1 else None)

    def followed_by(self, between: Sequence[Recorded]) -> "Log":
        """Return the log with the records that others appended, as a store shows them to a writer, without a look at the store."""
        return self._after(between)

    def _after(self, news: Sequence[Recorded] | None, as_of: int | None = None) -> "Log":
        known = self if self.as_of is None and self.problem is None else None
        again = Log(self.path, as_of=as_of, network_drive=self._network_drive, store=self.store)
        again._begun = known, news
        return again

    def _stored(self) -> Iterable[Recorded]:
        """Return the known records, and those that came since; all, if the new ones do not continue the known ones."""
        (known, news), self._begun = self._begun, (None, None)
        with suppress(StoreError):
            for _ in known or ():
                pass
            if known and known.last:
                end = Anchor(known.last.seq, known.last.hash)
                return chain(known, list(self.store.read(end)) if news is None else news)
        return self.store.read()

    def _readable(self) -> Iterator[Recorded]:
        try:
            for record in self._stored():
                self.last = record
                if type(record.event) is DiceCommitted:
                    self._chained = True
                yield record
                if record.seq == self.as_of:
                    return
        except StoreError as error:
            self.problem = error


class PlayersLog(Log):
    """A log as players may see it: nothing derived from it holds a secret."""

    def _stored(self) -> Iterator[Recorded]:
        from projections.stream.audience import for_players

        found, problem = list[Recorded](), None
        try:
            found.extend(super()._stored())
        except StoreError as error:
            problem = error
        yield from for_players(found)
        if problem:
            raise problem

    def _after(self, news: Sequence[Recorded] | None, as_of: int | None = None) -> "Log":
        del news
        return PlayersLog(self.path, as_of=as_of, network_drive=self._network_drive, store=self.store)


def log_for(audience: str | None) -> type[Log]:
    """Return the kind of log for players, or for everybody who may read the file."""
    return PlayersLog if audience == "players" else Log


class Records(Log):
    """Records in memory, as a log for questions; an error of their source is its problem."""

    def __init__(self, source: Iterable[Recorded]) -> None:
        super().__init__("the log")
        self._source = source

    def _stored(self) -> Iterable[Recorded]:
        return self._source


def replayed(
    log: Log, where: Where | None = None, *, before: Observer | None = None, after: Observer | None = None
) -> Replay:
    """Replay a log up to a point; raise Refused if there is no such point or the ruleset is not installed."""
    with explained(log, where):
        if where is None and before is None and after is None and (kept := log.folded):
            return kept.replay
        return replay(log, where, before=before, after=after)


def tolerant(log: Log) -> Iterator[Recorded]:
    """Yield the records of a log; raise its fault, unless it is only a torn tail, which the store mends."""
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
        raise Refused("unreadable", f"{log.path}, line 1: {error}", error.hint) from None
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


def _check_anchor(log: Log, where: Where) -> None:
    found = next((record.hash for record in log if record.seq == where.seq), None)
    if found is not None and found != where.hash:
        says = f"{log.path}: record {where.seq} has a different hash than this anchor"
        raise Refused("differs", says, "it is another log, or it was rewritten: encounter verify FILE --anchor")
