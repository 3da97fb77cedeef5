"""Consequences: the facts that a record caused, and those that these caused."""

from collections.abc import Collection, Iterable

from eventstore.record import Recorded
from projections.replay.replay import replay


def consequences(records: Iterable[Recorded], seqs: Collection[int]) -> dict[int, int]:
    """Return the facts with an effect whose chain of causes reaches one of these records, each with that record."""
    causes: dict[int, int] = {}
    replay(records, after=lambda _state, fact: causes.update({fact.seq: fact.cause}))
    found, before = {seq: seq for seq in seqs}, 0
    while len(found) > before:  # again, since an inserted fact may come before its cause
        before = len(found)
        for seq, cause in causes.items():
            if cause in found:
                found.setdefault(seq, found[cause])
    return {seq: found[seq] for seq in sorted(found) if seq not in seqs}
