"""The values that folds build; data only.

A State is mutable while a fold runs and never leaves the projections; what leaves them are frozen views (view.py) and
findings. A ruleset adds fields of its own by subclassing State.
"""

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct, field

from eventstore.events import Fact, RulingMade
from eventstore.shapes import Action, Duration
from projections.time import Point

if TYPE_CHECKING:
    from projections.rulesets.ruleset import Ruleset


class Because(Struct, frozen=True, gc=False):
    """Says why a value is what it is: rule ids, seqs of events, and the options that decided."""

    rules: tuple[str, ...] = ()
    events: tuple[int, ...] = ()
    options: dict[str, str] = {}

    def __bool__(self) -> bool:
        """Say whether any event stands behind this."""
        return bool(self.events)

    def __add__(self, other: "Because") -> "Because":
        """Return both reasons as one, each rule and event once, events in order."""
        return Because(
            tuple(dict.fromkeys(self.rules + other.rules)),
            tuple(sorted({*self.events, *other.events})),
            self.options | other.options,
        )


E = TypeVar("E", bound=Fact)


class Occurrence(Struct, Generic[E], frozen=True, gc=False):
    """Is a fact of the corrected telling.

    `seq` identifies it, `line` is where the words that count stand in the file (the amendment's, if there is one),
    `point` the moment at which it happened, `own` whether it, or what it came out of, said that moment itself, `cause`
    the seq of what it came out of, or 0. References are absolute.
    """

    seq: int
    line: int
    event: E
    point: Point = Point()
    own: bool = False
    cause: int = 0
    at: str = ""
    by: str = ""
    secret: bool = False


class Effect(Struct, gc=False):
    """Is an effect or condition on one bearer ("" for none); `left` counts down in the unit of its duration.

    `ticked_by` are the facts that `left` was last changed by.
    """

    seq: int
    name: str
    bearer: str
    source: str = ""
    duration: Duration | None = None
    left: int | None = None
    concentration: bool = False
    parent: int = 0
    since: Point = Point()
    ticked_by: tuple[int, ...] = ()


class Combatant(Struct, gc=False):
    """Is who stands in the fight: hit points as far as known, and the events behind each value.

    `ruled` leads from a field to the ruling that set it.
    """

    id: str
    name: str
    side: str
    sheet: Any
    joined: int
    left: int = 0
    hp: int | None = None
    hp_max: int | None = None
    temp: int = 0
    nld: int = 0
    status: str = "up"
    hp_events: list[int] = []
    nld_events: list[int] = []
    status_because: Because = Because()
    ruled_status: str = ""
    ruled: dict[str, int] = {}
    resources: dict[str, int] = {}


class Slot(Struct, frozen=True, gc=False):
    """Is a place in the order of a round: those in it act at once; `key` are the named parts that it is sorted by."""

    combatants: tuple[str, ...]
    key: dict[str, Any]
    because: Because
    segment: int | None = None
    phase: str | None = None


class Entry(Struct, frozen=True, gc=False):
    """Is a row of the timeline: who does what, where, and how far it has come.

    Status is due, begun, done, spoiled, withdrawn, held, lost or struck; `due` is the point at which what has begun
    completes, `until` the last one that it takes up, or took up before it was cut off, if it takes more than a moment,
    `cost` the resource that was spent on it.
    """

    point: Point
    combatant: str
    status: str
    because: Because
    action: str | None = None
    name: str | None = None
    cost: str | None = None
    phase: str | None = None
    due: Point | None = None
    until: Point | None = None
    events: tuple[int, ...] = ()
    order: tuple[int, ...] = ()


class Loss(Struct, frozen=True, gc=False):
    """Is what damage or healing does to the numbers of one combatant: so much is taken from each (below 0: added).

    Non-lethal damage suffered is therefore below 0 in `nld`.
    """

    hp: int = 0
    temp: int = 0
    nld: int = 0


NO_LOSS = Loss()


class Clock(Struct, gc=False):
    """Is the time as last told: its point, the phase by name, whose turn it is (and whose besides), whether a round is open.

    `round` is the one last opened; the point has round 0 where a surprise segment is told of after that.
    """

    point: Point = Point()
    round: int = 0
    phase: str = ""
    turn: str = ""
    together: tuple[str, ...] = ()
    turn_event: int = 0
    open: bool = False
    round_event: int = 0
    events: tuple[int, ...] = ()


class State(Struct, gc=False):
    """Is everything that a replay knows at one point of a log; `over` are effects that ran out by the ruleset's own rules."""

    rules: "Ruleset"
    encounter: str = ""
    title: str = ""
    options: dict[str, str] = {}
    seq: int = 0
    now: int = 0
    closed: int = 0
    clock: Clock = field(default_factory=Clock)
    combatants: dict[str, Combatant] = {}
    sides: dict[str, int] = {}
    effects: dict[tuple[int, str], Effect] = {}
    rid_by: dict[str, Because] = {}
    conditions: dict[tuple[int, str], Effect] = {}
    over: dict[tuple[int, str], Effect] = {}
    moments: dict[int, Occurrence[Any]] = {}
    nearest: dict[Point, Occurrence[Any]] = {}
    loss: Loss = NO_LOSS
    rulings: list[Occurrence[RulingMade]] = []
    ruled_order: tuple[int, tuple[tuple[str, ...], ...]] | None = None
    struck: list[Occurrence[Any]] = []
    struck_by: dict[int, int] = {}
    unread: list[int] = []
    refused: list[tuple[Occurrence[Any], str, str]] = []

    def option(self, name: str) -> str:
        """Return the value of an option: what the first record says, else the ruleset's default."""
        return self.options.get(name) or self.rules.default(name)

    def chosen(self, *names: str) -> dict[str, str]:
        """Return these options with their values, for a because."""
        return {name: self.option(name) for name in names}

    def here(self) -> list[Combatant]:
        """Return the combatants who have not left, in the order in which they joined."""
        return [one for one in self.combatants.values() if not one.left]


def action_word(action: Action) -> str:
    """Return what an action is called: its name, or else its kind."""
    return action.name or action.kind
