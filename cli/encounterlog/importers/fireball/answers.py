"""Facts found only in the bot's messages: saves and checks rolled outside of automation, death saves, spell slots."""

import re
from typing import Any

from encounterlog.importers.fireball.dice import read_roll, thrown
from encounterlog.importers.fireball.replies import embeds, fields
from encounterlog.importers.fireball.rows import Row
from encounterlog.importers.fireball.words import clean, word
from encounterlog.importers.fireball.writer import Event, Writer

_ROLLED = re.compile(r"^(?P<who>.+?) makes an? (?P<what>.+?) (?P<kind>save|check)!?$", re.IGNORECASE | re.DOTALL)
_ACTED = re.compile(r"^(?P<who>.+?) (?P<verb>casts|uses|attacks with an?) (?P<name>.+?)!$", re.DOTALL)
KINDS_OF_ACT = {"casts": "cast", "uses": "other", "attacks": "attack"}
_SLOTS = re.compile(r"`(?P<level>\d)`\s*(?P<marks>[\u25c9\u3007\u25a3\u25a2]+)")
_SLOTS_LEFT = "\u25c9\u25a3"


def transcribe_answer(writer: Writer, row: Row) -> None:
    """Add the rolls that a message of the bot shows."""
    for embed in embeds(row):
        title = clean(str(embed.get("title", "")))
        if row.line not in writer.acts and (act := _ACTED.match(title)):
            _add_act(writer, row, act)
        found = _ROLLED.match(title)
        if found and found["what"].casefold() != "initiative":
            _add_rolls(writer, row, embed, found)
        for text in fields(embed, "Spell Slots"):
            _add_slots(writer, row, embed, text)


def _add_act(writer: Writer, row: Row, title: re.Match[str]) -> None:
    """Add an act that ran no automation."""
    who = writer.exactly(title["who"])
    if who is not None:
        kind = KINDS_OF_ACT[title["verb"].split()[0].casefold()]
        event: Event = {"type": "action_taken", "combatant": who}
        writer.acts[row.line] = writer.add(row, event | {"action": {"kind": kind, "name": word(title["name"])}})


def _add_rolls(writer: Writer, row: Row, embed: dict[str, Any], title: re.Match[str]) -> None:
    texts = [clean(str(embed.get("description", ""))), *fields(embed)]
    rolled = [thrown(read_roll(text.split("\n")[0])) for text in texts]
    for roll in [one for one in rolled if "die" in one]:
        who = writer.exactly(title["who"])
        if title["kind"].casefold() == "save" and who is not None:
            _add_save(writer, row, embed, who, word(title["what"].casefold()), roll)
        else:
            event: Event = {"type": "dice_rolled", "purpose": word(f"{title['what']} {title['kind']}".casefold())}
            writer.add(row, event | ({"combatant": who} if who else {}) | roll)


def _add_save(writer: Writer, row: Row, embed: dict[str, Any], who: str, save: str, roll: Event) -> None:
    event: Event = {"type": "save_rolled", "combatant": who, "save": save} | roll
    index = writer.add(row, event | ({"purpose": "death"} if save == "death" else {}))
    footer = embed.get("footer")
    text = str(footer.get("text", "")) if isinstance(footer, dict) else ""
    up = re.search(r"is UP with (\d{1,9}) HP", text)
    hp = writer.points(who).hp
    if save == "death" and up and hp is not None and int(up.group(1)) > hp:
        writer.hurt(row, who, hp - int(up.group(1)), cause=index)


def _add_slots(writer: Writer, row: Row, embed: dict[str, Any], text: str) -> None:
    """Add the spell slot that a casting used, from the number that the bot shows to be left."""
    title, found = clean(str(embed.get("title", ""))), _SLOTS.search(text)
    who = next((one for one in writer.fight.order() if title.startswith(f"{writer.name(one)} casts")), None)
    if who is None or found is None:
        return
    resource, left = f"level {found['level']} spell slot", sum(found["marks"].count(mark) for mark in _SLOTS_LEFT)
    if writer.fight.left_of(who, resource) != left:
        writer.use(row, who, resource, -1, left, writer.acts.get(row.line))
