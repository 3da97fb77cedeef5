"""Slots of phrases for numbers: times, distances, squares, hit points, places on the clock, and what dice show."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from projections.grammar import names
from projections.grammar.measured import unit_of
from projections.grammar.phrases import rolls
from projections.grammar.phrases.values import Fill, Slot, Value

if TYPE_CHECKING:
    from projections.grammar.phrases.reader import Reader

SQUARE = r"-?\d+,-?\d+"


def _matching(pattern: str, take: Callable[[str], str] = str) -> Fill:
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


def _time(reader: "Reader", at: int) -> Slot:
    """Yield how long something takes: a number alone if it is so many ticks, as it is behind `casting time`."""
    tick = reader.scene.state.rules.calendar.tick
    if (reader.text(at), reader.text(at + 1)) == ("casting", "time"):
        at += 2
        if re.fullmatch(r"\d{1,4}", reader.text(at)):
            yield Value(reader.text(at)), at + 1
    for value, end in _duration(reader, at):
        found = re.fullmatch(r"(\d+)([a-z]+)", value.text)
        yield Value(found[1] if found and unit_of(found[2]) == tick else value.text), end


def _slot_level(reader: "Reader", at: int) -> Slot:
    """Yield the level of a spell slot: level 2, l2, slot 2, or 2nd level, each also with the word slot behind it."""
    words = " ".join(reader.text(place) for place in range(at, at + 5))
    if found := re.match(_SLOT_LEVEL, words):
        yield Value(found["before"] or found["behind"]), at + len(found[0].split())


_SLOT_LEVEL = r"((l|level|lvl|slot) (?P<before>\d)|(an? )?(?P<behind>\d) ?(st|nd|rd|th)([- ]?(level|lvl))?)( spell)?( slot)?(?!\S)"


def _distance(reader: "Reader", at: int) -> Slot:
    text, unit = reader.text(at), reader.lexis.meant("unit", reader.text(at + 1))
    if re.fullmatch(r"\d{1,6}", text) and unit in ("ft", "m", "sq"):
        yield Value(f"{text}{unit}"), at + 2


def _phase(reader: "Reader", at: int) -> Slot:
    """Yield a slot of the round: by its name, or as it is said, such as low D1 for L.D1."""
    state = reader.scene.state
    slots = {slot.casefold(): slot for slot in state.rules.schedule.phases(state)}
    for end in (at + 2, at + 1):
        text = ".".join(reader.lexis.meant("slot", each.text) for each in reader.words[at:end])
        if text in slots:
            yield Value(slots[text]), end


def _round_number(reader: "Reader", at: int) -> Slot:
    """Yield the number of a round behind a letter: any, or that of the next round where the letter may be somebody's name."""
    state, text = reader.scene.state, reader.text(at)
    may_be_name = bool(names.combatants(state, reader.text(at - 1)))
    if re.fullmatch(r"\d{1,6}", text) and (not may_be_name or int(text) == state.clock.round + 1):
        yield Value(text), at + 1


def _next_segment(reader: "Reader", at: int) -> Slot:
    yield Value(str(reader.scene.state.clock.point.segment + 1)), at


def _next_phase(reader: "Reader", at: int) -> Slot:
    """Yield the slot of the round that follows the present one."""
    state = reader.scene.state
    slots = [*state.rules.schedule.phases(state)]
    place = slots.index(state.clock.phase) + 1 if state.clock.phase in slots else 0
    if place < len(slots):
        yield Value(slots[place]), at


def _blow(start: rolls.Blow) -> Fill:
    """Return a slot for what is said of a blow of which so much is known from the start."""

    def found(reader: "Reader", at: int) -> Slot:
        decides = next((not form.assumes for form in reader.table.form if form.name == "blow that misses"), False)
        for blow, end in rolls.blows(reader, at, start):
            for text in rolls.written(blow, rolled=bool(reader.table.rolls), decides=decides):
                yield Value(text, more={"weapon": blow.weapon} if blow.weapon else {}), end

    return found


def _times(reader: "Reader", at: int) -> Slot:
    """Yield how often somebody strikes: twice, 3 times."""
    for sort, count in (("twice", 2), ("thrice", 3)):
        yield from ((Value(str(count)), end) for _, end in reader.slot(sort, at))
    if re.fullmatch(r"[2-9]", reader.text(at)) and reader.text(at + 1) in ("times", "x"):
        yield Value(reader.text(at)), at + 2


def _said_times(reader: "Reader") -> int:
    """Return how often somebody strikes, as the line says anywhere; 0 if it does not."""
    found = (int(value) for at in range(len(reader.words)) for value, _ in reader.slot("times", at))
    return next(found, 0)


