"""What is kept of turns and acts, and of health; the state of Definition Master, by subject."""

from typing import Any

from msgspec import Struct, field

from eventstore.shapes import Square
from projections.because import Because, Derived
from projections.mechanics.acts import Act
from projections.mechanics.rolls import Ties
from projections.mechanics.triggers import Triggers
from projections.occurrence import Occurrence
from projections.rulesets.definition_master.state_of_combat import AttackRoll, Combat, Named, Parts
from projections.scheduling.turnlist import Turn
from projections.state import Round, State


class Initiative(Struct, frozen=True, gc=False):
    """An initiative roll: die and bonus, and the event that recorded it, or set its total in place of those before it."""

    face: int
    bonus: int
    seq: int
    before: tuple[int, ...] = ()


class MasterAct(Act, frozen=True, gc=False, kw_only=True):
    """An act with what it costs, and where it belongs.

    `cost` is what pays for it: move, standard, attack, full-round, swift, free, opportunity, counterspell, other or
    held. `own` the number of the doer's turn that it
    was done in (0: in none of its own). `slot` counts the attack actions of that turn from 0 (-1: none is used), and `bonus`
    is the base attack bonus of that slot. `trigger` is the fact that it answers, `declared` the declaration which it carries out.
    """

    kind: str
    cost: str
    own: int = 0
    slot: int = -1
    bonus: int = 0
    trigger: int = 0
    declared: int = 0
    square: Square | None = None

    @property
    def target(self) -> str:
        """Whom it is aimed at, the first if at several; "" if at nobody."""
        return next(iter(self.action.targets), "")

    @property
    def begun(self) -> int:
        """The record with which it began: its declaration, or itself."""
        return self.declared or self.seq


class Flow(Struct):
    """Initiative, turns and acts of a fight.

    `rolls` are the rolls by combatant, `levels` those who rolled by their totals (as arranged last), `ties` how ties are settled. `started` says that somebody has begun a turn, `told` that rounds are recorded, `skipped` the rounds that have passed
    without facts and that the number of the round does not count. `taken` are the turns that somebody really took, from the first. `acts` are all acts by record, `own_acts` those
    since the turn before the doer's last; `declared` are those that were declared, `rolled` the attack rolls of an act, by its record. `triggers` keeps what is held or was
    lost, `held` why what somebody meant to hold is armed or is not, `stayed` why resolving it moved nothing, `resolved` the acts that resolved it last, with the records by which it was held. `moved` says why
    somebody's place moved last, `came_up` why the turn that it put off was its own, `applied` are the castings that have taken effect, `carried` the acts of which a move is part, by its record, `saved` who saved against which.
    """

    rolls: dict[str, Initiative] = {}
    levels: dict[int, list[str]] = {}
    ties: Ties = field(default_factory=Ties)
    started: bool = False
    rounds_recorded: bool = False
    skipped: int = 0
    taken: dict[str, list[Turn]] = {}
    acts: dict[int, MasterAct] = {}
    own_acts: dict[str, list[MasterAct]] = {}
    declared: set[int] = set()
    rolled: dict[int, list[int]] = {}
    triggers: Triggers = field(default_factory=Triggers)
    held: dict[str, Derived[int]] = {}
    stayed: dict[str, Derived[int]] = {}
    resolved: dict[str, tuple[int, int]] = {}
    moved: dict[str, Because] = {}
    came_up: dict[str, Because] = {}
    applied: set[int] = set()
    carried: dict[int, int] = {}
    saved: dict[int, set[str]] = {}

    def last(self, who: str) -> Turn | None:
        """Return the turn that somebody took last; None if it has taken none."""
        turns = self.taken.get(who)
        return turns[-1] if turns else None

    def number(self, who: str) -> int:
        """Return how many turns somebody has really taken."""
        return len(self.taken.get(who, ()))

    def began(self, who: str) -> int:
        """Return the fact that began the turn that somebody took last, or let it be taken up; 0 if it has taken none."""
        last = self.last(who)
        return (last.resumed or last.seq) if last else 0


class Hit(Struct, gc=False):
    """One application of damage: the fact, whom it hit, what is left of it after reductions, the hit points that it took.

    `attacker` is "" where nobody said; `half` says that it is half of the most hit points, or more, `massive` that it calls for a save, `unclear` that it may, as no cause is known, `saved` is the record of that save, `reached` whether the attack behind it hit, and
    `next` the first thing that was done after the hit before that save.
    """

    fact: Occurrence[Any]
    who: str
    amount: int
    lost: int
    attacker: str = ""
    half: bool = False
    massive: bool = False
    unclear: bool = False
    saved: int = 0
    reached: Derived[bool | None] = Derived(None, Because())
    next: Occurrence[Any] | None = None

    @property
    def seq(self) -> int:
        """The record of the hit."""
        return self.fact.seq

    @property
    def is_open(self) -> bool:
        """Whether it calls for a save that nobody has made."""
        return self.massive and not self.saved

    @property
    def may_be_saved(self) -> bool:
        """Whether a save against it counts: it calls for one, or may do so."""
        return (self.massive or self.unclear) and not self.saved


