"""Rolls that a user asks the bot for without a purpose: they belong to a person, and to no combatant."""

import re
from collections.abc import Iterator
from typing import Any

from encounterlog.importers.fireball.dice import read_roll, thrown
from encounterlog.importers.fireball.rows import SourceRow
from encounterlog.importers.fireball.words import clean, word
from encounterlog.importers.fireball.writer import Writer

FREE_ROLL = "free roll"
"""The purpose of such a roll."""
_WHO = r"^(?:<@!?(?P<who>\d+)>|@(?P<name>[^\n]+?))"
_ONE = re.compile(
    _WHO + r"\s+(?::game_die:|\U0001f3b2)\s*\n\*\*(?P<label>.+?)\*\*: (?P<roll>.+)\n\*\*Total\*\*: (?P<total>-?\d+)\s*$"
)
_SEVERAL = re.compile(
    _WHO
    + r"\s*\n(?:(?P<label>[^\n]+): )?Rolling \d+ iterations(?:, DC (?P<dc>\d{1,3}))?\.\.\.\n(?P<rolls>.+)\n[^\n]*\d+ total\.\s*$",
    re.DOTALL,
)
_INLINE = re.compile(
    r"^(?:\*\*(?P<label>[^*\n]+)\*\*: |.*\((?:(?P<comment>[^():]+): )?)(?P<roll>[-(]*\d*d\d.*= `-?\d+`)(?:\).*)?$"
)


def add_free_rolls(writer: Writer, row: SourceRow, people: dict[str, str]) -> None:
    """Add the rolls of a message; `people` are the writers' names, by their ids."""
    text = clean(row.body["content"]).strip()
    found = _ONE.match(text) or _SEVERAL.match(text)
    if found is None:
        return
    who = found["name"] or people.get(str(found["who"]), "a player")
    label = "" if found["label"] in (None, "Result") else found["label"]
    for fields in _one(found) if "roll" in found.groupdict() else _several(found):
        _add(writer, row, who, label, fields)


def add_inline_rolls(writer: Writer, row: SourceRow, asked: SourceRow, people: dict[str, str]) -> None:
    """Add the rolls of an answer to a message with dice in double brackets."""
    who = people.get(str(asked.body.get("author_id")), "a player")
    for line in clean(row.body["content"]).split("\n"):
        if found := _INLINE.match(line.strip()):
            _add(writer, row, who, found["label"] or found["comment"] or "", thrown(read_roll(found["roll"])))


def asks_inline(row: SourceRow) -> bool:
    """Say whether a message has dice in double brackets, which the bot answers."""
    return "[[" in row.body["content"]


def _add(writer: Writer, row: SourceRow, who: str, label: str, fields: dict[str, Any]) -> None:
    purpose = word(f"{FREE_ROLL} by {who}{f' ({label})' if label else ''}")
    writer.add(row, {"type": "dice_rolled", "purpose": purpose} | fields)


def _one(found: re.Match[str]) -> Iterator[dict[str, Any]]:
    yield thrown(read_roll(f"{found['roll']} = `{found['total']}`"))


def _several(found: re.Match[str]) -> Iterator[dict[str, Any]]:
    """Yield the rolls, a line each, with the number to reach: the bot counts those that reach it as successes."""
    dc = None if found["dc"] is None else int(found["dc"])
    for fields in (thrown(read_roll(line)) for line in found["rolls"].split("\n")):
        if "total" in fields:
            yield fields | ({} if dc is None else {"dc": dc, "succeeded": fields["total"] >= dc})
