"""Slots of phrases for numbers: times, distances, squares, hit points, and places on the clock."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from projections.folds.addresses import derived
from projections.folds.order import who_is_due
from projections.grammar import names
from projections.grammar.phrases import rolls
from projections.grammar.phrases.moments import has_turns
from projections.grammar.phrases.values import Fill, Slot, Value
from projections.grammar.units import unit_of
from projections.mechanics.durations import until_next_turn, until_turn_is_over
from projections.state import State

if TYPE_CHECKING:
    from projections.grammar.phrases.reader import Reader


SQUARE = r"-?\d+,-?\d+"


def matching(pattern: str, take: Callable[[str], str] = str) -> Fill:
    """Return a slot for a word of a pattern, of which `take` makes the text."""

    def found(reader: "Reader", at: int) -> Slot:
        if re.fullmatch(pattern, reader.text(at)):
            yield Value(take(reader.text(at))), at + 1

    return found


def _duration(reader: "Reader", at: int) -> Slot:
    text, unit = reader.text(at), reader.text(at + 1)
    unit = reader.lexis.meant("unit", unit)
    if re.fullmatch(r"\d{1,6}", text) and unit and (unit_of(unit)) and unit not in ("ft", "m", "sq", "square"):
        yield Value(f"{text}{unit}"), at + 2
    elif re.fullmatch(r"\d{1,6}[a-z]+", text) and unit_of(re.sub(r"\d", "", text)):
        yield Value(text), at + 1
    elif has_turns(reader.context):
        yield from _until_turn(reader, at)
        yield from _until_round(reader, at)


OWN = "its"
"""The owner of a turn that is that of whoever bears what lasts until then."""
OVER = "over"
"""The side of a turn that ends if it runs; another one is the next turn's."""
_UNTIL = ("until", "till", "til")
_TURN = {"end": "end", "start": "start", "beginning": "start"}
_OVER = {"ends": "end", "over": "end", "starts": "start", "begins": "start"}
_THIS = ("the", "this", "that", "current", "present")


def _until_turn(reader: "Reader", at: int) -> Slot:
    """Yield until when something lasts that ends with a turn: until the end of bob's next turn, or of its own, or of this one, until its next turn begins."""
    if reader.text(at) not in _UNTIL:
        return
    place = reader.past(at + 1) if reader.text(at + 1) == "the" else at + 1
    side = _TURN.get(reader.text(place), "")
    if side:
        place += 1 + (reader.text(place + 1) == "of")
        if side == "end" and (after := _this_turn(reader, place)):
            yield Value(until_turn(reader.context.state, reader.context.state.clock.turn, OVER)), after
            return
        place += reader.text(place) == "the" and reader.text(place + 1) not in ("turn", "next")
    named, owner, whose = reader.one(place), OWN, place
    if reader.text(place) in _PRONOUNS:
        place += 1 + (reader.text(place + 1) == "own")
    elif named:
        place, owner = named.end + (reader.text(named.end) == "'s"), named.ids[0]
    else:
        return
    is_next = reader.text(place) == "next"
    place += is_next
    if reader.text(place) != "turn":
        return
    place += 1
    over = place + (reader.text(place) == "is")
    if not side and reader.text(over) in _OVER:
        side, place = _OVER[reader.text(over)], over + 1
    state, side = reader.context.state, side or "start"
    side = OVER if side == "end" and not is_next else side
    actor = None if named else _actor_meant(reader, whose)
    if actor is None:
        yield Value(until_turn(state, owner, side)), place
        return
    for who, words in ((actor, f"{actor}'s"), (OWN, "its")):
        yield Value(until_turn(state, who, side), clearly=(whose, whose + 1, words)), place


