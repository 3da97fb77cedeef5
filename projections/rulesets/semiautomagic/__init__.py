"""Semiautomagic: turns of six seconds paid second by second, actions that run on, delays that count own seconds."""

from pathlib import Path

from projections.rulesets.ruleset import Ruleset, checks_of, steps_of
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
from projections.state import Because

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
    loss=vitals.loss,
    status=vitals.status,
    order=order.slots,
    timeline=timeline.entries,
    budget=timeline.budget,
    concentration=timeline.concentration,
    casting=timeline.casting,
    hit_points=Because(vitals.loss.rules),
    value=values.value,
    moment=timeline.moment,
    pending=delays.is_pending,
    clock_rules=("round.one-turn-each",),
    derives_rounds=True,
    strip=("second", SECONDS),
)
