"""A log with its folded state, read on and folded on as it grows; only a correction makes it fold from the beginning. And the one loop that
writes to it: what is to be appended is decided on the log as it is, and again if others come first.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from math import inf
from threading import Lock
from typing import Any

from msgspec import Struct

from encounterlog.errors import note_written
from encounterlog.log.logs import LogView
from encounterlog.places.time_and_chance import current_time
from eventstore.address import LogAddress
from eventstore.chain import START, Anchor, follows_hash
from eventstore.errors import CorruptLog, Rewritten, StoreError
from eventstore.events import Amended, Correction, DiceCommitted, Inserted, RulingMade, Struck
from eventstore.record import Draft, Recorded, batches, encode_record
from eventstore.store import Appended, Mode, Store
from projections.judging.audit import Audit, Auditor, Finding, audit
from projections.language.notation.table import Table
from projections.occurrence import Occurrence
from projections.state import State
from projections.stream.audience import Audience, audience
from projections.stream.concealment import joining

PAST = (Struck, Amended, Inserted, RulingMade)
"""The events that may change the players' view of earlier records; with a secret, a joining may, too."""
Read = Callable[[Anchor | None], Iterable[Recorded]]
"""A function that reads the records after one, all without one; it raises Rewritten if that one is gone."""
Decide = Callable[[LogView], Sequence[Draft]]
"""A function that decides on the facts to append to a log as it is; it raises what they would be refused with."""
LARGEST = 20_000  # the largest log, in records, that is audited at each line


class TableAuditor(Auditor):
    """An auditor of a table's facts; the error of a check that fails is kept until the audit is asked for."""

    problem: Exception | None = None

    def observe_fact(self, state: State, fact: Occurrence[Any]) -> None:
        """Check a fact in the state before it."""
        try:
            if self.problem is None:
                super().observe_fact(state, fact)
        except Exception as problem:  # noqa: BLE001 – raised with the audit
            self.problem = problem


class FoldedLog:
    """The records of a log, the table at which its lines are read, with their replay, and their audit.

    Each is made when it is first asked for, and then raises the faults of the records. The caller makes sure that nobody else uses it
    meanwhile: it changes as the log grows.
    """

    def __init__(
        self,
        read: Read = lambda _: (),
        *,
        audited_to: float = inf,
        partly: bool = False,
        lock: "Lock | None" = None,
        rewritten: Callable[[Rewritten], None] = lambda _: None,
    ) -> None:
        """Take the log's reader. Up to `audited_to` records each fact is checked as it is folded.

        Read `partly`, it keeps the fault behind the good records as its `problem`; otherwise that is raised. Threads that share it
        each hold its `lock` while they use it. `rewritten` is told of an error by which the log is read from its start again.
        """
        self._read, self._audited_to, self._partly, self._rewritten = read, audited_to, partly, rewritten
        self.lock = lock
        self.problem: StoreError | None = None
        self._auditor: TableAuditor | None = None
        self.restart()

    def restart(self, records: Iterable[Recorded] = ()) -> None:
        """Start again with these records alone."""
        self.records: tuple[Recorded, ...] = ()
        self.is_chained = self.has_secrets = self._has_withheld = False  # chains of dice, secret records, payloads
        self._table: Table | None = None
        self.keys: dict[str, int] = {}  # the records that were appended under a key, by that
        self._public: FoldedLog | None = None
        self._audience: Audience | None = None
        self.fold_news(tuple(records))

    @property
    def end(self) -> Anchor | None:
        """Where the log ends; None without a record."""
        return Anchor(self.records[-1].seq, self.records[-1].hash) if self.records else None

    def read_new(self) -> None:
        """Read the new records; all, if the log is another one now, or its past may look different. Raise as the store does."""
        try:
            news = self._new_records(self.end)
            again = self.may_reveal(news)
        except Rewritten as error:
            self._rewritten(error)
            again = True
        if again:
            self.restart()
            news = self._new_records(None)
        self.fold_news(news)

    def may_reveal(self, news: Sequence[Recorded]) -> bool:
        """Return whether the next records may reveal payloads that are withheld here."""
        return self._has_withheld and may_change_the_past(news)

    def fold_news(self, news: Sequence[Recorded]) -> None:
        """Take in the next records; after a failed fold, the next request folds from the beginning."""
        if not news:
            return
        table = self._table
        self.records, self._table = (*self.records, *news), None
        self.is_chained = self.is_chained or any(type(record.event) is DiceCommitted for record in news)
        self._has_withheld = self._has_withheld or any(record.withheld for record in news)
        self.has_secrets = self.has_secrets or any(record.secret for record in news)
        self.keys.update((record.key, record.seq) for record in news if record.key is not None)
        if table is None or any(isinstance(record.event, Correction) for record in news):
            return
        with suppress(Exception):
            for append in batches(news):
                table.take(append)
            self._table = table

    def fold_own_append(self, records: Sequence[Recorded]) -> None:
        """Take in the latest append, if it follows the end that is known; else the next look finds it."""
        last = self.end or START
        for record in records:
            if record.seq != last.seq + 1 or not follows_hash(encode_record(record), record, last.hash):
                return
            last = Anchor(record.seq, record.hash)
        self.fold_news(tuple(records))
        self.problem = None  # a torn tail was cut off

    def replace_records(self, records: tuple[Recorded, ...]) -> None:
        """Take over the records of a log; if they only continue the known ones, fold on from there."""
        if records[: len(self.records)] == self.records:
            self.fold_news(records[len(self.records) :])
        else:
            self.restart(records)

    def _new_records(self, after: Anchor | None) -> Sequence[Recorded]:
        found, self.problem = list[Recorded](), None
        try:
            found.extend(self._read(after))  # which keeps the part before a fault
        except StoreError as error:
            if isinstance(error, Rewritten) or not self._partly:
                raise
            self.problem = error
        return found

    def view_for(self, *, secrets: bool) -> "FoldedLog":
        """Return the log as a game master sees it, or as all others do: folded from the records without their secrets, if there are any."""
        if secrets or not self.has_secrets:
            return self
        public = self._public = self._public or FoldedLog()
        news = self.records[len(public.records) :]
        if self._audience and not may_change_the_past(news):
            if news:
                self._audience = self._audience.of(news)
                public.fold_news(tuple(self._audience.withhold.apply_to(news)))
            return public
        self._audience = audience(self.records)
        public.replace_records(tuple(self._audience.withhold.apply_to(self.records)))
        return public

    @property
    def table(self) -> Table:
        """The table of the log, from when it is first asked for."""
        if self._table is None:
            self._auditor = TableAuditor() if len(self.records) < self._audited_to else None
            self._table = Table(self.records, before=self._auditor.observe_fact if self._auditor else None)
        return self._table

    def audit_log(self) -> Audit:
        """Return the audit of the log; raise the error of a failed check."""
        table = self.table
        if self._auditor is None:
            return audit(self.records)
        if self._auditor.problem:
            raise self._auditor.problem
        return self._auditor.make_audit(table.records, table.done)


