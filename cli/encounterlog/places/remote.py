"""A log of a service, https://HOST/e/NAME, as a store: records are verified here, and written by the service."""

import os
import re
import ssl
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import cache
from io import BytesIO
from random import uniform
from typing import Any, TypeVar

import httpx
import msgspec
from msgspec import Struct

from encounterlog.errors import ERRORS, Refused, kind_of_number
from encounterlog.places import answers
from encounterlog.places.services import Asked, Spoken
from eventstore.address import Url
from eventstore.chain import START, Anchor, LogPosition
from eventstore.damage import verify_walk
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
from eventstore.store import Again, Appended, Mode, Store, Verified, put_key

TOKEN = "ENCOUNTER_TOKEN"  # noqa: S105 – the name of the variable
_ADDRESS = r"(https?://[^/?#]+(?:/[^?#]+)?)/e/([^/?#]+)/?"
ANSWERS = 30.0  # the time for which an answer is waited for, in seconds
OFTEN = 1.0  # the interval at which a follower asks for new records, in seconds
PATIENCE = 30.0  # the time for which a follower waits for a service that is away, in seconds
MOST = 20  # the number of tries of an append that other writers precede
PAUSE = 0.005
"""The longest pause after the first try, in seconds; it grows by as much with each further one, a second in all."""


class Request(Struct, frozen=True):
    """A request about an encounter: the method, what follows the address of its endpoints, the body, and its headers."""

    method: str
    what: str
    body: bytes = b""
    headers: dict[str, str] = {}


T = TypeVar("T")
Steps = Generator[Request | float, httpx.Response, T]
"""A conversation with a service, and its outcome: requests, each answered by a response, and pauses in seconds."""


