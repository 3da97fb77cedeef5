"""Dues: what somebody owes before a boundary of time, such as a die before the round begins."""

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
    """Let somebody owe something; what is owed already stays as it is."""
    dues.setdefault((due.who, due.what), due)


def pay(dues: Dues, who: str, what: str) -> Due | None:
    """Let somebody pay what it owes, and return that; None where nothing of it was owed."""
    return dues.pop((who, what), None)


def outstanding(dues: Dues, by: str) -> list[Due]:
    """Return what has to be paid before a boundary and is not."""
    return [due for due in dues.values() if due.by == by]