class Failure(Struct, frozen=True, gc=False):
    """A failed death save: why it counts, whether it was rolled or counted for a massive hit, what it needed."""

    because: Because
    rolled: bool = True
    needed: Because = Because()


class Body(Struct):
    """The health of one combatant beside its pools.

    `fell` is the record that brought it to 0 hit points (0: it is above), `forgot` why its death rolls no longer count,
    `hit` the hit that felled it. `failures` are those in a row, `not_counted` rolls with why they do not count, `stable` and `dead` say why it is stabilized or dead.
    `rolled` is the last death roll that counted: its turn and its record; `options` are those that its death rolls depended on. `wounds` are the
    words for its wounds by record, `falls` the points of those of whom one was to be named as a ruling named one; `by` are the rules behind the last change of each pool. `undecided` is a save against massive
    damage of which nobody can say whether it was made, `broke` the success that last broke a run of failures, `spared` why a failed one last counted for nothing.
    """

    fell: int = 0
    forgot: Because | None = None
    hit: Hit | None = None
    failures: tuple[Failure, ...] = ()
    not_counted: tuple[Derived[int], ...] = ()
    stable: Because | None = None
    dead: Because | None = None
    rolled: tuple[int, int] = (0, 0)
    options: dict[str, str] = {}
    wounds: dict[int, str] = {}
    falls: tuple[Derived[int | None], ...] = ()
    by: dict[str, tuple[str, ...]] = {}
    undecided: int = 0
    broke: Because = Because()
    spared: Because = Because()


class Dealt(Struct, gc=False):
    """Damage with what held as it fell: the fact, who dealt it, its parts, the attack roll behind it, whether a spell dealt it.

    `base` are the dice of weapon, shield or spell (how many, of how many sides), `rule` the clause behind them, `times` how often they are rolled in a
    critical hit. `flats` are added to each roll of them, `perhaps` may be; `strength` is the modifier of whoever deals it, `riders`
    are the further dice that it is known to roll, by name; `reduction` is what the target takes off.
    """

    fact: Occurrence[Any]
    who: str
    parts: Parts
    roll: AttackRoll | None = None
    spell: bool = False
    base: tuple[int, int] | None = None
    rule: str = ""
    times: int = 2
    flats: tuple[Named, ...] = ()
    optional: tuple[Named, ...] = ()
    strength: int = 0
    riders: dict[str, int] = {}
    reduction: Derived[int] = Derived(0, Because())


class Rest(Struct, frozen=True, gc=False):
    """Days that have just passed: the record, how many, and what they gave back, by who has it and the pool."""

    seq: int
    days: int
    gained: dict[tuple[str, str], int] = {}


class Inside(Struct, gc=False):
    """Somebody who is swallowed: by whom, since which record and round; the rounds since, the times that `passed` without facts, and the cuts.

    `fainted` is the record at which it became unconscious, or 0.
    """

    who: str
    by: str
    seq: int
    round: int
    turns: int = 0
    passed: tuple[int, ...] = ()
    fainted: int = 0
    cut: int = 0
    cuts: tuple[int, ...] = ()


class Health(Struct):
    """The health of all combatants.

    `bodies` by who they are; `last` the last hit on somebody, `blows` the last damage that somebody
    dealt; `rest` the days that have just passed; `inside` who is swallowed, `freed` why somebody no longer is; `riders`
    are further dice as last rolled, by who rolled them and their name; `things` the damage that things have taken.
    """

    bodies: dict[str, Body] = {}
    last: dict[str, Hit] = {}
    blows: dict[str, Dealt] = {}
    rest: Rest | None = None
    inside: dict[str, Inside] = {}
    freed: dict[str, Because] = {}
    riders: dict[tuple[str, str], int] = {}
    things: dict[tuple[str, str], list[tuple[int, int]]] = {}

    def of(self, who: str) -> Body:
        """Return the health of somebody."""
        return self.bodies.get(who) or self.bodies.setdefault(who, Body())


class MasterRound(Round):
    """A round with its turns, acts, attack rolls, hits and damage, in the order in which they were recorded.

    `immediate` are the kinds of the immediate actions in it, by who used them and by record; `massive` the hits that call for a save.
    """

    acts: list[MasterAct] = []
    immediate: dict[str, dict[int, str]] = {}
    rolls: dict[int, AttackRoll] = {}
    hits: dict[int, Hit] = {}
    massive: list[Hit] = []
    dealt: dict[int, Dealt] = {}


class MasterState(State):
    """The state of a fight by Definition Master."""

    flow: Flow = field(default_factory=Flow)
    health: Health = field(default_factory=Health)
    combat: Combat = field(default_factory=Combat)
