"""The state of a fight that folds build, without its ruleset; data only.

It is mutable while a fold runs and never leaves the projections; callers get frozen views (views/) and findings.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from eventstore.events import Event, Fact, RulingMade
from projections.because import NOTHING_CITED, Because, Derived, Reason, asked_so_far
from projections.mechanics.candidates import TurnFacts
from projections.mechanics.conditions import Effect, Key
from projections.mechanics.dues import Dues
from projections.mechanics.memo import Memo
from projections.mechanics.pool_history import History
from projections.mechanics.pools import HP, HP_MAX, NLD, NO_LOSS, TEMP, Loss, Pool
from projections.mechanics.resources import Spending
from projections.mechanics.tallies import Tallies
from projections.mechanics.timers import Timers
from projections.mechanics.triggers import Triggers
from projections.mechanics.turnlist import TurnList
from projections.occurrence import Occurrence
from projections.open_types import Fields, Json
from projections.time import Point


class Ruled(Struct, frozen=True, gc=False):
    """A value that a ruling put in place of a derived one."""

    value: Json
    seq: int
    """The ruling."""
    until: str = "fight"
    """Its scope: the turn, the round or the fight."""
    options: dict[str, str] = field(default_factory=asked_so_far)
    """The options by which it counts."""

    def cites(self) -> Because:
        """Return the ruling."""
        return Because(("log.ruling",), (self.seq,), options=self.options)


class Combatant(Struct, gc=False, eq=False):
    """A combatant: its sheet, its pools, its status, and the rulings that set its fields."""

    id: str
    name: str
    side: str
    sheet: Any
    joined: int
    left: int = 0
    status: str = "up"
    since: int = 0
    """The record with which it came to have its status; 0 if it has had no other."""
    standing: Derived[str] = Derived("up", NOTHING_CITED)
    pools: dict[str, Pool] = field(
        default_factory=lambda: {HP: Pool(), HP_MAX: Pool(), TEMP: Pool(0), NLD: Pool(0, History(floor=0))}
    )
    ruled: dict[str, int] = {}
    resources: dict[str, int] = {}
    counted: dict[str, Because] = {}
    """The reasons for its numbers of resources."""
    presumed: dict[int, str] = {}
    """The resources that are counted as used by its acts, by their records, until a record states it."""
    changed: dict[str, int] = {}
    """The records that changed keys of its sheet since it joined."""

    def records(self, *keys: str) -> tuple[int, ...]:
        """Return the records that these keys of its sheet are from."""
        if not self.changed:
            return (self.joined,)
        return tuple(sorted({self.changed.get(key, self.joined) for key in keys}))

    @property
    def hp(self) -> int | None:
        """Hit points; None if unknown."""
        return self.pools[HP].value

    @property
    def hp_max(self) -> int | None:
        """The maximum that healing can reach; None if unknown."""
        return self.pools[HP_MAX].value

    @property
    def temp(self) -> int:
        """Temporary hit points."""
        return self.pools[TEMP].value or 0

    @property
    def nld(self) -> int:
        """Non-lethal damage suffered."""
        return self.pools[NLD].value or 0


class Slot(Struct, frozen=True, gc=False):
    """A place in the order of a round, whose members act simultaneously; it is sorted by the named parts of `key`."""

    combatants: tuple[str, ...]
    key: Fields
    because: Because
    segment: int | None = None
    phase: str | None = None


class TimelineRow(Struct, frozen=True, gc=False):
    """A row of the timeline: an act of a combatant with its moment and status."""

    point: Point
    combatant: str
    status: str
    """Due, begun, done, spoiled, withdrawn, held, lost or struck."""
    because: Because
    action: str | None = None
    name: str | None = None
    cost: str | None = None
    """The resource spent on it."""
    targets: tuple[str, ...] = ()
    phase: str | None = None
    due: Point | None = None
    """The point at which an action that has begun completes."""
    until: Point | None = None
    """The last point that a longer action occupies, or occupied before it was interrupted."""
    broken: str = ""
    """The slot of the interruption, if the game has slots."""
    events: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    key: Fields | None = None
    """The named parts of its sort key, as in the order."""


class Clock(Struct, gc=False):
    """The present time."""

    point: Point = Point()
    """The present point; its round is 0 if a surprise segment is recorded after a round."""
    round: int = 0
    """The round last opened."""
    phase: str = ""
    """The name of the phase."""
    turn: str = ""
    """The combatant whose turn it is."""
    together: tuple[str, ...] = ()
    """The combatants who share that turn."""
    turn_event: int = 0
    open: bool = False
    """Whether a round is open."""
    round_event: int = 0
    segment_event: int = 0
    phase_event: int = 0
    events: tuple[int, ...] = ()
    set_by: tuple[int, ...] = ()
    """The last facts that set the clock to a slot or segment, all to the same one."""
    counts: bool = False
    """Whether segments are recorded in the round."""

    def is_turn_of(self, who: str) -> bool:
        """Return whether it is a combatant's turn, alone or with others."""
        return bool(who) and (who == self.turn or who in self.together)


