"""What the free reference documents say of spells: level, cost or casting time, concentration."""

import re
from functools import cache
from typing import Any


def key(name: str) -> str:
    """Return the letters of a name, by which names are compared: tools leave out apostrophes, dashes and blanks."""
    return re.sub(r"[^a-z]", "", name.casefold())


@cache
def _tables() -> dict[str, dict[str, tuple[str, str]]]:
    import tomllib  # only where a sheet names spells
    from importlib.resources import files

    tables = tomllib.loads(files(__package__).joinpath("spells.toml").read_text("utf-8"))
    return {edition: {key(name): (name, said) for name, said in spells.items()} for edition, spells in tables.items()}


def known(name: str, edition: str) -> dict[str, Any] | None:
    """Return the entry of a sheet for a spell in an edition, else in the other; None if neither document lists it."""
    tables, other = _tables(), "2014" if edition == "2024" else "2024"
    found = next(
        (tables[each][key(name)] for each in ("both", edition, other) if key(name) in tables.get(each, {})), None
    )
    match = (
        re.fullmatch(r"(\d) (?:(action|bonus|reaction)|(\d+) (minute|hour)s?)(, concentration)?", found[1])
        if found
        else None
    )
    if found is None or match is None:
        return None
    time = {"time": {"amount": int(match[3]), "unit": match[4]}} if match[3] else {"cost": match[2]}
    return {"name": found[0], "level": int(match[1]), **time} | ({"concentration": True} if match[5] else {})
