"""Laws that hold for any log, random ones with corrections of anything included."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from projections.because import Because
from projections.folds.order import order_of
from projections.judging import book
from projections.judging.audit import audit
from projections.occurrence import Occurrence
from projections.replay.replay import advance, replay, resume
from projections.rulesets import find, keys
from projections.state import State
from projections.stream.corrections import CORRECTIONS
from projections.time import Where
from projections.views.steps import Step, steps
from projections.views.view import show
from tests.few import few
from tests.projections import logs
from tests.projections.logs import strike
from tests.projections.random_logs import stories

seldom = settings(max_examples=settings().max_examples // 2)
each_ruleset = few(2, "ruleset", keys())


def seen(state: State) -> bytes:
    """Return all that `show` tells, as bytes; it must be possible to write it as JSON."""
    return msgspec.json.encode(show(state))


def reasons(value: Any) -> list[Because]:
    """Return every reason in a view."""
    if isinstance(value, Because):
        return [value]
    if isinstance(value, msgspec.Struct):
        return [r for name in value.__struct_fields__ for r in reasons(getattr(value, name))]
    if isinstance(value, dict):
        return [r for item in value.values() for r in reasons(item)]
    return [r for item in value for r in reasons(item)] if isinstance(value, tuple) else []


@each_ruleset
@seldom
@given(story=stories())
def test_show_never_fails_and_can_be_written_as_json_after_each_fact(story: list[str], ruleset: str) -> None:
    sizes: list[int] = []
    replay(logs.records(*story, ruleset=ruleset), after=lambda state, _: sizes.append(len(seen(state))))
    assert all(sizes)


@each_ruleset
@given(story=stories())
def test_audit_and_steps_never_fail(story: list[str], ruleset: str) -> None:
    told: list[Step] = []
    known = {c.id for c in (*find(ruleset).catalogue().rule, *book.catalogue().rule)}
    audited = audit(logs.records(*story, ruleset=ruleset))
    done = steps(logs.records(*story, ruleset=ruleset), None, lambda step, _: told.append(step))
    assert audited.problem is None
    assert {one.rule for one in audited.findings} <= known
    assert all(1 <= seq <= done.records for one in audited.findings for seq in (one.event, one.line, *one.because))
    assert seen(audited.replay.state) == seen(done.state)


@pytest.mark.slow
@each_ruleset
@given(story=stories())
def test_every_reason_names_events_that_exist_and_rules_of_a_catalogue(story: list[str], ruleset: str) -> None:
    known = {c.id for c in (*find(ruleset).catalogue().rule, *book.catalogue().rule)}
    done = replay(logs.records(*story, ruleset=ruleset))
    for because in reasons(show(done.state)):
        assert because.events
        assert all(1 <= seq <= done.records for seq in because.events)
        assert set(because.rules) <= known


@pytest.mark.slow
@each_ruleset
@given(story=stories())
def test_a_replay_that_goes_on_record_by_record_comes_to_the_same(story: list[str], ruleset: str) -> None:
    told = logs.records(*story, ruleset=ruleset)
    last = max((record.seq for record in told if type(record.event) in CORRECTIONS), default=1)
    whole, done = replay(told), replay(told[:last])
    for record in told[last:]:
        done = resume(done, [record])
    assert seen(done.state) == seen(whole.state)
    assert (done.records, done.state.refused) == (whole.records, whole.state.refused)


@seldom
@given(stories(least=4, most=12))
def test_the_log_can_be_shown_at_every_record(story: list[str]) -> None:
    told = logs.records(*story)
    for record in told:
        assert seen(replay(told, Where(seq=record.seq)).state)


@given(stories(), st.integers(1, 40))
def test_replaying_up_to_a_record_and_then_the_rest_comes_to_the_same(story: list[str], cut: int) -> None:
    told, facts = logs.records(*story), list[Occurrence[Any]]()
    whole = replay(told, before=lambda _, one: facts.append(one)).state
    state = replay(told, Where(seq=min(cut, len(told)))).state
    reached = next((place + 1 for place, one in enumerate(facts) if one.seq == state.seq), 0)
    for one in facts[reached:]:
        advance(state, one)
    state.struck, whole.struck = [], []  # what is struck is shown, and takes no hold
    state.amended = whole.amended  # nor does which record gave a fact its content
    assert seen(state) == seen(whole)


@given(stories())
def test_the_order_is_a_permutation_of_who_has_a_total_and_is_here(story: list[str]) -> None:
    state = logs.play(*story)
    derived = [who for slot in state.rules.schedule.order(state) for who in slot.combatants]
    totals = state.totals  # type: ignore[attr-defined]
    assert sorted(derived) == sorted(one.id for one in state.here() if one.id in totals or one.side in totals)
    shown = [who for slot in order_of(state) for who in slot.combatants]
    assert len(shown) == len(set(shown))
    assert set(derived) <= set(shown) <= {one.id for one in state.here()}


@given(stories(), st.integers(2, 40), st.integers(1, 4))
def test_undo_of_undo_changes_nothing_at_any_depth(story: list[str], target: int, pairs: int) -> None:
    target = min(target, len(story) + 1)
    chain = [strike(target)] + [strike(len(story) + 2 + n) for n in range(2 * pairs - 1)]
    assert seen(logs.play(*story, *chain)) == seen(logs.play(*story))
    again = [*chain, strike(len(story) + 1 + len(chain))]
    assert seen(logs.play(*story, *again)) == seen(logs.play(*story, chain[0]))


@given(st.integers(-20, 60), st.integers(0, 60), st.lists(st.tuples(st.booleans(), st.integers(0, 30)), max_size=12))
def test_hit_points_are_what_there_was_minus_damage_plus_healing(
    start: int, room: int, amounts: list[tuple[bool, int]]
) -> None:
    floor, top = start - room, start + room
    expected = start
    for healed, amount in amounts:
        expected = min(top, expected + amount) if healed else max(floor, expected - amount)
    told = [(logs.heal if healed else logs.hit)("ulf", amount) for healed, amount in amounts]
    state = logs.play(logs.joins("ulf", start, hp_max=top, hp_floor=floor), *told)
    assert logs.hp(state) == {"ulf": expected}


def test_a_view_between_two_facts_changes_no_reason() -> None:
    """The order of the list is derived when it is first asked for; the rule that asks first cites no more than another."""
    story = (
        '{"type": "combatant_joined", "combatant": "ana", "sheet": {"hp": 10}, "side": "heroes"}',
        '{"type": "combatant_joined", "combatant": "bo", "sheet": {"hp": 10}, "side": "orcs"}',
        '{"type": "initiative_rolled", "side": "orcs", "die": 0}',
        '{"type": "turn_started", "combatant": "ana"}',
        '{"type": "combatant_joined", "combatant": "ana", "sheet": {}}',
    )
    for ruleset in keys():
        seen_once, seen_often = (logs.records(*story, ruleset=ruleset) for _ in range(2))
        assert seen(steps(seen_often, None, lambda _step, _state: None).state) == seen(replay(seen_once).state)
