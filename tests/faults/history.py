"""What several clients asked of one log and were answered, with times; and whether one order explains every answer.

The log is the order: it says after which record each append stands. Left to find are the moments at which it grew, one for
each append, not before the one in front of it. Every answer bounds them. An append that was made grew the log between its
call and its answer; who was shown so many records was shown them after the log had them, and before it had more. Such
moments exist if no bound from below lies above a bound from above that comes later in the log: then, and only then, there is
a total order of all operations that agrees with their times (linearizability; Herlihy and Wing 1990).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf
from typing import Literal

from eventstore.record import Recorded, batches
from eventstore.store import STORE

Answer = Literal["done", "again", "conflict", "refused", "unknown", "seen"]
"""What an operation came to: `refused` says that nothing was written; `unknown` is no answer, too."""


@dataclass(frozen=True)
class Operation:
    """An append or a look at a log, from its call to its answer.

    `name` is the append's: repeated under a key, it is another operation of the same name. `after` is the condition of an append.
    `first` and `last` are the records that an append is told to be; `last`, the records that were found, of `conflict` and
    `seen`. `hash` is that of the last record.
    """

    who: str
    name: str
    start: float
    end: float = inf
    answer: Answer = "unknown"
    first: int = 0
    last: int = 0
    hash: str = ""
    after: int | None = None

    def __str__(self) -> str:
        what = f"append {self.name}" if self.name else "look"
        condition = f" after {self.after}" if self.after is not None else ""
        records = f" {self.first}-{self.last}" if self.first else f" at {self.last}" if self.last else ""
        return f"{self.who}: {what}{condition}, {self.start:.6f} to {self.end:.6f}: {self.answer}{records}"


@dataclass(frozen=True)
class Shown:
    who: str
    seq: int
    hash: str
    at: float = inf


@dataclass
class _Growth:
    """One append as it stands in the log, and the bounds of the moment at which the log grew by it, with who says so."""

    name: str
    first: int
    last: int
    not_before: float = -inf
    not_after: float = inf
    since: str = "the beginning"
    until: str = "the end"

    def comes_after(self, moment: float, why: object) -> None:
        if moment > self.not_before:
            self.not_before, self.since = moment, str(why)

    def comes_before(self, moment: float, why: object) -> None:
        if moment < self.not_after:
            self.not_after, self.until = moment, str(why)


@dataclass
class History:
    operations: list[Operation] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)

    def faults(self, log: Sequence[Recorded]) -> list[str]:
        """Return what no order of the operations explains; nothing, if one does. `log` is how the log stands in the end."""
        grown = [_Growth(_name(batch), batch[0].seq, batch[-1].seq) for batch in batches(log)]
        hashes = {record.seq: record.hash for record in log}
        return [
            *self._misplaced(grown, hashes),
            *self._invented(grown),
            *self._shown_otherwise(hashes),
            *self._out_of_time(grown),
        ]

    # ------------------------------------------------------------ what stands where

    def _misplaced(self, grown: Sequence[_Growth], hashes: dict[int, str]) -> Iterator[str]:
        places = {(each.first, each.last): each.name for each in grown}
        ends = {0, *(each.last for each in grown)}
        for each in self.operations:
            if each.answer in ("done", "again"):
                if places.get((each.first, each.last)) != each.name:
                    yield f"lost: {each}; there stands {places.get((each.first, each.last), 'no such append')}"
                elif each.answer == "done" and each.after is not None and each.first != each.after + 1:
                    yield f"not where it was to stand: {each}"
            elif each.answer in ("conflict", "seen") and each.last not in ends:
                yield f"no end of an append: {each}"
            elif each.answer == "conflict" and each.last == each.after:
                yield f"the condition held: {each}"
            if each.hash and hashes.get(each.last, each.hash) != each.hash:
                yield f"another record: {each}"

    def _invented(self, grown: Sequence[_Growth]) -> Iterator[str]:
        may_be = {each.name for each in self.operations if each.answer in ("done", "again", "unknown")}
        for name, count in Counter(each.name for each in grown if each.name).items():
            if name not in may_be:
                yield f"invented: {name} is in the log, and nobody appended it"
            if count > 1:
                yield f"doubled: {name} is in the log {count} times"

    def _shown_otherwise(self, hashes: dict[int, str]) -> Iterator[str]:
        last: dict[str, int] = {}
        for each in self.shown:
            if each.seq != last.get(each.who, each.seq - 1) + 1:
                yield f"{each.who} was shown record {each.seq} after {last[each.who]}"
            if hashes.get(each.seq) != each.hash:
                yield f"{each.who} was shown another record {each.seq} than is there"
            last[each.who] = each.seq

    # ------------------------------------------------------------ when it grew

    def _out_of_time(self, grown: Sequence[_Growth]) -> Iterator[str]:
        self._bound(grown)
        latest, since = -inf, ""
        for each in grown:
            if each.not_before > latest:
                latest, since = each.not_before, each.since
            if latest > each.not_after:
                yield f"no order has both: [{since}] and [{each.until}], of records {each.first}-{each.last}"
        for before, each in pairwise(grown):
            if before.last + 1 != each.first:
                yield f"a gap after record {before.last}"

    def _bound(self, grown: Sequence[_Growth]) -> None:
        by_name = {each.name: each for each in grown if each.name}
        ending, beginning = {each.last: each for each in grown}, {each.first: each for each in grown}
        begun: dict[str, Operation] = {}
        for each in self.operations:
            if each.name in by_name and each.answer not in ("refused", "conflict"):
                first = begun.setdefault(each.name, each)
                begun[each.name] = min(first, each, key=lambda one: one.start)
                if each.answer != "unknown":
                    by_name[each.name].comes_before(each.end, each)
            if each.answer in ("conflict", "seen"):
                if each.last in ending:
                    ending[each.last].comes_before(each.end, each)
                if each.last + 1 in beginning:
                    beginning[each.last + 1].comes_after(each.start, each)
        for name, each in begun.items():
            by_name[name].comes_after(each.start, each)
        for shown in self.shown:
            if shown.seq in ending:
                ending[shown.seq].comes_before(shown.at, shown)


def _name(batch: Sequence[Recorded]) -> str:
    """Return the name of an append, which stands in the texts of its notes; "" for what was there before, and the store's own."""
    texts = {getattr(record.event, "text", "") for record in batch if record.by != STORE}
    return texts.pop() if len(texts) == 1 else ""
