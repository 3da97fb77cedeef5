"""The memory of a process: the logs that it serves, the streams that follow them, and what waits for people.

Of each log it has the verified records, and the states that they fold to: one for a game master, and one for all others, from the records
without their secrets. A request reads what came since, verified from the end that is known, so that it costs the same in a long log as in a
short one. Where that end is no longer in the log, all that is known of it is thrown away.

One thread follows each log that is watched, and passes durable records on to all its watchers. Between what a client has missed and what is new
nothing is lost and nothing comes twice: its stream is entered first, then reads the log, and leaves out the records that it has read already.

Acts of players on others' combatants wait beside the log until a game master decides; a proposal that waits when the process ends is lost, and
its proposer's page says so. A word is asked for once a roll from a chain of dice is settled, of the players who have the page open, and the first
that comes is taken; none is kept for later, because the holder of the secret could then look ahead. For dice that are kept from players nobody is
asked, because the question would reveal the roll.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from itertools import chain
from math import inf
from typing import Any

import anyio
import msgspec
from msgspec import Struct, structs
from starlette.responses import StreamingResponse

from encounterlog.log.drawn_dice import Wanted, Word, make_word_source
from encounterlog.log.folded_log import FoldedLog, may_change_the_past
from encounterlog.log.logs import LogView
from encounterlog.places import answers
from encounterlog.places.shelves import Shelf
from encounterlog.places.tokens import Token
from encounterlog.service.problems import Problem, problem_of, write_line
from encounterlog.service.settings import HEADERS, Limits
from eventstore.address import Url
from eventstore.chain import Anchor
from eventstore.errors import CorruptLog, NotALog, Rewritten, StoreError, TooLarge
from eventstore.record import Recorded, batches, encode_record, ends_batch
from eventstore.store import Store
from projections.stream.audience import for_players

MOST = 100_000  # records that a process keeps, of all logs; one that alone has more is read again for each request
ALL_SECRETS = frozenset({"gm"})  # the roles that see everything; an operator hands out tokens, and reads nothing
MOST_OF_ONE, MOST_WAITING = 10, 60  # the proposals that may wait of one token, and of one encounter, or stay decided
LARGEST = 20_000  # bytes of a proposal
ANEW = "id\n"  # the field of a last event that lets a browser begin from the start


class ServedLog:
    """The memory of one log, which threads share: `lock` is held while it is looked at, or its folded state used, `turn` while one appends."""

    def __init__(self, name: str, store: Store) -> None:
        self.name, self.store = name, store
        self.lock, self.turn = threading.Lock(), threading.Lock()
        self.folded = FoldedLog(self._read_since, lock=self.lock, rewritten=self._report_rewritten)

    def _read_since(self, after: Anchor | None) -> Iterator[Recorded]:
        found = whole_records(self.store, after)
        first = None if after else next(found, None)
        if not after and first is None:
            raise NotALog(self.name, "it holds no record")
        return chain([first], found) if first else found

    def _report_rewritten(self, why: Rewritten) -> None:
        write_line(rewritten=self.name, why=f"record {why.anchor}: {why.why}")

    @property
    def encounter(self) -> str:
        """The id that its opening gave the log."""
        return self.view(secrets=True).opening.encounter

    def view(self, *, secrets: bool, as_of: int | None = None, alone: bool = False) -> LogView:
        """Return the log as an audience saw it at the last look; the lock is held, and if it is `alone` as long as it is used."""
        path = getattr(self.store, "path", self.name)
        place, store, kept = path if isinstance(path, Url) else str(path), self.store, self.folded
        return LogView(self.name, as_of=as_of, secrets=secrets, store=store, kept=kept, alone=alone, place=place)


def whole_records(store: Store, after: Anchor | None = None) -> Generator[Recorded, None, None]:
    """Yield the records of a log but for a torn tail; raise what else is wrong with it."""
    try:
        yield from store.read(after or 0)
    except CorruptLog as error:
        if not error.torn:
            raise


class ServedLogs:
    """A process's memory of all logs of a shelf, at most so many records; the logs that were asked for last are kept."""

    def __init__(self, shelf: Shelf, most: int = MOST) -> None:
        self._shelf, self._most, self._lock = shelf, most, threading.Lock()
        self._logs: dict[str, ServedLog] = {}

    def log_of(self, name: str) -> ServedLog:
        """Return the known part of a log, without looking at it; raise NotThere or Malformed."""
        try:
            store = self._shelf.store(name)
        except StoreError:
            with self._lock:
                self._logs.pop(name, None)
            raise
        with self._lock:
            known = self._logs.pop(name, None) or ServedLog(name, store)
            left = self._most - len(known.folded.records)
            for other, each in reversed([*self._logs.items()]):  # those not asked for the longest time are forgotten
                left -= len(each.folded.records)
                if left < 0:
                    del self._logs[other]
            self._logs[name] = known
        known.store = store  # a shelf that has many logs opens one again
        return known

    def size_of(self, name: str) -> int:
        """How many records are kept of a log; 0 for one that is not known."""
        known = self._logs.get(name)
        return len(known.folded.records) if known else 0


