"""Encounters that other tools keep, as parties: Improved Initiative (JSON) and the blocks of Obsidian's Initiative Tracker (YAML).

What they hold that no sheet has a place for, such as experience points, is left out; whoever reads says what.
"""

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from encounterlog.writing.parties import Member, Party, said

Roll = Callable[[str], str]
HEROES, FOES = "party", "foes"
MOST = 100
"""The most of a kind."""


class Given(BaseModel):
    """What another tool wrote: what we do not know of it is left aside."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


# ---------------------------------------------------------------- Improved Initiative


class Found(NamedTuple):
    """An encounter that was found: its party, the dice rolled for how many there are, and what of it had no place."""

    party: Party
    rolled: list[str]
    left_out: list[str]


class Number(Given):
    """A value with its notes, of which the notes are left aside."""

    Value: int = Field(ge=0, le=10**9)


class Block(Given):
    """A stat block."""

    Name: str = Field(min_length=1, max_length=120)
    HP: Number | None = None
    AC: Number | None = None
    InitiativeModifier: int | None = Field(default=None, ge=-(10**6), le=10**6)
    Player: str = ""


class Fighter(Given):
    """A combatant of a saved encounter."""

    StatBlock: Block
    Alias: str = Field(default="", max_length=120)
    CurrentHP: int | None = Field(default=None, ge=-(10**9), le=10**9)
    Hidden: bool = False
    PersistentCharacterId: str | None = None
    TemporaryHP: int = 0
    Tags: tuple[Any, ...] = Field(default=(), strict=False)

    def member(self) -> Member:
        """Return it as somebody of a party: characters of players are on their side, all others are foes."""
        block = self.StatBlock
        most = block.HP.Value if block.HP else None
        now = self.CurrentHP if self.CurrentHP is not None else most
        sheet = {"hp": now, "hp_max": most if most != now else None, "ac": block.AC.Value if block.AC else None}
        played = self.PersistentCharacterId is not None or block.Player == "player"
        return Member(
            name=self.Alias or block.Name,
            side=HEROES if played else FOES,
            hidden=self.Hidden,
            sheet=_known(sheet | {"initiative": block.InitiativeModifier}),
        )


class Saved(Given):
    """A saved encounter."""

    Combatants: tuple[Fighter, ...] = Field(min_length=1, max_length=1000, strict=False)


def improved_initiative(text: str) -> Found:
    """Return an encounter saved by Improved Initiative; raise ValueError with the path of what is wrong."""
    try:
        saved = Saved.model_validate(json.loads(text))
        party = Party(side=FOES, member=tuple(each.member() for each in saved.Combatants))
    except ValidationError as error:
        raise ValueError(said(error)) from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    holding = [each.StatBlock.Name for each in saved.Combatants if each.TemporaryHP or each.Tags]
    return Found(party, [], [f"tags and temporary hit points of {', '.join(holding)[:60]}"] if holding else [])


def _known(sheet: dict[str, int | None]) -> dict[str, int]:
    return {name: value for name, value in sheet.items() if value is not None}


# ---------------------------------------------------------------- Obsidian

_FENCE = re.compile(r"^(`{3,}|~{3,})encounter(?:-table)?[ \t]*\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_BETWEEN = re.compile(r"^---[ \t]*$", re.MULTILINE)
_FLAGGED = re.compile(r"^(\s*-\s+)((?:[\w+ -]+:\s+)?\[.*\]\s*,.*)$", re.MULTILINE)
FRIENDS = frozenset({"friend", "friendly", "ally"})


class Creature(BaseModel):
    """A creature of a block that is written as a mapping."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    creature: str = Field(min_length=1, max_length=120)
    name: str | None = Field(default=None, min_length=1, max_length=120)
    hp: int | None = None
    ac: int | None = None
    mod: int | None = None
    xp: int | None = None
    hidden: bool = False
    friendly: bool = False
    friend: bool = False
    ally: bool = False

    def member(self, count: int) -> Member:
        """Return it as somebody of a party."""
        friend = self.friendly or self.friend or self.ally
        sheet = _known({"hp": self.hp, "ac": self.ac, "initiative": self.mod})
        side = HEROES if friend else None
        return Member(name=self.name or self.creature, side=side, count=count, hidden=self.hidden, sheet=sheet)


def obsidian(text: str, name: str, roll: Roll) -> Found:
    """Return the encounter of this name, or the only one, of a note or block; raise ValueError with the path of what is wrong."""
    found = [one for one in _encounters(text) if not name or str(one.get("name", "")).casefold() == name.casefold()]
    if len(found) != 1:
        named = ", ".join(str(one.get("name", "without a name"))[:40] for one in _encounters(text)) or "none"
        raise ValueError(
            f"{len(found)} encounters {'of this name' if name else 'here'}; there are: {named}; FILE#NAME picks one"
        )
    creatures = found[0].get("creatures")
    if not isinstance(creatures, list) or not creatures:
        raise ValueError("creatures: a list of creatures is missing")
    rolled: list[str] = []
    members = tuple(_at(place, each, roll, rolled) for place, each in enumerate(creatures))
    players = found[0].get("party") or found[0].get("players") not in (None, False, "none")
    left_out = ["the players, whose sheets are not in the block: --party party.toml"] if players else []
    return Found(Party(side=FOES, member=members), rolled, left_out)


