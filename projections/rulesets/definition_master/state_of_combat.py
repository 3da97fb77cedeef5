"""What is kept of blows and maneuvers: squares, hands, stances, attack rolls, contests, grapples, who may strike at whom."""

from collections import Counter
from collections.abc import Collection
from typing import Any, Literal, NamedTuple

from msgspec import Struct, field

from eventstore.events import AttackRolled
from eventstore.shapes import Modifier, Part, Square
from projections.because import Because, Derived
from projections.mechanics.squares import Reach, leg_to
from projections.rulesets.definition_master.sheet import Weapon
from projections.state import Combatant


class Hands(Struct):
    """What somebody has in its slots, where that is no longer what its sheet says, and the record that changed it.

    `dropped` are weapons that lie on the ground, with the records that dropped them.
    """

    slots: dict[str, dict[str, str]] = {}
    changed: dict[str, int] = {}
    dropped: dict[str, dict[str, int]] = {}


class Stance(Struct, frozen=True, gc=False):
    """What a way of fighting brings: its name, the record, the round, and whether an attack has been made with it."""

    name: str
    seq: int
    round: int


class Stances(Struct):
    """The stances in force by combatant and name; `over` are those that ended last, with the records that ended them."""

    own: dict[str, dict[str, Stance]] = {}
    over: dict[str, dict[str, tuple[Stance, int]]] = {}


Manner = Literal["melee", "ranged", "melee-touch", "ranged-touch"]
"""The ways of an attack roll."""


class Named(Struct, frozen=True, gc=False):
    """A part of a roll or an armour class: its name, its amount, the rule behind it, what it rests on, whether it counts."""

    name: str
    amount: int
    rule: str
    because: Because = Because()
    counts: bool = True


HITS = "attack.meets-ac-hits"


class AttackRoll(Struct, gc=False):
    """An attack roll with what held as it fell, what was `said` to be added, and the clause behind its total.

    `act` is the record of the act that it belongs to, or 0; `kind` that of the act; `arm` is the `weapon` of the sheet, unless a spell is cast; `opens` says that it opens a
    maneuver. `own` is the number of its turn, `slot` that of the attack action in it, `slot_bonus` the bonus of that, `left` the bonuses
    that no attack before it had used.
    `parts` are what has to be added to the die, `total` what it comes to; `armor` is what it is compared with, of the
    `pieces`, worked out for either of two in a grapple. `over` are stances that the target is no longer in, `stale` says
    that one is of an earlier round, `attacked` that the target attacked in this one. `percent` is the d% that says whether it goes at the `other` of two in a
    grapple, `doubtful` says that one of several may be. `confirmed` is the roll that confirms it, or None.
    """

    seq: int
    who: str
    target: str
    event: AttackRolled
    said: Counter[str] = Counter()
    formula: str = ""
    act: int = 0
    kind: str = "attack"
    weapon: str = ""
    arm: Weapon | None = None
    manner: Manner = "melee"
    spell: bool = False
    threat: int = 20
    opens: bool = False
    slot: int = -1
    own: int = 0
    slot_bonus: int = 0
    left: tuple[int, ...] = ()
    parts: tuple[Named, ...] = ()
    total: Derived[int | None] = Derived(None, Because())
    armor: dict[str, Derived[int]] = {}
    pieces: dict[str, list[Named]] = {}
    over: frozenset[str] = frozenset()
    stale: bool = False
    attacked: bool = False
    flat: bool = False
    other: str = ""
    percent: tuple[int, int] | None = None
    doubtful: bool = False
    confirmed: "AttackRoll | None" = None
    confirms: int = 0

    @property
    def is_shot(self) -> bool:
        """Whether the attack is made from afar."""
        return self.manner in ("ranged", "ranged-touch")

    @property
    def is_touch(self) -> bool:
        """Whether the attack only has to touch."""
        return self.manner in ("melee-touch", "ranged-touch")


class Parts(NamedTuple):
    """The parts of recorded damage: dice of the weapon or spell, further dice, flat amounts by name, what is taken off."""

    listed: list[Part]
    extra: list[Part]
    flat: Counter[str]
    reductions: int | None = None


