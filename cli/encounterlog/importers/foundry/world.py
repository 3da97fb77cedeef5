"""The documents of a world: JSON lines up to version 10, from 11 on a JSON file each, as the Foundry command unpacks them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from encounterlog.importers.fireball.words import LARGEST
from encounterlog.importers.sources import Limits, lines
from encounterlog.importers.transcript import BadSource, Problem

LIMITS = Limits(line=64 << 20, lines=5_000_000, size=1 << 30)
LATEST = 250_000_000_000_000
"""The last moment that is believed, in milliseconds: in the year 9892."""
MOST_FILES = 500_000
"""The most files of one collection that are read."""

Document = dict[str, Any]


class World(NamedTuple):
    """The combats, actors and messages of a world, each with its line or its number, and a list of everything that could not be read."""

    combats: list[tuple[int, Document]]
    actors: dict[str, Document]
    messages: list[tuple[int, Document]]
    problems: list[Problem]


def read_world(folder: Path) -> World:
    """Read a world's folder, or its folder `data`; raise BadSource if it has no chat messages or no combats."""
    problems: list[Problem] = []
    found = {name: _collection(folder, name, problems) for name in ("combats", "actors", "messages")}
    for name in ("combats", "messages"):
        if not found[name]:
            if damage := next((each for each in problems if each.what.startswith(f"of the {name} ")), None):
                says = f"is damaged: line {damage.line} {damage.what}, and no other can be read"
                raise BadSource(says, "copy the world again, or take one of its backups")
            raise BadSource(f"has no {name}", f"the folder of a world has data/{name}.db or, unpacked, {name}/*.json")
    actors = {str(one["_id"]): one for _, one in found["actors"]}
    messages = sorted(found["messages"], key=lambda one: (moment_of(one[1]), one[0]))
    return World(found["combats"], actors, messages, problems)


def moment_of(message: Document) -> float:
    """Return the moment of a message in milliseconds; 0 where it has none."""
    found = number(message.get("timestamp"))
    return found if found is not None and 0 <= found <= LATEST else 0.0


def number(value: object) -> float | None:
    """Return a number that a log can hold; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) <= LARGEST else None


def _collection(folder: Path, name: str, problems: list[Problem]) -> list[tuple[int, Document]]:
    """List the documents of a collection; a later line of a database replaces an earlier one with the same id."""
    found: dict[str, tuple[int, Document]] = {}
    for number, text in _texts(folder, name):
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            problems.append(Problem(number, f"of the {name} is not JSON"))
            continue
        key = document.get("_id") if isinstance(document, dict) else None
        if not isinstance(key, str):
            if not (isinstance(document, dict) and any(field.startswith("$$") for field in document)):
                problems.append(Problem(number, f"of the {name} has no '_id'"))
        elif document.get("$$deleted"):
            found.pop(key, None)
        else:
            found[key] = (number, document)
    return list(found.values())


def _texts(folder: Path, name: str) -> Iterator[tuple[int, str]]:
    """Yield the texts of documents with their lines, or with their numbers where each has a file of its own."""
    for place in (folder, folder / "data"):
        if (file := place / f"{name}.db").is_file():
            yield from _decoded(file)
            return
        files = sorted((place / name).glob("*.json")) if (place / name).is_dir() else []
        if files:
            for number, each in enumerate(files[:MOST_FILES], 1):
                yield number, "\n".join(text for _, text in _decoded(each))
            return


def _decoded(file: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines(file, LIMITS), 1):
        if line.strip():
            yield number, line.decode("utf-8-sig", errors="surrogateescape")
