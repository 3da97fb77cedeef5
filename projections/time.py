"""Game time: points with named parts, lengths with their units, and the calendar that converts units."""

import re
from typing import Literal, overload

from msgspec import Struct

from eventstore.errors import Malformed
from eventstore.shapes import Duration, Span


class Point(Struct, frozen=True, gc=False, order=True):
    """A point of a fight, compared part by part: round, phase, turn, segment, second.

    Parts that a ruleset does not count are 0. Round 0 is the time before the first round, including surprise; `phase`
    and `turn` count the phases of the ruleset and the turns of the round from 1.
    """

    round: int = 0
    phase: int = 0
    turn: int = 0
    segment: int = 0
    second: int = 0

    def __str__(self) -> str:
        named = [f"{name} {getattr(self, name)}" for name in ("segment", "second") if getattr(self, name)]
        where = f"round {self.round}" if self.round else ("surprise" if self.segment else "before round 1")
        return " ".join([where, *named])


BoundaryKind = Literal[
    "round closed", "round opened", "turn ended", "turn put off", "turn began", "turn resumed", "turn lost",
    "place passed", "slot reached",
]  # fmt: skip
"""The kinds of boundary; a turn that was put off is `lost` if it is never taken up, and at a `place passed` a
combatant's place in the order goes by without a turn."""


class Boundary(Struct, frozen=True, gc=False):
    """A boundary of game time that a fact crosses: of a round, a turn, a place in the order, or a slot."""

    kind: BoundaryKind
    seq: int
    """The fact."""
    who: str = ""
    """The combatant of the turn or place; "" if there is none."""
    number: int = 0
    """The number of the round, turn or slot."""
    name: str = ""
    """The name of the slot or, where a place is passed, the combatant whose turn comes."""


class Length(Struct, frozen=True, gc=False):
    """A length of time: a number of segments, seconds, rounds, minutes, turns (ten rounds), hours or days."""

    amount: int
    unit: str

    def __str__(self) -> str:
        return f"{self.amount} {self.unit}{'' if self.amount == 1 else 's'}"


class Calendar(Struct, frozen=True):
    """The units of a ruleset: `seconds` of each, and the tick that a bare number counts."""

    seconds: dict[str, int]
    tick: str

    @overload
    def length(self, time: None) -> None: ...
    @overload
    def length(self, time: int | Span | Duration) -> Length: ...
    def length(self, time: int | Span | Duration | None) -> Length | None:
        """Return the length of a time in the log's form; a bare number counts ticks."""
        if time is None:
            return None
        return Length(time, self.tick) if isinstance(time, int) else Length(time.amount, time.unit.casefold())

    def count_units(self, length: Length, unit: str) -> int | None:
        """Return a length in this unit, rounded up; None if the calendar does not have its unit."""
        if length.unit not in self.seconds:
            return None
        return -(-length.amount * self.seconds[length.unit] // self.seconds[unit])

    def whole_units(self, time: int | Span | Duration, unit: str) -> int:
        """Return the number of whole units in a time; 0 if the calendar does not have its unit."""
        length = self.length(time)
        return max(0, length.amount * self.seconds.get(length.unit, 0) // self.seconds[unit])


class Where(Struct, frozen=True):
    """A point in a log as a person types it.

    `12` (after record 12); the end of a round (`r2`), of a segment in it (`r2s5`), of a surprise segment (`s2`), of a
    turn (`r3.ana`), or of a second in a turn (`r2.bo.4`); or an anchor SEQ:HASH, whose hash the caller checks.
    """

    seq: int | None = None
    round: int | None = None
    segment: int | None = None
    turn: str | None = None
    second: int | None = None
    hash: str | None = None

    @classmethod
    def parse(cls, text: str) -> "Where":
        """Read WHERE; raise Malformed with a hint."""
        match = re.fullmatch(_WHERE, text.strip())
        if match is None:
            if anchor := re.fullmatch(r"\d+:([0-9a-f]*)", text.strip()):
                says = f"{text[:80]!r} is an anchor SEQ:HASH, whose hash has {len(anchor[1])} digits"
                raise Malformed("WHERE", says, "a hash has 64 hexadecimal digits, as encounter head FILE prints them")
            raise Malformed("WHERE", f"{text[:60]!r} names no point", "such as 12, r2, r2s5, s1, r3.ana, r2.bo.4")
        numbers = {k: int(v) for k, v in match.groupdict().items() if v is not None and k not in ("turn", "hash")}
        if "surprise" in numbers:
            return cls(round=0, segment=numbers["surprise"])
        return cls(**numbers, turn=match["turn"], hash=match["hash"])

    def matches(self, point: Point, turn: str) -> bool:
        """Return whether a record at this point, in this combatant's turn, belongs to the time that was typed."""
        return (
            point.round == self.round
            and self.segment in (None, point.segment)
            and self.turn in (None, turn)
            and (self.second is None or point.second <= self.second)
        )

    def precedes(self, point: Point) -> bool:
        """Return whether a record at this point comes after the time that was typed."""
        return (point.round, point.segment) > (self.round or 0, self.segment if self.segment is not None else 1 << 53)


_WHERE = (
    r"(?P<seq>\d{1,16})(?::(?P<hash>[0-9a-f]{64}))?"
    r"|s(?P<surprise>\d{1,6})"
    r"|r(?P<round>\d{1,9})(?:s(?P<segment>\d{1,6})|\.(?P<turn>[a-z0-9-]{1,64}?)(?:\.(?P<second>\d{1,6}))?)?"
)
