"""Who fights: what is on a sheet, and what of it changes as the fight goes on."""

import random
from dataclasses import dataclass, field
from typing import Any

from tests.lawful.tables.definition_master.sums import Square, attack_bonuses

NO_TOUCH = ("armor", "shield", "natural")
"""The parts of armour class that a touch ignores."""
SPELLS = {"frost": True, "bolt": False}
"""The spells of those who cast, and whether they allow a save."""


@dataclass
class Weapon:
    """A weapon: so many dice of so many faces."""

    name: str
    count: int
    faces: int
    hands: int = 1
    threat: int = 20
    multiplier: int = 2
    reach: bool = False

    @property
    def row(self) -> dict[str, Any]:
        more = {"hands": self.hands, "threat": self.threat, "multiplier": self.multiplier}
        return {
            "name": self.name,
            "dice": f"{self.count}d{self.faces}",
            **more,
            **({"reach": True} if self.reach else {}),
        }


SWORD, AXE, STAFF = Weapon("straight sword", 1, 8), Weapon("axe", 1, 6, multiplier=3), Weapon("staff", 1, 6, hands=2)
DAGGER, GREATSWORD = Weapon("dagger", 1, 4, threat=19), Weapon("greatsword", 2, 6, hands=2, threat=19)
SPEAR, CLUB = Weapon("longspear", 1, 8, hands=2, multiplier=3, reach=True), Weapon("greatclub", 2, 8, hands=2)
SLING, BITE = Weapon("sling", 1, 4), Weapon("bite", 2, 8)
SHIELDS = {"buckler": 4, "full shield": 6, "tower shield": 10}
"""The faces of the die of each shield."""


@dataclass
class Body:
    """A combatant: first its sheet, then what changes."""

    name: str
    weapon: Weapon
    hit_dice: int
    hp_max: int
    abilities: tuple[int, int, int, int]
    base: int
    fortitude: int
    initiative: int
    ac: dict[str, int]
    shield: str = ""
    size: str = "medium"
    speed: int = 30
    feats: dict[str, int] = field(default_factory=dict)
    entries: tuple[dict[str, Any], ...] = ()
    reduction: int = 0
    finesse: bool = False
    casts: bool = False
    untrained: bool = False
    side: str = ""
    # what changes
    hp: int = 0
    nld: int = 0
    state: str = "up"
    failures: int = 0
    automatic: int = 0
    wounds: int = 0
    felled_by: int = 0
    square: Square = (0, 0)
    stances: dict[str, int] = field(default_factory=dict)
    charging: bool = False
    move: int = 0
    standard: int = 0
    swift: int = 0
    slots: list[int] | None = None
    reckless: bool | None = None
    defensive: bool | None = None
    free: list[str] = field(default_factory=list)
    lock: str = "none"
    used: list[str] = field(default_factory=list)
    holds: str | None = None
    lapsed: bool = False
    delays: bool = False
    prone: bool = False
    disarmed: bool = False
    taken: bool = False
    goes_when: bool = False

    @property
    def strength(self) -> int:
        return self.abilities[0]

    @property
    def dexterity(self) -> int:
        return self.abilities[1]

    @property
    def constitution(self) -> int:
        return self.abilities[2]

    @property
    def wisdom(self) -> int:
        return self.abilities[3]

    @property
    def awake(self) -> bool:
        return self.hp > self.nld

    @property
    def status(self) -> str:
        if self.hp:
            return "up" if self.awake else "nld-unconscious"
        return self.state

    @property
    def armour(self) -> int:
        return 10 + sum(self.ac.values()) + sum(self.stances.values())

    @property
    def touch(self) -> int:
        return self.armour - sum(amount for part, amount in self.ac.items() if part in NO_TOUCH)

    @property
    def bonuses(self) -> list[int]:
        return attack_bonuses(self.base)

    @property
    def attack_size(self) -> int:
        return {"large": -1, "huge": -2}.get(self.size, 0)

    @property
    def sheet(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "hp": self.hp_max, "hit_dice": self.hit_dice, "base_attack": self.base, "initiative": self.initiative,
            "speed": self.speed, "ac": self.ac, "size": self.size, "weapons": [self.weapon.row, SLING.row],
            "saves": dict.fromkeys(("fortitude", "reflex", "will"), self.fortitude),
            "wielding": {"primary": self.weapon.name, **({"offhand": self.shield} if self.shield else {})},
            "skills": {"beguile": self.hit_dice + 2, "escape-artist": self.dexterity + self.hit_dice},
            "feats": self.feats, "entries": list(self.entries),
        }  # fmt: skip
        found |= dict(zip(("str", "dex", "con", "wis"), self.abilities, strict=True))
        found |= {"untrained": [self.weapon.name]} if self.untrained else {}
        return found | ({"reduction": self.reduction} if self.reduction else {}) | self._large()

    def _large(self) -> dict[str, Any]:
        reach = {"large": 10, "huge": 15}.get(self.size)
        return {"reach": reach, "unarmed": "1d6"} if reach else {"unarmed": "1d3"}


