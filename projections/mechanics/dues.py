"""Dues: what somebody has to do before a boundary of time, such as roll a die before the round begins."""

from msgspec import Struct

from projections.because import Because


class Due(Struct, frozen=True, gc=False):
    """Something owed: by whom, what, before which boundary (in the game's own word), and why."""

    who: str
    what: str
    by: str
    because: Because = Because()


Dues = dict[tuple[str, str], Due]
"""What is owed and not yet paid, by who owes it and what it is, in the order in which it fell due."""


def owe(dues: Dues, due: Due) -> None:
    """Record that somebody owes something; what is owed already stays as it is."""
    dues.setdefault((due.who, due.what), due)


def pay(dues: Dues, who: str, what: str) -> Due | None:
    """Remove what somebody owed, and return it; None if it was not owed."""
    return dues.pop((who, what), None)


def outstanding(dues: Dues, by: str) -> list[Due]:
    """Return what is owed before a boundary."""
    return [due for due in dues.values() if due.by == by]
