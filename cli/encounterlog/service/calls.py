"""Calls: requests as the endpoints see them; and what an endpoint is."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

from msgspec import Struct
from starlette.responses import Response

from encounterlog.log.logs import LogView
from encounterlog.places.shelves import Shelf
from encounterlog.places.tokens import Token
from encounterlog.service.problems import Problem
from encounterlog.service.served_logs import ALL_SECRETS, ServedLog, ServedLogs, hold_log
from encounterlog.service.settings import Settings
from encounterlog.service.streams import Streams
from encounterlog.service.waiting import Proposals, Words
from encounterlog.words import documents
from eventstore.chain import Anchor
from eventstore.errors import Malformed
from eventstore.wording import nearest

JSON, LINES, TEXT, HTML = "application/json", "application/x-ndjson", "text/plain", "text/html"


class Service(Struct):
    """The resources that all requests of a process share: the logs, the settings, the open streams."""

    shelf: Shelf
    logs: ServedLogs
    settings: Settings
    streams: Streams
    entropy_words: Words
    proposals: Proposals


def open_service(shelf: Shelf, settings: Settings) -> Service:
    """Return what all requests about a shelf share."""
    logs = ServedLogs(shelf)
    streams = Streams(shelf, logs, settings.limits)
    return Service(shelf, logs, settings, streams, Words(streams, settings.limits.word), Proposals(streams))


class Call(Struct):
    """A request: its asker and its subject, with the parameters read; `base` is the beginning of links."""

    service: Service
    token: Token
    tokens: tuple[Token, ...]
    name: str
    path: Mapping[str, str]
    asked: Mapping[str, Any]
    headers: Mapping[str, str]
    base: str
    body: bytes = b""
    looked: LogView | None = None
    """The log as it was seen before; work on it holds no lock, and can be ended at any moment."""

    def view_for_asker(self) -> LogView:
        """Return the log as its asker may see it; raise as the store does."""
        if self.looked is not None:
            return self.looked
        with hold_log(self.service.logs.log_of(self.name)) as known:
            return known.view(secrets=self.token.role in ALL_SECRETS, as_of=self.asked.get("as_of"))

    @contextmanager
    def hold_alone(self, log: ServedLog | None = None) -> Iterator[LogView]:
        """Hold the log, as its asker may see it, with its folded state; nobody else uses it until this ends."""
        with hold_log(log or self.service.logs.log_of(self.name)) as known:
            yield known.view(secrets=self.token.role in ALL_SECRETS, alone=True)

    @contextmanager
    def hold_for_writing(self) -> Iterator[LogView]:
        """Hold the log as `alone` does, while no other request of this process appends to it; raise Problem for a token of another."""
        known = self.service.logs.log_of(self.name)
        with known.turn, self.hold_alone(known) as seen:
            check_same(known, self.token)
            yield seen

    @property
    def audience(self) -> object:
        """The things other than log and question on which the answer depends."""
        return self.token.role in ALL_SECRETS, self.token.combatants if self.token.role == "player" else ()


def check_same(known: ServedLog, token: Token) -> None:
    """Raise Problem if a token was made for another log, which had the name before."""
    if token.log and known.encounter != token.log:
        raise Problem("forbidden", "a token of another table", "the encounter of this name is another one now")


def json_reply(value: Any, status: int = 200, head: Anchor | None = None) -> Response:
    """Return a JSON document, as the commands print it, with the tag of the log if it is about one."""
    return Response(documents.format_json(value), status, {"etag": head_tag(head)} if head else None, JSON)


Does = Callable[[Call], Response]


# ---------------------------------------------------------------- tags


ANY = "*"
_TAG = re.compile(r'(W/)?"([\x21\x23-\x7e]*)"')
_LIST = re.compile(rf"\s*{_TAG.pattern}\s*(?:,\s*{_TAG.pattern}\s*)*")


def head_tag(head: Anchor) -> str:
    """Return the tag of a log that ends there."""
    return f'"{head}"'


def view_tag(head: Anchor, *about: object) -> str:
    """Return the tag of an answer that is derived from a log, for an audience and a question."""
    return f'"{head}:{sha256(repr(about).encode()).hexdigest()[:16]}"'


def matches_tag(header: str | None, tag: str) -> bool:
    """Return whether an If-None-Match names a tag; raise Problem if it is malformed."""
    if header is None:
        return False
    return header.strip() == ANY or any(f'"{each}"' == tag for each, _ in _parse_tags("If-None-Match", header))


def parse_if_match(header: str | None) -> tuple[Anchor, ...] | None:
    """Return the heads that an If-Match names, None if it names no condition; raise Problem for any other."""
    if header is None or header.strip() == ANY:
        return None
    found = _parse_tags("If-Match", header)
    if any(weak for _, weak in found):
        raise Problem("bad-tag", "If-Match: a weak tag matches nothing", 'such as If-Match: "12:ab…"', field="If-Match")
    return tuple(parse_anchor("If-Match", text, "GET …/head has the present one") for text, _ in found)


def parse_anchor(header: str, text: str, hint: str = "the id of an event is SEQ:HASH") -> Anchor:
    """Return the SEQ:HASH in a header; raise Problem for anything else."""
    try:
        return Anchor.parse(text)
    except Malformed as error:
        raise Problem("bad-tag", f"{header}: {error.reason}", hint, field=header) from None


def _parse_tags(name: str, header: str) -> Sequence[tuple[str, bool]]:
    """Return the tags of a header, and whether each is weak; raise Problem if there is none, or an empty one."""
    if not _LIST.fullmatch(header):
        raise Problem("bad-tag", f"{name}: not an entity tag, nor a list of them", 'such as "12:ab…"', field=name)
    found = [(one[2], bool(one[1])) for one in _TAG.finditer(header)]
    if any(not text for text, _ in found):
        raise Problem("bad-tag", f"{name}: an empty tag is no condition", "leave the header out", field=name)
    return found


LONGEST_KEY = 60
"""The longest Idempotency-Key: the log's own has 120 characters, and holds more than it."""


