"""Who is at the table: scores, weapons, spells, slots, and what is left of them."""

import random
from dataclasses import dataclass, field
from typing import Any

Square = tuple[int, int]
WEAPONS: dict[str, dict[str, Any]] = {
    "longsword": {"dice": "1d8", "damage_type": "slashing", "properties": []},
    "greatclub": {"dice": "2d8", "damage_type": "bludgeoning", "properties": []},
    "spear": {"dice": "1d6", "damage_type": "piercing", "properties": []},
    "scimitar": {"dice": "1d6", "damage_type": "slashing", "properties": ["light"]},
    "shortsword": {"dice": "1d6", "damage_type": "piercing", "properties": ["light"], "ability": "dexterity"},
    "longbow": {"dice": "1d8", "damage_type": "piercing", "properties": [], "range": [150, 600]},
}
MELEE = [name for name, weapon in WEAPONS.items() if "range" not in weapon]
ENTRIES: dict[str, dict[str, Any]] = {
    "fire bolt": {"cost": "action", "level": 0, "range": "120 ft"},
    "sacred flame": {"cost": "action", "level": 0, "range": "120 ft"},
    "burning hands": {"cost": "action", "level": 1, "range": "120 ft"},
    "cure wounds": {"cost": "action", "level": 1, "range": "touch"},
    "healing word": {"cost": "bonus", "level": 1, "range": "120 ft", "components": ["verbal"]},
    "shield": {"cost": "reaction", "level": 1, "range": "self", "answers": "attack"},
    "bless": {"cost": "action", "level": 1, "range": "120 ft", "concentration": True},
    "bane": {"cost": "action", "level": 1, "range": "120 ft", "concentration": True},
    "web": {"cost": "action", "level": 2, "range": "120 ft", "concentration": True},
    "hold person": {"cost": "action", "level": 2, "range": "120 ft", "concentration": True},
}
TRAITS: dict[str, dict[str, Any]] = {
    "rally": {"cost": "action"},
    "second wind": {"cost": "bonus"},
    "cunning action": {"cost": "bonus"},
}
ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
IDS = ("ana", "bo", "cy", "dov", "kex")
KINDS = ("slashing", "piercing", "bludgeoning", "fire", "radiant")
GRID = [(x, y) for x in range(8) for y in range(6)]
"""The squares of the ground; no two combatants are more than 40 feet apart."""
IMPLIED = {
    "paralyzed": {"incapacitated"},
    "petrified": {"incapacitated"},
    "stunned": {"incapacitated"},
    "unconscious": {"incapacitated", "prone"},
}
STILL = {"grappled", "restrained", "paralyzed", "petrified", "unconscious"}
"""The conditions with speed 0 in both editions."""


@dataclass
class Lasting:
    """Something that lasts: an effect or a condition, on a combatant, until a turn or for as long as its source concentrates."""

    name: str
    seq: int
    bearers: list[str]
    source: str = ""
    condition: bool = False
    needs: bool = False
    parent: int = 0
    owner: str = ""
    at: str = "start"
    turns: int = 0


@dataclass
class Someone:
    """A combatant, by what its sheet says, and what has become of it."""

    id: str
    side: str
    creature: str
    joined: int
    hp: int
    hp_max: int
    ac: int
    scores: dict[str, int]
    bonus: int
    proficiency: int
    speed: int
    attacks: int
    critical: int
    weapons: list[str]
    entries: dict[str, dict[str, Any]]
    slots: dict[int, int]
    dc: int
    spell_attack: int
    defences: dict[str, list[str]]
    floor: bool
    temp: int = 0
    total: int | None = None
    rank: int = 0
    square: Square = (0, 0)
    dead: bool = False
    stable: bool = False
    character: bool = False
    made: int = 0
    failed: int = 0
    out_cold: bool = False
    prone: bool = False
    rolled: bool = True
    surprised: bool = False
    action: int = 0
    striking: int = 0
    bonus_spent: bool = False
    object: int = 1
    reaction: int = 1
    spent_feet: int = 0
    dashes: int = 0
    struck_with: str = ""
    dodging: bool = False
    disengaged: bool = False
    spells: list[tuple[str, int]] = field(default_factory=list)
    slots_spent: int = 0

    def mod(self, ability: str) -> int:
        return (self.scores[ability] - 10) // 2

    @property
    def zero(self) -> bool:
        return self.hp <= 0

    def sheet(self) -> dict[str, Any]:
        said: dict[str, Any] = {
            "hp": self.hp,
            "hp_max": self.hp_max,
            "ac": self.ac,
            "initiative": self.bonus,
            "abilities": self.scores,
            "proficiency": self.proficiency,
            "speeds": {"walk": self.speed},
            "size": "medium",
            "attacks": self.attacks,
            "weapons": [{"name": name, **WEAPONS[name]} for name in self.weapons],
            "entries": [{"name": name, **entry} for name, entry in self.entries.items()],
            "spellcasting": {"dc": self.dc, "attack": self.spell_attack},
            "resources": {f"level {level} spell slot": left for level, left in self.slots.items()},
            **self.defences,
        }
        if self.creature:
            said["creature"] = self.creature
        if self.critical < 20:
            said["critical"] = self.critical
        if self.floor:
            said["hp_floor"] = 0
        return said


def somebody(dice: random.Random, who: str, joined: int, floor: str) -> Someone:
    """Return a combatant of this name; only monsters have no floor of their hit points, where the sheet decides it."""
    scores = {ability: dice.randint(7, 19) for ability in ABILITIES}
    hp_max = dice.choice((5, 9, 14, 22, 30, 44))
    creature = dice.choice(("character", "character", "character", "monster", "monster", ""))
    proficiency = dice.randint(2, 4)
    caster = dice.random() < 0.6
    names = dice.sample(list(ENTRIES), dice.randint(2, 7)) if caster else []
    names += [name for name in TRAITS if dice.random() < 0.3]
    known = dice.random() < 0.8
    defences = {
        field: dice.sample(KINDS, dice.choice((0, 0, 1, 2)))
        for field in ("resistances", "vulnerabilities", "immunities")
    }
    return Someone(
        who,
        dice.choice(("heroes", "raiders")),
        creature,
        joined,
        dice.choice((hp_max, hp_max, max(1, hp_max - 3))),
        hp_max,
        dice.randint(10, 18),
        scores,
        (scores["dexterity"] - 10) // 2 + dice.choice((0, 0, 2)),
        proficiency,
        dice.choice((20, 25, 30, 40)),
        dice.choice((1, 1, 2, 3)),
        dice.choice((20, 20, 20, 19)),
        [*dice.sample(MELEE, dice.randint(2, 3)), "longbow"],
        {name: (ENTRIES | TRAITS)[name] for name in names},
        {1: dice.randint(0, 3), 2: dice.randint(0, 2)} if caster else {},
        8 + dice.randint(3, 7),
        dice.randint(3, 8),
        defences if known else {},
        floor == "sheet" and creature == "character",
        character=creature == "character",
    )
