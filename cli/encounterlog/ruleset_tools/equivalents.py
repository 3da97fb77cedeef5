"""The changes that change nothing: a list in TOML, with the reason of each.

    [[place]]
    function = "order.missing_dice"
    line = "first = min((rolled.seq for rolled in state.dice.values()), default=0)"
    change = "0 becomes 1"
    reason = "no fact after the first has seq 0 or 1"

Function, line and change are as the tool prints them.
"""

import tomllib
from pathlib import Path

FIELDS = {"function", "line", "change", "reason"}

Name = tuple[str, str, str]


class ListError(Exception):
    """A mistake in a list; the message says where and what it is."""


def listed(path: Path) -> dict[Name, str]:
    """Return the places that are listed in a file, by name, each with its reason; raise ListError."""
    try:
        entries = tomllib.loads(path.read_text("utf-8")).get("place", [])
    except tomllib.TOMLDecodeError as error:
        raise ListError(f"{path.name} cannot be read: {error}") from None
    found: dict[Name, str] = {}
    for number, entry in enumerate(entries, 1):
        if entry.keys() != FIELDS or not all(isinstance(word, str) and word.strip() for word in entry.values()):
            raise ListError(f"{path.name}, place {number}: it needs {', '.join(sorted(FIELDS))}, in words")
        name = entry["function"], entry["line"], entry["change"]
        if name in found:
            raise ListError(f"{path.name}, place {number}: it is listed twice")
        found[name] = entry["reason"]
    return found
