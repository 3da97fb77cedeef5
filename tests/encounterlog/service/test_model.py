"""A service asks the model about a refused line outside of the log's lock, and tells it no secret for a player's line."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

import encounterlog as el
from projections.language.notation.tokens import NotUnderstood
from tests.encounterlog.models import Answering, answering
from tests.encounterlog.service.conftest import FOUGHT, NUMBERS, SECRET, Table
from tests.encounterlog.service.served import Served, served
from tests.encounterlog.support import append, encounter

LINE = "the ogre gets whalloped something awful, 4"
HIDDEN = '{"event":{"type":"noted","text":"the wraith waits"},"secret":true}\n{"event":{"type":"damage_dealt","target":"wraith","amount":3},"secret":true}\n'


@pytest.fixture(scope="module")
def asked_by_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Answering, Served]]:
    """Run one model, and one service that asks it, for all tests."""
    with answering(Answering("")) as model, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENCOUNTER_READER", model.url)
        with served(tmp_path_factory.mktemp("campaign")) as server:
            yield model, server


@pytest.fixture
def model(asked_by_all: tuple[Answering, Served]) -> Iterator[Answering]:
    model, _ = asked_by_all
    model.body, model.asked = Answering("o -4").body, []
    model.begun.clear()
    yield model
    model.go.set()


@pytest.fixture
def asking(asked_by_all: tuple[Answering, Served]) -> Iterator[Table]:
    _, server = asked_by_all
    server.name = f"ford-{next(NUMBERS)}"
    log = server.folder / f"{server.name}.jsonl"
    assert encounter("new", log, "--ruleset", "plain", "--title", "The ford").exit_code == 0
    append(log, FOUGHT)
    append(log, SECRET + HIDDEN)
    gm, _ = server.token("gm", by="gm")
    player, _ = server.token("player", combatants=("ana",), by="Ann", writes=True)
    with server.client(gm) as one, server.client(player) as two, server.client() as three:
        yield Table(server, one, two, three)


def test_nobody_is_asked_in_vain_and_no_secret_is_sent_for_a_player(asking: Table, model: Answering) -> None:
    assert asking.gm.post("lines?dry=1", json={"line": LINE}).status_code == 422
    assert asking.gm.post("lines", json={"line": "ogre -1"}).status_code == 201
    assert asking.gm.post("lines", json={"line": "help"}).status_code == 200
    assert model.asked == []
    asking.player.post("lines", json={"line": LINE})
    asking.gm.post("lines", json={"line": LINE})
    hers, masters = (str(each) for each in model.asked)
    assert "ogre" in hers
    assert "wraith" not in hers
    assert "wraith" in masters


def test_a_player_is_not_offered_what_a_player_may_not_write(asking: Table, model: Answering) -> None:
    model.body = Answering("ogre leaves").body
    line = {"line": "the ogre skedaddles sideways off the map"}
    hers, masters = (client.post("lines", json=line).json() for client in (asking.player, asking.gm))
    assert len(model.asked) == 2
    assert "leaves" in str(masters["readings"])
    assert "leaves" not in str([hers.get("offers"), hers.get("readings")])


def test_others_write_while_a_model_is_waited_for(asking: Table, model: Answering) -> None:
    def is_before_the_answer() -> bool:
        model.begun.clear()
        model.go.clear()
        answers: list[int] = []
        slow = threading.Thread(target=lambda: answers.append(asking.gm.post("lines", json={"line": LINE}).status_code))
        slow.start()
        assert model.begun.wait(30)
        assert asking.player.post("lines", json={"line": "ana moves"}).status_code in (201, 202, 422)
        assert asking.gm.get("head").status_code == 200
        waits = not answers
        model.go.set()
        slow.join()
        assert answers == [422]
        return waits

    assert any(
        is_before_the_answer() for _ in range(10)
    )  # a service does not wait for ever: on a busy machine it may be over


def test_an_async_log_asks_without_holding_up_its_loop(asking: Table, model: Answering, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setenv("ENCOUNTER_TOKEN", asking.gm.headers["authorization"].removeprefix("Bearer "))
    monkeypatch.setenv("ENCOUNTER_READER", model.url)
    ticks = list[int]()

    async def tick() -> None:
        while True:
            ticks.append(len(model.asked))
            if ticks.count(1) > 5:
                model.go.set()
            await asyncio.sleep(0.01)

    async def told() -> None:
        async with await el.aopen(f"{asking.served.url}/e/{asking.served.name}") as log:
            model.go.clear()
            ticking = asyncio.create_task(tick())
            with pytest.raises(NotUnderstood) as caught:
                await log.tell(LINE)
            ticking.cancel()
            assert caught.value.suggested == "o -4"

    asyncio.run(told())
    assert model.go.is_set()
