"""Calls: requests as the endpoints see them; and what an endpoint is."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec import Struct
from starlette.responses import Response

from encounterlog.log.logs import LogView
from encounterlog.places.shelves import Shelf
from encounterlog.places.tokens import Token
from encounterlog.service.problems import Problem
from encounterlog.service.settings import Settings
from encounterlog.service.streams import ALL_SECRETS, Proposals, ServedLog, ServedLogs, Streams, Words, hold_log
from encounterlog.words import documents
from eventstore.chain import Anchor
from eventstore.errors import Malformed

JSON, LINES, TEXT, HTML = "application/json", "application/x-ndjson", "text/plain", "text/html"
OPERATOR, GM, PLAYER, SPECTATOR = "operator", "gm", "player", "spectator"
READERS = frozenset({GM, PLAYER, SPECTATOR})
WRITERS = frozenset({GM, PLAYER})
OWNERS = frozenset({GM, OPERATOR})
ALL = READERS | OWNERS
NOBODY: frozenset[str] = frozenset()  # the roles of an endpoint that asks for no token


class Service:
    """The resources that all requests of a process share: the logs, the settings, the open streams."""

    def __init__(self, shelf: Shelf, settings: Settings) -> None:
        self.shelf, self.settings, self.logs = shelf, settings, ServedLogs(shelf)
        self.streams = Streams(shelf, self.logs, settings.limits)
        self.entropy_words, self.proposals = Words(self.streams, settings.limits.word), Proposals(self.streams)


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
    def media(self) -> str:
        """The media type of its body."""
        return self.headers.get("content-type", "")


def check_same(known: ServedLog, token: Token) -> None:
    """Raise Problem if a token was made for another log, which had the name before."""
    if token.log and known.encounter != token.log:
        raise Problem("forbidden", "a token of another table", "the encounter of this name is another one now")


def json_reply(value: Any, status: int = 200, head: Anchor | None = None) -> Response:
    """Return a JSON document, as the commands print it, with the tag of the log if it is about one."""
    return Response(documents.format_json(value), status, {"etag": head_tag(head)} if head else None, JSON)


Does = Callable[[Call], Response]
_TAG = re.compile(r'(W/)?"([\x21\x23-\x7e]*)"')
_LIST = re.compile(rf"\s*{_TAG.pattern}\s*(?:,\s*{_TAG.pattern}\s*)*")


def head_tag(head: Anchor) -> str:
    """Return the tag of a log that ends there."""
    return f'"{head}"'


def matches_tag(header: str | None, tag: str) -> bool:
    """Return whether an If-None-Match names a tag; raise Problem if it is malformed."""
    if header is None:
        return False
    return header.strip() == "*" or any(f'"{each}"' == tag for each, _ in parse_tags("If-None-Match", header))


def parse_anchor(header: str, text: str, hint: str = "the id of an event is SEQ:HASH") -> Anchor:
    """Return the SEQ:HASH in a header; raise Problem for anything else."""
    try:
        return Anchor.parse(text)
    except Malformed as error:
        raise Problem("bad-tag", f"{header}: {error.reason}", hint, field=header) from None


def parse_tags(name: str, header: str) -> Sequence[tuple[str, bool]]:
    """Return the tags of a header, and whether each is weak; raise Problem if there is none, or an empty one."""
    if not _LIST.fullmatch(header):
        raise Problem("bad-tag", f"{name}: not an entity tag, nor a list of them", 'such as "12:ab…"', field=name)
    found = [(one[2], bool(one[1])) for one in _TAG.finditer(header)]
    if any(not text for text, _ in found):
        raise Problem("bad-tag", f"{name}: an empty tag is no condition", "leave the header out", field=name)
    return found
