"""Facts of those who are no longer in the log: a joining was struck, and all else that was told stays as it is."""

from collections.abc import Iterator

import msgspec
import pytest
from msgspec import structs

from eventstore.events import CombatantJoined, Struck
from eventstore.record import Recorded
from projections.judging.audit import audit
from projections.proving.plays import Play
from projections.proving.proof import records_of
from projections.replay.replay import replay
from projections.rulesets import find, keys
from projections.views.view import show
from tests.projections.logs import fact, records
from tests.projections.stage import one_in, stage

IN_SAMPLE = 20


def without_each(play: Play) -> Iterator[list[Recorded]]:
    """Yield the log of a play with one joining struck, for each of them."""
    records = list(records_of(play))
    last = records[-1]
    for record in records:
        if isinstance(record.event, CombatantJoined):
            yield [*records, structs.replace(last, seq=last.seq + 1, event=Struck(event=record.seq))]


@pytest.mark.in_turn(7)
@pytest.mark.slow
@pytest.mark.parametrize("key", keys())
def test_a_log_can_be_shown_and_audited_after_any_joining_was_struck(key: str, whole: bool) -> None:
    for play in one_in(1 if whole else IN_SAMPLE, stage(find(key))):
        for told in without_each(play):
            done = audit(told)
            assert done.problem is None
            assert msgspec.json.encode(show(done.replay.state))


def test_an_effect_of_a_stranger_runs_on_as_one_of_somebody_absent() -> None:
    ana = fact("combatant_joined", combatant="ana", side="party", sheet={"hp": 9})
    assert replay(records(ana, ruleset="nameless-journey")).state.is_out("bo")
