"""Acts that count, and the modifier of the next one, such as an attack penalty that grows: `<who>.next.<name>`.

`[[count]]` rows of a catalogue give the kinds of acts, the modifier of the first, the second and so on, and when
counting begins again. Acts whose name is in a list on the sheet, such as light weapons, may have modifiers of their own
(`or`, `or_by`). A ruleset with such rows lists `ADDRESSES` among its own, and names in one of its modules the functions that `count_functions` makes of the
clauses: an act of the kinds counts, a roll with another modifier is found, and counting begins again at the row's boundary.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from msgspec import Struct

from eventstore.events import ActionTaken, AttackRolled
from projections.address import Address, a_number
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.mechanics import resources
from projections.mechanics.resources import RETURNS
from projections.occurrence import Occurrence
from projections.ruleset.catalogue import rows_by_name
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Marked, derives, in_module
from projections.state import State
from projections.time import Boundary


class Count(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    rename={"others": "or", "others_by": "or_by", "others_rule": "or_rule"},
):
    """A row in the table of counts."""

    name: str
    """The name of the count; the address of the next modifier is `<who>.next.<name>`."""
    kinds: tuple[str, ...]
    """The kinds of acts that count."""
    modifier: str
    """The modifier of a roll by its name, such as `map`."""
    next: tuple[int, ...]
    """The modifiers of the first act, the second and so on; the last one is that of all further ones."""
    rule: str
    """The clause on it."""
    returns: str = "own-turn-start"
    """The word for when counting begins again."""
    others: tuple[int, ...] = ()
    """The modifiers of acts whose name a field of the sheet lists (`or`)."""
    others_by: str = ""
    """That field (`or_by`)."""
    others_rule: str = ""
    """The clause on these (`or_rule`); by default `rule`."""


def count_rows(state: State) -> dict[str, Count]:
    """Return the counts of a ruleset by name, as its catalogue has them."""
    return rows_by_name(state.rules.rules, "count", Count)


def next_modifier(state: State, one: Combatant, name: str, act: str = "", but: int = 0) -> Derived[int]:
    """Return the modifier of a combatant's next act of a count, by this name; the record `but` does not count."""
    row = count_rows(state)[name]
    before = resources.amount_spent(state.spending, one.id, _memo_key(row), but=(but,))
    other = act.casefold() in (str(each).casefold() for each in getattr(one.sheet, row.others_by, ())) if act else False
    sheet = one.records(row.others_by) if other else ()
    value = modifier_after(row, before.value, other=other)
    rule = (row.others_rule or row.rule) if other else row.rule
    return Derived(value, Because((rule,), sheet or (one.joined,), (before,)))


def modifier_after(row: Count, before: int, *, other: bool = False) -> int:
    """Return the modifier of an act after so many others."""
    steps = row.others if other else row.next
    return steps[min(before, len(steps) - 1)]


def _memo_key(row: Count) -> str:
    return f"count of {row.name}"


# ---------------------------------------------------------------- by the rows of a catalogue


def count_act(state: State, fact: Occurrence[ActionTaken]) -> None:
    """Count an act of a kind that the row names."""
    for row in count_rows(state).values():
        if fact.kind in row.kinds:
            resources.record_use(state.spending, fact.event.combatant, _memo_key(row), fact.seq)


def restart_counts(state: State, boundary: Boundary) -> None:
    """Begin to count again at a boundary: for its combatant, or for all if it has none."""
    for row in count_rows(state).values():
        if RETURNS.get(row.returns) == boundary.kind:
            resources.renew_resource(state.spending, _memo_key(row), boundary.seq, boundary.who)


def wrong_modifier(state: State, fact: Occurrence[AttackRolled]) -> Iterator[Fault]:
    """Yield a fault if a roll states another modifier for a count than the acts before it give."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    act = state.moments.get(fact.cause)
    said = {each.name.casefold(): each.amount for each in event.modifiers}
    for row in count_rows(state).values() if said else ():
        if act is None or not isinstance(act.event, ActionTaken) or act.kind not in row.kinds:
            continue
        wanted = next_modifier(state, one, row.name, event.name or act.event.action.name or "", but=fact.cause)
        found = said.get(row.modifier, 0)
        if found != wanted.value:
            says = f"{one.id} rolls with {found:+d} for {row.modifier}"
            yield Fault(wanted.because.rules, says, f"{wanted.value:+d}", f"{found:+d}", wanted.because.flat().events)


def count_functions(module: str, *rules: str) -> tuple[Marked, ...]:
    """Return the functions that count, begin again and check by these clauses, as functions of a module of rules."""
    return in_module(
        module,
        derives(*rules, on=ActionTaken)(count_act),
        derives(*rules, at=tuple(RETURNS.values()))(restart_counts),
        *checks_by(*rules, on=AttackRolled)(wrong_modifier),
    )


# ---------------------------------------------------------------- address


ADDRESSES: tuple[Address, ...] = (
    Address(
        "<who>.next.<name>",
        lambda s, who, name: next_modifier(s, s.combatants[who], name) if name in count_rows(s) else None,
        says="the modifier of its next act of a kind that counts",
        wants=a_number,
        until="turn",
        places=lambda state: product(state.combatants, count_rows(state)),
        notable=True,
    ),
)
"""The addresses of a ruleset with such rows."""