@contextmanager
def hold_log(known: ServedLog) -> Iterator[ServedLog]:
    """Hold a log as it is now, for a moment; raise as the store does."""
    with known.lock:
        known.folded.read_new()
        yield known


def _encode_event(kind: str, *, first: str = "", **data: Any) -> bytes:
    return b"event: %b\n%bdata: %b\n\n" % (kind.encode(), first.encode(), msgspec.json.encode(data))


BEAT = _encode_event("beat")
"""The sign of life while there is no news: an event, since a browser does not pass comments on to its page."""


class Stream(StreamingResponse):
    """The missed records, then new ones, heartbeats, and a last event; only the thread of the event loop touches it."""

    media_type = "text/event-stream"

    def __init__(self, streams: "Streams", token: Token, name: str, after: Anchor | None) -> None:
        headers = HEADERS | {"cache-control": "no-store, no-transform", "x-accel-buffering": "no"}
        super().__init__(self._yield_events(), headers=headers)
        self.token, self.secrets, self.name = token, token.role in ALL_SECRETS, name
        self._streams, self._after = streams, after
        self.waiting: list[tuple[float, bytes]] = []  # the last seq of each append, and its events; inf, and no record
        self.size = self.passed = self.last = 0  # the last of the missed records, once they are on their way
        self.is_idle = False  # nothing is being sent
        # sends a chunk at once, and returns whether that was possible; only the service's own server can do it
        self.pass_on: Callable[[bytes], bool] | None = None
        self.end: bytes | None = None
        self.awake = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send it until it ends, or until its client is gone; one that takes nothing is cut off by the server."""
        state = scope.setdefault("state", {})
        self.pass_on = state.get("pass_on") if scope["http_version"] == "1.1" else None
        try:
            await super().__call__(scope, receive, send)
        finally:
            state["passed"] = self.passed
            self._streams.leave(self)

    async def _yield_events(self) -> AsyncIterator[bytes]:
        missing: Iterator[bytes] = iter(())
        yield b"retry: 1000\n" + BEAT  # how long a browser waits before it connects again, in milliseconds
        try:
            await self._streams.follow(self)
            wanted = self._streams.known, self.name, self._after, self.secrets
            self.last, missing = await anyio.to_thread.run_sync(missed_events, *wanted, abandon_on_cancel=True)
        except Exception as error:  # noqa: BLE001 – whatever it is, the client gets the error
            self.finish(_encode_event("reset", first=ANEW, why=_reason_sent(error, self.name)))
        pieces = _join_events(missing)
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

    def send_events(self, last: float, data: bytes) -> None:
        """Send events, or let them wait; if too much waits, leave out what is no record, or end."""
        most = self._streams.limits.backlog
        if self.end is not None or last <= self.last or (last == inf and self.size > most // 2):
            return
        if self.pass_on and self.is_idle and not self.waiting and self.pass_on(b"%x\r\n%b\r\n" % (len(data), data)):
            self.passed += len(data)
            return
        self.waiting.append((last, data))
        self.size += len(data)
        if self.size > most:
            self.finish(_encode_event("reset", why="too slow: more came than was taken"))
        self.awake.set()

    def finish(self, said: bytes) -> None:
        """End the stream with a last event; waiting events are left out, and sent when the client comes again."""
        if self.end is None:
            self.end = said
            self.waiting.clear()
        self.awake.set()

    def take(self) -> bytes:
        """Return the events that wait and were not sent."""
        taken, self.size = b"".join(data for last, data in self.waiting if last > self.last), 0
        self.waiting.clear()
        if self.end is None:
            self.awake.clear()
        return taken


class Room:
    """Everybody who follows one log from its present end, and the thread that follows it for them."""

    def __init__(self, owner: "Streams", name: str) -> None:
        self.name, self.streams, self.over, self._owner = name, set[Stream](), threading.Event(), owner
        with hold_log(owner.known.log_of(name)) as self._known:
            self._head = self._known.folded.end

    def follow_log(self) -> None:
        """Send what is appended to all streams, until the room is over, or the log fails."""
        try:
            for batch in batches(self._known.store.follow(self._head or 0, stop=self.over)):
                self._owner.call_soon(self._send_to_streams, batch[-1].seq, *self._encode_append(batch))
        except Exception as error:  # noqa: BLE001 – whatever it is, the followers get the error
            self._owner.call_soon(self._end_streams, error)

    def _encode_append(self, batch: list[Recorded]) -> tuple[bytes, bytes]:
        full = b"".join(_record_events(batch, 0, secrets=True))
        first, last = batch[0].seq - 1, batch[-1].seq
        past = any(record.secret for record in batch) or may_change_the_past(batch)
        if not past and not self._known.folded.has_secrets:
            return full, full
        with hold_log(self._known) as known:
            whole, shown = (known.folded.view_for(secrets=each).records for each in (True, False))
        if not known.folded.has_secrets:
            return full, full
        if past or len(shown) != last:
            return full, b"".join(_record_events(whole[:last], first, secrets=False))
        return full, b"".join(_record_events(shown, first, secrets=True))

    def _send_to_streams(self, last: int, full: bytes, shown: bytes) -> None:
        for stream in self.streams:
            stream.send_events(last, full if stream.secrets else shown)

    def _end_streams(self, error: Exception) -> None:
        first = ANEW if isinstance(error, StoreError) else ""
        said = _encode_event("reset", first=first, why=_reason_sent(error, self.name))
        for stream in tuple(self.streams):
            stream.finish(said)
        self._owner.close(self)


class Streams:
    """All streams of a process, within its limits."""

    def __init__(self, shelf: Shelf, known: ServedLogs, limits: Limits) -> None:
        self.shelf, self.known, self.limits, self.stopping = shelf, known, limits, False
        self._rooms, self._open, self._entering = dict[str, Room](), set[Stream](), asyncio.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def enter(self, token: Token, name: str, after: Anchor | None) -> Stream:
        """Return a new stream of a log for a token, from a record on; raise Problem if there are as many as are allowed."""
        if self.stopping:
            raise Problem("stopping", "the service is about to stop", "connect again in a moment")
        limits, own = self.limits, [each for each in self._open if each.token.id == token.id]
        for those, most, whose in (own, limits.streams, "this token"), (self._open, limits.all_streams, "this service"):
            if len(those) >= most:
                says = f"{whose} has {len(those)} streams open, {most} are allowed"
                raise Problem("too-many-streams", says, "close one")
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
        for stream in streams:
            self.call_soon(stream.send_events, inf, data)
        return len(streams)

    def stop(self) -> None:
        """End all streams, and let no more begin."""
        self.stopping = True
        for stream in tuple(self._open):
            stream.finish(_encode_event("reconnect", first="retry: 200\n", why="the service is about to stop"))
        for room in tuple(self._rooms.values()):
            self.close(room)

    async def watch_tokens(self) -> None:
        """End the streams of tokens that another process revoked, for as long as the service runs."""
        while True:
            await asyncio.sleep(self.limits.revoked)
            if asked := {stream.token.id for stream in self._open}:  # by the time that they are read, others may be new
                with suppress(StoreError):  # the next look may succeed; until then no request extends anybody's rights
                    known = await anyio.to_thread.run_sync(self.shelf.tokens.all)
                    self.end_revoked(asked - {one.id for one in known if not one.revoked})

    def end_revoked(self, ids: set[str]) -> None:
        """End the streams of these tokens."""
        for stream in tuple(self._open):
            if stream.token.id in ids:
                stream.finish(_encode_event("revoked", why="the token was revoked"))

    def close(self, room: Room) -> None:
        """Follow a log no longer."""
        room.over.set()
        if self._rooms.get(room.name) is room:
            del self._rooms[room.name]

    def call_soon(self, function: Callable[..., None], *given: Any) -> None:
        """Call a function in the thread of the event loop; any thread may call this."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *given)