def _until_round(reader: "Reader", at: int) -> Slot:
    """Yield until when something lasts that ends with a round, or with the turn that runs: until the end of the round, until next round, this turn."""
    text = " ".join(reader.text(place) for place in range(at, at + _MOST_WORDS))
    said = _ROUND.match(text)
    if said is None:
        return
    end = at + len(said[0].split())
    if said["turn"]:
        after = _this_turn(reader, end - 2)
        yield from (
            ((Value(until_turn(reader.context.state, reader.context.state.clock.turn, OVER)), end),) if after else ()
        )
    elif said["next"]:
        yield from _until_next_turn(reader, at, end, said["side"])
    elif said["all"] and reader.text(at - 1) != "for":
        return
    elif last := _last_of_round(reader.context.state):
        yield Value(_until_round_is_over(reader.context.state, last, said["later"] is not None)), end


_MOST_WORDS = 8
_ROUND = re.compile(
    r"(?:(?:until|till|til) (?:the )?(?:end of (?:the |this )?round|(?:(?:start|beginning) of )?(?:the )?next round(?: begins| starts)?"
    r"|(?P<later>end of (?:the )?next round)|round (?:ends|is over)|(?:(?P<side>end|start|beginning) of )?(?P<next>(?:the )?next turn))"
    r"|(?:the )?(?:rest of (?:the |this )?|this )(?:round|(?P<turn>turn))|(?P<all>the round))(?!\S)"
)


def _until_next_turn(reader: "Reader", at: int, end: int, side: str | None) -> Slot:
    """Yield until when something lasts that ends with the next turn: its bearer's, or that of whoever comes next."""
    state, until = reader.context.state, f"until the {_TURN.get(side or '', 'start')} of"
    due = who_is_due(state).value
    yield (
        Value(until_turn(state, OWN, _TURN.get(side or "", "start")), clearly=(at, end, f"{until} its next turn")),
        end,
    )
    for who in due[:1]:
        said = until_turn(state, who, _TURN.get(side or "", "start"))
        yield Value(said, clearly=(at, end, f"{until} {who}'s next turn")), end


def _until_round_is_over(state: State, last: str, later: bool) -> str:
    """Return a duration that ends with the turn of whoever has the last one of this round, or of the next if `later`, as it is typed."""
    if later and not state.clock.is_turn_of(last):
        return f"2r/{last}/end"
    return until_turn(state, last, "end" if later else OVER)


def _last_of_round(state: State) -> str:
    """Return who has the last turn of the round that runs, as far as is known: of those who are still to act, else whose turn it is."""
    due = who_is_due(state).value
    return due[-1] if due else state.clock.turn


def _this_turn(reader: "Reader", place: int) -> int:
    """Return where words for the turn that runs end, 0 if there are none: this turn, the turn, turn."""
    clock = reader.context.state.clock
    place += reader.text(place) in _THIS
    return place + 1 if reader.text(place) == "turn" and clock.turn and not clock.together else 0


def _actor_meant(reader: "Reader", at: int) -> str | None:
    """Return who acts, if his or her at a place may be theirs as well as that of another who is named before it; None otherwise."""
    first = reader.one(0)
    if first is None or reader.text(at) not in ("his", "her"):
        return None
    others = {who for place in range(first.end, at) for each in reader.people(place) for who in each.ids} - {*first.ids}
    return first.ids[0] if others else None


_PRONOUNS = ("its", "his", "her", "their")


def until_turn(state: State, who: str, side: str) -> str:
    """Return a duration that ends as the next turn of a combatant begins or ends, or as the one that runs is over, as it is typed."""
    if who == OWN:
        return f"1r/{OWN}/{side}"
    said = (
        until_turn_is_over(state, who)
        if side == OVER
        else until_next_turn(state, who, "end" if side == "end" else "start")
    )
    return f"{said.amount}r/{who}/{said.at}"


def of_bearers(state: State, values: dict[str, Value], lines: tuple[str, ...]) -> dict[str, Value]:
    """Return values in which a time until its own next turn is one for each who bears what these lines of a phrase tell of."""
    found = dict(values)
    for name, value in values.items():
        _, own, side = (*value.text.split("/"), "", "")[:3]
        if own != OWN or value.of_each:
            continue
        line = next((line for line in lines if f"{{{name}}}" in line), "")
        bearers = [each for mark in ("^", r"\bon ", r"\bby ") for each in re.findall(rf"{mark}\{{(\w+)\*?\}}", line)]
        bearer = next((each for each in bearers if each in values), None)
        if bearer:
            ids = [each.removeprefix(":") for each in values[bearer].each or (values[bearer].text,)]
            times = tuple(until_turn(state, who, side) for who in ids)
            found[name] = Value(times[0], times, of_each=bearer)
    return found


