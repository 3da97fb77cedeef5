"""Trimming of rows to what facts are made of: a recording is held in memory, and nine tenths of it are sheets."""

from typing import Any

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


def trimmed(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a row with the fields that facts are made of."""
    kept = {name: value for name, value in fields.items() if name not in _UNUSED}
    if "caster" in kept:
        kept["caster"] = _combatant(kept["caster"])
    if "targets" in kept:
        kept["targets"] = _combatants(kept["targets"])
    data = kept.get("data")
    if fields.get("event_type") == "combat_state_update" and isinstance(data, dict):
        kept["data"] = data | {"combatants": _combatants(data.get("combatants"))}
    return kept


def _combatants(value: object) -> object:
    return [_combatant(one) for one in value] if isinstance(value, list) else value


def _combatant(value: object) -> object:
    """Return a stat block reduced to identity, points, effects and initiative modifier."""
    if not isinstance(value, dict):
        return value
    kept = {name: held for name, held in value.items() if name in _COMBATANT}
    if isinstance(skills := kept.pop("skills", None), dict):
        kept["skills"] = {"initiative": skills.get("initiative")}
    if "combatants" in kept:
        kept["combatants"] = _combatants(kept["combatants"])
    return kept
