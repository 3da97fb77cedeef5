"""The commands that make facts: of effects, counters, options, points and turns."""

import re
from collections.abc import Callable
from functools import partial

from encounterlog.importers.words import as_object, list_objects, make_word, normalize_text, parse_whole_number
from encounterlog.importers.writing import initiative_event
from encounterlog_avrae.command import Command, Options, find_all_meant, find_meant, find_slot
from encounterlog_avrae.printed import after_name, read_roll
from encounterlog_avrae.replies import answered_points, embeds, fields, reply_text, title_of
from encounterlog_avrae.rows import SourceRow
from encounterlog_avrae.snapshots import ShownEffect
from encounterlog_avrae.writer import CLOCK_FACTS, Writer, break_all_ties, break_tie, event_of_members
from projections.mechanics.conditions import Effect


def start_effect(command: Command) -> None:
    """Begin an effect as typed, on all who are named and do not have one of that name."""
    words = command.words
    if len(words) < 2:
        return
    options = Options(words[2:])
    targets = [words[0], *options.values_of("t")]
    for who in dict.fromkeys(found for one in targets for found in find_all_meant(command, one)):
        if (reply := command.outcome.reply) is not None:  # it says whether the bot left an effect as it was
            own = [text for embed in embeds(reply) for text in fields(embed, command.writer.name(who))]
            was_there = "Effect already exists." in (own or reply_text(reply).split("\n"))
        else:
            running = [one.name.casefold() for one in command.writer.fight.on(who)]
            was_there = make_word(words[1]).casefold() in running
        if not was_there:
            command.writer.start_effect(command.row, who, _typed_effect(command, options, words[1], who), None)


def _typed_effect(command: Command, options: Options, name: str, who: str) -> ShownEffect:
    duration = options.last_value("dur")
    seen = command.find_shown(who)  # with the bot's own data of the effect, for later commands
    shown = next((one for one in seen.effects if one.name == normalize_text(name)), None) if seen else None
    above, _, effect = (options.last_value("parent") or "").partition("|")  # typed as COMBATANT|EFFECT
    bearer = find_meant(command, above) if effect and not shown else None
    held = command.writer.fight.on(bearer) if bearer else []
    key = next((command.writer.key_of(one) for one in held if effect.casefold() in one.name.casefold()), "")
    return ShownEffect(
        key=shown.key if shown else f"{command.row.line} {who} {name}",
        name=normalize_text(name),
        bearer=who,
        duration=int(duration) if duration is not None and re.fullmatch(r"\d{1,9}", duration) else None,
        at_end="end" in options,
        concentration="conc" in options,
        parent=shown.parent if shown else key,
    )


def end_effect(command: Command) -> None:
    """End the effects named, or all, as far as the bot says so; it asks before it removes, and people may say no."""
    words = command.words
    for who in find_all_meant(command, words[0]) if words else []:
        named = words[1] if len(words) > 1 else ""
        removed = _effects_removed(command, who) if command.outcome.reply else _effects_not_shown(command, who, named)
        command.writer.end_effects(command.row, removed, command.said)


def _effects_removed(command: Command, who: str) -> list[Effect]:
    """List the effects on a combatant that the answer says were removed."""
    held, name = command.writer.fight.on(who), re.escape(command.writer.name(who))
    text = reply_text(command.outcome.reply) if command.outcome.reply else ""
    if re.search(rf"^All effects removed from {name}\.$", text, re.MULTILINE):
        return held
    gone = re.findall(rf"^Effect (.+) removed from {name}\.$", text, re.MULTILINE)
    return [one for one in held if one.name.casefold() in [make_word(each).casefold() for each in gone]]


def _effects_not_shown(command: Command, who: str, named: str) -> list[Effect]:
    """List the effects that a command without an answer names and the state after it lacks."""
    held, wanted = command.writer.fight.on(who), make_word(named).casefold()
    if named:
        exact = [one for one in held if one.name.casefold() == wanted]
        held = exact or [one for one in held if wanted in one.name.casefold()][:1]
    shown = command.find_shown(who)
    still = {make_word(one.name) for one in shown.effects} if shown else set()
    return [one for one in held if one.name not in still]


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
    who = command.find_caster()
    answers = [row for row in command.span if row.by_bot and row.line < command.row.line]
    if who is None or not answers:
        return
    for embed in embeds(answers[-1]):
        slots = _SLOT.finditer(normalize_text(str(embed.get("description", ""))))
        others = [
            (one, _COUNTED.search(normalize_text(str(one.get("value", "")))))
            for one in list_objects(embed.get("fields"))
        ]
        counted = [(_slot(one), one) for one in slots]
        for resource, one in [*counted, *((make_word(field.get("name")), found) for field, found in others if found)]:
            if change := int(one["change"]):
                command.writer.use(answers[-1], who, resource, change, _left(one), None)


