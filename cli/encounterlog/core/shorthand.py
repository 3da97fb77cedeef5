"""Short forms that the edge accepts: "1 round" for a time, "attack" for an action. The log contains the objects."""

import re
from collections.abc import Callable
from typing import Any

_AMOUNT = r"(\d{1,16}) ?([a-z]+)"
_UNITS = {"feet": "ft", "foot": "ft", "metre": "m", "metres": "m", "meter": "m", "meters": "m"}
_WHOLE_UNITS = frozenset({"ft", "m"})


def expanded(fact: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON value of a fact with objects in the place of short forms, in nested facts too."""
    return {name: _member(name, value) for name, value in fact.items()}


def _member(name: str, value: Any) -> Any:
    if isinstance(value, str) and name in SHORT:
        return SHORT[name](value)
    if isinstance(value, dict) and name in HOLDING:
        return expanded(value)
    if isinstance(value, list) and name in HOLDING:
        return [_item(name, each) if isinstance(each, dict) else each for each in value]
    return value


def _item(name: str, value: dict[str, Any]) -> dict[str, Any]:
    """Return an object of a list with objects in the place of short forms, but for the duration of an entry, which is text."""
    return expanded(value) | ({"duration": value["duration"]} if name == "entries" and "duration" in value else {})


def _measure(text: str) -> Any:
    """Return amount and unit, the unit in the singular; other text is returned as it is, and refused later."""
    found = re.fullmatch(_AMOUNT, text)
    if found is None:
        return text
    unit = _UNITS.get(found[2], found[2] if found[2] in _WHOLE_UNITS else found[2].removesuffix("s"))
    return {"amount": int(found[1]), "unit": unit or found[2]}


def _action(text: str) -> Any:
    """Return an action from its kind and, after a blank, its name: "attack", "cast sleep"."""
    kind, _, called = text.strip().partition(" ")
    return {"kind": kind} | ({"name": called.strip()} if called else {}) if kind else text


SHORT: dict[str, Callable[[str], Any]] = {
    "time": _measure,
    "delay": _measure,
    "duration": _measure,
    "distance": _measure,
    "action": _action,
}
"""The fields that have a short form; none of them is text in any type of fact, outside of entries."""
HOLDING = frozenset({"action", "aim", "replacement", "fact", "sheet", "entries"})
"""The fields whose objects, or lists of objects, may contain such fields."""
EXAMPLES = {
    **dict.fromkeys(("time", "delay", "duration"), 'such as "1 round", or {"amount":1,"unit":"round"}'),
    "distance": 'such as "30 ft", or {"amount":30,"unit":"ft"}',
    "action": 'such as "attack", or {"kind":"attack","name":"sword","targets":["orc-1"]}',
}
"""The hints for values that are neither the short form nor the object."""
