"""What only the bot's own messages say: saves and checks rolled outside of automation, death saves, spell slots."""

import re
from typing import Any

from encounterlog.importers.fireball.dice import read_roll, thrown
from encounterlog.importers.fireball.ledger import Event
from encounterlog.importers.fireball.rows import Row
from encounterlog.importers.fireball.teller import Teller
from encounterlog.importers.fireball.words import clean, objects, word

_ROLLED = re.compile(r"^(?P<who>.+?) makes an? (?P<what>.+?) (?P<kind>save|check)!?$", re.IGNORECASE | re.DOTALL)
_ACTED = re.compile(r"^(?P<who>.+?) (?P<verb>casts|uses|attacks with an?) (?P<name>.+?)!$", re.DOTALL)
KINDS_OF_ACT = {"casts": "cast", "uses": "other", "attacks": "attack"}
_SLOTS = re.compile(r"`(?P<level>\d)`\s*(?P<marks>[\u25c9\u3007\u25a3\u25a2]+)")
_SLOTS_LEFT = "\u25c9\u25a3"


def embeds(row: Row) -> list[dict[str, Any]]:
    """List the embeds of a message."""
    return objects(row.body.get("embeds"))


def tell_answer(teller: Teller, row: Row) -> None:
    """Tell the rolls that a message of the bot shows."""
    for embed in embeds(row):
        title = clean(str(embed.get("title", "")))
        if row.line not in teller.acts and (act := _ACTED.match(title)):
            _tell_act(teller, row, act)
        found = _ROLLED.match(title)
        if found and found["what"].casefold() != "initiative":
            _tell_roll(teller, row, embed, found)
        for text in _fields(embed, "Spell Slots"):
            _tell_slots(teller, row, embed, text)


def _tell_act(teller: Teller, row: Row, title: re.Match[str]) -> None:
    """Tell an act that ran no automation."""
    who = teller.exactly(title["who"])
    if who is not None:
        kind = KINDS_OF_ACT[title["verb"].split()[0].casefold()]
        event: Event = {"type": "action_taken", "combatant": who}
        teller.acts[row.line] = teller.say(row, event | {"action": {"kind": kind, "name": word(title["name"])}})


def fields_named(embed: dict[str, Any], name: str) -> list[str]:
    """List what the fields of this very name say."""
    return _fields(embed, name)


def _fields(embed: dict[str, Any], name: str | None = None) -> list[str]:
    fields = objects(embed.get("fields"))
    return [clean(str(one.get("value", ""))) for one in fields if name is None or one.get("name") == name]


def _tell_roll(teller: Teller, row: Row, embed: dict[str, Any], title: re.Match[str]) -> None:
    texts = [clean(str(embed.get("description", ""))), *_fields(embed)]
    rolled = [thrown(read_roll(text.split("\n")[0])) for text in texts]
    for roll in [one for one in rolled if "die" in one]:
        who = teller.exactly(title["who"])
        if title["kind"].casefold() == "save" and who is not None:
            _tell_save(teller, row, embed, who, word(title["what"].casefold()), roll)
        else:
            event: Event = {"type": "dice_rolled", "purpose": word(f"{title['what']} {title['kind']}".casefold())}
            teller.say(row, event | ({"combatant": who} if who else {}) | roll)


def _tell_save(teller: Teller, row: Row, embed: dict[str, Any], who: str, save: str, roll: Event) -> None:
    event: Event = {"type": "save_rolled", "combatant": who, "save": save} | roll
    index = teller.say(row, event | ({"purpose": "death"} if save == "death" else {}))
    footer = embed.get("footer")
    text = str(footer.get("text", "")) if isinstance(footer, dict) else ""
    up = re.search(r"is UP with (\d{1,9}) HP", text)
    hp = teller.points(who).hp
    if save == "death" and up and hp is not None and int(up.group(1)) > hp:
        teller.hurt(row, who, hp - int(up.group(1)), cause=index)


def _tell_slots(teller: Teller, row: Row, embed: dict[str, Any], text: str) -> None:
    """Tell the spell slot that a casting took, by what the bot shows to be left."""
    title, found = clean(str(embed.get("title", ""))), _SLOTS.search(text)
    who = next((one for one in teller.ledger.order() if title.startswith(f"{teller.name(one)} casts")), None)
    if who is None or found is None:
        return
    resource, left = f"level {found['level']} spell slot", sum(found["marks"].count(mark) for mark in _SLOTS_LEFT)
    before = teller.left.get((who, resource), left + 1)
    teller.left[who, resource] = left
    if before != left:
        spent: Event = {"type": "resource_changed", "combatant": who, "resource": resource}
        teller.say(row, spent | {"amount": left - before, "left": left}, cause=teller.acts.get(row.line))
