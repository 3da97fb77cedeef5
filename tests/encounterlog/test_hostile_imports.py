"""Worlds with values that nobody wrote by hand: read all the same, or refused in a sentence."""

import json
import random
from contextlib import suppress
from pathlib import Path

import pytest

from encounterlog.importers import foundry
from encounterlog.importers.games import game_of, list_games_with_imports
from encounterlog.importers.transcript import BadSource
from tests.encounterlog.hostile_imports import spoiled, taken

FIXTURES = Path(__file__).parents[2] / "fixtures" / "plain"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_a_world_with_odd_values_is_read_or_refused(seed: int, tmp_path: Path) -> None:
    world = FIXTURES / "foundry" / "version-13"
    documents = {str(file.relative_to(world)): json.loads(file.read_text()) for file in world.rglob("*.json")}
    for name, document in spoiled(documents, random.Random(seed)).items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(document))
    for game in map(game_of, list_games_with_imports()):
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
