"""A log of a service, https://HOST/e/NAME, as a store: what is read is verified here, and the service writes."""

import threading
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from typing import Any

import msgspec

from encounterlog.edge import services
from encounterlog.edge.given import Spoken
from encounterlog.errors import Refused, kind_numbered
from eventstore.address import Url
from eventstore.chain import START, Anchor
from eventstore.errors import (
    Busy,
    KeyReused,
    Malformed,
    NotReadable,
    NotThere,
    NotWritten,
    OutcomeUnknown,
    Rewritten,
    StoreError,
    WrongVersion,
)
from eventstore.reading import Walk
from eventstore.record import Draft, Recorded, decode, encode, ends_batch
from eventstore.store import Appended, Mode, Verified

OFTEN = 1.0
"""How often a follower asks for new records, in seconds."""
PATIENCE = 30.0
"""How long a follower waits for a service that is away, in seconds."""


class RemoteStore:
    """A store that keeps one encounter at a service; a record has the name of the token as its writer, and the service's time.

    Of a player's log the secrets are withheld; it verifies nevertheless.
    """

    def __init__(self, url: Url) -> None:
        self.path = url
        self._place = services.place_of(url.given)

    def read(self, after: int | Anchor = 0) -> Iterator[Recorded]:
        """Yield the records after that one, verified; raise NotReadable, NotThere, CorruptLog, Rewritten."""
        if isinstance(after, Anchor):
            return self._since(after)
        return (record for record in self._walk() if record.seq > after)

    def head(self) -> Anchor:
        """Return seq and hash of the last record, as the service says it."""
        reply = msgspec.json.decode(self._asked("GET", "head").content, type=Anchor)
        return Anchor(reply.seq, reply.hash)

    def verify(self, anchor: Anchor | None = None) -> Verified:
        """Check every line strictly, and against an anchor that was kept elsewhere; faults come back as data."""
        from eventstore.verify import verification

        return verification(self._walk(), anchor)

    def follow(self, after: int | Anchor = 0, *, stop: threading.Event | None = None) -> Iterator[Recorded]:
        """Yield the records after that one, then those that come, until `stop` is set; raise Rewritten as a store does."""
        stop = stop or threading.Event()
        last = after if isinstance(after, Anchor) else Anchor(0, START.hash)
        first, waited = last.seq if isinstance(after, Anchor) else after, 0.0
        while not stop.is_set():
            try:
                for record in self._since(last):
                    last = Anchor(record.seq, record.hash)
                    if record.seq > first:
                        yield record
                    if stop.is_set() and ends_batch(record):
                        return
                waited = 0.0
            except NotReadable as error:
                waited += OFTEN
                if isinstance(error, NotThere) or waited > PATIENCE:
                    raise
            stop.wait(OFTEN)

    def append(
        self,
        drafts: Sequence[Draft],
        *,
        by: str,
        at: str,
        after: int | None = None,
        key: str | None = None,
        mode: Mode = "durable",
    ) -> Appended:
        """Append drafts as one batch; errors stand in store.py. `by` and `at` are what the service makes of the token."""
        del by, at, mode
        return self._written("records", request_of(drafts, self._anchor(after), key))[0]

    def tell(
        self, spoken: Spoken, *, after: int | None = None, key: str | None = None
    ) -> tuple[Appended, tuple[str, ...]]:
        """Let the service tell a line and draw its dice, and return what was written, and that in sentences; raise as `append`."""
        return self._written("lines", request_to_tell(spoken, self._anchor(after), key))

    def _written(self, what: str, request: tuple[bytes, dict[str, str]]) -> tuple[Appended, tuple[str, ...]]:
        reply = self._asked("POST", what, *request).json()
        first, last, again, echo = answer_of(self.path, reply)
        records = tuple(record for record in self.read(first - 1) if record.seq <= last)
        return Appended(first, last, records, again), echo

    def _walk(self) -> Walk:
        return walk_of(self.path, self._asked("GET", "records").content)

    def _since(self, last: Anchor) -> Iterator[Recorded]:
        """Yield the records after one that was seen; raise Rewritten if it is gone."""
        if last.seq and self.head() == last:
            return
        yield from since(self.path, list(self._walk()), last)

    def _anchor(self, seq: int | None) -> Anchor | None:
        """Return the record that the log is to end with, if it is to; raise WrongVersion if there is none."""
        return None if seq is None else anchor_at(list(self.read()), seq)

    def _asked(self, method: str, what: str, body: bytes = b"", headers: dict[str, str] | None = None) -> Any:
        """Return an answer; raise the error that a refusal, or none, stands for."""
        import httpx

        try:
            answer = httpx.request(
                method,
                f"{self._place}/{what}",
                content=body,
                headers=services.headers() | (headers or {}),
                timeout=30,
                verify=services.trust(),
            )
        except httpx.HTTPError as error:
            raise away(self.path, method, error) from None
        if answer.is_success:
            return answer
        raise refusal(self.path, method, answer)


def request_of(drafts: Sequence[Draft], after: Anchor | None, key: str | None) -> tuple[bytes, dict[str, str]]:
    """Return the body and the headers of an append, after a record that the log is to end with; raise Malformed."""
    return b"".join(_line(draft) for draft in drafts), {"content-type": "application/x-ndjson", **_only(after, key)}


