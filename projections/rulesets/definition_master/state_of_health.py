"""What is kept of health: how somebody fell, its death rolls and wounds, massive hits, rest, who is swallowed."""

from typing import Any

from msgspec import Struct

from projections.because import Because
from projections.mechanics.dues import Dues
from projections.occurrence import Occurrence
from projections.rulesets.definition_master.state_of_combat import Named, Roll


class Hit(Struct, gc=False):
    """One application of damage: the fact, whom it hit, what is left of it after reductions, the hit points that it took.

    `attacker` is "" where nobody said; `massive` says that it calls for a save, `saved` is the record of that save, and
    `next` the first thing that was done after the hit before that save.
    """

    fact: Occurrence[Any]
    who: str
    amount: int
    lost: int
    attacker: str = ""
    massive: bool = False
    saved: int = 0
    next: Occurrence[Any] | None = None

    @property
    def seq(self) -> int:
        """The record of the hit."""
        return self.fact.seq


class Failure(Struct, frozen=True, gc=False):
    """A failed death save: its record, why it counts, whether it was rolled or counted for a massive hit, what it needed."""

    seq: int
    because: Because
    rolled: bool = True
    needed: Because = Because()


class Body(Struct):
    """The health of one combatant beside its pools.

    `fell` is the record that brought it to 0 hit points (0: it is above), `forgot` why its death rolls no longer count,
    `hit` the hit that felled it; `dropped` says that
    this is because of a failed save. `failures` are those in a row, `stable` and `dead` say why it is stabilized or dead.
    `rolled` is the turn of the last death roll; `options` are those that its death rolls depended on. `wounds` are the
    words for its wounds by record; `by` are the rules behind the last change of each pool.
    """

    fell: int = 0
    forgot: Because | None = None
    hit: Hit | None = None
    dropped: bool = False
    failures: tuple[Failure, ...] = ()
    stable: Because | None = None
    dead: Because | None = None
    rolled: int = 0
    options: dict[str, str] = {}
    wounds: dict[int, str] = {}
    by: dict[str, tuple[str, ...]] = {}


class Dealt(Struct, gc=False):
    """Damage with what held as it fell: the fact, who dealt it, the attack roll behind it, whether a spell dealt it.

    `base` are the dice of weapon, shield or spell, `rule` the clause behind them, `times` how often they are rolled in a
    critical hit. `flats` are added to each roll of them, `perhaps` may be; `strength` is the modifier of whoever deals it, `riders`
    are the further dice that it is known to roll, by name; `reduction` is what the target takes off.
    """

    fact: Occurrence[Any]
    who: str
    roll: Roll | None = None
    spell: bool = False
    base: str | None = None
    rule: str = ""
    times: int = 2
    flats: tuple[Named, ...] = ()
    perhaps: tuple[Named, ...] = ()
    strength: int = 0
    riders: dict[str, int] = {}
    reduction: int = 0


class Rest(Struct, frozen=True, gc=False):
    """Days that have just passed: the record, what each day gives back to whom, what was gained, who was treated."""

    seq: int
    days: int
    rate: dict[str, int] = {}
    gained: dict[tuple[str, str], int] = {}
    treated: frozenset[str] = frozenset()


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

    `bodies` by who they are; `dues` what is owed; `last` the last hit on somebody, `blows` the last damage that somebody
    dealt; `rest` the days that have just passed; `inside` who is swallowed, `freed` why somebody no longer is, and `woke` why it is awake again; `riders`
    are further dice as last rolled, by who rolled them and their name; `things` the damage that things have taken.
    """

    bodies: dict[str, Body] = {}
    dues: Dues = {}
    last: dict[str, Hit] = {}
    blows: dict[str, Dealt] = {}
    rest: Rest | None = None
    inside: dict[str, Inside] = {}
    freed: dict[str, Because] = {}
    woke: dict[str, Because] = {}
    riders: dict[tuple[str, str], int] = {}
    things: dict[tuple[str, str], list[tuple[int, int]]] = {}

    def of(self, who: str) -> Body:
        """Return the health of somebody."""
        return self.bodies.setdefault(who, Body())
