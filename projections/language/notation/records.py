"""Facts as records: what a line refers back to, the lines of a log, and records of facts in memory."""

from collections.abc import Collection, Iterable, Sequence

from msgspec import structs

from eventstore.events import Correction, EncounterOpened, Fact
from eventstore.form import REFERENCE_FIELDS
from eventstore.record import Recorded


def alone_standing(facts: Sequence[Fact], before: int, deeds: Sequence[int] = ()) -> tuple[Fact, ...]:
    """Return facts whose references beyond the first of them are numbers of records; there are `before` records.

    A cause is counted back over the `deeds`, if there are so many: remarks, corrections and moves of the clock are not
    among them.
    """
    return tuple(_absolute_fact(fact, place, before, deeds) for place, fact in enumerate(facts))


def _absolute_fact(fact: Fact, place: int, before: int, deeds: Sequence[int]) -> Fact:
    named = {name: getattr(fact, name) for name in REFERENCE_FIELDS & set(fact.__struct_fields__)}
    far = {name: before + place + 1 + back for name, back in named.items() if back is not None and -back > place}
    if "cause" in far and (back := -named["cause"] - place) <= len(deeds):
        far["cause"] = deeds[-back]
    return structs.replace(fact, **far) if far else fact


def lines_of_appends(records: Iterable[Recorded]) -> list[tuple[int, int]]:
    """Return the first and last record of each append that states facts, the earliest first; the opening is none."""
    found: list[tuple[int, int]] = []
    for record in records:
        if isinstance(record.event, EncounterOpened | Correction):
            continue
        if record.batch and record.batch[0] > 1 and found:
            found[-1] = (found[-1][0], record.seq)
        else:
            found.append((record.seq, record.seq))
    return found


def make_records(
    events: Iterable[Fact], first: int, *, secret: bool = False, kept: Collection[int] = (), together: bool = False
) -> list[Recorded]:
    """Return events as the records of a log in memory, all `secret` or those at the places that are `kept`, one append if `together`; their hashes are left blank."""
    events = tuple(events)
    return [
        Recorded(
            seq=seq,
            at="2000-01-01T00:00:00.000000Z",
            by="script",
            secret=secret or seq - first in kept,
            batch=(seq - first + 1, len(events)) if together and len(events) > 1 else None,
            digest="0" * 64,
            event=event,  # type: ignore[arg-type]  # a fact of the newest version is a member of the union
            salt="0" * 32,
            hash="0" * 64,
        )
        for seq, event in enumerate(events, first)
    ]