class Maneuver(Struct, gc=False):
    """An attempt at a maneuver by an aggressor on a defender, and how far it has come.

    `seq` is the act, or the contest where no act was told; `by` is who acts (an escape is tried by the defender). `touch`
    is the roll that opens it, or 0; `struck_by` the strike at the aggressor that dealt damage, or 0 (`may_be_struck`: or perhaps one). `rolls` are
    the contests, `winner` is "" until one decides, by a `lead`. `valid` is False where it cannot count.
    """

    seq: int
    kind: str
    aggressor: str
    defender: str
    by: str = ""
    act: int = 0
    bonus: int = 0
    touch: int = 0
    struck_by: int = 0
    may_be_struck: bool = False
    rolls: tuple[int, ...] = ()
    winner: str = ""
    lead: int = 0
    valid: bool = True

    @property
    def is_won(self) -> bool:
        """Whether the aggressor has won a contest that counts."""
        return self.valid and self.winner == self.aggressor

    @property
    def is_lost(self) -> bool:
        """Whether the defender has won a contest."""
        return self.winner == self.defender

    def is_between(self, pair: Collection[str]) -> bool:
        """Say whether an attempt may be one between these two: as far as it names the two itself."""
        return {self.aggressor, self.defender} - {""} <= {*pair}

    def complete_pair(self, pair: Collection[str]) -> None:
        """Take from a pair whom the attempt itself has not named."""
        other = next((who for who in pair if who not in (self.aggressor, self.defender)), "")
        self.aggressor, self.defender = self.aggressor or other, self.defender or other


class Side(Struct, frozen=True, gc=False):
    """What one of two rolls in a contest: with which skill, what is added, what else was recorded, what it comes to."""

    who: str
    using: str
    parts: tuple[Named, ...]
    further: int
    total: Derived[int | None]


class Bout(Struct, frozen=True, gc=False):
    """One roll of a contest, with what held as it was made: the attempt, its sides, the strike at it, why it cannot count."""

    seq: int
    attempt: Maneuver
    sides: dict[str, Side]
    struck: int = 0
    invalid: str = ""

    @property
    def totals(self) -> dict[str, int]:
        """What the rolls come to, by who rolled, as far as that is known."""
        return {who: each.total.value for who, each in self.sides.items() if each.total.value is not None}


class Hold(Struct, gc=False):
    """A grapple of a pair: who holds whom, since which record, how far it has come, and why.

    `stage` is held, pinned, exposed or choking; `rounds` counts the rounds of a submission, `last` is the turn of the
    aggressor (the record that began it) in which it was last rolled for, `begun` the round in which it began, `start`
    is why the grapple is, `tries` the tries to escape that did not count.
    """

    seq: int
    aggressor: str
    defender: str
    stage: str = "held"
    rounds: int = 0
    last: int = 0
    begun: int = 0
    because: Because = Because()
    start: Because = Because()
    tries: tuple[Derived[str], ...] = ()

    @property
    def is_pinned(self) -> bool:
        """Whether the defender can neither attack nor move; whoever is exposed is pinned, too."""
        return self.stage in ("pinned", "exposed")

    def other(self, who: str) -> str:
        """Return the other one of the pair."""
        return self.defender if who == self.aggressor else self.aggressor

    def is_of(self, pair: Collection[str]) -> bool:
        """Say whether these two are the pair."""
        return {self.aggressor, self.defender} == {*pair}


class Grapples(Struct):
    """The grapples, by defender, and why those that had one are free."""

    holds: dict[str, Hold] = {}
    freed: dict[str, Because] = {}

    def of(self, who: str) -> Hold | None:
        """Return the grapple that somebody is in, as its defender or its aggressor."""
        return self.holds.get(who) or next((each for each in self.holds.values() if each.aggressor == who), None)


