"""The server: uvicorn, which ends within a second of SIGTERM, whatever is open, and waits for no silent client."""

import asyncio
import os
import socket
import threading
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from encounterlog.edge.shelves import Shelf
from encounterlog.service.app import application
from encounterlog.service.settings import Settings

GRACE = 0.5
"""How long requests may still take once the server is to stop, in seconds; appends that are cut off lose nothing."""


BUFFER = 1 << 17
"""How much the system keeps of what a client has not taken yet, in bytes; left to itself it keeps megabytes."""


class Protocol(H11Protocol):
    """A connection that is cut if the head of a request does not arrive in time, or nothing of an answer is taken."""

    patience = 20.0

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.app_state = {**self.app_state, "abort": self.abort, "pass_on": self.pass_on}
        self._head: asyncio.TimerHandle | None = None
        self._untaken: asyncio.TimerHandle | None = None

    def abort(self) -> None:
        """Cut the connection without waiting for what is not taken."""
        self.transport.abort()

    def pass_on(self, chunk: bytes) -> bool:
        """Send a chunk of an answer that is under way, and return whether that was possible without waiting."""
        if self.flow.write_paused or self.transport.is_closing():
            return False
        self.transport.write(chunk)
        return True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """Begin to wait for the head of a request; what the system keeps for a slow reader is bounded."""
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        transport.set_write_buffer_limits(high=1)  # writing pauses as soon as the system takes no more
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        """Take what came; if it is a part of a head, wait for the rest for so long."""
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._wait_for_head()
        elif self._head is not None:
            self._head.cancel()
            self._head = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        if self._head is not None:
            self._head.cancel()
        self._stop_watching()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Begin to watch whether the client takes anything of what waits for it."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """Watch no longer: everything was taken."""
        self._stop_watching()
        super().resume_writing()

    def _watch(self) -> None:
        self._stop_watching()
        waiting = self.transport.get_write_buffer_size()
        self._untaken = self.loop.call_later(self.patience, self._look, waiting)

    def _look(self, before: int) -> None:
        """Cut the connection if as much waits as before, for then the client took nothing for so long."""
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
            self._head = self.loop.call_later(self.patience, self._give_up, self.cycle)

    def _give_up(self, before: Any) -> None:
        self._head = None
        if self.cycle is before and not self.transport.is_closing():
            self.transport.abort()


class Server(uvicorn.Server):
    """A server whose streams are told to connect again before it stops; a signal ends it, and is not raised again."""

    def __init__(self, config: uvicorn.Config, started: Any = None) -> None:
        super().__init__(config)
        self._began = started

    def handle_exit(self, sig: int, frame: Any) -> None:  # noqa: ARG002 – uvicorn's signature
        """Stop; at once, if it is asked a second time."""
        self.force_exit = self.should_exit
        self.should_exit = True

    async def startup(self, sockets: Any = None) -> None:
        """Begin to listen, and say where."""
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
        """End all streams, then what else is open."""
        self.lifespan.state["streams"].stop()
        await super().shutdown(sockets)


def server(shelf: Shelf, settings: Settings, started: Any = None) -> Server:
    """Return the server of a shelf; `started` is called with the port once it listens."""
    protocol = type("PatientProtocol", (Protocol,), {"patience": settings.limits.patience})
    config = uvicorn.Config(
        application(shelf, settings),
        host=settings.host,
        port=settings.port,
        http=protocol,
        ws="none",
        loop="asyncio",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=True,
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
