"""Steps: what each fact changed, read off those alone whom it can have touched; and nothing is missed by that."""

from typing import Any

import pytest
from hypothesis import given, settings

from eventstore.record import Recorded
from projections.judging.audit import audit
from projections.proving.enc import Play
from projections.proving.proof import records_of
from projections.rulesets import find, keys
from projections.views.steps import Step, steps
from projections.views.view import show
from tests.projections import logs
from tests.projections.random_logs import stories
from tests.projections.stage import one_in, stage


def changes(records: list[Recorded], *, thoroughly: bool) -> list[tuple[int, Any]]:
    """Return the changes of each fact, in whatever order."""
    found: list[tuple[int, Any]] = []

    def see(step: Step, _state: object) -> None:
        found.append(
            (step.fact.seq, sorted((each.address, repr(each.before), repr(each.after)) for each in step.changes))
        )

    steps(records, None, see, thoroughly=thoroughly)
    return found


PLAYS = 12
"""Of so many plays one is in the sample."""


@pytest.mark.sampled
@pytest.mark.parametrize("key", keys())
def test_what_a_fact_touches_is_all_that_it_changes(key: str, whole: bool) -> None:
    for play in one_in(1 if whole else PLAYS, stage(find(key))):
        records = records_of(play)
        assert changes(records, thoroughly=False) == changes(records, thoroughly=True), play.title


@pytest.mark.parametrize("key", keys())
@settings(max_examples=settings().max_examples // 2)
@given(facts=stories())
def test_what_a_fact_touches_is_all_that_it_changes_in_any_log(key: str, facts: list[str]) -> None:
    records = logs.records(*facts, ruleset=key)
    assert changes(records, thoroughly=False) == changes(records, thoroughly=True)


@pytest.mark.sampled
@pytest.mark.parametrize("key", keys())
def test_an_audit_changes_nothing_that_a_replay_comes_to(key: str, whole: bool) -> None:
    def last(play: Play) -> Any:
        return show(audit(records_of(play)).replay.state)

    from projections.folds.replay import replay

    for play in one_in(1 if whole else PLAYS, stage(find(key))):
        assert last(play) == show(replay(records_of(play)).state), play.title
