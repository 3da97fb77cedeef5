"""OSRIC: a side's die names the other side's segment; spells take their time and are spoiled by damage."""

from eventstore.events import ActionTaken, RoundStarted
from projections.folds import durations as counted
from projections.ruleset.ruleset import Ruleset, boundaries_of, checks_of, steps_of
from projections.rulesets.osric import durations, order, spells, surprise, timeline, vitals
from projections.rulesets.osric.addresses import ADDRESSES
from projections.rulesets.osric.reading import Reading
from projections.rulesets.osric.sheet import CALENDAR, RULES, Sheet
from projections.rulesets.osric.state import OsricRound, OsricState
from projections.scheduling.ladder_schedule import LadderSchedule

RULESET = Ruleset(
    key="osric",
    revision=1,
    title="OSRIC, the combat chapter",
    scheduler="segments",
    rules=RULES,
    state=OsricState,
    round=OsricRound,
    sheet=Sheet,
    calendar=CALENDAR,
    statuses=vitals.STATUSES,
    steps=steps_of(__name__, counted),
    boundaries=boundaries_of(__name__, counted),
    checks=checks_of(__name__),
    pools=vitals.pool_rules,
    status=vitals.status,
    budget=timeline.BUDGET,
    durations=durations.DURATIONS,
    concentration=spells.spell_being_cast,
    casting=timeline.current_casting_row,
    addresses=ADDRESSES,
    reading=Reading,
    idle=lambda _state, fact: isinstance(fact.event, ActionTaken) and fact.kind in order.FREE,
    clock_rules=surprise.seconds_elapsed.rules,
    effect_rules=("effects.take-hold-at-once",),
    schedule=LadderSchedule(
        order=order.order_of_round,
        places=order.places,
        common=order.common_inputs,
        rows=timeline.timeline_rows,
        moves=timeline.clock_move,
        crossed=durations.crossed_boundaries,
        rounds_from=(RoundStarted,),
        missing=order.words_on_dice,
        runs_out=lambda state, one, fact: durations.is_over(state, (one.seq, one.bearer), fact.point),
        other_reasons=timeline.why_unlisted,
    ),
    strip=("segment", 10),
)