class Client:
    """The conversation with a service about one encounter, without input and output: it yields requests and pauses to a driver,
    which sends in the replies.

    A record has the name of the token as its writer, and the service's time. For a player's log the secrets are withheld; it
    verifies nevertheless.
    """

    def __init__(self, url: Url) -> None:
        self.url = url
        self._end: Anchor | None = None  # the record that was read last, which most appends follow

    def head(self) -> Steps[Anchor]:
        """Return seq and hash of the last record, as the service says it."""
        return msgspec.json.decode((yield from self.fetch("GET", "head")), type=Anchor)

    def read(self, after: Anchor | None = None) -> Steps[Iterator[Recorded]]:
        """Return the records after one that was seen, all without one, verified as they are taken; raise Rewritten if it is gone."""
        if after is None or not after.seq:
            return self._noting_the_end((yield from self.walk()))
        found, rest = _split_first_record(self.url, (yield from self.fetch("GET", f"records?after={after.seq - 1}")))
        if found != after:
            raise Rewritten.at(self.url, after, found.hash if found else "")
        return self._noting_the_end(_walk_on(self.url, rest, after))

    def walk(self) -> Steps[Walk]:
        """Return a walk through all lines of the log, which verifies each."""
        data = yield from self.fetch("GET", "records")
        return Walk(self.url, BytesIO(data), len(data))

    def append(
        self, drafts: Sequence[Draft], after: int | Anchor | None, key: str | None, again: Again | None = None
    ) -> Steps[Appended]:
        """Append drafts as one batch; errors stand in store.py. Where others came first at every try, it is Busy."""
        made, waited = 0, 0.0
        while True:
            try:
                expected = yield from self._anchor(after)
                headers = {"content-type": "application/x-ndjson", **_conditional_headers(expected, key)}
                answer = yield from self.post_write("records", b"".join(map(_encode_draft, drafts)), headers)
                return (yield from self.read_written(answer))
            except WrongVersion as overtaken:
                if again is None or not overtaken.between:
                    raise
                made += 1
                if made >= MOST:
                    raise Busy(self.url, waited, (f"other writers, who came first {MOST} times,",)) from None
                pause = uniform(0, PAUSE * made)  # noqa: S311 – nothing is kept secret by it
                waited += pause
                yield pause
                drafts, after = put_key(again(overtaken.between), key), overtaken.between[-1].seq

    def request_line(self, spoken: Spoken, after: int | Anchor | None, key: str | None = None) -> Steps["Answer"]:
        """Let the service record a line and draw its dice, and return its answer; raise as `append`."""
        headers = {"content-type": "application/json", **_conditional_headers((yield from self._anchor(after)), key)}
        more = {"giver": spoken.giver, "secret": spoken.secret}
        body = {"line": spoken.line, "word": spoken.word} | {name: value for name, value in more.items() if value}
        return (yield from self.post_write("lines", encode(body), headers))

    def record_line(
        self, spoken: Spoken, after: int | Anchor | None, key: str | None = None
    ) -> Steps[tuple[Appended, tuple[str, ...]]]:
        """Let the service record a line, and return the records, also in sentences; raise as `append`."""
        answer = yield from self.request_line(spoken, after, key)
        return (yield from self.read_written(answer)), answer.echo

    def post_write(self, what: str, body: bytes, headers: dict[str, str]) -> Steps["Answer"]:
        """Return the service's answer to a write; raise NotWritten, Asked if it reads a question."""
        reply = msgspec.json.decode((yield from self.fetch("POST", what, body, headers)))
        if "proposed" in reply:
            why = "it does something to others, and is proposed to the game master"
            raise NotWritten(self.url, why, "the page of the encounter shows the decision")
        if "first" not in reply:
            says = "the service reads a question in this line, and wrote nothing"
            raise Asked(self.url, says, "is it another version?")
        return msgspec.convert(reply, Answer)

    def read_written(self, answer: "Answer") -> Steps[Appended]:
        """Return the records that the service wrote by its answer, read and verified; raise Rewritten if others stand there."""
        data = yield from self.fetch("GET", f"records?after={max(answer.first - 2, 0)}")  # from the record before
        before: Anchor | None = Anchor(0, START.hash)
        if answer.first > 1:
            before, data = _split_first_record(self.url, data)
        records = _walk_on(self.url, data, before or Anchor(0, ""))
        found, end = tuple(record for record in records if record.seq <= answer.last), Anchor.parse(answer.head)
        if not found or Anchor(found[-1].seq, found[-1].hash) != end:
            raise Rewritten(self.url, end, "something else stands there")
        return Appended(answer.first, answer.last, found, answer.again)

    def fetch(self, method: str, what: str, body: bytes = b"", headers: dict[str, str] | None = None) -> Steps[bytes]:
        """Return the content of an answer; raise the error of a refusal."""
        reply = yield Request(method, what, body, headers or {})
        if reply.is_success:
            return reply.content
        raise refusal_error(self.url, method, reply)

    def _anchor(self, after: int | Anchor | None) -> Steps[Anchor | None]:
        """Return the record that the log must end with, if one is required; raise WrongVersion if there is none."""
        if after is None or isinstance(after, Anchor):
            return after
        if self._end and self._end.seq == after:
            return self._end
        data = (yield from self.fetch("GET", f"records?after={after - 1}")) if after > 0 else b""
        if (found := _split_first_record(self.url, data)[0]) is None:
            raise WrongVersion(after, (yield from self.head()).seq)
        return found

    def _noting_the_end(self, records: Iterable[Recorded]) -> Iterator[Recorded]:
        for record in records:
            self._end = Anchor(record.seq, record.hash)
            yield record


