"""What the state of a fight keeps: rolls, acts, movement, health, spells."""

from msgspec import Struct

from eventstore.shapes import Action, Save, Square
from projections.because import Because


class Initiative(Struct, frozen=True, gc=False):
    """An initiative roll."""

    total: int
    bonus: int
    """The part of the total that is not the die."""
    events: tuple[int, ...]
    """Its record, then that of a ruling that changed it."""
    shared: tuple[str, ...] = ()
    """The combatants that rolled as a group."""


class Deed(Struct, gc=False):
    """An act as it was recorded, with what it costs."""

    seq: int
    who: str
    action: Action
    cost: str
    known: bool
    """Whether the cost is certain: stated, or that of its entry."""
    granted: Because
    """What allows the act beyond what a turn has; empty if nothing does."""
    turn: int
    """The record of the turn in which it was done."""
    own: bool
    """Whether that was the turn of its combatant."""
    trigger: int = 0
    level: int | None = None
    """The level of the spell."""
    save: Save | None = None
    """The saving throw that it allows: as recorded, else that of its spell."""
    listed: bool = True
    """Whether the level is recorded on a sheet, and not known by the name of the spell alone."""
    slot: int = 0
    """The record of the slot that was spent for it."""
    slot_level: int | None = None
    """The level of that slot, where its name has one."""
    half: int | None = None
    """Half the speed of its combatant at that moment."""
    readied: bool = False
    """Whether it is only readied, by the Ready action."""

    @property
    def kind(self) -> str:
        """The kind of the act."""
        return self.action.kind.casefold()

    @property
    def counts(self) -> bool:
        """Whether it uses up what a turn has: its cost is known, and nothing grants it."""
        return self.known and not self.granted

    @property
    def manner(self) -> frozenset[str]:
        """The words for how it was done."""
        return frozenset(word.casefold() for word in self.action.manner)

    @property
    def name(self) -> str:
        """The folded name of what was used: a weapon, a spell, a feature."""
        return (self.action.name or "").casefold()


class Stretch(Struct, gc=False):
    """A stretch of a combatant's own movement, in feet."""

    seq: int
    mode: str
    feet: int
    price: int
    """The feet of speed that it costs."""
    rules: tuple[str, ...]
    """The clauses by which it costs that."""
    events: tuple[int, ...]
    """The records of difficult ground and of squeezing."""
    path: tuple[Square, ...] = ()
    turn: int = 0
    own: bool = True
    """Whether it was made in the combatant's own turn."""
    around: tuple[int, ...] = ()
    """The records by which the other combatants stood where they did."""
    options: dict[str, str] = {}
    """The options by which it costs that."""
    drags: int = 0
    """The record of the move of a combatant that is dragged along."""
    hold: int = 0
    """The record of the hold on that combatant."""
    recorded: bool = True
    """Whether its squares or feet are recorded."""


class Rolled(Struct, frozen=True, gc=False):
    """An attack roll, as derived."""

    seq: int
    who: str
    target: str
    hit: bool | None
    critical: bool
    stated: bool | None
    """Whether it is critical as stated or by its die; None where only the state of the target makes it so."""
    deed: Deed | None
    events: tuple[int, ...] = ()
    """The records by which the target is helpless."""


class Body(Struct, gc=False):
    """The health of a combatant beside its pools."""

    dead: Because | None = None
    stable: Because | None = None
    fallen: Because | None = None
    """Why its hit points last fell to 0, or rose from there."""
    character: int = 0
    """The death save that proves that it is a character."""
    why: tuple[str, ...] = ()
    """The clauses behind the last change of its status."""
    by: tuple[str, ...] = ("damage.subtracts",)
    """The clauses behind its hit points."""
    most: tuple[str, ...] = ("healing.to-maximum",)
    """The clauses behind its maximum."""
    saved: tuple[int, ...] = ()
    """Its death saves since its turn last began."""
    owes: int = 0
    """The beginning of the turn for which it owes a death save."""
    turns: bool = False
    """Whether it has had a turn."""
    out: int = 0
    """The record since which unconsciousness ends when it regains hit points."""
    woken: int = 0
    """The record by which such unconsciousness ended before."""


class Blow(Struct, gc=False):
    """The damage of one source to one combatant."""

    who: str
    events: tuple[int, ...]
    amount: int
    beyond: int = 0
    """The damage that remained at 0 hit points."""
    fell: bool = False
    """Whether it brought the combatant to 0 hit points."""
    failed: bool = False
    """Whether it was counted as a failed death save."""
    turn: int = 0


class Held(Struct, frozen=True, gc=False):
    """A readied act; a spell is held by concentration."""

    seq: int
    name: str
    spell: bool
    action: Action | None = None


class Casting(Struct, frozen=True, gc=False):
    """A casting of a minute or more."""

    seq: int
    name: str
    broken: Because | None = None
    """Why it failed."""


class Help(Struct, frozen=True, gc=False):
    """Help in an attack: for an ally, against a foe."""

    seq: int
    ally: str
    against: str


class Mount(Struct, frozen=True, gc=False):
    """The mount of a rider."""

    who: str
    seq: int
    controlled: bool
    again: tuple[int, ...] = ()
    """The records by which it was mounted before."""


class Influence(Struct, frozen=True, gc=False):
    """A source of advantage (way 1), of disadvantage (-1), or of one of them, nobody recorded which (0)."""

    rule: str
    way: int
    says: str
    events: tuple[int, ...]
