"""Dues: the things that combatants owe before a boundary of time, such as a roll before the round begins."""

from msgspec import Struct, structs

from projections.because import NOTHING_CITED, Because


class Due(Struct, frozen=True, gc=False):
    """Something that a combatant owes."""

    who: str
    what: str
    """The thing that is owed, in the game's own word."""
    by: str
    """The boundary before which it is owed."""
    because: Because = NOTHING_CITED
    about: int = 0
    """The record that brought it about, where several of one kind can be owed; else 0."""
    answered: int = 0
    """The record that answered it, if it is kept until its boundary; else 0."""


Dues = dict[tuple[str, str, int], Due]
"""The dues by combatant, kind and record that brought them about, in the order in which they fell due."""


def owe(dues: Dues, due: Due) -> None:
    """Record that a combatant owes something; a due that is there already stays as it is."""
    key = due.who, due.what, due.about
    if key in dues and dues[key].answered:
        del dues[key]
    dues.setdefault(key, due)


def pay(dues: Dues, who: str, what: str, about: int = 0) -> Due | None:
    """Remove a due of a combatant, and return it; None if there is none."""
    return dues.pop((who, what, about), None)


def answer(dues: Dues, who: str, what: str, about: int, by: int = 0) -> Due | None:
    """Return the due of a combatant that a record answers: the one about the same record, else the oldest. It is then no longer owed.

    With `by`, the record of the answer, it is kept as answered until its boundary.
    """
    own = owed(dues, what, who)
    found = next((due for due in own if due.about == about), next(iter(own), None))
    if found and by:
        dues[who, what, found.about] = structs.replace(found, answered=by)
        return found
    return pay(dues, who, what, found.about) if found else None


def answering_records(dues: Dues, what: str, who: str) -> tuple[int, ...]:
    """Return the records that answered dues of this kind of a combatant, until their boundary."""
    return tuple(due.answered for due in dues.values() if due.answered and (due.what, due.who) == (what, who))


def owed(dues: Dues, what: str, who: str = "") -> list[Due]:
    """Return the dues of one kind, of one combatant or of all."""
    return [due for due in dues.values() if due.what == what and who in ("", due.who) and not due.answered]


def dues_before(dues: Dues, by: str, who: str = "") -> list[Due]:
    """Return the dues before a boundary, of one combatant or of all."""
    return [due for due in dues.values() if due.by == by and who in ("", due.who) and not due.answered]


def lapse(dues: Dues, by: str, who: str = "") -> list[Due]:
    """Remove the dues before a boundary that has come for one combatant or for all, and return those that nobody answered."""
    over = [key for key, due in dues.items() if due.by == by and who in ("", due.who)]
    return [due for due in map(dues.pop, over) if not due.answered]
