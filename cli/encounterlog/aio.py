"""The Python API for asyncio: a log of a service, https://HOST/e/NAME, with the names of `encounterlog.api`.

Records are verified and folded here, as with `el.open`; records that were read before are reused.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Mapping
from contextlib import suppress
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar, Unpack

import httpx
import msgspec

from encounterlog.api import Written
from encounterlog.exporters import exporting
from encounterlog.forks import Fork, Readable, Step, findings_since
from encounterlog.log import arguments
from encounterlog.log.arguments import After, Event, Facts, Point
from encounterlog.log.folded_log import Decide, FoldedLog, Turn
from encounterlog.log.logs import LogView
from encounterlog.places import model, remote, services
from encounterlog.places.services import Spoken
from encounterlog.places.stores import is_served, open_store, parse_address as address_of
from eventstore.address import Url
from eventstore.chain import Anchor
from eventstore.errors import Malformed, NotReadable, NotThere
from eventstore.events import Struck
from eventstore.record import Recorded
from eventstore.store import Appended
from projections.language.notation.tokens import NotUnderstood

if TYPE_CHECKING:
    from projections.judging.audit import Finding
    from projections.language.notation.parsing import Parsed

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
QUIET = 30.0
"""The time in seconds after which a silent stream of news is opened again; a service says something every 15 or so."""


def _later(question: Callable[Concatenate[Fork, P], R]) -> Callable[Concatenate["AsyncLog", P], Coroutine[Any, Any, R]]:
    @wraps(question)
    async def asked(log: "AsyncLog", /, *given: P.args, **more: P.kwargs) -> R:
        return question(await log.fork(), *given, **more)

    return asked


class AsyncLog:
    """A log of a service. `async for record in log` yields its verified records; `async with` closes the connections."""

    def __init__(self, url: Url) -> None:
        self.address = url
        self._place = remote.endpoints_address(url.given)
        headers, trusted = remote.token_headers(), remote.trusted_certificates()
        self._client = httpx.AsyncClient(headers=headers, timeout=remote.ANSWERS, verify=trusted)
        self._service, self._kept = remote.Client(url), FoldedLog(audited_to=0)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    def __repr__(self) -> str:
        return f"<AsyncLog {self.address}>"

    async def __aiter__(self) -> AsyncIterator[Recorded]:
        for record in await self._verified_records():
            yield record

    async def head(self) -> Anchor:
        """Return the end of the log: its last seq and the hash of that record."""
        return await self._run_steps(self._service.head())

    async def append(
        self, facts: Facts, *, after: After = None, key: str | None = None, secret: bool = False
    ) -> Written:
        """Append a fact, or several as one, all or nothing, durable when this returns; as `Log.append`, and raises as that.

        The service records the writer, by the token.
        """
        drafts = arguments.make_drafts(facts, secret=secret)
        log = await self._view_now()
        return await self._append(log, arguments.decide_facts(drafts, after, key), after, key)

    async def tell(
        self,
        line: str,
        *,
        after: After = None,
        key: str | None = None,
        secret: bool = False,
        roll: Callable[[str], str] | None = None,
        word: str | None = None,
    ) -> Written:
        """Append the facts of a line of the language; like `Log.tell`, and raises as it does. The service draws its dice."""
        arguments.check_type("after", after, After, "a seq or a head")
        if services.is_recordable_by_service(line, roll, word, key):
            with suppress(*services.UNTOLD):
                return await self._record_line(Spoken(line, "", secret=secret), after, key)
        suggest = model.load_model_if_named()

        def read(log: LogView) -> "tuple[Parsed, Spoken | None]":
            return arguments.read_line(log, line, roll, word, secret=secret, suggest=suggest)

        log = await self._view_now()
        try:
            parsed, there = read(log)
        except NotUnderstood:
            if suggest is None or not await asyncio.to_thread(suggest.ask):
                raise
            log = await self._view_now()
            parsed, there = read(log)
        if after is None and parsed.corrects:
            after = len(log.records)
        if there:
            return await self._record_line(there, after, key)
        return await self._append(log, lambda now: (parsed if now is log else read(now)[0]).drafts, after, key)

    state = _later(Readable.state)
    audit = _later(Readable.audit)
    may = _later(Readable.may)
    why = _later(Readable.why)
    blame = _later(Readable.blame)
    first = _later(Readable.first)
    stats = _later(Readable.stats)
    whatif = _later(Readable.whatif)
    dice = _later(Readable.dice)
    would = _later(Readable.would)

    async def strike(self, seq: int, reason: str | None = None) -> Written:
        """Take a record out of the corrected stream."""
        return await self.append(Struck(event=seq, reason=reason))

    async def amend(self, seq: int, fields: Mapping[str, Any], reason: str | None = None) -> Written:
        """Put other fields into a record's fact; all others stay."""
        return await self.append(arguments.make_amendment(await self._verified_records(), seq, fields, reason))

    async def insert(self, after: int, fact: Event, reason: str | None = None) -> Written:
        """Insert a forgotten fact where it belongs, after a record."""
        return await self.append(arguments.make_insertion(after, fact, reason))

    async def ruling(self, ruling: arguments.Ruling, decision: str, **more: Unpack[arguments.About]) -> Written:
        """Record the game master's decision; as `Log.ruling`."""
        return await self.append(arguments.make_ruling(ruling, decision, **more))

    async def begin_dice(self, *, seed: str | None = None, because: str | None = None) -> Written:
        """Begin a chain of dice, whose secret the service keeps; as `Log.begin_dice`."""
        body = msgspec.json.encode({"seed": seed or "", "because": because or ""})
        with arguments.raise_as_malformed("dice"):
            answer = await self._run_steps(self._service.post_write("dice", body, {"content-type": "application/json"}))
        return self._make_written(await self._run_steps(self._service.read_written(answer)))

    async def replay(self, at: Point = None) -> AsyncIterator[Step]:
        """Yield each fact of the corrected stream with the values that it changed."""
        for step in (await self.fork()).replay(at):
            yield step

    async def export(self, form: str, *, for_players: bool = False) -> bytes:
        """Return the log in a format of `encounter export`; as `Log.export`, and raises as that."""
        exported = partial(exporting.export_to_bytes, for_players=for_players)
        with arguments.raise_as_malformed("form"):
            return await asyncio.to_thread(exported, form, open_store(self.address), self.address)

    async def fork(self) -> Fork:
        """Return a fork of the log in memory, for questions of the kind "what if"."""
        return Fork(await self._verified_records())

    async def follow(self, after: int | Anchor = 0) -> AsyncGenerator[Recorded, None]:
        """Yield the records after that one, then those that are appended meanwhile, without end; raise Rewritten.

        The service announces new records, which are then read and verified. A service that is away is waited for, 30
        seconds.
        """
        first, waited = arguments.parse_seq(after), 0.0
        last = after if isinstance(after, Anchor) else None
        while True:
            try:
                async for _ in self._announcements():
                    waited = 0.0
                    for record in await self._records_since(last):
                        last = Anchor(record.seq, record.hash)
                        if record.seq > first:
                            yield record
            except NotReadable as error:
                waited += remote.OFTEN
                if isinstance(error, NotThere) or waited > remote.PATIENCE:
                    raise
                await asyncio.sleep(remote.OFTEN)

    async def _announcements(self) -> AsyncIterator[None]:
        """Yield at once, and each time the service announces something new; raise NotReadable if it falls silent."""
        place, headers = f"{self._place}/events", {"last-event-id": str(await self.head())}
        try:
            async with self._client.stream("GET", place, headers=headers, timeout=QUIET) as answer:
                if not answer.is_success:
                    await answer.aread()
                    raise remote.refusal_error(self.address, "GET", answer)
                yield None
                async for line in answer.aiter_lines():
                    if line.startswith("data:"):
                        yield None
        except httpx.HTTPError as error:
            raise remote.unreachable_error(self.address, "GET", error) from None
        raise NotReadable(self.address, "the service ended the stream")

    async def _verified_records(self) -> tuple[Recorded, ...]:
        """Return all records, verified; known ones are fetched again only if later ones may change their view. Raise
        Rewritten if it is another log.
        """
        kept = self._kept
        end = kept.end
        news = await self._records_since(end)
        if kept.may_reveal(news):
            kept.replace_records(tuple(await self._records_since(None)))
        elif kept.end == end:  # else another task has read on meanwhile
            kept.fold_news(news)
        return kept.records

    async def _records_since(self, last: Anchor | None) -> list[Recorded]:
        """Return the records after one that was seen, all without one; raise Rewritten if it is gone."""
        return list(await self._run_steps(self._service.read(last)))

    async def _view_now(self) -> LogView:
        await self._verified_records()
        return LogView(self.address, kept=self._kept)

    async def _append(self, log: LogView, decide: Decide, after: After, key: str | None) -> Written:
        turn = Turn(log, decide)
        expected, again = (log.end, turn.decide_again) if after is None else (after, None)
        return self._make_written(await self._run_steps(self._service.append(turn.drafts, expected, key, again)))

    async def _record_line(self, spoken: Spoken, after: After, key: str | None) -> Written:
        done, _ = await self._run_steps(self._service.record_line(spoken, after, key))
        return self._make_written(done)

    def _make_written(self, done: Appended) -> Written:
        return Written(done.first, done.last, done.records, done.again, self._findings)

    def _findings(self, done: Written) -> "tuple[Finding, ...]":
        known = self._kept.records
        records = known if len(known) >= done.last else tuple(open_store(self.address).read())
        return findings_since(records[: done.last], done.first - 1)

    async def _run_steps(self, steps: remote.Steps[T]) -> T:
        reply: Any = None
        try:
            while True:
                step = steps.send(reply)
                reply = await (self._send(step) if isinstance(step, remote.Request) else asyncio.sleep(step))
        except StopIteration as end:
            found: T = end.value
            return found

    async def _send(self, request: remote.Request) -> httpx.Response:
        place = f"{self._place}/{request.what}"
        try:
            return await self._client.request(request.method, place, content=request.body, headers=request.headers)
        except httpx.HTTPError as error:
            raise remote.unreachable_error(self.address, request.method, error) from None


async def aopen(address: str | Url) -> AsyncLog:
    """Return the log at a URL of a service, for asyncio; ENCOUNTER_TOKEN holds the token.

    Raise as the store does if there is none.
    """
    where = address_of(address)
    if not isinstance(where, Url) or not is_served(where):
        raise Malformed("address", f"{where} is no log of a service", "el.open opens files and logs in databases")
    log = AsyncLog(where)
    try:
        await log.head()
    except BaseException:
        await log.aclose()
        raise
    return log
