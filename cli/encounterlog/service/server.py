"""The server: uvicorn, which ends within a second of SIGTERM, also with open streams, and waits for no silent client."""

import asyncio
import os
import selectors
import socket
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from encounterlog.service.app import application
from encounterlog.service.headers import HEADERS
from encounterlog.service.journal import write
from encounterlog.service.problems import MEDIA, Problem
from encounterlog.service.settings import Settings
from encounterlog.storage.shelves import Shelf

GRACE = 0.5
"""How long requests may still take once the server is to stop, in seconds; appends that are cut off lose nothing."""


BUFFER = 1 << 17
"""The most bytes that the system keeps for a client that has not taken them; by itself it keeps megabytes."""


RESERVE = 256
"""How many open files are reserved for logs, databases and new connections, in addition to the accepted connections."""
BACKLOG = 100
"""How many connections are accepted at once, before any of them is counted."""
SWITCH = 0.001
"""The time after which a thread lets another one run, in seconds: short work does not wait long for costly work."""
KEPT = 75
"""The time that a connection stays open between two requests, in seconds: longer than the usual clients keep one unused."""
_FILES = 1 << 16
"""The most files that a process asks to have open."""
_EVERY = 60.0
"""How often ended connections are reported, in seconds."""


class Protocol(H11Protocol):
    """A connection that is cut if the head of a request does not arrive in time, or nothing of an answer is taken."""

    patience, head = 20.0, 10.0
    gate: "Gate"

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.app_state = {**self.app_state, "abort": self.abort, "pass_on": self.pass_on}
        self._head: asyncio.TimerHandle | None = None
        self._untaken: asyncio.TimerHandle | None = None

    @property
    def is_idle(self) -> bool:
        """Whether it waits for the head of a request."""
        return self._head is not None

    @property
    def address(self) -> str:
        """The address of its client."""
        return self.client[0] if self.client else ""

    def abort(self) -> None:
        """Cut the connection without waiting for data that is not taken."""
        self.transport.abort()

    def pass_on(self, chunk: bytes) -> bool:
        """Send a chunk of an answer that is under way, and return whether that was possible without waiting."""
        if self.flow.write_paused or self.transport.is_closing():
            return False
        self.transport.write(chunk)
        return True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """Begin to wait for the head of a request; the amount that the system keeps for a slow reader is bounded."""
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        transport.set_write_buffer_limits(high=1)  # writing pauses as soon as the system takes no more
        self._wait_for_head()
        self.gate.enter(self)

    def data_received(self, data: bytes) -> None:
        """Take the received bytes; if they are a part of a head, wait for the rest for the usual time."""
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._wait_for_head()
        elif self._head is not None:
            self._head.cancel()
            self._head = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        if self._head is not None:
            self._head.cancel()
        self._stop_watching()
        self.gate.leave(self)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Wait for the next request; if a part of its head is here already, only as long as for any head."""
        super().on_response_complete()
        begun, _ = self.conn.trailing_data
        if begun and self.cycle.response_complete and not self.transport.is_closing():
            self._wait_for_head()

    def timeout_keep_alive_handler(self) -> None:
        """End a connection that was unused for too long, unless its next request has come and is not read yet."""
        if _is_readable(self.transport):
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )
        else:
            super().timeout_keep_alive_handler()

    def send_400_response(self, msg: str) -> None:
        """Answer input that is no HTTP like every refusal; then the connection ends."""
        body = Problem("bad-request", msg.rstrip("."), "is it HTTP/1.1?").body()
        headers = {**HEADERS, "content-type": MEDIA, "content-length": f"{len(body)}", "connection": "close"}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.transport.write(f"HTTP/1.1 400 Bad Request\r\n{lines}\r\n".encode() + body)
        self.transport.close()

    def pause_writing(self) -> None:
        """Begin to watch whether the client takes anything of the waiting data."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """Stop watching: everything was taken."""
        self._stop_watching()
        super().resume_writing()

    def _watch(self) -> None:
        self._stop_watching()
        waiting = self.transport.get_write_buffer_size()
        self._untaken = self.loop.call_later(self.patience, self._look, waiting)

    def _look(self, before: int) -> None:
        """Cut the connection if as much waits as before, because then the client took nothing for so long."""
        if self.transport.get_write_buffer_size() < before:
            self._watch()
        else:
            self.transport.abort()

    def _stop_watching(self) -> None:
        if self._untaken is not None:
            self._untaken.cancel()
            self._untaken = None

    def _wait_for_head(self) -> None:
        if self._head is None:
            self._head = self.loop.call_later(min(self.head, self.patience), self._give_up, self.cycle)

    def _give_up(self, before: Any) -> None:
        self._head = None
        if self.cycle is before and not self.transport.is_closing():
            self.transport.abort()


def _is_readable(transport: asyncio.Transport) -> bool:
    """Say whether the system holds something that the other side of a connection has sent."""
    number = transport.get_extra_info("socket").fileno()
    if number < 0:
        return False
    with selectors.DefaultSelector() as selector:
        selector.register(number, selectors.EVENT_READ)
        return bool(selector.select(0))


class Gate:
    """The connections of a process, fewer than it may have files open; one too many ends one that waits for a request.

    That is the oldest of the address that has the most of them.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._open: dict[Protocol, None] = {}
        self._ended, self._reported = 0, float("-inf")

    def enter(self, connection: Protocol) -> None:
        """Take a connection in."""
        self._open[connection] = None
        if len(self._open) > self.most:
            self._end(self._one_too_many() or connection)

    def leave(self, connection: Protocol) -> None:
        """Forget a connection."""
        self._open.pop(connection, None)

    def _one_too_many(self) -> Protocol | None:
        idle = [each for each in self._open if each.is_idle]
        if not idle:
            return None
        (address, _), *_ = Counter(each.address for each in idle).most_common(1)
        return next(each for each in idle if each.address == address)

    def _end(self, connection: Protocol) -> None:
        self.leave(connection)
        connection.abort()
        self._ended += 1
        if time.monotonic() - self._reported >= _EVERY:
            write(connections=f"more than {self.most}", ended=self._ended)
            self._ended, self._reported = 0, time.monotonic()


