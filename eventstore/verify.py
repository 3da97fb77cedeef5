"""Checking a whole log more strictly than reading does: the form of every event, and the anchor."""

import re
from collections.abc import Iterable

from eventstore import form
from eventstore.chain import Anchor
from eventstore.diagnosis import FORGED
from eventstore.errors import CorruptLog, Malformed
from eventstore.record import Recorded, RecordedUnknown, check_stamp, ends_batch, written
from eventstore.store import Compared, Problem, Verified

_HEX = re.compile(r"[0-9a-f]*")


def verification(walk: Iterable[Recorded], anchor: Anchor | None = None) -> Verified:
    """Check every line of a walk, and the log against an anchor; raise NotALog if it is not a log."""
    found = _Findings(anchor)
    problem = None
    try:
        for record in walk:
            problem = found.add(record)
            if problem:
                break
    except CorruptLog as error:
        problem = Problem(error.line, error.offset, error.why, error.hint, error.torn)
    return found.verified(problem)


class _Findings:
    """The findings of a walk."""

    def __init__(self, anchor: Anchor | None) -> None:
        self.anchor = anchor
        self.head: Anchor | None = None
        self.records = self.batches = self.offset = 0
        self.withheld: list[int] = []
        self.unknown: list[int] = []
        self.at_anchor = ""

    def add(self, record: Recorded) -> Problem | None:
        try:
            check(record)
        except Malformed as error:
            return Problem(record.seq, self.offset, f"is not a record: {error}", error.hint or FORGED)
        self.offset += len(written(record)) + 1
        self.records += 1
        self.batches += ends_batch(record)
        self.head = Anchor(record.seq, record.hash)
        if record.withheld:
            self.withheld.append(record.seq)
        if isinstance(record, RecordedUnknown):
            self.unknown.append(record.seq)
        if self.anchor is not None and record.seq == self.anchor.seq:
            self.at_anchor = record.hash
        return None

    def verified(self, problem: Problem | None) -> Verified:
        return Verified(
            records=self.records,
            batches=self.batches,
            head=self.head,
            withheld=tuple(self.withheld),
            unknown=tuple(self.unknown),
            problem=problem,
            anchor=self._compared(problem),
        )

    def _compared(self, problem: Problem | None) -> Compared:
        if self.anchor is None:
            return "unanchored"
        if self.at_anchor:
            return "matches" if self.at_anchor == self.anchor.hash else "rewritten"
        return "cut off" if problem is None or problem.torn else "not reached"


def check(record: Recorded) -> None:
    """Check the requirements of FORMAT.md that reading does not: moments, digits, text of the envelope; raise Malformed."""
    check_stamp(record.at)
    for name, text in (("by", record.by), ("key", record.key or "")):
        if not form.is_normal(text):
            raise Malformed(name, "is not text in Unicode normal form C")
    for name, text in (("digest", record.digest), ("salt", record.salt or "")):
        if not _HEX.fullmatch(text):
            raise Malformed(name, "is not in hexadecimal digits")
