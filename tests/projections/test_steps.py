"""Steps: what each fact changed, read off those alone whom it can have touched; and nothing is missed by that."""

from typing import Any

import pytest
from hypothesis import given, settings

from projections.judging.audit import audit
from projections.proving.plays import Play
from projections.proving.proof import records_of
from projections.replay.replay import replay
from projections.rulesets import find, keys
from projections.views.view import show
from tests.projections import logs
from tests.projections.changes import changes
from tests.projections.random_logs import stories
from tests.projections.stage import one_in, stage

PLAYS = 12
"""Of so many plays one is in the sample."""


@pytest.mark.in_turn(7)
@pytest.mark.slow
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


def test_an_effect_in_two_spellings_has_one_name_with_or_without_reason() -> None:
    joined = '{"type":"combatant_joined","combatant":"ana","side":"heroes","sheet":{}}'
    hexes = (f'{{"type":"effect_started","effect":"{name}","targets":["ana"]}}' for name in ("hex", "Hex"))
    records = logs.records(joined, *hexes, ruleset="5e")
    assert changes(records, thoroughly=False) == changes(records, thoroughly=True)


def test_a_replay_lists_what_is_left_of_an_effect_that_time_takes_from() -> None:
    told = [
        '{"type":"combatant_joined","combatant":"ana","side":"ana","sheet":{}}',
        '{"type":"combatant_joined","combatant":"bo","side":"bo","sheet":{}}',
        '{"type":"initiative_rolled","combatant":"ana","die":12}',
        '{"type":"initiative_rolled","combatant":"bo","die":9}',
        '{"type":"turn_started","combatant":"ana"}',
        '{"type":"effect_started","effect":"Haze","source":"ana","targets":["bo"],"duration":{"amount":3,"unit":"round"}}',
        '{"type":"turn_started","combatant":"bo"}',
        '{"type":"turn_started","combatant":"ana"}',
    ]
    found = dict(changes(logs.records(*told, ruleset="nameless-journey"), thoroughly=False))
    assert found[9] == [("bo.effects.haze", "3", "2")]
    assert found[8] == []


@pytest.mark.in_turn(7)
@pytest.mark.slow
@pytest.mark.parametrize("key", keys())
def test_an_audit_changes_nothing_that_a_replay_comes_to(key: str, whole: bool) -> None:
    def last(play: Play) -> Any:
        return show(audit(records_of(play)).replay.state)

    for play in one_in(1 if whole else PLAYS, stage(find(key))):
        assert last(play) == show(replay(records_of(play)).state), play.title
