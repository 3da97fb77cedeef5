"""The sheet of Definition Master and its calendar: a round is six seconds."""

from msgspec import Struct, field

from eventstore.shapes import Modifier, Shape, Text, Whole, Word
from projections.sheet import Entry
from projections.time import Calendar


class Weapon(Shape, frozen=True, kw_only=True):
    """A weapon: its dice, hands, lowest die that threatens, multiplier; a reach weapon; a range (feet) if it shoots.

    `ability` is the ability of its attack rolls, if neither Strength nor, for a shot, Dexterity; `bonus` is added to attack
    and damage rolls; `attributes` are words such as disarming, dagger, blunt, grappling, slashing.
    """

    name: Word
    dice: Word | None = None
    hands: Whole = 1
    threat: Whole = 20
    multiplier: Whole = 2
    reach: bool = False
    range: Whole | None = None
    ability: Word | None = None
    bonus: Whole = 0
    damage_type: Word | None = None
    attributes: tuple[Word, ...] = ()


class MasterEntry(Entry, frozen=True, kw_only=True):
    """A spell, ability, feat or item: dice, their critical multiplier, lowest die that threatens, manner, modifiers."""

    dice: Word | None = None
    multiplier: Whole | None = None
    threat: Whole | None = None
    manner: tuple[Word, ...] = ()
    modifiers: tuple[Modifier, ...] = ()


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The sheet of a combatant: hit points, size, Hit Dice, modifiers, attacks, armour class by component, and equipment.

    `ac` counts components over 10, or is the whole; `reach` is in feet (None: by size), `space` in squares; `feats` maps a feat to its
    uses beyond those of every combatant; `wielding` names the items in the slots `primary` and `offhand`; `untrained` names weapons, or
    `armor`, whose `check_penalty` then counts.
    """

    hp: Whole | None = None
    hp_max: Whole | None = None
    nld: Whole = 0
    size: Word = "medium"
    space: Whole = 1
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
    shields: dict[Word, Whole] = {}
    check_penalty: Whole = 0
    reach: Whole | None = None
    reduction: Whole = 0
    grapple: Whole | None = None
    skills: dict[Word, Whole] = {}
    feats: dict[Word, Whole] = {}
    wielding: dict[Word, Word] = {}
    untrained: tuple[Word, ...] = ()
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
