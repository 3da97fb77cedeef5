"""The ledger of uses: who used what, when and against whom, since it was last renewed.

A use counts until what was used is renewed: with each turn, round or fight, as the ruleset says.
"""

from collections.abc import Container

from msgspec import Struct

from projections.because import Because, Derived


class Use(Struct, frozen=True, gc=False):
    """One use of something: the record, and against whom, if anybody."""

    seq: int
    against: str = ""


class Ledger(Struct):
    """The uses since the last renewal, by what was used and by whom.

    `renewed` has the record that last renewed each thing that had been used.
    """

    uses: dict[str, dict[str, list[Use]]] = {}
    renewed: dict[tuple[str, str], int] = {}


def use(ledger: Ledger, who: str, what: str, seq: int, against: str = "") -> None:
    """Record a use."""
    ledger.uses.setdefault(what, {}).setdefault(who, []).append(Use(seq, against))


def uses(ledger: Ledger, who: str, what: str) -> list[Use]:
    """Return somebody's uses of something since it was last renewed."""
    return ledger.uses.get(what, {}).get(who, [])


def used(ledger: Ledger, who: str, what: str, against: str = "", but: Container[int] = ()) -> Derived[int]:
    """Return how often somebody used something since it was last renewed, citing these uses, or the renewal.

    With `against` only uses against that one count; records in `but` do not count.
    """
    counted = [each.seq for each in uses(ledger, who, what) if against in ("", each.against) and each.seq not in but]
    renewed = ledger.renewed.get((who, what))
    return Derived(len(counted), Because((), tuple(counted) if renewed is None else (renewed, *counted)))


def renew(ledger: Ledger, what: str, seq: int, who: str = "") -> None:
    """Forget the uses of something, by one combatant or by all."""
    own = ledger.uses.get(what, {})
    for each in (who,) if who else tuple(own):
        ledger.renewed.pop((each, what), None)
        if own.pop(each, None):
            ledger.renewed[each, what] = seq
