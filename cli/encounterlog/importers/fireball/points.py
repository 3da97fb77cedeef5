"""Commands of hit points and temporary points, in the fight and on a character's own sheet."""

import re

from encounterlog.importers.fireball.command import Command, answered_points, meant
from encounterlog.importers.fireball.words import clean, whole


def change_hp(command: Command) -> None:
    """`init hp NAME AMOUNT`, also with mod, set or max between or before."""
    words = list(command.words)
    way = command.row.body["command_name"].split()[-1]
    who = meant(command, words.pop(0)) if words else None
    if words and words[0] in ("mod", "set", "max"):
        way = words.pop(0)
    if who is not None:
        _change_points(command, who, way, " ".join(words))


def change_own_hp(command: Command) -> None:
    """`game hp AMOUNT` of the typist's own character."""
    words = list(command.words)
    way = command.row.body["command_name"].split()[-1]
    if words and words[0] in ("mod", "set", "max"):
        way = words.pop(0)
    if (who := command.caster()) is not None:
        _change_points(command, who, way, " ".join(words))


def _change_points(command: Command, who: str, way: str, text: str) -> None:
    teller, row = command.teller, command.row
    points = teller.points(who)
    amount = _amount(command, text, who)
    if way == "max" and not text and points.hp_max is not None:
        teller.set_hp(row, who, points.hp_max, command.said)
    elif amount is None:
        _as_answered(command, who, bool(text))
    elif way == "max":
        sheet = {"hp_max": amount} | ({"hp": amount} if points.hp is None else {})
        teller.say(row, {"type": "sheet_changed", "combatant": who, "sheet": sheet})
    elif way == "set" or points.hp is None:
        teller.set_hp(row, who, amount, command.said)
    elif amount < 0:
        teller.hurt(row, who, -amount)
    else:
        teller.set_hp(row, who, points.hp + amount, command.said)


def _amount(command: Command, text: str, who: str | None) -> int | None:
    """Take a bare number, else the total that the bot prints of the roll when it answers for this combatant."""
    bare = re.sub(r"\[[^\]]*\]", "", text).strip()
    if re.fullmatch(r"[-+]?\d{1,15}", bare):
        return int(bare)
    for reply in command.replies if bare and who else []:
        found = re.search(r"=\s*`(-?\d{1,15})`\)?\s*$", reply.body["content"].strip())
        if found and clean(reply.body["content"]).startswith(command.teller.name(who or "")):
            return int(found.group(1))
    return None


def _as_answered(command: Command, who: str, changes: bool) -> None:
    """Take the points that the bot's answer names; else, of a hidden roll, those that the state shows after it."""
    answered = answered_points(command.replies, command.teller.name(who))
    if answered is not None:
        command.teller.set_hp(command.row, who, answered[0], command.said, answered[1])
        return
    figures = command.screen.figures if command.screen and changes else []
    shown = next((one for one in figures if command.teller.here(one.key) == who), None)
    if shown is not None and shown.hp is not None:
        command.teller.set_temp(command.row, who, shown.temp)
        command.teller.set_hp(command.row, who, shown.hp, f"{command.said} rolls dice that the record does not show")


def change_temp(command: Command) -> None:
    """Set temporary points, or take some away."""
    words = list(command.words)
    who = meant(command, words.pop(0)) if words else None
    _set_temp(command, who, " ".join(words))


def change_own_temp(command: Command) -> None:
    """Set the temporary points of the typist's own character."""
    _set_temp(command, command.caster(), " ".join(command.words))


def _set_temp(command: Command, who: str | None, text: str) -> None:
    amount = _amount(command, text, who)
    if who is not None and amount is not None:
        now = command.teller.points(who).temp
        command.teller.set_temp(command.row, who, amount if amount >= 0 else max(now + amount, 0))


def take_sheet(command: Command) -> None:
    """Take the points that the character's sheet shows once a rest or a counter command is done."""
    sheet, who = command.row.body.get("caster"), command.caster()
    if who is None or not isinstance(sheet, dict):
        return
    hp, temp = whole(sheet.get("hp")), whole(sheet.get("temp_hp"))
    if hp is not None:
        command.teller.set_temp(command.row, who, max(temp or 0, 0))
        command.teller.set_hp(command.row, who, hp, command.said)
