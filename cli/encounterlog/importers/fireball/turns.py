"""Commands of turns: next, previous, go to, skip, reroll."""

import re

from encounterlog.importers.fireball.command import Command, meant, slot_titled
from encounterlog.importers.fireball.dice import read_roll, thrown
from encounterlog.importers.fireball.replies import reply_text
from encounterlog.importers.fireball.rows import SourceRow
from encounterlog.importers.fireball.ties import break_tie
from encounterlog.importers.fireball.writer import CLOCK_FACTS, Event, Writer


def _start_turn(command: Command, place: int, number: int | None = None, *, in_turn: bool = True) -> None:
    """Begin the turn of a slot, after a round if a number is given; a turn out of order ends no effects."""
    writer = command.writer
    if not in_turn:
        writer.hold_effects(command.row, command.said, writer.fight.slots()[place])
    if number is None and not writer.fight.counts_rounds:
        number = writer.fight.round  # the bot announces "round 0" for turns before the first one
    members = writer.fight.slots()[place]
    if number is not None:
        writer.start_round(command.row, number)
    writer.permit_turn(command.row, members, command.said, in_turn=in_turn and (number is None or not place))
    event: Event = {"type": "turn_started", "combatant": members[0]}
    writer.add(command.row, event | ({"together": members[1:]} if members[1:] else {}))


def take_next(command: Command) -> None:
    """Begin the next turn, with a new round after the last one."""
    fight = command.writer.fight
    count = len(fight.slots())
    if not count:
        return
    now, number = fight.place(fight.turn), fight.round
    over = now is None or now + 1 >= count
    if over and now is not None:
        _reroll_lines(command, "New initiatives")
    for member in fight.acting():
        command.writer.add(command.row, {"type": "turn_ended", "combatant": member})
    _start_turn(command, 0 if over or now is None else now + 1, number + 1 if over else None)


def take_previous(command: Command) -> None:
    """Go back a turn: the present one is struck if that leads to the one before."""
    fight = command.writer.fight
    if not fight.slots():
        return
    now = fight.place(fight.turn)
    place = len(fight.slots()) - 1 if not now else now - 1
    number = max(fight.round - 1, 0) if now == 0 else fight.round
    if not _take_back(command, place, number):
        _start_turn(command, place, number if number != fight.round else None, in_turn=False)


def _take_back(command: Command, place: int, number: int) -> bool:
    """Strike the present turn if that leads to the turn to which the bot goes back."""
    turns = command.writer.turns
    if not turns:
        return False
    since = turns[-2] if len(turns) > 1 else -1
    return set_back(command.writer, command.row, range(since + 1, turns[-1] + 1), (place, number), command.said)


def set_back(writer: Writer, row: SourceRow, recent: range, to: tuple[int, int], why: str) -> bool:
    """Strike what the clock did in these facts if that leads to the turn of a place in a round; say whether it does."""
    clock = [index for index in recent if writer.facts[index].event["type"] in CLOCK_FACTS]
    struck = [index for index in clock if index not in writer.struck]
    before = writer.without(set(struck))
    if before.turn is None or (before.place(before.turn), before.round) != to:
        return False
    held = {(one.bearer, one.name) for one in writer.fight.effects()}
    writer.strike(row, struck, why)
    back = [one for one in writer.fight.effects() if (one.bearer, one.name) not in held]
    writer.end_effects(row, back, "had expired; going back does not renew it")
    return True


def go_to(command: Command) -> None:
    """Begin the turn of the combatant named, or of the first one at that initiative or below."""
    slots = command.writer.fight.slots()
    target = command.words[0] if command.words else None
    if not slots:
        return
    if target is not None and re.fullmatch(r"[-+]?\d{1,9}", target):
        place: int | None = next(
            (at for at, slot in enumerate(slots) if command.writer.fight.initiative(slot[0]) <= int(target)), 0
        )
    elif target is not None:
        place = command.writer.fight.place(meant(command, target))
    else:
        place = _first_own(command)
    if place is not None:
        _start_turn(command, place, in_turn=False)


def _first_own(command: Command) -> int | None:
    author = str(command.row.body.get("author_id"))
    shown = command.snapshot.combatants if command.snapshot else []
    own = next((one for one in shown if one.controller == author), None)
    return command.writer.fight.place(command.writer.here(own.key)) if own else None


def skip_rounds(command: Command) -> None:
    """Skip rounds, leaving the turn where it is."""
    fight = command.writer.fight
    number = int(command.words[0]) if command.words and re.fullmatch(r"\d{1,6}", command.words[0]) else 1
    now, rolled = fight.place(fight.turn), _rolls(command, "New initiatives")
    for member in fight.acting() if rolled else []:
        command.writer.add(command.row, {"type": "turn_ended", "combatant": member})
    _reroll_lines(command, "New initiatives")
    if now is None or rolled:
        command.writer.start_round(command.row, fight.round + number)
    else:
        _start_turn(command, now, fight.round + number)


def reroll(command: Command) -> None:
    """Record new initiative for everybody; nobody has the turn."""
    writer, options = command.writer, command.options
    writer.hold_effects(command.row, command.said, [])
    for member in writer.fight.acting():
        writer.add(command.row, {"type": "turn_ended", "combatant": member})
    _reroll_lines(command, "Rerolled initiative")
    if "restart" in options and writer.fight.round:
        writer.rule(command.row, {"round": 0}, "rounds are counted from the beginning again", command.said)
    if "effects" in options:
        writer.end_effects(command.row, writer.fight.effects(), "removed with the new initiative")


def _reroll_lines(command: Command, heading: str) -> None:
    """Take the new initiative rolls from the bot's list of them."""
    reply = _rolls(command, heading)
    before = list(command.writer.fight.order())
    for line in reply_text(reply).split("\n") if reply else []:
        found = re.match(r"(?P<roll>.*`-?\d+`): (?P<name>.+)$", line)
        who = slot_titled(command, found["name"]) if found else None
        if reply and found and who:
            _add_initiative(command, reply, who, found["roll"])
    for total in dict.fromkeys(map(command.writer.fight.initiative, before)) if reply else ():
        break_tie(command.writer, command.row, total, before)


def _rolls(command: Command, heading: str) -> SourceRow | None:
    """Find the answer that lists new initiative rolls under this heading."""
    return next((reply for reply in command.answers if heading in reply_text(reply)), None)


def _add_initiative(command: Command, reply: SourceRow, members: list[str], printed: str) -> None:
    rolled = thrown(read_roll(printed))
    if "total" not in rolled:
        return
    event: Event = {"type": "initiative_rolled", "combatant": members[0]}
    event |= {"together": members[1:]} if members[1:] else {}
    bonus = sum(one["amount"] for one in rolled.pop("modifiers", []))
    event |= rolled | {"bonus": bonus}
    command.writer.bonuses[members[0]] = bonus
    command.writer.place(command.row, event, reply)
