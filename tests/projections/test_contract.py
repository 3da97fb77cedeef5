"""What every ruleset keeps to, whatever its game: run for each that is installed, over all its plays and fixtures.

A ruleset of another distribution that is installed beside this one is found by its entry point and held to the same;
its plays are those of its rulebook.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from eventstore.events import Correction
from eventstore.record import Draft, Recorded
from projections.because import Reason
from projections.folds.addresses import value_of
from projections.folds.objections import objection
from projections.folds.order import names_in_order, order_of
from projections.judging import book
from projections.judging.decide import Append, Refused, decide
from projections.occurrence import Occurrence
from projections.proving.plays import Play
from projections.proving.proof import records_of, states_after
from projections.replay.replay import advance, replay
from projections.rulesets import find, keys
from projections.state import State
from projections.stream.corrections import corrected, corrections_of
from projections.stream.placing import placed_in_time
from projections.views.view import Show, show
from tests.projections.stage import Script, every_script, one_in, played, proof_of

every_ruleset = pytest.mark.parametrize("key", keys())

PLAYS, RECORDS = 48, 96
"""Of so many plays, or records of a play, one is in the sample."""


@every_ruleset
def test_the_rulebook_is_proven(key: str) -> None:
    proof = proof_of(key)
    assert [each.clause.id for each in proof.clauses if not each.proven] == []
    assert [f"{each.option.name} {each.value}" for each in proof.values if not each.proven] == []


@every_ruleset
def test_every_other_value_of_every_option_makes_a_difference(key: str) -> None:
    for each in proof_of(key).values:
        assert each.plays, f"{each.option.name} {each.value}"
        assert not any(one.proven for one in each.by_default), f"{each.option.name} {each.value}"


@every_ruleset
def test_every_option_says_which_rules_it_is_a_reading_of(key: str) -> None:
    catalogue = find(key).catalogue()
    known = {clause.id for clause in catalogue.rule}
    assert {rule for option in catalogue.option for rule in option.rules} <= known
    assert [option.name for option in catalogue.option if not option.rules or len(option.values) < 2] == []


@pytest.mark.in_turn(4)
@pytest.mark.full
@pytest.mark.sampled
@every_script()
def test_a_prefix_and_then_the_rest_comes_to_the_same_as_all(plays: Script, whole: bool) -> None:
    for play in one_in(1 if whole else PLAYS, plays):
        records = records_of(play)
        if any(isinstance(record.event, Correction) for record in records):
            continue  # a correction changes what came before it
        all_told = show(replay(records).state)
        for cut in sorted({1, len(records) // 2, len(records) - 1} - {0}):
            state = replay(records[:cut]).state
            continue_with(state, records, cut)
            assert show(state) == all_told, f"{place(play)}, continued after record {cut}"


def continue_with(state: State, records: list[Recorded], cut: int) -> None:
    """Let the facts after a record take hold, one by one."""
    for told, _ in corrected(records, corrections_of(records)):
        if told.seq > cut:
            take_in(state, placed_in_time(state, told))


def take_in(state: State, told: Occurrence[Any]) -> None:
    if why := objection(state, told.event):
        state.refused.append((told, *why))
    else:
        advance(state, told)


@every_ruleset
def test_a_ruleset_says_what_rounds_follow_from(key: str) -> None:
    assert find(key).schedule.rounds_from, "its Schedule needs rounds_from: the types of facts that open a round"


@pytest.mark.in_turn(4)
@pytest.mark.full
@pytest.mark.sampled
@every_script()
def test_only_facts_from_which_rounds_follow_open_one(plays: Script, whole: bool) -> None:
    for play in one_in(1 if whole else PLAYS // 12, plays):
        wrong = set[str]()

        def look(state: State, fact: Occurrence[Any], wrong: set[str] = wrong) -> None:
            schedule = state.rules.schedule
            opens = any(boundary.kind == "round opened" for boundary in schedule.crossed(state, fact))
            if opens and not isinstance(fact.event, schedule.rounds_from or ()):
                wrong.add(type(fact.event).__name__)

        replay(records_of(play), before=look)
        assert wrong == set(), place(play)


@pytest.mark.in_turn(4)
@pytest.mark.full
@pytest.mark.sampled
@every_script()
def test_the_order_names_those_who_are_here_once_in_each_phase_and_is_the_same_as_names_alone(
    plays: Script, whole: bool
) -> None:
    for play, cut, state in states(plays, 1 if whole else RECORDS):
        where = f"{place(play)}, at {cut}"
        order = order_of(state)
        placed = Counter(
            (slot.phase, slot.segment if slot.phase or not state.clock.point.round else None, who)
            for slot in order
            for who in slot.combatants
        )
        assert [who for *_, who in placed if placed[*_, who] > 1] == [], where
        assert {who for *_, who in placed} <= {one.id for one in state.here()}, where
        assert names_in_order(state) == [list(slot.combatants) for slot in order], where


@pytest.mark.sampled
@every_script()
def test_every_value_that_is_shown_has_reasons_that_exist(plays: Script, whole: bool) -> None:
    for play, cut, state in states(plays, 1 if whole else RECORDS):
        rules, options = rules_known(play), {option.name for option in state.rules.catalogue().option}
        for what, because in reasons(state, show(state)):
            where = f"{what}, {place(play)}, at {cut}"
            assert because.rules, f"no rule behind {where}"
            assert because.events, f"no event behind {where}"
            assert set(because.rules) <= rules, where
            assert all(1 <= seq <= cut for seq in because.events), where
            assert set(because.options) <= options, where


def rules_known(play: Play) -> set[str]:
    """Return the ids of the rules of a play's ruleset and of every log."""
    return {clause.id for clause in (*find(play.ruleset).catalogue().rule, *book.catalogue().rule)}