def _told_together(reader: "Reader") -> int:
    """Return how many are named first, as those who strike."""
    return next((len(value.each) for value, _ in reader.fillings("gang", 0)), 0)


def _named_behind(reader: "Reader") -> int:
    """Return how many are named together behind whoever acts."""
    found = (len(value.each) for at in range(1, len(reader.words)) for value, _ in reader.fillings("many", at))
    return next(found, 0)


def _numbers_of_each(reader: "Reader", at: int) -> Slot:
    """Yield as many numbers as there are combatants named first, with commas or a word between them."""
    numbers, end = list[str](), at
    while re.fullmatch(rolls.NUMBER, reader.text(end)):
        numbers.append(reader.text(end))
        behind = next(
            place for place in range(end + 1, len(reader.words) + 1) if reader.text(place) not in (",", "and")
        )
        end = behind if re.fullmatch(rolls.NUMBER, reader.text(behind)) and behind > end + 1 else end + 1
    if len(numbers) == _told_together(reader):
        yield Value("", tuple(numbers)), end


def _squares_of_each(reader: "Reader", at: int) -> Slot:
    """Yield as many squares as there are combatants named first, with commas or a word between them."""
    squares, end = list[str](), at
    while re.fullmatch(SQUARE, reader.text(end)):
        squares.append(reader.text(end))
        end += 1
        behind = reader.past(end)
        end = behind if re.fullmatch(SQUARE, reader.text(behind)) else end
    if len(squares) > 1 and len(squares) == _told_together(reader):
        yield Value("", tuple(squares)), end


def _own_square(reader: "Reader", at: int) -> Slot:
    """Yield the square on which whoever is named first stands."""
    first, text = reader.one(0), reader.text(at)
    standing = reader.scene.state.rules.squares(reader.scene.state).get(first.ids[0]) if first else None
    if standing and re.fullmatch(SQUARE, text) and text == f"{standing[0]},{standing[1]}":
        yield Value(text), at + 1


def _bare_number(reader: "Reader", at: int) -> Slot:
    """Yield a number that the line does not say to be rolled."""
    rolled = any(reader.text(place) in rolls.ROLLED for place in range(at))
    yield from () if rolled else _matching(r"\d{1,6}")(reader, at)


def _contest_roll(reader: "Reader", at: int) -> Slot:
    """Yield what one side of a contest rolled, as a contest has it: a face, or a total that no die shows."""
    if re.fullmatch(r"\d{1,3}", reader.text(at)):
        yield Value(f"{'' if int(reader.text(at)) <= rolls.HIGHEST_FACE else '='}{reader.text(at)}"), at + 1


def _blows(count: Callable[["Reader"], int] | None, start: rolls.Blow) -> Fill:
    """Return a slot for as many blows as the line tells of, or as there are: each with its roll, or each with its damage alone if they hit.

    They are told apart by commas or a word, and no number is left over.
    """

    def found(reader: "Reader", at: int) -> Slot:
        decides = next((not form.assumes for form in reader.table.form if form.name == "blow that misses"), False)
        parts, both = [*_parts(reader, at)], len(reader.words)
        most = count(reader) if count else len(parts)
        every = reader.is_of("miss", both - 1) and reader.text(both - 2) in ("both", "all")
        told = [blow for part in parts if (blow := _whole_blow(reader, *part, start, misses=every)) is not None]
        if most < 2 or len(told) != most or len(parts) != most:
            return
        texts = [[*rolls.written(each, rolled=bool(reader.table.rolls), decides=decides)] for each in told]
        if all(len(each) == 1 for each in texts):
            yield Value("", tuple(text for (text,) in texts)), both

    return found


def _parts(reader: "Reader", at: int) -> Iterator[tuple[int, int]]:
    """Yield where each part of the rest of a line begins and ends that commas, and or then divide; a part begins with a number or its outcome."""
    start = reader.past(at) if reader.text(at) not in ("for", "with") else at
    last = len(reader.words)
    if reader.is_of("miss", last - 1) and reader.text(last - 2) in ("both", "all"):
        last -= 2
        while reader.text(last - 1) in (",", "and"):
            last -= 1
    for place in range(start, last):
        divides = reader.text(place) in (",", "and", "then") and _begins_a_blow(reader, reader.past(place))
        if divides and place > start:
            yield start, place
            start = reader.past(place)
    if start < last:
        yield start, last


def _begins_a_blow(reader: "Reader", at: int) -> bool:
    """Say whether a blow begins at a place: with its roll, or with hit or miss and no damage of the blow before it."""
    told = reader.is_of("hit", at) or reader.is_of("miss", at) or reader.is_of("critical", at)
    return rolls.is_number(reader.text(at)) or (told and reader.is_of("amount", at + 1))


