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
    pools=vitals.pools,
    status=vitals.status,
    durations=DurationRules(rules=effects.timer.rules, timer=effects.timer),
    concentration=effects.concentration,
    addresses=effects.ADDRESSES,
    schedule=TurnSchedule(
        ranked=order.ranked,
        key=order.key,
        rules=order.ranked.rules,
        waiting=timeline.due,
        rows=timeline.entries,
        moves=turns.moves,
        crossed=turns.boundaries_crossed,
    ),
    recordings=Recordings(),
    later_initiative=True,
    clock_rules=("turn.as-recorded", "round.as-recorded"),
    effect_rules=effects.timer.rules,
)
