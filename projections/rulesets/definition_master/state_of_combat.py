"""The state of combat in Definition Master: threatened squares, provocations, hands, stances, attack rolls, contests and grapples."""

from collections import Counter
from collections.abc import Collection
from typing import Literal, NamedTuple

from msgspec import Struct, field

from eventstore.events import AttackRolled
from eventstore.shapes import Modifier, Part, Square
from projections.because import NOTHING_CITED, Because, Derived
from projections.fight import Combatant
from projections.mechanics.squares import Reach, leg_to
from projections.rulesets.definition_master.sheet import Weapon


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
        """Return the number of times that a foe may strike: once for each open square that it threatens; None if it is
        unknown.
        """
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
    picked: dict[str, int] = {}
    """The records by which the weapons fell that they have picked up, by combatant, until their items change again."""
    """The record that last changed them."""
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
    said: Counter[str] = Counter()
    """The recorded modifiers, by short name."""
    formula: str = ""
    """The clause behind its total."""
    act: int = 0
    """The record of the act to which it belongs, or 0."""
    kind: str = "attack"
    """The kind of that act."""
    weapon: str = ""
    arm: Weapon | None = None
    """The weapon of the sheet; None for a spell."""
    manner: Manner = "melee"
    spell: bool = False
    threat: int = 20
    """The lowest face that threatens a critical hit."""
    opens: bool = False
    """Whether it opens a maneuver."""
    slot: int = -1
    """The number of its attack action in the turn, or -1."""
    own: int = 0
    """The number of the combatant's turn."""
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

    def is_between(self, pair: Collection[str]) -> bool:
        """Say whether it can be an attempt between these two, by the ones that it names."""
        return {self.aggressor, self.defender} - {""} <= {*pair}

    def complete_pair(self, pair: Collection[str]) -> None:
        """Take from a pair the combatant that it does not name."""
        other = next((who for who in pair if who not in (self.aggressor, self.defender)), "")
        self.aggressor, self.defender = self.aggressor or other, self.defender or other


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
    submitted: dict[str, int] = {}
    """The combatants whose submission was completed, with the record."""
    choked: dict[str, Because] = {}
    """Why their submission was completed."""
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
