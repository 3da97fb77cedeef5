"""Files with stat blocks: the tool that wrote them, and the blocks in them; ValueError with the path of the fault."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from encounterlog.lineups.stat_blocks import tools
from encounterlog.lineups.stat_blocks.block import Block

MOST = 1000
"""The most stat blocks of a file."""
FENCE = re.compile(r"^(`{3,}|~{3,})statblock[ \t]*\n(.*?)(?:^\1[ \t]*$|(?=^\1statblock)|\Z)", re.MULTILINE | re.DOTALL)
"""A block between fences; one that nobody closed ends where the next one begins, or with its note."""
FRONT = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*$", re.MULTILINE | re.DOTALL)
KNOWN = (
    "a stat block of Improved Initiative (Name, HP), Open5e (name, hit_points) or Fantasy Statblocks (name, hp, stats)"
)


_OF_OTHERS = frozenset({"armor_class", "HP", "Name", "StatBlock"})
"""Fields of which a stat block of another tool than Obsidian has at least one."""


def in_json(given: Any) -> list[Block]:
    """Return the stat blocks in a JSON file: one, a list, a page of results, an export."""
    found = [_in_its_place(path, each) for path, each in _ones(given)]
    if not found:
        raise ValueError(f"there is no stat block here: {KNOWN}")
    if len(found) > MOST:
        raise ValueError(f"there are {len(found):,} stat blocks, and at most {MOST:,} join; FILE#NAME picks one")
    return found


def _ones(given: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values that may be stat blocks, with their paths: the whole, the elements of a list, the values under certain names."""
    if isinstance(given, list):
        for place, each in enumerate(each[1] if _is_named(each) else each for each in given):
            yield from _ones(each, f"{path}{place}.") if isinstance(each, dict) else ((f"{path}{place}", each),)
    elif isinstance(given, dict) and not (_OF_OTHERS & given.keys() or tools.is_noted(given)):
        below = [(key, given[key]) for key in ("results", "monsters", "bestiary", "creatures") if key in given]
        stored = [(key, each) for key, each in given.items() if re.match(r"(Creatures|PersistentCharacters)\.", key)]
        for key, each in below or stored:
            try:  # a part of an export may be JSON in a text
                unpacked = json.loads(each) if isinstance(each, str) else each
            except ValueError:
                raise ValueError(f"{key}: a stat block, and not a text") from None
            yield from _ones(unpacked, f"{path}{key}.")
        if not below and not stored:
            yield path.rstrip("."), given
    else:
        yield path.rstrip("."), given


def _is_named(each: Any) -> bool:
    """Say whether an element of a list is a name and its stat block, as the plugin of Obsidian keeps its bestiary."""
    return isinstance(each, list) and [*map(type, each)] == [str, dict]


def _in_its_place(path: str, given: Any) -> Block:
    """Return a stat block; raise ValueError with its place in the file."""
    try:
        return _one(given)
    except ValueError as error:
        raise ValueError(f"{path}: {error}" if path else str(error)) from None


def _one(given: Any) -> Block:
    if isinstance(given, dict) and ("armor_class" in given or "hit_points" in given):
        return tools.open5e(given)
    if isinstance(given, dict) and "StatBlock" in given:
        return tools.kept(given)
    if isinstance(given, dict) and ("Name" in given or "HP" in given):
        return tools.improved(given)
    if tools.is_noted(given):
        return tools.noted(given)
    raise ValueError(f"no stat block: {KNOWN}")


def in_note(text: str, yaml: Callable[[str], dict[str, Any]]) -> tuple[list[Block], list[str]]:
    """Return the stat blocks of a note or a file in YAML, read by a function: fenced ones, or the front matter, or the whole.

    A block that only names a creature is completed by what the note says of it elsewhere, as in its front matter. Among several,
    wrong ones are only named, with their places; raise ValueError if all are wrong.
    """
    text = _unlinked(text)
    fences = [*FENCE.finditer(text)]
    front = FRONT.match(text)
    if not fences:
        return [_of_yaml("", front[1] if front else text, yaml)], []
    parts = [*([front[1]] if front else []), *(match[2] for match in fences)]
    found: list[Block] = []
    wrong: list[str] = []
    for match in fences:
        try:
            found.append(_of_yaml(f"line {text.count(chr(10), 0, match.start()) + 1}", match[2], yaml, parts))
        except ValueError as error:
            wrong.append(str(error))
    if not found:
        raise ValueError(wrong[0])
    return found, wrong


def _unlinked(text: str) -> str:
    """Return a note with the words of its links to other notes, such as [[Charmed]] or [[conditions#Prone|prone]], in their places."""
    return re.sub(r"\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]+)\]\]", r"\1", text.replace("\r\n", "\n"))


def _of_yaml(place: str, text: str, yaml: Callable[[str], dict[str, Any]], parts: Iterable[str] = ()) -> Block:
    """Return a block, completed by what other parts of its note say of the creature that it names."""
    try:
        given = yaml(text)
        if name := tools.referred(given):
            given = next(_saying(name, parts, yaml), {}) | given
        return tools.noted(given)
    except ValueError as error:
        raise ValueError(f"stat block in {place}: {error}" if place else str(error)) from None


def _saying(name: str, parts: Iterable[str], yaml: Callable[[str], dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the fields of the parts of a note that have values of the creature of a name; a part that is no YAML has none."""
    for part in parts:
        with suppress(ValueError):
            given = yaml(part)
            if str(given.get("name", "")).strip().casefold() == name.casefold() and not tools.referred(given):
                yield given


def has_fence(text: str) -> bool:
    """Say whether a note has fenced stat blocks."""
    return FENCE.search(text.replace("\r\n", "\n")) is not None


def is_note(text: str, yaml: Callable[[str], dict[str, Any]]) -> bool:
    """Say whether a note or file has stat blocks rather than an encounter."""
    text = _unlinked(text)
    if has_fence(text):
        return True
    front = FRONT.match(text)
    try:
        given = yaml(front[1] if front else text)
    except ValueError:
        return False
    return tools.is_noted(given) or given.get("statblock") is True
