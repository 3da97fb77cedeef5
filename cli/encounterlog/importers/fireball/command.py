"""A command that the bot has carried out: what was typed, whom it means, what was answered."""

import re
import shlex
from typing import NamedTuple

from encounterlog.importers.fireball.rows import Row
from encounterlog.importers.fireball.screens import Screen
from encounterlog.importers.fireball.teller import Teller
from encounterlog.importers.fireball.words import clean, objects, sentence, word


class Command(NamedTuple):
    """A command, the bot's replies to it, and the state that it led to, where there is one."""

    teller: Teller
    row: Row
    replies: list[Row]
    screen: Screen | None

    @property
    def words(self) -> list[str]:
        """Split what stands behind the command's own words."""
        text = clean(self.row.body["content"])
        try:
            found = shlex.split(text)
        except ValueError:
            found = text.split()
        return found[len(self.row.body["command_name"].split()) :]

    @property
    def said(self) -> str:
        """Say the command as it was typed, for a reason."""
        return sentence(f"{clean(self.row.body['content'])[:200]} (line {self.row.line})")

    def option(self, name: str) -> str | None:
        """Take the word behind an option; None where it was not given."""
        words = self.words
        return next((words[place + 1] for place, one in enumerate(words[:-1]) if one == name), None)

    def caster(self) -> str | None:
        """Find the combatant whose sheet the command used."""
        sheet = self.row.body.get("caster")
        return self.teller.exactly(sheet.get("name")) if isinstance(sheet, dict) else None


def meant(command: Command, name: str) -> str | None:
    """Find the combatant that a command means; nobody of that name is a problem."""
    found = command.teller.named(name)
    if found is None:
        command.teller.wonder(command.row, f"means {word(name)!r}, but nobody in the fight is called so")
    return found


def all_meant(command: Command, name: str) -> list[str]:
    """Return everybody whom a name in a command means: all of a group, where it is a group's."""
    screen = command.screen
    if screen and name.casefold() in [title.casefold() for title in screen.titles]:
        return slot_titled(command, name) or []
    who = meant(command, name)
    return [who] if who is not None else []


def slot_titled(command: Command, name: str) -> list[str] | None:
    """Find the slot of a combatant or of a group by its printed name."""
    teller, screen = command.teller, command.screen
    for title, slot in zip(screen.titles, screen.slots, strict=True) if screen else []:
        if title.casefold() == name.casefold():
            return [found for one in slot if (found := teller.here(one.key))]
    who = teller.named(name)
    return next((slot.members for slot in teller.ledger.slots if who in slot.members), None)


def answered_points(replies: list[Row], name: str) -> tuple[int, Row] | None:
    """Find hit points that the bot names in its last answer which names any."""
    pattern = re.compile(re.escape(name) + r":? <(-?\d{1,15})(?:/-?\d+)? HP>")
    for reply in reversed(replies):
        if found := pattern.search(reply_text(reply)):
            return int(found.group(1)), reply
    return None


def reply_text(reply: Row) -> str:
    """Collect all that a message says, embeds and their fields included."""
    found = [str(reply.body.get("content", ""))]
    for embed in objects(reply.body.get("embeds")):
        found += [str(embed.get(name, "")) for name in ("title", "description")]
        found += [f"{one.get('name')}\n{one.get('value')}" for one in objects(embed.get("fields"))]
        footer = embed.get("footer")
        found.append(str(footer.get("text", "")) if isinstance(footer, dict) else "")
    return clean("\n".join(found))
