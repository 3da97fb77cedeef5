"""Semiautomagic: turns of six seconds spent one by one, actions that run on, delays counted in own seconds."""

from eventstore.events import RoundStarted, TurnStarted
from projections.folds import durations
from projections.ruleset.ruleset import Ruleset, boundaries_of, checks_of, steps_of
from projections.rulesets.semiautomagic import addresses, effects, order, seconds, state, timeline, turns
from projections.rulesets.semiautomagic.seconds import Reading
from projections.rulesets.semiautomagic.state import CALENDAR, RULES, SECONDS, SecondsRound, SemiautomagicState, Sheet
from projections.scheduling.turn_schedule import TurnSchedule

RULESET = Ruleset(
    key="semiautomagic",
    revision=1,
    title="Semiautomagic, the combat chapter",
    scheduler="seconds",
    rules=RULES,
    state=SemiautomagicState,
    round=SecondsRound,
    sheet=Sheet,
    calendar=CALENDAR,
    statuses=state.STATUSES,
    steps=steps_of(__name__, durations),
    boundaries=boundaries_of(__name__, durations),
    checks=checks_of(__name__),
    reading=Reading,
    idle=seconds.brings_nothing_about,
    pools=state.pools,
    status=state.status_of,
    durations=effects.DURATIONS,
    budget=addresses.BUDGET,
    concentration=timeline.concentration,
    casting=timeline.casting,
    addresses=addresses.ADDRESSES,
    clock_rules=("round.one-turn-each",),
    schedule=TurnSchedule(
        ranked=order.ranked,
        key=order.key,
        rules=order.ranked.rules,
        ruled=order.ruled,
        follows=lambda _state, _boundary: None,  # turns can interrupt one another: turns.py has them
        waiting=addresses.who_is_due,
        rows=timeline.entries,
        moves=timeline.moves,
        crossed=turns.boundaries_crossed,
        rounds_from=(RoundStarted, TurnStarted),
        shows=turns.clock_shown,
        moment=effects.moment,
        pending=effects.is_pending,
    ),
    strip=("second", SECONDS),
)
