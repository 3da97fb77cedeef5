"""The state of Vile Darkness, in addition to the common one: dice, declarations, acts, work under way, positions.

Rows of the table, slots, speeds and windows are not stored, since later facts of a round can change them.
"""

from collections.abc import Container
from typing import NamedTuple

from msgspec import Struct, field

from eventstore.events import AttackRolled, EffectStarted, ResourceChanged, TerrainSet
from eventstore.shapes import Square
from projections.because import Because, Derived
from projections.fight import Round, Ruled
from projections.folds.side_dice import SideDie
from projections.mechanics.acts import Act
from projections.mechanics.conditions import Effect
from projections.mechanics.declarations import Declarations, Declared
from projections.mechanics.work import Work
from projections.occurrence import Occurrence
from projections.state import State

HIGH, LOW = "HIGH", "LOW"
"""The two halves of a round; the dice of the groups decide the half of each."""

DELAYED, SURPRISED = "delayed", "surprised"
"""Conditions that the text names."""

MELEE = 3
"""The phase of melee attacks, D3."""


class Key(Struct, frozen=True, gc=False, order=True):
    """The key of an act in the order of the round, compared field by field; acts with equal keys are simultaneous."""

    round: int
    step: int
    """The place of the slot's family in the round."""
    lead: int = 0
    """The order of groups within a family: HIGH before LOW, a higher die before a lower one."""
    phase: int = 0
    """1 to 4 for D1 to D4."""
    segment: int = 0
    """The segment in which a spell completes."""
    low: int = 0
    """1 for a spell of LOW, which comes after one of HIGH in the same segment."""
    delayed: int = 0
    """1 for a delayed act, which comes last in its slot."""
    speed: int = 0
    """The weapon speed of a blow."""


Scene = dict[str, tuple[Square, int]]
"""The square of each combatant, and the record that placed it there."""


def cited_records(*records: int) -> Derived[tuple[int, ...]]:
    """Return records as a derived value, which other values cite as their reason."""
    return Derived(records, Because((), tuple({*records} - {0})))


class VileAct(Act, frozen=True, gc=False, eq=False):
    """An act with the circumstances of its doer at that time."""

    slot: str = ""
    """The recorded slot; "" without one."""
    low: tuple[Because, ...] = ()
    """The reasons that put its doer in LOW whatever the dice."""
    delayed: int = 0
    """The record of the delayed condition."""
    declared: int = 0
    """The record of the declaration that it carries out."""
    work: int = 0
    """The record that began the work which it completes."""
    since: int = 0
    """The record that began the slot."""
    trigger: int = 0
    """The record that it answers."""
    routine: int = 0
    """The number of its attack routine."""
    feet: float = 0
    """The distance of a move."""
    maintains: int = 0
    """The record of an effect that its doer was maintaining."""
    square: Square | None = None
    """The square of its doer."""


class Adjustment(NamedTuple):
    """A bonus (above 0) or a penalty (below 0), with its name and its record."""

    name: str
    amount: int
    seq: int


class AttackRoll(Struct, frozen=True, gc=False):
    """An attack roll with the circumstances of both sides when it was rolled; rulings on it may follow."""

    seq: int
    who: str
    target: str
    act: VileAct
    """The attack of which it is a roll."""
    event: AttackRolled
    name: str = ""
    """The weapon."""
    ac: int = 10
    """The recorded armour class of the target."""
    changes: tuple[Adjustment, ...] = ()
    """Gains and losses of that armour class."""
    bonuses: tuple[Adjustment, ...] = ()
    """Bonuses from the attacker's sheet and effects."""
    sheets: tuple[int, ...] = ()
    """The records of the sheets that were used."""
    aac0: int = 20
    """The attacker's attack against armour class 0."""
    starred: bool = False
    """Whether the attacker's AAC0 has an asterisk."""
    maintains: bool = False
    """Whether the target maintained an effect."""
    stacks: bool = False
    """Whether multipliers stack."""
    need: Ruled | None = None
    """The number that a ruling set as needed."""


class DisturbedAt(Struct, frozen=True, gc=False):
    """The place of a disturbance."""

    round: int
    slot: str
    spell: int | None = None
    """The record of the spell that caused it."""
    low: tuple[tuple[Because, ...], ...] = ()
    """The reasons for which the caster and the victim were in LOW."""


class CompletedWork(Struct, frozen=True):
    """A use of a spell, or completed complex work, with the records of its beginning and end."""

    kind: str
    name: str
    round: int
    began: int
    ended: int
    because: Because


class Casting(Work, gc=False, eq=False):
    """A spell or complex work: work whose ticks are segments counted through, begun in segment 1 of its round."""

    kind: str = ""
    """Incantation, invocation or complex."""
    round: int = 0
    """The round in which it began."""
    whole: bool = False
    """Whether its time is given in rounds."""
    minors: Derived[tuple[int, ...]] | None = None
    """The minors that lengthened it, once its round is over."""
    declared: bool = False
    """Whether it was declared."""
    aimed: frozenset[str] = frozenset()
    """Its declared targets."""
    named: list[VileAct] = []
    """The acts that named its target."""
    started: VileAct | None = None
    """The row that records its beginning, if any."""
    noted: frozenset[str] = frozenset()
    """The words noted with it and with its entry."""
    sheet: int = 0
    """The record that added its entry to the sheet; 0 for the joining."""
    second: int = 0
    """The row that carried out its declaration although another one had replaced it and was carried out, too."""


