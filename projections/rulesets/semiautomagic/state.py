"""The additional state of Semiautomagic: checks, turns with their seconds, actions and delayed effects.

Every combatant has its own clock: its n-th turn holds its own seconds 6(n-1)+1 to 6n, whenever it is played. So an
action that runs on from turn to turn, and a delay in own seconds, are simple sums.
"""

from msgspec import Struct

from eventstore.shapes import Action
from projections.because import Because, Derived
from projections.mechanics.rolls import Contest
from projections.mechanics.work import BEGUN, DONE, Work, ending
from projections.scheduling import turnlist
from projections.state import Round, State
from projections.time import Point

SECONDS = 6
"""The number of seconds in a round, and in a turn."""
WAITING = "wait"
"""The kind of action that lets seconds pass; it cannot be interrupted, and postpones nothing."""


class Instant(Struct, frozen=True, gc=False, order=True):
    """A second on the clock of one combatant: turns count from 1, seconds from 1 to 6."""

    turn: int
    second: int


def instant(own: int) -> Instant:
    """Return an own second, numbered consecutively, as turn and second."""
    return Instant((own - 1) // SECONDS + 1, (own - 1) % SECONDS + 1)


def own_second(turn: int, second: int) -> int:
    """Return a second of a combatant's turn, numbered consecutively from its first turn."""
    return SECONDS * (turn - 1) + second


class Order(Struct, frozen=True, gc=False):
    """The order key: total and further checks, the highest first, then the earliest joining."""

    round: int
    total: int
    rerolls: tuple[int, ...]
    joined: int


class Standing(Struct, gc=False):
    """A combatant's initiative: its total, the further checks of a draw, and the events behind them.

    `because` says why a further check has become its total. `newcomer` is the round in which a late arrival was put
    into the order, None for those present from the start.
    """

    who: str
    total: int
    joined: int
    events: tuple[int, ...]
    rerolls: tuple[int, ...] = ()
    newcomer: int | None = None
    because: Because = Because()


def never(_work: Work, _incident: object) -> Because | None:
    """Return None: no disturbance ends work here; it is given up, lost, or completed."""
    return None


class TimedAct(Work, kw_only=True, gc=False, eq=False):
    """An action, which takes `length` own seconds of its actor from `start` on; with 0 it comes after the one before.

    `turn` is the number of the own turn in which it began, 0 for none; `paused` are seconds that passed meanwhile
    without a turn. `late` says that this was a delayed turn, `stated` that its second is recorded.
    """

    action: Action
    turn: int
    point: Point
    paused: int = 0
    late: bool = False
    stated: bool = False
    runs: bool = False
    outcomes: tuple[int, ...] = ()

    @property
    def last(self) -> int:
        """The last own second that it takes if nothing cuts it short."""
        return self.start + self.length - 1 + self.paused

    @property
    def end(self) -> int:
        """The last own second that it takes, or took before it was cut short."""
        last = self.start + self.length - 1 + self.paused
        return min([last, *[each.tick for each in self.incidents]]) if self.incidents else last

    @property
    def status(self) -> Derived[str]:
        """Begun, done, withdrawn or lost."""
        ended = ending(self, never)
        return Derived(ended.value.ends if ended.value else BEGUN if self.runs else DONE, ended.because)

    @property
    def held(self) -> Derived[int]:
        """The last own second that it takes, citing what began it and cut it short."""
        cut = (ending(self, never).because,) if self.incidents else ()
        return Derived(self.end, Because(of=(self.because, *cut)))


class Delayed(Work, kw_only=True, gc=False, eq=False):
    """A delayed effect: it occurs `length` own seconds after its action ends, at `point`; `events` are its facts.

    `elsewhere` says that it was recorded where it was not due.
    """

    act: TimedAct
    elsewhere: bool = False
    point: Point = Point()
    events: tuple[int, ...] = ()

    @property
    def status(self) -> Derived[str]:
        """Begun, done, withdrawn or lost."""
        ended = ending(self, never)
        return Derived(ended.value.ends if ended.value else BEGUN, ended.because)


class TimedTurn(turnlist.Turn, kw_only=True, gc=False, eq=False):
    """A turn of six seconds: the `number` on its owner's clock, the `round` that it belongs to, what was done in it.

    `timed` are actions that hold seconds of it, including one that runs on into it; `trifles` take none; `earlier` were
    done before it was put off. Seconds up to `waited` are known to have passed; `cut` is how many were spent when it
    was last interrupted; after a ruling, only the actions from `since` on count. `within` is whose turn a delayed turn
    interrupts, `after` the second of that turn; `cut_by` are the facts that `cut` rests on.
    """

    number: int
    round: int
    timed: list[TimedAct] = []
    trifles: list[TimedAct] = []
    earlier: tuple[TimedAct, ...] = ()
    waited: int = 0
    cut: int = 0
    cut_by: tuple[int, ...] = ()
    since: int = 0
    within: str = ""
    after: int = 0
    put_off: bool = False
    events: tuple[int, ...] = ()

    @property
    def begun(self) -> Derived[int]:
        """The number, citing what began the turn, put it off, took it and ended it."""
        return Derived(self.number, Because((), self.events))

    @property
    def zero(self) -> int:
        """The own second before its first."""
        return SECONDS * (self.number - 1)

    @property
    def spent(self) -> int:
        """The seconds that have passed, including those that an action of the turn before still needs."""
        zero, acts = SECONDS * (self.number - 1), (*self.earlier, *self.timed)[self.since :]
        return min(SECONDS, max([self.waited, *[act.end - zero for act in acts]]))

    @property
    def played(self) -> bool:
        """Whether a second of it is known to have been used."""
        known = (act for act in (*self.earlier, *self.timed) if act.turn == self.number or act.incidents)
        return any(act.end > self.zero for act in known)

    @property
    def rests(self) -> bool:
        """Whether nothing but an action of the turn before has claimed seconds of it yet."""
        return not self.played and any(not act.incidents for act in self.timed)

    @property
    def acts(self) -> tuple[TimedAct, ...]:
        """What was done in it, in the order of the log."""
        return tuple(sorted((*self.timed, *self.trifles), key=lambda act: act.seq))

    @property
    def taken(self) -> bool:
        """Whether it is a delayed turn as it was taken."""
        return self.resumed == self.seq

    def at(self, second: int) -> Point:
        """Return a second of the turn as a point."""
        return Point(self.point.round, turn=self.point.turn, second=second)


class OwnClock(Struct, gc=False):
    """The clock of one combatant: how many turns it has counted, and the round of the last one.

    `turn` is the last one, `stopped` the action that was last done, or cut short, in a later turn than it began in.
    """

    number: int = 0
    round: int = 0
    turn: TimedTurn | None = None
    stopped: TimedAct | None = None


class SecondsRound(Round):
    """A round as recorded: its turns, what was done outside of them, what was lost or given up, and effects that ended.

    `missed` are those whose place was passed when the last round closed; `told` counts the turns.
    """

    turns: list[TimedTurn] = []
    outside: list[TimedAct] = []
    stopped: list[TimedAct] = []
    missed: dict[str, int] = {}
    effects: list[Delayed] = []
    told: int = 0


class SemiautomagicState(State):
    """The state of a fight by Semiautomagic.

    `started` is the first turn of all; `standings` are the checks; `level` maps a total to those who have it, `owing` a
    combatant to the draw for which it still has to check again, `tied` one to the ruling that settles its order.
    `stack` is the turn being played, with those that interrupted it on top; `latest` the last that was played.
    `running` are actions begun and not done; `done_as` maps a combatant and a word to its last two acts of that name, `came_from`
    rolls and effects to the action behind them.
    """

    started: int = 0
    standings: dict[str, Standing] = {}
    level: dict[int, list[str]] = {}
    owing: dict[str, tuple[str, ...]] = {}
    tied: dict[str, tuple[int, int]] = {}
    departed: dict[str, int] = {}
    has_taken: bool = False
    contests: dict[str, Contest] = {}
    own: dict[str, OwnClock] = {}
    stack: list[TimedTurn] = []
    latest: TimedTurn | None = None
    acts: dict[int, TimedAct] = {}
    done_as: dict[tuple[str, str], list[TimedAct]] = {}
    running: dict[str, list[TimedAct]] = {}
    came_from: dict[int, int] = {}
    delayed: dict[int, Delayed] = {}
    delayed_by: dict[int | None, Delayed] = {}
    ruled_times: dict[tuple[str, str], tuple[int, int]] = {}
    placed_at: tuple[int, Point] = (0, Point())

    def clock_of(self, who: str) -> OwnClock:
        """Return the clock of a combatant."""
        return self.own.get(who) or self.own.setdefault(who, OwnClock())

    def in_hand(self, who: str) -> TimedTurn | None:
        """Return the turn that somebody has in hand."""
        turn = self.turns.in_hand.get(who)
        return turn if isinstance(turn, TimedTurn) else None

    def playing(self, who: str) -> TimedTurn | None:
        """Return the turn of a combatant that is being played, interrupted or not."""
        found = [turn for turn in self.stack if turn.combatant == who]
        return found[-1] if found else None

    def rest_of(self, who: str) -> list[TimedAct]:
        """Return the actions of a combatant that are begun and not done."""
        return self.running.get(who, [])
