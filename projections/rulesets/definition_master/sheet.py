"""The sheet of Definition Master and its calendar: a round is six seconds."""

from msgspec import Struct, field

from eventstore.shapes import Modifier, Shape, Text, Whole, Word
from projections.sheet import Entry
from projections.time import Calendar


class Weapon(Shape, frozen=True, kw_only=True):
    """A weapon of a sheet."""

    name: Word
    dice: Word | None = None
    hands: Whole = 1
    threat: Whole = 20
    """The lowest face that threatens a critical hit."""
    multiplier: Whole = 2
    """How often a critical hit rolls the dice."""
    reach: bool = False
    range: Whole | None = None
    """The range in feet, if it shoots or is thrown."""
    ability: Word | None = None
    """The ability of its attack rolls, if neither Strength nor, for a shot, Dexterity."""
    bonus: Whole = 0
    """The bonus to attack and damage rolls."""
    damage_type: Word | None = None
    attributes: tuple[Word, ...] = ()
    """Words such as disarming, dagger, blunt, grappling, slashing."""


class MasterEntry(Entry, frozen=True, kw_only=True):
    """A spell, ability, feat or item."""

    dice: Word | None = None
    multiplier: Whole | None = None
    """How often a critical hit rolls the dice."""
    threat: Whole | None = None
    """The lowest face that threatens a critical hit."""
    manner: tuple[Word, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    """The bonuses that it gives."""


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The sheet of a combatant."""

    hp: Whole | None = None
    hp_max: Whole | None = None
    nld: Whole = 0
    size: Word = "medium"
    space: Whole = 1
    """The squares that it takes up on a side."""
    hit_dice: Whole = 1
    str_: Whole = field(default=0, name="str")
    dex: Whole = 0
    con: Whole = 0
    int_: Whole = field(default=0, name="int")
    wis: Whole = 0
    cha: Whole = 0
    base_attack: Whole = 0
    attacks: tuple[Whole, ...] = ()
    saves: dict[Word, Whole] = {}
    initiative: Whole = 0
    speed: Whole = 30
    ac: dict[Word, Whole] | Whole | None = None
    """The components over 10 by name, or the whole armour class."""
    shields: dict[Word, Whole] = {}
    check_penalty: Whole = 0
    """The penalty of an armor that is worn without training."""
    reach: Whole | None = None
    """The reach in feet; None: by size."""
    reduction: Whole = 0
    grapple: Whole | None = None
    skills: dict[Word, Whole] = {}
    feats: dict[Word, Whole] = {}
    """The feats, with their uses beyond those that every combatant has."""
    wielding: dict[Word, Word] = {}
    """The items in the slots `primary` and `offhand`."""
    untrained: tuple[Word, ...] = ()
    """The weapons and the armor that it is not trained with."""
    weapons: tuple[Weapon, ...] = ()
    unarmed: Word | None = None
    entries: tuple[MasterEntry, ...] = ()
    resources: dict[Word, Whole] = {}
    notes: Text | None = None


ROUND = 6
"""The number of seconds in a round."""

CALENDAR = Calendar(
    seconds={"second": 1, "round": ROUND, "minute": 60, "turn": 10 * ROUND, "hour": 3600, "day": 86400}, tick="round"
)
