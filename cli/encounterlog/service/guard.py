"""What protects a table on a network: the connections, heads and bodies of requests, their rates, and costly questions.

A client that sends or takes nothing is cut off; one that opens many connections, asks often, or asks much, holds up nobody else. This
stands in the program, and in one file with the private parts of uvicorn that it needs, as a table on `--lan` has no proxy.
"""

import asyncio
import selectors
import socket
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import anyio
from starlette.requests import ClientDisconnect, Request
from uvicorn.protocols.http.h11_impl import H11Protocol

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

from encounterlog.service.problems import MEDIA, Problem, write_line
from encounterlog.service.settings import HEADERS, Limits
from projections.stopping import Abandoned, stop_unless_wanted

BUFFER = 1 << 17  # the most bytes that the system keeps for a client that is slow; by itself it keeps megabytes
RESERVE = 256  # the open files for logs, databases and new connections, in addition to the accepted connections
_FILES = 1 << 16  # the most files that a process asks to have open
_EVERY = 60.0  # how often ended connections are reported, in seconds


class Protocol(H11Protocol):
    """A connection that is cut if the head of a request does not arrive in time, or nothing of an answer is taken."""

    patience, head = 20.0, 10.0
    gate: "Gate"

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.app_state = {**self.app_state, "pass_on": self.send_chunk}
        self._head_since: float | None = None  # when it began to wait for the head of a request
        self._untaken: tuple[int, float] | None = None  # the bytes not taken yet, and when the last ones were

    @property
    def is_idle(self) -> bool:
        """Whether it waits for the head of a request."""
        return self._head_since is not None

    @property
    def address(self) -> str:
        """The address of its client."""
        return self.client[0] if self.client else ""

    def abort(self) -> None:
        """Cut the connection without waiting for data that is not taken."""
        self.transport.abort()

    def send_chunk(self, chunk: bytes) -> bool:
        """Send a chunk of an answer that is under way, and return whether that was possible without waiting."""
        if self.flow.write_paused or self.transport.is_closing():
            return False
        self.transport.write(chunk)
        return True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """Begin to wait for the head of a request; the amount that the system keeps for a slow reader is bounded."""
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        transport.set_write_buffer_limits(high=1)  # writing pauses as soon as the system takes no more
        self._wait_for_head()
        self.gate.enter(self)

    def data_received(self, data: bytes) -> None:
        """Take the received bytes; if they are a part of a head, wait for the rest for the usual time."""
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._wait_for_head()
        else:
            self._head_since = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another connection."""
        self.gate.leave(self)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Wait for the next request; if a part of its head is here already, only as long as for any head."""
        super().on_response_complete()
        if self.conn.trailing_data[0] and self.cycle.response_complete and not self.transport.is_closing():
            self._wait_for_head()

    def timeout_keep_alive_handler(self) -> None:
        """End a connection that was unused for too long, unless its next request has come and is not read yet."""
        number = self.transport.get_extra_info("socket").fileno()
        with selectors.DefaultSelector() as selector:
            if number >= 0 and selector.register(number, selectors.EVENT_READ) and selector.select(0):
                again = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)
                self.timeout_keep_alive_task = again
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
        self._untaken = self.transport.get_write_buffer_size(), time.monotonic()

    def resume_writing(self) -> None:
        """Stop watching: everything was taken."""
        self._untaken = None
        super().resume_writing()

    def _wait_for_head(self) -> None:
        self._head_since = time.monotonic() if self._head_since is None else self._head_since

    def cut_if_stuck(self) -> None:
        """Cut the connection if its client sent no whole head, or took nothing of an answer, for too long."""
        now = time.monotonic()
        if self._head_since is not None and now - self._head_since > min(self.head, self.patience):
            self.abort()
        if self._untaken is not None:
            before, since = self._untaken
            if (waiting := self.transport.get_write_buffer_size()) < before:
                self._untaken = waiting, now
            elif now - since > self.patience:
                self.abort()


