"""A log replayed up to a point, with the facts that took effect, and variants of it to compare with."""

from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs

from eventstore.errors import Malformed, StoreError
from eventstore.events import Event
from eventstore.record import Recorded
from eventstore.spool import Spool
from projections.explaining.fairness import dice_levels_by_record
from projections.explaining.tree import Names
from projections.occurrence import Occurrence
from projections.replay.replay import replay
from projections.state import State
from projections.stream.causes import cause_chain, is_uncaused
from projections.time import Where

IN_MEMORY = 500
"""The number of facts kept in memory, where each takes as much as two lines of a log."""


class TookEffect(Mapping[int, Occurrence[Event]]):
    """The facts that took effect, in the order in which they were added, with the fields that answers need."""

    def __init__(self) -> None:
        decode = msgspec.json.Decoder(list[Occurrence[Event]]).decode
        self._facts = Spool[Occurrence[Event]](IN_MEMORY, msgspec.json.encode, decode)
        self._places = array("I", [0])
        """The place of each fact by its seq, from 1; 0 for any other record."""
        self._begin = 0
        self._group: Sequence[Occurrence[Event]] = ()
        """The facts that were read last; `_begin` is the place of the first."""

    def add(self, fact: Occurrence[Event]) -> None:
        """Add a fact."""
        if missing := fact.seq + 1 - len(self._places):
            self._places.extend([0] * missing)
        kept = Occurrence(fact.seq, fact.line, fact.event, by=fact.by, cause=fact.cause, implied=fact.implied)
        self._facts.append(kept)
        self._places[fact.seq] = len(self._facts)

    def __getitem__(self, seq: int) -> Occurrence[Event]:
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


class Cited(Struct, frozen=True):
    """A cited fact; `line` is the record with its present content, `struck` the strike against it.

    `act` is the act from which it follows, if there is one; `implied` says whether its cause is certain though not
    recorded, `uncaused` whether this outcome has no known cause. `dice` tells where its dice come from in a chain.
    """

    seq: int
    line: int
    by: str
    event: Event
    struck: int | None
    act: "Cited | None"
    implied: bool = False
    uncaused: bool = False
    dice: str | UnsetType = UNSET

    @classmethod
    def of(cls, fact: Occurrence[Event], struck: int | None = None, act: "Cited | None" = None) -> "Cited":
        """Return a fact of the stream."""
        return cls(fact.seq, fact.line, fact.by, fact.event, struck, act, fact.implied, is_uncaused(fact))


class Past:
    """A log up to a point: the state there, and every fact that took effect, by its seq."""

    def __init__(self, records: Iterable[Recorded], until: Where | None = None) -> None:
        """Replay the log, as far as it can be read; raise Malformed if it does not have this point."""
        self.records, self.until = Readable(records), until
        self.facts = TookEffect()
        self._names: dict[str, Names] = {}
        self.done = replay(records, until, after=lambda _, fact: self.facts.add(fact))

    @property
    def state(self) -> State:
        """The state at the point."""
        return self.done.state

    def names(self, who: str) -> Names:
        """Return the names of the values that a combatant's or side's values can cite, read once."""
        if who not in self._names:
            self._names[who] = Names(self.state, who)
        return self._names[who]

    def cited(self, seqs: Iterable[int]) -> tuple[Cited, ...]:
        """Return these facts in the order of the stream, without records that are not facts of it."""
        struck = {fact.seq: fact for fact in self.state.struck}
        found = [fact for seq in {*seqs} if (fact := self.facts.get(seq) or struck.get(seq))]
        found.sort(key=lambda fact: self.state.place_of(fact.seq))
        cited = (Cited.of(fact, self.state.struck_by.get(fact.seq), self._act(fact)) for fact in found)
        return tuple(structs.replace(one, dice=self.dice.get(one.seq, UNSET)) for one in cited)

    @cached_property
    def dice(self) -> Mapping[int, str]:
        """The origin of dice that were drawn from a chain, by record; empty in a log without one."""
        return dice_levels_by_record(self.records)

    def _act(self, fact: Occurrence[Event]) -> Cited | None:
        act = deque(cause_chain(self.facts, fact.cause), maxlen=1)
        return Cited.of(act[0]) if act else None


class Readable:
    """The records of a log up to its first fault, re-iterable."""

    def __init__(self, records: Iterable[Recorded]) -> None:
        self._records = records

    def __iter__(self) -> Iterator[Recorded]:
        with suppress(StoreError):  # records before the fault are yielded
            yield from self._records


def readable_records(records: Iterable[Recorded]) -> tuple[Recorded, ...]:
    """Return the records of a log up to its first fault."""
    return tuple(Readable(records))


def state_of(records: Iterable[Recorded], until: Where | None) -> State | None:
    """Return the state in a variant of a log at a point; None if it does not have that point."""
    try:
        return replay(records, until).state
    except Malformed:
        return None
