"""Tallies: marks that are counted up to a limit, such as successes and failures of which the first three decide.

`[[tally]]` rows of a catalogue say how many marks fill a tally, and what somebody then is. Of those of one combatant the
first that is full decides: nothing more is marked until all of them are cleared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from projections.because import Because, Derived


class Tally(Struct, frozen=True, gc=False):
    """A tally as its row has it: how many marks fill it, what somebody then is, and by which clause."""

    name: str
    limit: int
    status: str = ""
    rule: str = ""


class Tallies(Struct):
    """The marks of each combatant by tally, each with its reason, and why somebody's marks count no longer."""

    marks: dict[str, dict[str, list[Because]]] = {}
    cleared: dict[str, Because] = {}


def tallies(rows: Iterable[Mapping[str, Any]]) -> dict[str, Tally]:
    """Return the tallies of the rows of a table, by name."""
    return {row["name"]: Tally(**row) for row in rows}


def mark(kept: Tallies, who: str, name: str, because: Because, times: int = 1) -> None:
    """Add marks to a tally of somebody."""
    kept.marks.setdefault(who, {}).setdefault(name, []).extend([because] * times)


def put(kept: Tallies, who: str, name: str, marks: int, because: Because) -> None:
    """Let a tally of somebody have so many marks, whatever it had."""
    kept.marks.setdefault(who, {})[name] = [because] * marks


def clear(kept: Tallies, who: str, because: Because) -> None:
    """Clear all tallies of somebody who has marks, and keep why."""
    if kept.marks.pop(who, None):
        kept.cleared[who] = because


def count(kept: Tallies, who: str, name: str) -> Derived[int]:
    """Return how many marks a tally of somebody has, because of each of them, and of what cleared it before."""
    marks = kept.marks.get(who, {}).get(name, [])
    cleared = (kept.cleared[who],) if who in kept.cleared else ()
    return Derived(len(marks), Because(of=(*marks, *cleared)))


def full(kept: Tallies, who: str, those: Iterable[Tally]) -> Derived[Tally] | None:
    """Return the tally of somebody that has all its marks, because of them; None while none has."""
    for each in those:
        marks = kept.marks.get(who, {}).get(each.name, [])
        if len(marks) >= each.limit:
            return Derived(each, Because((each.rule,), of=tuple(marks)))
    return None
