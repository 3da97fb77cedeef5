"""A log of a service, https://HOST/e/NAME, as a store: records are verified here, and written by the service."""

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from typing import Any

import httpx
import msgspec
from msgspec import Struct

from encounterlog.errors import Refused, kind_numbered
from encounterlog.retrying import Tries
from encounterlog.storage import services
from encounterlog.storage.model import of_table
from encounterlog.storage.services import Spoken
from eventstore.address import Url
from eventstore.chain import START, Anchor, LogPosition
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
from eventstore.store import Again, Appended, Mode, Verified
from eventstore.verify import verification
from eventstore.writing import keyed

_ROLLS = re.compile(r"d[\d%]", re.IGNORECASE)
"""The words that may be dice, which the sender of the line rolls."""
LONGEST_LINE = 2000
"""The most characters of a line that a service takes."""
OFTEN = 1.0
"""The interval at which a follower asks for new records, in seconds."""
PATIENCE = 30.0
"""The time for which a follower waits for a service that is away, in seconds."""


class Asked(NotWritten):
    """A line in which the service reads a question: nothing was written."""


class RemoteStore:
    """A store that keeps one encounter at a service; a record has the name of the token as its writer, and the service's time.

    For a player's log the secrets are withheld; it verifies nevertheless.
    """

    def __init__(self, url: Url) -> None:
        self.path = url
        self._place = services.place_of(url.given)
        self._end: Anchor | None = None
        """The record that was read last, which most appends follow."""

    def read(self, after: int | Anchor = 0) -> Iterator[Recorded]:
        """Yield the records after that one, verified; raise NotReadable, NotThere, CorruptLog, Rewritten."""
        records = self._since(after) if isinstance(after, Anchor) else self._walk()
        for record in records:
            self._end = Anchor(record.seq, record.hash)
            if isinstance(after, Anchor) or record.seq > after:
                yield record

    def head(self) -> Anchor:
        """Return seq and hash of the last record, as the service says it."""
        reply = msgspec.json.decode(self._asked("GET", "head").content, type=Anchor)
        return Anchor(reply.seq, reply.hash)

    def verify(self, anchor: Anchor | None = None) -> Verified:
        """Check every line strictly, and against an anchor that was kept elsewhere; faults come back as data."""
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
        again: Again | None = None,
    ) -> Appended:
        """Append drafts as one batch; errors stand in store.py. `by` and `at` are what the service makes of the token.

        Where others came first at every try, an append that is decided `again` is Busy.
        """
        del by, at, mode
        tries = Tries()
        while True:
            try:
                return self.written(self.post("records", request_of(drafts, self._anchor(after), key)))
            except WrongVersion as overtaken:
                if again is None or not overtaken.between:
                    raise
                tries.wait(self.path)
                drafts, after = keyed(again(overtaken.between), key), overtaken.between[-1].seq

    def tell(
        self, spoken: Spoken, *, after: int | None = None, key: str | None = None
    ) -> tuple[Appended, tuple[str, ...]]:
        """Let the service record a line and draw its dice, and return the records, also in sentences; raise as `append`."""
        answer = self.say(spoken, after=after, key=key)
        return self.written(answer), answer.echo

    def say(self, spoken: Spoken, *, after: int | None = None, key: str | None = None) -> "Answer":
        """Let the service record a line, and return its answer; raise as `append`."""
        return self.post("lines", request_to_tell(spoken, self._anchor(after), key))

    def post(self, what: str, request: tuple[bytes, dict[str, str]]) -> "Answer":
        """Return the service's answer to a write."""
        return answer_of(self.path, self._asked("POST", what, *request).content)

    def written(self, answer: "Answer") -> Appended:
        """Return the records that the service wrote by its answer, read and verified."""
        data = self._asked("GET", f"records?after={answer.before}").content
        return Appended(answer.first, answer.last, records_of(self.path, data, answer), answer.again)

    def _walk(self) -> Walk:
        return walk_of(self.path, self._asked("GET", "records").content)

    def _since(self, last: Anchor) -> Iterator[Recorded]:
        """Yield the records after one that was seen; raise Rewritten if it is gone."""
        if not last.seq:
            return iter(self._walk())
        return continued(self.path, self._asked("GET", f"records?after={last.seq - 1}").content, last)

    def _anchor(self, seq: int | None) -> Anchor | None:
        """Return the record that the log must end with, if one is required; raise WrongVersion if there is none."""
        if seq is None or (self._end and self._end.seq == seq):
            return None if seq is None else self._end
        found = anchor_of(self.path, self._asked("GET", f"records?after={seq - 1}").content) if seq > 0 else None
        if found is None:
            raise WrongVersion(seq, self.head().seq)
        return found

    def _asked(self, method: str, what: str, body: bytes = b"", headers: dict[str, str] | None = None) -> Any:
        """Return an answer; raise the error of a refusal, or of a missing answer."""
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


def tells(line: object, *given: object) -> bool:
    """Return whether a service can record a line by itself: it has no dice, and no argument that is used here alone."""
    is_plain = isinstance(line, str) and line.strip() == line and "\n" not in line and 0 < len(line) <= LONGEST_LINE
    return is_plain and not _ROLLS.search(str(line)) and all(each is None for each in given) and of_table() is None


