"""The sheets of the fifth edition: the fields of the bot's stat blocks, apart from points and armour class. Fields that a block
leaves open stay unknown: a list of resistances, vulnerabilities or immunities in which a type of damage
has a condition (such as "unless magical") is left out, and so are spells, whose costs the bot does not keep.
"""

import re
from collections.abc import Iterator
from typing import Any

from encounterlog.importers.fireball.dice import damage_type
from encounterlog.importers.fireball.words import clean, objects, whole, word
from encounterlog.importers.fireball.writer import Event
from encounterlog.lineups.stat_blocks.prose import DAMAGE_TYPES

Block = dict[str, Any]

CREATURES = {"player": "character", "monster": "monster"}
"""The kinds of combatants that the bot has stat blocks of; those that were typed in have one of tens and noughts."""

ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
_DEFENCES = {"resistances": "resist", "vulnerabilities": "vuln", "immunities": "immune"}
_ATTACK = re.compile(r"^\s*(?P<dice>\d+d\d+)?[^\[\]]*(?:\[(?P<note>[^\[\]]*)\])?\s*$")


def sheet_of(kind: str, block: Block) -> Event:
    """Return the sheet of a stat block, for a kind of combatant; nothing for a kind that has none."""
    if kind not in CREATURES:
        return {}
    numbers = _object(block.get("stats"))
    found: Event = {
        "creature": CREATURES[kind],
        "abilities": _whole({name: numbers.get(name) for name in ABILITIES}),
        "proficiency": whole(numbers.get("prof_bonus")),
        "saves": _saves(_object(block.get("saves"))),
        "spellcasting": _spellcasting(_object(block.get("spellbook"))),
        "resources": _slots(_object(block.get("spellbook"))),
        "weapons": list(_weapons(block)),
    }
    given = {name: one for name, one in found.items() if one not in (None, {}, [])}
    return given | _defences(_object(block.get("resistances")))


def _saves(block: Block) -> dict[str, int]:
    return _whole({name: _object(block.get(f"{name}Save")).get("value") for name in ABILITIES})


def _spellcasting(book: Block) -> dict[str, int]:
    """Return the DC and the attack bonus of a combatant's spells, each unless a spell has another."""
    spells = objects(book.get("spells"))
    alike = {
        name: {one[name] for one in spells if one.get(name) is not None} <= {book.get(name)} for name in ("dc", "sab")
    }
    return _whole({field: book.get(name) for field, name in (("dc", "dc"), ("attack", "sab")) if alike[name]})


def _slots(book: Block) -> dict[str, int]:
    """Return how many spell slots are left, for the levels that have any."""
    left = _object(book.get("slots"))
    most = _whole(_object(book.get("max_slots")))
    return _whole({f"level {level} spell slot": left.get(level) for level, count in most.items() if count > 0})


def _defences(block: Block) -> Event:
    """Return the lists of damage types that a combatant resists, doubles or ignores, without any in which a type has a condition."""
    if not block or block.get("neutral"):
        return {}
    found: Event = {}
    for name, key in _DEFENCES.items():
        listed = objects(block.get(key))
        plain = [each for each in listed if not each.get("unless") and not each.get("only")]
        others = [str(each.get("dtype")).casefold() for each in listed if each not in plain]
        if isinstance(block.get(key), list) and not DAMAGE_TYPES & set(others):
            found[name] = [word(each.get("dtype")) for each in plain if each.get("dtype")]
    return found


def _weapons(block: Block) -> Iterator[Event]:
    """Yield the attacks of a stat block, with the dice and type of their damage where that is one sum."""
    for one in objects(block.get("attacks")):
        if isinstance(name := one.get("name"), str) and name.strip():
            yield {"name": word(clean(name).strip())} | _dealt(one)


def _dealt(attack: Block) -> Event:
    """Return an attack's damage, as dice and type, if it has one kind of damage."""
    rows = [
        hit
        for target in objects(attack.get("automation"))
        for roll in objects(target.get("effects"))
        for hit in objects(roll.get("hit"))
    ]
    said = [str(each.get("damage")) for each in rows if each.get("type") == "damage"]
    found = _ATTACK.match(said[0]) if len(said) == 1 else None
    if found is None or found["dice"] is None:
        return {}
    kind = damage_type(found["note"] or "")
    return {"dice": found["dice"]} | ({"damage_type": kind} if kind in DAMAGE_TYPES else {})


def _object(value: object) -> Block:
    return value if isinstance(value, dict) else {}


def _whole(values: dict[str, Any]) -> dict[str, int]:
    """Return the values that are whole numbers."""
    return {name: number for name, value in values.items() if (number := whole(value)) is not None}
