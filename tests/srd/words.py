"""Words and numbers in the texts of the packages: conditions, reaches, areas, dice, and names for files."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from projections.rulesets.fifth_edition.figures import ABILITIES, SHORT
from projections.rulesets.fifth_edition.srd.tables import Area, Damage

CONDITIONS = (
    "blinded", "charmed", "deafened", "exhaustion", "frightened", "grappled", "incapacitated", "invisible", "paralyzed",
    "petrified", "poisoned", "prone", "restrained", "stunned", "unconscious",
)  # fmt: skip
TYPES = (
    "acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic", "radiant",
    "slashing", "thunder",
)  # fmt: skip
COUNTS = {
    word: number
    for number, word in enumerate(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1)
}
SHAPES = {"radius": "sphere", "circle": "circle"}
_AREA = re.compile(
    r"(\d+)[- ]f(?:oo)?t\.?[- ](radius|cone|line|cube|sphere|emanation)|(\d+)-foot-(?:long|radius)", re.I
)


def wheel(folder: Path, name: str) -> ZipFile:
    """Return the one wheel of a package in a folder."""
    (path,) = sorted(folder.glob(f"{name}-*.whl"))
    return ZipFile(path)


def objects(archive: ZipFile, under: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in a folder of a wheel, in the order of their names."""
    for name in sorted(archive.namelist()):
        if name.startswith(under) and name.endswith(".json"):
            yield json.loads(archive.read(name))


def slug(name: str) -> str:
    """Return a name as an id: its letters and digits in lower case, joined by hyphens."""
    return "-".join(re.findall(r"[a-z0-9]+", name.casefold().replace("'", "").replace("’", "")))


def in_full(short: str) -> str:
    """Return the full name of an ability."""
    return short if short in ABILITIES else SHORT[short]


def modifier(score: int) -> int:
    """Return the modifier of an ability score."""
    return (score - 10) // 2


def challenge(number: float) -> str:
    """Return a challenge rating as it is written."""
    return {0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}.get(number, str(int(number)))


def dice(text: str) -> str:
    """Return dice without blanks, with what is added at the end."""
    return re.sub(r"\s+", "", text).replace("−", "-").replace("–", "-").casefold()


def added(number: int | None, faces: int | None, bonus: int) -> str:
    """Return dice and a bonus as a formula; the bonus alone where there are no dice."""
    if not number or not faces:
        return str(bonus)
    return f"{number}d{faces}" + (f"{bonus:+}" if bonus else "")


def called(name: str) -> str:
    """Return the name of an action or trait without how often and in what form it can be used."""
    return re.sub(r"\s*\([^()]*\)", "", name).strip(" .")


def area_in(text: str) -> Area | None:
    """Return the area that a text names first."""
    if (found := _AREA.search(text)) is None:
        return None
    if found[3]:
        return Area("sphere" if "radius" in found[0] else "line", int(found[3]))
    shape = found[2].casefold()
    return Area(SHAPES.get(shape, shape), int(found[1]))


_IMPOSED = re.compile(
    r"\b(?:ha(?:s|ve)|gains?)\s+the\s+(\w+)(?:\s+and\s+(\w+))?\s+condition"
    r"|\b(?:(?:or|and|is|are|be|becomes?|become|also|fall|falls|knocked|target)\s+)(?:also\s+|magically\s+)?"
    rf"({'|'.join(CONDITIONS)})\b(?:\s+and\s+({'|'.join(CONDITIONS)})\b)?",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\b(?:ends?|following|removes?|cures?|suppress\w*|protect\w*|immun\w*|cancel\w*)\b", re.IGNORECASE)
_NOT = re.compile(
    r"(?:immun\w+ to|\bif\b|while|when|unless|advantage|until|that is|who is|already|can't|cannot|isn't|not|against|no longer|aren't|see)[^.;,]*$",
    re.IGNORECASE,
)


def conditions_in(text: str) -> tuple[str, ...]:
    """Return the conditions that a text imposes: those of which it does not say if, while, until or not."""
    found: list[str] = []
    for match in _IMPOSED.finditer(text):
        before = re.split(r"[.:]", text[: match.start()])[-1]
        spared = re.search(r"saving throw(?: against this \w+)?,? or\b[^.;]*$", before + match[0], re.IGNORECASE)
        if not _ENDS.search(before) and (spared or not _NOT.search(before)):
            found += [each.casefold() for each in match.groups() if each]
    return tuple(each for each in CONDITIONS if each in found)


def varies(text: str) -> bool:
    """Say whether a text gives an attack another number of the same dice at times."""
    found = re.findall(r"\b(\d+)d(\d+)", text)
    return any(
        number != found[0][0] and faces == found[0][1] for number, faces in re.findall(r"\bor \d+ ?\((\d+)d(\d+)", text)
    )


def parts_in(text: str) -> tuple[Damage, ...]:
    """Return the parts of the damage that a text names: dice or a number, and the type."""
    found = re.finditer(rf"(\d+)\s*(?:\((\d+d\d+(?:\s*[+−–-]\s*\d+)?)\)\s*)?({'|'.join(TYPES)})\s+damage", text, re.I)
    return tuple(Damage(dice(each[2] or each[1]), each[3].casefold()) for each in found)
