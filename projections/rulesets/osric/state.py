"""OSRIC's own state, in addition to the common one: dice, declarations, acts, castings, times out of action.

Segments counted through have one number for the whole encounter: 1 is segment 1 of round 1, 11 is segment 1 of round 2,
and the last surprise segment is 0. So the end of a casting that runs from round to round is a sum.
"""

from msgspec import Struct, field

from projections.because import NOTHING_CITED, Because, Derived
from projections.fight import Round, Ruled
from projections.folds.side_dice import SideDie
from projections.mechanics.acts import Act
from projections.mechanics.declarations import Declarations
from projections.mechanics.work import Incident, Work
from projections.state import State
from projections.time import Point

SEGMENTS = 10
"""Segments in a round, of six seconds each."""

START, BY_DICE, BY_CHOICE, END = range(4)
"""The bands of a segment, in order: effects at its start, acts due by the dice, acts by choice, effects at its end."""


SPELL = "cast"
"""The kind of action that begins a spell; a declared spell binds its caster."""

NOWHERE = -(1 << 53)
"""The number, counted through, of a time before any segment."""


class Order(Struct, frozen=True, gc=False, order=True):
    """The key of an act in the order of play, compared field by field; acts with equal keys are simultaneous."""

    round: int
    """The round; 0 is surprise."""
    segment: int
    band: int = BY_DICE
    lead: int = 0
    """How far beyond segment 1 or 10 the dice place the act, and places given by ruling."""
    rank: int = 0
    """The negated die of the side, so that a higher die comes first."""
    cut: int = 1
    """0 for an interrupt, which comes directly before its opening."""

    @classmethod
    def at(cls, point: "Point | Order", band: int = BY_DICE) -> "Order":
        """Return the first key in a band of a segment."""
        return cls(point.round, point.segment, band)

    @property
    def point(self) -> Point:
        """The segment, as a point of the encounter."""
        return Point(self.round, segment=self.segment)


class SurpriseDie(SideDie, frozen=True, gc=False):
    """A side's surprise die."""

    surprised_on: int = 2
    """The highest number that surprises."""
    again: bool = False
    """Whether another die followed, which does not count because of this one."""


class Settled(Struct, frozen=True, gc=False):
    """The surprise of a side, settled without a die."""

    surprised: tuple[str, ...]
    """The combatants and sides that are surprised."""
    seq: int
    """The event that settled it."""


class KeyedAct(Act, frozen=True, gc=False):
    """An act with its key."""

    kind: str
    """The kind of its action, case folded."""
    key: Order
    because: Because = NOTHING_CITED
    """The reason for the key."""
    declared: tuple[int, ...] = ()
    """The declaration that says how it was done, where no record of the act does."""
    routine: int = 0
    """The number of its routine; 0 without one."""
    extra: bool = False
    """Whether it uses no routine of the round."""
    asked: Because = field(default_factory=Because)
    """The options by which it uses a routine or not."""
    answers: int | None = None
    """The event that a blow out of turn names as its opening."""
    spears: tuple[str, ...] = ()
    """The combatants who had a spear set when the act came."""


class Casting(Work, gc=False):
    """A spell being cast: work whose ticks are segments counted through."""

    key: Order = Order(0, 0)
    """The key of its start."""
    barred: bool = False
    """Whether its start was reported as a breach, so that its effect is not reported again."""
    asked: tuple[Because, ...] = ()
    """Why it goes on or not, besides its incidents: the options on disturbances of its caster and on castings that were
    begun in surprise, and effects that may have been its own.
    """
    kept: int = 0
    """The event that closed its round, if its start has no row: since then it is kept without its declaration."""


class Spear(Struct, frozen=True, gc=False):
    """A spear set against a charge."""

    seq: int
    """The event that set it."""
    said_in: int = -1
    """The round in which it was declared; -1 if it was not."""
    name: str = ""
    """The name of the declared action."""


class Out(Struct, frozen=True, gc=False):
    """A time out of action."""

    key: Order
    """The key of the fall: acts with a higher one do not happen."""
    seq: int
    """The event that caused the fall."""
    until: Order | None = None
    """The key of the recovery; None while it lasts."""


class Blow(Struct, frozen=True, gc=False):
    """A change of hit points."""

    key: Order
    """The key at which it takes effect."""
    by: int
    """The hit points gained; below 0 lost."""
    seq: int


class Blows(Struct, frozen=True, gc=False):
    """The blows at one key."""

    each: tuple[Blow, ...] = ()
    """The blows, in the order of their records."""
    by: int = 0
    """Their sum."""
    lowest: int = 0
    """The lowest running sum, at most 0."""
    highest: int = 0
    """The highest running sum, at least 0."""

    def with_one(self, blow: Blow) -> "Blows":
        """Return these blows with another after them."""
        by = self.by + blow.by
        return Blows((*self.each, blow), by, min(self.lowest, by), max(self.highest, by))


