"""What the documents say that the packages of data leave out or have otherwise: a TOML file beside the module that reads them."""

import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from projections.rulesets.fifth_edition.srd.tables import Monster, Spell


def supplemented(those: Iterable[Monster], module: str) -> Iterator[Monster]:
    """Yield monsters with what the document says of them, and then those that only the document has."""
    more = read(module)
    for one in those:
        yield _with(one, more.pop(one.id, {}))
    for name, said in more.items():
        yield msgspec.convert({"id": name, **said}, Monster)


def _with(one: Monster, said: dict[str, Any]) -> Monster:
    """Return a monster with other fields; raise KeyError for an action that it does not have."""
    acts = dict(said.get("actions", {}))
    actions = [msgspec.to_builtins(each) | acts.pop(each.name, {}) for each in one.actions]
    if acts:
        raise KeyError(f"{one.id} has no action {', '.join(acts)}")
    whole = msgspec.to_builtins(one)
    cast = {"cast": whole["cast"] | said["cast"]} if "cast" in said else {}
    return msgspec.convert(whole | said | cast | {"actions": actions}, Monster)


def supplemented_spells(those: Iterable[Spell], module: str) -> Iterator[Spell]:
    """Yield spells with what the document says of them, and then those that only the document has."""
    more = read(module)
    for one in those:
        yield msgspec.convert(msgspec.to_builtins(one) | more.pop(one.id, {}), Spell)
    for name, said in more.items():
        yield msgspec.convert({"id": name, **said}, Spell)


def read(module: str) -> dict[str, Any]:
    """Return what the file of a module says, by id."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text("utf-8"))
