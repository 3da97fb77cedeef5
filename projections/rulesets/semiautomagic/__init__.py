"""Semiautomagic: turns of six seconds spent one by one, actions that run on, delays counted in own seconds."""

from eventstore.events import TurnStarted
from projections.rulesets.ruleset import Ruleset, boundaries_of, checks_of, steps_of
from projections.rulesets.schedule import Schedule
from projections.rulesets.semiautomagic import (
    addresses,
    checks,
    effects,
    moves,
    order,
    outcomes,
    seconds,
    timeline,
    turns,
    vitals,
)
from projections.rulesets.semiautomagic.reading import Reading
from projections.rulesets.semiautomagic.sheet import CALENDAR, RULES, Sheet
from projections.rulesets.semiautomagic.state import SECONDS, SecondsRound, SemiautomagicState

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
    statuses=vitals.STATUSES,
    steps=steps_of(order, turns, seconds, effects),
    boundaries=boundaries_of(turns),
    checks=checks_of(checks, outcomes),
    reading=Reading,
    pools=vitals.pools,
    status=vitals.status,
    order=order.slots,
    names=order.names,
    turns=order.listed,
    timeline=timeline.entries,
    budget=timeline.budget,
    due=addresses.who_is_due,
    concentration=timeline.concentration,
    casting=timeline.casting,
    addresses=addresses.ADDRESSES,
    clock_rules=("round.one-turn-each",),
    schedule=Schedule(
        moves=moves.moves,
        meets=turns.meets,
        rounds_from=(TurnStarted,),
        shows=turns.shows,
        moment=effects.moment,
        pending=effects.is_pending,
    ),
    strip=("second", SECONDS),
)
