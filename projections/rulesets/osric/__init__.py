"""OSRIC: a side's die names the other side's segment; spells take their time and are spoiled by damage."""

from eventstore.events import RoundStarted
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
    pools=vitals.pools,
    status=vitals.status,
    budget=timeline.BUDGET,
    durations=durations.DURATIONS,
    concentration=spells.concentration,
    casting=timeline.casting,
    addresses=ADDRESSES,
    reading=Reading,
    idle=order.brings_nothing_about,
    clock_rules=surprise.seconds.rules,
    effect_rules=("effects.take-hold-at-once",),
    schedule=LadderSchedule(
        slots=order.slots,
        places=order.places,
        common=order.common,
        rows=timeline.entries,
        moves=timeline.moves,
        crossed=durations.boundaries_of,
        rounds_from=(RoundStarted,),
        missing=order.missing,
        runs_out=durations.runs_out,
        unlisted=timeline.unlisted,
    ),
    strip=("segment", 10),
)