class RemoteStore(Store):
    """A store that keeps one encounter at a service: the driver of a `Client` that waits for each reply."""

    def __init__(self, url: Url) -> None:
        self.path, self.client = url, Client(url)

    def read(self, after: int | Anchor = 0) -> Iterator[Recorded]:
        """Yield the records after that one, verified; raise NotReadable, NotThere, CorruptLog, Rewritten."""
        if isinstance(after, Anchor):
            yield from self.run_steps(self.client.read(after))
        else:
            yield from (record for record in self.run_steps(self.client.read()) if record.seq > after)

    def head(self) -> Anchor:
        """Return seq and hash of the last record, as the service says it."""
        return self.run_steps(self.client.head())

    def verify(self, anchor: Anchor | None = None) -> Verified:
        """Check every line strictly, and against an anchor that was kept elsewhere; faults come back as data."""
        return verify_walk(self.run_steps(self.client.walk()), anchor)

    def follow(self, after: int | Anchor = 0, *, stop: threading.Event | None = None) -> Iterator[Recorded]:
        """Yield the records after that one, then those that come, until `stop` is set; raise Rewritten as a store does."""
        stop = stop or threading.Event()
        last = after if isinstance(after, Anchor) else Anchor(0, START.hash)
        first, waited = last.seq if isinstance(after, Anchor) else after, 0.0
        while not stop.is_set():
            try:
                for record in self.read(last):
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
        again: Again | None = None,
    ) -> Appended:
        """Append drafts as one batch; errors stand in store.py. `by` and `at` are what the service makes of the token."""
        del by, at, mode
        return self.run_steps(self.client.append(drafts, after, key, again))

    def tell(
        self, spoken: Spoken, *, after: int | Anchor | None = None, key: str | None = None
    ) -> tuple[Appended, tuple[str, ...]]:
        """Let the service record a line and draw its dice, and return the records, also in sentences; raise as `append`."""
        return self.run_steps(self.client.record_line(spoken, after, key))

    def say(self, spoken: Spoken, *, after: int | None = None) -> "Answer":
        """Let the service record a line, and return its answer; raise as `append`."""
        return self.run_steps(self.client.request_line(spoken, after))

    def ask(self, method: str, what: str, value: Any, **headers: str) -> dict[str, Any]:
        """Return the service's answer to a value that is sent as JSON; raise as `append`."""
        steps = self.client.fetch(method, what, encode(value), {"content-type": "application/json", **headers})
        try:
            return dict(msgspec.json.decode(self.run_steps(steps)))
        except (ValueError, TypeError):
            raise NotWritten(self.path, "its answer is no JSON", "is it such a service?") from None

    def run_steps(self, steps: Steps[T]) -> T:
        """Return the outcome of a conversation, each of whose requests is sent and answered before the next."""
        reply: Any = None
        try:
            while True:
                step = steps.send(reply)
                if isinstance(step, Request):
                    reply = self._send(step)
                else:
                    time.sleep(step)
        except StopIteration as end:
            found: T = end.value
            return found

    def _send(self, request: Request) -> httpx.Response:
        place = f"{endpoints_address(self.path.given)}/{request.what}".rstrip("/")
        headers, trusted = token_headers() | request.headers, trusted_certificates()
        sent: dict[str, Any] = {"content": request.body, "headers": headers, "timeout": ANSWERS, "verify": trusted}
        try:
            return httpx.request(request.method, place, **sent)
        except httpx.HTTPError as error:
            raise unreachable_error(self.path, request.method, error) from None


def endpoints_address(address: str) -> str:
    """Return the address of an encounter's endpoints: for https://host/e/NAME, https://host/v1/encounters/NAME; raise Refused."""
    found = re.fullmatch(_ADDRESS, address)
    if found is None:
        says = f"{address[:120]} names no encounter of a service"
        raise Refused("usage", says, "such as https://table.example/e/ford")
    return f"{found[1]}/v1/encounters/{found[2]}"


def token_headers() -> dict[str, str]:
    """Return the headers with the token of ENCOUNTER_TOKEN; raise Refused without one."""
    token = os.environ.get(TOKEN, "").strip()
    if not token:
        raise Refused("usage", f"{TOKEN} is not set", "it holds the token, or the link, that opens the encounter")
    return {"authorization": f"Bearer {token.rpartition(':')[2]}"}


