"""What Vile Darkness keeps beside the common state: dice, declarations, acts, work under way, who is where.

What later facts of a round can change is never stored: rows of the table, slots, speeds and windows are asked anew.
"""

from typing import NamedTuple

from msgspec import Struct, field

from eventstore.events import AttackRolled, EffectStarted, ResourceChanged, TerrainSet
from eventstore.shapes import Square
from projections.because import Because, Cites, Derived
from projections.mechanics.acts import Act
from projections.mechanics.conditions import Effect
from projections.mechanics.declarations import Declarations, Declared
from projections.mechanics.work import Work
from projections.occurrence import Occurrence
from projections.rulesets.vile_darkness.bouts import Melee
from projections.state import Round, Ruled, State

HIGH, LOW = "HIGH", "LOW"
"""The two halves of a round, by the dice of the groups."""

DELAYED, SURPRISED = "delayed", "surprised"
"""Conditions that the text itself names."""

MELEE = 3
"""The phase of melee attacks, D3."""


class Key(Struct, frozen=True, gc=False, order=True):
    """The order key, compared part by part; equal keys act at once.

    `step` is the place of the slot's family in the round, `lead` what comes before the phases in it (HIGH before LOW, a
    higher die), `phase` D1 to D4, `segment` and `low` sort spells, `delayed` and `speed` part those who share a slot.
    """

    round: int
    step: int
    lead: int = 0
    phase: int = 0
    segment: int = 0
    low: int = 0
    delayed: int = 0
    speed: int = 0


Scene = dict[str, tuple[Square, int]]
"""Who stands on which square, and by which record."""


def behind(*records: int) -> Derived[tuple[int, ...]]:
    """Return records as a value that others rest on: what somebody was told to have done."""
    return Derived(records, Because((), tuple({*records} - {0})))


def is_told(one: Cites) -> bool:
    """Say whether this is records of what somebody was told to have done."""
    return isinstance(one, Derived) and isinstance(one.value, tuple)


class Rolled(Struct, frozen=True, gc=False):
    """A group's die as thrown, and the event that recorded it; of one that a ruling granted, that ruling."""

    face: int
    seq: int
    granted: tuple[int, ...] = ()

    @property
    def events(self) -> tuple[int, ...]:
        """The records behind the die."""
        return (self.seq, *self.granted)


class VileAct(Act, frozen=True, gc=False, eq=False):
    """An act with the slot that it was told in ("": nobody said), and what held just then.

    `low` are the reasons for which its doer stands in LOW whatever the dice say, `delayed` is the record of the delayed
    condition, `declared` that of the declaration which it carries out, `work` the record that began what it completes,
    `since` is the record by which its slot was told, `trigger` what it answers, `routine` the number of an attack routine, `feet` the distance of a move, `maintains`
    the record of an effect that was being maintained; `square` is where the doer stood.
    """

    slot: str = ""
    low: tuple[Because, ...] = ()
    delayed: int = 0
    declared: int = 0
    work: int = 0
    since: int = 0
    trigger: int = 0
    routine: int = 0
    feet: float = 0
    maintains: int = 0
    square: Square | None = None


class Adjustment(NamedTuple):
    """A bonus (above 0) or a penalty by its name, and the record that brings it."""

    name: str
    amount: int
    seq: int


class AttackRoll(Struct, frozen=True, gc=False):
    """An attack roll with what held as it fell; rulings that name it may come later.

    `act` is the attack that it belongs to, `name` the weapon; `ac` the target's recorded armour class and `changes` what
    it gains and loses; `bonuses` what the attacker's sheet and effects add; `sheets` are the records that all of this
    is from; `maintains` says that the target maintained an effect, `stacks` that multipliers stack, `need` what a ruling had set for it.
    """

    seq: int
    who: str
    target: str
    act: VileAct
    event: AttackRolled
    name: str = ""
    ac: int = 10
    changes: tuple[Adjustment, ...] = ()
    bonuses: tuple[Adjustment, ...] = ()
    sheets: tuple[int, ...] = ()
    aac0: int = 20
    starred: bool = False
    maintains: bool = False
    stacks: bool = False
    called: bool = False
    need: Ruled | None = None


