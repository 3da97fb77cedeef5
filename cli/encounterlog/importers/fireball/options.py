"""The command that changes a combatant's name, place in the order, or hit points."""

import re

from encounterlog.importers.fireball.command import Command, all_meant
from encounterlog.importers.fireball.replies import reply_text
from encounterlog.importers.fireball.ties import break_all_ties, break_tie
from encounterlog.importers.fireball.words import clean, word
from encounterlog.importers.fireball.writer import Event

_SAID = {
    "name": r"name set to (.+)\.",
    "p": r"initiative set to (-?\d+) \(was .*\)\.",
    "group": r"(?:added to group (.+)|removed from all groups)\.",
    "max": r"HP max set to (-?\d+) \(was .*\)\.",
    "hp": r"HP set to (-?\d+) \(was .*\)\.",
}
"""The bot's words for a change of the value that an option names."""

_NUMBER = re.compile(r"[-+]?\d{1,9}")


def set_options(command: Command) -> None:
    """Change the name, place in the order, maximum or present hit points of one combatant or of a group."""
    members = all_meant(command, command.words[0]) if command.words else []
    for who in members:
        if who == members[0] and (place := _number(command, who, "p")) is not None:
            _move(command, who, place, alone=len(members) == 1)
        if (group := _changed(command, who, "group")) is not None:
            _change_group(command, who, group)
        if len(members) == 1 and (name := _changed(command, who, "name")) is not None:
            _rename(command, who, name)
        if (top := _number(command, who, "max")) is not None and top > 0:
            command.writer.add(command.row, {"type": "sheet_changed", "combatant": who, "sheet": {"hp_max": top}})
        if (points := _number(command, who, "hp")) is not None:
            noted = command.writer.note(command.row, command.said)
            command.writer.set_hp(command.row, who, points, command.said, cause=noted)


def _changed(command: Command, who: str, option: str) -> str | None:
    """Return the new value of an option: as the bot says, else as it was typed; None if it changed nothing.

    The bot answers in private for hidden combatants; then a typed value counts unless the bot never sets it so or the
    state contradicts it.
    """
    if command.outcome.reply is None:
        typed = command.options.last(option)
        return None if typed is None or _denied(command, who, option, typed) else clean(typed)
    called = "|".join(re.escape(one) for one in dict.fromkeys((command.writer.name(who), *_renamed(command))))
    pattern = rf"^\N{{WHITE HEAVY CHECK MARK}} (?:{called})(?:'s)? {_SAID[option]}$"
    found = re.search(pattern, reply_text(command.outcome.reply), re.MULTILINE)
    return (found.group(1) or "none") if found else None


def _denied(command: Command, who: str, option: str, typed: str) -> bool:
    """Say whether the bot refused an option: a place in one's own turn, a name that the state does not show."""
    shown = command.shown(who)
    if option == "p":
        return command.writer.fight.acting() == [who]
    return option == "name" and shown is not None and shown.name != clean(typed)


def _renamed(command: Command) -> list[str]:
    """List the new names that the command gave, which the rest of its answer uses."""
    typed = command.options.last("name")
    return [] if typed is None else [clean(typed)]


def _number(command: Command, who: str, option: str) -> int | None:
    """Return the number that an option was set to; a typed one with a sign is added to the present one."""
    text = _changed(command, who, option)
    if text is None or not _NUMBER.fullmatch(text):
        return None
    typed = command.outcome.reply is None and text[0] in "+-"
    return int(text) + (_there(command, who, option) if typed else 0)


def _there(command: Command, who: str, option: str) -> int:
    points = command.writer.points(who)
    held = {"hp": points.hp, "max": points.hp_max}
    return held[option] or 0 if option in held else command.writer.fight.initiative(who)


def _rename(command: Command, who: str, name: str) -> None:
    writer = command.writer
    writer.rule(command.row, {f"{who}.name": word(name)}, f"{writer.name(who)} was renamed", command.said)
    writer.called[who] = name


def _move(command: Command, who: str, total: int, *, alone: bool) -> None:
    """Give a combatant or a whole group a new initiative; a member's own counts only once it has left the group."""
    command.writer.own[who] = total
    if not alone or not _in_group(command, who):
        members = next(slot for slot in command.writer.fight.slots() if who in slot)
        _place(command, members, total, _bonus(command, members[0]))


def _in_group(command: Command, who: str) -> bool:
    shown = command.writer.shown
    return any(one.group and command.writer.here(one.key) == who for one in (shown.combatants if shown else []))


def _change_group(command: Command, who: str, group: str) -> None:
    """Put a combatant into an existing group, or out of its group, or into a new one with an initiative of its own.

    The bot places a new group while it is still empty, and so has no modifier.
    """
    writer = command.writer
    slots = writer.shown.slots if writer.shown else []
    titled = [one for slot in slots for one in slot if one.group.casefold() == group.casefold() != "none"]
    there = [found for one in titled if (found := writer.here(one.key)) and found != who]
    own = writer.own.get(who, writer.fight.initiative(who))
    acting, alone = writer.fight.acting(), group.casefold() == "none"
    if alone and command.snapshot:
        writer.take_modifiers(command.snapshot)
    if there:
        total, bonus = writer.fight.initiative(there[0]), writer.bonuses.get(writer.fight.roller(there[0]))
    else:
        total, bonus = own, _bonus(command, who) if alone else 0
    _place(command, [*there, who], total, bonus, last=not there)
    if acting[0:1] == [who] and acting[1:]:
        writer.rule(command.row, {"turn": acting[1]}, "the others keep the turn", command.said)


def _bonus(command: Command, who: str) -> int | None:
    """Return the initiative modifier that the state shows, else the one that was known before."""
    shown = command.shown(who)
    return command.writer.bonuses.get(who) if shown is None or shown.bonus is None else shown.bonus


def _place(command: Command, members: list[str], total: int, bonus: int | None, *, last: bool = False) -> None:
    """Record the initiative of combatants who act together; among ties they keep the place of the first, or come last."""
    writer = command.writer
    order = writer.fight.order()
    others = [who for who in order if who not in members]
    at = len(others) if last else sum(who not in members for who in order[: order.index(members[0])])
    event: Event = {"type": "initiative_rolled", "combatant": members[0]}
    event |= {"together": members[1:]} if members[1:] else {}
    writer.place(command.row, event | {"total": total})
    if bonus is not None:
        writer.bonuses[members[0]] = bonus
    break_tie(writer, command.row, total, [*others[:at], *members, *others[at:]])
    break_all_ties(writer, command.row)
