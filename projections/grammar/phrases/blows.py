"""Slots of phrases for what is rolled and done: attack rolls, damage, checks, initiative, alone or several on one line."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from projections.grammar import line_context
from projections.grammar.phrases import rolls
from projections.grammar.phrases.listed import origin
from projections.grammar.phrases.measures import matching, named_first
from projections.grammar.phrases.values import Fill, Slot, Value

if TYPE_CHECKING:
    from projections.grammar.phrases.reader import Reader


def _blow(known: rolls.Blow) -> Fill:
    """Return a slot for what is said of a blow, beside what is known of it."""

    def fill(reader: "Reader", at: int) -> Slot:
        for blow, end in rolls.blows(reader, at, known):
            for text in _written(reader, blow):
                yield Value(text, more={"weapon": blow.weapon} if blow.weapon else {}), end

    return fill


def _written(reader: "Reader", blow: rolls.Blow) -> Iterator[str]:
    """Yield how the forms of the game say a blow; a roll alone says whether it hits where no form assumes that it misses."""
    misses = next((form for form in reader.table.form if form.name == "blow that misses"), None)
    decides = misses is not None and not misses.assumes
    return rolls.written(blow, rolled=bool(reader.table.rolls), decides=decides)


def _times(reader: "Reader", at: int) -> Slot:
    """Yield how often a combatant strikes: twice, 3 times."""
    for sort, count in (("twice", 2), ("thrice", 3)):
        yield from ((Value(str(count)), end) for _, end in reader.slot(sort, at))
    if re.fullmatch(r"[2-9]", reader.text(at)) and reader.text(at + 1) in ("times", "x"):
        yield Value(reader.text(at)), at + 2


def _said_times(reader: "Reader") -> int:
    """Return how often a combatant strikes, as the line says anywhere; 0 if it does not."""
    found = (int(value) for at in range(len(reader.words)) for value, _ in reader.slot("times", at))
    return next(found, 0)


def _named_behind(reader: "Reader") -> int:
    """Return how many are named together behind the actor."""
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
    if len(numbers) == named_first(reader):
        yield Value("", tuple(numbers)), end


def _rolls_of_each(reader: "Reader", at: int) -> Slot:
    """Yield as many rolls as there are combatants named first; a number that is no face of a d20 is a total."""
    for value, end in _numbers_of_each(reader, at):
        yield Value("", tuple(rolls.check_written(rolls.CheckRoll(roll=each)) for each in value.each)), end


def _bare_number(reader: "Reader", at: int) -> Slot:
    """Yield a number that the line does not say to be rolled."""
    rolled = any(reader.text(place) in rolls.ROLLED for place in range(at))
    yield from () if rolled else matching(r"\d{1,6}")(reader, at)


def _contest_roll(reader: "Reader", at: int) -> Slot:
    """Yield what one side of a contest rolled, as a contest has it: a face, or a total that no die shows."""
    if re.fullmatch(r"\d{1,3}", reader.text(at)):
        yield Value(f"{'' if int(reader.text(at)) <= rolls.HIGHEST_FACE else '='}{reader.text(at)}"), at + 1


def _blows(count: Callable[["Reader"], int] | None, known: rolls.Blow) -> Fill:
    """Return a slot for several blows, each with its roll, or each with its damage alone if they hit.

    `count` returns how many they must be; without it they are as many as are found, at least two. They are separated by
    commas, and, or then, and no number is left over. `known` is what the line says of each.
    """

    def fill(reader: "Reader", at: int) -> Slot:
        parts, end = [*_parts(reader, at)], len(reader.words)
        expected = count(reader) if count else len(parts)
        all_miss = reader.is_of("miss", end - 1) and reader.text(end - 2) in ("both", "all")
        blows = [blow for part in parts if (blow := _whole_blow(reader, *part, known, misses=all_miss)) is not None]
        if expected < 2 or not len(blows) == len(parts) == expected:
            return
        texts = [[*_written(reader, each)] for each in blows]
        if all(len(each) == 1 for each in texts):
            yield Value("", tuple(text for (text,) in texts)), end

    return fill


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
    has_outcome = reader.is_of("hit", at) or reader.is_of("miss", at) or reader.is_of("critical", at)
    return rolls.is_number(reader.text(at)) or (has_outcome and reader.is_of("amount", at + 1))


def _whole_blow(reader: "Reader", at: int, end: int, start: rolls.Blow, *, misses: bool) -> rolls.Blow | None:
    """Return the one blow that all the words between two places tell of; None if there is none, or if several can be meant."""
    begun = rolls.Blow(hit=False) if misses else start
    found = [blow for blow, last in rolls.blows(reader, at, begun) if last == end]
    if start.hit:
        found = [each for each in found if each.damage]
    certain = [each for each in found if each.hit is not None or (each.roll and each.damage)]
    return certain[0] if len(certain) == 1 else None


def _deadly(reader: "Reader", at: int) -> Slot:
    """Yield what is said of a blow that hits, with its roll or its damage."""
    yield from ((value, end) for value, end in _blow(rolls.Blow(hit=True))(reader, at) if re.search(r"\d", value.text))


def _struck(*, hurts: bool) -> Fill:
    """Return a slot for what is said of a blow that hits, with its damage or without."""

    def found(reader: "Reader", at: int) -> Slot:
        for blow, end in rolls.blows(reader, at, rolls.Blow(hit=True)):
            if bool(blow.damage) is hurts:
                yield from ((Value(text), end) for text in _written(reader, blow))

    return found


def _numbered_blow(start: rolls.Blow) -> Fill:
    """Return a slot for what is said of a blow, from its roll or its damage on: behind a name, a verb would be that of another combatant."""

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
    yield from ((Value(_lost(blow)), end) for blow, end in rolls.losses(reader, at))


def _lost(blow: rolls.Blow, name: str = "") -> str:
    nonlethal = "n" if blow.nonlethal else ""
    return f"-{rolls.total_damage(blow)}{nonlethal} {rolls.typed_damage(blow, name)}".strip()


def _loss_from(reader: "Reader", at: int) -> Slot:
    """Yield damage and what it comes from, perhaps whose that is: 7 fire damage from the trap, from the ogre's club."""
    for blow, end in rolls.losses(reader, at):
        if reader.text(end) == "from":
            for name, last in origin(reader, reader.past(end + 1)):
                known = replace(blow, sort=name.text) if reader.lexis.has("type", name.text) and not blow.sort else blow
                yield Value(_lost(known, name.text), more=name.more), last


