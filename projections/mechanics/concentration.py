"""Concentration: who concentrates on what since which record, and what last broke it.

Work takes up its doer's concentration as long as it is under way; what has to be maintained afterwards is held here.
Whoever begins to concentrate on something new lets go of what they held before.
"""

from collections.abc import Iterable

from msgspec import Struct

from projections.because import Because, Derived
from projections.mechanics.work import BEGUN, Counts, Work, status


class Held(Struct, frozen=True, gc=False):
    """Something that somebody concentrates on, with the record that began it."""

    name: str
    seq: int


class Concentration(Struct):
    """The concentration of all combatants: what each holds, and why each last lost what it held."""

    held: dict[str, Held] = {}
    lost: dict[str, Because] = {}


def hold(on: Concentration, who: str, name: str, seq: int, rules: tuple[str, ...]) -> Held | None:
    """Begin somebody's concentration on something; return what was held before, or None."""
    before = let_go(on, who, Because(rules, (seq,)))
    on.held[who] = Held(name, seq)
    return before


def let_go(on: Concentration, who: str, because: Because) -> Held | None:
    """End somebody's concentration, for a reason; return what was held."""
    before = on.held.pop(who, None)
    if before is not None:
        on.lost[who] = because + Because((), (before.seq,))
    return before


def holds(on: Concentration, who: str) -> Derived[Held | None]:
    """Return what somebody concentrates on, because of what began it or what last ended it."""
    held = on.held.get(who)
    return Derived(held, Because((), (held.seq,)) if held else on.lost.get(who, Because()))


def on_work(works: Iterable[Work], who: str, counts: Counts) -> Derived[str]:
    """Return the name of the work that somebody began last, "" once it is over, citing its beginning or its end."""
    own = [work for work in works if work.who == who]
    if not own:
        return Derived("", Because())
    how = status(own[-1], counts)
    return Derived(own[-1].name if how.value == BEGUN else "", how.because)
