"""What is kept of initiative, turns and acts: rolls, the turn list, what was spent, who may react, what is held."""

from msgspec import Struct, field

from eventstore.shapes import Action, Square
from projections.because import Because
from projections.mechanics.ledger import Ledger, Use
from projections.mechanics.timers import Timers
from projections.mechanics.triggers import Armed, Triggers
from projections.mechanics.turnlist import TurnList
from projections.time import Point


class Roll(Struct, frozen=True, gc=False):
    """An initiative roll: die and bonus, and the event that recorded it, or set its total."""

    face: int
    bonus: int
    seq: int


class Act(Struct, frozen=True, gc=False):
    """An act as it was recorded, with what it costs, its row in the table, and where it belongs.

    `cost` is what pays for it: move, standard, attack, full-round, swift, free, opportunity, counterspell, other or
    held. `row` is the name of its row in the table ("" without one), `turn` whose turn it was, `own` the number of the doer's turn that it
    was done in (0: in none of its own). `slot` counts the attack actions of that turn from 0 (-1: none is used), and `bonus`
    is the base attack bonus of that slot. `trigger` is the fact that it answers, `declared` the declaration which it carries out.
    """

    seq: int
    who: str
    action: Action
    kind: str
    cost: str
    row: str = ""
    turn: str = ""
    own: int = 0
    slot: int = -1
    bonus: int = 0
    trigger: int = 0
    declared: int = 0
    point: Point = Point()
    square: Square | None = None


class Before(Struct, frozen=True, gc=False):
    """What a turn that begins ends: the lock, the held action and, by option, uses; they are back if the turn is put off."""

    lock: tuple[str, int] | None = None
    armed: Armed | None = None
    began: int = 0
    took: tuple[int, ...] = ()
    uses: dict[str, list[Use]] = {}


class Flow(Struct):
    """Initiative, turns and acts of a fight.

    `rolls` are the rolls by combatant, `levels` those who rolled by their totals (as arranged last), `throws` those of roll-offs with their events, `ruled_ties` ranks by ruling. `turns` is the turn
    list; `started` the fact of the first turn, `told` says that rounds are recorded, `latest` who took a turn last in this
    round, `skipped` the rounds that have passed without facts and that the number of the round does not count. `taken` counts the turns that somebody really took, `turn_of` the fact
    that began the last, `took` all that let it be taken, `ended` the one that ended it, `before` what it ended itself, `disarmed` what ended the holding of an action. `acts` are all acts by record, `own_acts` those of the doer's present or last turn; `declared` are those
    that were declared, `rolled` the attack rolls of an act, by its record. `ledger` keeps immediate actions
    and locks, `triggers` what is held, `timers` what is counted of durations. `lapsed` are held actions that were lost, `moved` says why
    somebody's place moved last, `came_up` why the turn that it put off was its own, `applied` are the castings that have taken effect, `carried` the acts of which a move is part, by its record, `saved` who saved against which.
    """

    rolls: dict[str, Roll] = {}
    levels: dict[int, list[str]] = {}
    throws: dict[str, list[tuple[int, int]]] = {}
    ruled_ties: dict[str, tuple[int, int]] = {}
    turns: TurnList = field(default_factory=TurnList)
    started: int = 0
    told: bool = False
    latest: str = ""
    skipped: int = 0
    taken: dict[str, int] = {}
    before: dict[str, Before] = {}
    turn_of: dict[str, int] = {}
    took: dict[str, tuple[int, ...]] = {}
    ended: dict[str, int] = {}
    acts: dict[int, Act] = {}
    own_acts: dict[str, list[Act]] = {}
    declared: set[int] = set()
    rolled: dict[int, list[int]] = {}
    ledger: Ledger = field(default_factory=Ledger)
    triggers: Triggers = field(default_factory=Triggers)
    timers: Timers = field(default_factory=Timers)
    lapsed: dict[str, Armed] = {}
    disarmed: dict[str, int] = {}
    moved: dict[str, Because] = {}
    came_up: dict[str, Because] = {}
    applied: set[int] = set()
    carried: dict[int, int] = {}
    saved: dict[int, set[str]] = {}
