"""Definition Master: hit points, non-lethal damage and d20 combat."""

from pathlib import Path

from eventstore.events import RoundStarted, TurnDelayed, TurnStarted
from projections.rulesets.definition_master import timeline, vitals
from projections.rulesets.definition_master.acts import able, actions, budget, casting, spending
from projections.rulesets.definition_master.addresses import ADDRESSES
from projections.rulesets.definition_master.attacks import (
    arms,
    attack,
    blows,
    damage,
    damage_late,
    drawing,
    shots,
    stances,
    strikes,
    things,
    wield,
)
from projections.rulesets.definition_master.health import death, health, late_health, massive, recovery
from projections.rulesets.definition_master.maneuvers import contests, grapple, maneuvers, swallow
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.sheet import CALENDAR, Sheet
from projections.rulesets.definition_master.squares import falling, ground, provoking, space
from projections.rulesets.definition_master.state import MasterRound, MasterState
from projections.rulesets.definition_master.turns import checks, effects, held, immediate, order, turns
from projections.rulesets.ruleset import Ruleset, boundaries_of, checks_of, steps_of
from projections.rulesets.schedule import Schedule

STEPS = (
    order, turns, effects, budget, immediate, held, provoking, space, arms, ground, wield, stances, attack,
    maneuvers, recovery, health, massive, death, falling, grapple, damage, things, swallow, casting,
)  # fmt: skip
"""The modules with steps, in the order in which they apply a fact."""

CHECKS = (
    checks, able, health, massive, death, recovery, spending, actions, immediate, held, strikes, casting, provoking,
    maneuvers, grapple, arms, space, things, swallow,
)  # fmt: skip
"""The modules with checks."""

LATE = (late_health, damage_late, drawing, blows, contests, shots)
"""The modules with checks of what later facts can change."""

RULESET = Ruleset(
    key="definition-master",
    revision=1,
    title="Definition Master, the combat chapter",
    scheduler="turn list",
    rules=Path(__file__).with_name("rules.toml"),
    state=MasterState,
    round=MasterRound,
    sheet=Sheet,
    calendar=CALENDAR,
    statuses=vitals.STATUSES,
    tallies=vitals.TALLIES,
    squares=lambda state: state.combat.squares,
    notable=("lock", "holding", "grapple.with"),
    repeats=lambda state, fact: recovery.repeats(state, fact) or grapple.repeats(state, fact),
    steps=steps_of(*STEPS),
    boundaries=boundaries_of(*STEPS),
    checks=checks_of(*CHECKS),
    late=checks_of(*LATE),
    reading=Reading,
    pools=vitals.pools,
    status=vitals.status,
    order=order.slots,
    names=order.names,
    turns=order.turn_list,
    absent=order.absent,
    timeline=timeline.entries,
    due=turns.who_is_due,
    budget=timeline.budget,
    addresses=ADDRESSES,
    clock_rules=("round.ends-at-top",),
    effect_rules=("full-round.until-next-turn",),
    schedule=Schedule(meets=turns.meets, rounds_from=(RoundStarted, TurnStarted, TurnDelayed), within=()),
)