def request_to_tell(spoken: Spoken, after: Anchor | None, key: str | None) -> tuple[bytes, dict[str, str]]:
    """Return the body and the headers by which a service is to tell a line."""
    more = {"giver": spoken.giver, "secret": spoken.secret}
    body = {"line": spoken.line, "word": spoken.word} | {name: value for name, value in more.items() if value}
    return encode(body), {"content-type": "application/json", **_only(after, key)}


def _only(after: Anchor | None, key: str | None) -> dict[str, str]:
    """Return the headers by which something is written only after a record, and only once."""
    found = {"if-match": after, "idempotency-key": key}
    return {name: f'"{value}"' for name, value in found.items() if value is not None}


def answer_of(path: Url, reply: dict[str, Any]) -> tuple[int, int, bool, tuple[str, ...]]:
    """Return the first and the last record of an append, whether it had been done before, and its sentences; raise NotWritten."""
    if "proposed" in reply:
        why = "it does something to others, and is proposed to the game master"
        raise NotWritten(path, why, "the page of the encounter says what became of it")
    if "first" not in reply:
        raise NotWritten(path, "the service reads a question in this line, and wrote nothing", "is it another version?")
    return reply["first"], reply["last"], reply["again"], tuple(reply.get("echo", ()))


def walk_of(path: Url, data: bytes) -> Walk:
    """Return a walk through the lines of a log that a service sent, which verifies each."""
    return Walk(path, BytesIO(data), len(data))


def since(path: Url, records: Sequence[Recorded], last: Anchor) -> Sequence[Recorded]:
    """Return the records after one that was seen; raise Rewritten if it is gone."""
    if last.seq and (len(records) < last.seq or records[last.seq - 1].hash != last.hash):
        why = "another stands there" if len(records) >= last.seq else "the log ends before it"
        raise Rewritten(path, last, why)
    return records[last.seq :]


def anchor_at(records: Sequence[Recorded], seq: int) -> Anchor:
    """Return the record that a log is to end with; raise WrongVersion if there is none."""
    if not 1 <= seq <= len(records):
        raise WrongVersion(seq, len(records), tuple(records[seq:]))
    return Anchor(seq, records[seq - 1].hash)


def away(path: Url, method: str, error: Exception) -> StoreError:
    """Return the error of a service that did not answer: what was sent to it may have been written."""
    import httpx

    if method != "GET" and not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return OutcomeUnknown(path, f"the service did not answer: {error or type(error).__name__}")
    why = f"the service cannot be reached: {error or type(error).__name__}"
    kind = NotReadable if method == "GET" else NotWritten
    return kind(path, why, services.hint_of(error))


def refusal(path: Url, method: str, answer: Any) -> Exception:
    """Return the error that a problem of the service stands for."""
    try:
        reply: dict[str, Any] = dict(answer.json())
    except (ValueError, TypeError):
        reply = {"detail": f"{answer.status_code}, and no JSON", "hint": "is it such a service?"}
    kind = str(reply.get("type", "")).rpartition("#")[2]
    says, hint = str(reply.get("detail", answer.status_code)), services.hint_in(reply)
    if kind in _OTHERS:
        return _OTHERS[kind](reply, says, hint)
    if kind in _KINDS or "exit" not in reply:
        return _KINDS.get(kind, NotReadable if method == "GET" else NotWritten)(path, says, hint)
    return Refused(kind_numbered(reply["exit"], "not-written"), f"{path}: {says}", hint)


_KINDS: dict[str, Callable[[Url, str, str], StoreError]] = {
    "not-found": NotThere,
    "damaged": NotReadable,
    "not-a-log": NotReadable,
    "unreadable": NotReadable,
    "not-readable": NotReadable,
    "not-written": NotWritten,
    "stopping": NotWritten,
    "busy": lambda path, says, _: Busy(path, 0, (says,)),
    "outcome-unknown": OutcomeUnknown,
}
"""The error of the store for each kind of problem that says no more than why."""


def _line(draft: Draft) -> bytes:
    """Return a draft as the service reads it."""
    if draft.at is not None:
        raise Malformed("at", "a service writes down when facts come in", "export jsonl and import keep moments")
    envelope: dict[str, Any] = {"event": msgspec.Raw(encode(draft.event))}
    if draft.secret:
        envelope["secret"] = True
    if draft.key is not None:
        envelope["key"] = draft.key
    return encode(envelope) + b"\n"


def _wrong_version(reply: dict[str, Any]) -> WrongVersion:
    between = tuple(decode(encode(each)) for each in reply.get("between", ()))
    expected, found = (int(str(reply.get(name, "0")).partition(":")[0] or 0) for name in ("expected", "found"))
    return WrongVersion(expected, found, between)


_OTHERS: dict[str, Callable[[dict[str, Any], str, str], StoreError]] = {
    "wrong-version": lambda reply, _says, _hint: _wrong_version(reply),
    "refused": lambda reply, says, hint: Malformed(str(reply.get("field", "")), says, hint),
    "key-reused": lambda reply, says, _hint: KeyReused(str(reply.get("key", "")), 0, says),
}
"""The error of the store for each kind of problem that says more."""
