"""The state of Definition Master: combat, turns and acts, and health."""

from collections import Counter
from collections.abc import Collection
from typing import Literal, NamedTuple

from msgspec import Struct, field

from eventstore.events import AttackRolled, DamageDealt, Fact
from eventstore.shapes import Modifier, Part, Square
from projections.because import NOTHING_CITED, Because, Derived, asked_so_far
from projections.fight import Combatant, Round
from projections.mechanics.acts import Act
from projections.mechanics.rolls import Ties
from projections.mechanics.squares import Reach, leg_to
from projections.mechanics.triggers import Triggers
from projections.mechanics.turnlist import Turn
from projections.occurrence import Occurrence
from projections.rulesets.definition_master.sheet import Weapon
from projections.state import State


class Threat(Struct, frozen=True, gc=False):
    """The squares that a combatant threatens."""

    inputs: tuple[object, ...]
    """The values from which it was derived; it is derived again when one of them is replaced."""
    barred: Derived[str]
    """The rule by which the combatant threatens no square; "" if it threatens some."""
    far: Derived[Reach]
    standing: Derived[str]
    square: Square | None = None
    stood: int = 0
    """The record that put the combatant on its square."""

    def over(self, squares: Collection[Square]) -> Derived[int | None]:
        """Return the number of these squares that it threatens; None if its own square or these are unknown."""
        if self.barred.value:
            return Derived(0, self.barred.because)
        if self.square is None or not squares:
            return Derived(None, self.far.because)
        count = sum(self.far.value.covers(leg_to(self.square, each)) for each in squares)
        return Derived(count, Because(self.far.because.rules, (self.stood,), of=(self.far, self.barred)))


class Front(Struct, gc=False):
    """The foes of a side, in the order in which they joined."""

    inputs: tuple[object, ...]
    """The other values from which their threats were derived."""
    foes: list[Combatant]
    threats: dict[str, Threat]


class Provocation(Struct, frozen=True, gc=False):
    """A provocation: an act or a move that may let foes strike at a combatant."""

    seq: int
    who: str
    rule: str
    """The clause by which foes may strike, or by which none may."""
    left: tuple[Square, ...] = ()
    """The squares that a move leaves."""
    to: dict[str, Threat] = {}
    """The foes, with the squares that they threatened at that moment."""
    open: tuple[Square, ...] = ()
    """The squares at which they may strike."""
    why: Because | None = None
    """The reason why they may; None if it is left to a ruling."""
    known: bool = True
    """Whether the target of the act, or the path of the move, is recorded."""
    comes: bool = False
    """Whether the act goes to its targets, wherever they stand."""
    price: Derived[str] = Derived("", NOTHING_CITED)
    """The cost of the act."""
    asked: Because = NOTHING_CITED
    """The option that decides to which foes it goes."""

    @property
    def lacks_way(self) -> bool:
        """Whether it is a move whose path is not recorded yet."""
        return not self.known and self.rule == "move.leaving-threat-provokes"

    def times(self, foe: Threat) -> Derived[int | None]:
        """Return the number of times that a foe may strike, once for each open square; None if it is unknown."""
        if self.why is None:
            return Derived(None, NOTHING_CITED)
        found = Derived(1, foe.barred.because) if self.comes and not foe.barred.value else foe.over(self.open)
        return Derived(found.value if self.known else None, Because(self.why.rules, self.why.events, of=(found,)))

    def allows(self, who: str) -> int | None:
        """Return the number of times that a combatant may strike; None if it is unknown."""
        return self.times(self.to[who]).value if who in self.to else 0


class Passage(Struct, frozen=True, gc=False):
    """The combatants through whose squares a move went."""

    foes: tuple[str, ...] = ()
    allies: tuple[str, ...] = ()
    act: int = 0
    """The act to which the move belongs."""


class Hands(Struct):
    """The items that combatants hold, if these are no longer those of their sheets."""

    slots: dict[str, dict[str, str]] = {}
    """The items by combatant and slot."""
    changed: dict[str, int] = {}
    """The record that last changed them."""
    picked: dict[str, int] = {}
    """The records by which the weapons fell that they have picked up, by combatant, until their items change again."""
    dropped: dict[str, dict[str, int]] = {}
    """The weapons of each combatant that lie on the ground, with the records that dropped them."""


