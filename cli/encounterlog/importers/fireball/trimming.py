"""Trimming of rows to what facts are made of: a recording is held in memory, and nine tenths of it are stat blocks."""

from typing import Any

Object = dict[str, Any]

_UNUSED = frozenset({"automation", "components", "created_at", "prefix"})
_COMBATANT = frozenset(
    {
        "id",
        "name",
        "type",
        "init",
        "hp",
        "max_hp",
        "temp_hp",
        "ac",
        "controller_id",
        "monster_name",
        "effects",
        "skills",
        "combatants",
    }
)
_BLOCK = frozenset({"stats", "saves", "resistances"})
_BOOK = frozenset({"slots", "max_slots", "dc", "sab"})
_SPELL = frozenset({"dc", "sab"})


class Trimmer:
    """Trims the rows of one recording; stat blocks that are alike are kept once."""

    def __init__(self) -> None:
        self._blocks: dict[str, Object] = {}

    def row(self, fields: Object) -> Object:
        """Return a row with the fields that facts are made of."""
        kept = {name: value for name, value in fields.items() if name not in _UNUSED}
        if "caster" in kept:
            kept["caster"] = self._combatant(kept["caster"])
        if "targets" in kept:
            kept["targets"] = self._combatants(kept["targets"])
        data = kept.get("data")
        if fields.get("event_type") == "combat_state_update" and isinstance(data, dict):
            kept["data"] = data | {"combatants": self._combatants(data.get("combatants"))}
        return kept

    def _combatants(self, value: object) -> object:
        return [self._combatant(one) for one in value] if isinstance(value, list) else value

    def _combatant(self, value: object) -> object:
        """Return a combatant reduced to identity, points, effects and initiative modifier, with its stat block as `block`."""
        if not isinstance(value, dict):
            return value
        kept = {name: held for name, held in value.items() if name in _COMBATANT}
        if isinstance(skills := kept.pop("skills", None), dict):
            kept["skills"] = {"initiative": skills.get("initiative")}
        if "combatants" in kept:
            kept["combatants"] = self._combatants(kept["combatants"])
        return kept | {"block": self._once(str(value.get("name")), _block(value))}

    def _once(self, name: str, block: Object) -> Object:
        """Return a stat block, or the last one of this name if it is the same."""
        last = self._blocks.get(name)
        if last == block:
            return last
        self._blocks[name] = block
        return block


def _block(value: Object) -> Object:
    """Return the parts of a stat block that sheets are made of."""
    kept = {name: held for name, held in value.items() if name in _BLOCK}
    if isinstance(book := value.get("spellbook"), dict):
        spells = book.get("spells")
        listed = [one for one in spells if isinstance(one, dict)] if isinstance(spells, list) else []
        kept["spellbook"] = {name: held for name, held in book.items() if name in _BOOK}
        kept["spellbook"]["spells"] = [{name: held for name, held in one.items() if name in _SPELL} for one in listed]
    if isinstance(attacks := value.get("attacks"), list):
        kept["attacks"] = [_attack(one) for one in attacks if isinstance(one, dict)]
    return kept


def _attack(value: Object) -> Object:
    """Return an attack with the part of its automation that rolls to hit."""
    listed = value.get("automation")
    rolled = (
        [one for one in listed if isinstance(one, dict) and one.get("type") == "target"]
        if isinstance(listed, list)
        else []
    )
    return {"name": value.get("name"), "automation": rolled}
