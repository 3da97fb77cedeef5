"""The commands that make facts: of effects, counters, options, points and turns."""

import re
from collections.abc import Callable
from functools import partial

from encounterlog.importers.words import as_object, list_objects, make_word, normalize_text, parse_whole_number
from encounterlog.importers.writing import initiative_event
from encounterlog_avrae.command import Command, Options, find_meant
from encounterlog_avrae.printed import read_roll
from encounterlog_avrae.replies import CLOCK, answered_points, counts_in, embeds, reply_text
from encounterlog_avrae.snapshots import ShownCombatant
from encounterlog_avrae.writer import CLOCK_FACTS, event_of_members
from projections.mechanics.conditions import Effect


def start_effect(command: Command) -> None:
    """Begin the effect that a command names as the state shows it, on all who are named and do not have one of that name."""
    words, writer = command.words, command.writer
    if len(words) < 2:
        return
    targets = [words[0], *Options(words[2:]).values_of("t")]
    for who in dict.fromkeys(found for one in targets for found in find_meant(command, one)):
        shown = command.find_shown(who)
        effect = next((one for one in shown.effects if one.name == normalize_text(words[1])), None) if shown else None
        if effect and make_word(effect.name).casefold() not in [one.name.casefold() for one in writer.fight.on(who)]:
            writer.start_effect(command.row, who, effect, None)


def end_effect(command: Command) -> None:
    """End the effects named, or all, unless the state still shows them: the bot asks before it removes, and people may say no."""
    words = command.words
    for who in find_meant(command, words[0]) if words else []:
        held, shown = command.writer.fight.on(who), command.find_shown(who)
        if words[1:]:
            wanted = make_word(words[1]).casefold()
            exact = [one for one in held if one.name.casefold() == wanted]
            held = exact or [one for one in held if wanted in one.name.casefold()]
        still = {make_word(one.name) for one in shown.effects} if shown else set()
        command.writer.end_effects(command.row, [one for one in held if one.name not in still], command.said)


COUNTING = frozenset({"customcounter", "game spellslot"})
"""The commands that count something up or down, if the bot's answer gives the change."""


def transcribe_counter(command: Command) -> None:
    """Add the change by a counting command, from the bot's last message before the command ended."""
    who = command.find_caster()
    answers = [row for row in command.span if row.by_bot and row.line < command.row.line]
    if who is None or not answers:
        return
    for embed in embeds(answers[-1]):
        titled = [(one.get("name"), one.get("value")) for one in list_objects(embed.get("fields"))]
        for title, text in [("", embed.get("description")), *titled]:
            counts = counts_in(normalize_text(str(text)), str(title))
            if count := next((one for one in counts if one.change), None):
                command.writer.use(answers[-1], who, count.resource, count.change, count.left, None)


def set_options(command: Command) -> None:
    """Change the name, place in the order, maximum or present hit points of one combatant or of a group to what the state shows."""
    writer, options = command.writer, Options(command.words)
    members = find_meant(command, command.words[0]) if command.words else []
    groups = {writer.here(one.key): one.group for one in writer.seen.shown.combatants} if writer.seen.shown else {}
    for who in members:
        shown, points, alone = command.find_shown(who), writer.fight.points(who), len(members) == 1
        if shown is None:
            continue
        if "group" in options and (shown.group or groups.get(who)):
            _change_group(command, who, shown)
        elif "p" in options and shown.initiative != writer.fight.initiative(who):
            slot = next(slot for slot in writer.fight.slots() if who in slot)
            _record_place(command, slot, shown.initiative)
        if alone and "name" in options and shown.name != writer.name(who):
            values = {f"{who}.name": make_word(shown.name)}
            writer.rule(command.row, values, f"{writer.name(who)} was renamed", command.said)
            writer.called[who] = shown.name
        if "max" in options and shown.hp_max and shown.hp_max != points.hp_max:
            writer.add(command.row, {"type": "sheet_changed", "combatant": who, "sheet": {"hp_max": shown.hp_max}})
        if "hp" in options and shown.hp is not None and shown.hp != points.hp:
            noted = writer.note(command.row, command.said)
            writer.set_hp(command.row, who, shown.hp, command.said, cause=noted)
    writer.settle_ties(command.row, command.snapshot)  # who gets the same initiative again may go behind others


def _change_group(command: Command, who: str, shown: ShownCombatant) -> None:
    """Put a combatant into an existing group, or out of its group, or into a new one with an initiative of its own."""
    writer, acting = command.writer, command.writer.fight.acting()
    listed = writer.seen.shown.combatants if shown.group and writer.seen.shown else []
    there = [found for one in listed if one.group == shown.group and (found := writer.here(one.key)) not in (None, who)]
    _record_place(command, [*there, who], writer.fight.initiative(there[0]) if there else shown.own)
    if acting[0:1] == [who] and acting[1:]:
        writer.rule(command.row, {"turn": acting[1]}, "the others keep the turn", command.said)


