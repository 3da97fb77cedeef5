"""The state that only the fifth edition keeps of a fight: rolls, acts, movement, health, spells."""

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from eventstore.events import DamageDealt, EffectStarted, Fact
from eventstore.shapes import Action, Save, Square
from projections.because import NOTHING_CITED, Because, Cites, Derived, ask_parts
from projections.fight import Round, TimelineRow
from projections.mechanics.rolls import Ties
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.sheet import Sheet
from projections.state import State


class Initiative(Struct, frozen=True, gc=False):
    """An initiative roll."""

    total: int
    bonus: int
    """The part of the total that is not the die."""
    events: tuple[int, ...]
    """Its record, then those of rulings that changed it."""
    shared: tuple[str, ...] = ()
    """The combatants that rolled as a group."""


class Deed(Struct, gc=False):
    """A recorded act, with its cost."""

    seq: int
    who: str
    action: Action
    cost: str
    known: bool
    """Whether the cost is certain: stated, or that of its entry."""
    priced: Because
    """The acts before it by which it has a cost that is neither recorded nor that of its kind."""
    granted: Because
    """The permission for the act by a feature, a resource, an effect or a ruling; empty if there is none."""
    pays: bool
    """Whether it spends its cost: nothing gives it beyond a turn's budget."""
    turn: int
    """The record of the turn in which it was done."""
    own: bool
    """Whether that was the turn of its combatant."""
    trigger: int = 0
    level: int | None = None
    """The level of the spell."""
    save: Save | None = None
    """The saving throw that it allows: the recorded one, else that of its spell."""
    listed: bool = True
    """Whether the level is recorded on a sheet, and not known by the name of the spell alone."""
    slot: int = 0
    """The record of the slot that was spent for it."""
    slot_level: int | None = None
    """The level of that slot, if its name has one."""
    charged: bool = False
    """Whether it is a spell at will, or something else than a slot was spent for it."""
    presumed: tuple[str, Because] | None = None
    """The slot that it took though none is recorded, and why there were as many of these before."""
    short: bool = False
    """Whether it is the casting of a monster that had no slot left for it."""
    half: int | None = None
    """Half the speed of its combatant at that moment."""
    readied: bool = False
    """Whether it is only readied, by the Ready action."""
    single: bool = False
    """Whether it is the one attack of the action of haste, as no act before it may have been that action."""

    @property
    def kind(self) -> str:
        """The kind of the act."""
        return self.action.plain_kind

    @property
    def counts(self) -> bool:
        """Whether it spends things of a turn: its cost is known, and nothing grants it."""
        return self.known and not self.granted

    @property
    def manner(self) -> frozenset[str]:
        """The words for how it was done."""
        return frozenset(self.action.plain_manner)

    @property
    def name(self) -> str:
        """The folded name of the weapon, spell or feature used."""
        return (self.action.name or "").casefold()


class Stretch(Struct, gc=False):
    """A stretch of a combatant's own movement, in feet."""

    seq: int
    mode: str
    feet: int
    price: int
    """The feet of speed that it costs."""
    rules: tuple[str, ...]
    """The clauses that decide the cost."""
    events: tuple[int, ...]
    """The records of difficult ground and of squeezing."""
    path: tuple[Square, ...] = ()
    turn: int = 0
    own: bool = True
    """Whether it was made in the combatant's own turn."""
    around: tuple[int, ...] = ()
    """The records of the other combatants' places."""
    options: dict[str, str] = {}
    """The options that decide the cost."""
    drags: int = 0
    """The record of a combatant that is dragged along."""
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
    """Whether it is critical as stated or by its die; None if only the state of the target makes it so."""
    deed: Deed | None
    events: tuple[int, ...] = ()
    """The records that make the target helpless."""
    asked: Because = NOTHING_CITED
    """The option that decides whether helplessness makes it critical."""


class Body(Struct, gc=False):
    """The health of a combatant, without its pools."""

    dead: Because | None = None
    stable: Because | None = None
    fallen: Because | None = None
    """Why its hit points last fell to 0, or rose from there."""
    character: int = 0
    """The death save that proves it a character."""
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
    lost: int = 0
    """The end of a turn that it ended dead."""
    out: int = 0
    """The first record of unconsciousness that ends when it regains hit points."""
    woken: int = 0
    """The record that ended such unconsciousness before."""


class Blow(Struct, gc=False):
    """The damage of one source to one combatant."""

    who: str
    events: tuple[int, ...]
    amount: int
    beyond: int = 0
    """The damage left over at 0 hit points."""
    fell: bool = False
    """Whether it brought the combatant to 0 hit points."""
    failed: bool = False
    """Whether it was counted as a failed death save."""
    turn: int = 0
    asked: Because = NOTHING_CITED
    """The option that decides whether damage is part of it."""


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
    asked: Because = NOTHING_CITED
    """The option by which it continues."""