def reasons(state: State, view: Show) -> Iterator[tuple[str, Reason]]:
    """Yield what a view derives, and why."""
    yield "the clock", view.clock.because
    yield from ((f"the place of {', '.join(slot.combatants)}", slot.because) for slot in view.order)
    yield from ((f"the row of {row.combatant}, {row.status}", row.because) for row in view.timeline)
    for who, one in view.combatants.items():
        why = one.because
        yield f"{who}.hp", why.hp
        yield f"{who}.nld", why.nld
        yield f"{who}.status", why.status
        yield f"{who}.concentration", why.concentration
        yield from ((f"{who}.effects.{effect.name}", effect.because) for effect in one.effects)
        yield from (
            (f"{who}.{field}", stated.because) for field in FIELDS if (stated := value_of(state, f"{who}.{field}"))
        )


FIELDS = ("hp", "temp", "nld", "status", "conditions", "effects", "casting", "concentration")


@pytest.mark.in_turn(4)
@pytest.mark.full
@every_script()
def test_every_finding_names_rules_and_events_that_exist(plays: Script) -> None:
    for play in plays:
        rules, last = rules_known(play), len(records_of(play))
        for finding in played(play).findings:
            assert finding.rule in rules, place(play)
            assert finding.says, place(play)
            assert finding.because, place(play)
            assert all(1 <= seq <= last for seq in (finding.event, *finding.because)), place(play)


@pytest.mark.in_turn(4)
@pytest.mark.full
@pytest.mark.sampled
@every_script()
def test_whatever_breaks_a_rule_can_be_appended(plays: Script, whole: bool) -> None:
    for play in one_in(1 if whole else 2, plays):
        first, *rest = records_of(play)
        drafts = tuple(Draft(record.event) for record in rest if record.event is not None)
        assert not isinstance(decide(replay([first]).state, Append(drafts, 1)), Refused), place(play)


def place(play: Play) -> str:
    """Return where a play stands."""
    return f"{play.source}, line {play.line}"


def states(plays: Script, each: int) -> Iterator[tuple[Play, int, State]]:
    """Yield the states of plays after one in so many of their records, and how many these are; each goes on in place."""
    for play in plays:
        records = records_of(play)
        cuts = one_in(each, range(1, len(records) + 1), play.line)
        yield from ((play, cut, state) for cut, state in zip(cuts, states_after(records, cuts), strict=True))
