"""Slots of phrases for those who join: their names, and what their sheets say."""

import re
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from projections.grammar import names
from projections.grammar.phrases.listed import LISTS, text_of
from projections.grammar.phrases.values import Fill, Slot, Value
from projections.grammar.several_tokens import plain
from projections.grammar.tokens import quote, word
from projections.open_types import Fields
from projections.reader.tokens import TENS, UNITS
from projections.state import State

if TYPE_CHECKING:
    from projections.grammar.phrases.reader import Reader


INITIATIVE = ("init", "initiative")
MOST_WORDS = 4
"""The most words of a name."""
NUMBER_WORDS = frozenset({*UNITS, *TENS})
"""Numbers in words, which are no words of a name behind others."""


def _new(reader: "Reader", at: int) -> Slot:
    """Yield the name of a combatant who is not there yet: up to four words, of which behind others none is a side or a class."""
    is_name = not reader.names_combatant(at) and not (at and _is_no_name(reader, at))
    if reader.words[at : at + 1] and (reader.words[at].quoted or is_name):
        yield from _called(reader, at)


def _called(reader: "Reader", at: int) -> Slot:
    """Yield a name of up to four words, and perhaps a number."""
    end = at
    if reader.words[at : at + 1] and reader.words[at].quoted:
        yield Value(text_of(reader, at, at + 1)), at + 1
        return
    if at == 0 and _says(reader, at, "add"):
        return
    while end < min(len(reader.words), at + MOST_WORDS) and re.fullmatch(r"[^\W\d_][\w'’.-]*", reader.words[end].text):
        known = reader.words[end].text in reader.lexis.literal or reader.is_of("kind", end) or reader.is_of("stat", end)
        known = known and not _is_within_a_name(reader, at, end, len(reader.words))
        is_side = end > at and (reader.has("side", end) or reader.is_of("group", end))
        if end > at and (_says(reader, end, "join") or reader.text(end) in NUMBER_WORDS):
            break
        if _is_aside(reader, end) or known or is_side or reader.has("class", end) or reader.has("size", end):
            break
        end += 1
    numbered = end > at and re.fullmatch(r"\d{1,3}", reader.text(end)) is not None
    for last in range(end + numbered, at, -1):
        if not any(
            reader.is_skipped(place) and not _is_within_a_name(reader, at, place, last) for place in range(at, last)
        ):
            yield Value(text_of(reader, at, last)), last


def _says(reader: "Reader", at: int, sense: str) -> bool:
    """Say whether a word, or it and the next, is a verb of a sense: spawn of add, bursts in of join; a plain form alone may be a name."""
    from projections.reader.lexicon import lexicon  # only where somebody may join

    words = lexicon(reader.context.state.rules.rules)
    both = words.senses(f"{reader.text(at)} {reader.text(at + 1)}")
    alone = words.senses(reader.text(at)) if at == 0 or reader.text(at).endswith("s") else ()
    return any(each.kind == sense and each.is_verb for each in (*both, *alone))


def _is_within_a_name(reader: "Reader", at: int, place: int, end: int) -> bool:
    """Say whether a word at a place stands within the words of a name, as the does in Ana the Bold."""
    return at < place < end - 1 and reader.text(place) in ("the", "of")


def _kind_name(reader: "Reader", at: int) -> Slot:
    """Yield the name of a kind whose members join: the singular of a plural, or a word as it is."""
    for value, end in _called(reader, at):
        first, *more = re.split(r"[_ ]", value.text.strip('"'))
        last = more[-1] if more else first
        goes_on = more and names.singular_of(first) and not names.singular_of(last)  # three pikemen guard the bridge
        if not value.text[-1].isdecimal() and not goes_on:
            yield Value(names.singular_of(value.text) or value.text), end


def _kind_there(reader: "Reader", at: int) -> Slot:
    """Yield a kind of which some have joined, with their side and sheet, if they all have the same."""
    state = reader.context.state
    people = state.combatants.values()
    for value, end in _kind_name(reader, at):
        kind = [one for one in people if re.fullmatch(rf"{re.escape(names.folded(value.text))}-\d+", one.id)]
        sheets = {(one.side, _sheet_written(state, one.sheet)) for one in kind}
        if len(sheets) == 1:
            side, sheet = sheets.pop()
            yield Value(kind[-1].name.rpartition(" ")[0] or value.text, more={"side": side or "", "sheet": sheet}), end


def _sheet_written(state: State, sheet: object) -> str:
    """Return the fields of a sheet as a line has them, without those that the ruleset fills in from the others."""
    fields: Fields = msgspec.to_builtins(sheet)
    for name in [*fields]:
        rest = {key: item for key, item in fields.items() if key != name}
        with suppress(msgspec.ValidationError):  # a field that a sheet needs
            if msgspec.convert(state.rules.filled(state, rest), state.rules.sheet) == sheet:
                fields = rest
    return " ".join(f"{key}={plain(item)}" for key, item in fields.items())


def _another(reader: "Reader", at: int) -> Slot:
    """Yield one for the word another."""
    if reader.text(at) == "another" or reader.joined(at, at + 2) == "one more":
        yield Value("1"), at + 1 + (reader.text(at) == "one")


def _stats(reader: "Reader", at: int) -> Slot:
    """Yield what a sheet says: 24 hp, ac 16, large, cleric."""
    found: dict[str, str] = {}
    place = end = at
    while place < len(reader.words):
        if more := _stat(reader, place, found):
            key, value, place = more
            found[key], end = value, place
        elif reader.is_skipped(place):
            place += 1
        else:
            break
    if found:
        yield Value(" ".join(f"{key}={value}" for key, value in found.items())), end


