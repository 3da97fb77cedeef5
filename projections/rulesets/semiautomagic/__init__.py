"""Semiautomagic: turns of six seconds paid second by second, actions that run on, delays that count own seconds."""

from pathlib import Path

from eventstore.events import InitiativeRolled, TurnStarted
from projections.rulesets.ruleset import Ruleset, checks_of, steps_of
from projections.rulesets.schedule import Schedule, turns_as_recorded
from projections.rulesets.semiautomagic import (
    checks,
    claims,
    contests,
    delays,
    order,
    outcomes,
    seconds,
    timeline,
    turns,
    values,
    vitals,
)
from projections.rulesets.semiautomagic.sheet import CALENDAR, Sheet
from projections.rulesets.semiautomagic.state import SECONDS, SemiautomagicState

RULESET = Ruleset(
    key="semiautomagic",
    revision=1,
    title="Semiautomagic, the combat chapter",
    scheduler="seconds",
    rules=Path(__file__).with_name("rules.toml"),
    state=SemiautomagicState,
    sheet=Sheet,
    calendar=CALENDAR,
    statuses=vitals.STATUSES,
    steps=steps_of(order, contests, turns, seconds, delays, outcomes),
    checks=checks_of(checks, claims),
    pools=vitals.pools,
    status=vitals.status,
    order=order.slots,
    timeline=timeline.entries,
    budget=timeline.budget,
    concentration=timeline.concentration,
    casting=timeline.casting,
    value=values.value,
    clock_rules=("round.one-turn-each",),
    schedule=Schedule(
        meets=turns_as_recorded,
        rounds_from=(TurnStarted, InitiativeRolled),
        moment=timeline.moment,
        pending=delays.is_pending,
    ),
    strip=("second", SECONDS),
)
