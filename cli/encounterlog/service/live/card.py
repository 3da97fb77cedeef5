"""What the card of a combatant shows beside the state: armour class, attacks and spells as numbers, and what it may do.

A game master asks about everybody. Others ask about their own combatants alone, and get nothing of anybody else.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import to_builtins

from encounterlog import srd
from encounterlog.reading.open_to import open_to
from encounterlog.service.audience_log import AudienceLog
from encounterlog.service.calls import Call, Reply, document
from encounterlog.service.people import ALL_SECRETS
from encounterlog.service.problems import Problem
from encounterlog.text_pages.audit import clause_of
from encounterlog.text_pages.may import said
from projections.explaining.may import Choices
from projections.explaining.past import Past
from projections.rulesets.fifth_edition.srd import tables
from projections.rulesets.fifth_edition.srd.records import Action, Monster, Spell
from projections.rulesets.ruleset import Ruleset
from projections.state import State

HITS = 5
"""How many monsters a search lists."""
ABILITIES = ("str", "dex", "con", "int", "wis", "cha")


def card(call: Call, seen: AudienceLog) -> Reply:
    """Return the card of a combatant."""
    who = call.asked["who"]
    if call.token.role not in ALL_SECRETS and who not in call.token.combatants:
        raise Problem("forbidden", "this is the card of somebody else", "players see the cards of their own combatants")
    choices, past = open_to(seen, who, None)
    state = past.state
    if who not in state.combatants:
        raise Problem("bad-request", "there is no such combatant", field="who")
    found = _numbers(state, who) | {"who": who, "may": [*_may(choices, past)]}
    if call.token.role in ALL_SECRETS:
        found |= {"others": {each: _defences(state, each) for each in state.combatants}}
    return document(found)


def _may(choices: Choices, past: Past) -> Iterator[dict[str, Any]]:
    for one in choices.people:
        for each in one.choices:
            rules = [{"id": rule, "says": clause_of(past.state.rules, rule)} for rule in each.because.rules[:2]]
            yield {
                "status": each.status,
                "kind": each.kind,
                "what": each.what,
                "left": each.left,
                "says": said(each, one, past),
                "rules": rules,
            }


# ---------------------------------------------------------------- numbers of sheets


def _defences(state: State, who: str) -> dict[str, Any]:
    """Return what others have to meet: the armour class, and the bonuses of saves, as far as they are known."""
    sheet: Any = state.combatants[who].sheet
    return {"ac": getattr(sheet, "ac", None), "saves": _saves(sheet)}


def _saves(sheet: Any) -> dict[str, int]:
    scores = {key[:3].lower(): (score - 10) // 2 for key, score in getattr(sheet, "abilities", {}).items()}
    return scores | {key[:3].lower(): bonus for key, bonus in getattr(sheet, "saves", {}).items()}


def _numbers(state: State, who: str) -> dict[str, Any]:
    sheet: Any = state.combatants[who].sheet
    monster = _monster(getattr(sheet, "srd", None))
    attacks = [*_of_monster(monster)] if monster else [*_of_sheet(sheet)]
    return _defences(state, who) | {"attacks": attacks, "spells": [*_spells(state, sheet)]}


def _monster(reference: str | None) -> Monster | None:
    edition, _, name = (reference or "").partition(":")
    return next((one for one in tables.monsters(edition) if one.id == name), None) if name else None


def _of_monster(one: Monster) -> Iterator[dict[str, Any]]:
    """Yield what a stat block lets a monster do to others: attacks, and actions that ask for a save or do damage."""
    for each in one.actions:
        if each.attack or each.save or each.damage:
            yield _plain(each) | {"name": each.name, "cost": each.cost, "often": _often(each)}


def _often(one: Action) -> str:
    uses = f"{one.uses} a day" if one.uses else ""
    return uses or (f"recharge {one.recharge}" if one.recharge else "")


def _plain(one: Action | Spell) -> dict[str, Any]:
    damage = [{"dice": each.dice, "type": each.type or (each.types[0] if each.types else "")} for each in one.damage]
    found: dict[str, Any] = {"attack": bool(one.attack), "damage": damage}
    found |= {"hit": one.hit, "reach": one.reach, "range": [*one.range]} if isinstance(one, Action) else {}
    return found | ({"save": to_builtins(one.save)} if one.save else {}) | {"conditions": [*one.conditions]}


def _of_sheet(sheet: Any) -> Iterator[dict[str, Any]]:
    """Yield the weapons of a sheet; to hit and damage as far as it says what they come from."""
    modifiers = {key[:3].lower(): (score - 10) // 2 for key, score in getattr(sheet, "abilities", {}).items()}
    proficiency = getattr(sheet, "proficiency", None)
    for each in getattr(sheet, "weapons", None) or ():
        ability = (getattr(each, "ability", None) or "str")[:3].lower()
        bonus, more = getattr(each, "bonus", 0) or 0, modifiers.get(ability)
        dice = getattr(each, "dice", None)
        hit = None if more is None or proficiency is None else more + proficiency + bonus
        flat = (more or 0) + bonus
        sum_ = f"{dice}{f'{flat:+}' if flat else ''}" if dice and "d" in dice else ""
        damage = [{"dice": sum_, "type": getattr(each, "damage_type", None) or ""}] if sum_ else []
        yield {"name": each.name if hasattr(each, "name") else str(each), "attack": True, "hit": hit, "damage": damage}
    if (weapon := getattr(sheet, "weapon", None)) and not getattr(sheet, "weapons", None):
        yield {"name": weapon, "attack": True, "hit": None, "damage": []}


def _spells(state: State, sheet: Any) -> Iterator[dict[str, Any]]:
    """Yield the spells of a sheet, with the numbers of the reference document where its edition has them."""
    casting = getattr(sheet, "spellcasting", None)
    known = tables.spells(state.options.get("edition", "")) if hasattr(sheet, "spellcasting") else ()
    for each in getattr(sheet, "entries", None) or ():
        if (each.kind or "").casefold() != "spell":
            continue
        one = tables.exactly(known, each.name) if known else None
        numbers: dict[str, Any] = _plain(one) if one else {"attack": False, "damage": []}
        if one and one.save and casting and one.save.dc is None:
            numbers["save"] = to_builtins(one.save) | {"dc": casting.dc}
        hit = casting.attack if casting else None
        yield {"name": each.name, "level": getattr(each, "level", None), "hit": hit, "spell": True} | numbers


# ---------------------------------------------------------------- monsters by search


def monsters(call: Call) -> Reply:
    """Return the monsters of an edition whose names have words that begin as those asked for, those of exactly these words first."""
    words = tables.key(call.asked["name"]).split("-")
    those = srd.monsters(call.asked.get("edition") or srd.EDITION)
    found = [one for one in those if all(any(part.startswith(word) for part in one.id.split("-")) for word in words)]
    found.sort(key=lambda one: (not one.id.startswith("-".join(words)), len(one.id), one.id))
    rows = [
        {"name": one.name, "id": one.id, "hp": one.hp, "ac": one.ac, "cr": one.cr, "kind": one.type} for one in found
    ]
    return document({"monsters": rows[:HITS]})


def edition_of(rules: Ruleset, chosen: dict[str, str]) -> str:
    """Return the edition of the reference document whose monsters a log knows; "" where its game has none."""
    option = rules.catalogue().find_option("edition")
    return chosen.get("edition", srd.EDITION) if option and {*option.values} <= {*tables.EDITIONS} else ""
