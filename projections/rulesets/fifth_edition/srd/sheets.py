"""Typed sheets: stat blocks by name, fields by the names that stat blocks use, weapons and spells by name alone."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TypeVar

import msgspec

from eventstore.paths import path_beside
from eventstore.wording import visible
from projections.open_types import Fields
from projections.ruleset.documents import OPTION
from projections.rulesets.fifth_edition import spellbook
from projections.rulesets.fifth_edition.figures import ABILITIES, SHORT
from projections.rulesets.fifth_edition.sheet import AT_WILL
from projections.rulesets.fifth_edition.srd import campaigns, tables
from projections.rulesets.fifth_edition.srd.tables import Action, Monster
from projections.state import State
from projections.toml import read_toml

NONE = "none"
"""The word for a combatant that is not the monster whose name it has."""
FOES = "foes"
FIND = "encounter srd NAME finds it"


def completed_fields(_state: State, said: Fields) -> Fields:
    """Return the fields of a sheet, completed with those of its stat block."""
    named = said.get("srd")
    return _sheet_named(named) | said if isinstance(named, str) else said


@cache
def _sheet_named(reference: str) -> Fields:
    """Return the sheet of a monster by edition and id; nothing if no table has it."""
    found = tables.monster_by_reference(reference)
    return make_sheet(found, reference.partition(":")[0]) if found else {}


def unknown_monster(state: State, said: Fields) -> tuple[str, str, str] | None:
    """Return `srd`, a message and a hint if a sheet names an unknown monster; None if it names none or a known one.

    A monster of a campaign brings its stat block, so its sheet states its kind of creature.
    """
    named = said.get("srd")
    if not isinstance(named, str) or named == NONE or _sheet_named(named):
        return None
    edition, colon, name = named.partition(":")
    if edition in tables.EDITIONS and colon:
        pool = tables.monsters(edition)
        near = tables.records_meant(pool, name) or tables.nearest_records(pool, name)
        hint = f"did you mean {', '.join(f'{edition}:{one.id}' for one in near[:5])}?" if near else FIND
        return "srd", f"{edition} has no monster with the id {visible(name[:40])}", hint
    if colon and (edition == state.option(OPTION).partition(" ")[0] or "creature" in said):
        return None
    return "srd", f"{visible(named[:40])} is no monster with its edition", "such as 2014:goblin"


def monster_reference(state: State, said: str) -> Fields:
    """Return the sheet that names the monster that a name stands for; raise ValueError for none or several.

    The name may follow an edition, as in 2014:goblin, or the campaign, whose stat blocks are part of the sheet.
    """
    if said.casefold() == NONE:
        return {"srd": NONE}
    before, colon, rest = said.partition(":")
    table, name = (before, rest) if colon else (state.option("edition"), said)
    if table in tables.EDITIONS:
        pool = tables.monsters(table) if colon else campaigns.known_monsters(state)
    elif (own := campaigns.campaign_of(state)) and own.name == table:
        pool = own.monsters
    else:
        raise ValueError(f"{table[:40]} is no edition", f"{' or '.join(tables.EDITIONS)}")
    those = tables.records_meant(pool, name)
    if len(those) == 1:
        return _naming_fields(those[0], table)
    if those:
        some = ", ".join(one.id for one in those[:8]) + (" …" if those[8:] else "")
        raise ValueError(f"{name[:40]} may be {some}", FIND)
    near = ", ".join(one.id for one in tables.nearest_records(pool, name))
    raise ValueError(f"{table} has no monster {name[:40]}", f"did you mean {near}?" if near else FIND)


def recognize_monster(state: State, name: str, side: str, of_a_kind: bool, sheet: Fields) -> Fields:
    """Return a sheet with the monster of exactly this name, for a combatant that may be a monster.

    That is one of a kind (4 goblins, a guard), one of the foes, and one without hit points, a class and a kind. The typed `srd=none` says that it is no monster.
    """
    if "srd" in sheet:
        return {key: value for key, value in sheet.items() if key != "srd" or value != NONE}
    plain = not {"hp", "hp_max", "notes", "abilities"} & sheet.keys()
    likely = of_a_kind or side == FOES
    if sheet.get("creature") == "character" or not (likely or plain):
        return sheet
    edition = state.option("edition")
    if campaigns.is_missing(state) and not (likely or tables.exact_record(tables.monsters(edition), name)):
        return sheet
    one = tables.exact_record(campaigns.known_monsters(state), name)
    return sheet if one is None else _naming_fields(one, edition) | sheet


def usual_side(_state: State, sheet: Fields) -> str:
    """Return the side of a combatant for which a line states none: a monster of the tables is a foe of the party."""
    return FOES if "srd" in sheet and sheet.get("creature") != "character" else ""


def _naming_fields(one: Monster, edition: str) -> Fields:
    """Return the sheet that names a monster; for one of a campaign, which no table has, with the whole stat block."""
    if not one.edition:
        return {"srd": f"{edition}:{one.id}"}
    known = {name: value for name, value in make_sheet(one, edition).items() if value != {}}
    return {"srd": f"{one.edition}:{one.id}", **known}


def agreeing_monster(name: str, edition: str, sheet: Fields) -> str:
    """Return the edition and id of the monster with a name, if a sheet has its hit points and no number differs; else "".

    A sheet without hit points matches none, since a stat block's hit points could let its combatant fall when it did not. Nor does that of a character.
    """
    points = sheet.get("hp_max", sheet.get("hp"))
    one = tables.exact_record(tables.monsters(edition), re.sub(r"[ #-]*\d+$", "", name)) if points is not None else None
    if one is None or points != one.hp or sheet.get("creature") == "character":
        return ""
    known = make_sheet(one, edition)
    same = all(_agrees(known.get(field), said) for field, said in sheet.items() if field in NUMBERS)
    return f"{edition}:{one.id}" if same else ""


NUMBERS = ("ac", "initiative", "abilities", "proficiency", "saves", "skills", "speeds", "size", "attacks")
"""The fields of a sheet in which an imported creature must agree with the stat block of its name."""


def _agrees(known: object, said: object) -> bool:
    """Return whether a sheet agrees with a stat block; of several numbers, only those count that both have."""
    if isinstance(known, dict) and isinstance(said, dict):
        return all(known[name] == value for name, value in said.items() if name in known)
    return known is None or known == said


MOST_LIKELY = 3
"""The most names offered for a name that no monster has."""
LIKE = 0.8
"""The least likeness of a name and a misspelt one, from 0 to 1."""


def monsters_meant(state: State, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the monster of exactly this name, else those whose names begin with it or are much like it, if they are few."""
    if campaigns.is_missing(state):
        return "", ()
    those = campaigns.known_monsters(state)
    if one := tables.exact_record(those, name):
        return one.id, ()
    near: tuple[Monster, ...] = tables.records_beginning(those, name)
    near = near or tables.nearest_records(those, name, MOST_LIKELY, LIKE) or tables.with_word_like(those, name, LIKE)
    return "", tuple(one.id for one in near if len(near) <= MOST_LIKELY)


