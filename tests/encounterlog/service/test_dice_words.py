"""Dice of a chain at a service: whose word they are drawn with, and what becomes of words that come late, twice, or not at all."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Queue
from typing import Any

import httpx
import pytest

from encounterlog.log.logs import LogView
from projections.explaining.fairness import Throw, check_fairness
from tests.encounterlog.service.conftest import TRUSTING, Table
from tests.encounterlog.service.served import Served, served
from tests.encounterlog.support import encounter
from tests.eventstore import dice_verifier
from tests.waiting import LONGEST


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Give a service whose dice wait for a word as long as tests wait for anything, so that no load makes a word late."""
    asked = getattr(request, "param", "long")
    word = 2 * LONGEST if asked == "long" else None
    with served(tmp_path_factory.mktemp("campaign"), "--requests", 1_000_000, word=word) as found:
        yield found


@pytest.fixture
def options() -> tuple[str, ...]:
    return TRUSTING


@pytest.fixture
def chained(table: Table) -> Table:
    assert encounter("dice", table.log, "start").exit_code == 0
    return table


def throws(table: Table) -> list[Throw]:
    """Return the dice of the log, of which nothing may be wrong, also for the independent verifier."""
    found = check_fairness(LogView(str(table.log)))
    assert found.holds, found.faults
    assert list(dice_verifier.complaints(table.log.read_text().splitlines())) == []
    return list(found.throws)


def writer(server: Served, by: str = "ana") -> str:
    """Return the token of a player who writes for Ana."""
    return server.token("player", combatants=("ana",), by=by, writes=True)[0]


@contextmanager
def present(
    server: Served, token: str, *, words: int = 1, dice: Queue[list[str]] | None = None
) -> Iterator[Queue[Any]]:
    """Follow the log as a player's page does, and give so many words when one is asked for; the answers of the service are kept.

    The `dice` for which words are asked are added there.
    """
    said: Queue[Any] = Queue()
    begun, over = threading.Event(), threading.Event()

    def follow() -> None:
        with (
            suppress(httpx.HTTPError),
            server.client(token) as client,
            server.client(token) as giving,
            client.stream("GET", "events") as stream,
        ):
            kind = ""
            for line in stream.iter_lines():
                if line.startswith("id: "):  # of what was missed: from here on words are asked for
                    begun.set()
                kind = line.removeprefix("event: ") if line.startswith("event: ") else kind
                if line.startswith("data: ") and kind == "word":
                    asked = json.loads(line.removeprefix("data: "))
                    number = asked["number"]
                    if dice is not None:
                        dice.put(asked["dice"])
                    for at in range(words):
                        said.put(giving.post("words", json={"number": number, "word": f"w{number}-{at}"}).json())
                kind = "" if not line else kind
                if over.is_set():
                    return

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    assert begun.wait(LONGEST)
    try:
        yield said
    finally:
        over.set()


def test_a_player_proves_dice_with_a_word_that_comes_with_the_line(chained: Table) -> None:
    with chained.served.client(writer(chained.served)) as player:
        told = player.post("lines", json={"line": "ana ogre d20+5 d8", "word": "heron"})
        assert told.status_code == 201, told.text
    assert [(one.level, one.giver) for one in throws(chained)] == [("proven", "ana")] * 2


def test_a_word_of_the_game_master_is_no_proof_before_one_of_a_player(chained: Table) -> None:
    chained.gm.post("lines", json={"line": "ogre ana d20+5 d8", "word": "heron"})
    assert [one.level for one in throws(chained)] == ["bound", "bound"]
    assert "no player had the page open" in chained.log.read_text()
    with present(chained.served, writer(chained.served)):
        chained.gm.post("lines", json={"line": "ogre ana d20+5 d8", "word": "crane"})
    assert [(one.level, one.giver) for one in throws(chained)][2:] == [("proven", "ana")] * 2
    assert "crane" not in chained.log.read_text()


def test_the_game_master_passes_on_a_word_that_somebody_said_aloud(chained: Table) -> None:
    chained.gm.post("lines", json={"line": "ogre ana d20+5 d8", "word": "Übung 7", "giver": "Zoë"})
    assert [(one.level, one.giver) for one in throws(chained)] == [("proven", "Zoë")] * 2


@pytest.mark.slow
@pytest.mark.parametrize(("more", "status", "says"), [
    ({"word": "heron", "giver": "bo"}, 403, "bo is another person"),
    ({"giver": "ana"}, 400, "ana gives no word"),
    ({"word": "her\u200bon"}, 422, "word"),
    ({"word": "x" * 121}, 422, "word"),
    ({"word": 7}, 422, "word"),
])  # fmt: skip
def test_a_player_gives_own_words_that_can_be_read(
    chained: Table, more: dict[str, Any], status: int, says: str
) -> None:
    with chained.served.client(writer(chained.served)) as player:
        told = player.post("lines", json={"line": "ana ogre d20+5 d8", **more})
    assert (told.status_code, says in told.text) == (status, True), told.text
    assert "dice_drawn" not in chained.log.read_text()