def _slot(found: re.Match[str]) -> str:
    return f"level {found['level']} spell slot"


def _left(found: re.Match[str]) -> int:
    marks = found["marks"]
    return sum(mark in FULL for mark in marks) if marks else int(found["left"])


def transcribe_rest(writer: Writer, row: SourceRow) -> None:
    """Add a rest that the bot announces, with the points and counters that it gives back, as far as it is known what was left."""
    for embed in embeds(row):
        said = ((one, after_name(title_of(embed), writer.name(one))) for one in writer.fight.order())
        who, does = next(((one, words) for one, words in said if words is not None), ("", ""))
        rest = _REST.match(does)
        if rest is None:
            continue
        noted = writer.note(row, f"{writer.name(who)} takes a {rest['kind'].casefold()} rest")
        writer.seen.acts[row.line] = noted
        for text in fields(embed, "Hit Points"):
            if points := _POINTS.match(text):
                writer.set_hp(row, who, int(points["hp"]), "a rest", cause=noted)
        slots = [one for text in fields(embed, "Spell Slots") for one in _SLOT.finditer(text)]
        others = [one for text in fields(embed, "Reset Counters") for one in _RESET.finditer(text)]
        for resource, one in [(_slot(one), one) for one in slots] + [(make_word(one["name"]), one) for one in others]:
            held, left = writer.fight.left_of(who, resource), _left(one)
            if held is not None and held != left:
                writer.use(row, who, resource, left - held, left, noted)


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
    writer, members = command.writer, find_all_meant(command, command.words[0]) if command.words else []
    for who in members:
        if who == members[0] and (place := _new_number(command, who, "p")) is not None:
            _move_initiative(command, who, place, alone=len(members) == 1)
        if (group := _new_value(command, who, "group")) is not None:
            _change_group(command, who, group)
        if len(members) == 1 and (name := _new_value(command, who, "name")) is not None:
            writer.rule(command.row, {f"{who}.name": make_word(name)}, f"{writer.name(who)} was renamed", command.said)
            writer.called[who] = name
        if (top := _new_number(command, who, "max")) is not None and top > 0:
            writer.add(command.row, {"type": "sheet_changed", "combatant": who, "sheet": {"hp_max": top}})
        if (points := _new_number(command, who, "hp")) is not None:
            noted = writer.note(command.row, command.said)
            writer.set_hp(command.row, who, points, command.said, cause=noted)


def _new_value(command: Command, who: str, option: str) -> str | None:
    """Return the new value of an option: as the bot says, else as it was typed; None if it changed nothing.

    The bot answers in private for hidden combatants; then a typed value counts unless the bot never sets it so (a place in
    one's own turn) or the state contradicts it (another name).
    """
    typed, renamed = command.options.last_value(option), command.options.last_value("name")
    if command.outcome.reply is None:
        shown = command.find_shown(who)
        if typed is None or (option == "p" and command.writer.fight.acting() == [who]):
            return None
        return (
            None
            if option == "name" and shown is not None and shown.name != normalize_text(typed)
            else normalize_text(typed)
        )
    names = [command.writer.name(who)] if renamed is None else [command.writer.name(who), normalize_text(renamed)]
    called = "|".join(map(re.escape, dict.fromkeys(names)))
    pattern = rf"^\N{{WHITE HEAVY CHECK MARK}} (?:{called})(?:'s)? {_SAID[option]}$"
    found = re.search(pattern, reply_text(command.outcome.reply), re.MULTILINE)
    return (found.group(1) or "none") if found else None


def _new_number(command: Command, who: str, option: str) -> int | None:
    """Return the number that an option was set to; a typed one with a sign is added to the present one."""
    text = _new_value(command, who, option)
    if text is None or not _NUMBER.fullmatch(text):
        return None
    if command.outcome.reply is not None or text[0] not in "+-":
        return int(text)
    points, total = command.writer.fight.points(who), command.writer.fight.initiative(who)
    return int(text) + ({"hp": points.hp, "max": points.hp_max, "p": total}[option] or 0)


def _move_initiative(command: Command, who: str, total: int, *, alone: bool) -> None:
    """Give a combatant or a whole group a new initiative; a member's own counts only once it has left the group."""
    writer, shown = command.writer, command.writer.seen.shown
    writer.seen.own[who] = total
    grouped = [one.key for one in shown.combatants if one.group] if shown else []
    if not alone or who not in map(writer.here, grouped):
        members = next(slot for slot in writer.fight.slots() if who in slot)
        _record_place(command, members, total, _bonus(command, members[0]))


