"""Where words that are taken as they stand, such as a detail or what is waited for, end because something else is told behind them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from projections.grammar.phrases.reader import Reader

JOINING = frozenset({"and", "then", ","})
"""The words and marks that join what one combatant does."""
BEFALLS = frozenset({"is", "dies", "falls", "drops", "goes", "dead", "down"})
"""The words behind a combatant's name, or a pronoun, for what befalls them."""
CONDITIONS = frozenset({"if", "when", "whenever", "once", "until", "till", "til", "while", "unless"})
"""The words before a clause that says when, or until when, and tells of nothing that happens now."""
_PRONOUNS = frozenset({"it", "he", "she", "they"})
_ALTERNATIVE = frozenset({"or", "nor"})


def goes_on(reader: "Reader", at: int, *, condition: bool = False) -> bool:
    """Say whether words from a place on tell of something else, too; those of a `condition` may join several things that are awaited."""
    return any(
        _tells(reader, at, place, is_condition=condition)
        for place in range(at, len(reader.words))
        if divides(reader, place)
    ) or _has_points(reader, at)


def divides(reader: "Reader", at: int) -> bool:
    """Say whether a mark or a joining word between sentences stands at a place, or a mark at the end of one right before it."""
    return reader.text(at) in (*JOINING, "but") or ends_a_sentence(reader, at)


def ends_a_sentence(reader: "Reader", at: int) -> bool:
    """Say whether the word before a place ends with a mark that divides sentences."""
    return at > 0 and reader.line[reader.words[at - 1].end :][:1] in (".", ";", "!")


def begins_an_act(reader: "Reader", at: int) -> bool:
    """Say whether a word can be a verb: no name, no number, nothing that is left out."""
    return reader.text(at)[:1].isalpha() and not reader.is_skipped(at) and not reader.names_combatant(at)


def is_awaited(reader: "Reader", at: int) -> bool:
    """Say whether what a joining word at a place joins belongs to a condition before it: if the orc moves and attacks."""
    if reader.text(at) not in ("and", "then"):
        return False
    begins = next((place for place in reversed(range(at)) if _begins_a_condition(reader, place)), None)
    if begins is None or any(divides(reader, place) and reader.text(place) != "and" for place in range(begins + 1, at)):
        return False
    return not _tells(reader, begins + 1, at, is_condition=True)


def _begins_a_condition(reader: "Reader", at: int) -> bool:
    return reader.text(at) in CONDITIONS and not reader.has("duration", at)


def _tells(reader: "Reader", start: int, at: int, *, is_condition: bool) -> bool:
    """Say whether something that happens now is told behind a division at a place of words from `start` on."""
    begins = _behind(reader, at)
    if begins == len(reader.words):
        return False
    if ends_a_sentence(reader, at) or _is_damage(reader, begins):
        return True
    joins = is_condition and reader.text(at) in ("and", "then")
    named = reader.people(begins)
    has_number = _has_number(reader, named[0].end if named else begins)
    if named:
        ends = [each.end for each in named]
        acts = has_number or any(_is_verb(reader, end) for end in ends)
        return acts and (has_number or not (joins and _names_anybody(reader, start, at)))
    return has_number and not joins and _is_verb(reader, begins + (reader.text(begins) in _PRONOUNS))


def _behind(reader: "Reader", at: int) -> int:
    """Return where words go on behind the marks, joining words and articles at a place."""
    while at < len(reader.words) and (reader.text(at) in (*JOINING, "but") or reader.text(at) in ("the", "a", "an")):
        if reader.names_combatant(at):
            break
        at += 1
    return at


def _is_verb(reader: "Reader", at: int) -> bool:
    return (begins_an_act(reader, at) and reader.text(at) not in _ALTERNATIVE) or reader.text(at) in BEFALLS


def _has_number(reader: "Reader", at: int) -> bool:
    """Say whether a number that is no distance and no time stands between a place and the next mark."""
    for place in range(at, len(reader.words)):
        if divides(reader, place) and place > at:
            return False
        is_number = reader.text(place).lstrip("+-")[:1].isdecimal()
        if is_number and not (reader.has("distance", place) or reader.has("duration", place)):
            return True
    return False


def _is_damage(reader: "Reader", at: int) -> bool:
    """Say whether a number of points stands at a place: 3 damage, 4 fire damage."""
    is_number = reader.text(at).isdecimal()
    return is_number and (reader.is_of("damage", at + 1) or reader.is_of("damage", at + 2))


def _names_anybody(reader: "Reader", start: int, end: int) -> bool:
    return any(reader.names_combatant(place) for place in range(start, end))


def _has_points(reader: "Reader", at: int) -> bool:
    """Say whether somebody is named with points that they lose or gain."""
    return any(
        reader.text(each.end)[:1] in ("-", "+") and reader.text(each.end)[1:].isdecimal()
        for place in range(at, len(reader.words))
        for each in reader.people(place)
    )
