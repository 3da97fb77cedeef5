"""Who comes when, what waits, and what a turn has to spend."""

from typing import Any

from ember_road.state import EmberState
from eventstore.events import InitiativeRolled, TurnDelayed, TurnResumed, TurnStarted
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.folds import budget, counts, dues, levels
from projections.mechanics.resources import Resource, uses
from projections.mechanics.rolls import initiative_of
from projections.occurrence import Occurrence
from projections.ruleset.budget import amount_by_row
from projections.ruleset.ruleset import Breach, check, derives
from projections.scheduling.turn_schedule import boundaries_with_waiting, breach_of_order, move_behind_last
from projections.time import Boundary


@derives("order.highest-first", "order.quicker-first", on=InitiativeRolled)
def place_is_thrown_for(state: EmberState, fact: Occurrence[InitiativeRolled]) -> None:
    """Keep the values that a combatant is sorted by: its throw with its quickness, then its quickness."""
    if one := state.combatants.get(fact.event.combatant or ""):
        key = {"throw": initiative_of(fact.event, one.sheet.quick), "quick": one.sheet.quick}
        state.thrown[one.id] = Derived(key, Because(place_is_thrown_for.rules, (fact.seq, *one.records("quick"))))


def ranked(state: EmberState) -> list[list[str]]:
    """Return everybody who has thrown, from the highest down."""
    return [[who] for who in sorted(state.thrown, key=lambda who: [*state.thrown[who].value.values()], reverse=True)]


@derives("round.follows-turns", "delay.others-go-on", "delay.lost")
def boundaries_crossed(state: EmberState, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
    """Return the boundaries of rounds and turns, also of delayed turns."""
    return boundaries_with_waiting(state, fact)


@derives("delay.new-place", on=TurnResumed)
def place_changes(state: EmberState, fact: Occurrence[TurnResumed]) -> None:
    """Let a combatant that delayed keep the place at which it takes its turn."""
    move_behind_last(state, fact)


@check("delay.before-acting", on=TurnDelayed)
def nothing_was_done_before_a_delay(state: EmberState, fact: Occurrence[TurnDelayed]) -> Breach | None:
    spent = uses(state.spending, fact.event.combatant, "action")
    return Breach("it has acted already", "a delay first", "acts", tuple(use.seq for use in spent)) if spent else None


@check("turn.in-order", on=TurnStarted)
def turns_come_in_order(state: EmberState, fact: Occurrence[TurnStarted]) -> Breach | None:
    return breach_of_order(state, fact)


SPENDING = budget.budget_functions(__name__, "turn.three-actions", "turn.one-reaction")
COUNTING = counts.count_functions(__name__, "attack.grows-harder", "attack.light-weapons")
FADING = levels.level_functions(
    __name__,
    "fear.higher-stays",
    "fear.fades",
    "slowed.higher-stays",
    "burn.higher-stays",
    "life.dying",
    "life.dead-at-four",
    "life.wounded",
)
OWED = dues.due_steps(
    __name__,
    "burn.flat-throw",
    "burn.hurts",
    "life.throw-each-turn",
    holds=lambda state, due: (
        levels.condition_level(state, due.who, "burning" if due.by == "turn began" else "dying").value > 0
    ),
)


@derives("slowed.fewer-actions")
def whole(state: EmberState, one: Combatant, thing: Resource) -> Derived[int]:
    """Return the full amount of a combatant's resource: its row's, less the actions lost by being slowed."""
    full = amount_by_row(state, one, thing)
    if thing.name != "action":
        return full
    slowed = levels.condition_level(state, one.id, "slowed")
    return Derived(full.value - slowed.value, Because(whole.rules, of=(full, slowed)))
