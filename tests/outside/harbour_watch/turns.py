"""Who comes when, what a turn has to spend, and what has to be thrown before it is over."""

from collections.abc import Iterator
from typing import Any

from eventstore.events import InitiativeRolled, TurnEnded, TurnStarted
from harbour_watch.state import WatchState
from projections.because import Because, Derived
from projections.folds import budget, dues
from projections.mechanics.conditions import effects_held
from projections.mechanics.dues import Due
from projections.mechanics.rolls import total
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.scheduling.turn_schedule import boundaries_from_turns, breach_of_order
from projections.time import Boundary


@derives("order.highest-first", "order.quicker-first", on=InitiativeRolled)
def place_is_thrown_for(state: WatchState, fact: Occurrence[InitiativeRolled]) -> None:
    """Keep the values that a combatant is sorted by: its throw with its quickness, then its quickness."""
    if one := state.combatants.get(fact.event.combatant or ""):
        because = Because(place_is_thrown_for.rules, (fact.seq, *one.records("quick")))
        thrown = total(fact.event.die or 0, bonus=one.sheet.quick)
        state.thrown[one.id] = Derived({"throw": thrown, "quick": one.sheet.quick}, because)


def ranked(state: WatchState) -> list[list[str]]:
    """Return everybody who has thrown, from the highest down."""
    return [[who] for who in sorted(state.thrown, key=lambda who: [*state.thrown[who].value.values()], reverse=True)]


@derives("round.follows-turns")
def boundaries_crossed(state: WatchState, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
    """Return the boundaries of turns, and of the rounds that follow from them."""
    return boundaries_from_turns(state, fact)


@check("turn.in-order", on=TurnStarted)
def turns_come_in_order(state: WatchState, fact: Occurrence[TurnStarted]) -> Breach | None:
    return breach_of_order(state, fact)


SPENDING = budget.budget_functions(__name__, "turn.one-action", "turn.one-reaction", "turn.pace")

OWED = ("song.blow-asks", "water.throw-each-turn")


@checks_by(*OWED, on=(TurnStarted, TurnEnded))
def what_is_owed_is_thrown(state: WatchState, fact: Occurrence[Any]) -> Iterator[Fault]:
    """Yield a throw that its time goes by without, of who still sings, or is still down."""

    def holds(due: Due) -> bool:
        sings = bool(effects_held(state.effects, due.who))
        return sings if due.by == "turn began" else state.combatants[due.who].status == "down"

    return dues.unpaid_dues(state, fact, holds)


@derives(*OWED, at=("turn began", "turn ended"))
def what_is_owed_lapses(state: WatchState, time: Boundary) -> None:
    """Let a throw lapse that its time went by without."""
    dues.lapse_at(state, time)
