"""Coin Duel: coins decide who strikes first, and coins are what one strikes off the other."""

from pathlib import Path

from coin_duel import checks, order, rounds, timeline, vitals
from coin_duel.sheet import CALENDAR, Sheet
from coin_duel.state import CoinState
from eventstore.events import RoundStarted
from projections.ruleset.budget import Budget
from projections.ruleset.documents import Recordings
from projections.ruleset.ruleset import Ruleset, checks_of, steps_of
from projections.scheduling.ladder_schedule import LadderSchedule

RULESET = Ruleset(
    key="coin-duel",
    revision=1,
    title="Coin Duel",
    scheduler="coins",
    rules=Path(__file__).with_name("rules.toml"),
    state=CoinState,
    sheet=Sheet,
    calendar=CALENDAR,
    statuses=vitals.STATUSES,
    steps=steps_of(order, rounds),
    checks=checks_of(checks),
    pools=vitals.pools,
    status=vitals.status,
    budget=Budget(left=timeline.strikes_left),
    recordings=Recordings(),
    schedule=LadderSchedule(order=order.slots, rows=timeline.entries, rounds_from=(RoundStarted,)),
)
