"""Definition Master: hit points, non-lethal damage and d20 combat."""

from eventstore.events import RoundStarted, TurnDelayed, TurnStarted
from eventstore.paths import beside
from projections.folds import durations
from projections.rulesets.definition_master import addresses, vitals
from projections.rulesets.definition_master.acts import budget, casting, spending
from projections.rulesets.definition_master.attacks import (
    armor,
    attack,
    attack_faults,
    damage,
    damage_faults,
    late_faults,
    weapon_checks,
    wielding,
)
from projections.rulesets.definition_master.health import death, health, massive, recovery
from projections.rulesets.definition_master.maneuvers import contests, grapple, maneuvers, swallow
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.sheet import CALENDAR, Sheet
from projections.rulesets.definition_master.squares import ground, movement_checks, provoking
from projections.rulesets.definition_master.state import MasterRound, MasterState
from projections.rulesets.definition_master.table import table
from projections.rulesets.definition_master.turns import checks, held, immediate, order, turns
from projections.rulesets.ruleset import Ruleset, boundaries_of, checks_of, steps_of
from projections.scheduling.turn_schedule import TurnSchedule

STEPS = (
    order, turns, durations, budget, immediate, held, provoking, movement_checks, weapon_checks, ground, wielding, armor,
    attack, maneuvers, recovery, health, massive, death, provoking.falls_on_its_way, grapple, damage, swallow, casting,
)  # fmt: skip
"""The modules with steps, in the order in which they apply a fact."""

CHECKS = (
    checks, spending, health, massive, death, recovery, immediate, held, provoking, casting,
    maneuvers, grapple, weapon_checks, movement_checks, damage, swallow,
)  # fmt: skip
"""The modules with checks."""

LATE = (damage_faults, attack_faults, contests, late_faults)
"""The modules with checks that later facts can change."""

RULESET = Ruleset(
    key="definition-master",
    revision=1,
    title="Definition Master, the combat chapter",
    scheduler="turn list",
    rules=beside(__file__, "rules.toml"),
    state=MasterState,
    round=MasterRound,
    sheet=Sheet,
    calendar=CALENDAR,
    statuses=dict(table("statuses")),
    goes_on=vitals.goes_on,
    squares=lambda state: state.combat.squares,
    idle=attack.is_miss,
    repeats=lambda state, fact: bool(recovery.rest_repeated(state, fact)) or grapple.repeats(state, fact),
    steps=steps_of(*STEPS),
    boundaries=boundaries_of(*STEPS),
    checks=checks_of(*CHECKS),
    late=checks_of(*LATE),
    reading=Reading,
    durations=turns.DURATIONS,
    pools=vitals.pools,
    status=vitals.status,
    budget=addresses.BUDGET,
    addresses=addresses.ADDRESSES,
    clock_rules=("round.ends-at-top",),
    effect_rules=("full-round.until-next-turn",),
    schedule=TurnSchedule(
        ranked=order.ranked,
        key=order.key,
        rules=("initiative.d20-plus-bonus",),
        waiting=turns.who_is_due,
        rows=addresses.entries,
        moves=turns.moves,
        crossed=turns.boundaries,
        rounds_from=(RoundStarted, TurnStarted, TurnDelayed),
        within=(),
        out=turns.out,
    ),
)
