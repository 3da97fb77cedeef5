"""The rows of a FIREBALL recording, with a sentence and a line for each that cannot be read."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from encounterlog.importers.sources import Limits, read_lines
from encounterlog.importers.transcript import BadSource, Problem
from encounterlog.importers.words import normalize_text, parse_moment

_UNUSED = frozenset(("automation", "components", "created_at", "prefix"))
"""The fields of a row of which no facts are made."""


LIMITS = Limits(line=4 << 20, lines=200_000, size=128 << 20)
"""Limits far above what the longest recordings need."""

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


class SourceRow(NamedTuple):
    """One recorded event: its line, kind, time, the interaction that it belongs to (or "") and its fields.

    `by_bot` says of a message whether the bot that keeps the fight wrote it.
    """

    line: int
    kind: str
    at: str
    interaction: str
    body: dict[str, Any]
    by_bot: bool = False


class SourceContent(NamedTuple):
    """The content of a source: the combat's id or the channel's name, the rows that could be read, and the problems with the others."""

    name: str
    rows: list[SourceRow]
    problems: list[Problem]


def read_rows(source: str | Path | Iterable[str]) -> SourceContent:
    """Read the rows of a path or of an iterable of lines; raise BadSource unless they are a recording of one combat."""
    problems: list[Problem] = []
    rows: list[SourceRow] = []
    others: dict[str, list[tuple[int, str]]] = {}
    combat = ""
    for line, fields in _parse_objects(_lines_of_source(source), problems):
        if "event_type" not in fields and any(names <= fields.keys() for names in _TRIPLES):
            says = (
                f"line {line}: is a filtered triple of FIREBALL (what was said, the commands, the states around them)"
            )
            raise BadSource(f"{says}, not a row of a recording", "import the raw recording of the combat")
        found = _make_row(line, fields)
        if isinstance(found, Problem):
            problems.append(found)
            continue
        combat = combat or fields["combat_id"]
        if fields["combat_id"] == combat:
            rows.append(found)
        else:
            others.setdefault(fields["combat_id"], []).append((line, found.kind))
    if not rows:
        if not problems:
            raise BadSource("line 1: the source is empty; a recording has one JSON object a line")
        first = problems[0]
        raise BadSource(f"line {first.line}: {first.what}; no line of the source is a row of a FIREBALL recording")
    problems += _stray_rows(combat, rows, others)
    return SourceContent(combat, mark_bot_messages(rows), problems)


_OWN_WORDS = re.compile(
    r"\*\*Initiative -?\d+ \(round \d+\)\*\*|Everyone roll for initiative!|was added to combat|Current initiative:"
)


def mark_bot_messages(rows: list[SourceRow]) -> list[SourceRow]:
    """Mark the messages of the bot that keeps the fight; others speak in a channel too, with people's words.

    It is the one that announces turns and newcomers. Early recordings do not say who is a bot, but only bots send
    embeds.
    """
    said = [row for row in rows if row.kind == "message" and row.body.get("author_bot") is not False]
    keepers = {str(row.body.get("author_id")) for row in said if _OWN_WORDS.search(row.body["content"])}
    kept = [row for row in said if not keepers or str(row.body.get("author_id")) in keepers]
    lines = {row.line for row in kept if keepers or row.body.get("author_bot") or row.body["embeds"]}
    return [row._replace(by_bot=True) if row.line in lines else row for row in rows]


_TRIPLES = ({"combat_state_before", "combat_state_after"}, {"before", "commands", "after"})
"""Fields of the other form in which the data set is given: utterances with the states before and after."""


def _stray_rows(combat: str, rows: list[SourceRow], others: dict[str, list[tuple[int, str]]]) -> Iterator[Problem]:
    """Yield the rows of other combats as problems; refuse a source that shows the states of a second one."""
    for other, found in others.items():
        name = repr(normalize_text(other)[:80])
        if any(kind == "combat_state_update" for _, kind in found):
            second = f"line {found[0][0]}: a second combat, {name}, of {len(found):,} rows to line {found[-1][0]}"
            first = f"the first, {normalize_text(combat)[:80]!r}, has {len(rows):,} from line {rows[0].line}"
            hint = f"import each from a separate file: grep {name} prints its rows"
            raise BadSource(f"{second}; {first}: a log holds one", hint)
        yield from (Problem(line, f"belongs to another combat, {name}") for line, _ in found)


def _lines_of_source(source: str | Path | Iterable[str]) -> Iterable[str]:
    if not isinstance(source, str | Path):
        return source
    return (line.decode("utf-8-sig", errors="surrogateescape") for line in read_lines(Path(source), LIMITS))


def _parse_objects(lines: Iterable[str], problems: list[Problem]) -> Iterator[tuple[int, dict[str, Any]]]:
    kept: dict[tuple[str, str], Any] = {}

    def keep_once(found: dict[str, Any]) -> dict[str, Any]:
        """Keep equal parts of what has one name once: nine tenths of a recording are stat blocks, in each state again."""
        name = str(found.get("name"))
        for field, value in found.items():
            if isinstance(value, dict | list):
                held = kept.get((name, field))
                found[field] = kept[name, field] = held if held == value else value
        return found

    for line, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            found = json.loads(text, parse_constant=_refuse_number, object_hook=keep_once)
        except (ValueError, RecursionError) as error:
            why = "nested too deeply" if isinstance(error, RecursionError) else normalize_text(str(error))[:80]
            problems.append(Problem(line, f"is not JSON ({why})"))
            continue
        if isinstance(found, dict):
            yield line, found
        else:
            problems.append(Problem(line, "is JSON, but no object"))


def _refuse_number(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _make_row(line: int, fields: dict[str, Any]) -> SourceRow | Problem:
    if wrong := _fault_of_row(fields):
        return Problem(line, wrong)
    at, kind = parse_moment(fields.get("timestamp")), fields["event_type"]
    if at is None:
        return Problem(line, "has no usable 'timestamp' (UNIX seconds)")
    interaction = str(fields[KINDS[kind]]) if KINDS[kind] else ""
    return SourceRow(line, kind, at, interaction, {name: fields[name] for name in fields.keys() - _UNUSED})


def _fault_of_row(fields: dict[str, Any]) -> str:
    """Return what is wrong about a row; "" for one that can be used."""
    combat, kind = fields.get("combat_id"), fields.get("event_type")
    if not isinstance(combat, str) or not combat:
        return "has no 'combat_id'"
    if not isinstance(kind, str) or kind not in KINDS:
        return f"has the unknown event_type {normalize_text(str(kind))[:60]!r}"
    if (key := KINDS[kind]) and not isinstance(fields.get(key), int | str):
        return f"is a {kind} without '{key}'"
    for name, types in FIELDS.get(kind, {}).items():
        if not isinstance(fields.get(name), types):
            return f"is a {kind} whose '{name}' is missing or of the wrong type"
    return ""