def _record_place(command: Command, members: list[str], total: int) -> None:
    """Record the initiative of combatants who act together."""
    command.writer.place(command.row, event_of_members("initiative_rolled", members) | {"total": total})
    command.writer.settle_ties(command.row, command.snapshot)


def _named_first(command: Command) -> tuple[str | None, list[str]]:
    """Return the combatant whom the command is about, and the words after the name; `game` commands are about the typist's own."""
    words = command.words
    if command.name.startswith("game "):
        return command.find_caster(), words
    return next(iter(find_meant(command, words[0])), None) if words else None, words[1:]


def change_hp(command: Command) -> None:
    """Transcribe `init hp NAME AMOUNT`, or `game hp AMOUNT`, also with mod, set or max between or before; nothing without a name that somebody has."""
    who, words = _named_first(command)
    if who is None:
        return
    writer, row = command.writer, command.row
    way = words.pop(0) if words and words[0] in ("mod", "set", "max") else command.name.split()[-1]
    text = " ".join(words)
    noted = writer.note(row, command.said) if text or way == "max" else None
    amount = _read_amount(command, text, who, by=way not in ("set", "max"))
    answered, shown = answered_points(command.answers, writer.name(who)), command.find_shown(who)
    points = writer.fight.points(who)
    if way == "max" and not text and points.hp_max is not None:
        writer.set_hp(row, who, points.hp_max, command.said, cause=noted)
    elif way == "max" and amount is not None:
        sheet = {"hp_max": amount} | ({"hp": amount} if points.hp is None else {})
        writer.add(row, {"type": "sheet_changed", "combatant": who, "sheet": sheet})
    elif amount is not None and amount < 0 and way != "set" and points.hp is not None:
        writer.hurt(row, who, -amount, cause=noted)
    elif amount is not None:
        writer.set_hp(row, who, amount + (0 if way == "set" else points.hp or 0), command.said, cause=noted)
    elif text and shown is not None and answered is None:  # a roll that the recording does not show
        writer.mend_points(row, who, shown.hp, shown.temp, row)
    if answered is not None:  # and gives different points than the command
        said, reply = answered
        writer.mend_points(row, who, said.hp, said.temp or 0, reply, noted)


def _read_amount(command: Command, text: str, who: str, *, by: bool = False) -> int | None:
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


def change_temp(command: Command) -> None:
    """Set temporary points, or take some away."""
    who, words = _named_first(command)
    amount = _read_amount(command, " ".join(words), who) if who else None
    if who is not None and amount is not None:
        now = command.writer.fight.points(who).temp
        command.writer.set_temp(command.row, who, amount if amount >= 0 else max(now + amount, 0))


def take_sheet(command: Command) -> None:
    """Take the points that the character's sheet shows once a rest is done."""
    sheet, who, reply = as_object(command.row.body.get("caster")), command.find_caster(), command.outcome.reply
    hp, temp = parse_whole_number(sheet.get("hp")), parse_whole_number(sheet.get("temp_hp"))
    if who is not None and hp is not None:
        noted = command.writer.seen.acts.get(reply.line) if reply else None
        command.writer.set_temp(command.row, who, max(temp or 0, 0))
        command.writer.set_hp(command.row, who, hp, command.said, cause=noted)


def _start_turn(command: Command, *, in_turn: bool = True) -> None:
    """Begin the turn to which a command has led, and its round unless that goes on; a turn out of order ends no effects."""
    writer = command.writer
    members, number = command.clock
    if number is None or not members:
        return
    place = writer.fight.place(members[0])
    if not in_turn:
        writer.hold_effects(command.row, command.said, members)
    new = number != writer.fight.round or not writer.fight.counts_rounds  # the bot has "round 0" before the first turn
    if new:
        writer.start_round(command.row, number)
    writer.permit_turn(command.row, members, command.said, in_turn=in_turn and (not new or not place))
    writer.add(command.row, event_of_members("turn_started", members))


def begin_next_turn(command: Command) -> None:
    """Begin the next turn, with a new round after the last one, for which all may roll anew."""
    _reroll_lines(command, "New initiatives")
    command.writer.end_turn(command.row)
    _start_turn(command)


def take_previous(command: Command) -> None:
    """Go back a turn: the present one is struck if that leads to the one before."""
    turns = command.writer.turns()
    last = range((turns[-2] if len(turns) > 1 else -1) + 1, turns[-1] + 1) if turns else range(0)
    if not _set_back(command, last):
        _start_turn(command, in_turn=False)


