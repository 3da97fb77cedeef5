"""Work: an activity that takes time, such as a casting, with its length and its incidents.

Time is counted in ticks (segments, seconds), numbered consecutively across rounds, so that work may run from one round into the next.
Only events are stored: the start, the length and, in the order of the stream, each incident that may end the work. The end and the
progress of the work are derived from those.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from projections.because import NOTHING_CITED, Because, Derived

BEGUN, DONE, SPOILED, WITHDRAWN, LOST = "begun", "done", "spoiled", "withdrawn", "lost"
"""The statuses of work."""


class Incident(Struct, frozen=True, gc=False):
    """An incident that may end work."""

    seq: int
    tick: int
    """The tick of the incident."""
    ends: str = SPOILED
    """The status of the work once the incident ends it."""
    because: Because = NOTHING_CITED
    place: Any = None
    """Its place in the order of the game, if it has one."""
    sure: bool = False
    """Whether it ends the work for certain; else the game decides whether the disturbance counts."""


class Work(Struct, gc=False):
    """The work of a combatant."""

    who: str
    name: str
    seq: int
    """The record that began it."""
    start: int
    """Its first tick."""
    length: int
    """The number of its ticks."""
    because: Because = NOTHING_CITED
    """The reason for its length and its end."""
    incidents: list[Incident] = []
    """Its incidents, in the order of the stream; whether one ends the work is decided only when that is asked."""

    @property
    def last(self) -> int:
        """The last tick that the work occupies."""
        return self.start + self.length - 1

    @property
    def completed(self) -> tuple[int, ...]:
        """The records by which the work was completed."""
        return tuple(each.seq for each in self.incidents if each.ends == DONE)


Counts = Callable[[Any, Incident], Because | Derived[None] | None]
"""The function that returns by which rules a disturbance ends work; None, with its reason if there is one, if it does not."""


def give_up_work(work: Work, seq: int, tick: int, because: Because, place: object = None) -> None:
    """Record that work was given up."""
    work.incidents.append(Incident(seq, tick, WITHDRAWN, because, place, sure=True))


def complete_work(work: Work, seq: int, tick: int, because: Because, place: object = None) -> None:
    """Record that work was completed."""
    work.incidents.append(Incident(seq, tick, DONE, because, place, sure=True))


def ending_incident(work: Work, counts: Counts = lambda _work, _incident: None) -> Derived[Incident | None]:
    """Return the first incident that ends work, and why none before it did; None while the work is under way.

    By default no disturbance counts: work is given up, lost or completed.
    """
    vain: list[Derived[None]] = []
    for each in work.incidents:
        why = each.because if each.sure else counts(work, each)
        if isinstance(why, Because):
            of = (*why.of, work.because, *vain)
            return Derived(each, Because(why.rules, (*why.events, each.seq), of, options=why.options))
        vain += [why] if why else []
    return Derived(None, Because(of=(*vain, work.because)))


def work_status(work: Work, counts: Counts = lambda _work, _incident: None) -> Derived[str]:
    """Return the status of work, citing the incident that ended it, else its beginning."""
    ended = ending_incident(work, counts)
    return Derived(ended.value.ends if ended.value else BEGUN, ended.because)


def is_same(name: str | None, other: str) -> bool:
    """Say whether two names are the same, case folded; None matches any name."""
    return name is None or name.casefold() == other.casefold()
