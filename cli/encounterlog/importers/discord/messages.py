"""The messages of an export: reading them, with the line of the file where each begins."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from encounterlog.importers.fireball.rows import SourceRow
from encounterlog.importers.fireball.words import clean, objects
from encounterlog.importers.sources import Limits, lines
from encounterlog.importers.transcript import BadSource, Problem

LIMITS = Limits(line=64 << 20, lines=20_000_000, size=128 << 20)
"""The limits of an export, which is one JSON document."""
KEEPER = "Avrae"
"""The name of the bot that keeps the fight, where its words do not show which one does."""
_OWN_WORDS = ("**Initiative ", "Everyone roll for initiative!", "was added to combat", "Current initiative:")


class Channel(NamedTuple):
    """The contents of an export: the channel's name, its messages as rows, and its faults."""

    name: str
    rows: list[SourceRow]
    problems: list[Problem]


def read_channel(source: Path) -> Channel:
    """Read an export; raise BadSource if it is none."""
    text = b"".join(lines(source, LIMITS)).decode("utf-8-sig", errors="surrogateescape")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise BadSource("is not JSON", "export the channel with DiscordChatExporter in the format Json") from None
    messages = document.get("messages") if isinstance(document, dict) else None
    if not isinstance(messages, list) or not isinstance(document.get("channel"), dict):
        raise BadSource(
            "has no 'channel' with 'messages'", "export the channel with DiscordChatExporter in the format Json"
        )
    begins = _Lines(text)
    rows: list[SourceRow] = []
    problems: list[Problem] = []
    for message in messages:
        line = begins.of(message)
        row = _row(line, message)
        if row is None:
            problems.append(Problem(line, "is no message with 'timestamp', 'content' and 'author'"))
        else:
            rows.append(row)
    if not rows:
        raise BadSource("line 1: the export has no messages")
    return Channel(clean(str(document["channel"].get("name", "a channel"))), _with_bot(rows), problems)


class _Lines:
    """The lines of a document on which messages begin, found in their order."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._line = text, 0, 1

    def of(self, message: object) -> int:
        key = message.get("id") if isinstance(message, dict) else None
        found = self._text.find(f'"{key}"', self._at)
        if found >= 0:
            self._line += self._text.count("\n", self._at, found)
            self._at = found
        return self._line


def _row(line: int, message: Any) -> SourceRow | None:
    if not isinstance(message, dict) or not isinstance(message.get("content"), str):
        return None
    author, at = message.get("author"), moment(message.get("timestamp"))
    if at is None or not isinstance(author, dict):
        return None
    name = author.get("nickname") or author.get("name")
    body = {"content": message["content"], "embeds": objects(message.get("embeds")), "author_id": str(author.get("id"))}
    return SourceRow(line, "message", at, "", body | {"author_name": name, "author_bot": author.get("isBot") is True})


def moment(text: object) -> str | None:
    """Turn an ISO 8601 moment with a zone into RFC 3339 in UTC with microseconds; None where that is impossible."""
    try:
        found = datetime.fromisoformat(str(text))
        return found.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ") if found.tzinfo else None
    except (ValueError, OverflowError):
        return None


def _with_bot(rows: list[SourceRow]) -> list[SourceRow]:
    """Mark the messages of the bot that keeps the fight: the one that announces turns and newcomers."""
    said = [row for row in rows if row.body["author_bot"]]
    keepers = {row.body["author_id"] for row in said if any(words in row.body["content"] for words in _OWN_WORDS)}
    keepers = keepers or {row.body["author_id"] for row in said if row.body["author_name"] == KEEPER}
    return [row._replace(by_bot=row.body["author_bot"] and row.body["author_id"] in keepers) for row in rows]
