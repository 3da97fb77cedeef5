"""The order of a round as it is shown: the ruleset's, or that of a ruling, which takes precedence."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import structs

from eventstore.events import CombatantJoined, Fact, InitiativeRolled
from projections.address import NOTHING, Address
from projections.because import NOTHING_CITED, Because, Derived
from projections.fight import Slot, TimelineRow
from projections.folds.clock import because_of
from projections.folds.effects import stated_list
from projections.folds.vitals import status_or_left
from projections.mechanics.memo import memoize
from projections.occurrence import Occurrence
from projections.open_types import Json
from projections.ruleset.ruleset import derives
from projections.ruleset.schedule import KeptOrder, Names
from projections.state import State

DUE = "due"
"""The status of a timeline row of a combatant who may act and has not."""


@derives(on=(CombatantJoined, InitiativeRolled))
def disturb_order(state: State, _fact: Occurrence[Fact]) -> None:
    """Let the schedule derive the order again."""
    state.rules.schedule.rederive_order(state)


@derives("log.ruling", on=InitiativeRolled)
def end_ruled_order(state: State, fact: Occurrence[InitiativeRolled]) -> None:
    """End a ruled order once a combatant in it has a new roll."""
    if state.ruled_order:
        rolled = combatants_of_roll(state, fact.event)
        if any(who in rolled for group in state.ruled_order[1] for who in group):
            state.ruled_order = None


def combatants_of_roll(state: State, event: InitiativeRolled) -> tuple[str, ...]:
    """Return the combatants that a roll is for: the named ones, and the members of a named side."""
    side = [one.id for one in state.here() if one.side == event.side] if event.side else []
    named = dict.fromkeys((event.combatant or "", *event.together, *side))
    return tuple(who for who in named if who in state.combatants)


@memoize
def order_of(state: State) -> tuple[Slot, ...]:
    """Return the order of the round; a ruled order takes precedence, and those not in it come after."""
    derived = state.rules.schedule.order(state)
    if state.ruled_order is None:
        return derived
    seq, groups = state.ruled_order
    own = {who: slot for slot in derived for who in slot.combatants}
    here = {one.id for one in state.here()}
    ruled = [_ruled_slot(members, own, seq) for group in groups if (members := [who for who in group if who in here])]
    named = {who for group in groups for who in group}
    rest = [(tuple(who for who in slot.combatants if who not in named), slot) for slot in derived]
    return (*ruled, *(structs.replace(slot, combatants=others) for others, slot in rest if others))


def names_in_order(state: State) -> Names:
    """Return the order of the round as names only; combatants who act simultaneously are grouped."""
    if state.ruled_order is None:
        return state.rules.schedule.names_in_order(state)
    return [list(slot.combatants) for slot in order_of(state)]


class OrderKept:
    """The order from fact to fact, as the schedule of the ruleset keeps it; a ruled one takes precedence."""

    def __init__(self) -> None:
        self.kept: KeptOrder | None = None

    def names(self, state: State, touched: Iterable[str]) -> Names:
        """Return the order as names after a fact that touched these."""
        if self.kept is None:
            self.kept = state.rules.schedule.make_kept_order()
        if state.ruled_order is None:
            return self.kept.update_names(state, touched)
        self.kept.forget()
        return names_in_order(state)


def _ruled_slot(members: list[str], own: dict[str, Slot], seq: int) -> Slot:
    """Return the slot of combatants whom a ruling puts in one place, with the ruleset's key of the first one."""
    derived = own.get(members[0])
    because = sum((own[who].because for who in members if who in own), NOTHING_CITED) + Because(("log.ruling",), (seq,))
    if derived is None:
        return Slot(tuple(members), {}, because)
    return structs.replace(derived, combatants=tuple(members), because=because)


def read(state: State) -> Derived[Json]:
    """Return the order as names, grouped if they act simultaneously, with the reasons of all places."""
    found = order_of(state)
    because = sum((slot.because for slot in found), NOTHING_CITED) or state.rules.schedule.why_empty(state)
    return Derived([list(slot.combatants) for slot in found], because + state.rules.schedule.why_absent(state))


@memoize
def round_rows(state: State) -> tuple[TimelineRow, ...]:
    """Return the rows of the timeline; once the fight is over nobody is due."""
    rows = state.rules.schedule.rows(state)
    return tuple(row for row in rows if row.status != DUE) if state.closed else rows


def _combatants_due(state: State) -> Derived[list[str]]:
    """Return the combatants still to act in this round, in order; the reason is all places, rows and statuses."""
    rows = round_rows(state)
    waiting = dict.fromkeys(row.combatant for row in rows if row.status == DUE)
    reasons = [because_of(state, "round"), *(slot.because for slot in order_of(state))]
    reasons += [each for row in rows for each in (row.because, Because((), row.events))]
    reasons += [status_or_left(one).because for one in state.combatants.values()]
    of = tuple(Derived(None, each) for each in (*reasons, state.rules.schedule.other_reasons(state)))
    return Derived(list(waiting), Because(state.rules.clock_rules, (), of))


def _check_order(state: State, value: object) -> str:
    named = [name for item in stated_list(value) for name in stated_list(item)]
    if (not named and value != NOTHING) or any(n not in state.combatants and n not in state.sides for n in named):
        return "a list of those who have joined, or none"
    return ""


def _rule_order(state: State, value: Json, seq: int) -> None:
    placed: set[str] = set()
    groups = []
    for item in stated_list(value):
        names = stated_list(item)
        sides = {name: [one.id for one in state.here() if one.side == name] for name in names}
        meant = (who for name in names for who in ([name] if name in state.combatants else sides[name]))
        members = dict.fromkeys(who for who in meant if who not in placed)
        placed.update(members)
        if members:
            groups.append(tuple(members))
    state.ruled_order = (seq, tuple(groups)) if groups else None


@memoize
def who_is_due(state: State) -> Derived[list[str]]:
    """Return who is still to act in this round, in order, as the ruleset or else the rows say; nobody in a closed fight."""
    if state.closed:
        return Derived([], Because(("log.closed",), (state.closed,)))
    due = state.rules.schedule.due(state) or _combatants_due(state)
    if state.ruled_order and len(due.value) > 1:
        return Derived(due.value, due.because + Because(("log.ruling",), (state.ruled_order[0],)))
    return due


ORDER = Address("order", read, says="the order, with who acts simultaneously", wants=_check_order, rule=_rule_order)
ADDRESSES = (
    ORDER,
    Address(
        "due",
        who_is_due,
        says="whose turn may begin now",
        fixed="it follows from the order and from what was done",
        ordered=True,
    ),
)