class Round(Struct):
    """The state of one round; a new instance replaces it when the next one opens."""

    number: int = 0
    opened: int = 0
    """The record that opened it."""
    facts: dict[int, Occurrence[Fact]] = {}
    """Its facts that have a moment, by seq."""
    turn: TurnFacts = field(default_factory=TurnFacts)
    """The facts of the present turn that can be causes."""
    turns: list[Any] = []
    """Its turns, in games with a turn list: those that were had, and those that were put off and lost."""


EVERYBODY = "*"
"""The mark in `touched` that means all combatants; it is not a possible id."""


class Fight(Struct, gc=False):
    """Everything that a replay knows at one point of a log, but for its ruleset."""

    encounter: str = ""
    title: str = ""
    options: dict[str, str] = {}
    resolved: dict[str, str] = {}
    """The options read so far, with their values."""
    seq: int = 0
    now: int = 0
    touched: set[str] = set()
    """Combatants whose values the last fact may have changed though it does not name them; EVERYBODY means all."""
    roster_event: int = 0
    """The last fact with which a combatant came or left."""
    closed: int = 0
    clock: Clock = field(default_factory=Clock)
    round: Any = field(default_factory=Round)
    last: Any = None
    """The round that was closed before the present one."""
    combatants: dict[str, Combatant] = {}
    sides: dict[str, int] = {}
    effects: dict[Key, Effect] = {}
    rid_by: dict[str, dict[str, Because]] = {}
    """The reasons that last ended effects, by bearer and name."""
    endings: dict[tuple[str, str], dict[str, Because]] = {}
    """The reasons that last ended the effects of each source."""
    ended_by: dict[int, Because] = {}
    """The reasons that ended effects on their bearers, by the records that began them."""
    conditions: dict[Key, Effect] = {}
    freed_by: dict[str, dict[str, Because]] = {}
    """The reasons that last ended conditions, by bearer and name."""
    durations: Timers = field(default_factory=Timers)
    """The timers of durations."""
    over: dict[Key, Effect] = {}
    """Effects that ran out by the ruleset's own rules."""
    released: dict[str, Because] = {}
    """The reasons that last ended the concentration of each combatant."""
    loss: Loss = NO_LOSS
    rulings: list[Occurrence[RulingMade]] = []
    ruled: dict[str, Ruled] = {}
    """The rulings that cover derived values, by address."""
    ruled_order: tuple[int, tuple[tuple[str, ...], ...]] | None = None
    struck: list[Occurrence[Event]] = []
    struck_by: dict[int, int] = {}
    orphans: list[Occurrence[Event]] = []
    amended: dict[int, int] = {}
    unread: list[int] = []
    refused: list[tuple[Occurrence[Event], str, str]] = []
    places: dict[int, tuple[int, ...]] = {}
    """The places of inserted facts in the corrected stream."""
    doubtful: set[str] = set()
    """The names of effects whose source is uncertain."""
    unsure: dict[str, int] = {}
    """The combatants who may still be casting, with the last segment in which that is uncertain."""
    turns: TurnList = field(default_factory=TurnList)
    """The turn list, if the schedule has one."""
    spending: Spending = field(default_factory=Spending)
    """The spent amounts of resources that return."""
    levels: dict[tuple[str, str], Derived[int]] = {}
    """The levels of conditions that have one, by combatant and condition; 0 is kept for its reason."""
    tallies: Tallies = field(default_factory=Tallies)
    """Marks that count up to a limit."""
    dues: Dues = {}
    """The dues before a boundary."""
    triggers: Triggers = field(default_factory=Triggers)
    """The facts to which combatants can react."""
    memo: Memo = field(default_factory=Memo)
    """Values derived since the last fact."""

    def place_of(self, seq: int) -> tuple[int, ...]:
        """Return the place of a record in the corrected stream, comparable with those of others."""
        return self.places.get(seq, (seq,))

    def precedes(self, one: int, other: int) -> bool:
        """Return whether a record comes before another in the corrected stream."""
        if not self.places:  # nothing was inserted
            return one < other
        return self.place_of(one) < self.place_of(other)

    def rulings_since(self, seq: int) -> list[Occurrence[RulingMade]]:
        """Return the rulings at a record of the corrected stream or after it."""
        return [fact for fact in self.rulings if not self.precedes(fact.seq, seq)]

    def reason(self, because: Because) -> Reason:
        """Return a reason as shown: flattened, and with the amendments that gave its events their content.

        Between two facts, each reason is flattened only once.
        """
        known = self.memo.found
        flat = because.flat() if known is None else because.among(known)
        words = {self.amended[seq] for seq in flat.events if seq in self.amended} if self.amended else None
        return Reason(flat.rules, tuple(sorted({*flat.events, *words})), flat.options) if words else flat

    def here(self) -> list[Combatant]:
        """Return the combatants who have not left, in the order in which they joined."""
        return [one for one in self.combatants.values() if not one.left]

    def is_out(self, who: str) -> bool:
        """Return whether a combatant's place may be passed over: it is not here, or its status is not up."""
        one = self.combatants.get(who)
        return one is None or bool(one.left) or one.status != "up"

    @property
    def moments(self) -> dict[int, Occurrence[Fact]]:
        """The facts of this round that have a moment, by their seq."""
        facts: dict[int, Occurrence[Fact]] = self.round.facts
        return facts
