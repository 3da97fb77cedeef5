"""The Python API for asyncio: a log of a service, https://HOST/e/NAME, with the names of `encounterlog.api`.

Records are verified and folded here, as with `el.open`; records that were read before are reused.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, Unpack

import httpx
import msgspec

from encounterlog.api import Written
from encounterlog.core import arguments
from encounterlog.core.arguments import Event, Point
from encounterlog.core.folded_log import FoldedLog
from encounterlog.forks import Fork, Questions, Step, shown_since
from encounterlog.retrying import Tries
from encounterlog.storage import model, remote, services
from encounterlog.storage.services import Spoken
from encounterlog.storage.stores import address as address_of
from encounterlog.storage.stores import is_served, open_store
from eventstore.address import Url
from eventstore.chain import Anchor
from eventstore.errors import Malformed, NotReadable, NotThere, WrongVersion
from eventstore.events import Struck
from eventstore.record import Draft, Recorded
from projections.language.notation.tokens import NotUnderstood

if TYPE_CHECKING:
    from projections.judging.audit import Finding
    from projections.language.notation.parsing import Parsed

QUIET = 30.0
"""The time in seconds after which a silent stream of news is opened again; a service says something every 15 or so."""


class AsyncLog(Questions):
    """A log of a service. `async for record in log` yields its verified records; `async with` closes the connections."""

    def __init__(self, url: Url) -> None:
        self.address = url
        self._place = services.place_of(url.given)
        self._client = httpx.AsyncClient(headers=services.headers(), timeout=services.PATIENCE, verify=services.trust())
        self._kept = FoldedLog(audits=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    def __repr__(self) -> str:
        return f"<AsyncLog {self.address}>"

    async def __aiter__(self) -> AsyncIterator[Recorded]:
        for record in await self._records():
            yield record

    async def head(self) -> Anchor:
        """Return the end of the log: its last seq and the hash of that record."""
        found = msgspec.json.decode((await self._asked("GET", "head")).content, type=Anchor)
        return Anchor(found.seq, found.hash)

    async def append(
        self,
        facts: Event | Sequence[Event],
        *,
        after: int | Anchor | None = None,
        key: str | None = None,
        secret: bool = False,
    ) -> Written:
        """Append a fact, or several as one, all or nothing, durable when this returns; as `Log.append`, and raises as that.

        The service records the writer, by the token.
        """
        drafts = arguments.drafts_of(facts, secret=secret)
        tries = Tries()
        while True:
            size = len(await self._records())
            if after is None or arguments.seq_of(after) == size:
                arguments.check(self._kept.replay, drafts)
            try:
                return await self._write(drafts, size if after is None else after, key)
            except WrongVersion:
                if after is not None:
                    raise
                await asyncio.sleep(tries.pause(self.address))

    async def tell(
        self,
        line: str,
        *,
        after: int | Anchor | None = None,
        key: str | None = None,
        secret: bool = False,
        roll: Callable[[str], str] | None = None,
        word: str | None = None,
    ) -> Written:
        """Append the facts of a line in the table grammar; like `Log.tell`, and raises as it does. The service draws its dice."""
        if remote.tells(line, roll, word, key):
            with suppress(*remote.UNTOLD):
                return await self._write(Spoken(line, "", secret=secret), after, key)
        suggest = model.later()
        tries = Tries()
        while True:
            size = len(await self._records())
            try:
                parsed, there = self._told(line, roll, word, secret=secret, suggest=suggest)
            except NotUnderstood:
                if suggest is None or not await asyncio.to_thread(suggest.ask):
                    raise
                size = len(self._kept.records)
                parsed, there = self._told(line, roll, word, secret=secret, suggest=suggest)
            drafts = arguments.drafts_of_line(parsed)
            try:
                return await self._write(there or drafts, size if after is None else after, key)
            except WrongVersion:
                if after is not None or parsed.corrects:
                    raise
                await asyncio.sleep(tries.pause(self.address))

    def _told(self, line: str, *how: Any, **more: Any) -> "tuple[Parsed, Spoken | None]":
        from encounterlog.core import drawn_dice  # only where lines are told

        return drawn_dice.parsed_or_spoken(self.address, self._kept.table, line, *how, **more)

    async def strike(self, seq: int, reason: str | None = None) -> Written:
        """Take a record out of the corrected stream."""
        return await self.append(Struck(event=seq, reason=reason))

    async def amend(self, seq: int, fields: Mapping[str, Any], reason: str | None = None) -> Written:
        """Put other fields into a record's fact; all others stay."""
        return await self.append(arguments.amended(await self._records(), seq, fields, reason))

    async def insert(self, after: int, fact: Event, reason: str | None = None) -> Written:
        """Insert a forgotten fact where it belongs, after a record."""
        return await self.append(arguments.inserted(after, fact, reason))

    async def ruling(self, ruling: arguments.Ruling, decision: str, **more: Unpack[arguments.About]) -> Written:
        """Record the game master's decision; as `Log.ruling`."""
        return await self.append(arguments.ruled(ruling, decision, **more))

    async def begin_dice(self, *, seed: str | None = None, because: str | None = None) -> Written:
        """Begin a chain of dice, whose secret the service keeps; as `Log.begin_dice`."""
        body = msgspec.json.encode({"seed": seed or "", "because": because or ""})
        with arguments.malformed("dice"):
            answer = await self._asked("POST", "dice", body, {"content-type": "application/json"})
        return await self._written(answer)

    async def replay(self, at: Point = None) -> AsyncIterator[Step]:
        """Yield each fact of the corrected stream with the values that it changed."""
        for step in (await self.fork()).replay(at):
            yield step

    async def export(self, form: str, *, for_players: bool = False) -> bytes:
        """Return the log in a format of `encounter export`; as `Log.export`, and raises as that."""
        from encounterlog.exporters import exporting

        def exported() -> bytes:
            with arguments.malformed("form"):
                return exporting.exported(form, open_store(self.address), self.address, for_players=for_players)

        return await asyncio.to_thread(exported)

    async def fork(self) -> Fork:
        """Return a fork of the log in memory, for questions of the kind "what if"."""
        return Fork(await self._records())

    async def follow(self, after: int | Anchor = 0) -> AsyncGenerator[Recorded, None]:
        """Yield the records after that one, then those that are appended meanwhile, without end; raise Rewritten.

        The service announces new records, which are then read and verified. A service that is away is waited for, 30
        seconds.
        """
        first, waited = arguments.seq_of(after), 0.0
        last = after if isinstance(after, Anchor) else None
        while True:
            try:
                async for _ in self._news():
                    waited = 0.0
                    for record in await self._since(last):
                        last = Anchor(record.seq, record.hash)
                        if record.seq > first:
                            yield record
            except NotReadable as error:
                waited += remote.OFTEN
                if isinstance(error, NotThere) or waited > remote.PATIENCE:
                    raise
                await asyncio.sleep(remote.OFTEN)

    async def _news(self) -> AsyncIterator[None]:
        """Yield at once, and each time the service announces something new; raise NotReadable if it falls silent."""
        head = await self.head()
        place, headers = f"{self._place}/events", {"last-event-id": str(head)}
        try:
            async with self._client.stream("GET", place, headers=headers, timeout=QUIET) as answer:
                if not answer.is_success:
                    await answer.aread()
                    raise remote.refusal(self.address, "GET", answer)
                yield None
                async for line in answer.aiter_lines():
                    if line.startswith("data:"):
                        yield None
        except httpx.HTTPError as error:
            raise remote.away(self.address, "GET", error) from None
        raise NotReadable(self.address, "the service ended the stream")

    async def _records(self) -> tuple[Recorded, ...]:
        """Return all records, verified; known ones are fetched again only if later ones may change their view. Raise
        Rewritten if it is another log.
        """
        kept = self._kept
        end = kept.end
        news = await self._since(end)
        if kept.may_reveal(news):
            kept.become(tuple(await self._since(None)))
        elif kept.end == end:  # else another task has read on meanwhile
            kept.take(news)
        return kept.records

    async def _since(self, last: Anchor | None) -> list[Recorded]:
        """Return the records after one that was seen, all without one; raise Rewritten if it is gone."""
        if last is None or not last.seq:
            return list(remote.walk_of(self.address, (await self._asked("GET", "records")).content))
        data = (await self._asked("GET", f"records?after={last.seq - 1}")).content
        return list(remote.continued(self.address, data, last))

    async def _write(self, what: tuple[Draft, ...] | Spoken, after: int | Anchor | None, key: str | None) -> Written:
        expected = after if after is None or isinstance(after, Anchor) else await self._anchor(after)
        if isinstance(what, Spoken):
            answer = await self._asked("POST", "lines", *remote.request_to_tell(what, expected, key))
        else:
            answer = await self._asked("POST", "records", *remote.request_of(what, expected, key))
        return await self._written(answer)

    async def _anchor(self, seq: int) -> Anchor:
        """Return the record that the log must end with; raise WrongVersion if there is none."""
        if 0 < seq <= len(self._kept.records):
            return Anchor(seq, self._kept.records[seq - 1].hash)
        data = (await self._asked("GET", f"records?after={seq - 1}")).content if seq > 0 else b""
        found = remote.anchor_of(self.address, data)
        if found is None:
            raise WrongVersion(seq, (await self.head()).seq)
        return found

    async def _written(self, answer: Any) -> Written:
        """Return the written append, by the service's answer."""
        told = remote.answer_of(self.address, answer.content)
        data = (await self._asked("GET", f"records?after={told.before}")).content
        records = remote.records_of(self.address, data, told)
        return Written(told.first, told.last, records, told.again, self._findings)

    def _findings(self, done: Written) -> "tuple[Finding, ...]":
        known = self._kept.records
        records = known if len(known) >= done.last else tuple(open_store(self.address).read())
        return shown_since(records[: done.last], done.first - 1)

    async def _asked(self, method: str, what: str, body: bytes = b"", headers: dict[str, str] | None = None) -> Any:
        """Return an answer; raise the error of a refusal, or of a missing answer."""
        try:
            answer = await self._client.request(method, f"{self._place}/{what}", content=body, headers=headers)
        except httpx.HTTPError as error:
            raise remote.away(self.address, method, error) from None
        if answer.is_success:
            return answer
        raise remote.refusal(self.address, method, answer)


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
