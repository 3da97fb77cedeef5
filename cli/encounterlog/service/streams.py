"""Streams: one thread follows each log that is watched, and passes durable records on to all its watchers. A stream begins with
the records that its client has missed, and goes on with new ones. Between the two nothing is lost and nothing comes twice: it is
entered among the followers first, then reads the log, and leaves out the records that it has read already.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any

import anyio
import msgspec
from starlette.responses import StreamingResponse

from encounterlog.log.folded_log import may_change_the_past
from encounterlog.places.shelves import Shelf
from encounterlog.places.tokens import Token
from encounterlog.service.problems import Problem, problem_of, write_line
from encounterlog.service.served_logs import ALL_SECRETS, ServedLogs, hold_log
from encounterlog.service.settings import HEADERS, Limits
from eventstore.chain import Anchor
from eventstore.errors import Rewritten, StoreError
from eventstore.record import Recorded, batches, encode_record, ends_batch
from projections.stream.audience import for_players

PIECE = 1 << 16
"""The most bytes that are sent at once."""


class Stream(StreamingResponse):
    """The response to a client that follows a log: the missed records, then new ones, heartbeats, and a last event.

    Only the thread of the event loop touches it.
    """

    media_type = "text/event-stream"

    def __init__(self, streams: "Streams", token: Token, name: str, after: Anchor | None) -> None:
        headers = HEADERS | {"cache-control": "no-store, no-transform", "x-accel-buffering": "no"}
        super().__init__(self._yield_events(), headers=headers)
        self.token, self.secrets, self.name = token, token.role in ALL_SECRETS, name
        self._streams, self._after, self._most = streams, after, streams.limits.backlog
        self.waiting: list[tuple[int | None, bytes]] = []
        """The last seq of each append, and its events; without one, an event that is no record."""
        self.size = self.passed = 0
        self.last = 0
        """The last of the missed records; 0 until they are on their way."""
        self.is_idle = False
        """Whether nothing is being sent."""
        self.pass_on: Callable[[bytes], bool] | None = None
        """Sends a chunk at once, and returns whether that was possible; only the service's own server can do it."""
        self.end: bytes | None = None
        self.awake = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send the stream until it ends, or until its client is gone; one that takes nothing is cut off by the server."""
        state = scope.setdefault("state", {})
        self.pass_on = state.get("pass_on") if scope["http_version"] == "1.1" else None
        try:
            await super().__call__(scope, receive, send)
        finally:
            state["passed"] = self.passed
            self._streams.leave(self)

    async def _yield_events(self) -> AsyncIterator[bytes]:
        """Yield the missed records, each piece after the one before was taken, then what comes; if that is impossible, the reason."""
        missing: Iterator[bytes] = iter(())
        yield BEGIN
        try:
            await self._streams.follow(self)
            missed = partial(missed_events, self._streams.known, self.name, self._after, secrets=self.secrets)
            self.last, missing = await anyio.to_thread.run_sync(missed, abandon_on_cancel=True)
        except Exception as error:  # noqa: BLE001 – whatever it is, the client gets the error
            self.finish(reset_event(_reason_sent(error, self.name), restart=True))
        pieces = join_events(missing)
        while piece := await anyio.to_thread.run_sync(next, pieces, b"", abandon_on_cancel=True):
            yield piece
        while self.end is None:
            if taken := self.take():
                yield taken
            self.is_idle = True
            with anyio.move_on_after(self._streams.limits.heartbeat) as beat:
                await self.awake.wait()
            self.is_idle = False
            if beat.cancelled_caught:
                yield BEAT
        yield self.end

    def send_chunk(self, last: int | None, data: bytes, chunk: bytes) -> None:
        """Send events, here also a chunk, or let them wait; if too much waits, leave out what is no record, or end."""
        if self.end is not None or self._has_sent(last) or (last is None and self.size > self._most // 2):
            return
        if self.pass_on and self.is_idle and not self.waiting and self.pass_on(chunk):
            self.passed += len(data)
            return
        self.waiting.append((last, data))
        self.size += len(data)
        if self.size > self._most:
            self.finish(reset_event("too slow: more came than was taken", restart=False))
        self.awake.set()

    def _has_sent(self, last: int | None) -> bool:
        return last is not None and last <= self.last

    def finish(self, said: bytes) -> None:
        """End the stream with a last event; waiting events are left out, and sent when the client comes again."""
        if self.end is None:
            self.end = said
            self.waiting.clear()
        self.awake.set()

    def take(self) -> bytes:
        """Return the events that wait and were not sent."""
        taken = b"".join(data for last, data in self.waiting if not self._has_sent(last))
        self.waiting.clear()
        self.size = 0
        if self.end is None:
            self.awake.clear()
        return taken


class Room:
    """Everybody who follows one log, and the thread that follows it for them."""

    def __init__(self, owner: "Streams", name: str) -> None:
        """Take the present end of the log; raise as the store does."""
        self.name, self.streams, self.over, self._owner = name, set[Stream](), threading.Event(), owner
        with hold_log(owner.known.log_of(name)) as self._known:
            self._head = self._known.head

    def follow_log(self) -> None:
        """Send what is appended to all streams, until the room is over, or the log fails."""
        try:
            for batch in batches(self._known.store.follow(self._head, stop=self.over)):
                self._owner.call_soon(self._send_to_streams, batch[-1].seq, *self._encode_append(batch))
        except Exception as error:  # noqa: BLE001 – whatever it is, the followers get the error
            self._owner.call_soon(self._end_streams, error)

    def _encode_append(self, batch: list[Recorded]) -> tuple[bytes, bytes]:
        """Return an append as events, with secrets and without."""
        full = b"".join(record_events(batch, 0, secrets=True))
        first, last = batch[0].seq - 1, batch[-1].seq
        past = any(record.secret for record in batch) or may_change_the_past(batch)
        if not past and not self._known.folded.has_secrets:
            return full, full
        with hold_log(self._known) as known:
            whole, shown = (known.folded.view_for(secrets=each).records for each in (True, False))
        if not known.folded.has_secrets:
            return full, full
        if not past and len(shown) == last:
            return full, b"".join(record_events(shown, first, secrets=True))
        return full, b"".join(record_events(whole[:last], first, secrets=False))

    def _send_to_streams(self, last: int, full: bytes, shown: bytes) -> None:
        chunks = {True: (full, _http_chunk(full)), False: (shown, _http_chunk(shown))}  # once for all who see the same
        for stream in self.streams:
            stream.send_chunk(last, *chunks[stream.secrets])

    def _end_streams(self, error: Exception) -> None:
        why = _reason_sent(error, self.name)
        for stream in tuple(self.streams):
            stream.finish(reset_event(why, restart=isinstance(error, StoreError)))
        self._owner.close(self)


class Streams:
    """All streams of a process, within its limits."""

    def __init__(self, shelf: Shelf, known: ServedLogs, limits: Limits) -> None:
        self.shelf, self.known, self.limits = shelf, known, limits
        self.stopping = False
        self._rooms: dict[str, Room] = {}
        self._open: set[Stream] = set()
        self._entering = asyncio.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def enter(self, token: Token, name: str, after: Anchor | None) -> Stream:
        """Return a new stream of a log for a token, from a record on; raise Problem if there are as many as are allowed."""
        if self.stopping:
            raise Problem("stopping", "the service is about to stop", "connect again in a moment")
        own = sum(1 for each in self._open if each.token.id == token.id)
        both = (own, self.limits.streams, "this token"), (len(self._open), self.limits.all_streams, "this service")
        for number, most, whose in both:
            if number >= most:
                raise Problem("too-many-streams", f"{whose} has {number} streams open, {most} are allowed", "close one")
        stream = Stream(self, token, name, after)
        self._open.add(stream)
        return stream

    async def follow(self, stream: Stream) -> None:
        """Let a stream get what is appended to its log from now on."""
        self._loop = asyncio.get_running_loop()
        async with self._entering:
            room = self._rooms.get(stream.name)
            if room is None:
                room = self._rooms[stream.name] = await anyio.to_thread.run_sync(Room, self, stream.name)
                threading.Thread(target=room.follow_log, name=f"following {stream.name}", daemon=True).start()
            room.streams.add(stream)

    def leave(self, stream: Stream) -> None:
        """Forget a stream; nobody follows a log for nobody."""
        self._open.discard(stream)
        if room := self._rooms.get(stream.name):
            room.streams.discard(stream)
            if not room.streams:
                self.close(room)

    def send_event(self, name: str, data: bytes, to: Callable[[Token], bool]) -> int:
        """Send an event to the followers of a log who have one of these tokens, and return their number; any thread may call it."""
        room = self._rooms.get(name)
        streams = [each for each in tuple(room.streams) if to(each.token)] if room else []
        chunk = _http_chunk(data)
        for stream in streams:
            self.call_soon(stream.send_chunk, None, data, chunk)
        return len(streams)

    def end_revoked(self, ids: set[str]) -> None:
        """End the streams of these tokens; any thread may call it."""
        self.call_soon(self._end_streams, ids)

    def stop(self) -> None:
        """End all streams, and let no more begin."""
        self.stopping = True
        for stream in tuple(self._open):
            stream.finish(RECONNECT)
        for room in tuple(self._rooms.values()):
            self.close(room)

    async def watch_tokens(self) -> None:
        """End the streams of tokens that another process revoked, for as long as the service runs."""
        while True:
            await asyncio.sleep(self.limits.revoked)
            # a token may be new by the time that the others are read
            asked = {stream.token.id for stream in self._open}
            if asked:
                # the next look may succeed; until then nobody's rights are extended by a request
                with suppress(StoreError):
                    known = await anyio.to_thread.run_sync(self.shelf.tokens.all)
                    self._end_streams(asked - {one.id for one in known if not one.revoked})

    def _end_streams(self, ids: set[str]) -> None:
        for stream in tuple(self._open):
            if stream.token.id in ids:
                stream.finish(REVOKED)

    def close(self, room: Room) -> None:
        """Follow a log no longer."""
        room.over.set()
        if self._rooms.get(room.name) is room:
            del self._rooms[room.name]

    def call_soon(self, function: Callable[..., None], *given: Any) -> None:
        """Call a function in the thread of the event loop; any thread may call this."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *given)


