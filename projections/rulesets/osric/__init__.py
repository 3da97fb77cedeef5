"""OSRIC: a side's die names the other side's segment; spells take their time and are spoiled by damage."""

from pathlib import Path

from projections.rulesets.osric import (
    acts,
    casting,
    checks,
    hindsight,
    openings,
    order,
    places,
    rights,
    spoiling,
    surprise,
    timeline,
    values,
    vitals,
    waits,
)
from projections.rulesets.osric.sheet import CALENDAR, Sheet
from projections.rulesets.osric.state import OsricState
from projections.rulesets.ruleset import Ruleset, checks_of, steps_of
from projections.rulesets.schedule import Schedule

RULESET = Ruleset(
    key="osric",
    revision=1,
    title="OSRIC, the combat chapter",
    scheduler="segments",
    rules=Path(__file__).with_name("rules.toml"),
    state=OsricState,
    sheet=Sheet,
    calendar=CALENDAR,
    statuses=vitals.STATUSES,
    steps=steps_of(surprise, order, spoiling, casting, openings, acts, checks),
    checks=checks_of(places, rights, waits, checks, hindsight),
    pools=vitals.pools,
    status=vitals.status,
    order=order.slots,
    timeline=timeline.entries,
    budget=timeline.budget,
    concentration=timeline.concentration,
    casting=timeline.casting,
    value=values.value,
    clock_rules=surprise.seconds.rules,
    effect_rules=("effects.take-hold-at-once",),
    schedule=Schedule(meets=order.meets, missing=order.missing),
    strip=("segment", 10),
)
