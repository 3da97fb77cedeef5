"""Tallies: marks that are counted up to a limit, such as successes and failures, where the first three decide.

`[[tally]]` rows of a catalogue give the number of marks that fill a tally, and the status of a combatant whose tally is full. The first
full tally of a combatant decides: nothing more is marked until all of them are cleared.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from projections.because import Because, Cites, Derived


class Tally(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A row in the table of tallies."""

    name: str
    limit: int
    """The number of marks that fill it."""
    status: str = ""
    """The status of a combatant whose tally is full."""
    rule: str = ""
    """The clause behind that status."""


class Tallies(Struct):
    """The marks of all combatants."""

    marks: dict[str, dict[str, list[Because]]] = {}
    """The marks by combatant and tally, each with its reason."""
    cleared: dict[str, Because] = {}
    """Why all marks of a combatant were cleared."""
    emptied: dict[tuple[str, str], Because] = {}
    """Why one tally of a combatant was set to 0."""
    besides: dict[tuple[str, str], tuple[Cites, ...]] = {}
    """The other reasons of a tally since it was cleared, such as the fact that kept it from being marked."""


def add_marks(kept: Tallies, who: str, name: str, because: Because, times: int = 1) -> None:
    """Add marks to a tally of a combatant."""
    kept.marks.setdefault(who, {}).setdefault(name, []).extend([because] * times)


def set_marks(kept: Tallies, who: str, name: str, marks: int, because: Because) -> None:
    """Set the number of marks on a combatant's tally."""
    kept.marks.setdefault(who, {})[name] = [because] * marks
    kept.emptied.pop((who, name), None)
    if not marks:
        kept.emptied[who, name] = because


def add_reason(kept: Tallies, who: str, name: str, *of: Cites) -> None:
    """Add a reason to a tally of a combatant, such as a fact that kept it from being marked."""
    kept.besides[who, name] = (*kept.besides.get((who, name), ()), *of)


def clear_marks(kept: Tallies, who: str, because: Because) -> None:
    """Clear all tallies of a combatant who has marks, and keep why."""
    kept.besides = {key: why for key, why in kept.besides.items() if key[0] != who}
    if any(kept.marks.pop(who, {}).values()):
        kept.cleared[who] = because
        kept.emptied = {key: why for key, why in kept.emptied.items() if key[0] != who}


def count(kept: Tallies, who: str, name: str) -> Derived[int]:
    """Return how many marks a tally of a combatant has, because of each of them, and of the facts that cleared it or kept it from more."""
    marks = kept.marks.get(who, {}).get(name, [])
    since = (kept.cleared.get(who), kept.emptied.get((who, name)))
    return Derived(len(marks), Because(of=(*marks, *filter(None, since), *kept.besides.get((who, name), ()))))


def full_tally(kept: Tallies, who: str, those: Iterable[Tally]) -> Derived[Tally] | None:
    """Return the tally of a combatant that has all its marks, because of them; None while none has."""
    for each in those:
        marks = kept.marks.get(who, {}).get(each.name, [])
        if len(marks) >= each.limit:
            return Derived(each, Because((each.rule,), of=tuple(marks)))
    return None
