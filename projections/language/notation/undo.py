"""Undo, the strikes that take back the last line, or the last correction if that came after it; and redo, those that take back the last undo."""

from collections.abc import Callable, Mapping, Sequence

from eventstore.events import Correction, Fact, Struck
from eventstore.record import Recorded
from projections.language.notation.line_context import Gap
from projections.stream.corrections import absolute, taken_back

Line = tuple[int, int]
"""The first and the last record of a line."""


def undone(
    records: Sequence[Recorded],
    lines: Sequence[Line],
    struck_by: Mapping[int, int],
    in_place_of: Callable[[int], int],
    reason: str | None = None,
) -> list[Struck]:
    """Return strikes of all records of the last line that still stands, or of the last correction that came after it; raise Gap if there is neither.

    `struck_by` has the strike of each struck record; `in_place_of` returns the record that replaces one, 0 without one.
    """
    standing, last = _last_line(lines, in_place_of)
    standing = _last_correction(records, lines, struck_by, last) or standing
    if not standing:
        raise Gap("there is nothing to take back", "only lines since the combatants joined")
    return [Struck(event=seq, reason=reason) for seq in reversed(standing)]


def _last_line(lines: Sequence[Line], in_place_of: Callable[[int], int]) -> tuple[list[int], int]:
    """Return the records of the last line that still stands, or their replacements, and the last record of the line; an
    empty list and 0 without one.
    """
    for first, last in reversed(lines):
        if standing := [seq for each in range(first, last + 1) if (seq := in_place_of(each))]:
            return standing, last
    return [], 0


def _last_correction(
    records: Sequence[Recorded], lines: Sequence[Line], struck_by: Mapping[int, int], after: int
) -> list[int]:
    """Return the records of the last correction after a record that still stand; an undo or a redo is none."""
    made = {each.seq: absolute(each.event, each.seq) for each in records if isinstance(each.event, Correction)}
    gone = taken_back(made)
    for batch in appends_backwards(records):
        if batch[0].seq <= after:
            return []
        standing = [each.seq for each in batch if each.seq in made and each.seq not in gone]
        if len(standing) == len(batch) and not _is_undo(
            [made[seq] for seq in standing], standing[0], records, lines, struck_by
        ):
            return standing
    return []


def _is_undo(
    facts: Sequence[Fact], at: int, records: Sequence[Recorded], lines: Sequence[Line], struck_by: Mapping[int, int]
) -> bool:
    """Say whether an append, from this record on, is an undo or a redo: only strikes, of corrections or of all the
    standing records of the last line.
    """
    struck = {fact.event for fact in facts if isinstance(fact, Struck)}
    if not all(isinstance(fact, Struck) for fact in facts):
        return False
    if any(isinstance(records[seq - 1].event, Correction) for seq in struck):
        return True
    stood = [line for line in lines if line[1] < at and not _was_struck(line, struck_by, at)]
    return bool(stood) and _was_struck(stood[-1], dict(struck_by) | dict.fromkeys(struck, 1), at)


def _was_struck(line: Line, struck_by: Mapping[int, int], before: int) -> bool:
    """Say whether all records of a line were struck before a record."""
    return all(0 < struck_by.get(seq, 0) < before for seq in range(line[0], line[1] + 1))


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