def make_sheet(one: Monster, edition: str) -> Fields:
    """Return the sheet of a stat block; a resistance with a condition leaves all of its sort unknown."""
    found: Fields = {
        "creature": "monster",
        "hp": one.hp,
        "ac": one.ac,
        "initiative": one.initiative,
        "size": one.size,
        "abilities": dict(one.abilities),
        "proficiency": one.proficiency,
        "saves": dict(one.saves),
        "skills": dict(one.skills),
        "speeds": dict(one.speeds),
        "weapons": [_weapon_fields(each) for each in one.actions if each.attack and each.cost == "action"],
        "attacks": attack_count(one),
        "entries": [*_entry_fields(one, edition), *_monster_spell_fields(one, edition)],
        "resources": _resource_counts(one),
    }
    limited = {each.to for each in one.qualified}
    for sort in ("resistances", "vulnerabilities", "immunities"):
        if sort not in limited:
            found[sort] = [*getattr(one, sort), *(one.immune_conditions if sort == "immunities" else ())]
    if one.cast:
        said = {"ability": one.cast.ability, "dc": one.cast.dc, "attack": one.cast.attack}
        found["spellcasting"] = {name: value for name, value in said.items() if value not in (None, "")}
    return {name: value for name, value in found.items() if value not in (None, "")}