class Stood(Struct, frozen=True, gc=False):
    """A combatant's hit points and times out of action at a moment."""

    hp: int
    outs: tuple[Out, ...]


class Trail(Struct, frozen=True, gc=False):
    """The changes of a combatant's hit points in a round."""

    first: Stood
    """The state before the first blow."""
    blows: dict[Order, Blows]
    """The blows by their keys."""
    last: Stood
    """The state after the last blow."""


class OsricRound(Round):
    """The state of one round, or of surprise."""

    claimed: int = 0
    """The recorded number of the round."""
    dice: dict[str, SideDie] = {}
    """Initiative dice by side."""
    owing: dict[str, int] = {}
    """The sides that owe an initiative die, with the event that asks it of them."""
    sides: dict[str, Derived[Order | None]] = {}
    """The places of sides, cached until one of their inputs changes."""
    said: Declarations = {}
    """Declarations by combatant."""
    acts: dict[int, KeyedAct] = {}
    """Acts by their events."""
    acts_of: dict[str, list[KeyedAct]] = {}
    """Acts by combatant."""
    routines: dict[tuple[str, int, int], list[KeyedAct]] = {}
    """Acts that used routines, by combatant, round and, in surprise, segment."""
    keys: dict[int, Order] = {}
    """Keys of acts, effects and castings by their events."""
    no_acts: dict[str, dict[int, Because]] = {}
    """Why outcomes of combatants stand for no acts of theirs, by the spells or what goes on that each first one is of."""
    fell_then: dict[int, Derived[Order]] = {}
    """When blows take hold, by their events: those of spells with the reason, those of acts with the options by which they come then."""
    taken_back: list[int] = []
    """The events by which declarations were withdrawn in time, so that they are none."""
    seen: dict[int, Casting] = {}
    """Castings by the events of their recorded effects."""
    timed: dict[int, Because] = {}
    """The records that set the clock to the moments of recorded effects, by the events of these."""
    wounds: dict[str, list[Incident]] = {}
    """Incidents that can spoil the spells of combatants; their ticks are segments counted through."""
    trails: dict[str, Trail] = {}
    """Changes of hit points by combatant."""
    held: dict[str, int] = {}
    """The events by which combatants hold."""
    announced: set[str] = set()
    """The combatants who said that they hold."""
    readied: dict[str, int] = {}
    """The events by which combatants readied a weapon after the dice."""
    orders: dict[int, dict[str, int]] = {}
    """Ruled orders of equals by segment, with their rulings; 0 is the whole round."""
    named: dict[str, Because] = {}
    """The sides and combatants whose segment a ruling named, each with the option by which that counts."""
    barred: set[int] = set()
    """The events of acts by combatants out of action."""
    touched: dict[str, tuple[Because, ...]] = {}
    """The combatants who were disturbed, by any option, each with the option."""
    first_rows: dict[int, dict[str, int]] = {}
    """The combatants with rows in each segment, in the order of their first rows, with these."""
    highest: int = 0
    """The highest segment of a row so far."""
    highest_by: list[int] = []
    """The rows in the highest segment."""
    latest_moment: tuple[int, int] = (0, 0)
    """The highest segment of a fact that is no row, and the first such fact in it."""
    back: int = 0
    """The lower segment to which the clock was set back; 0 if it was not."""


class OsricState(State):
    """The state of an OSRIC encounter, of which more than one round is kept."""

    surprise: dict[str, SurpriseDie] = {}
    """Surprise dice by side."""
    settled: dict[str, Settled] = {}
    """Surprise settled without dice, by side."""
    length_of_play: int = 0
    """The number of surprise segments, fixed when round 1 opens."""
    first_round: int = 0
    """The event that opened round 1; 0 before it."""
    castings: list[Casting] = []
    """Castings that have a start, of this round or under way."""
    past: dict[int, Casting] = {}
    """Castings of earlier rounds, and those without a row for their start, that are due in this round or later."""
    begun: dict[int, Casting] = {}
    """Castings by the events of their start and of their declaration."""
    latest: dict[str, Casting] = {}
    """The last casting of each combatant."""
    outs: dict[str, tuple[Out, ...]] = {}
    """The times out of action that still run or ended in this round, by combatant."""
    spears: dict[str, Spear] = {}
    """Spears that are set, by combatant."""
    openings: dict[int, KeyedAct] = {}
    """Flights and charges of all rounds by their events."""
    survived: dict[str, int] = {}
    """The last blow on a combatant that was dealt by one who fell at the same time."""
    routines: dict[str, Ruled] = {}
    """Ruled numbers of routines by combatant."""
    ruled_surprise: dict[str, Ruled] = {}
    """Ruled lengths of surprise by combatant or side."""
    reached: int = NOWHERE
    """The latest segment that play has reached, counted through."""
    reached_by: int = 0
    """The event with which it was reached."""
