"""Encounters and stat blocks of other tools, as parties: Improved Initiative and Open5e (JSON), the blocks of Obsidian (YAML).
Fields for which no sheet has a place, such as experience points, are left out; the reader names them.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import yaml
from pydantic import BaseModel, Field

from encounterlog.lineups import stat_blocks
from encounterlog.lineups.parties import STRICT, Member, Party, faults_at
from encounterlog.lineups.prose import Block

Roll = Callable[[str, bool], str]
"""A function that throws dice, d6 as d6:4; the second value says whether the roll is secret."""
HEROES, FOES = "party", "foes"
MOST = 100  # the most of a kind


class Rolled(NamedTuple):
    """Dice that were rolled for the number of a kind, such as d4:3, the bonus on them, and whether the kind is hidden."""

    kind: str
    thrown: str
    bonus: int
    hidden: bool


class Found(NamedTuple):
    """A found encounter, or stat blocks: the party, the dice rolled for numbers of combatants, and the fields without a place."""

    party: Party
    rolled: list[Rolled]
    left_out: list[str]


def improved_initiative(given: dict[str, Any], edition: str) -> Found:
    """Return an encounter saved by Improved Initiative, in which the characters of players are on their side, all others foes; raise
    ValueError with the path of the fault.
    """
    listed, left_out, members = given["Combatants"], list[str](), list[Member]()
    if not isinstance(listed, list) or not 0 < len(listed) <= 1000:
        raise ValueError("Combatants: a list of 1 to 1,000 combatants")
    for place, each in enumerate(listed):
        with faults_at(f"Combatants.{place}"):
            if not isinstance(each, dict) or "StatBlock" not in each:
                raise ValueError("a combatant has a StatBlock")
            block = stat_blocks.read_kept_character(each)
            sheet, more = stat_blocks.sheet_of(block, edition)
            left_out += more
            if temporary := each.get("TemporaryHP"):
                with faults_at("TemporaryHP"):
                    sheet["temp"] = stat_blocks.parse_points(temporary, "number of points", "5")
            name, side = each.get("Alias") or block.name, HEROES if block.played else FOES
            members.append(Member(name=name, side=side, hidden=each.get("Hidden", False), sheet=sheet))
    tagged = [each["StatBlock"]["Name"] for each in listed if each.get("Tags")]
    left_out += [f"tags of {', '.join(tagged)[:60]}"] if tagged else []
    return Found(Party(side=FOES, member=tuple(members)), [], left_out)


_FENCE = re.compile(r"^(`{3,}|~{3,})encounter(?:-table)?[ \t]*\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_BETWEEN = re.compile(r"^---[ \t]*$", re.MULTILINE)
_FLAGGED = re.compile(r"^(\s*-\s+)((?:[\w+ -]+:\s+)?\[.*\]\s*,.*)$", re.MULTILINE)
FRIENDS = frozenset({"friend", "friendly", "ally"})


class Creature(BaseModel):
    """A creature of a block that is written as a mapping."""

    model_config = STRICT

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


def parse_obsidian_encounter(
    text: str, name: str, roll: Roll, sheets: Mapping[str, tuple[dict[str, Any], list[str]]]
) -> Found:
    """Return the encounter of this name, or the only one, in a note or block; raise ValueError with the path of the fault. A
    creature with a stat block in the note has its sheet, but for the fields that the encounter gives itself; each sheet is
    with what it leaves out.
    """
    fences = [match[2] for match in _FENCE.finditer(text)]
    blocks = [block for fence in fences or [text] for block in _BETWEEN.split(fence) if block.strip()]
    given = [parse_yaml_block(block) for block in blocks]
    found = [one for one in given if not name or str(one.get("name", "")).casefold() == name.casefold()]
    if len(found) != 1:
        named = ", ".join(str(one.get("name", "without a name"))[:40] for one in given) or "none"
        whose = "of this name" if name else "here"
        raise ValueError(f"{len(found)} encounters {whose}; there are: {named}; FILE#NAME picks one")
    creatures = found[0].get("creatures")
    if not isinstance(creatures, list) or not creatures:
        raise ValueError("creatures: a list of creatures is missing")
    rolled, left_out, members = list[Rolled](), list[str](), list[Member]()
    for place, each in enumerate(creatures):
        with faults_at(f"creatures.{place}"):
            creature, count = _parse_member(each, roll, rolled)
        sheet, more = sheets.get(creature.creature.casefold(), ({}, []))
        own = {"hp": creature.hp, "ac": creature.ac, "initiative": creature.mod}
        sheet = sheet | {field: value for field, value in own.items() if value is not None}
        called, helps = creature.name or creature.creature, creature.friendly or creature.friend or creature.ally
        side = HEROES if helps else None
        members.append(Member(name=called, side=side, count=count, hidden=creature.hidden, sheet=sheet))
        left_out += more
    players = found[0].get("party") or found[0].get("players") not in (None, False, "none")
    left_out += ["the players, whose sheets are not in the block: --party party.toml"] if players else []
    return Found(Party(side=FOES, member=tuple(members)), rolled, left_out)


def parse_yaml_block(block: str) -> dict[str, Any]:
    """Return a block in YAML, in which `[Hobgoblin, Jim], hidden` may stand, which is none."""
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


def _parse_member(entry: Any, roll: Roll, rolled: list[Rolled]) -> tuple[Creature, int]:
    written: Any = None
    if isinstance(entry, str) and (match := re.fullmatch(r"(\d*d?\d+(?:\s*[+-]\s*\d+)?):?\s+(.*)", entry, re.DOTALL)):
        written, entry = match.groups()
    elif isinstance(entry, dict) and "creature" not in entry and len(entry) == 1:
        ((written, entry),) = entry.items()
    if isinstance(entry, list) and all(isinstance(each, str | int) for each in entry):
        entry = f"[{', '.join(map(str, entry))}]"
    if isinstance(entry, str):
        entry = _parse_creature_text(entry)
    if not isinstance(entry, dict):
        raise ValueError("neither a name nor a mapping with creature")  # noqa: TRY004 – of a file, not of an argument
    creature = Creature.model_validate(entry)
    return creature, 1 if written is None else _creature_count(creature, written, roll, rolled)


def _parse_creature_text(entry: str) -> dict[str, Any]:
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
    return found


def _creature_count(creature: Creature, written: Any, roll: Roll, rolled: list[Rolled]) -> int:
    text = str(written).replace(" ", "")
    match = re.fullmatch(r"(\d{1,9})|(\d{0,9}d\d{1,9})([+-]\d{1,9})?", text)
    if match is None:
        raise ValueError(f"{text[:40]} is neither a number nor dice, such as 3 or 1d4")
    count = int(match[1] or 0)
    if match[2]:
        one = Rolled(creature.creature, roll(match[2], creature.hidden), int(match[3] or 0), creature.hidden)
        rolled.append(one)
        count = sum(int(face) for face in one.thrown.partition(":")[2].split(",")) + one.bonus
    if not 1 <= count <= MOST:
        raise ValueError(f"{count} of a kind cannot join, 1 to {MOST}")
    return count


def parse_json(text: str, name: str, edition: str, count: int = 1) -> Found:
    """Return an encounter of Improved Initiative, or stat blocks; raise ValueError with the path of the fault."""
    try:
        given = json.loads(text)
        if isinstance(given, dict) and "Combatants" in given:
            check_single(count)
            return improved_initiative(given, edition)
        return _party_of_stat_blocks(_blocks_in(given), (), name, edition, count)
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON: {error}") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def parse_note(text: str, name: str, roll: Roll, edition: str, count: int = 1) -> Found:
    """Return the encounter of a note or block, or its stat blocks; raise ValueError with the path of the fault."""
    text = text.replace("\r\n", "\n")
    plain = re.sub(r"\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]+)\]\]", r"\1", text)  # links to other notes are their texts
    if not _FENCE.search(text) and _is_noted(plain):
        return _party_of_stat_blocks(*_blocks_noted(plain), name, edition, count)
    check_single(count)
    blocks, wrong = _blocks_noted(plain) if FENCE.search(text) else ([], [])
    sheets, unknown = _make_sheets(blocks, edition)
    known = {one.name.casefold(): (sheet, more) for one, sheet, more in sheets}
    found = parse_obsidian_encounter(text, name, roll, known)
    return found._replace(left_out=[*found.left_out, *wrong, *unknown])


def _party_of_stat_blocks(blocks: Sequence[Block], wrong: Sequence[str], name: str, edition: str, count: int) -> Found:
    wanted = [one for one in blocks if not name or one.name.casefold() == name.casefold()]
    if not wanted:
        named = ", ".join(one.name[:40] for one in blocks[:10]) + (" …" if len(blocks) > 10 else "")
        also = f"; and one is wrong: {wrong[0]}" if wrong else ""
        raise ValueError(f"no stat block is called {name[:40]}; there are: {named}{also}")
    if not 1 <= count <= MOST:
        raise ValueError(f"{count} of a kind cannot join, 1 to {MOST}")
    sheets, unknown = _make_sheets(wanted, edition)
    if not sheets:
        raise ValueError(unknown[0])
    left_out = [*([] if name else wrong), *unknown]
    members = []
    for one, sheet, others in sheets:
        left_out += others
        members.append(Member(name=one.name, side=HEROES if one.played else None, count=count, sheet=sheet))
    return Found(Party(side=FOES, member=tuple(members)), [], left_out)


Sheets = list[tuple[Block, dict[str, Any], list[str]]]


def _make_sheets(blocks: Sequence[Block], edition: str) -> tuple[Sheets, list[str]]:
    sheets, unknown = Sheets(), list[str]()
    for one in blocks:
        try:
            sheets.append((one, *stat_blocks.sheet_of(one, edition)))
        except ValueError as error:
            unknown.append(str(error))
    return sheets, unknown


def check_single(count: int, what: str = "an encounter, which says itself how many there are") -> None:
    """Raise ValueError if several are wanted of something that is no stat block."""
    if count != 1:
        raise ValueError(f"*{count} is for a stat block, and this is {what}")


MOST_BLOCKS = 1000  # the most stat blocks of a file
FENCE = re.compile(r"^(`{3,}|~{3,})statblock[ \t]*\n(.*?)(?:^\1[ \t]*$|(?=^\1statblock)|\Z)", re.MULTILINE | re.DOTALL)
"""A block between fences; one that nobody closed ends where the next one begins, or with its note."""
FRONT = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*$", re.MULTILINE | re.DOTALL)
TOOLS = "Improved Initiative (Name, HP), Open5e (name, hit_points) or Fantasy Statblocks (name, hp, stats)"
_OF_OTHERS = frozenset({"armor_class", "HP", "Name", "StatBlock"})
"""Fields of which a stat block of another tool than Obsidian has at least one."""


def _blocks_in(given: Any) -> list[Block]:
    found: list[Block] = []
    for path, each in _possible_stat_blocks(given):
        with faults_at(path):
            found.append(_parse_stat_block(each))
    if not found:
        raise ValueError(f"there is no stat block here: a stat block of {TOOLS}")
    if len(found) > MOST_BLOCKS:
        raise ValueError(f"there are {len(found):,} stat blocks, and at most {MOST_BLOCKS:,} join; FILE#NAME picks one")
    return found


def _possible_stat_blocks(given: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(given, list):
        for place, each in enumerate(given):  # an element may be a name and its stat block, as in the plugin's bestiary
            one = each[1] if isinstance(each, list) and [*map(type, each)] == [str, dict] else each
            if isinstance(one, dict):
                yield from _possible_stat_blocks(one, f"{path}{place}.")
            else:
                yield f"{path}{place}", one
    elif isinstance(given, dict) and not (_OF_OTHERS & given.keys() or stat_blocks.is_noted(given)):
        below = [(key, given[key]) for key in ("results", "monsters", "bestiary", "creatures") if key in given]
        stored = [(key, each) for key, each in given.items() if re.match(r"(Creatures|PersistentCharacters)\.", key)]
        for key, each in below or stored:
            try:  # a part of an export may be JSON in a text
                unpacked = json.loads(each) if isinstance(each, str) else each
            except ValueError:
                raise ValueError(f"{key}: a stat block, and not a text") from None
            yield from _possible_stat_blocks(unpacked, f"{path}{key}.")
        if not below and not stored:
            yield path.rstrip("."), given
    else:
        yield path.rstrip("."), given


def _parse_stat_block(given: Any) -> Block:
    if isinstance(given, dict):
        if "armor_class" in given or "hit_points" in given:
            return stat_blocks.read_open5e(given)
        if "StatBlock" in given:
            return stat_blocks.read_kept_character(given)
        if "Name" in given or "HP" in given:
            return stat_blocks.read_improved_initiative(given)
    if stat_blocks.is_noted(given):
        return stat_blocks.read_obsidian(given)
    raise ValueError(f"no stat block: a stat block of {TOOLS}")


def _blocks_noted(text: str) -> tuple[list[Block], list[str]]:
    """Return the stat blocks of a note or a file in YAML: fenced ones, or the front matter, or the whole.

    A block that only names a creature is completed by what the note says of it elsewhere, as in its front matter. Among several,
    wrong ones are only named, with their places; raise ValueError if all are wrong.
    """
    fences, front = [*FENCE.finditer(text)], FRONT.match(text)
    if not fences:
        return [_block_of_yaml("", front[1] if front else text)], []
    parts = [*([front[1]] if front else []), *(match[2] for match in fences)]
    found, wrong = list[Block](), list[str]()
    for match in fences:
        try:
            found.append(_block_of_yaml(f"line {text.count(chr(10), 0, match.start()) + 1}", match[2], parts))
        except ValueError as error:
            wrong.append(str(error))
    if not found:
        raise ValueError(wrong[0])
    return found, wrong


def _block_of_yaml(place: str, text: str, parts: Iterable[str] = ()) -> Block:
    with faults_at(place and f"stat block in {place}"):
        given = parse_yaml_block(text)
        name = stat_blocks.referred_creature(given)
        for part in parts if name else ():
            with suppress(ValueError):
                about = parse_yaml_block(part)
                called = str(about.get("name", "")).strip().casefold()
                if called == name.casefold() and not stat_blocks.referred_creature(about):
                    given = about | given
                    break
        return stat_blocks.read_obsidian(given)


def _is_noted(text: str) -> bool:
    if FENCE.search(text):
        return True
    with suppress(ValueError):
        given = parse_yaml_block(front[1] if (front := FRONT.match(text)) else text)
        return stat_blocks.is_noted(given) or given.get("statblock") is True
    return False