def _reason_sent(error: Exception, name: str) -> str:
    # the rest is for the journal
    problem = problem_of(error, name)
    if problem.kept:
        write_line(problem=problem.kind, stream=name, why=problem.kept)
    return problem.detail


def missed_events(known: ServedLogs, name: str, after: Anchor | None, secrets: bool) -> tuple[int, Iterator[bytes]]:
    """Return the end of a log, and the events that a client has missed; raise as the store does, or Rewritten."""
    with hold_log(known.log_of(name)) as log:
        whole = log.folded.records
    seq = after.seq if after else 0
    if after is not None and (seq > len(whole) or whole[seq - 1].hash != after.hash):
        raise Rewritten(name, after, "the log was rewritten, or it is another one")
    return len(whole), _record_events(whole, seq, secrets=secrets) if seq < len(whole) else iter(())


def _record_events(whole: Sequence[Recorded], after: int, *, secrets: bool) -> Iterator[bytes]:
    # for players those that a later ruling revealed come first; what players see of records depends on all that came before
    shown, before = whole if secrets else tuple(for_players(whole)), whole[:after]
    if not secrets and any(record.secret for record in before):
        for old, new in zip(for_players(before), shown, strict=False):
            if old.withheld and not new.withheld:
                yield b"event: revealed\ndata: %b\n\n" % encode_record(new)
    for record in shown[after:]:
        place = b"id: %b\n" % str(Anchor(record.seq, record.hash)).encode() if ends_batch(record) else b""
        yield b"%bdata: %b\n\n" % (place, encode_record(record))