class Stance(Struct, frozen=True, gc=False):
    """A way of fighting that a combatant has begun."""

    name: str
    seq: int
    round: int
    kept: tuple[int, ...] = ()
    """The records that put off the turns with which it would have ended."""


class Stances(Struct):
    """The stances of all combatants."""

    own: dict[str, dict[str, Stance]] = {}
    """The stances in force, by combatant and name."""
    over: dict[str, dict[str, tuple[Stance, int]]] = {}
    """The stances that ended last, with the records that ended them."""


Manner = Literal["melee", "ranged", "melee-touch", "ranged-touch"]
"""The ways of an attack roll."""


class Named(Struct, frozen=True, gc=False):
    """A named part of a roll or of an armour class."""

    name: str
    amount: int
    rule: str
    because: Because = NOTHING_CITED
    counts: bool = True
    """Whether it counts towards the total."""


HITS = "attack.meets-ac-hits"


class AttackRoll(Struct, gc=False):
    """An attack roll, with the values that held when it was rolled."""

    seq: int
    who: str
    target: str
    event: AttackRolled
    act: "MasterAct"
    """The act to which it belongs."""
    said: Counter[str] = Counter()
    """The recorded modifiers, by short name."""
    formula: str = ""
    """The clause behind its total."""
    weapon: str = ""
    arm: Weapon | None = None
    """The weapon of the sheet; None for a spell."""
    manner: Manner = "melee"
    spell: bool = False
    threat: int = 20
    """The lowest face that threatens a critical hit."""
    opens: bool = False
    """Whether it opens a maneuver."""
    slot_bonus: int = 0
    """The base attack bonus of its attack action."""
    left: tuple[int, ...] = ()
    """The bonuses that no attack before it had used."""
    parts: tuple[Named, ...] = ()
    """The amounts that are added to the die."""
    total: Derived[int | None] = Derived(None, NOTHING_CITED)
    armor: dict[str, Derived[int]] = {}
    """The armour class to compare it with, by target; a shot into a grapple has two."""
    pieces: dict[str, list[Named]] = {}
    """The parts of these armour classes."""
    over: frozenset[str] = frozenset()
    """The stances of the target that ended last."""
    stale: bool = False
    """Whether the target is in a stance of an earlier round."""
    attacked: bool = False
    """Whether the target attacked in this round."""
    flat: bool = False
    """Whether the target is flat-footed."""
    other: str = ""
    """The other combatant in a grapple, who may be hit instead."""
    percent: tuple[int, int] | None = None
    """The d% that decides which of the two is attacked, and its record."""
    doubtful: bool = False
    """Whether one d% may belong to it or to another shot."""
    confirmed: "AttackRoll | None" = None
    """The roll that confirms it."""
    confirms: int = 0
    """The record of the roll that it confirms, or 0."""

    @property
    def is_shot(self) -> bool:
        """Whether the attack is a shot or a throw."""
        return self.manner in ("ranged", "ranged-touch")

    @property
    def is_touch(self) -> bool:
        """Whether the attack is a touch attack."""
        return self.manner in ("melee-touch", "ranged-touch")


class Parts(NamedTuple):
    """The parts of recorded damage."""

    listed: list[Part]
    """The dice of the weapon or spell."""
    extra: list[Part]
    """Further dice."""
    flat: Counter[str]
    """Flat amounts, by short name."""
    reductions: int | None = None
    """The recorded reductions; None if none is recorded."""


class Maneuver(Struct, gc=False):
    """An attempt at a maneuver by an aggressor on a defender."""

    seq: int
    """The record of the act, or of the contest if no act was recorded."""
    kind: str
    aggressor: str
    defender: str
    by: str = ""
    """The combatant who acts: in an escape it is the defender."""
    act: int = 0
    bonus: int = 0
    touch: int = 0
    """The attack roll that opens it, or 0."""
    struck_by: int = 0
    """The damage that a strike at the aggressor dealt, or 0."""
    may_be_struck: bool = False
    """Whether damage without a known cause may be that of such a strike."""
    rolls: tuple[int, ...] = ()
    """The contests."""
    winner: str = ""
    """The combatant who won; "" until a contest decides."""
    lead: int = 0
    """The difference between the totals."""
    valid: bool = True
    """Whether the contest counts."""

    @property
    def is_won(self) -> bool:
        """Whether the aggressor has won a contest that counts."""
        return self.valid and self.winner == self.aggressor

    @property
    def is_lost(self) -> bool:
        """Whether the defender has won a contest."""
        return self.winner == self.defender


