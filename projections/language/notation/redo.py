"""Redo: the strikes that take back the last undo."""

from collections.abc import Sequence

from eventstore.events import Fact, Struck
from eventstore.record import Recorded
from projections.language.notation.line_context import Gap
from projections.stream.corrections import absolute


def redone(records: Sequence[Recorded]) -> list[Fact]:
    """Return strikes of the last undo that still holds; raise Gap if there is none, or something else was recorded since.

    An undo is an append of nothing but strikes. Strikes that strike such strikes are a redo, which takes its undo with
    it.
    """
    taken: set[int] = set()
    for batch in appends_backwards(records):
        strikes = [absolute(each.event, each.seq) for each in batch if isinstance(each.event, Struck)]
        if len(strikes) < len(batch):
            break
        struck = {each.event for each in strikes if isinstance(each, Struck)}
        if all(isinstance(records[seq - 1].event, Struck) for seq in struck):
            taken |= struck
        elif taken.isdisjoint(each.seq for each in batch):
            return [Struck(event=each.seq) for each in reversed(batch)]
    raise Gap("there is nothing to redo", "redo takes back the last undo, as long as nothing else was recorded since")


def appends_backwards(records: Sequence[Recorded]) -> list[list[Recorded]]:
    """Return the appends of a log, the last one first."""
    found: list[list[Recorded]] = []
    for record in records:
        if record.batch and record.batch[0] > 1 and found:
            found[-1].append(record)
        else:
            found.append([record])
    return found[::-1]