class Rounds(NamedTuple):
    """The rounds of a melee, which several records of a pair can share."""

    first: int = 0
    last: int = 0
    """The last round; 0: until the two separate."""
    opened: int = 0
    """The record that opened the round of a blow."""


class Melee(Struct):
    """The pairs in melee, by records that hold until the two separate, or for some rounds."""

    bouts: dict[tuple[str, str], dict[Rounds, set[int]]] = {}
    """The records of each pair, by the rounds of the melee."""
    separated: dict[str, int] = {}
    """The records that last took combatants out of a melee."""

    def engage(self, who: str, other: str, seq: int, rounds: Rounds, now: int) -> None:
        """Put two combatants in melee by a record, and forget their melee in rounds before this one."""
        there = self.bouts.setdefault((who, other) if who < other else (other, who), {})
        for past in [each for each in there if 0 < each.last < now]:
            del there[past]
        there.setdefault(rounds, set()).add(seq)

    def separate(self, who: str, seq: int, but: Container[str] = ()) -> None:
        """Take a combatant out of melee with all others but these."""
        for pair in [each for each in self.bouts if who in each]:
            other = pair[pair[0] == who]
            if other not in but:
                del self.bouts[pair]
                self.separated |= {who: seq, other: seq}

    def foes(self, who: str, now: int, round_event: int) -> tuple[dict[str, set[int]], set[int]]:
        """Return a combatant's opponents in a round, each with its records, and the records that ended other melees."""
        found: dict[str, set[int]] = {}
        over = {self.separated[who]} if who in self.separated else set()
        for pair, bouts in self.bouts.items():
            if who in pair:
                holding = [each for each in bouts if each.last == 0 or each.first <= now <= each.last]
                dated = {round_event for each in bouts if each.last}
                if holding:
                    opened = {each.opened for each in holding if each.opened}
                    found[pair[pair[0] == who]] = opened.union(dated, *(bouts[each] for each in holding))
                else:
                    over |= dated
        return found, over


class VileRound(Round):
    """The state of one round."""

    dice: dict[str, SideDie] = {}
    """Initiative dice by group."""
    said: Declarations = {}
    """Declared acts by combatant."""
    waits: Declarations = {}
    """Declared delays by combatant."""
    no_delay: dict[str, tuple[int]] = {}
    """The records that took back declared delays."""
    besides: dict[str, list[Declared]] = {}
    """Further declarations of acts that must be declared: replaced ones, and ones after the dice."""
    shifted: dict[str, list[int]] = {}
    """The records that replaced or restored declarations, by combatant."""
    aside: dict[str, list[Casting]] = {}
    """The work of declarations that others replaced."""
    given_up: dict[str, Declared] = {}
    """The last declaration that each combatant took back."""
    acts: dict[int, VileAct] = {}
    """Acts by their records, in the order of the log."""
    acts_of: dict[str, list[VileAct]] = {}
    """Acts by combatant."""
    four: dict[str, tuple[int, ...]] | None = None
    """The multi-attackers who were in melee when step four began, by the records that put them there; None before."""
    four_by: int = 0
    """The record with which step four began."""
    rolls: dict[int, AttackRoll] = {}
    """Attack rolls by their records."""
    scenes: dict[int, Scene] = {}
    """The squares of all combatants in the fight, by the record of an act, roll or effect."""
    engaged: dict[int, Derived[list[str]]] = {}
    """The opponents in melee of each mover, by the record of the move."""
    ended: dict[int, dict[tuple[int, str], Effect]] = {}
    """The effects that the beginning of other work ended, by the record of that beginning."""


class VileState(State):
    """The state of a Vile Darkness encounter, of which more than one round is kept."""

    checked: int = 0
    """The record that settled surprise."""
    works: list[Casting] = []
    """Castings and complex works that are under way or ended in this round."""
    works_of: dict[str, list[Casting]] = {}
    """The same by combatant."""
    placed: dict[str, int] = {}
    """The records that placed combatants."""
    squares: dict[str, Square] = {}
    """The squares of combatants."""
    stood: dict[str, int] = {}
    """The records of those squares."""
    ground: list[Occurrence[TerrainSet]] = []
    """The facts that set the terrain."""
    melee: Melee = field(default_factory=Melee)
    """The pairs in melee."""
    lost: dict[str, dict[str, int]] = {}
    """Lost parts of armour classes by combatant, with the records of the loss."""
    started_effects: dict[int, EffectStarted] = {}
    """The facts that started effects, by record."""
    used: dict[str, list[CompletedWork]] = {}
    """Uses of spells before this round and the last, by combatant."""
    spent: dict[str, list[Occurrence[ResourceChanged]]] = {}
    """Recorded changes of the number of spells left, by combatant."""
    counted: dict[tuple[str, str], int] = {}
    """The records that last set the number of a memorized spell, by combatant and spell."""
    spared: dict[int, Because] = {}
    """The reasons, with options, for which a maintained effect goes on, by its record."""
