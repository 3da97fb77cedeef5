"""Semiautomagic: turns of six seconds spent one by one, actions that run on, delays counted in own seconds."""

from eventstore.events import RoundStarted, TurnStarted
from projections.folds import durations
from projections.ruleset.ruleset import Ruleset, boundaries_of, checks_of, steps_of
from projections.rulesets.semiautomagic import addresses, effects, order, seconds, state, timeline, turns
from projections.rulesets.semiautomagic.seconds import Reading
from projections.rulesets.semiautomagic.state import CALENDAR, RULES, SECONDS, SecondsRound, SecondsState, Sheet
from projections.scheduling.turn_schedule import TurnSchedule

RULESET = Ruleset(
    key="semiautomagic",
    revision=1,
    title="Semiautomagic, the combat chapter",
    scheduler="seconds",
    rules=RULES,
    state=SecondsState,
    round=SecondsRound,
    sheet=Sheet,
    calendar=CALENDAR,
    statuses=state.STATUSES,
    steps=steps_of(__name__, durations),
    boundaries=boundaries_of(__name__, durations),
    checks=checks_of(__name__),
    reading=Reading,
    idle=seconds.has_no_outcome,
    pools=state.pools,
    status=state.status_of,
    durations=effects.DURATIONS,
    budget=addresses.BUDGET,
    concentration=timeline.concentration_object,
    casting=timeline.casting_row,
    addresses=addresses.ADDRESSES,
    clock_rules=("round.one-turn-each",),
    schedule=TurnSchedule(
        ranked=order.ranked_combatants,
        key=order.order_key,
        rules=order.ranked_combatants.rules,
        ruled=order.combatants_ruled_first,
        cross_boundary=lambda _state, _boundary: None,  # turns can interrupt one another: turns.py has them
        due=addresses.due_combatants,
        rows=timeline.timeline_rows,
        moves=timeline.clock_move,
        crossed=turns.boundaries_crossed,
        rounds_from=(RoundStarted, TurnStarted),
        shows=turns.clock_shown,
        moment=effects.point_of_fact,
        pending=lambda state, event: effects.effect_called_off(state, event) is not None,
    ),
    strip=("second", SECONDS),
)
