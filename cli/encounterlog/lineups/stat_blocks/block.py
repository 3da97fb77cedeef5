"""A stat block of any tool."""

from msgspec import Struct


class Feature(Struct, frozen=True):
    """A trait or an action: its name, its text, and what it costs if the block says so."""

    name: str
    text: str = ""
    cost: str = ""


class Block(Struct, frozen=True, kw_only=True):
    """The fields of a stat block; missing ones are None, or empty.

    `initiative` is the whole bonus. `resistances` and the like are texts as they were written: one, or several.
    `spells` are the lines about spellcasting, `listed` the names of spells without further text. `unread` names the fields that
    could not be read. `refers` is the name of a creature of the reference document, if the block says nothing else.
    """

    name: str
    hp: int | None = None
    most: int | None = None
    ac: int | None = None
    initiative: int | None = None
    played: bool = False
    size: str = ""
    abilities: dict[str, int] = {}
    saves: dict[str, int] = {}
    skills: dict[str, int] = {}
    challenge: float | None = None
    proficiency: int | None = None
    speeds: dict[str, int | bool] = {}
    resistances: tuple[str, ...] | None = None
    vulnerabilities: tuple[str, ...] | None = None
    immunities: tuple[str, ...] | None = None
    conditions: tuple[str, ...] | None = None
    features: tuple[Feature, ...] | None = None
    legendary: tuple[str, ...] = ()
    spells: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    refers: str = ""


def modifier(score: int) -> int:
    """Return the modifier of an ability score."""
    return (score - 10) // 2