class Mount(Struct, frozen=True, gc=False):
    """The mount of a rider."""

    who: str
    seq: int
    controlled: bool
    again: tuple[int, ...] = ()
    """The records of its earlier mountings."""


class Shape(Struct, gc=False):
    """Another shape of a combatant, as by Wild Shape or Polymorph."""

    seq: int
    effect: str
    """The folded name of the effect that gives it."""
    source: str
    name: str
    points: int
    temporary: bool
    """Whether its points are temporary ones, as in 2024."""
    own: Derived[int | None] = Derived(None, NOTHING_CITED)
    """The hit points below it, to which the combatant returns."""
    most: Derived[int | None] = Derived(None, NOTHING_CITED)
    """Their maximum."""
    sheet: Sheet | None = None
    """The sheet below it."""
    read: Because = NOTHING_CITED
    """The option by which its points are temporary."""


class Influence(Struct, frozen=True, gc=False):
    """A source of advantage (way 1), of disadvantage (-1), or of one or the other if the record does not decide (0)."""

    rule: str
    way: int
    says: str
    events: tuple[int, ...]


class FifthRound(Round):
    """A round of the fifth edition."""

    acts: list[TimelineRow] = []
    starts: dict[int, Occurrence[Fact]] = {}
    """The turns that began in it, by record."""
    jumped: dict[str, int] = {}
    """The combatants that were passed over, with the first turn that came before theirs."""


