"""Costly questions: few at a time, one of each token; connections beyond what may be open, and those that stay open."""

import asyncio
import re
import socket
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
import uvicorn
from uvicorn.server import ServerState

from encounterlog.service.guard import Gate, Lane, Protocol
from projections.stopping import check_wanted


class Working:
    """Work that goes on until it is told to end, and counts how much of it goes on at once."""

    def __init__(self) -> None:
        self.now = self.most = self.begun = 0
        self.stop = False

    def __call__(self) -> str:
        self.begun += 1
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            while not self.stop:
                check_wanted()
                time.sleep(0.001)
        finally:
            self.now -= 1
        return "done"


async def never() -> Any:
    await anyio.sleep_forever()


async def soon(happened: Callable[[], object]) -> None:
    with anyio.fail_after(20):
        while not happened():
            await anyio.sleep(0.002)


def test_four_questions_are_worked_on_at_once_and_one_of_each_token() -> None:
    async def asks() -> None:
        lane, several, own = Lane(), Working(), Working()
        async with anyio.create_task_group() as tasks:
            for number in range(9):
                tasks.start_soon(lane.answer, f"token {number}", several, never)
            await soon(lambda: several.now == 4)
            await anyio.sleep(0.02)
            assert several.begun == 4
            several.stop = True
        async with anyio.create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(lane.answer, "one token", own, never)
            await soon(lambda: own.now)
            own.stop = True
        assert (several.begun, own.begun, own.most) == (9, 3, 1)

    anyio.run(asks)


def test_what_nobody_waits_for_is_ended_or_never_begun() -> None:
    async def asks() -> None:
        lane, work = Lane(1), Working()
        left = anyio.Event()

        async def receive() -> dict[str, str]:
            await left.wait()
            return {"type": "http.disconnect"}

        found: list[str | None] = []

        async def asked(token: str) -> None:
            found.append(await lane.answer(token, work, receive))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(asked, "one")
            tasks.start_soon(asked, "other")
            await soon(lambda: work.now)
            left.set()
        assert (found, work.begun, work.now) == ([None, None], 1, 0)
        work.stop = True
        assert await lane.answer("one", work, never) == "done"

    anyio.run(asks)


def test_what_goes_wrong_with_a_question_is_its_answer() -> None:
    async def asks() -> None:
        with pytest.raises(ZeroDivisionError):
            await Lane().answer("token", lambda: 1 // 0, never)

    anyio.run(asks)


class Connection:
    def __init__(self, address: str, *, idle: bool = True) -> None:
        self.address, self.is_idle, self.ended = address, idle, False

    def abort(self) -> None:
        self.ended = True


def test_one_connection_too_many_ends_an_old_one_of_the_busiest(capsys: pytest.CaptureFixture[str]) -> None:
    gate: Any = Gate(5)
    made = [Connection("table"), Connection("attacker", idle=False), *(Connection("attacker") for _ in range(3))]
    for each in made:
        gate.enter(each)
    for number in (2, 3):
        gate.enter(Connection("table", idle=False))
        assert [each.ended for each in made] == [False, False, True, number == 3, False]
    for _ in range(2):
        gate.enter(Connection("table", idle=False))
    assert [each.ended for each in made] == [True, False, True, True, True]
    gate.enter(last := Connection("table", idle=False))
    assert last.ended
    assert capsys.readouterr().err.count("more than 5") == 1


REQUEST = b"GET / HTTP/1.1\r\nHost: table\r\n\r\n"


async def _says_yes(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def _asked_as_it_ends(*, again: bool) -> bytes:
    """Ask once, and perhaps again just before the server ends the unused connection; return what comes then."""
    loop, state = asyncio.get_running_loop(), ServerState()
    kind = type("Own", (Protocol,), {"gate": Gate(10)})
    config = uvicorn.Config(_says_yes, log_config=None, lifespan="off", http=kind)
    config.load()
    server = await loop.create_server(lambda: kind(config=config, server_state=state, app_state={}), "127.0.0.1", 0)
    with socket.create_connection(server.sockets[0].getsockname()) as raw:
        raw.setblocking(False)
        await loop.sock_sendall(raw, REQUEST)
        assert await loop.sock_recv(raw, 1000)
        connection: Any = next(iter(state.connections))
        if again:
            raw.send(REQUEST)  # the loop has not read it when the time is over
        connection.timeout_keep_alive_handler()
        found = await asyncio.wait_for(loop.sock_recv(raw, 1000), 20)
    server.close()
    return found


@pytest.mark.parametrize(("again", "begins"), [(True, b"HTTP/1.1 204"), (False, b"")])
def test_an_unused_connection_ends_unless_a_request_comes(again: bool, begins: bytes) -> None:
    found = asyncio.run(_asked_as_it_ends(again=again))
    assert (found[:12], bool(found)) == (begins, again)


def test_the_version_of_uvicorn_has_a_ceiling_above_the_one_tested() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))["project"]
    ceilings = [re.fullmatch(r"uvicorn>=[\d.]+,<0\.(\d+)", each) for each in project["optional-dependencies"]["serve"]]
    (ceiling,) = (int(each[1]) for each in ceilings if each)
    assert re.fullmatch(rf"0\.{ceiling - 1}\..+", uvicorn.__version__)
