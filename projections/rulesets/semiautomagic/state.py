"""What Semiautomagic keeps beside the common state: checks, turns with their seconds, actions and delayed effects.

Every combatant has a clock of its own: its n-th turn holds its own seconds 6(n-1)+1 to 6n, whenever it is played. So an
action that runs on from turn to turn, and a delay that counts own seconds, are plain sums.
"""

from msgspec import Struct

from eventstore.shapes import Action
from projections.state import State
from projections.time import Point

SECONDS = 6
"""Seconds in a round, and in a turn."""


class Instant(Struct, frozen=True, gc=False, order=True):
    """Is a second on the clock of one combatant: turns count from 1, seconds from 1 to 6."""

    turn: int
    second: int


def instant(own: int) -> Instant:
    """Return an own second, counted through, as turn and second."""
    return Instant((own - 1) // SECONDS + 1, (own - 1) % SECONDS + 1)


def own_second(turn: int, second: int) -> int:
    """Return a second of a combatant's turn, counted through from its first turn."""
    return SECONDS * (turn - 1) + second


class Order(Struct, frozen=True, gc=False):
    """Is the order key: total and further checks from the highest down, then the joining that came first."""

    round: int
    total: int
    rerolls: tuple[int, ...]
    joined: int


class Standing(Struct, gc=False):
    """Is a combatant's initiative: its total, the further checks of a draw, and the events behind them.

    `newcomer` is the round in which somebody who came late was put into the order, None for those of the start.
    """

    who: str
    total: int
    joined: int
    events: tuple[int, ...]
    rerolls: tuple[int, ...] = ()
    newcomer: int | None = None


class Contest(Struct, frozen=True, gc=False):
    """Is a contest: what each came to, roll after roll, and the events."""

    about: str
    results: dict[str, tuple[int, ...]]
    events: tuple[int, ...]


class Act(Struct, gc=False, eq=False):
    """Is an action: it takes own seconds `first` to `last` of its doer; one that takes none has `first` behind `last`.

    Status is begun, done, withdrawn or lost; `needs` are the seconds that it takes where nothing cuts it short. `turn` is
    the number of the own turn in which it was begun, 0 for none.
    `late` says that this was a delayed turn, `reported` that an outcome of it has been reported, `stated` that its
    second is on record.
    """

    seq: int
    combatant: str
    action: Action
    first: int
    last: int
    turn: int
    point: Point
    needs: int = 0
    late: bool = False
    status: str = "done"
    ended: int = 0
    outcomes: tuple[int, ...] = ()
    reported: bool = False
    stated: bool = False

    @property
    def seconds(self) -> int:
        """How many seconds it takes."""
        return self.last - self.first + 1


class Flight(Struct, gc=False, eq=False):
    """Is a delayed effect that an action sets off as it ends.

    Status is begun, done, withdrawn or lost; `point` is where it occurred, `events` what was recorded of it.
    """

    act: Act
    name: str
    delay: int
    status: str = "begun"
    point: Point = Point()
    events: tuple[int, ...] = ()
    reported: bool = False


class Turn(Struct, gc=False, eq=False):
    """Is a turn: the `number` on its owner's clock, the round that it belongs to, where it was told, what it spent.

    `spent` counts seconds gone by, those included that an action of the turn before still needs; `waited` those known
    to be gone although nothing was done in them; `cut` is what was spent before the turn was last broken into; `played`
    says that something timed was done in it. Status is begun, done, held or lost. `within` is whom a delayed turn breaks into, `after` the second of that one's turn, `earlier` what
    was done in it before it was put off; `taken` is the event with which a delayed turn was taken.
    """

    combatant: str
    number: int
    round: int
    point: Point
    seq: int
    spent: int = 0
    waited: int = 0
    cut: int = 0
    played: bool = False
    status: str = "begun"
    events: tuple[int, ...] = ()
    acts: list[Act] = []
    earlier: tuple[Act, ...] = ()
    within: str = ""
    after: int = 0
    put_off: bool = False
    taken: int = 0


class SemiautomagicState(State):
    """Adds what this text needs.

    `started` is the first turn of all; `had` leads to the turn that somebody had in this round, `passed` are places
    passed over while their owner was out, `missed` those that had no turn as the last round closed, `jumped` those
    reported as jumped, `early` newcomers who acted too soon, `departed` those who have left. `owing` leads to the draw
    for which somebody still has to check anew. `stack` is the turn being played, with those that broke into it on top;
    `turns` are those told of in this round, `hand` those in hand, `numbers` counts those of each combatant. `running`
    are actions begun and not done, `outside` those done outside their doer's turn, `flights` delayed effects;
    `came_from` leads from rolls and effects to the action behind them, `nearest_act` is the last one of this turn.
    """

    started: int = 0
    round_number: int = 0
    opened: int = 0
    standings: dict[str, Standing] = {}
    owing: dict[str, tuple[str, ...]] = {}
    open_reported: set[str] = set()
    unplaced_reported: set[str] = set()
    tied: dict[str, tuple[int, int]] = {}
    moves: list[tuple[str, str, int]] = []
    contests: dict[str, Contest] = {}
    had: dict[str, int] = {}
    passed: dict[str, int] = {}
    missed: dict[str, int] = {}
    jumped: set[str] = set()
    early: set[str] = set()
    departed: set[str] = set()
    places_told: int = 0
    stack: list[Turn] = []
    latest: Turn | None = None
    turns: list[Turn] = []
    hand: dict[str, Turn] = {}
    numbers: dict[str, int] = {}
    rounds_of: dict[str, int] = {}
    acts: dict[int, Act] = {}
    running: dict[str, list[Act]] = {}
    came_from: dict[int, int] = {}
    outside: list[Act] = []
    nearest_act: int = 0
    flights: list[Flight] = []
    flight_of: dict[int, Flight] = {}
    ruled_times: dict[tuple[str, str], tuple[int, int]] = {}
    placed_at: tuple[int, Point] = (0, Point())