class FifthState(State):
    """The state of a fight; tables without another key in their text are by combatant or by record."""

    # ------------------------------------------------------------ order

    rolls: dict[str, Initiative] = {}
    ties: Ties = field(default_factory=Ties)
    took: dict[str, tuple[int, int]] = {}
    """The rank that a tied combatant took by having its turn, and the record of that turn."""
    arrives: dict[str, int] = {}
    """The combatants that joined late and have not had a turn."""
    latecomers: dict[str, int] = {}
    rounds_recorded: bool = False
    """Whether rounds are recorded, so that none follows from the turns."""
    started: bool = False
    """Whether a turn has begun."""
    surprised: dict[str, int] = {}
    began: dict[str, int] = {}
    """The records that began each combatant's last turn."""
    ended: dict[tuple[str, str], Because] = {}
    """The records that ended or prevented something, by its kind and its combatant."""

    # ------------------------------------------------------------ acts

    deeds: dict[int, Deed] = {}
    done: dict[str, list[Deed]] = {}
    """The acts since the combatant's turn began."""
    turn_deeds: list[Deed] = []
    """The acts in the running turn."""
    answerable: dict[int, tuple[str, int, frozenset[str]]] = {}
    """The possible triggers of reactions: each its combatant, its turn, the words for it."""
    spendings: dict[int, int] = {}
    """The turns in which resources were spent, which an act can name as its trigger."""
    held: dict[str, Held] = {}
    lapsed: dict[str, int] = {}
    """The records at which combatants last stopped holding an act."""
    dodging: dict[str, Because] = {}
    disengaged: dict[str, int] = {}
    helps: dict[str, Help] = {}
    hiding: dict[int, int] = {}
    """The totals of checks to hide, by the check and by its act."""

    # ------------------------------------------------------------ movement

    strides: dict[str, list[Stretch]] = {}
    """The movement since the combatant's turn began."""
    moves: dict[int, tuple[str, Stretch]] = {}
    squares: dict[str, tuple[Square, int]] = {}
    engaged: dict[str, tuple[str, ...]] = {}
    terrain: dict[str, dict[Square | None, int]] = {}
    in_water: dict[str, int] = {}
    airborne: dict[str, tuple[int, ...]] = {}
    heights: dict[int, int] = {}
    """The feet of falls."""
    mounts: dict[str, Mount] = {}
    """The mounts by their riders."""
    led: dict[str, tuple[str, int]] = {}
    """The riders that last controlled mounts, by mount, with the record of that."""
    unseated_by: dict[str, Because] = {}
    """Why riders ride no longer."""
    rider_gone: dict[str, Because] = {}
    """Why mounts have no rider any more."""
    owes_seat_save: dict[str, int] = {}
    """The riders that owe a save to stay mounted."""
    unprovoking: dict[int, tuple[str, tuple[int, ...]]] = {}
    """The moves that provoke nothing, with the reason in words, and the record by which the mover had disengaged."""

    # ------------------------------------------------------------ rolls

    rolled: dict[int, Rolled] = {}
    rolls_of: dict[int, list[int]] = {}
    """The attack rolls of an act."""
    influences: dict[int, tuple[Influence, ...]] = {}
    ruled_out: dict[int, tuple[Cites, ...]] = {}
    """Why a roll has no other influences."""
    aimed: dict[int, list[int]] = {}
    """The effects with lines of aim that an act began."""
    checks_made: dict[int, bool] = {}
    saves: dict[tuple[int, str], bool] = {}
    """Whether saves were made, by the act that asked for them and by combatant."""
    cause_of: dict[int, int] = {}
    """The causes of contests and saves."""
    decided: dict[int, tuple[str, str, str]] = {}
    """Contests, also by their acts: the subject, the combatant that began it, the winner."""
    misstated: dict[int, bool] = {}
    """Whether a contest states the wrong winner, by the contest and by its act."""
    resisted: dict[int, bool] = {}
    """Whether a grapple or shove was resisted, by the save and by the act."""
    escaped: dict[int, bool] = {}
    """Whether an escape succeeded, by the check and by the act."""
    caused_by: dict[int, int] = {}
    """The causes of conditions."""
    shoved_down: dict[int, int] = {}
    shoved_away: dict[int, int] = {}

    # ------------------------------------------------------------ health

    bodies: dict[str, Body] = {}
    blows: dict[tuple[str, int], Blow] = {}
    sources: dict[tuple[str, int], tuple[str, int]] = {}
    """The last blow of a cause, by combatant and cause."""
    blow_by: dict[int, tuple[str, int]] = {}
    """The blow of which damage is part."""
    dealt: dict[int, list[Occurrence[DamageDealt]]] = {}
    """The damage that an act dealt."""
    restored_by: dict[int, str] = {}
    """The death saves of 20, with the combatant that regained a hit point."""
    death_saves: dict[int, str] = {}
    aid: dict[str, tuple[int, str, Because]] = {}
    """The last act of first aid by a combatant, its target, and the options by which it is first aid."""
    aided: dict[int, bool] = {}
    """Whether first aid succeeded, by the check and by the act."""
    exhausted: dict[str, list[tuple[int, Cites]]] = {}
    """The levels of exhaustion gained and lost, each with its reason."""
    choking: dict[str, tuple[int, tuple[int, ...]]] = {}
    """The record with which a combatant's suffocation began, and its turns since."""
    fire_due: dict[str, Because] = {}
    temp_of: dict[str, int] = {}
    """The source of the temporary hit points."""
    recharges: dict[str, dict[str, int]] = {}
    """The powers for which combatants owe a die, each with the beginning of that turn."""
    shapes: dict[str, list[Shape]] = {}
    """The other shapes of combatants, the present one last."""

    # ------------------------------------------------------------ spells and effects

    begun: dict[int, EffectStarted] = {}
    """The facts that began effects."""
    caused: dict[int, int] = {}
    """The causes of effects, named or implied; an effect itself if its cause is unknown."""
    imposed: dict[int, int] = {}
    """The effect of which a condition is part."""
    castings: dict[str, Casting] = {}
    released_by: dict[str, Because] = {}
    """The record that last ended the concentration on a held spell or a long casting."""
    source_unstated: tuple[int, ...] = ()
    """The acts in turns in which an effect began whose source was derived."""
    lost_spell: dict[str, Because] = {}
    """Why a held spell was lost."""
    slots_spent: dict[str, list[tuple[int, int, int]]] = {}
    """The slots spent: each its record, its turn, the act of casting."""
    saves_settled: dict[str, Because] = {}
    """Why saves for concentration are no longer owed, or never were: made, lapsed, or for absorbed damage."""

    def body(self, who: str) -> Body:
        """Return the health of a combatant."""
        return self.bodies.setdefault(who, Body())

    def worn(self, who: str) -> Shape | None:
        """Return the shape whose hit points a combatant has; None if it has its own."""
        return next((each for each in reversed(self.shapes.get(who, ())) if not each.temporary), None)

    def why_over(self, what: str, who: str) -> tuple[Cites, ...]:
        """Return the reason why a thing of a combatant ended or was prevented, if it was."""
        found = self.ended.get((what, who))
        return (Derived(who, found),) if found else ()

    def joined(self, those: Iterable[str]) -> Iterator[str]:
        """Yield the combatants who have joined; a fact may also name others."""
        return filter(self.combatants.__contains__, those)

    def has_turn(self, who: str) -> bool:
        """Say whether it is the turn of a combatant; a mount acts in the turn of its rider."""
        now = (self.clock.turn, *self.clock.together)
        return who in now or any(self.mounts[rider].who == who for rider in now if rider in self.mounts)

    @property
    def edition(self) -> str:
        """The edition whose tables count; reading it is no use of the option, since most rows are alike in both."""
        return self.resolved.get("edition") or ask_parts(self.option, "edition")

    @property
    def is_new(self) -> bool:
        """Whether the edition is that of 2024."""
        return self.option("edition") == "2024"