def _time(reader: "Reader", at: int) -> Slot:
    """Yield how long something takes: a number alone if it is so many ticks, as it is behind `casting time`."""
    tick = reader.context.state.rules.calendar.tick
    if (reader.text(at), reader.text(at + 1)) == ("casting", "time"):
        at = reader.past(at + 2)
        if re.fullmatch(r"\d{1,4}", reader.text(at)):
            yield Value(reader.text(at)), at + 1
    for value, end in _duration(reader, at):
        found = re.fullmatch(r"(\d+)([a-z]+)", value.text)
        yield Value(found[1] if found and unit_of(found[2]) == tick else value.text), end


def _casting_time(reader: "Reader", at: int) -> Slot:
    """Yield how long a spell takes, behind the words casting time."""
    yield from _time(reader, at) if reader.joined(at, at + 2) == "casting time" else ()


def _slot_level(reader: "Reader", at: int) -> Slot:
    """Yield the level of a spell slot: level 2, l2, slot 2, or 2nd level, each also with the word slot behind it.

    An ordinal without such a word is a level only behind `at`: `at 2nd`; elsewhere it may count combatants.
    """
    words = " ".join(reader.text(place) for place in range(at, at + 5))
    found = re.match(_SLOT_LEVEL, words)
    if found and (reader.text(at - 1) == "at" or re.search(r"l|slot", found[0])):
        yield Value(found["before"] or found["behind"]), at + len(found[0].split())


_SLOT_LEVEL = r"((l|level|lvl|slot) (?P<before>\d)|(an? )?(?P<behind>\d) ?(st|nd|rd|th)([- ]?(level|lvl))?)( spell)?( slot)?(?!\S)"


def _distance(reader: "Reader", at: int) -> Slot:
    text, unit = reader.text(at), reader.lexis.meant("unit", reader.text(at + 1))
    if re.fullmatch(r"\d{1,6}", text) and unit in ("ft", "m", "sq"):
        yield Value(f"{text}{unit}"), at + 2


def _phase(reader: "Reader", at: int) -> Slot:
    """Yield a slot of the round: by its name, or as it is said, such as low D1 for L.D1."""
    state = reader.context.state
    slots = {slot.casefold(): slot for slot in state.rules.schedule.phases(state)}
    for end in (at + 2, at + 1):
        text = ".".join(reader.lexis.meant("slot", each.text) for each in reader.words[at:end])
        if text in slots:
            yield Value(slots[text]), end


def _round_number(reader: "Reader", at: int) -> Slot:
    """Yield the number of a round behind a letter: any, or that of the next round where the letter may be a combatant's name."""
    state, text = reader.context.state, reader.text(at)
    may_be_name = bool(names.combatants(state, reader.text(at - 1)))
    if re.fullmatch(r"\d{1,6}", text) and (not may_be_name or int(text) == state.clock.round + 1):
        yield Value(text), at + 1


def _next_segment(reader: "Reader", at: int) -> Slot:
    yield Value(str(reader.context.state.clock.point.segment + 1)), at


def _next_phase(reader: "Reader", at: int) -> Slot:
    """Yield the slot of the round that follows the present one."""
    state = reader.context.state
    slots = [*state.rules.schedule.phases(state)]
    place = slots.index(state.clock.phase) + 1 if state.clock.phase in slots else 0
    if place < len(slots):
        yield Value(slots[place]), at


def named_first(reader: "Reader") -> int:
    """Return how many are named first, as those who strike."""
    return next((len(value.each) for value, _ in reader.fillings("gang", 0)), 0)


