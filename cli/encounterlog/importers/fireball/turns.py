"""Commands of turns and places: next, previous, go to, skip, reroll, and a combatant's options."""

import re

from encounterlog.importers.fireball.command import Command, meant, slot_titled
from encounterlog.importers.fireball.dice import read_roll, thrown
from encounterlog.importers.fireball.ledger import Event
from encounterlog.importers.fireball.rows import Row
from encounterlog.importers.fireball.words import clean, word


def _start_turn(command: Command, place: int, number: int | None = None) -> None:
    """Begin the turn of a slot, and before it a round where a number is given."""
    teller = command.teller
    if number is None and not teller.ledger.counts_rounds:
        number = teller.ledger.round  # the bot announces "round 0" for turns before the first one
    if number is not None:
        teller.say(command.row, {"type": "round_started", "round": number})
    members = teller.ledger.slots[place].members
    event: Event = {"type": "turn_started", "combatant": members[0]}
    teller.say(command.row, event | ({"together": members[1:]} if members[1:] else {}))


def take_next(command: Command) -> None:
    """Begin the next turn, and a new round behind the last one."""
    teller = command.teller
    ledger = teller.ledger
    if not ledger.slots:
        return
    now = ledger.place(ledger.turn)
    over = now is None or now + 1 >= len(ledger.slots)
    if over and now is not None:
        _reroll_lines(command, "New initiatives")
    if now is not None:
        _end_turn(command, now)
    _start_turn(command, 0 if over or now is None else now + 1, ledger.round + 1 if over else None)


def _end_turn(command: Command, place: int) -> None:
    for member in command.teller.ledger.slots[place].members:
        command.teller.say(command.row, {"type": "turn_ended", "combatant": member})


def take_previous(command: Command) -> None:
    """Go back a turn: the present one is struck where that leads to the one before."""
    teller = command.teller
    ledger = teller.ledger
    if not ledger.slots:
        return
    now = ledger.place(ledger.turn)
    place = len(ledger.slots) - 1 if not now else now - 1
    number = max(ledger.round - 1, 0) if now == 0 else ledger.round
    if not _take_back(command, place, number):
        _start_turn(command, place, number if number != ledger.round else None)


def _take_back(command: Command, place: int, number: int) -> bool:
    """Strike the present turn where that leads to the turn which the bot goes back to."""
    teller = command.teller
    if not teller.turns:
        return False
    since = teller.turns[-2] if len(teller.turns) > 1 else -1
    struck = [index for index in range(since + 1, teller.turns[-1] + 1) if _is_clock(teller.facts[index].event)]
    struck = [index for index in struck if index not in teller.struck]
    before = teller.without(set(struck))
    if before.round != number or before.turn is None or before.place(before.turn) != place:
        return False
    held = {(one.bearer, one.name) for one in teller.ledger.effects}
    teller.strike(command.row, struck, command.said)
    back = [one for one in teller.ledger.effects if (one.bearer, one.name) not in held]
    teller.end_effects(command.row, back, "had expired; going back does not renew it")
    return True


def recount(command: Command) -> None:
    """Set what is left of effects where the bot's count by places parts from a count of turns.

    Turns that begin in order tick the same by either count. Going back or elsewhere, skipping rounds and new places do
    not: the bot holds the round in which an effect ends.
    """
    ledger = command.teller.ledger
    values = {
        f"{effect.bearer}.effects.{effect.name}": left
        for effect in ledger.effects
        if (left := ledger.left_by_places(effect)) is not None and left != effect.left
    }
    if values:
        decision = "the rounds left of these effects go by places in the order"
        command.teller.rule(command.row, values, decision, command.said)


def _is_clock(event: Event) -> bool:
    return event["type"] in ("turn_started", "turn_ended", "round_started")


def go_to(command: Command) -> None:
    """Begin the turn of whoever is named, or of the first one at that initiative or below."""
    slots = command.teller.ledger.slots
    target = command.words[0] if command.words else None
    if not slots:
        return
    if target is not None and re.fullmatch(r"[-+]?\d{1,9}", target):
        place: int | None = next((at for at, slot in enumerate(slots) if slot.total <= int(target)), 0)
    elif target is not None:
        place = command.teller.ledger.place(meant(command, target))
    else:
        place = _first_own(command)
    if place is not None:
        _start_turn(command, place)


