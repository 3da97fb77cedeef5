"""The state of Definition Master: turns and acts, and health."""

from msgspec import Struct, field

from eventstore.events import DamageDealt, Fact
from eventstore.shapes import Square
from projections.because import NOTHING_CITED, Because, Derived, asked_so_far
from projections.fight import Round
from projections.mechanics.acts import Act
from projections.mechanics.rolls import Ties
from projections.mechanics.triggers import Triggers
from projections.mechanics.turnlist import Turn
from projections.occurrence import Occurrence
from projections.rulesets.definition_master.state_of_combat import AttackRoll, Combat, Named, Parts
from projections.state import State


class Initiative(Struct, frozen=True, gc=False):
    """An initiative roll."""

    face: int
    bonus: int
    seq: int
    """The record of the roll, or of the ruling that replaced its total."""
    before: tuple[int, ...] = ()
    """The records that the ruling replaced."""


class MasterAct(Act, frozen=True, gc=False, kw_only=True):
    """An act with its cost and its place in the turn of the combatant who did it."""

    kind: str
    cost: str
    """The action that pays for it: move, standard, attack, full-round, swift, free, opportunity, counterspell, other or held."""
    own: int = 0
    """The number of the combatant's own turn in which it was done; 0 outside its own turns."""
    slot: int = -1
    """The number of the attack action that it uses in that turn, from 0; -1 if it uses none."""
    bonus: int = 0
    """The base attack bonus of that attack action."""
    trigger: int = 0
    """The fact that it answers, or 0."""
    declared: int = 0
    """The declaration that it carries out, or 0."""
    after: int = 0
    """The first roll of the act before it, by which this one is a further attack; or 0."""
    square: Square | None = None
    """The square on which the combatant stood."""
    asked: dict[str, str] = field(default_factory=asked_so_far)
    """The options that decide its cost."""

    @property
    def target(self) -> str:
        """The first of its targets; "" if it has none."""
        return next(iter(self.action.targets), "")

    @property
    def begun(self) -> int:
        """The record with which it began: its declaration, or itself."""
        return self.declared or self.seq


class Flow(Struct):
    """Initiative, turns and acts of a fight."""

    rolls: dict[str, Initiative] = {}
    """The initiative rolls by combatant."""
    levels: dict[int, list[str]] = {}
    """The combatants by their total in hundredths, as they were last arranged."""
    ties: Ties = field(default_factory=Ties)
    thrown: dict[str, Because] = {}
    """The option by which the throws of each combatant in roll-offs count."""
    started: bool = False
    """Whether a combatant has begun a turn."""
    rounds_recorded: bool = False
    """Whether the log records the beginnings of rounds."""
    skipped: int = 0
    """The rounds that passed without facts and are not in the number of the round."""
    taken: dict[str, list[Turn]] = {}
    """The turns that each combatant has taken, without those that were put off."""
    acts: dict[int, MasterAct] = {}
    """All acts, by record."""
    own_acts: dict[str, list[MasterAct]] = {}
    """The acts of each combatant since the turn before its last."""
    declared: set[int] = set()
    """The records of declarations."""
    rolled: dict[int, list[int]] = {}
    """The attack rolls of each act, by its record."""
    triggers: Triggers = field(default_factory=Triggers)
    """The actions that are held, or were lost."""
    held: dict[str, Derived[int]] = {}
    """The last hold of each combatant, with the reason why it is armed or is not."""
    stayed: dict[str, Derived[int]] = {}
    """The last resolution that moved no place, with the reason why it did not."""
    resolved: dict[str, tuple[int, int]] = {}
    """The act that last resolved a held action of each combatant, and the record of the hold."""
    spent: dict[str, Because] = {}
    """The reason why that used its turn or did not."""
    moved: dict[str, Because] = {}
    """The reason why the place of each combatant last moved."""
    came_up: dict[str, Because] = {}
    """The reasons why a turn that was put off had come up: the moves of the others' places."""
    applied: set[int] = set()
    """The castings that have taken effect."""
    carried: dict[int, int] = {}
    """The act of which a move is part, by the record of the move."""
    saved: dict[int, set[str]] = {}
    """The combatants who have saved against each act."""

    def last(self, who: str) -> Turn | None:
        """Return the turn that a combatant took last; None if it has taken none."""
        turns = self.taken.get(who)
        return turns[-1] if turns else None

    def number(self, who: str) -> int:
        """Return the number of turns that a combatant has taken."""
        return len(self.taken.get(who, ()))

    def began(self, who: str) -> int:
        """Return the fact that began or resumed the last turn of a combatant; 0 if it has taken none."""
        last = self.last(who)
        return (last.resumed or last.seq) if last else 0


class Hit(Struct, gc=False):
    """One application of damage to a combatant."""

    fact: Occurrence[DamageDealt]
    who: str
    amount: int
    """The damage after reductions."""
    lost: int
    """The hit points that it took."""
    attacker: str = ""
    """The combatant who dealt it; "" if none is recorded."""
    half: bool = False
    """Whether it is at least half of the maximum hit points."""
    massive: bool = False
    """Whether it calls for a save."""
    unclear: bool = False
    """Whether it may call for a save, as its cause is not recorded."""
    saved: int = 0
    """The record of the save against it, or 0."""
    reached: Derived[bool | None] = Derived(None, NOTHING_CITED)
    """Whether the attack behind it hit."""
    asked: Because = NOTHING_CITED
    """The option by which it calls for a save or does not."""
    next: Occurrence[Fact] | None = None
    """The first thing that was done between the hit and its save."""

    @property
    def seq(self) -> int:
        """The record of the hit."""
        return self.fact.seq

    @property
    def is_open(self) -> bool:
        """Whether it calls for a save that was not made."""
        return self.massive and not self.saved

    @property
    def may_be_saved(self) -> bool:
        """Whether a save against it counts: it calls for one, or may do so."""
        return (self.massive or self.unclear) and not self.saved