def _http_chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data) if data else b""


def _reason_sent(error: Exception, name: str) -> str:
    """Return the part of an error that is sent, and write the rest to the journal."""
    problem = problem_of(error, name)
    if problem.kept:
        write_line(problem=problem.kind, stream=name, why=problem.kept)
    return problem.detail


def missed_events(known: ServedLogs, name: str, after: Anchor | None, *, secrets: bool) -> tuple[int, Iterator[bytes]]:
    """Return the end of a log, and the events that a client has missed; raise as the store does, or Rewritten."""
    with hold_log(known.log_of(name)) as log:
        whole = log.folded.records
    seq = after.seq if after else 0
    if after is not None and (seq > len(whole) or whole[seq - 1].hash != after.hash):
        raise Rewritten(name, after, "the log was rewritten, or it is another one")
    return len(whole), record_events(whole, seq, secrets=secrets) if seq < len(whole) else iter(())


# ---------------------------------------------------------------- events


def encode_event(kind: str, *, first: str = "", **data: Any) -> bytes:
    """Return an event that is no record: its kind, its further fields, and its data."""
    return b"event: %b\n%bdata: %b\n\n" % (kind.encode(), first.encode(), msgspec.json.encode(data))


BEAT = encode_event("beat")
"""The sign of life while there is no news: an event, since a browser does not pass comments on to its page."""
BEGIN = b"retry: 1000\n" + BEAT
"""The first event: it also says how long a browser waits before it connects again, in milliseconds."""
RECONNECT = encode_event("reconnect", first="retry: 200\n", why="the service is about to stop")
"""The event that asks a client to connect again, from where it is."""
REVOKED = encode_event("revoked", why="the token was revoked")
"""The event that ends the stream of a revoked token."""
PROPOSALS = encode_event("proposals")
"""The event for a change of the waiting proposals, or for a decision."""


