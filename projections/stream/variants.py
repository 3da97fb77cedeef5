"""Variants of a log: its records without some corrections, or as if it had been opened with another option."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import structs

from eventstore.events import EncounterOpened
from eventstore.record import Recorded
from projections.stream.corrections import CORRECTIONS


class Variant:
    """A re-iterable log of changed records; a record that becomes None is left out."""

    def __init__(self, records: Iterable[Recorded], change: Callable[[Recorded], Recorded | None]) -> None:
        self._records, self._change = records, change

    def __iter__(self) -> Iterator[Recorded]:
        return filter(None, map(self._change, self._records))


def without_corrections(records: Iterable[Recorded], corrections: Iterable[int]) -> Variant:
    """Return a log without these of its corrections."""
    left_out = {*corrections}
    return Variant(records, lambda each: None if each.seq in left_out and type(each.event) in CORRECTIONS else each)


def with_option(records: Iterable[Recorded], name: str, value: str) -> Variant:
    """Return a log as if it had been opened with another value of an option."""

    def changed(record: Recorded) -> Recorded:
        event = record.event
        if not isinstance(event, EncounterOpened):
            return record
        return structs.replace(record, event=structs.replace(event, options=event.options | {name: value}))

    return Variant(records, changed)
