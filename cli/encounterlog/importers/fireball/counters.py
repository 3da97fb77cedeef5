"""Counters and rests of a character's own sheet, as the bot reports their changes."""

import re

from encounterlog.importers.fireball.command import Command
from encounterlog.importers.fireball.replies import embeds, fields
from encounterlog.importers.fireball.rows import SourceRow
from encounterlog.importers.fireball.titles import after_name
from encounterlog.importers.fireball.words import clean, objects, word
from encounterlog.importers.fireball.writer import Writer

COUNTING = frozenset({"customcounter", "game spellslot"})
"""The commands that count something up or down, if the bot's answer gives the change."""

FULL, EMPTY = "◉▣", "〇▢"
_MARKS = rf"(?P<marks>[{FULL}{EMPTY}]+)|(?:\*\*Current Value\*\*: )?(?P<left>-?\d{{1,9}})(?:/\d{{1,9}})?"
_COUNTED = re.compile(rf"^(?:{_MARKS}) \((?P<change>[-+]\d{{1,9}})\)$", re.MULTILINE)
_SLOT = re.compile(rf"^`(?P<level>\d)` (?P<marks>[{FULL}{EMPTY}]+) \((?P<change>[-+]\d)\)$", re.MULTILINE)
_RESET = re.compile(rf"^(?P<name>.+): (?:{_MARKS})(?: \([-+]\d+\))?$", re.MULTILINE)
_REST = re.compile(r"^(?:took|takes) a (?P<kind>Long|Short) Rest!$")
_POINTS = re.compile(r"^<?(?P<hp>\d{1,9})/\d{1,9}")


def transcribe_counter(command: Command) -> None:
    """Add the change by a counting command, from the bot's last message before the command ended."""
    who = command.caster()
    answers = [row for row in command.span if row.by_bot and row.line < command.row.line]
    if who is None or not answers:
        return
    for embed in embeds(answers[-1]):
        text = clean(str(embed.get("description", "")))
        for found in _SLOT.finditer(text):
            _use(command.writer, answers[-1], who, _slot(found["level"]), int(found["change"]), _left(found))
        for field in objects(embed.get("fields")):
            if found_here := _COUNTED.search(clean(str(field.get("value", "")))):
                name = word(field.get("name"))
                _use(command.writer, answers[-1], who, name, int(found_here["change"]), _left(found_here))


def _use(writer: Writer, row: SourceRow, who: str, resource: str, change: int, left: int) -> None:
    if change:
        writer.use(row, who, resource, change, left, None)


def _slot(level: str) -> str:
    return f"level {level} spell slot"


def _left(found: re.Match[str]) -> int:
    marks = found["marks"]
    return sum(mark in FULL for mark in marks) if marks else int(found["left"])


def transcribe_rest(writer: Writer, row: SourceRow) -> None:
    """Add a rest that the bot announces, with the points and counters that it gives back."""
    for embed in embeds(row):
        title = clean(str(embed.get("title", "")))
        who = next((one for one in writer.fight.order() if after_name(title, writer.name(one)) is not None), None)
        rest = _REST.match(after_name(title, writer.name(who)) or "") if who else None
        if who is None or rest is None:
            continue
        noted = writer.note(row, f"{writer.name(who)} takes a {rest['kind'].casefold()} rest")
        writer.acts[row.line] = noted
        for text in fields(embed, "Hit Points"):
            if points := _POINTS.match(text):
                writer.set_hp(row, who, int(points["hp"]), "a rest", cause=noted)
        for text in fields(embed, "Spell Slots"):
            for found in _SLOT.finditer(text):
                _reset(writer, row, who, _slot(found["level"]), _left(found), noted)
        for text in fields(embed, "Reset Counters"):
            for found in _RESET.finditer(text):
                _reset(writer, row, who, word(found["name"]), _left(found), noted)


def _reset(writer: Writer, row: SourceRow, who: str, resource: str, left: int, noted: int) -> None:
    """Give back the missing part of a counter, if it is known how much was left."""
    held = writer.fight.left_of(who, resource)
    if held is not None and held != left:
        writer.use(row, who, resource, left - held, left, noted)
