"""Numbers that tools write as text: abilities, speeds, hit points; ValueError for any other text."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.figures import ABILITIES

MODES = ("walk", "fly", "swim", "climb", "burrow")
LARGEST = 10**9
Read = TypeVar("Read")
_SPEED = (
    rf"(?i)(?:({'|'.join(MODES)})(?:ing)?\s+)?(?:speed\s+)?(\d{{1,5}}(?:\s*(?:ft|feet)?\.?\s*[-–]\s*\d{{1,5}})?)\s*"
    r"(?:(?:ft\b|feet\b|foot\b|')\.?([^\d()]*))?(\([^)]*\)[^\d()]*)?[\s.]*"
)


def at(field: str, read: Callable[[Any], Read], said: Any) -> Read:
    """Return the value of a stat block's field, read by a function; raise ValueError with the field's name."""
    try:
        return read(said)
    except ValueError as error:
        raise ValueError(f"{field}: {error}") from None


def ability(word: str) -> str:
    """Return an ability by its name or the first three letters of it."""
    if found := figures.ability(word.strip()):
        return found
    raise ValueError(f"{word[:40]} is no ability; they are {', '.join(ABILITIES)}")


def number(value: Any, what: str, such: str) -> int:
    """Return a number, or the one that a text begins with: 7 (2d6)."""
    if isinstance(value, int) and not isinstance(value, bool):
        found: int | None = value
    elif isinstance(value, float) and value.is_integer():
        found = int(value)
    else:
        match = re.match(r"[\s*_]*([+-]?\d{1,9})(?![\dd.])", value) if isinstance(value, str) else None
        found = int(match[1]) if match else None
    if found is None:
        raise ValueError(f"{str(value)[:40]} is no {what}, such as {such}")
    if abs(found) > LARGEST:
        raise ValueError(f"{str(found)[:12]}… is too large a number for {what}")
    return found


def points(value: Any, what: str, such: str) -> int:
    """Return a number that is not below 0."""
    found = number(value, what, such)
    if found < 0:
        raise ValueError(f"{found} is below 0, and no {what}")
    return found


def of_abilities(pairs: Iterable[tuple[str, Any]]) -> dict[str, int]:
    """Return numbers by the abilities that they are of."""
    return {ability(name): number(value, f"number for {name[:40]}", "4 or +4") for name, value in pairs}


def of_skills(pairs: Iterable[tuple[str, Any]]) -> dict[str, int]:
    """Return bonuses by the skills that they are of."""
    named = ((name.strip().casefold().replace("_", " "), value) for name, value in pairs)
    return {name: number(value, f"bonus of {name[:40]}", "4 or +4") for name, value in named}


def speeds(said: Any) -> dict[str, int | bool]:
    """Return speeds in feet by their modes, from `30 ft., fly 60 ft. (hover)`, a list of these, or a mapping. A speed with
    several figures, such as `30 ft. (40 ft. in wolf form)`, is left out.
    """
    if isinstance(said, Mapping):
        return _mapped(said)
    if isinstance(said, int) and not isinstance(said, bool):
        said = str(said)
    if isinstance(said, list | tuple) and all(isinstance(each, str) for each in said):
        said = ", ".join(said)
    if not isinstance(said, str):
        raise ValueError(f"{str(said)[:40]} is no speed, such as 30 ft., fly 60 ft.")  # noqa: TRY004 – of a file
    found: dict[str, set[int]] = {}
    hovers = False
    for part in filter(None, (each.strip() for each in re.split(r"[,;](?![^(]*\))", said))):
        if re.fullmatch(r"\(\s*hover\b[^)]*\)", part, re.IGNORECASE):
            hovers = True
            continue
        match = re.fullmatch(_SPEED, part)
        if match is None:
            raise ValueError(f"{part[:40]} is no speed, such as 30 ft., or fly 60 ft. (hover)")
        remark = f"{match[3]} {match[4]}"
        feet = map(int, re.findall(r"\d+", f"{match[2]} {remark}"))
        found.setdefault((match[1] or "walk").casefold(), set()).update(feet)
        hovers |= "hover" in remark.casefold()
    known: dict[str, int | bool] = {mode: min(feet) for mode, feet in found.items() if len(feet) == 1}
    return known | ({"hover": True} if hovers else {})


def _mapped(said: Mapping[str, Any]) -> dict[str, int | bool]:
    if said.get("unit") not in (None, "feet", "ft"):
        raise ValueError(f"speeds in {str(said['unit'])[:40]}: only feet are known")
    found: dict[str, int | bool] = {}
    for mode, value in said.items():
        if mode in MODES and value is not None and (value or mode == "walk"):
            found[mode] = points(value, f"speed ({mode})", "30 or 30 ft.")
    return found | ({"hover": True} if said.get("hover") is True else {})


def challenge(said: Any) -> float | None:
    """Return a challenge rating: 5, 0.25, 1/4; None for a text that is none."""
    match = re.match(r"\s*(\d{1,2})(?:/(\d{1,2}))?(?:\.(\d+))?", str(said)) if said is not None else None
    if match is None:
        return None
    return int(match[1]) / (int(match[2]) or 1) if match[2] else float(f"{match[1]}.{match[3] or 0}")