def _points(reader: "Reader", at: int) -> Slot:
    """Yield what a sheet says with hit points or an armor class in it, by which a line without a verb tells who joins."""
    yield from ((value, end) for value, end in _stats(reader, at) if re.search(r"\b(hp|ac)=", value.text))


def _is_aside(reader: "Reader", at: int) -> bool:
    """Say whether a word stands behind an opening bracket."""
    start = reader.words[at].start
    return reader.line[start - 1 : start] == "("


def _aside(reader: "Reader", at: int) -> tuple[str, int] | None:
    """Return what stands in brackets, and where that ends; None if nothing does, or a number."""
    if at == len(reader.words) or not _is_aside(reader, at):
        return None
    found = re.match(r"[^()\d]+(?=\))", reader.line[reader.words[at].start :])
    end = next((place for place in range(at, len(reader.words)) if _ends_aside(reader, place)), at) + 1
    return (word(found[0].strip()), end) if found else None


def _ends_aside(reader: "Reader", at: int) -> bool:
    return reader.line[reader.words[at].end :][:1] == ")"


def _stat(reader: "Reader", at: int, found: dict[str, str]) -> tuple[str, str, int] | None:
    if "notes" not in found and (aside := _aside(reader, at)):
        return "notes", *aside
    for key, sort in (("size", "size"), ("notes", "class")):
        for value, end in LISTS[sort](reader, at):
            return None if key in found else _with_level(reader, key, value.text, end)
    for field in ("hp", "ac"):
        one, other = reader.text(at), reader.text(at + 1)
        if field in found:
            continue
        if field == "hp" and (points := _points_of(reader, at)):
            found["hp_max"] = points[1]
            return field, points[0], points[2]
        if reader.lexis.meant("stat", one) == field and re.fullmatch(r"\d+", other):
            return field, other, at + 2
        if reader.lexis.meant("stat", other) == field and re.fullmatch(r"\d+", one):
            return field, one, at + 2
    return _figure(reader, at, found)


def _with_level(reader: "Reader", key: str, text: str, at: int) -> tuple[str, str, int]:
    """Return a class with the level behind it, if one is there: cleric 5."""
    level, is_stat = reader.text(at), reader.lexis.meant("stat", reader.text(at + 1)) in ("hp", "ac")
    if key == "notes" and re.fullmatch(r"\d{1,2}", level) and not is_stat:
        return key, quote(f"{text} {level}"), at + 1
    return key, text, at


def _points_of(reader: "Reader", at: int) -> tuple[str, str, int] | None:
    """Return the hit points that are left, the most that there can be, and where they end: hp 20/24, 20/24 hp, 20/24."""
    for name, number, end in ((at, at + 1, at + 2), (at + 1, at, at + 2), (None, at, at + 1)):
        found = re.fullmatch(r"(\d{1,4})/(\d{1,4})", reader.text(number))
        if not found or (name is None and int(found[1]) > int(found[2])):  # points that are left, or an armor class
            continue
        if name is None or reader.lexis.meant("stat", reader.text(name)) == "hp":
            return found[1], found[2], end
    return None


def _figure(reader: "Reader", at: int, found: dict[str, str]) -> tuple[str, str, int] | None:
    """Return any other number of a sheet: speed 30, initiative +2, dex save +5; one of initiative without a sign is a total."""
    for end in (at + 2, at + 1):
        name, number = " ".join(map(reader.text, range(at, end))), reader.text(end)
        is_signed = name in INITIATIVE or name.endswith(" save")
        if re.fullmatch(r"[+-]\d{1,4}" if is_signed else r"\d{1,4}", number):
            key = "initiative" if name in INITIATIVE else name.replace(" ", "_")
            if key not in found and _is_number_of_a_sheet(reader, key):
                return key, number, end + 1
    return None


def _is_number_of_a_sheet(reader: "Reader", name: str) -> bool:
    """Say whether the sheets of the game have a number by this name."""
    rules, number = reader.context.state.rules, 1
    try:
        msgspec.convert(rules.listed(reader.context.state, {name: number}, None), rules.sheet)
    except (ValueError, msgspec.ValidationError):
        return False
    return True


def _sheet_field(reader: "Reader", at: int) -> Slot:
    """Yield the name of a number that sheets of the game have."""
    if (name := reader.text(at)) and _is_number_of_a_sheet(reader, name):
        yield Value(name), at + 1


def _counted(reader: "Reader", at: int) -> Slot:
    """Yield a name with how many of its kind join: orc*3."""
    if re.fullmatch(r"[^\W\d_][\w'’.-]*\*\d{1,3}", reader.text(at)):
        yield Value(reader.typed(at, at + 1)), at + 1


def _is_no_name(reader: "Reader", at: int) -> bool:
    """Say whether a word at a place is that of a side or a class rather than a name."""
    return reader.has("side", at) or reader.is_of("group", at) or reader.has("class", at) or reader.has("size", at)


def _newcomers(reader: "Reader", at: int) -> Slot:
    """Yield the names of several who are not there yet, joined by commas or a word."""
    names, place = list[str](), at
    while (found := next(iter(reader.fillings("new", place)), None)) and not _is_no_name(reader, place):
        names.append(found[0].text)
        end = place = found[1]
        while reader.text(place) in (",", "and"):
            place += 1
        if len(names) > 1:
            yield Value(",".join(names), tuple(names)), end
        if place == end:
            return


SLOTS: dict[str, Fill] = {
    "counted": _counted,
    "new": _new,
    "newcomers": _newcomers,
    "kind-name": _kind_name,
    "kind-there": _kind_there,
    "another": _another,
    "sheet-field": _sheet_field,
    "stats": _stats,
    "points": _points,
}
"""The functions for the slots of this module, by the names of their kinds."""
