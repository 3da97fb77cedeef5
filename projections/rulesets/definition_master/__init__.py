"""Definition Master: hit points, non-lethal damage and d20 combat."""

from eventstore.events import RoundStarted, TurnDelayed, TurnStarted
from eventstore.paths import path_beside
from projections.folds import durations
from projections.ruleset.ruleset import Ruleset, boundaries_of, checks_of, steps_of
from projections.rulesets.definition_master import (
    addresses,
    attack,
    contests,
    damage,
    grapple,
    health,
    late_faults,
    order,
    turns,
    vitals,
)
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.sheet import CALENDAR, Sheet
from projections.rulesets.definition_master.state import MasterRound, MasterState
from projections.scheduling.turn_schedule import TurnSchedule

LATE = (attack, contests, damage, late_faults)
"""The modules with the checks that later facts of the round can change."""

RULESET = Ruleset(
    key="definition-master",
    revision=1,
    title="Definition Master, the combat chapter",
    scheduler="turn list",
    rules=path_beside(__file__, "rules.toml"),
    state=MasterState,
    round=MasterRound,
    sheet=Sheet,
    calendar=CALENDAR,
    statuses=vitals.STATUSES,
    goes_on=vitals.lasting_ruling,
    squares=lambda state: state.combat.squares,
    idle=attack.is_miss,
    repeats=lambda state, fact: (
        bool(health.repeated_rest(state, fact)) or grapple.repeats_submission_damage(state, fact)
    ),
    steps=steps_of(__name__, durations),
    boundaries=boundaries_of(__name__, durations),
    checks=checks_of(__name__, without=LATE),
    late=checks_of(*LATE),
    reading=Reading,
    durations=turns.DURATIONS,
    pools=vitals.pool_rules,
    status=vitals.status,
    budget=addresses.BUDGET,
    addresses=addresses.ADDRESSES,
    clock_rules=("round.ends-at-top",),
    effect_rules=("full-round.until-next-turn",),
    schedule=TurnSchedule(
        ranked=order.ranked_combatants,
        key=order.order_key,
        rules=("initiative.d20-plus-bonus",),
        due=turns.due_with_reason,
        rows=addresses.timeline_rows,
        moves=turns.clock_move,
        crossed=turns.crossed_boundaries,
        rounds_from=(RoundStarted, TurnStarted, TurnDelayed),
        within=(),
        out=turns.out,
    ),
)