def _whole_blow(reader: "Reader", at: int, end: int, start: rolls.Blow, *, misses: bool) -> rolls.Blow | None:
    """Return the one blow that all the words between two places tell of; None if there is none, or if several can be meant."""
    begun = rolls.Blow(hit=False) if misses else start
    found = [blow for blow, last in rolls.blows(reader, at, begun) if last == end]
    if start.hit:
        found = [each for each in found if each.damage]
    told = [each for each in found if each.hit is not None or (each.roll and each.damage)]
    return told[0] if len(told) == 1 else None


def _deadly(reader: "Reader", at: int) -> Slot:
    """Yield what is said of a blow that hits, with its roll or its damage."""
    yield from ((value, end) for value, end in _blow(rolls.Blow(hit=True))(reader, at) if re.search(r"\d", value.text))


def _numbered_blow(start: rolls.Blow) -> Fill:
    """Return a slot for what is said of a blow, from its roll or its damage on: behind a name, a verb would be that of somebody else."""

    def found(reader: "Reader", at: int) -> Slot:
        if rolls.is_number(reader.text(at)) or reader.is_of("amount", at):
            yield from _blow(start)(reader, at)

    return found


def _bare_miss(reader: "Reader", at: int) -> Slot:
    """Yield a miss of which nothing more is said."""
    yield from ((value, end) for value, end in _blow(rolls.Blow(hit=False))(reader, at) if end == at)


def _thrown_twice(reader: "Reader", at: int) -> Slot:
    """Yield what is said of a blow that begins with two dice of which one is kept."""
    yield from _blow(rolls.Blow())(reader, at) if rolls.two_dice(reader, at) else ()


def _loss(reader: "Reader", at: int) -> Slot:
    """Yield damage with its type: 7, 7 fire damage, 8 nonlethal."""
    for blow, end in rolls.losses(reader, at):
        nonlethal = "n" if blow.nonlethal else ""
        yield Value(f"-{blow.damage}{nonlethal} {rolls.typed_damage(blow.damage, blow.sort)}".strip()), end


def _check(reader: "Reader", at: int) -> Slot:
    yield from ((Value(rolls.check_written(check)), end) for check, end in rolls.checks(reader, at))


def _stated(reader: "Reader", at: int) -> tuple[int, int | None] | None:
    """Return the hit points that a word states and those that whoever is named before it has; None if it states none."""
    stated = re.fullmatch(r"(\d{1,6})(/\d{1,6})?", reader.text(at))
    for place in range(at if stated else 0):
        if found := reader.one(place):
            return (int(stated[1]), reader.scene.state.combatants[found.ids[0]].hp) if stated else None
    return None


def _points(shown: Callable[[int, int], str | None], *, of: bool = False) -> Fill:
    """Return a slot for the hit points that are stated, as `shown` beside those that somebody has; `of` so many, if it says so."""

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
    hp = reader.scene.state.combatants[first.ids[0]].hp if first else None
    if hp is not None and re.fullmatch(r"-\d{1,6}", reader.text(at)) and (lost := hp - int(reader.text(at))) > 0:
        yield Value(f"-{lost}"), at + 1


def _minus(reader: "Reader", at: int) -> Slot:
    """Yield a number with a minus sign that is no state of the hit points, as it is behind `at`."""
    if reader.text(at - 1) not in ("at", "to", "="):
        yield from _matching(rf"-({rolls.NUMBER}|{rolls.DICE})", lambda text: text[1:])(reader, at)


def _raised(stated: int, hp: int) -> str | None:
    """Return the change to more hit points."""
    return f"{stated - hp:+d}" if stated > hp else None


def _above(stated: int, hp: int) -> str | None:
    """Return a number of hit points above those that somebody has."""
    return str(stated) if stated > hp else None


def _level(stated: int, hp: int) -> str | None:
    """Return the number of hit points that somebody has."""
    return str(stated) if stated == hp else None


def _first(reader: "Reader", at: int) -> Slot:
    """Yield the hit points of whoever is named before them and has none yet that are known."""
    stated = _stated(reader, at)
    if stated and stated[1] is None:
        yield Value(str(stated[0])), at + 1


def _path(reader: "Reader", at: int) -> Slot:
    """Yield the way of whoever is named first to a square: from where they stand, if that is known."""
    state, text = reader.scene.state, reader.text(at)
    first = reader.one(0)
    standing = state.rules.squares(state).get(first.ids[0]) if first else None
    if re.fullmatch(SQUARE, text):
        yield Value(f"{standing[0]},{standing[1]}/{text}" if standing else text), at + 1


