"""Work: an activity that takes time, such as a casting; how long it takes, and what happened to it on the way.

Time is counted in ticks (segments, seconds), numbered consecutively across rounds, so that work may run from one round
into the next. Only what happened is stored: the start, the length and, in the order of the stream, each incident that
may end the work. When it is due and how far it has come are derived from those.
"""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from projections.because import Because, Derived
from projections.occurrence import Occurrence

BEGUN, DONE, SPOILED, WITHDRAWN, LOST = "begun", "done", "spoiled", "withdrawn", "lost"
"""How far work has come."""


class Incident(Struct, frozen=True, gc=False):
    """An incident that may end work: its record, its tick, and the status with which the work then ends.

    If it is not `sure` to end the work, it is a disturbance: the game says whether it counts. `place` is its place in
    the order of the game, if it has one.
    """

    seq: int
    tick: int
    ends: str = SPOILED
    because: Because = Because()
    place: Any = None
    sure: bool = False


class Work(Struct, gc=False):
    """A combatant's work: begun by record `seq` at tick `start`, it takes `length` ticks from there.

    `because` is the reason for its length and its due tick; `incidents` are in the order of the stream.
    """

    who: str
    name: str
    seq: int
    start: int
    length: int
    because: Because = Because()
    incidents: list[Incident] = []

    @property
    def last(self) -> int:
        """The last tick that the work occupies."""
        return self.start + self.length - 1

    @property
    def completed(self) -> tuple[int, ...]:
        """The records that told of the work as complete."""
        return tuple(each.seq for each in self.incidents if each.ends == DONE)


Counts = Callable[[Any, Incident], Because | Derived[None] | None]
"""The function that returns by which rules a disturbance ends work; None, with its reason if there is one, if it does not."""


def due(work: Work) -> Derived[int]:
    """Return the first tick after the work."""
    return Derived(work.last + 1, work.because)


def disturb(work: Work, incident: Incident) -> None:
    """Add an incident to work; whether it ends the work is decided only when a combatant looks."""
    work.incidents.append(incident)


def withdraw(work: Work, seq: int, tick: int, because: Because, place: Any = None) -> None:
    """Record that work was given up."""
    disturb(work, Incident(seq, tick, WITHDRAWN, because, place, sure=True))


def complete(work: Work, seq: int, tick: int, because: Because, place: Any = None) -> None:
    """Record that work was completed."""
    disturb(work, Incident(seq, tick, DONE, because, place, sure=True))


def ending(work: Work, counts: Counts) -> Derived[Incident | None]:
    """Return the incident that ended work, the first that does, and why none did before; None while it is under way."""
    vain: list[Derived[None]] = []
    for each in work.incidents:
        why = each.because if each.sure else counts(work, each)
        if isinstance(why, Because):
            of = (*why.of, work.because, *vain)
            return Derived(each, Because(why.rules, (*why.events, each.seq), why.options, of))
        vain += [why] if why else []
    return Derived(None, Because(of=(*vain, work.because)))


def status(work: Work, counts: Counts) -> Derived[str]:
    """Return how far work has come, citing what ended it, else what began it."""
    ended = ending(work, counts)
    return Derived(ended.value.ends if ended.value else BEGUN, ended.because)


def under_way(works: Iterable[Work], who: str, counts: Counts) -> list[Work]:
    """Return the work of a combatant that nothing has ended."""
    return [work for work in works if work.who == who and ending(work, counts).value is None]


def same(name: str | None, other: str) -> bool:
    """Say whether two names are the same, case folded; None matches any name."""
    return name is None or name.casefold() == other.casefold()


def of_fact(works: Iterable[Work], fact: Occurrence[Any], name: str | None = None) -> Work | None:
    """Return the work that a fact resulted from: by its cause, else the last of its source that has this name."""
    found, source = None, getattr(fact.event, "source", None)
    for work in works:
        if fact.cause == work.seq:
            return work
        if name is not None and work.who == source and same(name, work.name):
            found = work
    return found
