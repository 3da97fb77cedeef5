"""The state that folds build; data only.

A State is mutable while a fold runs and never leaves the projections; callers get frozen views (views/) and findings.
A ruleset adds its own fields by subclassing State, or Round for what belongs to one round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from eventstore.events import RulingMade
from projections.because import Because, Derived, Reason
from projections.mechanics.candidates import TurnFacts
from projections.mechanics.conditions import Effect, Key
from projections.mechanics.dues import Dues
from projections.mechanics.durations import Timers
from projections.mechanics.memo import Memo
from projections.mechanics.pools import HP, HP_MAX, NLD, NO_LOSS, TEMP, History, Loss, Pool
from projections.mechanics.resources import Spending
from projections.mechanics.tallies import Tallies
from projections.mechanics.triggers import Triggers
from projections.occurrence import Occurrence
from projections.scheduling.turnlist import TurnList
from projections.time import Point

if TYPE_CHECKING:
    from projections.rulesets.ruleset import Ruleset


class Ruled(Struct, frozen=True, gc=False):
    """A value that a ruling (`seq`) put in place of a derived one; it lasts until the turn, round or fight is over.

    `options` are those that let it count.
    """

    value: Any
    seq: int
    until: str = "fight"
    options: dict[str, str] = {}

    def cites(self) -> Because:
        """Return the ruling."""
        return Because(("log.ruling",), (self.seq,), self.options)


class Combatant(Struct, gc=False, eq=False):
    """A combatant: its sheet, its pools, its status, and the rulings that set its fields.

    `changed` are the records that changed keys of its sheet since it joined, `counted` the reasons of what it has of resources.
    """

    id: str
    name: str
    side: str
    sheet: Any
    joined: int
    left: int = 0
    status: str = "up"
    standing: Derived[str] = Derived("up", Because())
    pools: dict[str, Pool] = field(
        default_factory=lambda: {HP: Pool(), HP_MAX: Pool(), TEMP: Pool(0), NLD: Pool(0, History(floor=0))}
    )
    ruled: dict[str, int] = {}
    resources: dict[str, int] = {}
    counted: dict[str, Because] = {}
    changed: dict[str, int] = {}

    def records(self, *keys: str) -> tuple[int, ...]:
        """Return the records that these keys of its sheet are from."""
        if not self.changed:
            return (self.joined,)
        return tuple(sorted({self.changed.get(key, self.joined) for key in keys}))

    @property
    def hp(self) -> int | None:
        """Hit points, None where nobody said how many."""
        return self.pools[HP].value

    @property
    def hp_max(self) -> int | None:
        """The maximum that healing can reach, None where nobody said."""
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
    key: dict[str, Any]
    because: Because
    segment: int | None = None
    phase: str | None = None


class TimelineRow(Struct, frozen=True, gc=False):
    """A row of the timeline: who does what and when, and how far it has come.

    `status` is due, begun, done, spoiled, withdrawn, held, lost or struck. `due` is the point at which an action that
    has begun completes; `until`, if it takes more than a moment, the last point that it occupies, or occupied before
    it was interrupted; `broken` the slot of the round in which that was, if the game has slots; `cost` the resource
    spent on it; `key` the named parts that it is sorted by, as in the order.
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
    broken: str = ""
    events: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    key: dict[str, Any] | None = None


class Clock(Struct, gc=False):
    """The present time: point, phase by name, whose turn it is (and who shares it), whether a round is open.

    `round` is the one last opened; the point has round 0 if a surprise segment is recorded after that. `told` are the
    last facts that set the clock to a slot or segment, each to the same; `counts` says that segments are told in the
    round.
    """

    point: Point = Point()
    round: int = 0
    phase: str = ""
    turn: str = ""
    together: tuple[str, ...] = ()
    turn_event: int = 0
    open: bool = False
    round_event: int = 0
    segment_event: int = 0
    phase_event: int = 0
    events: tuple[int, ...] = ()
    told: tuple[int, ...] = ()
    counts: bool = False

    def is_turn_of(self, who: str) -> bool:
        """Return whether it is a combatant's turn, alone or with others."""
        return bool(who) and (who == self.turn or who in self.together)


class Round(Struct):
    """What belongs to one round; a new instance replaces it when the next one opens.

    `facts` are those of the round that have a moment, by their seq; `turn` those of the present turn that can be causes;
    `turns` the turns that were had in it, where turns follow a list, and those that were put off and lost.
    """

    number: int = 0
    opened: int = 0
    facts: dict[int, Occurrence[Any]] = {}
    turn: TurnFacts = field(default_factory=TurnFacts)
    turns: list[Any] = []


EVERYBODY = "*"
"""The mark in `touched` that means all combatants; it is not a possible id."""