def _check(reader: "Reader", at: int) -> Slot:
    yield from ((Value(rolls.check_written(check)), end) for check, end in rolls.checks(reader, at))


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


def _totals(reader: "Reader", at: int) -> dict[str, str]:
    """Return the numbers of a list of combatants with one each to its end; none for any other words."""
    totals, place = dict[str, str](), at
    while one := reader.one(place):
        number = reader.past(one.end)
        if one.ids[0] in totals or not re.fullmatch(r"\d{1,6}", reader.text(number)):
            return {}
        totals[one.ids[0]] = reader.text(number)
        place = reader.past(number + 1)
    return totals if place == len(reader.words) else {}


def _rolls(*, first: bool) -> Fill:
    """Return a slot for a list of combatants with totals of initiative: all without one, or only some of them."""

    def found(reader: "Reader", at: int) -> Slot:
        totals = _totals(reader, at)
        lack = {*totals} & {*line_context.unplaced(reader.context)}
        if lack and first is (lack == {*totals}):
            yield Value(" ".join(f"{who}={total}" for who, total in totals.items())), len(reader.words)

    return found


def _rolls_of_sides(reader: "Reader", at: int) -> Slot:
    """Yield the dice of several sides, each by one who is on it."""
    totals, people = _totals(reader, at), reader.context.state.combatants
    sides = {people[who].side: number for who, number in totals.items()}
    if 1 < len(sides) == len(totals) and None not in sides:
        yield Value(" ".join(f"{side}:{number}" for side, number in sides.items())), len(reader.words)


def _compared(reader: "Reader", at: int) -> Slot:
    """Yield a roll that is compared with a number."""
    yield from ((value, end) for value, end in _check(reader, at) if "dc=" in value.text)


def _hurt(reader: "Reader", at: int) -> Slot:
    """Yield damage that is called so, or is of a type."""
    yield from ((value, end) for value, end in _loss(reader, at) if _is_called_damage(reader, value, end))


def _is_called_damage(reader: "Reader", value: Value, end: int) -> bool:
    return reader.is_of("harm", end - 1) or reader.is_of("nonlethal", end - 1) or "parts=" in value.text


SLOTS: dict[str, Fill] = {
    "group-roll": _group_roll,
    "compared": _compared,
    "first-rolls": _rolls(first=True),
    "further-rolls": _rolls(first=False),
    "rolls-of-sides": _rolls_of_sides,
    "hurt": _hurt,
    "loss-from": _loss_from,
    "blow": _blow(rolls.Blow()),
    "hit": _blow(rolls.Blow(hit=True)),
    "critical": _blow(rolls.Blow(hit=True, critical=True)),
    "deadly": _deadly,
    "hurtful": _struck(hurts=True),
    "harmless": _struck(hurts=False),
    "times": _times,
    "blows": _blows(_said_times, rolls.Blow()),
    "blows-listed": _blows(None, rolls.Blow()),
    "blows-that-hit": _blows(_said_times, rolls.Blow(hit=True)),
    "blows-of-each": _blows(named_first, rolls.Blow()),
    "hits-of-each": _blows(named_first, rolls.Blow(hit=True)),
    "blows-at-each": _blows(_named_behind, rolls.Blow()),
    "numbers-of-each": _numbers_of_each,
    "rolls-of-each": _rolls_of_each,
    "bare-number": _bare_number,
    "contest-roll": _contest_roll,
    "bare-miss": _bare_miss,
    "numbered-blow": _numbered_blow(rolls.Blow()),
    "numbered-hit": _numbered_blow(rolls.Blow(hit=True)),
    "two-dice": _thrown_twice,
    "miss": _blow(rolls.Blow(hit=False)),
    "loss": _loss,
    "check": _check,
    "outcome": _outcome,
    "init-roll": _initiative,
}
"""The functions for the slots of this module, by the names of their kinds."""
