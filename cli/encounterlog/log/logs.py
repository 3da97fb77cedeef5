"""A log as one audience sees it at one moment: its records, their replay, and the same log a moment later."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any

from encounterlog.errors import Refused
from encounterlog.places.stores import open_store
from encounterlog.progress import Counted
from eventstore.address import LogAddress
from eventstore.chain import Anchor
from eventstore.errors import CorruptLog, Malformed, StoreError
from eventstore.events import DiceCommitted, EncounterOpened
from eventstore.record import Draft, Recorded
from eventstore.spool import Once
from eventstore.store import Appended, Store
from projections.replay.replay import Observer, Replay, replay
from projections.rulesets import UnknownRuleset, find
from projections.stream.audience import for_players
from projections.time import Where

if TYPE_CHECKING:
    from encounterlog.log.folded_log import FoldedLog


class LogView:
    """The records of a log as one audience sees them at one moment; they can be iterated repeatedly, and are always the same.

    They are read and verified once, on the first request: from the store, from a `source` in memory, or by the folded log that is
    `kept`, as one that is written to always is; if threads share that, its lock is held while this is made. With `as_of` they end with
    that record. Without `secrets` they are derived from the withheld records: answers and refusals depend on no secret payload.
    """

    def __init__(
        self,
        path: LogAddress,
        *,
        as_of: int | None = None,
        secrets: bool = True,
        network_drive: bool = False,
        shows: str = "",
        store: Store | None = None,
        source: Iterable[Recorded] | None = None,
        kept: "FoldedLog | None" = None,
        alone: bool = True,
        place: LogAddress | None = None,
    ) -> None:
        """Take the store if it is open. `shows` names long work whose progress a terminal shows; `place` is the address of the
        log if `path` is only its name. If this is not `alone`, the lock of the kept log is let go of before it is used.
        """
        self.path, self.place, self.as_of, self.secrets = path, place or path, as_of, secrets
        self._network_drive, self._shows, self._store, self._source = network_drive, shows, store, source
        self.problem: StoreError | None = None
        self.notes: list[str] = []  # which belong to every answer about the log
        self.last: Recorded | None = None  # of those that were read so far
        self.is_chained = False  # whether a chain of dice was begun in the part that was read so far
        self._once: Once | None = None
        self._kept, self._alone = kept, alone
        self._whole: tuple[Recorded, ...] = ()
        self._seen = self._look() if kept and kept.lock else None

    @cached_property
    def store(self) -> Store:
        """The store of the log, opened on first use."""
        return self._store or open_store(self.path, network_drive=self._network_drive, shows=bool(self._shows))

    @property
    def kept(self) -> "FoldedLog":
        """The folded log that this shows; there must be one."""
        assert self._kept is not None  # noqa: S101 – as said
        return self._kept

    @property
    def records(self) -> tuple[Recorded, ...]:
        """The records of the moment, also those after `as_of`; those before a fault, if there is one."""
        if self._seen is None:
            if self._kept:
                self._kept.read_new()
                self._seen = self._look()
            else:
                found = list[Recorded]()
                with suppress(StoreError):
                    found.extend(self)
                self._seen = tuple(found)
        return self._seen

    def _look(self) -> tuple[Recorded, ...]:
        shown = self.kept.view_for(secrets=self.secrets)
        self._whole, self.problem, self.is_chained = self.kept.records, self.kept.problem, shown.is_chained
        self.last = shown.records[-1] if shown.records else None
        return shown.records

    @property
    def end(self) -> int:
        """The number of records, of a log that is not kept only of those that were read so far."""
        if self._kept:
            return len(self.records)
        return self.last.seq if self.last else 0

    @property
    def head(self) -> Anchor:
        """The last record of those that were read so far, with its hash; there must be one."""
        assert self.last  # noqa: S101 – as said
        return Anchor(self.last.seq, self.last.hash)

    @property
    def opening(self) -> EncounterOpened:
        """Its first fact."""
        first = self.records[0].event
        assert isinstance(first, EncounterOpened)  # noqa: S101 – else the store would not have read it
        return first

    @property
    def folded(self) -> "FoldedLog | None":
        """The log folded to its end, if it is kept, nobody else uses it, and it took in no further records; raises the fault of the log."""
        if self._kept is None or not self._alone or self.as_of is not None:
            return None
        records = self.records
        if self.problem and not (isinstance(self.problem, CorruptLog) and self.problem.torn):
            raise self.problem
        shown = self._kept.view_for(secrets=self.secrets)
        return shown if shown.records is records else None

    def first_of_key(self, key: str) -> int | None:
        """Return the first record that was appended under a key; None if there is none."""
        end = self.as_of or len(self.records)
        found = self.kept.keys.get(key)
        return found if found and found <= end else None

    def __iter__(self) -> Iterator[Recorded]:
        if self._kept:
            records = self.records
            if self.as_of is not None and not 0 < self.as_of <= len(records):
                raise _refuse_as_of(f"as_of={self.as_of}", self.as_of, len(records))
            yield from records[: self.as_of]
        else:
            if self._once is None:
                self._once = Once(self._readable_records())
                for _ in self._once if self.as_of is not None else ():
                    pass  # nothing is shown of a log that does not reach so far
            once = self._once
            if self.as_of is not None and self.problem is None and len(once) != self.as_of:
                raise _refuse_as_of(f"--as-of {self.as_of}", self.as_of, len(once))
            yield from Counted(once, once.__len__, self._shows) if self._shows else once
        if self.problem:
            raise self.problem

    def _readable_records(self) -> Iterator[Recorded]:
        try:
            stored = self.store.read() if self._source is None else self._source
            for record in stored if self.secrets else _without_secrets(stored):
                self.last = record
                self.is_chained = self.is_chained or type(record.event) is DiceCommitted
                yield record
                if record.seq == self.as_of:
                    return
        except StoreError as error:
            self.problem = error

    def append(self, drafts: Sequence[Draft], **how: Any) -> Appended:
        """Append as the store does, and take the records into the kept log; its lock is let go of while the store writes."""
        kept = self.kept
        if kept.lock:
            kept.lock.release()
        try:
            done = self.store.append(drafts, **how)
        finally:
            if kept.lock:
                kept.lock.acquire()
        kept.fold_own_append(done.records)
        return done

    def reread(self, as_of: int | None = None) -> "LogView":
        """Return the log as it is now, or as it was when it ended with a record, without reading known records again."""
        kept = self._kept
        if kept is None:
            is_known = self.secrets and self.as_of is None and self.problem is None
            source = self._known_and_new() if is_known else None
            return LogView(self.path, as_of=as_of, secrets=self.secrets, store=self.store, source=source)
        with nullcontext() if self._alone or kept.lock is None else kept.lock:
            if not self._alone or len(kept.records) <= len(self._whole):  # else by what was appended here
                kept.read_new()
            return self._view_later(as_of)

    def with_others(self, between: Sequence[Recorded]) -> "LogView":
        """Return the log with the records that others appended, as a store shows them to a writer, without a look at the store."""
        whole = (*self._whole, *between)
        if self.kept.lock is None:
            self.kept.replace_records(whole)
            return self._view_later()
        again: LogView = copy(self)  # others use the kept one meanwhile
        again._seen = whole if self.secrets else tuple(for_players(whole))
        again.last = again._seen[-1]
        return again

    def with_secrets(self) -> "LogView":
        """Return the log with its secrets, as it was at the same moment."""
        again: LogView = copy(self)
        again.secrets, again._seen = True, self._whole
        return again

    def _view_later(self, as_of: int | None = None) -> "LogView":
        again: LogView = copy(self)
        again.as_of, again.notes = as_of, []
        again._seen = again._look()
        return again

    def _known_and_new(self) -> Iterator[Recorded]:
        try:
            further = list(self.store.read(self.head if sum(1 for _ in self) else 0))
        except StoreError:
            yield from self.store.read()
        else:
            yield from self
            yield from further


def _without_secrets(records: Iterable[Recorded]) -> Iterator[Recorded]:
    """Yield records as players see them; raise the fault behind them."""
    found, problem = list[Recorded](), None
    try:
        found.extend(records)
    except StoreError as error:
        problem = error
    yield from for_players(found)
    if problem:
        raise problem


def _refuse_as_of(says: str, as_of: int, end: int) -> Refused:
    return Refused("usage", f"{says}: this log has no record {as_of}", f"it ends at {end}")


def replay_log(
    log: LogView, where: Where | None = None, *, before: Observer | None = None, after: Observer | None = None
) -> Replay:
    """Replay a log up to a point; raise Refused if there is no such point or the ruleset is not installed."""
    with name_log_in_errors(log, where):
        if where is None and before is None and after is None and (kept := log.folded):
            return kept.table.done
        return replay(log, where, before=before, after=after)


def records_before_torn_tail(log: LogView) -> Iterator[Recorded]:
    """Yield the records of a log; raise its fault, unless it is only a torn tail, which the store mends."""
    try:
        yield from log
    except CorruptLog as error:
        if not error.torn:
            raise


@contextmanager
def refuse_unknown_ruleset(path: LogAddress) -> Iterator[None]:
    """Raise Refused with the name of a log whose ruleset is not installed."""
    try:
        yield
    except UnknownRuleset as error:
        raise Refused("unreadable", f"{path}, line 1: {error}", error.hint) from None


@contextmanager
def name_log_in_errors(log: LogView, where: Where | None = None) -> Iterator[None]:
    """Name the log and the point in errors of a replay; else note the revision that a log as of an earlier record was opened on."""
    try:
        found = next((record.hash for record in log if record.seq == where.seq), None) if where and where.hash else None
        if where and found is not None and found != where.hash:
            says = f"{log.path}: record {where.seq} has a different hash than this anchor"
            raise Refused("differs", says, "it is another log, or it was rewritten: encounter verify FILE --anchor")
        with refuse_unknown_ruleset(log.path):
            yield
        first = next(iter(log), None) if log.as_of is not None else None
        opened = first.event if first else None
        if isinstance(opened, EncounterOpened) and (rules := find(opened.ruleset)).revision != opened.revision:
            says = f"the log was opened on revision {opened.revision} of {rules.key}; installed is {rules.revision}"
            log.notes = [f"note: {says}"]
    except Malformed as error:
        if log.problem is not None:  # the point may lie behind the fault
            raise log.problem from None
        if error.field == "WHERE" and where and where.seq is None:
            raise Malformed("WHERE", f"{_format_where(where)}: {error.reason}", error.hint) from None
        raise


def _format_where(where: Where) -> str:
    segment = "" if where.segment is None else f"s{where.segment}"
    turn = "" if where.turn is None else f".{where.turn}"
    second = "" if where.second is None else f".{where.second}"
    return f"r{where.round}{segment}{turn}{second}" if where.round or not segment else segment