def test_dice_of_the_game_master_are_proven_by_a_player_who_is_present(chained: Table) -> None:
    with present(chained.served, writer(chained.served)) as said:
        assert (
            chained.gm.post("lines", content="ogre ana d20+5 d8", headers={"content-type": "text/plain"}).status_code
            == 201
        )
        assert said.get(timeout=LONGEST) == {"taken": True}
    assert [(one.level, one.giver) for one in throws(chained)] == [("proven", "ana")] * 2


@pytest.mark.slow
@pytest.mark.parametrize(("line", "secret", "asked", "levels"), [
    ("secret ogre ana d20+5 d8", False, [], ["bound", "bound"]),
    ("ogre ana d20+5 d8", True, [], ["bound", "bound"]),
    ("zark ogre d20+5 d8", False, [["d8"]], ["proven", "proven"]),
])  # fmt: skip
def test_players_are_asked_for_no_word_for_dice_that_are_kept_from_them(
    chained: Table, line: str, secret: bool, asked: list[list[str]], levels: list[str]
) -> None:
    chained.gm.post("lines", json={"line": "secret join Zark foes hp=30 ac=12"})
    dice: Queue[list[str]] = Queue()
    with present(chained.served, writer(chained.served), dice=dice):
        told = chained.gm.post("lines", json={"line": line, "secret": secret})
        assert told.status_code == 201, told.text
    assert list(dice.queue) == asked
    found = throws(chained)
    assert [one.level for one in found] == levels
    assert [one.hidden for one in found] == [True, not asked]


def test_of_many_words_at_once_the_first_one_counts(chained: Table) -> None:
    with present(chained.served, writer(chained.served), words=20) as said:
        for _ in range(2):
            chained.gm.post("lines", content="ogre ana d20+5 d8", headers={"content-type": "text/plain"})
        answers = [said.get(timeout=LONGEST) for _ in range(2 * 20)]
    assert [one.level for one in throws(chained)] == ["proven"] * 4
    drawn = [json.loads(line)["event"] for line in chained.log.read_text().splitlines() if '"dice_drawn"' in line]
    assert [event["word"] for event in drawn] == ["w1-0", "w1-0", "w3-0", "w3-0"]
    assert [one["taken"] for one in answers].count(True) == 2


def test_others_read_while_a_word_is_waited_for(chained: Table) -> None:
    asked: Queue[list[str]] = Queue()
    line = {"content": "ogre ana d20+5 d8", "headers": {"content-type": "text/plain"}}
    with (
        present(chained.served, writer(chained.served), words=0, dice=asked),
        chained.served.client(writer(chained.served, "bo")) as other,
    ):
        assert other.get("head").status_code == 200  # it is known by now
        told = threading.Thread(target=chained.gm.post, args=("lines",), kwargs=line)
        told.start()
        asked.get(timeout=LONGEST)
        assert other.get("head").status_code == 200
        assert told.is_alive()
        assert other.post("words", json={"number": 1, "word": "heron"}).json() == {"taken": True}
        told.join()


def test_words_are_for_players_of_a_proper_form_and_kept_when_asked_for(chained: Table) -> None:
    assert chained.gm.post("words", json={"number": 1, "word": "heron"}).status_code == 403
    assert chained.spectator.post("words", json={"number": 1, "word": "heron"}).status_code == 403
    with chained.served.client(writer(chained.served)) as player:
        for wrong in (
            {"number": 0, "word": "x"},
            {"number": 1, "word": ""},
            {"number": 1, "word": "x" * 121},
            {"word": "x"},
        ):
            assert player.post("words", json=wrong).status_code == 422
    with chained.served.client(writer(chained.served)) as player:
        assert player.post("words", json={"number": 1, "word": "heron"}).json() == {"taken": False}
    chained.gm.post("lines", content="ogre ana d20+5 d8", headers={"content-type": "text/plain"})
    assert [one.level for one in throws(chained)] == ["bound", "bound"]


@pytest.mark.slow
def test_the_secret_is_served_to_nobody_and_players_record_no_chain(chained: Table) -> None:
    secrets = [line.split()[-1] for line in chained.log.with_name(f"{chained.log.name}.dice").read_text().splitlines()]
    for path in ("records", "log", "show", "audit"):
        body = chained.gm.get(path).text
        assert not [one for one in secrets if one in body]
    assert chained.gm.get(
        f"{chained.served.url}/v1/encounters/{chained.served.name}.jsonl.dice/records"
    ).status_code in (403, 404)
    begun = {"type": "dice_committed", "holder": "ana", "link": "0" * 64}
    drawn = {"type": "dice_drawn", "number": 1, "link": "0" * 64, "word": "heron", "giver": "bo", "notation": "d20"}
    drawn |= {"event": -1}
    with chained.served.client(writer(chained.served)) as player:
        assert [player.post("records", json=fact).status_code for fact in (begun, drawn)] == [403, 403]


@pytest.mark.parametrize("server", ["as ever"], indirect=True)
def test_a_word_that_never_comes_leaves_the_dice_bound(chained: Table) -> None:
    with present(chained.served, writer(chained.served), words=0):
        assert (
            chained.gm.post("lines", content="ogre ana d20+5 d8", headers={"content-type": "text/plain"}).status_code
            == 201
        )
    assert [one.level for one in throws(chained)] == ["bound", "bound"]
    assert "no word came within 2 seconds" in chained.log.read_text()
