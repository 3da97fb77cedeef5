"""The sheet, the calendar and the hit points of Nameless Journey, and its state: rolls, resources spent, ground covered, timers."""

from msgspec import Struct, field

from eventstore.paths import path_beside
from eventstore.shapes import Square, Text, Whole, Word
from projections.because import Because, Cites, Derived, asked_so_far
from projections.fight import Round
from projections.folds.vitals import pool_functions
from projections.mechanics.acts import Act
from projections.mechanics.conditions import Effect, Key
from projections.mechanics.rolls import Ties
from projections.mechanics.timers import Timer
from projections.ruleset.ruleset import address_maker
from projections.sheet import CommonSheet
from projections.state import State
from projections.time import Calendar, Point

RULES = path_beside(__file__, "rules.toml")
described = address_maker(RULES)


class SheetEntry(Struct, frozen=True, omit_defaults=True):
    """A spell, trait or item: the resource that it costs, and for a Reaction its triggers.

    Other fields of an entry are ignored: nothing here depends on them.
    """

    name: Word
    kind: Word | None = None
    cost: Word | None = None
    answers: Text | tuple[Text, ...] | None = None
    attributes: tuple[Word, ...] = ()


class Sheet(CommonSheet, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A sheet: hit points, Dexterity bonus, speed by mode (feet), additional resources per turn, and entries."""

    hp: Whole | None = None
    hp_max: Whole | None = None
    dexterity: Whole = 0
    speeds: dict[Word, Whole] = {}
    extra: dict[Word, Whole] = {}
    entries: tuple[SheetEntry, ...] = ()


ROUND = 5
"""The number of seconds in a round."""
UNITS = {"second": 1, "round": ROUND, "minute": 60, "turn": 10 * ROUND, "hour": 3600, "day": 86400}
CALENDAR = Calendar(seconds=UNITS, tick="second")

STATUSES = {"up": "in the fight", "down": "at 0 hit points or less", "out": "out by ruling"}
pools, status = pool_functions(__name__, "health.damage")


class InitiativeRoll(Struct, frozen=True, gc=False):
    """An initiative roll."""

    total: int
    """The derived total."""
    dexterity: int
    """The bonus in it."""
    seq: int
    """The event that recorded the roll or set its total."""
    of: tuple[int, ...] = ()
    """The earlier events of a total that a ruling set."""

    @property
    def events(self) -> tuple[int, ...]:
        """All events that decide on the total."""
        return (*self.of, self.seq)


class Order(Struct, frozen=True, gc=False):
    """The order key, compared part by part: total and Dexterity descending, the other parts ascending."""

    round: int
    total: int
    dexterity: int
    tie: int
    joined: int

    @property
    def place(self) -> tuple[int, int, int, int]:
        """The place in the order, without the round: smaller comes first."""
        return -self.total, -self.dexterity, self.tie, self.joined


class Ranking(Struct, frozen=True):
    """The ranking of combatants who have rolled."""

    ties: dict[str, int]
    """The ranks among the tied."""
    even: dict[int, list[str]]
    """The combatants with each total."""
    order: list[str]
    """All who have rolled, from first to last."""
    asked: dict[str, str] = {}
    """The options by which they are ranked."""


class PaidAct(Act, frozen=True, gc=False):
    """An act with its cost."""

    cost: str
    """The resource that it spent, or "none"."""
    row: int
    """The number of its row in the round."""
    answers: "PaidAct | None" = None
    """The earlier act that it answers."""


class Stretch(Struct, frozen=True, gc=False):
    """A stretch of movement."""

    seq: int
    combatant: str
    mode: str
    feet: int
    point: Point
    row: int
    """The number of its row in the round."""
    counts: bool
    """Whether it came off the speed."""
    asked: dict[str, str] = field(default_factory=asked_so_far)
    """The options by which it has its price."""


class Ground(Struct):
    """The ground that a combatant has covered since its turn began."""

    turn: int = 0
    """The event that began the turn."""
    reset: bool = False
    """Whether earlier ground was dropped when the turn began."""
    stretches: list[Stretch] = []
    feet: dict[str, int] = {}
    """The feet of the stretches that count, by mode."""
    squares: set[Square] = set()


class EffectTimer(Timer, gc=False):
    """The timer of an effect."""

    own: bool = False
    """Whether it counts its originator's places."""
    unsure: bool = False
    """Whether several combatants can be its originator."""
    brief: bool = False
    """Whether it ends with the turn in which it began."""
    since: tuple[int, ...] = ()
    """The facts that determine second 0: the owner's turn, and the source of its place."""
    asked: dict[str, str] = field(default_factory=asked_so_far)
    """The options by which it counts."""


class Ended(Struct, frozen=True, gc=False):
    """The end of an effect."""

    key: Key
    effect: Effect
    seq: int
    """The event that ended it."""
    turn: int
    """The event of the turn in which it ended."""
    round: int
    owner: str = ""
    """The combatant at whose place its time ran out."""
    since: tuple[int, ...] = ()
    """The facts that determine second 0 of its timer."""
    ran_out: bool = False
    """Whether its time ran out."""
    unsure: bool = False
    """Whether several combatants could be its originator."""
    asked: dict[str, str] = {}
    """The options by which its timer counted."""
    by: tuple[Cites, ...] = ()
    """The reason for which it ended before its time."""


class NamelessRound(Round):
    """A round with its turns."""

    acts: list[PaidAct] = []
    spells: dict[tuple[str, str], PaidAct] = {}
    """The last spell of each caster and name, case folded."""
    stretches: list[Stretch] = []
    lost: dict[str, int] = {}
    """The combatants still due when the round closed, with the event that closed it."""


class NamelessState(State):
    """The state of a fight by Nameless Journey."""

    rolls: dict[str, InitiativeRoll] = {}
    ties: Ties = field(default_factory=Ties)
    """The settlements of ties."""
    owing: dict[str, int] = {}
    """The combatants who have joined, or joined again, and not rolled since."""
    ranking: Ranking | None = None
    """The ranking, cached until one of its inputs changes."""
    started: int = 0
    """The event of the first turn."""
    first_rounds: dict[str, int] = {}
    """The rounds in which newcomers had or have their first turn."""
    late: dict[str, Because] = {}
    """The reasons why newcomers wait for their first turn."""
    acted: dict[str, int] = {}
    """The turns that combatants had in their places; 0: several."""
    waits_by: dict[str, tuple[int, ...]] = {}
    """The facts by which combatants were newcomers, or not: the only turn before they joined, or, if then out, their rolls."""
    early: dict[str, int] = {}
    """The turns that newcomers had before their first one was due."""
    turn_seq: int = 0
    """The event that began the present turn."""
    turn_before: int = 0
    """The event that began the turn before."""
    known: dict[int | None, PaidAct] = {}
    """All acts by their events."""
    rolled_for: dict[int, int] = {}
    """The acts behind rolls."""
    allowed: dict[tuple[str, str], Derived[int]] = {}
    """The additions of rulings to resources and modes in this turn."""
    ground: dict[str, Ground] = {}
    counters: dict[int, list[int]] = {}
    spoiled: dict[int, int] = {}
    lasting: dict[int, dict[str, Effect]] = {}
    gone: dict[int, dict[str, Ended]] = {}
    ended: dict[tuple[str, str, str], Ended] = {}
