"""A session in chapters: rounds, and in each its turns, segments or phases, as the ruleset counts."""

from collections.abc import Iterator, Mapping
from itertools import groupby

from msgspec import Struct

from encounterlog.exporters.session import FactLine, Session
from encounterlog.wording.phrases import parts, remark, span, value
from eventstore.events import ConditionGained, DamageDealt, Healed
from projections.address import NOTHING
from projections.views.steps import Change

POOLS = {"hp": "HP", "temp": "temporary HP", "nld": "NLD"}
"""The values that are counted, and their names in a line."""
WORDS = {"status": "is"}


class Told(Struct, frozen=True):
    """A line that is told, and the names that combatants had then."""

    line: FactLine
    names: Mapping[str, str]

    def name(self, who: str) -> str:
        """Return the name of a combatant at that time; an id that nobody has is its own name."""
        return self.names.get(who, who)


class Part(Struct, frozen=True):
    """The lines of a turn, a segment or a phase; `title` is empty for those outside of any."""

    title: str
    lines: tuple[Told, ...]


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
    for number, those in groupby(told(session), key=lambda one: one.line.row.when.round):
        yield Chapter(number, tuple(Part(title, tuple(lines)) for title, lines in groupby(those, key=part_of)))


def told(session: Session, *, statements: bool = False) -> Iterator[Told]:
    """Yield what is told of the wanted rounds: statements that agree with the facts only if these are wanted."""
    names: dict[str, str] = {}
    agreeing = frozenset() if statements or session.wanted.statements else session.agreeing
    for one in session.all_lines:
        names = names | one.renamed if one.renamed else names
        if session.wants(one.row.when.round) and one.row.seq not in agreeing:
            yield Told(one, names)


def part_of(one: Told) -> str:
    """Return the turn, the segment or the phase of a line in words, with the name as it was typed."""
    when = one.line.row.when
    if when.turn:
        return f"{one.name(when.turn)}'s turn"
    if when.segment:
        return f"{'Segment' if when.round else 'Surprise segment'} {when.segment}"
    return f"Phase {when.phase}" if when.phase else ""


def line(one: Told) -> str:
    """Return a line in words, with the hit points that it changed, and what is unusual about it."""
    row = one.line.row
    note = f" ({row.note})" if row.note else ""
    changes = [words for change in one.line.changes if (words := _change(one, change))]
    return f"{_words(one)}{remark(', '.join(changes))}{note}"


def _words(one: Told) -> str:
    """Return a fact in words: of damage, healing and conditions in those of Obsidian's initiative tracker."""
    event, name = one.line.row.event, one.name
    match event:
        case DamageDealt(object=None):
            kind = "non-lethal damage" if event.nonlethal else "damage"
            return f"{name(event.target)} took {event.amount} {kind}{_from(one, event.source)}{parts(event.parts)}"
        case Healed(temporary=True):
            return f"{name(event.target)} gained {event.amount} temporary HP{parts(event.parts)}"
        case Healed(nonlethal=False):
            source = None if event.source == event.target else event.source
            return f"{name(event.target)} was healed for {event.amount} HP{_from(one, source)}{parts(event.parts)}"
        case ConditionGained(targets=(who,), detail=None):
            lasting = f" for {span(event.duration)}" if event.duration else ""
            return f"{name(who)} took {event.condition} status{lasting}{_from(one, event.source)}"
    return one.line.row.words


def _from(one: Told, source: str | None) -> str:
    return f" from {one.name(source)}" if source else ""


def _change(one: Told, change: Change) -> str:
    """Return a change of hit points or status in words; the name only where the line is not about one alone."""
    who, _, field = change.address.rpartition(".")
    about = "" if getattr(one.line.row.event, "target", None) == who else f"{one.name(who)} "
    if field in POOLS and NOTHING not in (change.before, change.after):
        return f"{about}{POOLS[field]} {change.before} → {change.after}"
    tells = field in WORDS and change.after != "left"  # which the fact says itself
    return f"{about}{WORDS[field]} {value(change.after)}" if tells else ""
