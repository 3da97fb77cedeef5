"""The elements of a round's picture: columns, lanes, marks, spans; and the values gathered for it."""

from copy import copy

from msgspec import Struct


class Kind(Struct, frozen=True):
    """A kind of mark or span: what it means, its sign in a drawing, in text its letter, and there what it means in fewer words.

    Without a sign it is drawn in words; without a letter text has numbers of it, or words.
    """

    means: str
    sign: str = ""
    letter: str = ""
    shorter: str = ""

    @property
    def legend(self) -> str:
        """What it means, for a legend in text."""
        return self.shorter or self.means


LEGEND = {
    "declares": Kind("declares", "D", "D"),
    "act": Kind("acts", "A", "A"),
    "work": Kind("is busy", "▭", "C", "busy"),
    "wait": Kind("waits", "┄", "~"),
    "effect": Kind("takes effect", "E", "E", "effect"),
    "spoiled": Kind("spoiled", "✕", "X"),
    "withdrawn": Kind("given up", "W", "W"),
    "held": Kind("holds", "h", "h"),
    "due": Kind("is due", "d", "d", "due"),
    "lost": Kind("lost", "L", "L"),
    "concentration": Kind("concentrates", "═", "="),
    "damage": Kind("damage"),
    "healing": Kind("healing"),
    "condition": Kind("condition", "c", "c"),
    "status": Kind("status"),
    "finding": Kind("finding", "⚑", "!"),
    "overdue": Kind("was due", "", "e"),
    "together": Kind("at once", "[", "&"),
}
"""What all drawings of a round show, with its signs and meanings. No mark or span is `overdue` or `together`: these are where a span
would have ended, and a tie.
"""
KINDS = {name: kind.means for name, kind in LEGEND.items() if name not in ("overdue", "together")}
"""The kinds of marks and spans, with their meanings."""
SIGNS = {name: LEGEND[name].sign for name in KINDS if LEGEND[name].sign}
"""The sign of each kind; those that are not here are drawn in words."""
IN_WORDS = tuple(name for name in KINDS if name not in SIGNS)
_ORDER = "ACEeXWhd~LDc=&!"
LETTERS = dict(
    sorted(((name, each.letter) for name, each in LEGEND.items() if each.letter), key=lambda one: _ORDER.index(one[1]))
)
"""The letter of each kind in text, in the order in which they stand in a cell and in a legend."""
EMPTY = "."
"""A cell with nothing in it."""
POINTS = {
    "": Kind(""),
    "temporary": Kind("temporary points", "", "t"),
    "non-lethal": Kind("non-lethal damage", "", "n"),
}
"""What stands behind a number of points, by their kind."""


class Column(Struct, frozen=True):
    """A column: the phase, turn, segment or second that it stands for ("" and 0: not counted); all empty at the start.

    `together` are the combatants who act in it simultaneously, group by group.
    """

    phase: str
    turn: str
    segment: int
    second: int
    together: tuple[tuple[str, ...], ...] = ()


class Mark(Struct, frozen=True):
    """An event in one column, in words; `event` is the fact, or 0; `status` that of a timeline row or finding."""

    column: int
    kind: str
    words: str
    event: int
    status: str = ""


class Span(Struct, frozen=True):
    """Something that lasts from a column to another, drawn in a track (from 0) of its lane, so that none covers another.

    `from_before` and `goes_on`: whether it began before the round or goes on after it. `due` is the column in which
    something that was cut short would have taken effect, or -1.
    """

    first: int
    last: int
    kind: str
    words: str
    event: int
    status: str = ""
    from_before: bool = False
    goes_on: bool = False
    track: int = 0
    due: int = -1


class Lane(Struct, frozen=True):
    """The lane of a combatant; "" is that of the table, for findings about nobody."""

    combatant: str
    marks: tuple[Mark, ...]
    spans: tuple[Span, ...]


class Head(Struct, frozen=True):
    """The heading above several columns, from `first` on: their turn or phase."""

    first: int
    columns: int
    turn: str
    phase: str


class Tie(Struct, frozen=True):
    """A bracket around combatants who act simultaneously, from one lane to another, by their present order."""

    column: int
    first: int
    last: int
    those: tuple[str, ...]


class Lanes(Struct, frozen=True):
    """The picture of a round, as a list of what is drawn; `at` says which column each of its facts belongs to.

    `heads` stand above columns, `ties` are brackets, and `kinds` are the kinds of its marks and spans, for a legend:
    SVG and the page draw them as they are listed.
    """

    round: int
    columns: tuple[Column, ...]
    lanes: tuple[Lane, ...]
    at: dict[int, int]
    heads: tuple[Head, ...] = ()
    ties: tuple[Tie, ...] = ()
    kinds: tuple[str, ...] = ()


Place = tuple[int, int, int, int]
"""Phase, turn, segment and second, by which columns are sorted."""


Hold = tuple[str, Place | None, Place | None, str, int]
"""A concentration in a round: the combatant, its beginning and end (None: beyond the round), its words, and the fact
that began it."""
MarkAt = tuple[str, Place, Mark]
"""A mark with its lane and its place."""
Bar = tuple[str, Place | None, Place | None, Place | None, Span]
"""An act that takes time: its combatant, the places where it begins, ends and would have taken effect, and its span."""


class GatheredRound:
    """The values gathered for the picture of one round."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.marks: list[MarkAt] = []
        self.facts: dict[int, Place] = {}
        self.holds: list[Hold] = []
        self.acts: list[MarkAt] = []
        self.bars: list[Bar] = []
        self.groups: list[tuple[str, ...]] = []
        self.turns: dict[int, str] = {}
        self.actors: dict[int, str] = {}
        self.here: tuple[str, ...] = ()

    def copy(self) -> "GatheredRound":
        """Return a copy, to which more marks can be added."""
        other = copy(self)
        other.marks, other.holds = [*self.marks], []
        return other