def _outcome(reader: "Reader", at: int) -> Slot:
    """Yield yes or no for words of success or failure."""
    for sort, said in (("success", "yes"), ("failure", "no")):
        yield from ((Value(said), end) for _, end in reader.slot(sort, at))


def _initiative(reader: "Reader", at: int) -> Slot:
    """Yield a roll of initiative as a form has it behind a name: a total with =, or a die and its bonus."""
    text = reader.text(at)
    if re.fullmatch(r"\d{1,6}", text):
        yield Value(f"={text}"), at + 1
    elif re.fullmatch(r"\d{1,2}[+-]\d{1,3}", text):
        yield Value(text), at + 1


def _group_roll(reader: "Reader", at: int) -> Slot:
    """Yield a roll of initiative as a form has it behind several names: a total, or a die and its bonus."""
    for value, end in _initiative(reader, at):
        yield Value(value.text if value.text.startswith("=") else f":{value.text}"), end


def _compared(reader: "Reader", at: int) -> Slot:
    """Yield a roll that is compared with a number."""
    yield from ((value, end) for value, end in _check(reader, at) if "dc=" in value.text)


def _hurt(reader: "Reader", at: int) -> Slot:
    """Yield damage that is called so, or is of a type."""
    for value, end in _loss(reader, at):
        if reader.is_of("harm", end - 1) or reader.is_of("nonlethal", end - 1) or "parts=" in value.text:
            yield value, end


SLOTS: dict[str, Fill] = {
    "time": _time,
    "group-roll": _group_roll,
    "compared": _compared,
    "count": _matching(r"\d{1,3}"),
    "dice": _matching(rf"{rolls.DICE}"),
    "healing-number": _matching(rf"\+?({rolls.NUMBER}|{rolls.DICE})", lambda text: text.removeprefix("+")),
    "round-number": _round_number,
    "next-segment": _next_segment,
    "next-phase": _next_phase,
    "hurt": _hurt,
    "n": _matching(r"\d{1,6}"),
    "amount": _matching(rf"{rolls.NUMBER}|{rolls.DICE}"),
    "plus": _matching(rf"\+({rolls.NUMBER}|{rolls.DICE})", lambda text: text[1:]),
    "minus": _minus,
    "below-zero": _below_zero,
    "die": _matching(rf"{rolls.NUMBER}|{rolls.DICE}"),
    "death-die": _matching(r"\d{1,2}|100", lambda text: text if int(text) <= rolls.HIGHEST_FACE else f"d%:{text}"),
    "total": _matching(r"\d{1,6}"),
    "sum": _matching(r"\d{1,2}[+-]\d{1,3}"),
    "square": _matching(SQUARE),
    "duration": _duration,
    "slot-level": _slot_level,
    "distance": _distance,
    "phase": _phase,
    "blow": _blow(rolls.Blow()),
    "hit": _blow(rolls.Blow(hit=True)),
    "critical": _blow(rolls.Blow(hit=True, critical=True)),
    "deadly": _deadly,
    "times": _times,
    "blows": _blows(_said_times, rolls.Blow()),
    "blows-listed": _blows(None, rolls.Blow()),
    "blows-that-hit": _blows(_said_times, rolls.Blow(hit=True)),
    "blows-of-each": _blows(_told_together, rolls.Blow()),
    "hits-of-each": _blows(_told_together, rolls.Blow(hit=True)),
    "blows-at-each": _blows(_named_behind, rolls.Blow()),
    "numbers-of-each": _numbers_of_each,
    "squares-of-each": _squares_of_each,
    "own-square": _own_square,
    "bare-number": _bare_number,
    "present-points": _points(_level),
    "contest-roll": _contest_roll,
    "bare-miss": _bare_miss,
    "numbered-blow": _numbered_blow(rolls.Blow()),
    "numbered-hit": _numbered_blow(rolls.Blow(hit=True)),
    "two-dice": _thrown_twice,
    "miss": _blow(rolls.Blow(hit=False)),
    "loss": _loss,
    "check": _check,
    "lowered": _points(_lowered),
    "bare-lowered": _points(_lowered),
    "lowered-fraction": _points(_lowered, of=True),
    "above": _points(_above),
    "above-fraction": _points(_above, of=True),
    "level": _points(_level),
    "level-fraction": _points(_level, of=True),
    "first": _first,
    "half": _matching(r"\d{1,6}", lambda text: str(int(text) // 2)),
    "bare-amount": _matching(rf"{rolls.NUMBER}|{rolls.DICE}"),
    "raised": _points(_raised),
    "path": _path,
    "outcome": _outcome,
    "init-roll": _initiative,
}
"""The functions for the slots of this module, by the names of their kinds."""
