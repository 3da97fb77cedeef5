"""Nameless Journey: a turn list with Action, Quick Action, Interaction and Reaction; durations on the originator's clock."""

from eventstore.events import InitiativeRolled, RoundStarted, TurnStarted
from projections.because import Because
from projections.ruleset.ruleset import Ruleset, boundaries_of, checks_of, steps_of
from projections.rulesets.nameless_journey import effects, order, reactions, state, timeline, turns
from projections.rulesets.nameless_journey.state import CALENDAR, RULES, NamelessRound, NamelessState, Sheet
from projections.scheduling.turn_schedule import TurnSchedule

RULESET = Ruleset(
    key="nameless-journey",
    revision=1,
    title="Nameless Journey, the combat chapter",
    scheduler="turn list",
    rules=RULES,
    state=NamelessState,
    round=NamelessRound,
    sheet=Sheet,
    calendar=CALENDAR,
    statuses=state.STATUSES,
    steps=steps_of(__name__),
    boundaries=boundaries_of(__name__),
    checks=checks_of(__name__),
    idle=effects.has_no_outcome,
    pools=state.pools,
    status=state.status,
    durations=effects.DURATIONS,
    budget=timeline.BUDGET,
    answerable=reactions.can_react,
    concentration=lambda _state, one: ("", Because(effects.place_of_end.rules, (one.joined,))),
    addresses=(*order.ADDRESSES, *turns.ADDRESSES, *effects.ADDRESSES, *timeline.ADDRESSES),
    clock_rules=turns.open_round.rules,
    effect_rules=("effect.ends-at-turn-start", "effect.counts-from-originators-turn"),
    schedule=TurnSchedule(
        ranked=order.ranked_combatants,
        key=order.order_key,
        rules=order.make_key.rules,
        due=turns.due_with_reason,
        rows=timeline.timeline_rows,
        moves=turns.clock_move,
        crossed=turns.boundaries_crossed,
        rounds_from=(RoundStarted, TurnStarted, InitiativeRolled),
        within=(),
    ),
)