class Threat(Struct, frozen=True, gc=False):
    """How somebody threatens squares: the rule by which it threatens none, if any, its reach, its square, and what these rest on."""

    inputs: tuple[Any, ...]
    barred: Derived[str]
    far: Derived[Reach]
    standing: Derived[str]
    square: Square | None = None
    stood: int = 0

    def over(self, squares: Collection[Square]) -> Derived[int | None]:
        """Return how many of these squares it threatens; None where nobody said where it stands, or where they are."""
        if self.barred.value:
            return Derived(0, self.barred.because)
        if self.square is None or not squares:
            return Derived(None, self.far.because)
        count = sum(self.far.value.covers(leg_to(self.square, each)) for each in squares)
        return Derived(count, Because(self.far.because.rules, (self.stood,), of=(self.far, self.barred)))


class Front(Struct, gc=False):
    """The foes of a side, in the order in which they joined, how they threaten squares, and what this rests on besides."""

    inputs: tuple[Any, ...]
    foes: list[Combatant]
    threats: dict[str, Threat]


class Provocation(Struct, frozen=True, gc=False):
    """What may let foes strike at somebody: the record, who, and `to` whom, as they threatened squares then.

    `rule` says why they may, or why nobody may; `left` are the squares that a way leaves. `open` are those at which they may
    strike, and `why`; without that, it is left to a ruling. `known` is false where nobody said at whom an act is aimed that
    provokes nobody else, or which way somebody goes; what `comes` goes to its foes, wherever they stand. `price` is what an act may cost.
    """

    seq: int
    who: str
    rule: str
    left: tuple[Square, ...] = ()
    to: dict[str, Threat] = {}
    open: tuple[Square, ...] = ()
    why: Because | None = None
    known: bool = True
    comes: bool = False
    price: Derived[str] = Derived("", Because())

    @property
    def lacks_way(self) -> bool:
        """Whether somebody goes a way that nobody has recorded so far."""
        return not self.known and self.rule == "move.leaving-threat-provokes"

    def times(self, foe: Threat) -> Derived[int | None]:
        """Return how often a foe may strike: once for each open square that it threatens; None where nobody can say."""
        if self.why is None:
            return Derived(None, Because())
        found = Derived(1, foe.barred.because) if self.comes and not foe.barred.value else foe.over(self.open)
        return Derived(found.value if self.known else None, Because(self.why.rules, self.why.events, of=(found,)))

    def allows(self, who: str) -> int | None:
        """Return how often somebody may strike at it."""
        return self.times(self.to[who]).value if who in self.to else 0


class Passage(Struct, frozen=True, gc=False):
    """Through whose squares a path went, of foes and of allies, and the act that it was part of, or 0."""

    foes: tuple[str, ...] = ()
    allies: tuple[str, ...] = ()
    act: int = 0


class Combat(Struct):
    """Attacks, squares and grapples of a fight.

    `squares` say where combatants stand, `stood` by which record, `felled` why a record left somebody on its way, `threats` how they threaten others, `fronts` how the foes of a side do; `bearing` is what effects bring. `feinted` are those who lost to a feigned strike, with the round and the contest,
    `submitted` those whose submission was completed, by record, `choked` why.
    `maneuvers` are the attempts of this round and those still undecided, `bouts` the contests, `openings` what lets foes strike in it, `passages`
    the squares that were passed, `failing` the d% of spells cast in untrained armor, `chances` those told
    before a shot, by record.
    """

    squares: dict[str, Square] = {}
    stood: dict[str, int] = {}
    felled: dict[int, Because] = {}
    threats: dict[str, Threat] = {}
    fronts: dict[str, Front] = {}
    effect_modifiers: dict[int, tuple[Modifier, ...]] = {}
    hands: Hands = field(default_factory=Hands)
    stances: Stances = field(default_factory=Stances)
    grapples: Grapples = field(default_factory=Grapples)
    feinted: dict[str, tuple[int, int]] = {}
    submitted: dict[str, int] = {}
    choked: dict[str, Because] = {}
    maneuvers: list[Maneuver] = []
    bouts: dict[int, Bout] = {}
    openings: dict[int, Provocation] = {}
    passages: dict[int, Passage] = {}
    failing: dict[int, tuple[int, int]] = {}
    chances: dict[int, tuple[int, int]] = {}