def _weapon_fields(action: Action) -> Fields:
    """Return an attack as a weapon, with the dice of its first part if it deals that number of those dice each time."""
    dice = [re.match(r"(\d+)d(\d+)", each.dice) for each in action.damage]
    faces = [each[2] for each in dice if each]
    steady = dice and dice[0] and not action.varies and len(faces) == len({*faces})
    found: Fields = {
        "name": action.name.casefold(),
        "dice": dice[0][0] if steady and dice[0] else None,
        "damage_type": action.damage[0].type if action.damage else None,
        "reach": action.reach,
        "recharge": action.recharge,
        "range": [*action.range] or None,
    }
    return {name: value for name, value in found.items() if value not in (None, "")}


def attack_count(one: Monster) -> int | None:
    """Return the number of attacks in a monster's Attack action, by its Multiattack; None if that states no number."""
    named = {each.name.casefold() for each in one.actions if each.attack}
    if not one.multiattack:
        return 1
    counts = [sum(number for name, number in each.items() if _name_parts(name) & named) for each in one.multiattack]
    return max(counts) or None


def _name_parts(name: str) -> set[str]:
    return {*re.split(r" or | and ", name.casefold())}


GIVE_A_BLOW = {"haste", "flying sword"}
"""The actions of monsters that give a blow as a bonus action (clay golem, solar)."""


def _entry_fields(one: Monster, edition: str) -> Iterator[Fields]:
    """Yield traits, and actions that are no attacks; one that may be part of a Multiattack has no cost of its own.

    In 2014 a Multiattack names them; in 2024 its words may also let others replace an attack.
    """
    parts = {part for each in one.multiattack for name in each for part in _name_parts(name)}
    acts = {each.name.casefold(): each for each in one.actions if not each.attack and each.cost != "legendary"}
    yield from ({"name": name, "cost": "none"} for name in one.traits if name not in acts)
    for name, each in acts.items():
        cost = "none" if each.cost == "trait" else each.cost
        may_be_part = one.multiattack and (edition != "2014" or name in parts | GIVE_A_BLOW)
        found: Fields = {"name": name} if cost == "action" and may_be_part else {"name": name, "cost": cost}
        if each.save:
            half = {"half": True} if each.save.success == "half" else {}
            dc = {} if each.save.dc is None else {"dc": each.save.dc}
            found["allows_save"] = {"save": each.save.ability, **dc, **half}
        if each.recharge:
            found["recharge"] = each.recharge
        yield found


def _monster_spell_fields(one: Monster, edition: str) -> Iterator[Fields]:
    """Yield the spells of a monster, with level, cost and concentration, and whether they are at will."""
    if one.cast is None:
        return
    for name in (*one.cast.spells, *one.cast.daily):
        free: Fields = {"attributes": [AT_WILL]} if name in one.cast.at_will else {}
        yield (spellbook.entry_fields(name, edition) or {"name": name.replace("-", " ")}) | free


def _resource_counts(one: Monster) -> dict[str, int]:
    slots = enumerate(one.cast.slots if one.cast else (), 1)
    found = {f"level {level} spell slot": number for level, number in slots if number}
    return found | {each.name.casefold(): each.uses for each in one.actions if each.uses}


Kind = TypeVar("Kind", list[object], Fields)

SKILLS = (
    "acrobatics", "animal handling", "arcana", "athletics", "deception", "history", "insight", "intimidation", "investigation",
    "medicine", "nature", "perception", "performance", "persuasion", "religion", "sleight of hand", "stealth", "survival",
)  # fmt: skip