def _squares_of_each(reader: "Reader", at: int) -> Slot:
    """Yield as many squares as there are combatants named first, with commas or a word between them."""
    squares, end = list[str](), at
    while re.fullmatch(SQUARE, reader.text(end)):
        squares.append(reader.text(end))
        end += 1
        behind = reader.past(end)
        end = behind if re.fullmatch(SQUARE, reader.text(behind)) else end
    if len(squares) > 1 and len(squares) == named_first(reader):
        yield Value("", tuple(squares)), end


def _own_square(reader: "Reader", at: int) -> Slot:
    """Yield the square on which the combatant named first stands."""
    first, text = reader.one(0), reader.text(at)
    standing = reader.context.state.rules.squares(reader.context.state).get(first.ids[0]) if first else None
    if standing and re.fullmatch(SQUARE, text) and text == f"{standing[0]},{standing[1]}":
        yield Value(text), at + 1


def _stated(reader: "Reader", at: int) -> tuple[int, int | None] | None:
    """Return the hit points that a word states and those that the combatant named before it has; None if it states none."""
    stated = re.fullmatch(r"(\d{1,6})(/\d{1,6})?", reader.text(at))
    for place in range(at if stated else 0):
        if found := reader.one(place):
            return (int(stated[1]), reader.context.state.combatants[found.ids[0]].hp) if stated else None
    return None


def _points(shown: Callable[[int, int], str | None], *, of: bool = False) -> Fill:
    """Return a slot for the hit points that are stated, as `shown` beside those that a combatant has; `of` so many, if it says so."""

    def found(reader: "Reader", at: int) -> Slot:
        stated = _stated(reader, at)
        if (
            stated
            and stated[1] is not None
            and of is ("/" in reader.text(at))
            and (text := shown(stated[0], stated[1]))
        ):
            yield Value(text), at + 1

    return found


def _lowered(stated: int, hp: int) -> str | None:
    """Return the change to fewer hit points."""
    return f"{stated - hp:+d}" if stated < hp else None


def _below_zero(reader: "Reader", at: int) -> Slot:
    """Yield the change to hit points below 0 that are stated."""
    first = reader.one(0)
    hp = reader.context.state.combatants[first.ids[0]].hp if first else None
    if hp is not None and re.fullmatch(r"-\d{1,6}", reader.text(at)) and (lost := hp - int(reader.text(at))) > 0:
        yield Value(f"-{lost}"), at + 1


def _minus(reader: "Reader", at: int) -> Slot:
    """Yield a number with a minus sign that is no state of the hit points, as it is behind `at`."""
    if reader.text(at - 1) not in ("at", "to", "="):
        yield from matching(rf"-({rolls.NUMBER}|{rolls.DICE})", lambda text: text[1:])(reader, at)


def _raised(stated: int, hp: int) -> str | None:
    """Return the change to more hit points."""
    return f"{stated - hp:+d}" if stated > hp else None


def _above(stated: int, hp: int) -> str | None:
    """Return a number of hit points above those that a combatant has."""
    return str(stated) if stated > hp else None


def _level(stated: int, hp: int) -> str | None:
    """Return the number of hit points that a combatant has."""
    return str(stated) if stated == hp else None


def _first(reader: "Reader", at: int) -> Slot:
    """Yield the hit points of the combatant named before them and has none yet that are known."""
    stated = _stated(reader, at)
    if stated and stated[1] is None:
        yield Value(str(stated[0])), at + 1


def _most(sign: str, way: int) -> Fill:
    """Return a slot for a change of the most hit points of the combatant named first, by a number with this sign, as the new number of the sheet."""

    def found(reader: "Reader", at: int) -> Slot:
        first, by = reader.one(0), re.fullmatch(rf"{sign}(\d{{1,6}})", reader.text(at))
        sheet = reader.context.state.combatants[first.ids[0]].sheet if first and by else None
        most = getattr(sheet, "hp_max", None)
        base = most if most is not None else getattr(sheet, "hp", None)
        if by and base is not None and (changed := base + way * int(by[1])) >= 0:
            yield Value(str(changed)), at + 1

    return found


