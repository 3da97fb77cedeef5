"""What a fight of the fifth edition keeps beside what all fights keep."""

from typing import Any

from msgspec import Struct, field

from eventstore.shapes import Action, Square
from projections.because import Because, Cites
from projections.mechanics.rolls import Ties
from projections.occurrence import Occurrence
from projections.state import Round, State, TimelineRow


class Initiative(Struct, frozen=True, gc=False):
    """A roll: its total, the bonus in it, its record (the last is that of a ruling), and with whom it is shared."""

    total: int
    bonus: int
    events: tuple[int, ...]
    shared: tuple[str, ...] = ()


class Deed(Struct, gc=False):
    """An act as it was recorded, and what it costs; `known` says that the price was stated, `granted` that something allows it besides.

    `turn` is the record of the turn in which it was done, `own` says whether that was the doer's. `level` is that of the
    spell, `slot` what was spent for it. `half` is half the doer's speed at that moment, if it is known.
    """

    seq: int
    who: str
    action: Action
    cost: str
    known: bool
    granted: bool
    turn: int
    own: bool
    trigger: int = 0
    level: int | None = None
    slot: int = 0
    concentrates: bool = False
    half: int | None = None

    @property
    def kind(self) -> str:
        """The kind of the act."""
        return self.action.kind.casefold()

    @property
    def counts(self) -> bool:
        """Whether it makes a surplus: its price is known, and nothing grants it."""
        return self.known and not self.granted

    @property
    def manner(self) -> frozenset[str]:
        """How it was done."""
        return frozenset(word.casefold() for word in self.action.manner)


class Stride(Struct, gc=False):
    """A stretch of one's own movement: the mode, the feet, what they cost, and why more than a foot a foot.

    `told` says that its squares or feet are recorded; `options` are those by which it costs that. `drags` is the record of what it drags along, `hold` that of the hold on it; `around` are the records by which all others stood where they did.
    """

    seq: int
    mode: str
    feet: int
    price: int
    rules: tuple[str, ...]
    events: tuple[int, ...]
    path: tuple[Square, ...] = ()
    turn: int = 0
    own: bool = True
    around: tuple[int, ...] = ()
    options: dict[str, str] = {}
    drags: int = 0
    hold: int = 0
    told: bool = True


class Rolled(Struct, frozen=True, gc=False):
    """An attack roll: whose, at whom, whether it hits and is critical by what is derived, what was told of that, and the act behind it."""

    seq: int
    who: str
    target: str
    hit: bool | None
    critical: bool
    told: bool | None
    deed: Deed | None
    events: tuple[int, ...] = ()


class Body(Struct, gc=False):
    """The health of somebody beside its pools.

    `dead`, `stable` and `fallen` say why it is that; `character` is the death save that proves one. `why` are the clauses
    behind the last change of its status, `by` those behind its hit points. `saved` are the death saves since its turn
    last began, and `turns` says that one has. `out` is the record of the unconsciousness that ends with regained points:
    of knocking out, or told at 0 hit points.
    """

    dead: Because | None = None
    stable: Because | None = None
    fallen: Because | None = None
    character: int = 0
    why: tuple[str, ...] = ()
    by: tuple[str, ...] = ("damage.subtracts",)
    most: tuple[str, ...] = ("healing.to-maximum",)
    saved: tuple[int, ...] = ()
    owes: int = 0
    turns: bool = False
    out: int = 0


class Blow(Struct, gc=False):
    """The damage of one source to somebody: its records, their sum, and what was beyond 0 hit points."""

    who: str
    events: tuple[int, ...]
    amount: int
    beyond: int = 0
    fell: bool = False
    failed: bool = False
    turn: int = 0


class Held(Struct, frozen=True, gc=False):
    """A readied act: its record, what it is, whether it is a spell that is held by concentration."""

    seq: int
    name: str
    spell: bool


class Casting(Struct, frozen=True, gc=False):
    """A casting of a minute or more: its record and the spell; `broken` says why it failed."""

    seq: int
    name: str
    broken: Because | None = None


class Help(Struct, frozen=True, gc=False):
    """Help in an attack: its record, who is helped, and against whom."""

    seq: int
    ally: str
    against: str


class Mount(Struct, frozen=True, gc=False):
    """What somebody rides, since which record, and whether it is controlled."""

    who: str
    seq: int
    controlled: bool


class Lean(Struct, frozen=True, gc=False):
    """What leans a roll to advantage (above 0) or to disadvantage, or (0) either way: the clause, and the records that show it."""

    rule: str
    way: int
    says: str
    events: tuple[int, ...]


