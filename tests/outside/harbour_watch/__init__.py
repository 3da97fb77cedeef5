"""Harbour Watch: a skirmish on the quays, made of the mechanics that come with Encounterlog."""

from pathlib import Path

from harbour_watch import songs, turns, water
from harbour_watch.state import Sheet, WatchState
from projections.folds import durations, tallies
from projections.ruleset.budget import Budget
from projections.ruleset.durations import DurationRules
from projections.ruleset.ruleset import Ruleset, boundaries_of, checks_of, steps_of
from projections.ruleset.schedule import make_out_test
from projections.scheduling.turn_schedule import TurnSchedule
from projections.time import Calendar

RULESET = Ruleset(
    key="harbour-watch",
    revision=1,
    title="Harbour Watch",
    scheduler="turn list",
    rules=Path(__file__).with_name("rules.toml"),
    state=WatchState,
    sheet=Sheet,
    calendar=Calendar(seconds={"second": 1, "round": 6}, tick="round"),
    statuses={"up": "on the quay", "down": "in the water", "afloat": "holding on", "drowned": "lost"},
    steps=steps_of(__name__, durations),
    boundaries=boundaries_of(__name__, durations),
    checks=checks_of(__name__),
    pools=water.breath,
    status=water.status,
    budget=Budget(),
    durations=DurationRules(rules=songs.timer.rules, timer=songs.timer),
    concentration=songs.sung,
    addresses=tallies.ADDRESSES,
    schedule=TurnSchedule(
        ranked=turns.ranked,
        key=lambda state, who: state.thrown[who],
        rules=turns.place_is_thrown_for.rules,
        crossed=turns.boundaries_crossed,
        out=make_out_test("afloat", "drowned"),
    ),
)
