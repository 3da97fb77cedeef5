"""What OSRIC keeps beside the common state: dice, declarations, acts, castings, who is out of action and since when.

Segments are also counted through: 1 is segment 1 of round 1, 11 is segment 1 of round 2, and the last of the surprise
segments is 0. So a casting that runs from surprise into round 1, or from round to round, is a plain sum.
"""

from msgspec import Struct

from projections.because import Because, Derived
from projections.mechanics.acts import Act
from projections.mechanics.declarations import Declarations
from projections.mechanics.dues import Dues
from projections.mechanics.work import Incident, Work
from projections.state import Round, Ruled, State

SEGMENTS = 10
"""Segments in a round, of six seconds each."""

START, BY_DICE, BY_CHOICE, END = range(4)
"""The bands of a segment: effects at its start, those due by the dice, those who chose it, effects at its end."""


SPELL = "cast"
"""The kind of action that begins a spell, and that binds whoever declares it."""

NOWHERE = -(1 << 53)
"""Before any segment, counted through."""


class Order(Struct, frozen=True, gc=False, order=True):
    """The order key, compared part by part; equal keys act at once. Round 0 is surprise; an interrupt has cut 0."""

    round: int
    segment: int
    band: int = BY_DICE
    lead: int = 0
    rank: int = 0
    cut: int = 1


class Rolled(Struct, frozen=True, gc=False):
    """A side's die as thrown, and the event that recorded it; `surprised_on` belongs to surprise dice.

    `granted` are the rulings that let a die count that was thrown in the place of an earlier one.
    """

    face: int
    seq: int
    surprised_on: int = 2
    granted: tuple[int, ...] = ()

    @property
    def events(self) -> tuple[int, ...]:
        """The event that recorded the die, and the rulings that let it count."""
        return (*self.granted, self.seq)


class Settled(Struct, frozen=True, gc=False):
    """Surprise settled without a die for a side: who of it is surprised all the same, and the event."""

    surprised: tuple[str, ...]
    seq: int


class KeyedAct(Act, frozen=True, gc=False):
    """An act as it was done, with its key, the reason for that, and the number of its routine (0: none).

    A blow out of turn names the event that it `answers`; `spears` are those who had a spear set as the act came.
    """

    key: Order
    because: Because = Because()
    routine: int = 0
    extra: bool = False
    answers: int | None = None
    spears: tuple[str, ...] = ()


class Casting(Work, gc=False):
    """A spell being cast: work whose ticks are segments counted through, begun with `key`.

    `barred` says that its start was reported, so that its effect is not reported again; `begins` that it has a start,
    `touched` that by one option or another something disturbed its caster.
    """

    key: Order = Order(0, 0)
    barred: bool = False
    touched: bool = False


class Spear(Struct, frozen=True, gc=False):
    """A spear set against a charge: by which event, and if that was a declaration, in which round and under which name."""

    seq: int
    said_in: int = -1
    name: str = ""


class Seen(Struct, frozen=True, gc=False):
    """The effect of a spell as it was recorded, with its key and the casting that it came of."""

    seq: int
    key: Order
    casting: Casting


class Wound(Struct, frozen=True, gc=False):
    """What can spoil a spell: to whom, and the incident with its segment, counted through."""

    target: str
    incident: Incident


class Out(Struct, frozen=True, gc=False):
    """A time out of action: the key after which, up to `until` if it is over, and the event that did it."""

    key: Order
    seq: int
    until: Order | None = None


class Blow(Struct, frozen=True, gc=False):
    """A change of hit points with the key at which it takes hold."""

    key: Order
    by: int
    seq: int


class Blows(Struct, frozen=True, gc=False):
    """The blows at one key in the order in which they were told, with what they come to, at the least and at the most."""

    each: tuple[Blow, ...] = ()
    by: int = 0
    lowest: int = 0
    highest: int = 0

    def with_one(self, blow: Blow) -> "Blows":
        """Return these blows with another after them."""
        by = self.by + blow.by
        return Blows((*self.each, blow), by, min(self.lowest, by), max(self.highest, by))


class Stood(Struct, frozen=True, gc=False):
    """How somebody stood at a moment: its hit points, and its times out of action."""

    hp: int
    outs: tuple[Out, ...]


class Trail(Struct, frozen=True, gc=False):
    """How somebody came through a round: what changed its hit points, by key, how it stood before the first and after the last."""

    first: Stood
    blows: dict[Order, Blows]
    last: Stood


class OsricRound(Round):
    """What belongs to one round, or to surprise.

    `claimed` is the number that it was opened with; `sides` are the places of sides, while nothing changes them; `acts_of` are the acts
    by combatant, `routines` those that used routines, by combatant, round and, in surprise, segment,
    `keys` those of acts, effects and castings by their events;
    `first_rows` name who came first in each segment, `highest` is the highest segment of a row so far, and which rows are in it;
    `told` is the highest segment said of what is no row, and the fact that said it first;
    `back` is the lower one that the clock was set back to; `barred`
    are acts of those who were out of action; `touched` are those whom something disturbed by one option or another;
    `named` are those of whom a ruling named the segment, which an option lets count.
    """

    claimed: int = 0
    dice: dict[str, Rolled] = {}
    dues: Dues = {}
    sides: dict[str, Derived[Order | None]] = {}
    said: Declarations = {}
    acts: dict[int, KeyedAct] = {}
    acts_of: dict[str, list[KeyedAct]] = {}
    routines: dict[tuple[str, int, int], list[KeyedAct]] = {}
    keys: dict[int, Order] = {}
    seen: list[Seen] = []
    wounds: list[Wound] = []
    trails: dict[str, Trail] = {}
    held: dict[str, int] = {}
    announced: set[str] = set()
    readied: dict[str, int] = {}
    orders: dict[int, tuple[str, ...]] = {}
    named: set[str] = set()
    barred: set[int] = set()
    touched: set[str] = set()
    first_rows: dict[int, dict[str, None]] = {}
    highest: int = 0
    told: tuple[int, int] = (0, 0)
    back: int = 0
    highest_by: list[int] = []


class OsricState(State):
    """Adds what the OSRIC text needs beyond one round.

    `length_of_play` is the number of surprise segments, fixed as round 1 opens with `first_round`. `openings` are the
    flights and charges of all rounds, `begun` the castings by the events of their start and of their declaration, `past` those of earlier rounds, and
    those without a row for their start, that are due in this round or later, `latest` is the last casting of each. `outs` are the times out of action that still run or ended in this round. `survived` leads from who
    was hit by somebody fallen at the same time to the blow. `routines` and `ruled_surprise` are numbers that a
    ruling put in the place of those of sheet and dice. `reached` is the segment, counted through, that play has come to.
    """

    surprise: dict[str, Rolled] = {}
    settled: dict[str, Settled] = {}
    length_of_play: int = 0
    first_round: int = 0
    castings: list[Casting] = []
    past: dict[int, Casting] = {}
    begun: dict[int, Casting] = {}
    latest: dict[str, Casting] = {}
    outs: dict[str, tuple[Out, ...]] = {}
    spears: dict[str, Spear] = {}
    openings: dict[int, KeyedAct] = {}
    survived: dict[str, int] = {}
    routines: dict[str, Ruled] = {}
    ruled_surprise: dict[str, Ruled] = {}
    reached: int = NOWHERE