STONE = {"name": "warding stone", "kind": "ability", "cost": "immediate"}
WARD = {"name": "ward", "kind": "cast", "cost": "swift"}
BELT = {"name": "potion belt"}


def roster(dice: random.Random) -> list[Body]:
    """Return from four to six combatants on two sides, no two alike, with sheets that vary a little."""
    heroes = dice.sample(_heroes(), dice.choice((2, 3)))
    raiders = dice.sample(_raiders(), dice.choice((2, 3)))
    for each in heroes + raiders:
        each.side = "heroes" if each in heroes else "raiders"
        each.hp_max += dice.randint(-3, 12)
        each.hp = each.hp_max
        each.initiative += dice.randint(-1, 1)
        each.untrained = each.size not in {"large", "huge"} and dice.random() < 0.1
    return heroes + raiders


def _heroes() -> list[Body]:
    return [
        Body("ana", SWORD, 6, 40, (4, 2, 2, 0), 6, 7, 2, {"dexterity": 2, "armor": 5, "shield": 2}, "full shield", entries=(STONE,)),
        Body("bo", DAGGER, 5, 26, (0, 4, 1, 1), 3, 2, 8, {"dexterity": 4, "armor": 3}, entries=(BELT,), finesse=True),
        Body("cy", STAFF, 5, 22, (-1, 1, 0, 3), 2, 4, 1, {"dexterity": 1, "size": 1, "deflection": 1}, size="small", speed=20,
             feats={"counterspell": 1}, entries=(WARD, STONE), casts=True),
        Body("dov", GREATSWORD, 11, 80, (3, 1, 3, -1), 11, 10, -1, {"dexterity": 1, "armor": 5}, speed=40,
             feats={"Battle Prowess": 1}, reduction=3),
        Body("pip", SPEAR, 4, 24, (1, 2, 1, 0), 4, 5, 2, {"dexterity": 2, "size": 1, "armor": 3}, size="small", speed=20),
    ]  # fmt: skip


def _raiders() -> list[Body]:
    return [
        Body("kex", AXE, 3, 22, (2, 1, -1, 0), 3, 2, 1, {"dexterity": 1, "armor": 2, "shield": 1}, "buckler", entries=(BELT,)),
        Body("lum", DAGGER, 7, 28, (0, 2, -2, 1), 3, 2, 4, {"dexterity": 2}, entries=(WARD,), casts=True),
        Body("tor", SWORD, 4, 36, (2, 1, 1, 0), 4, 5, 1, {"dexterity": 1, "armor": 6, "shield": 4, "natural": 1}, "tower shield",
             speed=20, entries=(STONE,)),
        Body("gru", CLUB, 8, 60, (5, -1, 3, 0), 7, 9, -1, {"dexterity": -1, "size": -1, "natural": 6}, size="large", speed=40),
        Body("maw", BITE, 12, 90, (8, -2, 5, 0), 9, 13, -2, {"dexterity": -2, "size": -2, "natural": 10}, size="huge"),
        Body("zar", SWORD, 16, 70, (4, 0, 2, 1), 16, 9, 0, {"armor": 6}, feats={"Battle Prowess": 1}),
    ]  # fmt: skip
