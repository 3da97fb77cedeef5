"""What Nameless Journey keeps beside the common state: rolls and places, turns, what was spent, effects on their clocks."""

from msgspec import Struct

from eventstore.shapes import Action
from projections.mechanics.conditions import Effect
from projections.state import State
from projections.time import Point

Key = tuple[int, str]
"""The record that began an effect, and its bearer."""


class Roll(Struct, frozen=True, gc=False):
    """Is an initiative roll: the derived total, the bonus in it, and the event that recorded it."""

    total: int
    dexterity: int
    seq: int


class Order(Struct, frozen=True, gc=False):
    """Is the order key, compared part by part: total and Dexterity descending, the other parts ascending."""

    round: int
    total: int
    dexterity: int
    tie: int
    joined: int

    @property
    def place(self) -> tuple[int, int, int, int]:
        """The place in the order, without the round: smaller comes first."""
        return -self.total, -self.dexterity, self.tie, self.joined


class Turn(Struct, frozen=True, gc=False):
    """Is a turn as it was recorded, lawful or not; `ended` says that somebody recorded its end."""

    combatant: str
    seq: int
    point: Point
    ended: int = 0


class Lost(Struct, frozen=True, gc=False):
    """Is a turn that a round closed without: whose, in which round, and the event that opened the next one."""

    combatant: str
    point: Point
    seq: int


class Act(Struct, frozen=True, gc=False):
    """Is an act as it was recorded, with the resource that it spent, or "none", and its row among those of the round."""

    seq: int
    combatant: str
    action: Action
    cost: str
    point: Point
    row: int
    trigger: int = 0


class Stretch(Struct, frozen=True, gc=False):
    """Is a stretch of ground: its mode and feet; `counts` says whether it came off the speed, `row` is as in an act."""

    seq: int
    combatant: str
    mode: str
    feet: int
    point: Point
    row: int
    counts: bool


class Cause(Struct, frozen=True, gc=False):
    """Is what a Reaction can answer: the words for what it was, and at whom."""

    words: tuple[str, ...]
    targets: tuple[str, ...] = ()


class Running(Struct, gc=False):
    """Is an effect on its clock: whose places count it down ("" for the openings of rounds).

    `skip` is how many of those places count nothing yet; `brief` says that it ends with the turn it began in, `own`
    that the clock is that of its originator.
    """

    effect: Effect
    owner: str
    own: bool
    skip: int = 0
    brief: bool = False


class Ended(Struct, frozen=True, gc=False):
    """Says when an effect ran out: the event, the turn in which that was, whose place it was, in which round."""

    effect: Effect
    seq: int
    turn: int
    owner: str
    round: int


class NamelessState(State):
    """Adds what the text needs.

    `started` is the event of the first turn. Of a round: `had` are those who had their turn in it, `counted` those whose
    place has gone by, `later` newcomers whose place had gone by when they rolled, `anchors` newcomers who come right
    after somebody's turn, `jumped` those reported. Of a turn: `feet` moved by mode, `covered` squares.
    `turn_seq` is the event that began it, `turn_before` that of the one before. `paid` leads from
    combatant and resource to the acts that spent it since it was whole. `at_once` and `same_turn` can be answered.
    """

    rolls: dict[str, Roll] = {}
    bare: dict[str, list[tuple[int, int]]] = {}
    ruled_ties: dict[str, tuple[int, int]] = {}
    returned: dict[str, int] = {}
    placed: dict[str, int] | None = None
    started: int = 0
    newcomers: dict[str, int] = {}
    first_rounds: dict[str, int] = {}
    open_ties: dict[str, int] = {}
    had: dict[str, int] = {}
    counted: dict[str, int] = {}
    later: dict[str, int] = {}
    anchors: dict[str, str] = {}
    jumped: dict[str, int] = {}
    had_ever: dict[str, int] = {}
    turn_seq: int = 0
    turn_before: int = 0
    turns: list[Turn] = []
    lost: list[Lost] = []
    acts: list[Act] = []
    stretches: list[Stretch] = []
    known: dict[int, Act] = {}
    rolled_for: dict[int, int] = {}
    paid: dict[tuple[str, str], list[int]] = {}
    feet: dict[str, dict[str, int]] = {}
    covered: dict[str, set[tuple[int, int]]] = {}
    at_once: set[int] = set()
    same_turn: dict[int, Cause] = {}
    counters: dict[int, list[int]] = {}
    spoiled: dict[int, int] = {}
    clocks: dict[Key, Running] = {}
    ended: dict[Key, Ended] = {}
    last_ended: dict[int, Ended] = {}
    allowed: dict[tuple[str, str], int] = {}