def _encounters(text: str) -> list[dict[str, Any]]:
    fences = [match[2] for match in _FENCE.finditer(text.replace("\r\n", "\n"))]
    blocks = [block for fence in fences or [text] for block in _BETWEEN.split(fence) if block.strip()]
    return [_yaml(block) for block in blocks]


def _yaml(block: str) -> dict[str, Any]:
    """Return a block in YAML, in which `[Hobgoblin, Jim], hidden` may stand, which is none."""
    import yaml

    quoted = _FLAGGED.sub(lambda match: match[1] + json.dumps(match[2], ensure_ascii=False), block)
    try:
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(quoted, Loader=yaml.SafeLoader)):
            raise ValueError("aliases (*name) have no place in an encounter")
        found = yaml.safe_load(quoted)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"line {mark.line + 1}, column {mark.column + 1} of the block: " if mark else ""
        raise ValueError(f"{where}{error.problem}") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(str(error).partition("\n")[0] or "it is nested too deeply") from None
    if isinstance(found, dict):
        return found
    raise ValueError("this is no encounter: it has no name, no players and no creatures")


def _at(place: int, entry: Any, roll: Roll, rolled: list[str]) -> Member:
    try:
        return _member(entry, roll, rolled)
    except ValidationError as error:
        raise ValueError(f"creatures.{place}.{said(error)}") from None
    except ValueError as error:
        raise ValueError(f"creatures.{place}: {error}") from None


def _member(entry: Any, roll: Roll, rolled: list[str]) -> Member:
    """Return an entry as somebody of a party: a text, a pair of names, a mapping, or one of these behind their number."""
    if isinstance(entry, str) and (match := re.fullmatch(r"(\d*d?\d+(?:\s*[+-]\s*\d+)?):?\s+(.*)", entry, re.DOTALL)):
        return _counted(_number(match[1], roll, rolled), match[2])
    if isinstance(entry, dict) and "creature" not in entry and len(entry) == 1:
        ((count, what),) = entry.items()
        return _counted(_number(count, roll, rolled), what)
    return _counted(1, entry)


def _counted(count: int, entry: Any) -> Member:
    if isinstance(entry, dict):
        return Creature.model_validate(entry).member(count)
    if isinstance(entry, list):
        entry = f"[{', '.join(map(str, entry))}]" if all(isinstance(each, str | int) for each in entry) else None
    if not isinstance(entry, str):
        raise ValueError("neither a name nor a mapping with creature")  # noqa: TRY004 – of a file, not of an argument
    return _said(entry).member(count)


def _said(entry: str) -> Creature:
    """Return a creature from a text: Goblin, 7, 15, 2, 50, hidden, or [Hobgoblin, Jim], ally."""
    pair = re.match(r"\[\s*([^],]+?)\s*(?:,\s*([^],]+?)\s*)?(?:,[^]]*)?\]", entry)
    name, called = (pair[1], pair[2]) if pair else (entry.partition(",")[0].strip(), None)
    rest = entry[pair.end() :] if pair else entry.partition(",")[2]
    found: dict[str, Any] = {"creature": name, "name": called}
    numbers = iter(("hp", "ac", "mod", "xp"))
    for word in filter(None, map(str.strip, rest.split(","))):
        if word.casefold() in FRIENDS | {"hidden"}:
            found[word.casefold()] = True
        elif re.fullmatch(r"[+-]?\d{1,9}", word) and (field := next(numbers, None)):
            found[field] = int(word)
        else:
            raise ValueError(f"{word[:40]} is neither a number nor hidden, friendly or ally")
    return Creature.model_validate(found)


def _number(written: Any, roll: Roll, rolled: list[str]) -> int:
    """Return how many there are, a number or dice, which are rolled."""
    text = str(written).replace(" ", "")
    match = re.fullmatch(r"(\d{1,9})|(\d{0,9}d\d{1,9})([+-]\d{1,9})?", text)
    if match is None:
        raise ValueError(f"{text[:40]} is neither a number nor dice, such as 3 or 1d4")
    if match[1]:
        count = int(match[1])
    else:
        thrown = roll(match[2])
        rolled.append(thrown + (match[3] or ""))
        count = sum(int(face) for face in thrown.partition(":")[2].split(",")) + int(match[3] or 0)
    if not 1 <= count <= MOST:
        raise ValueError(f"{count} of a kind cannot join, 1 to {MOST}")
    return count