def record_events(whole: Sequence[Recorded], after: int, *, secrets: bool) -> Iterator[bytes]:
    """Return the records after one as events; for players those that a later ruling revealed come first, as `revealed`.

    `whole` are all records up to the last one: what players see of them depends on all that came before.
    """
    shown = whole if secrets else tuple(for_players(whole))
    return chain(() if secrets else _newly_revealed(whole[:after], shown), _encode_records(shown[after:]))


def _newly_revealed(before: Sequence[Recorded], shown: Sequence[Recorded]) -> Iterator[bytes]:
    """Yield the records that were withheld before the last ones came, and no longer are."""
    for old, new in zip(for_players(before), shown, strict=False) if any(record.secret for record in before) else ():
        if old.withheld and not new.withheld:
            yield b"event: revealed\ndata: %b\n\n" % encode_record(new)


def _encode_records(records: Sequence[Recorded]) -> Iterator[bytes]:
    for record in records:
        place = b"id: %b\n" % str(Anchor(record.seq, record.hash)).encode() if ends_batch(record) else b""
        yield b"%bdata: %b\n\n" % (place, encode_record(record))


def join_events(events: Iterable[bytes]) -> Iterator[bytes]:
    """Yield events joined to pieces, each made when it is asked for."""
    held = bytearray()
    for event in events:
        held += event
        while len(held) >= PIECE:
            yield bytes(held[:PIECE])
            del held[:PIECE]
    if held:
        yield bytes(held)


def reset_event(why: str, *, restart: bool) -> bytes:
    """Return the event that tells a client to stop; `restart` lets its browser begin from the start."""
    return encode_event("reset", first="id\n" if restart else "", why=why)