def _change_group(command: Command, who: str, group: str) -> None:
    """Put a combatant into an existing group, or out of its group, or into a new one with an initiative of its own.

    The bot places a new group while it is still empty, and so has no modifier.
    """
    writer = command.writer
    slots = writer.seen.shown.slots if writer.seen.shown else []
    titled = [one for slot in slots for one in slot if one.group.casefold() == group.casefold() != "none"]
    there = [found for one in titled if (found := writer.here(one.key)) and found != who]
    own = writer.seen.own.get(who, writer.fight.initiative(who))
    acting, alone = writer.fight.acting(), group.casefold() == "none"
    if alone and command.snapshot:
        writer.take_modifiers(command.snapshot)
    if there:
        total, bonus = writer.fight.initiative(there[0]), writer.seen.bonuses.get(writer.fight.roller(there[0]))
    else:
        total, bonus = own, _bonus(command, who) if alone else 0
    _record_place(command, [*there, who], total, bonus, last=not there)
    if acting[0:1] == [who] and acting[1:]:
        writer.rule(command.row, {"turn": acting[1]}, "the others keep the turn", command.said)


def _bonus(command: Command, who: str) -> int | None:
    """Return the initiative modifier that the state shows, else the one that was known before."""
    shown = command.find_shown(who)
    return command.writer.seen.bonuses.get(who) if shown is None or shown.bonus is None else shown.bonus


def _record_place(command: Command, members: list[str], total: int, bonus: int | None, *, last: bool = False) -> None:
    """Record the initiative of combatants who act together; among ties they keep the place of the first, or come last."""
    writer, order = command.writer, command.writer.fight.order()
    others = [who for who in order if who not in members]
    at = len(others) if last else sum(who not in members for who in order[: order.index(members[0])])
    writer.place(command.row, event_of_members("initiative_rolled", members) | {"total": total})
    if bonus is not None:
        writer.seen.bonuses[members[0]] = bonus
    break_tie(writer, command.row, total, [*others[:at], *members, *others[at:]])
    break_all_ties(writer, command.row)


def _named_first(command: Command) -> tuple[str | None, list[str]]:
    """Return the combatant whom the command is about, and the words after the name; `game` commands are about the typist's own."""
    words = command.words
    if command.name.startswith("game "):
        return command.find_caster(), words
    return find_meant(command, words[0]) if words else None, words[1:]


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
    if amount is not None or (way == "max" and not text):
        _take_amount(command, who, way, amount, noted)
    elif text and shown is not None and answered is None:  # a roll that the recording does not show
        writer.mend_points(row, who, shown.hp, shown.temp, row)
    if answered is not None:  # and gives different points than the command
        said, reply = answered
        writer.mend_points(row, who, said.hp, said.temp or 0, reply, noted)


def _take_amount(command: Command, who: str, way: str, amount: int | None, noted: int | None) -> None:
    writer, row, points = command.writer, command.row, command.writer.fight.points(who)
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


def _start_turn(command: Command, place: int, number: int | None = None, *, in_turn: bool = True) -> None:
    """Begin the turn of a slot, after a round if a number is given; a turn out of order ends no effects."""
    writer, members = command.writer, command.writer.fight.slots()[place]
    if not in_turn:
        writer.hold_effects(command.row, command.said, members)
    if number is None and not writer.fight.counts_rounds:
        number = writer.fight.round  # the bot announces "round 0" for turns before the first one
    if number is not None:
        writer.start_round(command.row, number)
    writer.permit_turn(command.row, members, command.said, in_turn=in_turn and (number is None or not place))
    writer.add(command.row, event_of_members("turn_started", members))


def begin_next_turn(command: Command) -> None:
    """Begin the next turn, with a new round after the last one."""
    fight = command.writer.fight
    count = len(fight.slots())
    if not count:
        return
    now, number = fight.place(fight.turn), fight.round
    over = now is None or now + 1 >= count
    if over and now is not None:
        _reroll_lines(command, "New initiatives")
    command.writer.end_turn(command.row)
    _start_turn(command, 0 if over or now is None else now + 1, number + 1 if over else None)


def take_previous(command: Command) -> None:
    """Go back a turn: the present one is struck if that leads to the one before."""
    fight, turns = command.writer.fight, command.writer.turns
    if not fight.slots():
        return
    now = fight.place(fight.turn)
    place = len(fight.slots()) - 1 if not now else now - 1
    number = max(fight.round - 1, 0) if now == 0 else fight.round
    last = range((turns[-2] if len(turns) > 1 else -1) + 1, turns[-1] + 1) if turns else range(0)
    if not (turns and set_back(command.writer, command.row, last, (place, number), command.said)):
        _start_turn(command, place, number if number != fight.round else None, in_turn=False)


