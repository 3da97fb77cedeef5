"""The people of a fight: their clocks of own seconds, their turns, what they have begun, and what is in flight.

Every combatant has a clock of own seconds, of which the n-th turn holds 6 (n - 1) + 1 to 6 n; what is begun keeps its last
own second, and what is in flight the own second in which it is due.
"""

from dataclasses import dataclass, field

TIMES = {"cast": 4, "combo": 4, "attack": 4, "stand-up": 4, "run": 3, "grab": 2, "take-aim": 2, "move": 1, "draw": 1}
TIMES |= {"aim": 1, "rise": 1, "crouch-up": 1, "crouch": 1}
TRIFLES = ("talk", "drop")
SPELLS = ("spark", "fuse", "web", "mist", "ember", "bolt")


@dataclass
class Act:
    """Something that takes seconds, from one own second to another; `state` is begun, done, withdrawn, lost, or open."""

    who: str
    name: str
    kind: str
    seq: int
    first: int
    last: int
    state: str = "begun"


@dataclass
class Flight:
    """An effect in flight; `state` is begun, done, withdrawn, lost, or open, where the rules leave open what becomes of it."""

    act: Act
    due: int
    state: str = "begun"


@dataclass
class Turn:
    """A turn, or one that is in hand: its seconds spent, those that an action from before took, those before a break."""

    who: str
    number: int
    round: int
    is_delayed: bool = False
    spent: int = 0
    carried: int = 0
    broken: int = 0
    acts: list[Act] = field(default_factory=list)
    cells: list[str] = field(default_factory=lambda: ["-"] * 6)

    def paint(self, act: Act) -> None:
        """Show an action in those of its seconds that are in this turn."""
        word, length = act.name if act.name != act.kind else act.kind.replace("-", " "), act.last - act.first + 1
        for own in range(max(act.first, self.zero + 1), min(act.last, self.zero + 6) + 1):
            self.cells[own - self.zero - 1] = word if length == 1 else f"{word} {own - act.first + 1}/{length}"

    @property
    def zero(self) -> int:
        """The own second before the first of this turn."""
        return 6 * (self.number - 1)


@dataclass
class One:
    """A combatant."""

    id: str
    dexterity: int
    most: int
    entries: dict[str, tuple[int, int | None]]
    joined: int
    hp: int = 0
    total: int | None = None
    rerolls: list[int] = field(default_factory=list)
    rank: int = 0
    turns: int = 0
    hand: Turn | None = None
    running: Act | None = None
    flights: list[Flight] = field(default_factory=list)
    gone: str = ""
    had: bool = False
    passed: bool = False
    fresh: bool = False
    blocked: bool = False

    @property
    def out(self) -> bool:
        """Whether the place of this one may be passed over."""
        return bool(self.gone) or self.hp <= 0
