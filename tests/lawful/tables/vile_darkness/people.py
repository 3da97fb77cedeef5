"""The people of a fight: what stands on their sheets, and how each stands in it."""

import random
from dataclasses import dataclass, field
from typing import Any

from tests.lawful.tables.vile_darkness.sums import Square, hit_points

NAMES = ["ada", "bram", "cleo", "dov", "eli", "fang", "gog", "hush", "ivo", "jen", "kell", "lum", "moth", "nib", "oda"]
SIDES = ("heroes", "orcs", "wolves")
SHIELD = "small shield"
OPTIONS = {
    "attack-while-maintaining": "ends-effect",
    "beside-complex": "nothing",
    "delay-time": "one-segment",
    "delayed-first-routine": "step-four",
    "diagonals": "counted-squares",
    "free-attack-weapons": "primary-hand",
    "go-first-place": "after-charge",
    "go-last-place": "before-spells",
    "invocation-concentration": "all",
    "last-segment": "closed",
    "middle-group": "high",
    "no-weapon-speed": "first",
    "same-letter": "at-once",
    "spell-order": "initiative-first",
    "surprise-lasts": "first-round",
    "surprised-immediate-attack": "allowed",
    "voluntary-declaration": "binding",
    "weapon-speed": "dice-tie",
}
"""Options that lawful play sets now and then, with the other value."""


@dataclass(frozen=True)
class Weapon:
    """A weapon, or a natural one, which has no speed."""

    name: str
    faces: int
    speed: int | None = None
    attacks: int = 1
    dice: int = 1
    magic: int = 0

    def entry(self) -> dict[str, Any]:
        """Return its line on a sheet."""
        line: dict[str, Any] = {"name": self.name, "attacks": self.attacks, "dice": f"{self.dice}d{self.faces}"}
        return line | ({"speed": self.speed} if self.speed else {}) | ({"magic": self.magic} if self.magic else {})


@dataclass(frozen=True)
class Spell:
    """An incantation, or an item that is activated (an invocation); `time` in segments, `range` in feet (0: no target)."""

    name: str
    kind: str
    time: int
    range: int = 0
    lasting: bool = False

    def entry(self) -> dict[str, Any]:
        """Return its line on a sheet; what takes one segment need not say so if it is an invocation."""
        line: dict[str, Any] = {"name": self.name, "kind": self.kind, "range": self.range}
        timed = (
            {}
            if self.kind == "invocation" and self.time == 1
            else {"time": {"amount": 1, "unit": "round"} if self.time == 10 else self.time}
        )
        return line | timed | ({"concentration": True} if self.lasting else {})


SPELLS = (
    Spell("spark", "incantation", 3, 120),
    Spell("bolt", "incantation", 2, 90),
    Spell("dust", "incantation", 1, 90),
    Spell("ray", "incantation", 4, 25),
    Spell("glimmer", "incantation", 2),
    Spell("ward", "incantation", 7),
    Spell("bless", "incantation", 10),
    Spell("charm", "incantation", 9, 120),
    Spell("storm", "incantation", 13, 120),
    Spell("mist", "incantation", 2, 90, lasting=True),
    Spell("pixie light", "incantation", 4, lasting=True),
    Spell("wand of sparks", "invocation", 1, 90),
    Spell("lamp of dawn", "invocation", 1),
    Spell("staff of storms", "invocation", 4, 120),
    Spell("horn of dusk", "invocation", 2),
)
SWORD, AXE, MACE, SPEAR = Weapon("sword", 8, 5), Weapon("axe", 8, 7), Weapon("mace", 6, 6), Weapon("spear", 6, 8)
KEEN, DIRK = Weapon("keen sword", 8, 5, magic=2), Weapon("dirk", 4, 5)
CLAW, BITE = Weapon("claw", 8, attacks=2), Weapon("bite", 6, dice=2)
BOW, SLING = Weapon("short bow", 6, attacks=2), Weapon("sling", 4)
ARMS = ((SWORD,), (AXE,), (MACE,), (SPEAR,), (KEEN,), (SWORD, DIRK))


@dataclass
class Casting:
    """A casting or activation from its declaration on, by the seq of that; it ends in segment `due` of round `round_due`.

    `deep` says that it needs concentration.
    """

    spell: Spell
    seq: int
    round: int
    round_due: int = 0
    due: int = 0
    targets: tuple[str, ...] = ()
    object: str = ""
    deep: bool = True