def parse_idempotency_key(given: str | None) -> str | None:
    """Return the key of an Idempotency-Key, None without one; raise Problem if it is malformed."""
    if given is None:
        return None
    text = given.strip().removeprefix('"').removesuffix('"')
    if 1 <= len(text) <= LONGEST_KEY and text.isascii() and text.isprintable():
        return text
    says = f"Idempotency-Key: 1 to {LONGEST_KEY} printable characters"
    raise Problem("bad-request", says, field="Idempotency-Key")


# ---------------------------------------------------------------- endpoints


STREAM = "text/event-stream"
OPERATOR, GM, PLAYER, SPECTATOR = "operator", "gm", "player", "spectator"
READERS = frozenset({GM, PLAYER, SPECTATOR})
WRITERS = frozenset({GM, PLAYER})
OWNERS = frozenset({GM, OPERATOR})
ALL = READERS | OWNERS
NOBODY: frozenset[str] = frozenset()
"""The roles of an endpoint that asks for no token."""
FLAGS = {"1": True, "true": True, "0": False, "false": False}
OF_ALL = frozenset({"bad-request", "too-many-requests", "stopping"})
OF_BODIES = frozenset({"too-slow", "too-large", "wrong-media-type"})
OF_TOKENS = frozenset({"no-token", "forbidden"})
"""The refusals of every endpoint, and of those that take a body, or a token."""


NUMBER: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": 10**15 - 1}
FLAG: dict[str, Any] = {"type": "boolean"}
"""A whole number; true or false, written as 1 or 0."""


def text_schema(most: int = 2000) -> dict[str, Any]:
    """Return the schema of a text."""
    return {"type": "string", "maxLength": most}


def repeated_schema(item: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a parameter that may be repeated."""
    return {"type": "array", "items": item, "maxItems": 100}


class Parameter(Struct, frozen=True):
    """A parameter of the query, or a header: its name, JSON Schema, description, whether it is required."""

    name: str
    says: str
    schema: dict[str, Any]
    needed: bool = False
    header: bool = False

    def read(self, given: list[str]) -> Any:
        """Return the value of a parameter as it was given in the query; raise Problem."""
        if self.schema["type"] == "array":
            return tuple(self._parse_one(text, self.schema["items"]) for text in given)
        if len(given) > 1:
            raise Problem("bad-request", f"{self.name} is given {len(given)} times", "give it once", field=self.name)
        return self._parse_one(given[0], self.schema)

    def _parse_one(self, text: str, schema: Mapping[str, Any]) -> Any:
        kind, most = schema["type"], schema.get("maxLength", 0)
        if kind == "integer" and text.isascii() and text.isdigit() and len(text) < 16:
            return int(text)
        if kind == "boolean" and text in FLAGS:
            return FLAGS[text]
        if kind == "string" and len(text) <= most:
            return text
        says = {
            "integer": f"{self.name}: '{text[:40]}' is not a whole number from 0",
            "boolean": f"{self.name}: '{text[:40]}' is neither 1 nor 0",
            "string": f"{self.name} has more than {most} characters",
        }
        raise Problem("bad-request", says[kind], field=self.name)


class Endpoint(Struct, frozen=True):
    """An endpoint: method and path, its description, roles, parameters, body, successes and refusals.

    `body` are the media types that are taken; `given` and `gives` name schemas of /v1/schema or of this service. `refusals` are
    its own ones, beside those of all, of all that take a body, and of all that ask for a token.
    """

    method: str
    path: str
    says: str
    does: Does | None
    roles: frozenset[str] = READERS
    parameters: tuple[Parameter, ...] = ()
    body: tuple[str, ...] = ()
    given: str = ""
    success: tuple[int, ...] = (200,)
    media: str = JSON
    gives: str = ""
    refusals: tuple[str, ...] = ()
    creates: bool = False
    """Whether it creates the encounter that the path names: tokens of another one are taken."""
    writes: bool = False
    """Whether it holds the log while it writes, and finds out there whether the token is of this log: it looks at the log once."""
    costly: bool = False
    """Whether it may take long: then it runs in a lane of its own, and ends when its asker leaves."""

    @property
    def about_one(self) -> bool:
        """Whether the path names an encounter."""
        return "{name}" in self.path

    @property
    def named(self) -> str:
        """Its name in OpenAPI."""
        words = self.path.replace("/v1/encounters/{name}", "encounter").strip("/").replace("{", "").replace("}", "")
        return f"{self.method.lower()}-{words.replace('/', '-').replace('.', '-')}"

    @property
    def problems(self) -> frozenset[str]:
        """All its refusals."""
        return OF_ALL.union(self.refusals, OF_BODIES if self.body else (), OF_TOKENS if self.roles else ())

    def read(self, query: Mapping[str, list[str]]) -> dict[str, Any]:
        """Return the parameters of a query by name; raise Problem for what is unknown, missing or malformed."""
        known = {each.name: each for each in self.parameters if not each.header}
        for name in query:
            if name not in known:
                raise Problem("bad-request", f"no parameter '{name[:40]}' here", nearest(name, known), field=name[:40])
        for each in known.values():
            if each.needed and each.name not in query:
                raise Problem("bad-request", f"the parameter {each.name} is missing", each.says, field=each.name)
        return {name: known[name].read(given) for name, given in query.items()}