class DisturbedAt(Struct, frozen=True, gc=False):
    """The place of a disturbance: round, slot, the record of the spell it came of, why its caster and its victim were `low`."""

    round: int
    slot: str
    spell: int | None = None
    low: tuple[tuple[Because, ...], ...] = ()


class CompletedWork(Struct, frozen=True):
    """A use of a spell, or complex work that is done: kind, name, round, records of its beginning and end, its reason."""

    kind: str
    name: str
    round: int
    began: int
    ended: int
    because: Because


class Casting(Work, gc=False, eq=False):
    """A spell or complex work under way: work whose ticks are segments counted through, begun in segment 1 of `round`.

    `second` is the row by which it was done after all where its doer had carried out what replaced its declaration.
    `kind` is incantation, invocation or complex; `whole` says that its time is given in rounds; `minors` are the minors
    that lengthened it, once its round is over; `declared` says that it was, `aimed` at whom; `named` are the acts that
    named its target, `started` is the row, if any, that tells of its beginning; `noted` are the words that it and its
    item are noted with, `sheet` is the record by which its entry came to be on the sheet, 0 for the joining.
    """

    kind: str = ""
    round: int = 0
    whole: bool = False
    minors: Derived[tuple[int, ...]] | None = None
    declared: bool = False
    aimed: frozenset[str] = frozenset()
    named: list[VileAct] = []
    started: VileAct | None = None
    noted: frozenset[str] = frozenset()
    sheet: int = 0
    second: int = 0


class VileRound(Round):
    """What belongs to one round.

    `said` are declarations of acts, `waits` declared delays, `no_delay` what took one back; `besides` what else somebody declared that has to be: what
    another declaration replaced in time, or what came after the dice; `aside` is the work of those replaced; `given_up`
    is the declaration that somebody took back last, before the dice or after them; `acts` are
    in the order of the log, and by their doers;
    `four` are the multi-attackers who were in melee as step four came, with the records of that, `four_by` the record with which it came; `rolls` the attack rolls; `scenes` say who stood where at an
    attack, a move or an effect, `engaged` with whom somebody was in melee as it moved; `ended` are the effects that the
    beginning of other work ended, by the record that began it.
    """

    dice: dict[str, Rolled] = {}
    said: Declarations = {}
    waits: Declarations = {}
    no_delay: dict[str, tuple[int]] = {}
    besides: dict[str, list[Declared]] = {}
    aside: dict[str, list[Casting]] = {}
    given_up: dict[str, Declared] = {}
    acts: dict[int, VileAct] = {}
    acts_of: dict[str, list[VileAct]] = {}
    four: dict[str, tuple[int, ...]] | None = None
    four_by: int = 0
    rolls: dict[int, AttackRoll] = {}
    scenes: dict[int, Scene] = {}
    engaged: dict[int, Derived[list[str]]] = {}
    ended: dict[int, dict[tuple[int, str], Effect]] = {}


class VileState(State):
    """Adds what the text needs beyond one round.

    `checked` is the record that settled surprise, `groups` are those in the fight; `works` are the castings and complex
    works that are under way or ended in this round, `works_of` those of each doer; `placed` who was placed by which
    record, `squares` where they stand, `stood` by which record, `ground` what the terrain was set to; `melee` who is in
    melee with whom; `lost` are parts of an armour class by the records that took them, `bearing` is what effects bring.
    By combatant, `used` are the uses of spells before this round and the last, `spent` the records that say how many
    are left, `counted` those that last counted a spell anew.
    By record, `spared` says by which options a maintained effect goes on.
    """

    checked: int = 0
    groups: tuple[str, ...] = ()
    works: list[Casting] = []
    works_of: dict[str, list[Casting]] = {}
    placed: dict[str, int] = {}
    squares: dict[str, Square] = {}
    stood: dict[str, int] = {}
    ground: list[Occurrence[TerrainSet]] = []
    melee: Melee = field(default_factory=Melee)
    lost: dict[str, dict[str, int]] = {}
    bearing: dict[int, EffectStarted] = {}
    used: dict[str, list[CompletedWork]] = {}
    spent: dict[str, list[Occurrence[ResourceChanged]]] = {}
    counted: dict[tuple[str, str], int] = {}
    spared: dict[int, Because] = {}
