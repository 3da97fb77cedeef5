"""The sheet of a stat block, with the fields of the fifth edition; and the parts of the block without a place on it."""

import re
from collections.abc import Iterator
from math import ceil
from typing import Any

from msgspec import structs

from encounterlog.lineups.stat_blocks import prose
from encounterlog.lineups.stat_blocks.prose import Block, ability_modifier
from projections.rulesets.fifth_edition import spellbook
from projections.rulesets.fifth_edition.srd import sheets as srd, tables

FIRST = "2014"
"""The edition of the creatures that Fantasy Statblocks has itself."""
SPELLCASTING = re.compile(r"\bspellcasting\b|\bpact magic\b", re.IGNORECASE)


def sheet_of(block: Block, edition: str) -> tuple[dict[str, Any], list[str]]:
    """Return the sheet of a stat block, and what of it is left out; raise ValueError if it refers to a creature that is unknown."""
    left_out: list[str] = []
    if block.refers:
        return _sheet_of_document(block, edition)
    if block.unread:
        left_out.append(f"{', '.join(block.unread)[:120]} ({block.name})")
    initiative, proficiency = block.initiative, block.proficiency
    if initiative is None and "dexterity" in block.abilities:
        initiative = ability_modifier(block.abilities["dexterity"])
    if proficiency is None and block.challenge is not None:
        proficiency = 2 + max(0, ceil(block.challenge) - 1) // 4
    sheet = {
        "creature": "character" if block.played else "monster",
        "hp": block.hp,
        "hp_max": block.most if block.most != block.hp else None,
        "ac": block.ac,
        "initiative": initiative,
        "size": block.size.casefold(),
        "abilities": block.abilities,
        "proficiency": proficiency,
        "saves": block.saves,
        "skills": block.skills,
        "speeds": block.speeds,
        **_damage_types(block, left_out),
        **_sheet_features(block, edition, left_out),
    }
    return {name: value for name, value in sheet.items() if value not in (None, "", {})}, left_out


def _sheet_of_document(block: Block, edition: str) -> tuple[dict[str, Any], list[str]]:
    """Return the sheet of the creature of the reference document to which a block refers: that of the fight's edition, else the tool's."""
    for each in dict.fromkeys((edition or FIRST, FIRST)):
        if found := tables.exact_record(tables.monsters(each), block.refers):
            reference = f"{each}:{found.id}"
            says = f"the stat block of {block.refers}, which is not in the note: it joins as {reference}"
            return {"srd": reference} if edition else srd.make_sheet(found, each), [says]
    raise ValueError(
        f"monster: {block.refers[:60]} is of the bestiary of the plugin; neither this note nor the reference document has it; "
        "its fields stand beside its name: name, hp, ac, stats"
    )


def _damage_types(block: Block, left_out: list[str]) -> dict[str, Any]:
    """Return resistances, vulnerabilities and immunities; one that depends on more than the damage type leaves all of its sort unknown."""
    found: dict[str, Any] = {}
    for sort in ("resistances", "vulnerabilities", "immunities"):
        said = getattr(block, sort)
        if said is None:
            continue
        types, others = prose.damage_types(said)
        if others:
            left_out.append(f"{sort} of {block.name}, which depend on more than the type: {'; '.join(others)[:80]}")
        else:
            found[sort] = list(types)
    if "immunities" in found:
        names = (each for text in block.conditions or () for each in re.split(r"[,;]", text))
        found["immunities"] += filter(None, (prose.strip_markup(each).casefold() for each in names))
    return found


def _sheet_features(block: Block, edition: str, left_out: list[str]) -> dict[str, Any]:
    """Return attacks, entries, spellcasting and counted uses, from a block that lists its creature's abilities."""
    if block.features is None and not (block.spells or block.listed):
        return {}
    lines, weapons, entries = [*block.spells], list[dict[str, Any]](), list[dict[str, Any]]()
    attacks, daily, extra = set[int | None](), dict[str, int](), block.played
    for feature in block.features or ():
        name = prose.plain_feature_name(feature.name)
        if SPELLCASTING.search(feature.name):
            lines.append(feature.text)
        elif name:
            if uses := prose.DAILY.search(feature.name):
                daily[name] = int(uses[1])
            extra |= name == "extra attack"
            attacks |= {prose.parse_number_of_attacks(feature.text)} if name == "multiattack" else set()
            if weapon := prose.parse_weapon(structs.replace(feature, name=name)):
                weapons.append(weapon)
            elif name != "multiattack":  # a trait costs nothing, unless it grants a bonus action
                bonus = not feature.cost and "bonus action" in feature.text.casefold()
                entries.append({"name": name, "cost": "bonus" if bonus else feature.cost or "none"})
    cast = prose.parse_spellcasting(lines)
    said = {spellbook.key(name) for name in cast.names}
    cast.names |= {name: None for name in block.listed if spellbook.key(name) not in said}
    if block.legendary:
        left_out.append(f"legendary actions of {block.name}: {', '.join(block.legendary)[:80]}")
    attacks = attacks or (set() if extra else {1})  # without Multiattack it is one, unless Extra Attack may give more
    bonuses = {"ability": cast.ability, "dc": cast.dc, "attack": cast.attack}
    return {
        "attacks": next(iter(attacks)) if weapons and len(attacks) == 1 else None,
        "weapons": _merge_weapons(weapons) or None,
        "entries": [*entries, *_sheet_spells(block.name, cast, edition, left_out)],
        "spellcasting": {name: value for name, value in bonuses.items() if value not in (None, "")},
        "resources": {f"level {level} spell slot": number for level, number in cast.slots.items()} | daily,
    }


def _merge_weapons(weapons: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return weapons, those with the same name merged into one with the values that they share."""
    found: dict[str, dict[str, Any]] = {}
    for each in weapons:
        one = found.setdefault(each["name"], each)
        found[each["name"]] = {key: value for key, value in one.items() if each.get(key) == value}
    return [*found.values()]


def _sheet_spells(who: str, cast: prose.Spells, edition: str, left_out: list[str]) -> Iterator[dict[str, Any]]:
    """Yield spells, with level, cost and concentration; those that the reference documents do not list have the level alone."""
    unknown = []
    for name, level in cast.names.items():
        found = spellbook.entry_fields(name, edition)
        unknown += [] if found else [name]
        yield {"name": name} | (found or {}) | ({"level": level} if level is not None else {})
    if unknown:
        names = ", ".join(unknown)[:80]
        left_out.append(f"cost and concentration of {names}, which no reference document lists ({who})")
