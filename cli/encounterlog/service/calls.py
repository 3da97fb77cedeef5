"""Calls and replies: a request as the endpoints see it, and the answer that they give."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from encounterlog.core.logs import LogView
from encounterlog.service import tags
from encounterlog.service.people import ALL_SECRETS
from encounterlog.service.served_logs import ServedLog, ServedLogs, looked_at
from encounterlog.service.settings import Settings
from encounterlog.storage.shelves import Shelf, Token
from encounterlog.text import documents
from eventstore.chain import Anchor
from projections.time import Where

if TYPE_CHECKING:
    from encounterlog.service.entropy_words import Words
    from encounterlog.service.proposals import Proposals
    from encounterlog.service.streams import Streams

JSON, LINES, TEXT, HTML = "application/json", "application/x-ndjson", "text/plain", "text/html"


class Service(Struct):
    """The resources that all requests of a process share: the logs, the settings, the open streams."""

    shelf: Shelf
    logs: ServedLogs
    settings: Settings
    streams: "Streams"
    entropy_words: "Words"
    proposals: "Proposals"


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

    def seen(self) -> LogView:
        """Return the log as its asker may see it; raise as the store does."""
        if self.looked is not None:
            return self.looked
        with looked_at(self.service.logs.of(self.name)) as known:
            return known.view(secrets=self.token.role in ALL_SECRETS, as_of=self.asked.get("as_of"))

    @contextmanager
    def alone(self) -> Iterator[LogView]:
        """Hold the log, as its asker may see it, with its folded state; nobody else uses it until this ends."""
        with self._held(self.service.logs.of(self.name)) as seen:
            yield seen

    @contextmanager
    def writing(self) -> Iterator[LogView]:
        """Hold the log as `alone` does, while no other request of this process appends to it."""
        known = self.service.logs.of(self.name)
        with known.turn, self._held(known) as seen:
            yield seen

    @contextmanager
    def _held(self, known: ServedLog) -> Iterator[LogView]:
        with looked_at(known):
            yield known.view(secrets=self.token.role in ALL_SECRETS, alone=True)

    @property
    def where(self) -> Where | None:
        """The point that is asked for; raises Malformed."""
        at = self.asked.get("at")
        return Where.parse(at) if at is not None else None

    @property
    def plays(self) -> tuple[str, ...]:
        """The combatants of the player who asks."""
        return self.token.combatants if self.token.role == "player" else ()

    @property
    def audience(self) -> object:
        """The things other than log and question on which the answer depends."""
        return self.token.role in ALL_SECRETS, self.plays


class Reply(Struct):
    """An answer: status, media type, body, headers."""

    status: int
    body: bytes = b""
    media: str = JSON
    headers: dict[str, str] = {}


def document(value: Any, status: int = 200, head: Anchor | None = None) -> Reply:
    """Return a JSON document, as the commands print it, with the tag of the log if it is about one."""
    return Reply(status, documents.document(value).encode(), headers=_tagged(head))


def lines(values: list[Any], head: Anchor) -> Reply:
    """Return JSON lines, as the commands print them."""
    return Reply(200, "".join(map(documents.document_line, values)).encode(), LINES, _tagged(head))


def _tagged(head: Anchor | None) -> dict[str, str]:
    return {"etag": tags.of_head(head)} if head else {}


Does = Callable[[Call], Reply]