class Failure(Struct, frozen=True, gc=False):
    """A failed death save."""

    because: Because
    """Why it counts."""
    rolled: bool = True
    """Whether it was rolled; False if a failed save against massive damage counts as one."""
    needed: Because = NOTHING_CITED
    """Why the roll needed its number."""


class Body(Struct):
    """The health of one combatant, without its pools."""

    fell: int = 0
    """The record that brought it to 0 hit points; 0 while it is above."""
    forgot: Because | None = None
    """Why its earlier death rolls no longer count."""
    hit: Hit | None = None
    """The hit that brought it to 0."""
    failures: tuple[Failure, ...] = ()
    """The failed death saves in a row."""
    not_counted: tuple[Derived[int], ...] = ()
    """The death rolls that do not count, with the reasons."""
    stable: Because | None = None
    """Why it is stabilized."""
    dead: Because | None = None
    """Why it is dead."""
    rolled: tuple[int, int] = (0, 0)
    """The turn and the record of the last death roll that counted."""
    options: dict[str, str] = {}
    """The options that decided its death rolls."""
    wounds: dict[int, str] = {}
    """The words for its wounds, by record."""
    falls: tuple[Derived[int | None], ...] = ()
    """The hit points of the combatants whose wounds were still to be named when one was."""
    by: dict[str, tuple[str, ...]] = {}
    """The rules behind the last change of each pool."""
    undecided: int = 0
    """A save against massive damage whose outcome cannot be derived, or 0."""
    broke: Because = NOTHING_CITED
    """The success that last broke a run of failures."""
    spared: Because = NOTHING_CITED
    """Why a failed save against massive damage last had no effect."""


class Dealt(Struct, gc=False):
    """Damage, with the values that held when it was dealt."""

    fact: Occurrence[DamageDealt]
    who: str
    """The combatant who dealt it; "" if none is recorded."""
    parts: Parts
    roll: AttackRoll | None = None
    """The attack roll behind it."""
    spell: bool = False
    """Whether a spell dealt it."""
    base: tuple[int, int] | None = None
    """The dice of the weapon, shield or spell: their number and their sides."""
    rule: str = ""
    """The clause behind these dice."""
    times: int = 2
    """The number of times that a critical hit rolls them."""
    flats: tuple[Named, ...] = ()
    """The amounts that are added to each roll of them."""
    optional: tuple[Named, ...] = ()
    """The amounts that may be added to each roll of them."""
    strength: int = 0
    """The Strength modifier of the combatant who dealt it."""
    riders: dict[str, int] = {}
    """The number of further dice that it is known to roll, by name."""
    reduction: Derived[int] = Derived(0, NOTHING_CITED)
    """The damage reduction of the target."""


class Rest(Struct, frozen=True, gc=False):
    """Days that passed last."""

    seq: int
    days: int
    gained: dict[tuple[str, str], int] = {}
    """The points that they gave back, by combatant and pool."""


class Inside(Struct, gc=False):
    """A combatant who is swallowed."""

    who: str
    by: str
    """The combatant who swallowed it."""
    seq: int
    """The record by which it was swallowed."""
    round: int
    """The round in which it was swallowed, counting those without facts."""
    opened: int = 0
    """The record that opened that round, or 0."""
    nearly: Because = NOTHING_CITED
    """The same, once a round more would change its status."""
    turns: int = 0
    """The rounds since."""
    passed: tuple[int, ...] = ()
    """The records of time that passed without facts since."""
    fainted: int = 0
    """The record at which it became unconscious, or 0."""
    asked: Because = NOTHING_CITED
    """The option by which it still lives or does not."""
    cut: int = 0
    """The damage that it has cut so far."""
    cuts: tuple[int, ...] = ()
    """The records of its cuts."""


class Health(Struct):
    """The health of all combatants."""

    bodies: dict[str, Body] = {}
    last: dict[str, Hit] = {}
    """The last hit on each combatant."""
    blows: dict[str, Dealt] = {}
    """The last damage that each combatant dealt."""
    rest: Rest | None = None
    """The days that passed last, if nothing was done since."""
    inside: dict[str, Inside] = {}
    """The combatants who are swallowed."""
    freed: dict[str, Because] = {}
    """Why a combatant is no longer swallowed."""
    riders: dict[tuple[str, str], int] = {}
    """The number of further dice as they were last rolled, by combatant and name."""
    things: dict[tuple[str, str], list[tuple[int, int]]] = {}
    """The damage that things have taken, by owner and name: records and amounts."""
    spared: dict[tuple[str, str], list[int]] = {}
    """The rolls of lost contests, by which damage of things does not count, by owner and name."""

    def of(self, who: str) -> Body:
        """Return the health of a combatant."""
        return self.bodies.get(who) or self.bodies.setdefault(who, Body())


class MasterRound(Round):
    """A round with its turns, acts, attack rolls, hits and damage, in the order in which they were recorded."""

    acts: list[MasterAct] = []
    immediate: dict[str, dict[int, str]] = {}
    """The kinds of the immediate actions, by combatant and record."""
    rolls: dict[int, AttackRoll] = {}
    hits: dict[int, Hit] = {}
    massive: list[Hit] = []
    """The hits that call for a save."""
    dealt: dict[int, Dealt] = {}


class MasterState(State):
    """The state of a fight by Definition Master."""

    flow: Flow = field(default_factory=Flow)
    health: Health = field(default_factory=Health)
    combat: Combat = field(default_factory=Combat)