PLACES: dict[str, str] = {
    "armor class": "ac",
    "armour class": "ac",
    "hit points": "hp",
    "hit point maximum": "hp_max",
    "max hp": "hp_max",
    "temporary hit points": "temp",
    "proficiency bonus": "proficiency",
    "speed": "speeds.walk",
    **{mode: f"speeds.{mode}" for mode in ("walk", "fly", "swim", "climb", "burrow")},
    "spell save dc": "spellcasting.dc",
    "spell attack": "spellcasting.attack",
    "spellcasting ability": "spellcasting.ability",
    "damage resistances": "resistances",
    "damage vulnerabilities": "vulnerabilities",
    "damage immunities": "immunities",
    "condition immunities": "immunities",
    "spells": "entries",
    **{ability: f"abilities.{ability}" for ability in ABILITIES},
    **{short: f"abilities.{ability}" for short, ability in SHORT.items()},
    **{f"{each} save": f"saves.{SHORT.get(each, each)}" for each in (*ABILITIES, *SHORT)},
    **{skill: f"skills.{skill}" for skill in SKILLS},
}
"""The fields of the sheet by their names in the reference documents; after a dot, the part of a field."""


def typed_fields(state: State, said: Fields, sheet: msgspec.Struct | None) -> Fields:
    """Return the fields of a typed sheet; parts of a field and words of a list are added to those it has already.

    Weapons and spells given by name are those of the reference documents. Raises ValueError if a field is typed twice.
    """
    found: Fields = {}
    places = [PLACES.get(name.casefold().replace("_", " "), name) for name in said]
    for place, value in zip(places, said.values(), strict=True):
        if place == "srd":
            found = monster_reference(state, str(value)) | found
            continue
        field, _, part = place.partition(".")
        if field in WORDS and isinstance(value, str):
            own = found.get(field, _present_field(sheet, field, list))
            more = _list_fields(state, field, _split_words(value))
            found[field] = [*own, *(each for each in more if each not in own)]
        elif field in WORDS and isinstance(value, list):
            found[field] = _list_fields(state, field, value)
        elif places.count(place) > 1 or (part and field in places):
            raise ValueError(f"{part or field} is said twice")
        elif place == "slots":
            found["resources"] = _present_field(sheet, "resources", dict) | _slot_counts(value)
        elif part:
            found[field] = found.get(field, _present_field(sheet, field, dict)) | {part: value}
        else:
            found[field] = value
    return found


def _list_fields(state: State, field: str, those: Iterable[object]) -> list[object]:
    return [WORDS[field](state, each) if isinstance(each, str) else each for each in those]


def _slot_counts(value: object) -> Fields:
    """Return spell slots by their names, from the numbers of slots of each level from the first on."""
    numbers = [*_split_words(value)] if isinstance(value, str) else value if isinstance(value, list) else [value]
    if not all(str(each).isdigit() for each in numbers):
        raise ValueError("slots are the numbers of each level from the first on, such as 4,3,2")
    return {f"level {level} spell slot": int(each) for level, each in enumerate(numbers, 1)}


def _present_field(sheet: msgspec.Struct | None, field: str, kind: type[Kind]) -> Kind:
    return kind(msgspec.to_builtins(getattr(sheet, field, None)) or ())


def _split_words(text: str) -> Iterator[str]:
    return (each for each in (part.strip() for part in text.split(",")) if each)


def weapon_fields(name: str, edition: str) -> Fields:
    """Return the fields of a weapon in the reference document of an edition; only the name of an unknown one."""
    tables = _weapon_tables()
    folded = name.casefold()
    return {"name": folded} | tables["both"].get(folded, {}) | tables.get(edition, {}).get(folded, {})


@cache
def _weapon_tables() -> dict[str, dict[str, Fields]]:
    return read_toml(path_beside(__file__, "../weapons.toml"), dict[str, dict[str, Fields]])


def _spell_fields(state: State, name: str) -> Fields:
    """Return the fields of a spell, from the log's campaign, else the document; only the name while that is missing."""
    if own := campaigns.campaign_spell(state, name):
        return dict(msgspec.to_builtins(spellbook.make_entry(own)))
    listed = None if campaigns.is_missing(state) else spellbook.entry_fields(name, state.option("edition"))
    return listed or {"name": name}


WORDS: dict[str, Callable[[State, str], object]] = {
    **dict.fromkeys(("resistances", "vulnerabilities", "immunities", "untrained"), lambda _state, word: word),
    "weapons": lambda state, word: weapon_fields(word, state.option("edition")),
    "entries": _spell_fields,
}
"""The fields that are lists, each with a function that returns the meaning of a word in a log."""