class State(Struct, gc=False):
    """Everything that a replay knows at one point of a log.

    `resolved` are the options read so far, with their values. `touched` are combatants whom the last fact does not
    name, or only by their side, but whose values it may have changed; EVERYBODY means all; `roster_event` is the last fact with which a combatant came or left. `last` is the round that was
    closed before the present one; `durations` are counted, `over` are effects that ran out by the ruleset's own rules. By bearer and name,
    `rid_by` and `freed_by` say what last ended an effect and a condition, `endings` what last ended an effect of each source; `released` says what last ended a combatant's
    concentration; `ruled` are the rulings that cover derived values, by their addresses; `places` say where inserted
    facts stand in the corrected stream; `doubtful` are the names of effects of which it is not certain whose they are, `unsure` those of whom it is not whether they still cast, with the last segment for which that holds; `turns` is the turn list, where the schedule
    has one; `spending` is what was spent of resources that return, `tallies` has marks that count up to a limit, `dues` what is owed before a boundary, `triggers` what can be reacted to; `memo` has what was derived since the last fact.
    """

    rules: Ruleset
    encounter: str = ""
    title: str = ""
    options: dict[str, str] = {}
    resolved: dict[str, str] = {}
    seq: int = 0
    now: int = 0
    touched: set[str] = set()
    roster_event: int = 0
    closed: int = 0
    clock: Clock = field(default_factory=Clock)
    round: Any = field(default_factory=Round)
    last: Any = None
    combatants: dict[str, Combatant] = {}
    sides: dict[str, int] = {}
    effects: dict[Key, Effect] = {}
    rid_by: dict[str, dict[str, Because]] = {}
    endings: dict[tuple[str, str], dict[str, Because]] = {}
    conditions: dict[Key, Effect] = {}
    freed_by: dict[str, dict[str, Because]] = {}
    durations: Timers = field(default_factory=Timers)
    over: dict[Key, Effect] = {}
    released: dict[str, Because] = {}
    loss: Loss = NO_LOSS
    rulings: list[Occurrence[RulingMade]] = []
    ruled: dict[str, Ruled] = {}
    ruled_order: tuple[int, tuple[tuple[str, ...], ...]] | None = None
    struck: list[Occurrence[Any]] = []
    struck_by: dict[int, int] = {}
    orphans: list[Occurrence[Any]] = []
    amended: dict[int, int] = {}
    unread: list[int] = []
    refused: list[tuple[Occurrence[Any], str, str]] = []
    places: dict[int, tuple[int, ...]] = {}
    doubtful: set[str] = set()
    unsure: dict[str, int] = {}
    turns: TurnList = field(default_factory=TurnList)
    spending: Spending = field(default_factory=Spending)
    tallies: Tallies = field(default_factory=Tallies)
    dues: Dues = {}
    triggers: Triggers = field(default_factory=Triggers)
    memo: Memo = field(default_factory=Memo)

    def at(self, seq: int) -> tuple[int, ...]:
        """Return where a record stands in the corrected stream, to be compared with where another does."""
        return self.places.get(seq, (seq,))

    def precedes(self, one: int, other: int) -> bool:
        """Return whether a record comes before another in the corrected stream."""
        if not self.places:  # nothing was inserted
            return one < other
        return self.at(one) < self.at(other)

    def rulings_since(self, seq: int) -> list[Occurrence[RulingMade]]:
        """Return the rulings at a record of the corrected stream or after it."""
        return [fact for fact in self.rulings if not self.precedes(fact.seq, seq)]

    def option(self, name: str) -> str:
        """Return the value of an option: what the first record says, else the ruleset's default."""
        if name not in self.resolved:
            self.resolved[name] = self.options.get(name) or self.rules.default(name)
        return self.resolved[name]

    def chosen(self, *names: str) -> dict[str, str]:
        """Return these options with their values, for a Because."""
        return {name: self.option(name) for name in names}

    def reason(self, because: Because) -> Reason:
        """Return a reason as shown: flattened, and with the amendments that gave its events their content.

        Several values may rest on the same; between two facts that is flattened once.
        """
        known = self.memo.found
        flat = because.flat() if known is None else because.among(known)
        words = {self.amended[seq] for seq in flat.events if seq in self.amended} if self.amended else None
        return Reason(flat.rules, tuple(sorted({*flat.events, *words})), flat.options) if words else flat

    def here(self) -> list[Combatant]:
        """Return the combatants who have not left, in the order in which they joined."""
        return [one for one in self.combatants.values() if not one.left]

    def is_out(self, who: str) -> bool:
        """Return whether a place may be passed over: its combatant is not here, or has another status than up."""
        one = self.combatants.get(who)
        return one is None or bool(one.left) or one.status != "up"

    @property
    def moments(self) -> dict[int, Occurrence[Any]]:
        """The facts of this round that have a moment, by their seq."""
        facts: dict[int, Occurrence[Any]] = self.round.facts
        return facts