def set_back(writer: Writer, row: SourceRow, recent: range, to: tuple[int, int], why: str) -> bool:
    """Strike what the clock did in these facts if that leads to the turn of a place in a round; say whether it does."""
    clock = [index for index in recent if writer.facts[index].event["type"] in CLOCK_FACTS]
    struck = [index for index in clock if index not in writer.struck]
    before = writer.fight.without(struck)
    if before.turn is None or (before.place(before.turn), before.round) != to:
        return False
    held = {(one.bearer, one.name) for one in writer.fight.effects()}
    writer.strike(row, struck, why)
    back = [one for one in writer.fight.effects() if (one.bearer, one.name) not in held]
    writer.end_effects(row, back, "had expired; going back does not renew it")
    return True


def begin_turn_of(command: Command) -> None:
    """Begin the turn of the combatant named, or of the first one at that initiative or below, or of the typist's own first one."""
    fight, target = command.writer.fight, command.words[0] if command.words else None
    if not (slots := fight.slots()):
        return
    if target is None:
        shown = command.snapshot.combatants if command.snapshot else []
        own = next((one for one in shown if one.controller == str(command.author)), None)
        place = fight.place(command.writer.here(own.key)) if own else None
    elif re.fullmatch(r"[-+]?\d{1,9}", target):
        place = next((at for at, slot in enumerate(slots) if fight.initiative(slot[0]) <= int(target)), 0)
    else:
        place = fight.place(find_meant(command, target))
    if place is not None:
        _start_turn(command, place, in_turn=False)


def skip_rounds(command: Command) -> None:
    """Skip rounds, leaving the turn where it is, unless all roll anew."""
    fight = command.writer.fight
    number = int(command.words[0]) if command.words and re.fullmatch(r"\d{1,6}", command.words[0]) else 1
    now, anew = fight.place(fight.turn), _find_rolls(command, "New initiatives")
    if anew:
        command.writer.end_turn(command.row)
    _reroll_lines(command, "New initiatives")
    if now is None or anew:
        command.writer.start_round(command.row, fight.round + number)
    else:
        _start_turn(command, now, fight.round + number)


def record_reroll(command: Command) -> None:
    """Record new initiative for everybody; nobody has the turn."""
    writer, options = command.writer, command.options
    writer.hold_effects(command.row, command.said, [])
    writer.end_turn(command.row)
    _reroll_lines(command, "Rerolled initiative")
    if "restart" in options and writer.fight.round:
        writer.rule(command.row, {"round": 0}, "rounds are counted from the beginning again", command.said)
    if "effects" in options:
        writer.end_effects(command.row, writer.fight.effects(), "removed with the new initiative")


def _reroll_lines(command: Command, heading: str) -> None:
    """Take the new initiative rolls from the bot's list of them."""
    writer, reply = command.writer, _find_rolls(command, heading)
    if reply is None:
        return
    before = list(writer.fight.order())
    for line in reply_text(reply).split("\n"):
        found = re.match(r"(?P<roll>.*`-?\d+`): (?P<name>.+)$", line)
        members = find_slot(command, found["name"]) if found else None
        new = initiative_event(read_roll(found["roll"])) if found else {}
        if members and "total" in new:
            writer.seen.bonuses[members[0]] = new.setdefault("bonus", 0)
            writer.place(command.row, event_of_members("initiative_rolled", members) | new, reply)
    for total in dict.fromkeys(map(writer.fight.initiative, before)):
        break_tie(writer, command.row, total, before)


def _find_rolls(command: Command, heading: str) -> SourceRow | None:
    """Find the answer that lists new initiative rolls under this heading."""
    return next((reply for reply in command.answers if heading in reply_text(reply)), None)


COMMANDS: dict[str, Callable[[Command], None]] = {
    "init next": begin_next_turn,
    "init prev": take_previous,
    "init move": begin_turn_of,
    "init skipround": skip_rounds,
    "init reroll": record_reroll,
    "init opt": set_options,
    "init effect": start_effect,
    "init re": end_effect,
    **dict.fromkeys(("game longrest", "game shortrest"), take_sheet),
    **{f"{group} thp": change_temp for group in ("init", "game")},
    **{f"{group} hp{way}": change_hp for group in ("init", "game") for way in ("", " mod", " set", " max")},
}

ONWARD = {"init next": 0, "init skipround": 1}
"""The commands that advance turns, with how many rounds left an effect may be over after them.

Some versions of the bot end overdue effects at once, others when their turn comes; the state shows which.
"""

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
        command.writer.recount(command.row, command.said, partial(_is_over, command))


def _is_over(command: Command, effect: Effect, left: int) -> bool:
    """Say whether an effect with so many rounds left ended with a command: turns went on, and the state lacks it."""
    shown = command.find_shown(effect.bearer)
    still = [make_word(one.name) for one in shown.effects] if shown else []
    return shown is not None and left <= ONWARD.get(command.name, -1) and effect.name not in still
