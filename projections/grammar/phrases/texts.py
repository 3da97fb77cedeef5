"""Slots of phrases for the rest of a line, as it was typed."""

import re
from typing import TYPE_CHECKING

from projections.grammar.phrases.sentences import CONDITIONS, goes_on
from projections.grammar.phrases.values import Fill, Slot, Value
from projections.grammar.tokens import quote

if TYPE_CHECKING:
    from projections.grammar.phrases.reader import Reader


def _rest(reader: "Reader", at: int) -> Slot:
    if at < len(reader.words):
        yield Value(reader.line[reader.words[at].start :].strip()), len(reader.words)


def _awaited(reader: "Reader", at: int) -> Slot:
    """Yield the rest of a line as what is awaited, unless it tells of something else, too."""
    if not goes_on(reader, at, condition=True):
        yield from _rest(reader, at)


def _trigger(reader: "Reader", at: int) -> Slot:
    """Yield the rest of a line as what a combatant waits for; an action alone is none."""
    for value, end in _awaited(reader, at):
        if not re.fullmatch(r"(?i)((an|her|his|their|the) )?(action|turn)s?|(until|till|til) .*", value.text):
            yield value, end


def _event(reader: "Reader", at: int) -> Slot:
    """Yield the rest of a line as what a combatant waits for, where it neither begins with an action nor names one before it."""
    first = reader.past(at)
    begins = any(reader.text(place) in ("if", "when", "once", "until") for place in range(first + 1, len(reader.words)))
    if not (begins or reader.has("kind", first)):
        yield from _trigger(reader, at)


def _where(reader: "Reader", at: int) -> Slot:
    """Yield the rest of a line, also without a distance at its end, as a place in words with the word before it; what goes on with another act is none, nor is away without from."""
    if reader.text(at - 1) == "away" and reader.text(at) != "from":
        return
    goes_on = any(reader.text(place) in (",", "and", "then") for place in range(max(0, at - 1), len(reader.words)))
    says = any(
        reader.text(place)[:1].isalpha() and not reader.is_skipped(place) for place in range(at, len(reader.words))
    )
    if says and reader.text(at)[:1].isalpha() and not (goes_on or re.search(r";|[.!]\s+\S", reader.line)):
        start, last = reader.words[at - 1].start, len(reader.words)
        for place in range(at + 1, last):
            if any(end == last for _, end in reader.slot("distance", place)):
                yield Value(reader.line[start : reader.words[place].start].strip()), place
        yield Value(reader.line[start:].strip()), last


def _left_place(reader: "Reader", at: int) -> Slot:
    """Yield the rest of a line, from the verb, as a place near somebody that is left, and not the fight: leaves bo's reach."""
    last = len(reader.words) - 1
    behind = (place for place in range(at, last) if reader.text(place) in ("with", "of", "near", "beside", "around"))
    is_place = reader.is_of("beside", last) or reader.is_of("beside", next(behind, last + 1) - 1)
    if reader.text(at) in ("leaves", "leave", "exits", "quits") and is_place and not goes_on(reader, at):
        yield Value(reader.line[reader.words[at].start :].strip()), last + 1


def _detail(reader: "Reader", at: int) -> Slot:
    """Yield the rest of a line with the word before it, in quotation marks; neither a time nor what tells of something else, too."""
    condition = reader.text(at - 1) in CONDITIONS
    if at == len(reader.words) or reader.has("duration", at - 1):
        return
    if not ((reader.names_combatant(reader.past(at)) and not condition) or goes_on(reader, at, condition=condition)):
        yield Value(quote(reader.line[reader.words[at - 1].start :].strip())), len(reader.words)


def _until(reader: "Reader", at: int) -> Slot:
    """Yield the rest of a line that says until when, or for what, a combatant waits, in quotation marks."""
    begins = reader.text(at) in ("until", "till", "til", "if", "when", "once", "for") and at + 1 < len(reader.words)
    if begins and not goes_on(reader, at + 1, condition=True):
        yield Value(quote(reader.line[reader.words[at].start :].strip())), len(reader.words)


def _aside(reader: "Reader", at: int) -> Slot:
    """Yield the rest of a line as a remark that neither names a combatant nor has a number."""
    behind = range(at, len(reader.words))
    if behind and not any(reader.names_combatant(place) or reader.text(place)[:1].isdecimal() for place in behind):
        yield Value(reader.line[reader.words[at].start :].strip()), len(reader.words)


def _spoils(reader: "Reader", at: int) -> Slot:
    """Yield a whole line that begins with a word for what a fight brings: xp 150."""
    if reader.is_of("spoils", at):
        yield Value(reader.line[reader.words[at].start :].strip()), len(reader.words)


def _anything(reader: "Reader", at: int) -> Slot:
    """Yield any number of words."""
    yield from ((Value(""), end) for end in range(at, len(reader.words) + 1))


def _about_nobody(reader: "Reader", at: int) -> Slot:
    """Yield any number of words that name nobody."""
    for end in range(at, len(reader.words) + 1):
        yield Value(""), end
        if reader.one(end):
            return


def _about_one(reader: "Reader", at: int) -> Slot:
    """Yield the rest of a line in which no other combatant is named beside the one before it, as in b and o."""
    joined = ("and", "or", ",")
    if not any(reader.text(place) in joined and reader.one(place + 1) for place in range(at, len(reader.words))):
        yield Value(""), len(reader.words)


SLOTS: dict[str, Fill] = {
    "awaited": _awaited,
    "trigger": _trigger,
    "event": _event,
    "detail": _detail,
    "until": _until,
    "aside": _aside,
    "where": _where,
    "left-place": _left_place,
    "anything": _anything,
    "about-nobody": _about_nobody,
    "about-one": _about_one,
    "spoils": _spoils,
    "rest": _rest,
}
"""The functions for the slots of this module, by the names of their kinds."""
