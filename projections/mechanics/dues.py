"""Dues: what a combatant has to do before a boundary of time, such as roll a die before the round begins."""

from msgspec import Struct, structs

from projections.because import Because


class Due(Struct, frozen=True, gc=False):
    """Something owed: by whom, what, before which boundary (in the game's own word), and why.

    `about` is the record that brought it about, where several of one kind stand side by side; 0 for what is owed once.
    `answered` is the record that did, of a due that stays until its boundary to say so; else 0.
    """

    who: str
    what: str
    by: str
    because: Because = Because()
    about: int = 0
    answered: int = 0


Dues = dict[tuple[str, str, int], Due]
"""What is owed, by who owes it, what it is and what it is about, in the order in which it fell due."""


def owe(dues: Dues, due: Due) -> None:
    """Record that a combatant owes something; what is owed already stays as it is."""
    key = due.who, due.what, due.about
    if key in dues and dues[key].answered:
        del dues[key]
    dues.setdefault(key, due)


def pay(dues: Dues, who: str, what: str, about: int = 0) -> Due | None:
    """Remove what a combatant owed, and return it; None if it was not owed."""
    return dues.pop((who, what, about), None)


def answer(dues: Dues, who: str, what: str, about: int, by: int = 0) -> Due | None:
    """Return what a record answers of what a combatant owes: what is about the same as that, else the oldest. It is owed no more.

    With `by`, the record that answers it, it can be told until the boundary who answered what.
    """
    own = owed(dues, what, who)
    found = next((due for due in own if due.about == about), next(iter(own), None))
    if found and by:
        dues[who, what, found.about] = structs.replace(found, answered=by)
        return found
    return pay(dues, who, what, found.about) if found else None


def answers(dues: Dues, what: str, who: str) -> tuple[int, ...]:
    """Return the records that answered what a combatant owed of one kind, until its boundary."""
    return tuple(due.answered for due in dues.values() if due.answered and (due.what, due.who) == (what, who))


def owed(dues: Dues, what: str, who: str = "") -> list[Due]:
    """Return what is owed of one kind, by one combatant or by all."""
    return [due for due in dues.values() if due.what == what and who in ("", due.who) and not due.answered]


def outstanding(dues: Dues, by: str, who: str = "") -> list[Due]:
    """Return what is owed before a boundary, by one combatant or by all."""
    return [due for due in dues.values() if due.by == by and who in ("", due.who) and not due.answered]


def lapse(dues: Dues, by: str, who: str = "") -> list[Due]:
    """Remove what is owed before a boundary, once that has come for one combatant or for all, and return what nobody answered."""
    over = [key for key, due in dues.items() if due.by == by and who in ("", due.who)]
    return [due for due in map(dues.pop, over) if not due.answered]