def may_change_the_past(news: Iterable[Recorded]) -> bool:
    """Return whether records may change what players see of those before them, in a log that has secrets."""
    facts = (record.event for record in news)
    return any(event is None or isinstance(event, PAST) or joining(event) is not None for event in facts)


def kept_view(path: LogAddress, *, network_drive: bool = False, store: Store | None = None) -> LogView:
    """Return a log to write to, which stays in memory, folded to its end: only new records are read and folded."""
    kept = FoldedLog(lambda after: log.store.read(after or 0), audited_to=LARGEST, partly=True)
    log = LogView(path, network_drive=network_drive, store=store, kept=kept)
    return log


class Done(Struct, frozen=True):
    """The outcome of an append: the records, the drafts, the log before them, and what else is to be said of it."""

    written: Appended
    drafts: tuple[Draft, ...]
    before: LogView
    says: tuple[str, ...] = ()


class Turn:
    """An append that waits its turn: its drafts, and the log that they were decided on."""

    def __init__(self, log: LogView, decide: Decide) -> None:
        """Decide on the log as it is; raise as that does."""
        self._decide, self.before = decide, log
        self.drafts = tuple(decide(log))

    def decide_again(self, between: tuple[Recorded, ...]) -> tuple[Draft, ...]:
        """Decide again, after the records that others appended; raise as the decision does."""
        self.before = self.before.with_others(between)
        self.drafts = tuple(self._decide(self.before))
        return self.drafts


def append_decided(
    log: LogView, decide: Decide, *, by: str, after: int | None = None, key: str | None = None, mode: Mode = "durable"
) -> Done:
    """Append what is decided on as one batch, and return the outcome; raise as the store does.

    Where another writer comes first it is decided again, while none can, unless the log must end with the record `after`.
    """
    turn = Turn(log, decide)
    expected, again = (turn.before.end, turn.decide_again) if after is None else (after, None)
    written = log.append(turn.drafts, by=by, at=current_time(), after=expected, key=key, mode=mode, again=again)
    note_written()
    before = turn.before
    if written.first > before.end + 1:  # others came first, or the store noted a torn tail
        before = before.reread(written.first - 1)
    torn = isinstance(log.problem, CorruptLog) and log.problem.torn and not written.again
    says = "a torn tail, left by an interrupted append, was cut off and is kept beside the log"
    return Done(written, turn.drafts, before, (says,) if torn else ())


class New(Struct, frozen=True):
    """The findings that an append raised, with the audit after it, or why they could not be determined."""

    findings: tuple[Finding, ...] = ()
    problem: str = ""
    audit: Audit | None = None


def new_findings(done: Done) -> New:
    """Return the findings that an append raised; an error changes nothing about the facts, and a log that is too large is not audited."""
    if done.written.again or done.written.last > LARGEST:
        return New()
    try:
        after = done.before.reread()
        kept = after.folded
        found = kept.audit_log() if kept else audit(after)
        return New(tuple(_findings_raised(done, found)), audit=found)
    except Exception as error:  # noqa: BLE001 – an exit code of failure would say that nothing was written
        return New(problem=str(error))


def _findings_raised(done: Done, found: Audit) -> list[Finding]:
    new = [one for one in found.findings if one.ruled is None]
    if any(isinstance(draft.event, PAST) for draft in done.drafts):
        known = {(one.rule, one.event, one.says) for one in audit(done.before).findings if one.ruled is None}
        return [one for one in new if (one.rule, one.event, one.says) not in known]
    first = done.written.first
    said = {(one.rule, one.says, one.because) for one in new if one.event < first}
    raised: list[Finding] = []
    for one in new:
        if max(one.event, *one.because, found.shown_by[one.id]) >= first:
            content = one.rule, one.says, one.because
            if one.severity != "notice" or content not in said:
                raised.append(one)
            said.add(content)
    return raised
