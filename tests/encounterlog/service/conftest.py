"""A server for all tests, each of which has an encounter of its own in its folder; who needs other settings starts another one."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from tests.encounterlog.service.served import Served, served
from tests.encounterlog.support import append, encounter

FOUGHT = """\
{"type":"combatant_joined","combatant":"ana","name":"Ana","side":"party","sheet":{"hp":14}}
{"type":"combatant_joined","combatant":"bo","name":"Bo","side":"party","sheet":{"hp":9}}
{"type":"combatant_joined","combatant":"ogre","name":"Ogre","side":"foes","sheet":{"hp":20}}
{"type":"round_started","round":1}
{"type":"damage_dealt","target":"ogre","amount":6,"source":"bo"}
"""
SECRET = '{"event":{"type":"combatant_joined","combatant":"wraith","name":"Wraith","side":"foes","sheet":{"hp":31}},"secret":true}\n'


NUMBERS = count(1)


class Table(NamedTuple):
    """A server with an encounter in which a wraith hides; and a client for each role."""

    served: Served
    gm: httpx.Client
    player: httpx.Client
    spectator: httpx.Client

    @property
    def log(self) -> Path:
        return self.served.folder / f"{self.served.name}.jsonl"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("campaign")
    with served(folder, "--requests", 1_000_000, "--streams", 3, "--patience", 1.5) as found:
        yield found


@pytest.fixture
def options() -> tuple[str, ...]:
    """Return the options of the encounter; tests that want others name them."""
    return ()


TRUSTING = ("others=recorded",)
"""The options of an encounter in which what players do to others is recorded at once."""


@pytest.fixture(scope="session")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Callable[[tuple[str, ...]], bytes]:
    """Return how the log of an encounter with these options is made, once for all tests."""
    folder = tmp_path_factory.mktemp("fought")

    @cache
    def made(options: tuple[str, ...]) -> bytes:
        log = folder / f"{next(NUMBERS)}.jsonl"
        chosen = [word for each in options for word in ("--option", each)]
        assert encounter("new", log, "--ruleset", "plain", "--title", "The ford", *chosen).exit_code == 0
        append(log, FOUGHT)
        append(log, SECRET)
        return log.read_bytes()

    return made


@pytest.fixture
def table(server: Served, fought: Callable[[tuple[str, ...]], bytes], options: tuple[str, ...]) -> Iterator[Table]:
    server.name = f"ford-{next(NUMBERS)}"  # another one for each test: what still follows one is not told of another
    (server.folder / f"{server.name}.jsonl").write_bytes(fought(options))
    gm, _ = server.token("gm", by="gm")
    player, _ = server.token("player", combatants=("ana",), by="Ann", writes=True)
    spectator, _ = server.token("spectator")
    with server.client(gm) as one, server.client(player) as two, server.client(spectator) as three:
        yield Table(server, one, two, three)
