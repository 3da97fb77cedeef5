"""OSRIC: a side's die names the other side's segment; spells take their time and are spoiled by damage."""

from pathlib import Path

from projections.rulesets.osric import casting, checks, order, timeline, vitals
from projections.rulesets.osric.sheet import CALENDAR, Sheet
from projections.rulesets.osric.state import OsricState
from projections.rulesets.ruleset import Ruleset, checks_of, steps_of
from projections.state import Because

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
    steps=steps_of(order, casting, vitals, timeline),
    checks=checks_of(checks),
    loss=vitals.loss,
    status=vitals.status,
    order=order.slots,
    timeline=timeline.entries,
    budget=timeline.budget,
    concentration=timeline.concentration,
    casting=timeline.casting,
    hit_points=Because(vitals.loss.rules),
    counts_rounds=True,
)