def _set_back(command: Command, recent: range) -> bool:
    """Strike what the clock did in these facts if that leads to the turn to which the command has led; say whether it does."""
    writer, row = command.writer, command.row
    clock = [index for index in recent if writer.facts[index].event["type"] in CLOCK_FACTS]
    struck = [index for index in clock if index not in writer.struck]
    before = writer.fight.without(struck)
    members, number = command.clock
    if before.turn not in members or before.round != number:
        return False
    held = {(one.bearer, one.name) for one in writer.fight.effects()}
    writer.strike(row, struck, command.said)
    back = [one for one in writer.fight.effects() if (one.bearer, one.name) not in held]
    writer.end_effects(row, back, "had expired; going back does not renew it")
    return True


def skip_rounds(command: Command) -> None:
    """Skip rounds, leaving the turn where it is, unless all roll anew."""
    if _reroll_lines(command, "New initiatives"):
        command.writer.end_turn(command.row)
    members, number = command.clock
    if members:
        _start_turn(command)
    elif number is not None:
        command.writer.start_round(command.row, number)


def record_reroll(command: Command) -> None:
    """Record new initiative for everybody; nobody has the turn."""
    writer, options = command.writer, Options(command.words)
    writer.hold_effects(command.row, command.said, [])
    writer.end_turn(command.row)
    _reroll_lines(command, "Rerolled initiative")
    if "restart" in options and writer.fight.round:
        writer.rule(command.row, {"round": 0}, "rounds are counted from the beginning again", command.said)
    if "effects" in options:
        writer.end_effects(command.row, writer.fight.effects(), "removed with the new initiative")


def _reroll_lines(command: Command, heading: str) -> bool:
    """Take the new initiative rolls from the bot's list of them; say whether there is one."""
    writer = command.writer
    reply = next((reply for reply in command.answers if heading in reply_text(reply)), None)
    if reply is None:
        return False
    for line in reply_text(reply).split("\n"):
        found = re.match(r"(?P<roll>.*`-?\d+`): (?P<name>.+)$", line)
        new = initiative_event(read_roll(found["roll"])) if found else {}
        meant = find_meant(command, found["name"]) if found and "total" in new else []
        for members in [slot for slot in writer.fight.slots() if meant[:1] and meant[0] in slot]:
            new |= {"bonus": new.get("bonus", 0)}
            writer.place(command.row, event_of_members("initiative_rolled", members) | new, reply)
    writer.settle_ties(command.row, command.snapshot)
    return True


COMMANDS: dict[str, Callable[[Command], None]] = {
    "init next": begin_next_turn,
    "init prev": take_previous,
    "init move": partial(_start_turn, in_turn=False),
    "init skipround": skip_rounds,
    "init reroll": record_reroll,
    "init opt": set_options,
    "init effect": start_effect,
    "init re": end_effect,
    **dict.fromkeys(("game longrest", "game shortrest"), take_sheet),
    **{f"{group} thp": change_temp for group in ("init", "game")},
    **{f"{group} hp{way}": change_hp for group in ("init", "game") for way in ("", " mod", " set", " max")},
}

SHEET_COMMANDS = frozenset({"update", "customcounter", "game"})
"""The first words of commands that change a character's own sheet, counters and points, outside the fight."""


def transcribe_command(command: Command) -> None:
    """Add the facts of one command; for one that the bot refused or never answered, only a note."""
    said, outcome = normalize_text(command.row.body["content"])[:200], command.outcome
    if outcome.verdict == "refused":
        reply = [outcome.reply] if outcome.reply else []
        command.writer.note(command.row, f"refused: {said} ({outcome.says})", *reply)
    elif outcome.verdict == "tried":
        command.writer.note(command.row, f"tried, with no answer on record: {said}")
    else:
        COMMANDS[command.name](command)
        if command.name in CLOCK or command.name == "init opt":  # which moves places
            command.writer.recount(command.row, command.said, partial(_rest, command))


def _rest(command: Command, effect: Effect) -> int | None:
    """Return the rounds left of an effect by the state, 0 if it is over; None if nobody counts them, or if counting by places
    does not explain the difference: it is of one round at most while turns follow each other.
    """
    bearer, held = command.find_shown(effect.bearer), command.writer.fight.left(effect)
    if bearer is None or held is None:
        return None
    left = next((one.rest for one in bearer.effects if make_word(one.name) == effect.name), 0)
    return None if left is None or (command.name in ("init next", "init opt") and abs(left - held) > 1) else left
