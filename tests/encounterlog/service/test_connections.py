"""Connections that stay open between requests."""

import asyncio
import socket
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from encounterlog.service.server import Gate, Protocol

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


def test_a_request_that_comes_as_its_unused_connection_ends_is_answered() -> None:
    assert asyncio.run(_asked_as_it_ends(again=True)).startswith(b"HTTP/1.1 204")


def test_a_connection_that_stays_unused_is_ended() -> None:
    assert asyncio.run(_asked_as_it_ends(again=False)) == b""
