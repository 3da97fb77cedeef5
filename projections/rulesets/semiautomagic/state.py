"""The sheet, the calendar and the hit points of Semiautomagic, and its state: checks, turns, actions, delayed effects.

Every combatant has its own clock: its n-th turn holds its own seconds 6(n-1)+1 to 6n, whenever it is played. So an
action that runs on from turn to turn, and a delay in own seconds, are simple sums.
"""

from typing import Annotated

from msgspec import Meta, Struct

from eventstore.paths import path_beside
from eventstore.shapes import Action, Span, Whole, Word
from projections.because import NOTHING_CITED, Because, Derived
from projections.fight import Round
from projections.folds.vitals import pool_functions
from projections.mechanics import turnlist
from projections.mechanics.rolls import Contest
from projections.mechanics.work import BEGUN, DONE, Work, ending_incident, work_status
from projections.open_types import Json
from projections.sheet import CommonSheet
from projections.state import State
from projections.time import Calendar, Point

SECONDS = 6
"""The number of seconds in a round, and in a turn."""
WAITING = "wait"
"""The kind of action that lets seconds pass; it cannot be interrupted, and postpones nothing."""

RULES = path_beside(__file__, "rules.toml")
Abbreviated = Annotated[str, Meta(pattern=r"^[0-9]{1,6} ?SA$")]
"""Seconds as the text writes them: 4SA."""


