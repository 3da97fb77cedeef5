"""What the tests of hostile imports share with others."""

import json
import random
from collections.abc import Iterator
from typing import Any

from encounterlog.log.opening import parse_event as event_of

ODD: tuple[Any, ...] = (
    None, True, 0, -1, 10**30, 1e308, float("inf"), float("nan"), "", [], {}, [[]], {"a": {}}, "x" * 5000, "\ud800",
    "**[x](http://e)** <script>", "9" * 5000, "\u202e\n## heading", "=`", "~~(", 1.5,
)  # fmt: skip
Place = tuple[str | int, ...]


def places(value: Any, above: Place = ()) -> Iterator[Place]:
    """Yield the places of all values within a document."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inside:
        yield (*above, name)
        yield from places(one, (*above, name))


def spoiled(document: Any, chance: random.Random) -> Any:
    """Return a copy of a document with one to three odd values."""
    copy = json.loads(json.dumps(document))
    for _ in range(chance.randint(1, 3)):
        *way, last = chance.choice([*places(copy)])
        holder = copy
        for name in way:
            holder = holder[name]
        holder[last] = chance.choice(ODD)
    return copy


def taken(transcript: Any) -> None:
    """Make an event of every fact, as the writing of a log does."""
    for fact in transcript.facts:
        event_of(fact.event)