class Side(Struct, frozen=True, gc=False):
    """One side of a contested roll."""

    who: str
    using: str
    """The skill, ability or attack that is rolled."""
    parts: tuple[Named, ...]
    """The amounts that are added to the die."""
    further: int
    """The sum of the other recorded amounts."""
    total: Derived[int | None]


class Bout(Struct, frozen=True, gc=False):
    """One roll of a contest, with the values that held when it was rolled."""

    seq: int
    attempt: Maneuver
    sides: dict[str, Side]
    struck: int = 0
    """The strike at the aggressor before it, or 0."""
    invalid: str = ""
    """The clause by which it does not count; "" if it counts."""

    @property
    def totals(self) -> dict[str, int]:
        """The totals of the sides that are known."""
        return {who: each.total.value for who, each in self.sides.items() if each.total.value is not None}


class Hold(Struct, gc=False):
    """A grapple of a pair."""

    seq: int
    """The record that began it."""
    aggressor: str
    defender: str
    stage: str = "held"
    """Held, pinned, exposed or choking."""
    rounds: int = 0
    """The rounds of a submission so far."""
    last: int = 0
    """The turn of the aggressor in which the submission was last rolled for, by its record."""
    broke: int = 0
    """The turn in which the last submission was not continued, so that it broke off, or 0."""
    begun: int = 0
    """The round in which the submission began."""
    because: Because = NOTHING_CITED
    """Why the grapple is at this stage."""
    start: Because = NOTHING_CITED
    """Why the grapple began."""
    tries: tuple[Derived[str], ...] = ()
    """The attempts to escape that did not count."""

    @property
    def is_pinned(self) -> bool:
        """Whether the defender can neither attack nor move; an exposed defender is pinned, too."""
        return self.stage in ("pinned", "exposed")

    def other(self, who: str) -> str:
        """Return the other combatant of the pair."""
        return self.defender if who == self.aggressor else self.aggressor

    def is_of(self, pair: Collection[str]) -> bool:
        """Say whether these two are the pair."""
        return {self.aggressor, self.defender} == {*pair}


class Grapples(Struct):
    """The grapples of a fight."""

    holds: dict[str, Hold] = {}
    """The grapples, by defender."""
    freed: dict[str, Because] = {}
    """Why combatants who were in a grapple no longer are."""

    def of(self, who: str) -> Hold | None:
        """Return the grapple of a combatant, as its defender or its aggressor."""
        return self.holds.get(who) or next((each for each in self.holds.values() if each.aggressor == who), None)


class Combat(Struct):
    """Attacks, squares and grapples of a fight."""

    squares: dict[str, Square] = {}
    """The square of each combatant."""
    stood: dict[str, int] = {}
    """The record that put it there."""
    felled: dict[int, Because] = {}
    """The reason why a combatant fell on its way, by the record."""
    threats: dict[str, Threat] = {}
    """The squares that each combatant threatens."""
    fronts: dict[str, Front] = {}
    """The foes of each side."""
    effect_modifiers: dict[int, tuple[Modifier, ...]] = {}
    """The modifiers of effects, by record."""
    hands: Hands = field(default_factory=Hands)
    stances: Stances = field(default_factory=Stances)
    grapples: Grapples = field(default_factory=Grapples)
    feinted: dict[str, tuple[int, int]] = {}
    """The combatants who lost to a feint, with the round and the contest."""
    submitted: dict[str, tuple[int, Because]] = {}
    """The combatants whose submission was completed, with the record and the reason."""
    maneuvers: list[Maneuver] = []
    """The attempts of this round, and earlier ones that are undecided."""
    bouts: dict[int, Bout] = {}
    """The contests of this round."""
    openings: dict[int, Provocation] = {}
    """The provocations of this round, by record."""
    passages: dict[int, Passage] = {}
    """The combatants whose squares were passed in this round, by move."""
    failing: dict[int, tuple[int, int]] = {}
    """The d% of spells cast in untrained armour, with their records."""
    chances: dict[int, tuple[int, int]] = {}
    """The d% for a shot into a grapple that were recorded before the shot, with their records."""


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
    spent: dict[str, Because] = {}
    """Why the act that last resolved a held action of each combatant used its turn or not; it cites the act and the hold."""
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