def _first_own(command: Command) -> int | None:
    author = str(command.row.body.get("author_id"))
    figures = command.screen.figures if command.screen else []
    own = next((one for one in figures if one.controller == author), None)
    return command.teller.ledger.place(command.teller.here(own.key)) if own else None


def skip_rounds(command: Command) -> None:
    """Let rounds pass, with the turn where it is."""
    ledger = command.teller.ledger
    number = int(command.words[0]) if command.words and re.fullmatch(r"\d{1,6}", command.words[0]) else 1
    now = ledger.place(ledger.turn)
    if now is None:
        command.teller.say(command.row, {"type": "round_started", "round": ledger.round + number})
    else:
        _start_turn(command, now, ledger.round + number)


def reroll(command: Command) -> None:
    """Take new initiative for everybody; nobody has the turn."""
    _reroll_lines(command, "Rerolled initiative")
    teller = command.teller
    number = 0 if "-restart" in command.words else teller.ledger.round
    if teller.ledger.turn is not None or number != teller.ledger.round:
        decision = "nobody has the turn: a new round is to begin"
        teller.rule(command.row, {"turn": "none", "round": number}, decision, command.said)
    if "-effects" in command.words:
        teller.end_effects(command.row, list(teller.ledger.effects), "removed with the new initiative")


def _reroll_lines(command: Command, heading: str) -> None:
    """Take the new initiative rolls from the bot's list of them."""
    for reply in command.replies:
        text = clean(reply.body["content"])
        if heading not in text:
            continue
        for line in text.split("\n"):
            found = re.match(r"(?P<roll>.*`-?\d+`): (?P<name>.+)$", line)
            who = slot_titled(command, found["name"]) if found else None
            if found and who:
                _tell_initiative(command, reply, who, found["roll"])
        return


def _tell_initiative(command: Command, reply: Row, members: list[str], printed: str) -> None:
    rolled = thrown(read_roll(printed))
    if "total" not in rolled:
        return
    event: Event = {"type": "initiative_rolled", "combatant": members[0]}
    event |= {"together": members[1:]} if members[1:] else {}
    bonus = sum(one["amount"] for one in rolled.pop("modifiers", []))
    event |= rolled | {"bonus": bonus}
    command.teller.say(command.row, event, reply)


def set_options(command: Command) -> None:
    """Change a name, a place in the order, or hit points."""
    teller = command.teller
    who = meant(command, command.words[0]) if command.words else None
    if who is None:
        return
    if (name := command.option("-name")) is not None:
        teller.rule(command.row, {f"{who}.name": word(name)}, f"{teller.name(who)} is now called so", command.said)
        teller.called[who] = name
    if (place := command.option("-p")) is not None and re.fullmatch(r"[-+]?\d{1,9}", place):
        _move_place(command, who, place)
    if (top := command.option("-max")) is not None and re.fullmatch(r"[-+]?\d{1,9}", top):
        base = teller.points(who).hp_max or 0 if top[0] in "+-" else 0
        teller.say(command.row, {"type": "sheet_changed", "combatant": who, "sheet": {"hp_max": base + int(top)}})
    if (points := command.option("-hp")) is not None and re.fullmatch(r"[-+]?\d{1,9}", points):
        base = teller.points(who).hp or 0 if points[0] in "+-" else 0
        teller.set_hp(command.row, who, base + int(points), command.said)


def _move_place(command: Command, who: str, text: str) -> None:
    slot = command.teller.ledger.slots[command.teller.ledger.place(who) or 0]
    total = int(text) + (slot.total if text[0] in "+-" else 0)
    event: Event = {"type": "initiative_rolled", "combatant": slot.members[0]}
    event |= {"together": slot.members[1:]} if slot.members[1:] else {}
    command.teller.say(command.row, event | {"total": total})