class FifthRound(Round):
    """A round with the records of the turns in it, whom they jumped first, and the rows of its acts."""

    acts: list[TimelineRow] = []
    starts: dict[int, Occurrence[Any]] = {}
    jumped: dict[str, int] = {}


class FifthState(State):
    """The state of a fight of the fifth edition, by subject.

    Order: `rolls`, `ties`, the order that the tied `took`, who still `arrives`, and who ever `came` late, whether rounds are `told`, the turn that
    `started` it all, whoever is `surprised` and since when. `ended` says what ended what somebody had, or kept it away. Acts: all `deeds` by record, the acts of everybody since its
    turn began (`done`), its `strides`, the words of what can be answered (`stirred`, with who did it and in which turn).
    """

    rolls: dict[str, Initiative] = {}
    ties: Ties = field(default_factory=Ties)
    took: dict[str, tuple[int, int]] = {}
    arrives: dict[str, int] = {}
    came: dict[str, int] = {}
    told: bool = False
    started: int = 0
    surprised: dict[str, int] = {}
    deeds: dict[int, Deed] = {}
    done: dict[str, list[Deed]] = {}
    turn_deeds: list[Deed] = []
    strides: dict[str, list[Stride]] = {}
    moves: dict[int, tuple[str, Stride | None, Because]] = {}
    stirred: dict[int, tuple[str, int, frozenset[str]]] = {}
    squares: dict[str, tuple[Square, int]] = {}
    engaged: dict[str, tuple[tuple[str, ...], int]] = {}
    terrain: dict[str, dict[Square | None, int]] = {}
    held: dict[str, Held] = {}
    lapsed: dict[str, int] = {}
    dodging: dict[str, Because] = {}
    disengaged: dict[str, int] = {}
    helps: dict[str, Help] = {}
    mounts: dict[str, Mount] = {}
    thrown: dict[str, Because] = {}
    left_by: dict[str, Because] = {}
    began: dict[str, int] = {}
    ended: dict[tuple[str, str], Because] = {}
    rolled: dict[int, Rolled] = {}
    leans: dict[int, tuple[Lean, ...]] = {}
    unleaned: dict[int, tuple[Any, ...]] = {}
    contests: dict[int, tuple[str, str, str, int]] = {}
    bodies: dict[str, Body] = {}
    blows: dict[tuple[str, int], Blow] = {}
    sources: dict[tuple[str, int], tuple[str, int]] = {}
    dealt: dict[int, list[Occurrence[Any]]] = {}
    saves: dict[tuple[int, str], bool] = {}
    twenties: dict[int, str] = {}
    castings: dict[str, Casting] = {}
    begun: dict[int, Any] = {}
    exhausted: dict[str, list[tuple[int, Cites]]] = {}
    choking: dict[str, tuple[int, tuple[int, ...]]] = {}
    hiding: dict[int, int] = {}
    temp_of: dict[str, int] = {}
    spent_on: dict[int, str] = {}
    imposed: dict[int, int] = {}
    decided: dict[int, tuple[str, str, str]] = {}
    misstated: dict[int, bool] = {}
    resisted: dict[int, bool] = {}
    fled: dict[int, bool] = {}
    cause_of: dict[int, int] = {}
    shoved_down: dict[int, int] = {}
    shoved_away: dict[int, int] = {}
    unseated: dict[str, int] = {}
    burns: dict[str, Because] = {}
    kept_up: dict[str, tuple[int, ...]] = {}
    unprovoking: dict[int, str] = {}
    disengaged_at: dict[int, int] = {}
    let: dict[str, Because] = {}
    unsaid: tuple[int, ...] = ()
    lost_spell: dict[str, Because] = {}
    slots_spent: dict[str, list[tuple[int, int, int]]] = {}
    blow_by: dict[int, tuple[str, int]] = {}
    aid: dict[str, tuple[int, str]] = {}
    aided: dict[int, bool] = {}
    made_saves: dict[int, str] = {}
    heights: dict[int, int] = {}
    aimed: dict[int, list[int]] = {}
    rolls_of: dict[int, list[int]] = {}
    made: dict[int, bool] = {}
    in_water: dict[str, int] = {}
    airborne: dict[str, int] = {}

    def body(self, who: str) -> Body:
        """Return the health of somebody."""
        return self.bodies.get(who) or self.bodies.setdefault(who, Body())

    def has_turn(self, who: str) -> bool:
        """Say whether it is somebody's turn; a controlled mount has that of its rider."""
        now = (self.clock.turn, *self.clock.together)
        return who in now or any(self.mounts[rider].who == who for rider in now if rider in self.mounts)

    @property
    def is_new(self) -> bool:
        """Whether the edition is that of 2024."""
        return self.option("edition") == "2024"
