"""Worlds with values that nobody wrote by hand: read all the same, or refused in a sentence."""

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from encounterlog.importers import foundry
from encounterlog.importers.games import game_of, games
from encounterlog.importers.transcript import BadSource
from encounterlog.log.opening import event as event_of

FIXTURES = Path(__file__).parents[2] / "fixtures" / "plain"
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


@pytest.mark.full
@pytest.mark.parametrize("seed", range(40))
def test_a_world_with_odd_values_is_read_or_refused(seed: int, tmp_path: Path) -> None:
    world = FIXTURES / "foundry" / "version-13"
    documents = {str(file.relative_to(world)): json.loads(file.read_text()) for file in world.rglob("*.json")}
    for name, document in spoiled(documents, random.Random(seed)).items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(document))
    for game in map(game_of, games()):
        with suppress(BadSource):
            taken(foundry.read(tmp_path, game=game, talk=True))


@pytest.mark.parametrize(
    ("field", "value"), [("timestamp", 1e300), ("timestamp", float("nan")), ("speaker", {"token": []})]
)
def test_a_message_of_a_world_with_an_impossible_value_spoils_no_other(
    field: str, value: object, tmp_path: Path
) -> None:
    world = FIXTURES / "foundry" / "version-13"
    for file in world.rglob("*.json"):
        copy = tmp_path / file.relative_to(world)
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(file.read_text())
    odd = json.loads(sorted((world / "messages").glob("*.json"))[0].read_text()) | {"_id": "odd", field: value}
    before = len(foundry.read(tmp_path).facts)
    (tmp_path / "messages" / "zzz.json").write_text(json.dumps(odd))
    assert len(foundry.read(tmp_path).facts) >= before