class Listed(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An entry of a sheet: a spell or a trick with its time and its delay in seconds."""

    name: Word
    kind: Word | None = None
    time: Whole | Abbreviated | Span | None = None
    delay: Whole | Abbreviated | Span | None = None
    cost: Word | None = None
    range: Json = None
    allows_save: Json = None
    concentration: bool = False
    attributes: tuple[Word, ...] = ()
    components: tuple[Word, ...] | None = None
    answers: Json = None


class Sheet(CommonSheet, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A sheet: hit points, Dexterity (by default 0), and entries with their own times."""

    hp: Whole | None = None
    hp_max: Whole | None = None
    dexterity: Whole | None = None
    entries: tuple[Listed, ...] = ()


UNITS = {"second": 1, "sa": 1, "round": 6, "minute": 60, "turn": 60, "hour": 3600, "day": 86400}
CALENDAR = Calendar(seconds=UNITS, tick="second")

STATUSES = {"up": "in the fight", "down": "at 0 hit points or less", "out": "out by the GM's word"}
pools, status_of = pool_functions(__name__, "health.damage")


class Instant(Struct, frozen=True, gc=False, order=True):
    """A second on the clock of one combatant: turns count from 1, seconds from 1 to 6."""

    turn: int
    second: int

    @classmethod
    def of(cls, own: int) -> "Instant":
        """Return an own second, numbered consecutively, as turn and second."""
        return cls((own - 1) // SECONDS + 1, (own - 1) % SECONDS + 1)


class Standing(Struct, gc=False):
    """A combatant's initiative."""

    who: str
    total: int
    joined: int
    events: tuple[int, ...]
    """The events of its checks."""
    rerolls: tuple[int, ...] = ()
    """The further checks of a draw."""
    newcomer: int | None = None
    before: Derived[int] | None = None
    """The total that this one replaces."""
    because: Because = NOTHING_CITED
    asked: dict[str, str] = {}
    """The options by which its further checks count."""
    came_by: dict[str, str] = {}
    """The options by which it has its place as a newcomer."""


class TimedAct(Work, kw_only=True, gc=False, eq=False):
    """An action with `length` own seconds from `start` on; one of length 0 comes after the second before."""

    action: Action
    point: Point
    turn: int = 0
    """The number of its combatant's turn in which it began; 0 for none."""
    paused: int = 0
    """The seconds that passed meanwhile without a turn."""
    late: bool = False
    """Whether that turn was a delayed one."""
    stated: bool = False
    """Whether its second is recorded."""
    runs: bool = False
    """Whether it runs on into a later turn."""
    turns: tuple[int, ...] = ()
    """The events that began the turns into which it ran on."""
    outcomes: tuple[int, ...] = ()
    """The events of its outcomes."""

    @property
    def last(self) -> int:
        """The last own second that it takes if nothing cuts it short."""
        return self.start + self.length - 1 + self.paused

    @property
    def end(self) -> int:
        """The last own second that it takes, or took before it was cut short."""
        return min([self.last, *(each.tick for each in self.incidents)])

    @property
    def status(self) -> Derived[str]:
        """Begun, done, withdrawn or lost."""
        ended = ending_incident(self)
        return Derived(ended.value.ends if ended.value else BEGUN if self.runs else DONE, ended.because)

    @property
    def held(self) -> Derived[int]:
        """The last own second that it takes, citing the facts that began it, let it run on, and cut it short."""
        cut = (ending_incident(self).because,) if self.incidents else ()
        return Derived(self.end, Because((), self.turns, (self.because, *cut)))


class Delayed(Work, kw_only=True, gc=False, eq=False):
    """A delayed effect, which occurs `length` own seconds after its action ends."""

    act: TimedAct
    elsewhere: bool = False
    """Whether it was recorded in another second than that in which it was due."""
    point: Point = Point()
    """The point at which it occurs."""
    events: tuple[int, ...] = ()
    """The facts that record it."""
    asked: dict[str, str] = {}
    """The options that decide whether it is lost with its originator, and whether its record came when due."""

    @property
    def status(self) -> Derived[str]:
        """Begun, done, withdrawn or lost."""
        return work_status(self)


class TimedTurn(turnlist.Turn, kw_only=True, gc=False, eq=False):
    """A turn of six seconds."""

    number: int
    """Its number on its owner's clock."""
    round: int
    """The round to which it belongs."""
    timed: list[TimedAct] = []
    """The actions that hold seconds of it, including one that runs on into it."""
    trifles: list[TimedAct] = []
    """The actions that take no second."""
    earlier: tuple[TimedAct, ...] = ()
    """The actions done before it was put off."""
    waited: int = 0
    """The last second that is known to have passed."""
    waits: Because | None = None
    """Why it is known."""
    called_off: tuple[Because, ...] = ()
    """Why no later one is: effects that had been called off, or lost."""
    cut: int = 0
    """The seconds that were spent when it was last interrupted."""
    cut_by: tuple[int, ...] = ()
    """The facts that decide on `cut`."""
    since: int = 0
    """The index of the first action that counts after a ruling."""
    within: str = ""
    """The combatant whose turn this delayed turn interrupts."""
    after: int = 0
    """The second of that turn after which it interrupts."""
    put_off: bool = False
    events: tuple[int, ...] = ()

    @property
    def begun(self) -> Derived[int]:
        """The number, citing the facts that began the turn, put it off, took it and ended it."""
        return Derived(self.number, Because((), self.events))

    @property
    def zero(self) -> int:
        """The combatant's second before its first."""
        return SECONDS * (self.number - 1)

    @property
    def spent(self) -> int:
        """The seconds that have passed, including those that an action of the turn before still needs."""
        ends = [act.end - self.zero for act in (*self.earlier, *self.timed)[self.since :]]
        return min(SECONDS, max([self.waited, *ends]))

    @property
    def spent_by(self) -> tuple[Because, ...]:
        """The facts besides its actions that decide how many seconds have passed."""
        acts = [act.end - self.zero for act in (*self.earlier, *self.timed)[self.since :]]
        return (self.waits, *self.called_off) if self.waits and self.waited > max(acts, default=0) else self.called_off

    @property
    def played(self) -> bool:
        """Whether a second of it is known to have been used."""
        known = (act for act in (*self.earlier, *self.timed) if act.turn == self.number or act.incidents)
        return any(act.end > self.zero for act in known)

    @property
    def only_continues(self) -> bool:
        """Whether only an action of the turn before has claimed seconds of it so far."""
        return not self.played and any(not act.incidents for act in self.timed)

    @property
    def acts(self) -> tuple[TimedAct, ...]:
        """The actions of the turn, in the order of the log."""
        return tuple(sorted((*self.timed, *self.trifles), key=lambda act: act.seq))

    def holding(self, first: int, last: int) -> list[TimedAct]:
        """Return the actions that hold some of these seconds of the turn."""
        zero, acts = self.zero, (*self.earlier, *self.timed)
        return [act for act in acts if max(act.start - zero, first) <= min(act.end - zero, last)]

    def running(self, own: int) -> list[TimedAct]:
        """Return the actions that run on after an own second, except waiting."""
        return [act for act in self.timed if act.start <= own < act.end and act.action.plain_kind != WAITING]

    @property
    def taken(self) -> bool:
        """Whether it is a delayed turn that was taken."""
        return self.resumed == self.seq

    def at(self, second: int) -> Point:
        """Return a second of the turn as a point."""
        return Point(self.point.round, turn=self.point.turn, second=second)


class OwnClock(Struct, gc=False):
    """The clock of one combatant."""

    number: int = 0
    """The number of turns that it has counted."""
    round: int = 0
    """The round of the last turn."""
    turn: TimedTurn | None = None
    """The last turn."""
    passed: Because | None = None
    """Why a place was passed since then, if one was."""
    stopped: TimedAct | None = None
    """The action that was last done, or cut short, in a later turn than it began in."""


class SecondsRound(Round):
    """A round as recorded."""

    turns: list[TimedTurn] = []
    outside: list[TimedAct] = []
    """The actions outside turns."""
    stopped: list[TimedAct] = []
    """The actions that were lost or given up."""
    missed: dict[str, int] = {}
    """The combatants whose place was passed when the last round closed."""
    effects: list[Delayed] = []
    """The delayed effects that ended."""
    ended_of: dict[tuple[str, str | None], Delayed] = {}
    """The last delayed effect that ended, by its name, case folded, and by its originator; also by the name alone."""
    turn_count: int = 0
    """The number of recorded turns."""


class SecondsState(State):
    """The state of a fight by Semiautomagic."""

    started: int = 0
    """The event of the first turn."""
    standings: dict[str, Standing] = {}
    """The initiative of each combatant."""
    level: dict[int, list[Standing]] = {}
    """The combatants with each total."""
    owing: dict[str, tuple[str, ...]] = {}
    """The draws for which combatants still have to check again."""
    tied: dict[str, tuple[int, int]] = {}
    """The rulings that settle the order of combatants."""
    departed: dict[str, int] = {}
    """The events by which combatants left."""
    returned: dict[str, int] = {}
    """Those by which combatants had left who are back."""
    taken: Because | None = None
    """The options by which taken delayed turns moved places; None before any was taken."""
    moved_in: dict[int, Because] = {}
    """The reasons for the turns behind which places moved, by the facts that moved them."""
    contests: dict[str, Contest] = {}
    own: dict[str, OwnClock] = {}
    """The clocks of combatants."""
    stack: list[TimedTurn] = []
    """The turn being played, with those that interrupted it on top."""
    latest: TimedTurn | None = None
    """The last turn that was played."""
    acts: dict[int, TimedAct] = {}
    """Actions by their events."""
    done_as: dict[tuple[str, str], list[TimedAct]] = {}
    """The last two acts of each combatant and name."""
    running: dict[str, list[TimedAct]] = {}
    """The actions of each combatant that are begun and not done."""
    came_from: dict[int, int] = {}
    """The actions behind rolls and effects."""
    delayed: dict[int, Delayed] = {}
    delayed_by: dict[int | None, Delayed] = {}
    ruled_times: dict[tuple[str, str], tuple[int, int]] = {}
    placed_at: tuple[int, Point] = (0, Point())

    def clock_of(self, who: str) -> OwnClock:
        """Return the clock of a combatant."""
        return self.own.get(who) or self.own.setdefault(who, OwnClock())

    def in_hand(self, who: str) -> TimedTurn | None:
        """Return the turn that a combatant has in hand."""
        turn = self.turns.in_hand.get(who)
        return turn if isinstance(turn, TimedTurn) else None

    def playing(self, who: str) -> TimedTurn | None:
        """Return the turn of a combatant that is being played, interrupted or not."""
        return next((turn for turn in reversed(self.stack) if turn.combatant == who), None)

    def rest_of(self, who: str) -> list[TimedAct]:
        """Return the actions of a combatant that are begun and not done."""
        return self.running.get(who, [])