def _levels(shown: Callable[[int, int], int]) -> Fill:
    """Return a slot for levels of exhaustion, as `shown` beside those that the combatant named first has; 0 shows none."""

    def found(reader: "Reader", at: int) -> Slot:
        first, text = reader.one(0), reader.text(at)
        has = derived(reader.context.state, f"{first.ids[0]}.exhaustion") if first else None
        if has is not None and re.fullmatch(r"\d", text) and (number := shown(int(text), int(str(has.value)))) > 0:
            yield Value(str(number)), at + 1

    return found


def _all_levels(reader: "Reader", at: int) -> Slot:
    """Yield the levels of exhaustion that the combatant named first has for the word all."""
    first = reader.one(0)
    has = derived(reader.context.state, f"{first.ids[0]}.exhaustion") if first else None
    if has is not None and has.value and reader.text(at) == "all":
        yield Value(str(has.value)), at + 1


def _tiredness(reader: "Reader", at: int) -> Slot:
    """Yield exhaustion if the combatant named first has levels of it; nothing of the line says it."""
    first = reader.one(0)
    has = derived(reader.context.state, f"{first.ids[0]}.exhaustion") if first else None
    if has is not None and has.value:
        yield Value("exhaustion"), at


def _path(reader: "Reader", at: int) -> Slot:
    """Yield the way of the combatant named first to a square: from where they stand, if that is known."""
    state, text = reader.context.state, reader.text(at)
    first = reader.one(0)
    standing = state.rules.squares(state).get(first.ids[0]) if first else None
    if re.fullmatch(SQUARE, text):
        yield Value(f"{standing[0]},{standing[1]}/{text}" if standing else text), at + 1


SLOTS: dict[str, Fill] = {
    "time": _time,
    "casting-time": _casting_time,
    "count": matching(r"\d{1,3}"),
    "dice": matching(rf"{rolls.DICE}"),
    "healing-number": matching(rf"\+?({rolls.NUMBER}|{rolls.DICE})", lambda text: text.removeprefix("+")),
    "round-number": _round_number,
    "next-segment": _next_segment,
    "next-phase": _next_phase,
    "n": matching(r"\d{1,6}"),
    "amount": matching(rf"{rolls.NUMBER}|{rolls.DICE}"),
    "plus": matching(rf"\+({rolls.NUMBER}|{rolls.DICE})", lambda text: text[1:]),
    "minus": _minus,
    "below-zero": _below_zero,
    "die": matching(rf"{rolls.NUMBER}|{rolls.DICE}"),
    "death-die": matching(r"\d{1,2}|100", lambda text: text if int(text) <= rolls.HIGHEST_FACE else f"d%:{text}"),
    "total": matching(r"\d{1,6}"),
    "sum": matching(r"\d{1,2}[+-]\d{1,3}"),
    "square": matching(SQUARE),
    "duration": _duration,
    "slot-level": _slot_level,
    "distance": _distance,
    "phase": _phase,
    "squares-of-each": _squares_of_each,
    "own-square": _own_square,
    "present-points": _points(_level),
    "lowered": _points(_lowered),
    "bare-lowered": _points(_lowered),
    "lowered-fraction": _points(_lowered, of=True),
    "above": _points(_above),
    "above-fraction": _points(_above, of=True),
    "level": _points(_level),
    "level-fraction": _points(_level, of=True),
    "first": _first,
    "half": matching(r"\d{1,6}", lambda text: str(int(text) // 2)),
    "bare-amount": matching(rf"{rolls.NUMBER}|{rolls.DICE}"),
    "raised": _points(_raised),
    "raised-most": _most("", 1),
    "raised-by-sign": _most(r"\+", 1),
    "lowered-most": _most("", -1),
    "lowered-by-sign": _most("-", -1),
    "tiredness": _tiredness,
    "levels-first": _levels(lambda said, has: 0 if has else said),
    "levels-same": _levels(lambda said, has: said if said == has else 0),
    "levels-added": _levels(lambda said, has: said if has and said != has else 0),
    "levels-up": _levels(lambda said, has: said - has if has else 0),
    "levels-down": _levels(lambda said, has: has - said),
    "levels-all": _all_levels,
    "path": _path,
}
"""The functions for the slots of this module, by the names of their kinds."""