class Gate:
    """The connections of a process; one too many ends the oldest idle one of the address that has the most of them."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._open: dict[Protocol, None] = {}
        self._ended, self._reported = 0, float("-inf")

    def enter(self, connection: Protocol) -> None:
        """Take a connection in."""
        self._open[connection] = None
        if len(self._open) > self.most:
            idle = [each for each in self._open if each.is_idle]
            addresses = Counter(each.address for each in idle)
            busiest = max(addresses, key=addresses.__getitem__, default="")
            ended = next((each for each in idle if each.address == busiest), connection)
            self.leave(ended)
            ended.abort()
            self._ended += 1
            if time.monotonic() - self._reported >= _EVERY:
                write_line(connections=f"more than {self.most}", ended=self._ended)
                self._ended, self._reported = 0, time.monotonic()

    def leave(self, connection: Protocol) -> None:
        """Forget a connection."""
        self._open.pop(connection, None)


def _raise_open_file_limit() -> int:
    """Raise this process's limit of open files as far as possible, and return it."""
    if resource is None:
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


def limited_protocol(limits: Limits) -> type[Protocol]:
    """Return the protocol of a server with these limits."""
    gate = Gate(max(_raise_open_file_limit() - RESERVE, 16))
    return type("PatientProtocol", (Protocol,), {"patience": limits.patience, "head": limits.head, "gate": gate})


def is_near(client: Any) -> bool:
    """Return whether the client of a request is in the table's own network."""
    with suppress(TypeError, ValueError, IndexError):
        address = ip_address(client[0].partition("%")[0])
        return address.is_private or address.is_loopback or address.is_link_local
    return False


_MANY = 10_000  # the number of askers that are remembered; beyond it, those who were silent for a minute are forgotten


class Rates:
    """The rate of each asker's requests: as many as a minute allows at once, then one for each that time gives back."""

    def __init__(self, each_minute: int) -> None:
        self._most, self._each = float(each_minute), each_minute / 60.0
        self._left: dict[str, tuple[float, float]] = {}

    def count_request(self, asker: str, cost: int = 1) -> None:
        """Count a request, or one that costs as much as several; raise Problem with the seconds to wait if nothing is left."""
        now = time.monotonic()
        left, since = self._left.get(asker, (self._most, now))
        left = min(self._most, left + (now - since) * self._each)
        if left < 1:
            refused = Problem("too-many-requests", f"more than {self._most:.0f} requests a minute", "ask more slowly")
            refused.headers["retry-after"] = str(max(1, round((1 - left) / self._each)))
            raise refused
        self._left[asker] = (left - cost, now)
        if len(self._left) > _MANY:
            self._left = {each: kept for each, kept in self._left.items() if now - kept[1] < 60}

    def give_back(self, asker: str) -> None:
        """Count a request no longer."""
        if asker in self._left:
            left, since = self._left[asker]
            self._left[asker] = (left + 1, since)


async def read_body(request: Request, limits: Limits) -> bytes:
    """Return the whole body of a request; raise Problem if it is too large, too slow, or was cut off."""
    too_large = Problem("too-large", f"the body is larger than {limits.body:,} bytes", "send it in parts")
    declared, body = request.headers.get("content-length", ""), bytearray()
    if declared.isascii() and declared.isdigit() and int(declared) > limits.body:
        raise too_large
    try:
        with anyio.fail_after(limits.patience):
            async for piece in request.stream():
                body += piece
                if len(body) > limits.body:
                    raise too_large
    except TimeoutError:
        raise Problem("too-slow", f"the body did not arrive within {limits.patience:g} s", "send it again") from None
    except ClientDisconnect:
        raise Problem("too-slow", "the body was cut off; nothing was written", "send it again") from None
    return bytes(body)


MOST = 4  # the number of costly questions that are worked on at once; of each token one
UNIT = 20_000  # how many records, times corrections, a question may have that counts as one request
T = TypeVar("T")


class Lane:
    """The queue of costly questions: waiting takes no thread, and a client that leaves meanwhile costs nothing."""

    def __init__(self, most: int = MOST) -> None:
        self._places = anyio.CapacityLimiter(most)
        self._own: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()

    async def answer(self, asker: str, work: Callable[[], T], receive: Any) -> T | None:
        """Return the answer to a question, or raise the error of its work; None if its asker leaves first.

        Work that is under way then ends between two records of a replay, and has its place until it does.
        """
        own, wanted = self._own.setdefault(asker, anyio.Lock()), True

        def worked() -> T:
            with stop_unless_wanted(lambda: wanted):
                return work()

        async def leave() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            nonlocal wanted
            wanted = False
            waiting.cancel()

        with anyio.CancelScope() as waiting:
            leaving = asyncio.create_task(leave())
            try:
                async with own:
                    return await anyio.to_thread.run_sync(worked, limiter=self._places)
            except Abandoned:  # nothing of the work is to be kept
                return None
            finally:
                wanted = False
                leaving.cancel()
        return None
