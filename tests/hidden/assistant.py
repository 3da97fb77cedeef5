"""What a player's assistant hears of random logs in which combatants are hidden, by the tools of `encounter mcp`."""

import random
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import anyio
from mcp import Client

from encounterlog.mcp.server import make_server
from encounterlog.places.shelves import open_shelf
from eventstore import jsonl
from eventstore.record import Draft
from projections.stream.audience import for_players
from tests.encounterlog.service.interference import AT
from tests.hidden import NAMES, made, replaced, schema_names

T = TypeVar("T")
Asked = tuple[str, dict[str, Any]]
READ: tuple[Asked, ...] = (
    ("encounters", {}), ("state", {}), ("state", {"all": True}), ("audit", {}), ("log", {}), ("log", {"struck": True}), ("may", {}),
    ("may", {"who": "orc"}), ("why", {"q": "ana.hp"}), ("why", {"q": "order"}), ("preview", {"line": "ana hits orc for 3"}),
    ("say", {"line": "ana gronks orc for 1"}), ("say", {"line": "who is next"}), ("say", {"line": "ana moves 10 ft"}), ("state", {}),
)  # fmt: skip


def asked(folder: Path, does: Callable[[Client], Awaitable[T]], role: str = "gm") -> T:
    """Return what a function finds out as the client of a server in this process."""

    async def main() -> T:
        shelf = open_shelf(str(folder))
        try:
            async with Client(make_server(shelf, role)) as client:
                return await does(client)
        finally:
            shelf.close()

    return anyio.run(main)


def heard(folder: Path, drafts: list[Draft]) -> list[str]:
    """Return what a player's assistant hears of a log with these facts."""
    path = folder / "ford.jsonl"
    path.unlink(missing_ok=True)
    jsonl.create(path, drafts, by="gm", at=AT, entropy=random.Random(7).randbytes)

    async def does(client: Client) -> list[str]:
        calls = [
            await client.call_tool(name, {"encounter": "ford"} | given if name != "encounters" else {})
            for name, given in READ
        ]
        # the other log has secret facts where this one has public ones that concern somebody hidden
        texts = [re.sub(r" \(secret\)|, secret(?=\))", "", each.content[0].text) for each in calls]  # type: ignore[union-attr]
        return [*texts, (await client.read_resource("encounterlog://ford/state")).contents[0].text]  # type: ignore[union-attr]

    return asked(folder, does, "player:ana")


def learns(key: str, seed: object) -> list[str]:
    """Return what a player learns of hidden combatants of a random log: their names, or that others are hidden instead."""
    log = made(key, seed)
    seen, chance = [*for_players(log.records)], random.Random(f"{key} {seed} other")
    words = schema_names(record.event for record in seen)
    other = [
        replaced(record, chance, words) if mine.withheld else record
        for record, mine in zip(log.records, seen, strict=True)
    ]
    with TemporaryDirectory() as folder:
        one, two = (
            heard(Path(folder), [Draft(each.event, secret=each.secret) for each in records if each.event])
            for records in (log.records, other)
        )
    named = [found[0] for text in one if (found := NAMES.search(text))]
    return [
        *named,
        *(f"{READ[min(at, len(READ) - 1)]}" for at, (a, b) in enumerate(zip(one, two, strict=True)) if a != b),
    ]
