"""The monsters and spells of the System Reference Documents, in tables that are read when they are first needed."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from eventstore.paths import path_beside
from projections.toml import read_text


class Damage(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Part of a damage roll: dice with the amount added, and the type; several types if one is chosen."""

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


One = TypeVar("One", Monster, Spell)
EDITIONS = ("2014", "2024")
LONGEST = 60
"""The most characters of a name that are compared with names in the tables."""
PLURALS = (("lves", "lf"), ("men", "man"), ("mice", "mouse"), ("ies", "y"), ("es", ""), ("s", ""))


_MONSTERS, _SPELLS = msgspec.json.Decoder(Monster), msgspec.json.Decoder(Spell)
"""Made at import by one thread: several that make the first decoder of a type together crash the process."""


def monsters(edition: str) -> tuple[Monster, ...]:
    """Return the monsters of an edition, in the order of their ids; none of an edition without a table."""
    return _load_table(edition, "monsters", _MONSTERS)


@lru_cache(maxsize=1024)
def monster_by_reference(reference: str) -> Monster | None:
    """Return the monster with an edition and an id, as in 2014:goblin; None if no table has it."""
    edition, _, name = reference.partition(":")
    return next((one for one in monsters(edition) if one.id == name), None)


def spells(edition: str) -> tuple[Spell, ...]:
    """Return the spells of an edition, in the order of their ids; none of an edition without a table."""
    return _load_table(edition, "spells", _SPELLS)


@cache
def _load_table(edition: str, name: str, decoder: msgspec.json.Decoder[One]) -> tuple[One, ...]:
    if edition not in EDITIONS:
        return ()
    return tuple(decoder.decode_lines(read_text(path_beside(__file__, f"{edition}/{name}.jsonl"))))


def name_key(name: str) -> str:
    """Return a name for comparisons: lower-case words, without apostrophes, joined by hyphens."""
    return "-".join(re.findall(r"[a-z0-9]+", name.casefold().replace("'", "").replace("’", "")))


def exact_record(those: tuple[One, ...], name: str) -> One | None:
    """Return the record of exactly this name, singular or plural; None if there is none."""
    for said in _singulars(name_key(name)):
        if found := next((one for one in those if said in _name_keys(one)), None):
            return found
    return None


def records_meant(those: tuple[One, ...], name: str) -> tuple[One, ...]:
    """Return the records that a name may stand for: exactly this name, else those with its words, in good order."""
    if one := exact_record(those, name):
        return (one,)
    for said in _singulars(name_key(name)):
        words = set(said.split("-"))
        if said and (having := [one for one in those if words <= set(one.id.split("-"))]):
            return tuple(sorted(having, key=lambda one: not one.id.startswith(f"{said}-")))
    return ()


def nearest_records(those: tuple[One, ...], name: str, number: int = 5, like: float = 0.6) -> tuple[One, ...]:
    """Return the records with names most like a name, the nearest first; `like` is the least likeness, 0 to 1."""
    ids = {one.id: one for one in those}
    spelt = [said for said in _singulars(name_key(name)[:LONGEST]) if said]
    from difflib import SequenceMatcher, get_close_matches  # only for a misspelt name

    close = dict.fromkeys(each for said in spelt for each in get_close_matches(said, ids, n=number, cutoff=like))
    best = sorted(close, key=lambda each: -max(SequenceMatcher(None, said, each).ratio() for said in spelt))
    return tuple(ids[each] for each in best[:number])


def with_word_like(those: tuple[One, ...], name: str, like: float) -> tuple[One, ...]:
    """Return the records whose first word is like a name, in the singular or the plural."""
    words = {one.id.partition("-")[0] for one in those}
    from difflib import get_close_matches  # only for a misspelt name

    near = (get_close_matches(said, words, n=1, cutoff=like) for said in _singulars(name_key(name)[:LONGEST]))
    return next((records_beginning(those, found[0]) for found in near if found), ())


def records_beginning(those: tuple[One, ...], name: str) -> tuple[One, ...]:
    """Return the records whose names begin with a name, in the singular or the plural, and go on."""
    spelt = [said for said in _singulars(name_key(name)) if said]
    return tuple(one for one in those if any(one.id.startswith(f"{said}-") for said in spelt))


def _name_keys(one: Monster | Spell) -> tuple[str, ...]:
    """Return the names of a record for comparisons: its id, its name, and a name with a comma also in natural order."""
    first, _, then = one.name.partition(", ")
    return (one.id, name_key(one.name), *((name_key(f"{then} {first}"),) if then else ()))


def _singulars(said: str) -> Iterator[str]:
    """Yield a name, and the singulars of which it may be the plural."""
    yield said
    for ending, singular in PLURALS:
        if said.endswith(ending) and len(said) > len(ending):
            yield said.removesuffix(ending) + singular
