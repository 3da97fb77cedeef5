"""What the free reference documents say of spells: level, cost or casting time, concentration."""

import re
from functools import cache

from projections.open_types import Fields


def key(name: str) -> str:
    """Return the letters of a name, by which names are compared: tools leave out apostrophes, dashes and blanks."""
    return re.sub(r"[^a-z]", "", name.casefold())


@cache
def _tables() -> dict[str, dict[str, tuple[str, str]]]:
    import tomllib  # only where a sheet names spells
    from importlib.resources import files

    tables = tomllib.loads(files(__package__).joinpath("spells.toml").read_text("utf-8"))
    return {edition: {key(name): (name, said) for name, said in spells.items()} for edition, spells in tables.items()}


def known(name: str, edition: str) -> Fields | None:
    """Return the entry of a sheet for a spell in an edition, else in the other; None if neither document lists it."""
    tables, named = _tables(), key(name)
    lists = (tables.get(each, {}) for each in ("both", edition, "2014", "2024"))
    name, said = next((each[named] for each in lists if named in each), (name, ""))
    if (match := re.fullmatch(SAID, said)) is None:
        return None
    entry: Fields = {"name": name, "level": int(match["level"])}
    cost = match["cost"]
    entry |= {"cost": cost} if cost else {"time": {"amount": int(match["amount"]), "unit": match["unit"]}}
    return entry | ({"concentration": True} if match["concentration"] else {})


SAID = r"(?P<level>\d) ((?P<cost>action|bonus|reaction)|(?P<amount>\d+) (?P<unit>minute|hour)s?)(?P<concentration>, concentration)?"
"""What the tables say of a spell: level, cost or casting time, concentration."""
