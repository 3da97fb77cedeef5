"""A session in chapters: rounds, and in each its turns, segments or phases, as the ruleset counts."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec import Struct

from encounterlog.exporters.session import FactLine, Session
from encounterlog.pages.log import Moment
from encounterlog.wording.phrases import parts, remark, span, value
from eventstore.events import ConditionGained, DamageDealt, Healed
from projections.address import NOTHING
from projections.views.steps import Change

POOLS = {"hp": "HP", "temp": "temporary HP", "nld": "NLD"}
"""The values that are counted, and their names in a line."""
WORDS = {"status": "is"}


class Part(Struct, frozen=True):
    """The lines of a turn, a segment or a phase; `title` is empty for those outside of any."""

    title: str
    lines: tuple[FactLine, ...]


class Chapter(Struct, frozen=True):
    """A round, or the time before the first, in parts."""

    round: int
    parts: tuple[Part, ...]

    @property
    def title(self) -> str:
        """The heading: Round 3."""
        return f"Round {self.round}" if self.round else "Before round 1"


def chapters(session: Session) -> Iterator[Chapter]:
    """Yield the wanted rounds."""
    for number, those in groupby(session.lines, key=lambda one: one.row.when.round):
        yield Chapter(number, tuple(_parts(session, those)))


def _parts(session: Session, those: Iterable[FactLine]) -> Iterator[Part]:
    for title, lines in groupby(those, key=lambda one: part_of(session, one.row.when)):
        yield Part(title, tuple(lines))


def part_of(session: Session, when: Moment) -> str:
    """Return the turn, the segment or the phase of a moment in words, with the name as it was typed."""
    if when.turn:
        return f"{session.name(when.turn)}'s turn"
    if when.segment:
        return f"{'Segment' if when.round else 'Surprise segment'} {when.segment}"
    return f"Phase {when.phase}" if when.phase else ""


def line(session: Session, one: FactLine) -> str:
    """Return a line in words, with the hit points that it changed, and what is unusual about it."""
    note = f" ({one.row.note})" if one.row.note else ""
    changes = [words for change in one.changes if (words := _change(session, one, change))]
    return f"{_words(session, one)}{remark(', '.join(changes))}{note}"


def _words(session: Session, one: FactLine) -> str:
    """Return a fact in words: of damage, healing and conditions in those of Obsidian's initiative tracker."""
    event, name = one.row.event, session.name
    match event:
        case DamageDealt(object=None):
            kind = "non-lethal damage" if event.nonlethal else "damage"
            return f"{name(event.target)} took {event.amount} {kind}{_from(session, event.source)}{parts(event.parts)}"
        case Healed(temporary=True):
            return f"{name(event.target)} gained {event.amount} temporary HP{parts(event.parts)}"
        case Healed(nonlethal=False):
            source = None if event.source == event.target else event.source
            return f"{name(event.target)} was healed for {event.amount} HP{_from(session, source)}{parts(event.parts)}"
        case ConditionGained(targets=(who,), detail=None):
            lasting = f" for {span(event.duration)}" if event.duration else ""
            return f"{name(who)} took {event.condition} status{lasting}{_from(session, event.source)}"
    return one.row.words


def _from(session: Session, source: str | None) -> str:
    return f" from {session.name(source)}" if source else ""


def _change(session: Session, one: FactLine, change: Change) -> str:
    """Return a change of hit points or status in words; the name only where the line is not about one alone."""
    who, _, field = change.address.rpartition(".")
    about = "" if getattr(one.row.event, "target", None) == who else f"{session.name(who)} "
    if field in POOLS and NOTHING not in (change.before, change.after):
        return f"{about}{POOLS[field]} {change.before} → {change.after}"
    return f"{about}{WORDS[field]} {value(change.after)}" if field in WORDS else ""