def trusted_certificates() -> ssl.SSLContext:
    """Return the trusted certificates; they are read once, because that takes longer than most answers."""
    return _load_certificates(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@cache
def _load_certificates(*_: str | None) -> ssl.SSLContext:
    return httpx.create_ssl_context()


def _conditional_headers(after: Anchor | None, key: str | None) -> dict[str, str]:
    found = {"if-match": after, "idempotency-key": key}
    return {name: f'"{value}"' for name, value in found.items() if value is not None}


class Answer(answers.Appended, frozen=True):
    """A service's answer to an append; for a line also its facts as sentences, and the sums of its dice."""

    echo: tuple[str, ...] = ()
    rolled: tuple[str, ...] = ()


def _split_first_record(path: Url, data: bytes) -> tuple[Anchor | None, bytes]:
    """Return the first record in lines of a log, and the lines behind it; raise NotReadable if it is none."""
    line, _, rest = data.partition(b"\n")
    try:
        found = decode(line) if line else None
    except ValueError as error:
        raise NotReadable(path, f"the service sent no record: {error}", "is it such a service?") from None
    return Anchor(found.seq, found.hash) if found else None, rest


def _walk_on(path: Url, data: bytes, last: Anchor) -> Iterator[Recorded]:
    return iter(Walk(path, BytesIO(data), len(data), LogPosition(0, last.seq, last.hash))) if data else iter(())


def unreachable_error(path: Url, method: str, error: Exception) -> StoreError:
    """Return the error of a service that did not answer: a request that was sent to it may have been written."""
    said = str(error)
    if method != "GET" and not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return OutcomeUnknown(path, f"the service did not answer: {said or type(error).__name__}")
    hint = "is the service running, and its address right?"
    if "CERTIFICATE_VERIFY_FAILED" in said:
        hint = "its certificate is not trusted here; SSL_CERT_FILE names one that is"
    elif "SSL" in said:
        hint = "does it speak TLS there? http:// is for one without"
    kind = NotReadable if method == "GET" else NotWritten
    return kind(path, f"the service cannot be reached: {said or type(error).__name__}", hint)


def refusal_error(path: Url, method: str, answer: httpx.Response) -> Exception:
    """Return the error for a problem of the service."""
    try:
        reply: dict[str, Any] = dict(msgspec.json.decode(answer.content))
    except (ValueError, TypeError):
        reply = {"detail": f"{answer.status_code}, and no JSON", "hint": "is it such a service?"}
    kind = str(reply.get("type", "")).rpartition("#")[2]
    says, hint = str(reply.get("detail", answer.status_code)), str(reply.get("hint", ""))
    match kind:
        case "no-token":  # a command's user writes no header
            hint = f"{TOKEN} holds the token, or the link, that opens the encounter"
        case "busy":
            return Busy(path, 0, (says,))
        case "wrong-version":
            expected, found = (int(str(reply.get(name, "0")).partition(":")[0] or 0) for name in ("expected", "found"))
            return WrongVersion(expected, found, tuple(decode(encode(each)) for each in reply.get("between", ())))
        case "refused":
            field = str(reply.get("field", ""))
            return Malformed(field, says.removeprefix(f"{field}: "), hint)
        case "key-reused":
            return KeyReused(str(reply.get("key", "")), 0, says)
    raised = ERRORS[kind].client if kind in ERRORS else None
    if raised is None and "exit" not in reply:
        raised = NotReadable if method == "GET" else NotWritten
    if raised:
        return raised(path, says, hint)
    return Refused(kind_of_number(reply["exit"], "not-written"), f"{path}: {says}", hint)


def _encode_draft(draft: Draft) -> bytes:
    if draft.at is not None:
        raise Malformed("at", "a service writes down when facts come in", "export jsonl and import keep moments")
    secret, key = {"secret": True} if draft.secret else {}, {"key": draft.key} if draft.key is not None else {}
    return encode({"event": msgspec.Raw(encode(draft.event))} | secret | key) + b"\n"
