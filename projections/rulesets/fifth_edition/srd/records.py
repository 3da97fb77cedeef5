"""The facts of a monster and of a spell: names, numbers, types and enumerations of the System Reference Documents."""

from typing import Literal

from msgspec import Struct


class Damage(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Part of a damage roll: dice with the amount added to them, and the type; several types if one of them is
    chosen.
    """

    dice: str
    type: str = ""
    types: tuple[str, ...] = ()
    step: str = ""
    """The dice that each level of the slot above the spell's own adds."""


class Save(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A saving throw that an effect asks for."""

    ability: str
    dc: int | None = None
    success: Literal["half", "none", "other"] = "none"
    """The part of the damage that a success leaves."""


class Area(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The area of an effect; feet of its length or radius."""

    shape: str
    feet: int


class Action(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Something that a stat block lets a monster do."""

    name: str
    cost: Literal["action", "bonus", "reaction", "legendary", "trait"] = "action"
    attack: Literal["", "melee", "ranged", "melee or ranged"] = ""
    spell: bool = False
    """Whether its attack is a spell attack."""
    hit: int | None = None
    """The bonus of its attack roll."""
    reach: int | None = None
    range: tuple[int, ...] = ()
    """The range in feet: normal and, if there is one, long."""
    damage: tuple[Damage, ...] = ()
    varies: bool = False
    """Whether it sometimes deals another number of the same dice, like a swarm that has lost half its points."""
    save: Save | None = None
    area: Area | None = None
    conditions: tuple[str, ...] = ()
    """The conditions that it imposes."""
    recharge: int | None = None
    """The lowest face of a d6 on which it is ready again."""
    rest: bool = False
    """Whether a rest makes it ready again."""
    uses: int | None = None
    """The number of uses a day."""
    price: int = 1
    """The number of legendary actions that it costs."""


class Cast(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The spells of a monster."""

    ability: str = ""
    dc: int | None = None
    attack: int | None = None
    slots: tuple[int, ...] = ()
    """The number of slots of each level, from the first on."""
    spells: tuple[str, ...] = ()
    """Spells at will, or with slots."""
    at_will: tuple[str, ...] = ()
    """Those of a caster with slots that take none, besides cantrips."""
    daily: dict[str, int] = {}
    """Spells with the number of castings a day."""


class Unless(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Types of damage with a resistance, immunity or vulnerability, unless the attack is one of these."""

    to: Literal["resistances", "immunities", "vulnerabilities"]
    types: tuple[str, ...]
    unless: tuple[str, ...]


class Monster(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The stat block of a monster; None, or a missing field, is unknown."""

    id: str
    name: str
    edition: str = ""
    """The campaign to which it belongs; "" for one of a reference document."""
    size: str = ""
    type: str = ""
    cr: str = ""
    ac: int | None = None
    hp: int | None = None
    hit_dice: str = ""
    initiative: int | None = None
    proficiency: int | None = None
    speeds: dict[str, int | bool] = {}
    abilities: dict[str, int] = {}
    saves: dict[str, int] = {}
    skills: dict[str, int] = {}
    senses: dict[str, int] = {}
    resistances: tuple[str, ...] = ()
    vulnerabilities: tuple[str, ...] = ()
    immunities: tuple[str, ...] = ()
    qualified: tuple[Unless, ...] = ()
    immune_conditions: tuple[str, ...] = ()
    multiattack: tuple[dict[str, int], ...] = ()
    """The alternatives of its Multiattack, each the number of each attack; 0 if something else decides the number."""
    actions: tuple[Action, ...] = ()
    traits: tuple[str, ...] = ()
    cast: Cast | None = None
    legendary: int | None = None
    """The number of its legendary actions."""
    legendary_resistance: int | None = None
    """The number of failed saves a day that it can make successes."""


class Duration(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How long a spell or its casting lasts."""

    unit: str
    amount: int | None = None


class Spell(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The facts of a spell; None, or a missing field, is unknown or nothing."""

    id: str
    name: str
    edition: str = ""
    """The campaign to which it belongs; "" for one of a reference document."""
    level: int = 0
    school: str = ""
    cost: Literal["", "action", "bonus", "reaction"] = ""
    time: Duration | None = None
    """The time of its casting, if that is more than an act."""
    ritual: bool = False
    range: int | str | None = None
    """Feet, or self, touch, sight, unlimited, special."""
    components: tuple[str, ...] = ()
    duration: Duration | None = None
    concentration: bool = False
    attack: Literal["", "melee", "ranged"] = ""
    save: Save | None = None
    damage: tuple[Damage, ...] = ()
    by_level: dict[str, str] = {}
    """The dice of a cantrip, by the level of the character."""
    by_slot: dict[str, str] = {}
    """The dice by the level of the slot, if the document lists them."""
    area: Area | None = None
    conditions: tuple[str, ...] = ()
    """The conditions that it imposes."""
    healing: str = ""
    """The dice that it heals; `mod` is the spellcasting modifier."""
    healing_step: str = ""
    """The dice that each level of the slot above the spell's own adds."""
    targets: int | None = None
    """The number of targets, if it is fixed."""
    targets_step: int = 0
    """The number of further targets for each level of the slot above the spell's own."""
