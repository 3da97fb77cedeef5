"""A session in chapters: rounds, and in each its turns, segments or phases, as the ruleset counts; and its result in two sentences."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from encounterlog.exporters.session import FactLine, Session
from encounterlog.words.layout import count_noun
from encounterlog.words.phrases import in_parentheses, value_in_words
from eventstore.wording import visible
from projections.address import NOTHING
from projections.views import deeds as views
from projections.views.deeds import Deeds
from projections.views.statistics import Standing
from projections.views.view import CombatantView


def summarize_rounds(session: Session) -> Iterator[str]:
    """Yield the sentences of the wanted rounds; nothing if nobody takes part."""
    end, name = session.views.last, session.name
    if not end.combatants:
        return
    rounds = [number for number in session.played if number]
    fallen = [name(who) for who, one in end.combatants.items() if one.status != "up" and not one.left]
    yield f"After {count_noun(len(rounds), 'round')}: {', '.join(fallen) + ' fell' if fallen else 'nobody fell'}."
    yield f"At the end: {'; '.join(f'{name(who)} {describe_standing(one)}' for who, one in end.combatants.items())}."


def describe_standing(one: CombatantView | Standing, unit: str = "") -> str:
    """Return the hit points of a combatant, as far as they are known, and its status, unless it is up."""
    most = f" of {one.hp_max}" if one.hp_max is not None else ""
    points = [] if one.hp is None else [f"{one.hp}{most}{unit}"]
    return ", ".join((*points, *([one.status] if one.status != "up" or not points else [])))


class Deed(Struct, frozen=True):
    """Lines that are one deed, or one line that is none: its sentence, and the lines."""

    words: str
    lines: list[FactLine]


class Part(Struct, frozen=True):
    """The deeds of a turn, a segment or a phase; `title` is empty for those outside of any."""

    title: str
    deeds: list[Deed]


class Chapter(Struct, frozen=True):
    """A round, or the time before the first, in parts."""

    title: str
    parts: list[Part]


def split_into_chapters(session: Session) -> Iterator[Chapter]:
    """Yield the wanted rounds; statements that agree with the facts only on demand."""
    agreeing = frozenset() if session.wanted.statements else session.whole.agreeing
    lines = (one for one in session.lines if one.row.seq not in agreeing)
    for number, those in groupby(lines, key=lambda one: one.row.when.round):
        parts = [Part(title, _join_into_deeds(part)) for title, part in groupby(those, key=_part_heading)]
        yield Chapter(f"Round {number}" if number else "Before round 1", parts)


def _join_into_deeds(lines: Iterable[FactLine]) -> list[Deed]:
    made, found = Deeds(), list[tuple[views.Deed | None, list[FactLine]]]()
    for one in lines:
        said = (one.row.words, one.name, lambda _, stands=one.stands: stands)
        deed = made.take_fact(one.step.fact, *said) if one.step else None
        if found and (deed is None or deed is found[-1][0]) and one.step:
            found[-1][1].append(one)
        else:
            found.append((deed, [one]))
    return [Deed(_deed_sentence(deed, those), those) for deed, those in found]


def _deed_sentence(deed: views.Deed | None, lines: Sequence[FactLine]) -> str:
    first = lines[0]
    if deed is None or (len(lines) == 1 and not first.stands):
        return describe_line(first)
    return f"{deed.sentence} ({first.row.note})" if first.row.note else deed.sentence


def _part_heading(one: FactLine) -> str:
    when = one.row.when
    if when.turn or not when.segment:
        return f"{one.name(when.turn)}'s turn" if when.turn else f"Phase {when.phase}" if when.phase else ""
    return f"{'Segment' if when.round else 'Surprise segment'} {when.segment}"


POOLS = {"hp": "HP", "temp": "temporary HP", "nld": "NLD"}  # the values that are counted, and their names in a line


def describe_line(one: FactLine) -> str:
    """Return a line in words, with the hit points and the status that it changed, and anything unusual about it."""
    row, changes = one.row, []
    for change in one.changes:
        who, _, field = change.address.rpartition(".")
        is_of_one = getattr(row.event, "target", None) == who  # then it needs no name
        about = "" if is_of_one else f"{one.name(who)} "
        if field in POOLS and NOTHING not in (change.before, change.after):
            changes.append(f"{about}{POOLS[field]} {change.before} → {change.after}")
        elif field == "status" and change.after != "left":  # which the fact says itself
            changes.append(f"{about}is {value_in_words(change.after)}")
    note = f" ({row.note})" if row.note else ""
    return f"{row.words}{in_parentheses(', '.join(changes))}{note}"


FIRST_STRONG, POP = "\u2068", "\u2069"
_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_RUN = re.compile(f"[{_RIGHT_TO_LEFT}](?:(?:[^\\w,;:()]|\\d)*[{_RIGHT_TO_LEFT}])*")
_JOINERS = re.compile("([\u200c\u200d])")  # two characters without a shape that some scripts, and some emoji, need


def isolate_text(text: str) -> str:
    """Return a text for people: escapes for invisible characters, each run of right-to-left words between isolates."""
    if text.isascii():
        return visible(text)
    seen = "".join(part if part in "\u200c\u200d" else visible(part) for part in _JOINERS.split(text))
    return _RUN.sub(lambda run: f"{FIRST_STRONG}{run[0]}{POP}", seen)