@dataclass
class Turn:
    """A combatant's declarations, deeds and plans in a round.

    `low` and `delayed` hold from when it is settled that they will come, `delayed` in the facts from the slot `since` on,
    in which a delay is announced; `shift` says whether that is planned or recorded.
    `foreseen` says that its casting is broken by something that only minors still to come bring into its segments.
    """

    said: str = ""
    seq: int = 0
    at: str = ""
    low: bool = False
    delayed: bool = False
    since: str = ""
    shift: str = ""
    minors: int = 0
    spent: bool = False
    done: bool = False
    busy: bool = False
    freely: bool = False
    moves: bool = False
    foreseen: bool = False


@dataclass
class One:
    """A combatant: its sheet, and how it stands."""

    id: str
    side: str
    hp: int
    ac: int
    aac0: int
    starred: bool = False
    arms: tuple[Weapon, ...] = ()
    shot: Weapon | None = None
    spells: tuple[Spell, ...] = ()
    memorized: dict[str, int] = field(default_factory=dict)
    innate: str = ""
    routines: int = 1
    goes: str = ""
    walk: int = 60
    fly: int = 0
    shield: bool = False
    faces: tuple[int, ...] = ()
    bonus: int = 0
    square: Square = (0, 0)
    top: int = 0
    engaged: set[str] = field(default_factory=set)
    surprised: bool = False
    out: bool = False
    left: bool = False
    casting: Casting | None = None
    maintains: tuple[str, int, int] | None = None
    upon: tuple[str, ...] = ()
    work: tuple[str, int, int] | None = None
    turn: Turn = field(default_factory=Turn)

    @property
    def up(self) -> bool:
        """Whether it is in the fight."""
        return not self.out and not self.left

    @property
    def speed(self) -> int | None:
        """The speed of its weapon."""
        return self.arms[0].speed if self.arms else None

    def sheet(self) -> dict[str, Any]:
        """Return its sheet."""
        entries = [spell.entry() for spell in self.spells] + ([{"name": self.innate}] if self.innate else [])
        weapons = [weapon.entry() for weapon in (*self.arms, *((self.shot,) if self.shot else ()))]
        sheet: dict[str, Any] = {"hp": self.hp, "hp_max": self.top, "ac": self.ac, "aac0": self.aac0}
        more: dict[str, Any] = {
            "aac0_starred": self.starred,
            "ac_parts": {SHIELD: 1} if self.shield else {},
            "hit_dice": len(self.faces),
            "hit_dice_bonus": self.bonus,
            "hp_dice": list(self.faces),
            "routines": self.routines if self.routines > 1 else 0,
            "goes": self.goes,
            "native_modes": ["fly"] if self.fly else [],
            "resources": dict(self.memorized),
            "entries": entries,
            "weapons": weapons,
        }
        speeds = {"walk": self.walk} | ({"fly": self.fly} if self.fly else {})
        return sheet | {"speeds": speeds} | {key: value for key, value in more.items() if value}


def somebody(name: str, side: str, kind: str, d: random.Random) -> One:
    """Return a newcomer of a kind: fighter, archer, veteran, scout, caster, sprite, beast."""
    one = One(name, side, d.randint(8, 40), d.randint(-6, 9), d.randint(12, 20))
    one.starred = one.aac0 == 20 and d.random() < 0.4
    if kind in ("fighter", "veteran"):
        one.arms = d.choice(ARMS)
        one.shield = d.random() < 0.4
    if kind in ("archer", "scout"):
        one.arms, one.shot = (DIRK,), d.choice((BOW, SLING))
    if kind in ("veteran", "scout"):
        one.routines = d.choice((2, 2, 3))
    if kind in ("caster", "sprite"):
        one.arms, one.spells = (MACE,), tuple(d.sample(SPELLS, 5))
        one.memorized = {spell.name: d.randint(2, 4) for spell in one.spells if spell.kind == "incantation"}
        one.fly = 180 if kind == "sprite" else 0
    if kind == "beast":
        one.arms, one.goes = (CLAW, BITE), d.choice(("", "", "first", "last"))
        one.faces, one.bonus = tuple(d.randint(1, 8) for _ in range(d.randint(1, 5))), d.choice((0, 1, 3, 4, 5, 9))
        one.hp = hit_points(one.faces, one.bonus)
    one.innate = d.choice(("", "", "glow")) if kind != "beast" else ""
    one.walk, one.top = d.choice((60, 90, 120)), one.hp
    return one
