"""Any other game: order by recorded totals, pools, effects; only bookkeeping rules, none of a game."""

from eventstore.paths import path_beside
from projections.folds import durations
from projections.ruleset.documents import Recordings
from projections.ruleset.durations import DurationRules
from projections.ruleset.ruleset import Ruleset, boundaries_of, checks_of, steps_of
from projections.rulesets.plain import effects, order, timeline, turns, vitals
from projections.rulesets.plain.state import CALENDAR, PlainRound, PlainState, Sheet
from projections.scheduling.turn_schedule import TurnSchedule

RULESET = Ruleset(
    key="plain",
    revision=1,
    title="Plain bookkeeping for any other game",
    scheduler="turn list",
    rules=path_beside(__file__, "rules.toml"),
    state=PlainState,
    round=PlainRound,
    sheet=Sheet,
    calendar=CALENDAR,
    statuses=vitals.STATUSES,
    steps=steps_of(__name__, durations),
    boundaries=boundaries_of(__name__, durations),
    checks=checks_of(__name__),
    pools=vitals.pool_rules,
    status=vitals.status,
    durations=DurationRules(rules=effects.effect_timer.rules, timer=effects.effect_timer),
    concentration=effects.concentration_object,
    addresses=effects.ADDRESSES,
    schedule=TurnSchedule(
        ranked=order.ranked_combatants,
        key=order.order_key,
        rules=order.ranked_combatants.rules,
        due=timeline.combatants_due,
        rows=timeline.timeline_rows,
        moves=turns.clock_move,
        crossed=turns.boundaries_crossed,
    ),
    recordings=Recordings(),
    later_initiative=True,
    clock_rules=("turn.as-recorded", "round.as-recorded"),
    effect_rules=effects.effect_timer.rules,
)