def _join_events(events: Iterable[bytes]) -> Iterator[bytes]:
    held = bytearray()
    for event in events:
        held += event
        if len(held) > 1 << 16:
            yield bytes(held)
            held.clear()
    if held:
        yield bytes(held)


class Proposal(Struct):
    """The body of a request as it was sent, "" for a line, and the facts that it would have recorded at the last look; `shown` is what people see."""

    token: Token
    body: bytes
    media: str
    key: str
    facts: bytes
    shown: answers.Proposal
    done: answers.Told | answers.Appended = answers.Told()


class Proposals:
    """The proposals of a process, by the name and id of the encounter: another log with the name has others."""

    def __init__(self, streams: Streams) -> None:
        self._streams, self._lock = streams, threading.Lock()
        self._of: dict[tuple[str, str], list[Proposal]] = {}

    def _those_of(self, seen: LogView) -> list[Proposal]:
        return self._of.setdefault((str(seen.path), seen.opening.encounter), [])

    def add_proposal(self, seen: LogView, new: Proposal) -> tuple[Proposal, int]:
        """Let a proposal wait, or find the earlier one under its key; return it, and how many game masters were notified."""
        with self._lock:
            those = self._those_of(seen)
            own = [each for each in those if each.token.id == new.token.id]
            made = next((each for each in own if new.key and each.key == new.key), None)
            if made is None:
                if len(new.body) > LARGEST:
                    raise TooLarge("bytes in one proposal", len(new.body), LARGEST)
                for some, most, whose in (own, MOST_OF_ONE, "yours"), (those, MOST_WAITING, "this encounter"):
                    if (number := sum(each.shown.state == "waiting" for each in some)) >= most:
                        says = f"{number} proposals of {whose} wait for the game master"
                        raise Problem("too-many-proposals", says, "propose again when some were decided")
                those.append(made := new)
            elif (made.shown.line, made.body) != (new.shown.line, new.body):
                says = f"the key {new.key!r} stands for another proposal"
                raise Problem("key-reused", says, "use a new key for a new one")
        return made, self.notify_pages(str(seen.path), made)

    def notify_pages(self, name: str, proposal: Proposal) -> int:
        """Notify the pages of game masters, and of the proposer, that a proposal has changed; return how many game masters heard it."""
        changed = _encode_event("proposals")
        self._streams.send_event(name, changed, lambda token: token.id == proposal.token.id)
        return self._streams.send_event(name, changed, lambda token: token.role == "gm")

    def seen_by(self, seen: LogView, token: Token) -> list[Proposal]:
        """Return the proposals that the asker may see, in their order: game masters all, players their own."""
        with self._lock:
            return [each for each in self._those_of(seen) if token.role == "gm" or token.id == each.token.id]

    def mark_decided(self, seen: LogView, proposal: Proposal, state: answers.State) -> None:
        """Mark a proposal as decided, and forget those that were decided long ago."""
        with self._lock:
            proposal.shown = structs.replace(proposal.shown, state=state)
            those = self._those_of(seen)
            decided = [each.shown.id for each in those if each.shown.state != "waiting"]
            those[:] = [each for each in those if each.shown.id not in decided[:-MOST_WAITING]]


class Words:
    """The rolls of a process that wait for a word, by their encounters."""

    def __init__(self, streams: Streams, wait: float) -> None:
        self._streams, self._wait, self._lock = streams, wait, threading.Lock()
        self._open: dict[Future[Word], tuple[str, int]] = {}

    def ask_word(self, name: str, wanted: Wanted, own: str = "") -> Word:
        """Return the word of a player who has the page open; if none comes in time, one of the holder with the reason."""
        own = own or make_word_source()(wanted).text
        if wanted.hidden:
            return Word(own, lacks="players are asked for no word for dice that are kept from them")
        waiting: Future[Word] = Future()
        with self._lock:
            self._open[waiting] = name, wanted.number
        try:
            asks = _encode_event("word", number=wanted.number, dice=wanted.dice)
            if not self._streams.send_event(name, asks, lambda token: token.role == "player"):
                return Word(own, lacks="no player had the page open")
            wait([waiting], self._wait)
        finally:
            with self._lock:
                del self._open[waiting]
        return waiting.result() if waiting.done() else Word(own, lacks=f"no word came within {self._wait:g} seconds")

    def give_word(self, name: str, number: int, word: Word) -> bool:
        """Give a word for a roll that waits for one, and return whether it was the first."""
        with self._lock:
            waiting = next((one for one, roll in self._open.items() if roll == (name, number) and not one.done()), None)
            if waiting:
                waiting.set_result(word)
        return waiting is not None
