"""The card of a combatant: defences, attacks and spells in numbers, from a stat block if the sheet names one."""

from collections.abc import Iterator

from msgspec import to_builtins

from projections import card as common
from projections.fight import Combatant
from projections.open_types import Fields
from projections.rulesets.fifth_edition.sheet import Sheet
from projections.rulesets.fifth_edition.srd import tables
from projections.rulesets.fifth_edition.srd.records import Action, Monster, Spell
from projections.state import State


def card(state: State, one: Combatant) -> Fields:
    """Return the known numbers of a combatant: those that others must meet, its attacks and its spells."""
    monster = _monster(one.sheet.srd)
    attacks = [*_of_monster(monster)] if monster else [*common.attacks(one.sheet)]
    return common.defences(one.sheet) | {"attacks": attacks, "spells": [*_spells(state, one.sheet)]}


def _monster(reference: str | None) -> Monster | None:
    edition, _, name = (reference or "").partition(":")
    return next((one for one in tables.monsters(edition) if one.id == name), None) if name else None


def _of_monster(one: Monster) -> Iterator[Fields]:
    """Yield a monster's attacks, and its actions that ask for a save or deal damage."""
    for each in one.actions:
        if each.attack or each.save or each.damage:
            yield _numbers(each) | {"name": each.name, "cost": each.cost, "often": _often(each)}


def _often(one: Action) -> str:
    uses = f"{one.uses} a day" if one.uses else ""
    return uses or (f"recharge {one.recharge}" if one.recharge else "")


def _numbers(one: Action | Spell) -> Fields:
    damage = [{"dice": each.dice, "type": each.type or (each.types[0] if each.types else "")} for each in one.damage]
    found: Fields = {"attack": bool(one.attack), "damage": damage}
    found |= {"hit": one.hit, "reach": one.reach, "range": [*one.range]} if isinstance(one, Action) else {}
    return found | ({"save": to_builtins(one.save)} if one.save else {}) | {"conditions": [*one.conditions]}


def _spells(state: State, sheet: Sheet) -> Iterator[Fields]:
    """Yield the spells of a sheet, with the numbers of the reference document if its edition lists them."""
    casting = sheet.spellcasting
    known = tables.spells(state.options.get("edition", ""))
    for each in common.spells(sheet.entries):
        one = tables.exactly(known, each.name) if known else None
        numbers: Fields = _numbers(one) if one else {"attack": False, "damage": []}
        if one and one.save and casting and one.save.dc is None:
            numbers["save"] = to_builtins(one.save) | {"dc": casting.dc}
        hit = casting.attack if casting else None
        yield {"name": each.name, "level": each.level, "hit": hit, "spell": True} | numbers
