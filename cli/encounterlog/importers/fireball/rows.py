"""The rows of a FIREBALL recording: reading them, with a sentence and a line for each that cannot be read."""

import gzip
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from encounterlog.importers.fireball.words import clean
from encounterlog.importers.telling import BadSource, Problem

KINDS = {
    "message": "message_id",
    "alias_resolution": "message_id",
    "snippet_resolution": "message_id",
    "command": "message_id",
    "button_press": "interaction_id",
    "automation_run": "interaction_id",
    "combat_state_update": "probable_interaction_id",
    "combat_start": "",
    "combat_end": "",
}

FIELDS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "message": {"content": str, "author_bot": (bool, type(None)), "embeds": list},
    "command": {"content": str, "command_name": str},
    "automation_run": {"automation_result": dict},
    "combat_state_update": {"data": dict, "human_readable": str},
}


class Row(NamedTuple):
    """One recorded event: its line, kind, time, the interaction that it belongs to (or "") and its fields."""

    line: int
    kind: str
    at: str
    interaction: str
    body: dict[str, Any]

    @property
    def by_bot(self) -> bool:
        """Say whether a bot wrote this message; early recordings do not say, but only bots send embeds."""
        said = self.body.get("author_bot")
        return self.kind == "message" and (said is True or (said is None and bool(self.body["embeds"])))


class Reading(NamedTuple):
    """What a source says: the combat's id, the rows that could be read, and the problems with the others."""

    combat: str
    rows: list[Row]
    problems: list[Problem]


def read(source: str | Path | Iterable[str]) -> Reading:
    """Read the rows of a path or of an iterable of lines."""
    problems: list[Problem] = []
    rows: list[Row] = []
    combat = ""
    for line, fields in _objects(_lines(source), problems):
        found = _row(line, fields, combat)
        if isinstance(found, Problem):
            problems.append(found)
            continue
        combat = combat or fields["combat_id"]
        rows.append(found)
    if not rows:
        raise BadSource(_nothing(problems))
    return Reading(combat, rows, problems)


def _nothing(problems: list[Problem]) -> str:
    if not problems:
        return "line 1: the source is empty; a recording has one JSON object a line"
    first = problems[0]
    return f"line {first.line}: {first.what}; no line of the source is a row of a FIREBALL recording"


def _lines(source: str | Path | Iterable[str]) -> Iterable[str]:
    if not isinstance(source, str | Path):
        return source
    try:
        content = Path(source).read_bytes()
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
    except (OSError, EOFError, ValueError) as error:
        raise BadSource(f"{source}: cannot be read: {error}") from None
    return content.decode("utf-8-sig", errors="surrogateescape").split("\n")


def _objects(lines: Iterable[str], problems: list[Problem]) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            found = json.loads(text, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            problems.append(Problem(line, f"is no JSON ({_short(error)})"))
            continue
        if isinstance(found, dict):
            yield line, found
        else:
            problems.append(Problem(line, "is JSON, but no object"))


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _short(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else clean(str(error))[:80]


def _row(line: int, fields: dict[str, Any], combat: str) -> Row | Problem:
    kind = fields.get("event_type")
    if wrong := _no_combat(fields, combat) or _other_kind(fields) or _no_fields(fields):
        return Problem(line, wrong)
    at = moment(fields.get("timestamp"))
    if at is None:
        return Problem(line, "has no usable 'timestamp' (UNIX seconds)")
    key = KINDS[str(kind)]
    return Row(line, str(kind), at, str(fields[key]) if key and fields.get(key) is not None else "", fields)


def _no_combat(fields: dict[str, Any], combat: str) -> str:
    found = fields.get("combat_id")
    if not isinstance(found, str) or not found:
        return "has no 'combat_id'"
    return f"belongs to another combat, {clean(found)[:80]!r}" if combat and found != combat else ""


def _other_kind(fields: dict[str, Any]) -> str:
    kind = fields.get("event_type")
    return "" if isinstance(kind, str) and kind in KINDS else f"has the unknown event_type {clean(str(kind))[:60]!r}"


def _no_fields(fields: dict[str, Any]) -> str:
    kind = fields["event_type"]
    key = KINDS[kind]
    if key and not isinstance(fields.get(key), int | str):
        return f"is a {kind} without '{key}'"
    for name, types in FIELDS.get(kind, {}).items():
        if not isinstance(fields.get(name), types):
            return f"is a {kind} whose '{name}' is missing or of the wrong type"
    return ""


def moment(seconds: object) -> str | None:
    """Turn UNIX seconds into RFC 3339 text in UTC with microseconds; None where that is impossible."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    except (ValueError, OverflowError, OSError):
        return None
