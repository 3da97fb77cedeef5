"""The facts of a log that took effect, by their seq; those of a long log are kept outside of memory."""

from array import array
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from eventstore.events import Event
from eventstore.spool import Spool
from projections.occurrence import Occurrence


class Kept(Struct, frozen=True, gc=False):
    """The parts of a fact that answers need."""

    seq: int
    line: int
    by: str
    event: Event
    cause: int
    implied: bool


def _encode_facts(facts: Sequence[Kept]) -> bytes:
    return msgspec.json.encode(facts)


def _decode_facts(data: bytes) -> list[Kept]:
    return msgspec.json.decode(data, type=list[Kept])


IN_MEMORY = 500
"""The number of facts kept in memory, where each takes as much as two lines of a log."""


class TookEffect(Mapping[int, Kept]):
    """The facts that took effect, in the order in which they were added."""

    def __init__(self) -> None:
        self._facts = Spool[Kept](IN_MEMORY, _encode_facts, _decode_facts)
        self._places = array("I", [0])
        """The place of each fact by its seq, from 1; 0 for any other record."""
        self._begin = 0
        self._group: Sequence[Kept] = ()
        """The facts that were read last; `_begin` is the place of the first."""

    def add(self, fact: Occurrence[Event]) -> None:
        """Add a fact."""
        if missing := fact.seq + 1 - len(self._places):
            self._places.extend([0] * missing)
        self._facts.append(Kept(fact.seq, fact.line, fact.by, fact.event, fact.cause, fact.implied))
        self._places[fact.seq] = len(self._facts)

    def __getitem__(self, seq: int) -> Kept:
        place = self._places[seq] - 1 if 0 < seq < len(self._places) else -1
        if place < 0:
            raise KeyError(seq)
        if not 0 <= place - self._begin < len(self._group):
            self._begin, self._group = place, self._facts.some_items(place)
        return self._group[place - self._begin]

    def __contains__(self, seq: object) -> bool:
        """Say whether a fact took effect, without reading it."""
        return isinstance(seq, int) and 0 < seq < len(self._places) and self._places[seq] > 0

    def __iter__(self) -> Iterator[int]:
        return (seq for seq, place in enumerate(self._places) if place)

    def count_since(self, seq: int) -> int:
        """Return how many facts took effect since one, including that one."""
        return len(self) + 1 - self._places[seq]

    def __len__(self) -> int:
        return len(self._facts)