UNTOLD = (Asked, Malformed, Refused)
"""The error of a service that recorded no line and wrote nothing: the line is then read here, which gives the reason."""


def request_of(drafts: Sequence[Draft], after: Anchor | None, key: str | None) -> tuple[bytes, dict[str, str]]:
    """Return the body and the headers of an append, after a record that the log is to end with; raise Malformed."""
    return b"".join(_line(draft) for draft in drafts), {"content-type": "application/x-ndjson", **_only(after, key)}


def request_to_tell(spoken: Spoken, after: Anchor | None, key: str | None) -> tuple[bytes, dict[str, str]]:
    """Return the body and the headers with which a service is asked to record a line."""
    more = {"giver": spoken.giver, "secret": spoken.secret}
    body = {"line": spoken.line, "word": spoken.word} | {name: value for name, value in more.items() if value}
    return encode(body), {"content-type": "application/json", **_only(after, key)}


def _only(after: Anchor | None, key: str | None) -> dict[str, str]:
    """Return the headers by which something is written only after a record, and only once."""
    found = {"if-match": after, "idempotency-key": key}
    return {name: f'"{value}"' for name, value in found.items() if value is not None}


class Answer(Struct, frozen=True):
    """A service's answer to an append: its first and last record, the end of the log after it, and whether it had been done
    before. For a line also its facts as sentences, the sums of its dice, and its findings.
    """

    first: int
    last: int
    head: str
    again: bool
    echo: tuple[str, ...] = ()
    rolled: tuple[str, ...] = ()
    findings: tuple[dict[str, Any], ...] = ()

    @property
    def before(self) -> int:
        """The number of records before the one that the first of these follows: from there on the chain can be checked."""
        return max(self.first - 2, 0)


def answer_of(path: Url, data: bytes) -> Answer:
    """Return a service's answer to an append; raise NotWritten, Asked if it reads a question."""
    reply = msgspec.json.decode(data)
    if "proposed" in reply:
        why = "it does something to others, and is proposed to the game master"
        raise NotWritten(path, why, "the page of the encounter shows the decision")
    if "first" not in reply:
        raise Asked(path, "the service reads a question in this line, and wrote nothing", "is it another version?")
    return msgspec.convert(reply, Answer)


def records_of(path: Url, data: bytes, answer: Answer) -> tuple[Recorded, ...]:
    """Return the records of an append, from the lines of the log from the one before them on; raise Rewritten if they are others."""
    last, data = _first(path, data) if answer.first > 1 else (Anchor(0, START.hash), data)
    found = [record for record in _walk_on(path, data, last or Anchor(0, "")) if record.seq <= answer.last]
    end = Anchor.parse(answer.head)
    if not found or Anchor(found[-1].seq, found[-1].hash) != end:
        raise Rewritten(path, end, "something else stands there")
    return tuple(found)


def continued(path: Url, data: bytes, last: Anchor) -> Iterator[Recorded]:
    """Yield the records after one that was seen, from the lines of the log from that one on; raise Rewritten if it is gone."""
    found, rest = _first(path, data)
    if found != last:
        raise Rewritten(path, last, "another stands there" if found else "the log ends before it")
    yield from _walk_on(path, rest, last)


def anchor_of(path: Url, data: bytes) -> Anchor | None:
    """Return the first record in lines of a log; None without one."""
    return _first(path, data)[0]


def _first(path: Url, data: bytes) -> tuple[Anchor | None, bytes]:
    """Return the first record in lines of a log, and the lines behind it; raise NotReadable if it is none."""
    line, _, rest = data.partition(b"\n")
    try:
        found = decode(line) if line else None
    except ValueError as error:
        raise NotReadable(path, f"the service sent no record: {error}", "is it such a service?") from None
    return Anchor(found.seq, found.hash) if found else None, rest


def _walk_on(path: Url, data: bytes, last: Anchor) -> Iterator[Recorded]:
    """Yield the records in lines that follow a record; each is verified against the one before."""
    return iter(Walk(path, BytesIO(data), len(data), LogPosition(0, last.seq, last.hash))) if data else iter(())


def walk_of(path: Url, data: bytes) -> Walk:
    """Return a walk through the lines of a log that a service sent, which verifies each."""
    return Walk(path, BytesIO(data), len(data))


def away(path: Url, method: str, error: Exception) -> StoreError:
    """Return the error of a service that did not answer: a request that was sent to it may have been written."""
    if method != "GET" and not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return OutcomeUnknown(path, f"the service did not answer: {error or type(error).__name__}")
    why = f"the service cannot be reached: {error or type(error).__name__}"
    kind = NotReadable if method == "GET" else NotWritten
    return kind(path, why, services.hint_of(error))


def refusal(path: Url, method: str, answer: Any) -> Exception:
    """Return the error for a problem of the service."""
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
"""The errors of the store for kinds of problems that have only a reason."""


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
"""The errors of the store for kinds of problems with further fields."""
