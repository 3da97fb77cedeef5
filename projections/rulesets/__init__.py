"""The rulesets, named one by one; those of other distributions are found by the entry point group."""

from importlib import import_module
from typing import TYPE_CHECKING

from eventstore.form import nearest
from projections.rulesets.ruleset import Ruleset

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

RULESETS = ("nameless-journey", "osric", "plain", "semiautomagic")
"""The keys of our own rulesets; the package of each has its key's name, with `_` for `-`."""

ENTRY_POINTS = "encounterlog.rulesets"


class UnknownRuleset(LookupError):
    """Says that no ruleset of this key is installed; `hint` names the nearest."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.hint = nearest(key, keys()) or f"installed are {', '.join(keys())}"
        super().__init__(f"no ruleset {key!r} is installed")


def find(key: str) -> Ruleset:
    """Return the ruleset of this key; raise UnknownRuleset. Only its own code is imported."""
    if key in RULESETS:
        found: Ruleset = import_module(f"projections.rulesets.{key.replace('-', '_')}").RULESET
        return found
    for entry in _entry_points():
        if entry.name == key:
            ruleset: Ruleset = entry.load()
            return ruleset
    raise UnknownRuleset(key)


def keys() -> tuple[str, ...]:
    """Return the keys of all rulesets that are installed, our own first."""
    return (*RULESETS, *(entry.name for entry in _entry_points() if entry.name not in RULESETS))


def _entry_points() -> "EntryPoints":
    from importlib.metadata import entry_points  # slow, so only for rulesets of others

    return entry_points(group=ENTRY_POINTS)
