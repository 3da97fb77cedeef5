"""Dues: what somebody has to do before a boundary of time, such as roll a die before the round begins."""

from msgspec import Struct

from projections.because import Because


class Due(Struct, frozen=True, gc=False):
    """Something owed: by whom, what, before which boundary (in the game's own word), and why.

    `about` is the record that brought it about, where several of one kind stand side by side; 0 for what is owed once.
    """

    who: str
    what: str
    by: str
    because: Because = Because()
    about: int = 0


Dues = dict[tuple[str, str, int], Due]
"""What is owed and not yet paid, by who owes it, what it is and what it is about, in the order in which it fell due."""


def owe(dues: Dues, due: Due) -> None:
    """Record that somebody owes something; what is owed already stays as it is."""
    dues.setdefault((due.who, due.what, due.about), due)


def pay(dues: Dues, who: str, what: str, about: int = 0) -> Due | None:
    """Remove what somebody owed, and return it; None if it was not owed."""
    return dues.pop((who, what, about), None)


def answer(dues: Dues, who: str, what: str, about: int) -> Due | None:
    """Remove what a record answers of what somebody owes, and return it: what is about the same as that, else the oldest."""
    own = owed(dues, what, who)
    found = next((due for due in own if due.about == about), next(iter(own), None))
    return pay(dues, who, what, found.about) if found else None


def owed(dues: Dues, what: str, who: str = "") -> list[Due]:
    """Return what is owed of one kind, by one combatant or by all."""
    return [due for due in dues.values() if due.what == what and who in ("", due.who)]


def outstanding(dues: Dues, by: str, who: str = "") -> list[Due]:
    """Return what is owed before a boundary, by one combatant or by all."""
    return [due for due in dues.values() if due.by == by and who in ("", due.who)]


def lapse(dues: Dues, by: str, who: str = "") -> list[Due]:
    """Remove what is owed before a boundary, once that has come for one combatant or for all, and return it."""
    return [dues.pop((due.who, due.what, due.about)) for due in outstanding(dues, by, who)]
