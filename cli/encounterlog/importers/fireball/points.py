"""Commands of hit points and temporary points, in the fight and on a character's own sheet."""

import re

from encounterlog.importers.fireball.command import Command, meant
from encounterlog.importers.fireball.replies import answered_points, reply_text
from encounterlog.importers.fireball.words import whole

_WAYS = ("mod", "set", "max")


def change_hp(command: Command) -> None:
    """Transcribe `init hp NAME AMOUNT`, also with mod, set or max between or before; nothing without a name that somebody has."""
    words = list(command.words)
    who = meant(command, words.pop(0)) if words else None
    if who is not None:
        _change_points(command, who, words)


def change_own_hp(command: Command) -> None:
    """Transcribe `game hp AMOUNT`, for the typist's own character."""
    if (who := command.caster()) is not None:
        _change_points(command, who, list(command.words))


def _change_points(command: Command, who: str, words: list[str]) -> None:
    way = words.pop(0) if words and words[0] in _WAYS else command.name.split()[-1]
    text = " ".join(words)
    noted = command.writer.note(command.row, command.said) if text or way == "max" else None
    amount = _amount(command, text, who, by=way not in ("set", "max"))
    if amount is not None or (way == "max" and not text):
        _take_amount(command, who, way, amount, noted)
    elif text:
        _take_shown(command, who)
    _take_answer(command, who, noted)


def _take_amount(command: Command, who: str, way: str, amount: int | None, noted: int | None) -> None:
    writer, row = command.writer, command.row
    points = writer.points(who)
    if amount is None:
        if points.hp_max is not None:
            writer.set_hp(row, who, points.hp_max, command.said, cause=noted)
    elif way == "max":
        sheet = {"hp_max": amount} | ({"hp": amount} if points.hp is None else {})
        writer.add(row, {"type": "sheet_changed", "combatant": who, "sheet": sheet})
    elif way == "set" or points.hp is None:
        writer.set_hp(row, who, amount, command.said, cause=noted)
    elif amount < 0:
        writer.hurt(row, who, -amount, cause=noted)
    else:
        writer.set_hp(row, who, points.hp + amount, command.said, cause=noted)


def _amount(command: Command, text: str, who: str, *, by: bool = False) -> int | None:
    """Take a bare number, else the total of the roll that the bot prints when it answers for this combatant.

    Without dice the bot prints the change of the points, which is the amount of a change `by` that much.
    """
    bare = re.sub(r"^([-+])\s+", r"\1", re.sub(r"\[[^\]]*\]", "", text).strip())
    if re.fullmatch(r"[-+]?\d{1,15}", bare):
        return int(bare)
    printed = rf"=\s*`(?P<total>-?\d{{1,15}})`\)*{r'|[(](?P<change>[-+][0-9]{1,15})[)]' if by else ''}"
    answer = re.compile(rf"^{re.escape(command.writer.name(who))}:? [-<0-9].*(?:{printed})\s*$", re.MULTILINE)
    found = next((one for reply in command.answers if bare and (one := answer.search(reply_text(reply)))), None)
    return None if found is None else int(next(filter(None, found.groups())))


def _take_answer(command: Command, who: str, noted: int | None = None) -> None:
    """Take the points from the bot's answer, if the command gives different ones."""
    answered = answered_points(command.answers, command.writer.name(who))
    if answered is not None:
        said, reply = answered
        command.writer.mend_points(command.row, who, said.hp, said.temp or 0, reply, noted)


def _take_shown(command: Command, who: str) -> None:
    """Take the points from the state, after a roll that the recording does not show."""
    shown = command.shown(who)
    if shown is not None and answered_points(command.answers, command.writer.name(who)) is None:
        command.writer.mend_points(command.row, who, shown.hp, shown.temp, command.row)


def change_temp(command: Command) -> None:
    """Set temporary points, or take some away."""
    words = list(command.words)
    who = meant(command, words.pop(0)) if words else None
    _set_temp(command, who, " ".join(words))


def change_own_temp(command: Command) -> None:
    """Set the temporary points of the typist's own character."""
    _set_temp(command, command.caster(), " ".join(command.words))


def _set_temp(command: Command, who: str | None, text: str) -> None:
    amount = _amount(command, text, who) if who else None
    if who is not None and amount is not None:
        now = command.writer.points(who).temp
        command.writer.set_temp(command.row, who, amount if amount >= 0 else max(now + amount, 0))


def take_sheet(command: Command) -> None:
    """Take the points that the character's sheet shows once a rest is done."""
    sheet, who = command.row.body.get("caster"), command.caster()
    if who is None or not isinstance(sheet, dict):
        return
    hp, temp = whole(sheet.get("hp")), whole(sheet.get("temp_hp"))
    if hp is not None:
        noted = command.writer.acts.get(command.outcome.reply.line) if command.outcome.reply else None
        command.writer.set_temp(command.row, who, max(temp or 0, 0))
        command.writer.set_hp(command.row, who, hp, command.said, cause=noted)
