"""The additional state of Nameless Journey: rolls, the turn list, resources spent, ground covered, timers."""

from msgspec import Struct, field

from eventstore.shapes import Square
from projections.because import Because, Derived
from projections.mechanics.acts import Act
from projections.mechanics.conditions import Effect, Key
from projections.mechanics.durations import Timer
from projections.mechanics.rolls import Ties
from projections.state import Round, State
from projections.time import Point


class InitiativeRoll(Struct, frozen=True, gc=False):
    """An initiative roll: the derived total, the bonus in it, and the event that recorded it, or set it.

    `of` are the events before that one: a ruling sets only a total that was rolled.
    """

    total: int
    dexterity: int
    seq: int
    of: tuple[int, ...] = ()

    @property
    def events(self) -> tuple[int, ...]:
        """All events that the total rests on."""
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
    """The ranks among the tied, who has the same total, and everybody who has rolled, from first to last."""

    ties: dict[str, int]
    even: dict[int, list[str]]
    order: list[str]


class PaidAct(Act, frozen=True, gc=False):
    """An act as it was recorded, with the resource that it spent (or "none") and its row in the round.

    `answers` is the act before it that it answers.
    """

    cost: str
    row: int
    answers: "PaidAct | None" = None


class Stretch(Struct, frozen=True, gc=False):
    """A stretch of ground: its mode and feet; `counts` says whether it came off the speed, `row` is as in an act."""

    seq: int
    combatant: str
    mode: str
    feet: int
    point: Point
    row: int
    counts: bool


class Ground(Struct):
    """The ground that somebody has covered since its turn began: stretches, the feet of those that count, and squares.

    `anew` says that earlier ground was dropped when the turn began.
    """

    turn: int = 0
    anew: bool = False
    stretches: list[Stretch] = []
    feet: dict[str, int] = {}
    squares: set[Square] = set()


class EffectTimer(Timer, gc=False):
    """The timer of an effect; `own`: it counts its originator's places, `brief`: it ends with the turn it began in.

    `since` are the facts that determine second 0: the owner's turn that had begun, and what gave it its place; `unsure`
    that several can be its originator.
    """

    own: bool = False
    unsure: bool = False
    brief: bool = False
    since: tuple[int, ...] = ()


class Ended(Struct, frozen=True, gc=False):
    """The end of an effect: its event, turn and round, and whose place it was if its time `ran_out`; `unsure` as its timer was."""

    key: Key
    effect: Effect
    seq: int
    turn: int
    owner: str
    round: int
    since: tuple[int, ...] = ()
    ran_out: bool = False
    unsure: bool = False


class NamelessRound(Round):
    """A round with its turns, acts and stretches, and those still due when it closed, with the event that closed it.

    `spells` are the last ones of each caster by name, case folded; `ran_out` are the reasons why bearers lost effects in this round.
    """

    acts: list[PaidAct] = []
    spells: dict[tuple[str, str], PaidAct] = {}
    stretches: list[Stretch] = []
    lost: dict[str, int] = {}
    ran_out: list[tuple[dict[str, Because], str, Because]] = []


class NamelessState(State):
    """The state of a fight by Nameless Journey.

    `ties` says how ties are settled, `owing` those who have joined, or joined
    again, and not rolled since. `started` is the event of the first turn, `first_rounds` the rounds in which newcomers
    had or have their first turn, `late` why they wait for it, `acted` who has had a turn in its place (0: several),
    `early` newcomers who had one before. `turn_seq` is the event that began the present turn, `turn_before` that of the
    one before. `known` are all acts, `rolled_for` maps a roll to the act behind it. `allowed` is what rulings add to a
    resource or mode in this turn. `lasting` are effects that have not ended, `gone` the ends of others, both by record
    and bearer; `ended` are the last ends by name, bearer and source.
    """

    rolls: dict[str, InitiativeRoll] = {}
    ties: Ties = field(default_factory=Ties)
    owing: dict[str, int] = {}
    ranking: Ranking | None = None
    started: int = 0
    first_rounds: dict[str, int] = {}
    late: dict[str, Because] = {}
    acted: dict[str, int] = {}
    early: dict[str, int] = {}
    turn_seq: int = 0
    turn_before: int = 0
    known: dict[int | None, PaidAct] = {}
    rolled_for: dict[int, int] = {}
    allowed: dict[tuple[str, str], Derived[int]] = {}
    ground: dict[str, Ground] = {}
    counters: dict[int, list[int]] = {}
    spoiled: dict[int, int] = {}
    lasting: dict[int, dict[str, Effect]] = {}
    gone: dict[int, dict[str, Ended]] = {}
    ended: dict[tuple[str, str, str], Ended] = {}