def _files() -> int:
    """Raise this process's limit of open files as far as possible, and return it."""
    try:
        import resource
    except ImportError:  # Windows
        return 512
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(hard, _FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _FILES if soft == resource.RLIM_INFINITY else soft


class Loop(asyncio.SelectorEventLoop):
    """An event loop on which the beginning of TLS takes no longer than a head of a request; asyncio waits for a minute."""

    async def create_server(self, *arguments: Any, **more: Any) -> asyncio.Server:
        """Begin to listen, as asyncio does."""
        if more.get("ssl") is not None:
            more |= {"ssl_handshake_timeout": min(Protocol.head, Protocol.patience)}
        return await super().create_server(*arguments, **more)


class Server(uvicorn.Server):
    """A server whose streams are asked to connect again before it stops; a signal ends it, and is not raised again."""

    def __init__(self, config: uvicorn.Config, started: Any = None) -> None:
        super().__init__(config)
        self._began = started

    def handle_exit(self, sig: int, frame: Any) -> None:  # noqa: ARG002 – uvicorn's signature
        """Stop; at once, if it is asked a second time."""
        self.force_exit = self.should_exit
        self.should_exit = True

    async def startup(self, sockets: Any = None) -> None:
        """Begin to listen, and report the address."""
        sys.setswitchinterval(SWITCH)
        await super().startup(sockets)
        if self.started and self._began is not None:
            self._began(self.servers[0].sockets[0].getsockname()[1])

    async def main_loop(self) -> None:
        """Run until it is to stop, which is noticed sooner than by uvicorn itself."""
        ticks = 0
        while not await self.on_tick(ticks):
            ticks = (ticks + 1) % 864000
            for _ in range(4):
                await asyncio.sleep(0.025)
                if self.should_exit:
                    break

    async def shutdown(self, sockets: Any = None) -> None:
        """End all streams, then everything else that is open."""
        self.lifespan.state["streams"].stop()
        await super().shutdown(sockets)


def server(shelf: Shelf, settings: Settings, started: Any = None) -> Server:
    """Return the server of a shelf; `started` is called with the port once it listens."""
    gate = Gate(max(_files() - RESERVE, 16))
    limits = {"patience": settings.limits.patience, "head": settings.limits.head, "gate": gate}
    protocol = type("PatientProtocol", (Protocol,), limits)
    config = uvicorn.Config(
        application(shelf, settings),
        host=settings.host,
        port=settings.port,
        http=protocol,
        ws="none",
        loop=f"{__name__}:Loop",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=True,
        backlog=BACKLOG,
        timeout_keep_alive=KEPT,
        timeout_graceful_shutdown=GRACE,  # type: ignore[arg-type]  # asyncio.wait_for takes it, and half a second, too
        ssl_certfile=settings.certificate or None,
        ssl_keyfile=settings.key or None,
    )
    return Server(config, started)


def leave() -> None:
    """End the process at once if threads still work for requests that nobody waits for; the store survives that."""
    working = [each for each in threading.enumerate() if each is not threading.main_thread() and not each.daemon]
    if working:
        os._exit(0)
