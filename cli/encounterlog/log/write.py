"""The one loop that writes to a log: what is to be appended is decided on the log as it is, and again if others come first; and the findings
that new facts raise, which are in the log all the same.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct

from encounterlog.errors import note_written
from encounterlog.log.folded_log import LARGEST, PAST
from encounterlog.log.logs import LogView
from encounterlog.places.time_and_chance import current_time
from eventstore.errors import CorruptLog
from eventstore.record import Draft, Recorded
from eventstore.store import Appended, Mode
from projections.judging.audit import Audit, Finding, audit

Decide = Callable[[LogView], Sequence[Draft]]
"""A function that decides on the facts to append to a log as it is; it raises what they would be refused with."""


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
    """Return the findings that an append raised; an error here changes nothing about the written facts.

    A log that is too large, and an append that is repeated, are not audited.
    """
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
        before = audit(done.before).findings
        known = {(one.rule, one.event, one.says) for one in before if one.ruled is None}
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
