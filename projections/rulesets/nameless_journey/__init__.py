"""Nameless Journey: a turn list with Action, Quick Action, Interaction and Reaction; durations on the originator's clock."""

from pathlib import Path

from eventstore.events import InitiativeRolled, TurnStarted
from projections.rulesets.nameless_journey import (
    checks,
    effects,
    ground,
    moves,
    order,
    reactions,
    resources,
    spending,
    timeline,
    turns,
    values,
    vitals,
)
from projections.rulesets.nameless_journey.sheet import CALENDAR, Sheet
from projections.rulesets.nameless_journey.state import NamelessState
from projections.rulesets.ruleset import Ruleset, checks_of, steps_of
from projections.rulesets.schedule import Schedule, turns_as_recorded

RULESET = Ruleset(
    key="nameless-journey",
    revision=1,
    title="Nameless Journey, the combat chapter",
    scheduler="turn list",
    rules=Path(__file__).with_name("rules.toml"),
    state=NamelessState,
    sheet=Sheet,
    calendar=CALENDAR,
    statuses=vitals.STATUSES,
    steps=steps_of(order, turns, effects, resources, moves, reactions),
    checks=checks_of(checks, spending, ground),
    pools=vitals.pools,
    status=vitals.status,
    order=order.slots,
    timeline=timeline.entries,
    budget=timeline.budget,
    concentration=timeline.concentration,
    casting=timeline.casting,
    value=values.value,
    clock_rules=turns.turn_begins.rules,
    effect_rules=("effect.ends-at-turn-start", "effect.counts-from-originators-turn"),
    schedule=Schedule(meets=turns_as_recorded, rounds_from=(TurnStarted, InitiativeRolled)),
)
