"""Ember Road: three actions and a reaction, attacks that grow harder, degrees of success, and a slow death."""

from pathlib import Path

from ember_road import blows, life, turns
from ember_road.state import EmberState, Sheet
from projections.folds import counts, durations, levels
from projections.ruleset.budget import Budget
from projections.ruleset.durations import DurationRules
from projections.ruleset.ruleset import Ruleset, boundaries_of, checks_of, steps_of
from projections.ruleset.schedule import make_out_test
from projections.scheduling.turn_schedule import TurnSchedule, order_key
from projections.time import Calendar

RULESET = Ruleset(
    key="ember-road",
    revision=1,
    title="Ember Road",
    scheduler="turn list",
    rules=Path(__file__).with_name("rules.toml"),
    state=EmberState,
    sheet=Sheet,
    calendar=Calendar(seconds={"second": 1, "round": 6}, tick="round"),
    statuses={"up": "on the road", "down": "without points", "dying": "close to death", "dead": "gone"},
    steps=steps_of(__name__, durations),
    boundaries=boundaries_of(__name__, durations),
    checks=checks_of(__name__),
    pools=life.points,
    status=life.status,
    budget=Budget(whole=turns.whole),
    durations=DurationRules(rules=blows.timer.rules, timer=blows.timer),
    addresses=(*levels.ADDRESSES, *counts.ADDRESSES),
    clock_rules=turns.boundaries_crossed.rules,
    effect_rules=("sustain.one-turn",),
    schedule=TurnSchedule(
        ranked=turns.ranked,
        key=lambda state, who: order_key(state, who, state.thrown[who]),
        rules=turns.place_is_thrown_for.rules,
        crossed=turns.boundaries_crossed,
        out=make_out_test("dead", "down"),
    ),
)
