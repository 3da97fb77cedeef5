"""Why: every value of every encounter has an answer, and the answer cites exactly what the folds cite."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from eventstore import spool
from projections.explaining.past import Past
from projections.explaining.tree import Node
from projections.explaining.why import explain_ability, explain_finding, explain_precedence, explain_value
from projections.folds.addresses import all_addresses, derive_value
from projections.judging.audit import audit
from projections.proving.proof import records_of
from projections.time import Where
from tests.projections.logs import fact, hit, joins, override, records, strike
from tests.projections.stage import encounters, one_in

EACH = 18
"""Of so many plays one is asked about in the sample, at its end and in its middle."""


def tellings(whole: bool) -> list[Past]:
    """Return fixtures up to their middle and their end."""
    found = []
    for play in one_in(1 if whole else EACH, encounters(), 5):
        records = records_of(play)
        found += [Past(records, where) for where in (None, Where(seq=len(records) // 2))]
    return found


def nodes(node: Node) -> Iterator[Node]:
    yield node
    for each in node.of:
        yield from nodes(each)


def leaves(node: Node, field: str) -> set[Any]:
    return {*getattr(node, field)}.union(*(leaves(each, field) for each in node.of))


@pytest.mark.slow
def test_every_value_has_an_answer_that_cites_what_the_folds_cite(whole: bool) -> None:
    asked = summed = 0
    for past in tellings(whole):
        for address in all_addresses(past.state):
            read = derive_value(past.state, address)
            answer = explain_value(past, address, variants=False)
            assert (answer is None) is (read is None), address
            if answer is None or read is None:
                continue
            flat = read.because.flat()
            assert answer.because == past.state.reason(read.because)
            assert leaves(answer.tree, "events") == {*flat.events}, address
            assert leaves(answer.tree, "rules") == {*flat.rules}, address
            assert {each.seq for each in answer.facts} >= {*flat.events} & {*past.facts}
            sums = [each for each in nodes(answer.tree) if each.terms]
            assert all(sum(amount for _, amount in each.terms) == each.value for each in sums), address
            assert msgspec.json.encode(answer)
            asked, summed = asked + 1, summed + bool(sums)
    assert asked > 300
    assert summed


@pytest.mark.slow
def test_answers_about_a_long_log_are_those_about_a_short_one(whole: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    short = tellings(whole)
    monkeypatch.setattr(spool, "KEPT", 3)
    monkeypatch.setattr(spool, "GROUP", 2)
    for past, long in zip(short, tellings(whole), strict=True):
        assert {**long.facts} == {**past.facts}
        for address in all_addresses(past.state):
            assert explain_value(long, address, variants=False) == explain_value(past, address, variants=False)


def test_only_facts_that_took_effect_are_kept() -> None:
    past = Past(records(joins("ana"), hit("ana", 3), hit("bo", 2), strike(3), fact("noted", text="rain")))
    assert [*past.facts] == [2, 6]
    assert len(past.facts) == 2
    assert [seq in past.facts for seq in range(-1, 9)] == [seq in (2, 6) for seq in range(-1, 9)]


def test_the_changes_of_a_pool_add_up_to_it(whole: bool) -> None:
    for past in tellings(whole):
        for who, one in past.state.combatants.items():
            answer = explain_value(past, f"{who}.hp", variants=False)
            assert answer is not None
            assert answer.changes[-1].left == one.hp
            for earlier, later in zip(answer.changes, answer.changes[1:], strict=False):
                assert later.sets or later.left == (earlier.left or 0) + later.by


def test_the_changes_of_a_pool_begin_before_the_fact_that_set_it() -> None:
    past = Past(records(joins("ana", 12), hit("ana", 2), override(**{"ana.hp": 9}), hit("ana", 4)))
    answer = explain_value(past, "ana.hp")
    assert answer is not None
    assert [(each.event, each.left, each.sets) for each in answer.changes][:2] == [(2, 12, True), (3, 10, False)]
    assert {each.event for each in answer.changes} <= {each.seq for each in answer.facts}
    assert answer.changes[-1].left == answer.value == 5


def test_a_value_that_another_depends_on_is_its_own_value() -> None:
    past = Past(records(joins("ana", 12, creature="character"), hit("ana", 24), ruleset="5e"))
    answer = explain_value(past, "ana.status")
    assert answer is not None
    assert {(node.address, node.value) for node in answer.tree.of} == {("ana.hp", 0), ("ana.hp_max", 12)}


def test_who_comes_before_whom_is_what_the_order_says(whole: bool) -> None:
    compared = 0
    for past in tellings(whole):
        order = derive_value(past.state, "order")
        assert order is not None
        place: dict[str, int] = {}
        for number, slot in enumerate(order.value):
            for who in slot:
                place.setdefault(who, number)
        for one in list(place)[:3]:
            for other in list(place)[-3:]:
                answer = explain_precedence(past, one, other)
                first = None if place[one] == place[other] else min((one, other), key=place.__getitem__)
                assert (answer.first, answer.together) == (first, first is None)
                assert [each.combatant for each in answer.places] == [one, other]
                compared += 1
    assert compared > 9


def test_a_finding_is_found_by_its_number_and_by_its_event(whole: bool) -> None:
    for past in tellings(whole):
        found = audit(past.records, past.until).findings
        for one in found[:3]:
            (answer,) = explain_finding(past, number=one.id)
            assert answer.finding == one
            assert one in [each.finding for each in explain_finding(past, event=one.event, rule=one.rule)]
            assert {one.event} & {*past.facts} <= {each.seq for each in answer.facts}
        assert explain_finding(past, number=len(found) + 1) == []


def test_whether_somebody_may_act_is_what_the_ruleset_says(whole: bool) -> None:
    for past in tellings(whole):
        due = derive_value(past.state, "due")
        assert due is not None
        for who in past.state.combatants:
            answer = explain_ability(past, who)
            assert answer.due is (who in due.value)
            assert any(each.address == "due" for each in answer.values)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "field", "named"), [
    ("definition-master", "ac", ("base", "dexterity", "armor")),
    ("definition-master", "total", ("on the die", "base", "str")),
    ("vile-darkness", "need.", ("AAC0", "armour class")),
    ("vile-darkness", "total", ("on the die", "added to it")),
    ("nameless-journey", "left.", ("allowed", "used")),
    ("nameless-journey", "left.", ("speed", "moved")),
    ("semiautomagic", "seconds", ("of a turn", "spent")),
])  # fmt: skip
def test_a_number_that_is_a_sum_names_its_terms(key: str, field: str, named: tuple[str, ...]) -> None:
    for play in encounters(key):
        records = records_of(play)
        for seq in range(len(records), 1, -7):
            past = Past(records, Where(seq=seq))
            asked = [
                each for each in all_addresses(past.state) if each.partition(".")[2].startswith(field) and "." in each
            ]
            answers = [answer for each in asked if (answer := explain_value(past, each, variants=False))]
            said = {
                tuple(name for name, _ in node.terms): (sum(amount for _, amount in node.terms), node.value)
                for answer in answers
                for node in nodes(answer.tree)
            }
            found = [sums for names, sums in said.items() if {*named} <= {*names}]
            if found:
                assert all(total == number for total, number in found)
                return
    pytest.fail(f"no {field} of {key} names {named}")


def test_a_number_that_rests_on_changes_of_a_pool_does_not_go_by_its_name() -> None:
    options = {"death-roll": "brutality", "brutality-damage": "hp-lost"}
    facts = (joins("ana", 10), joins("bo"), hit("ana", 4), hit("ana", 7, source="bo"))
    past = Past(records(*facts, ruleset="definition-master", options=options), None)
    answer = explain_value(past, "ana.death-dc", variants=False)
    assert answer is not None
    assert answer.value == 16
    assert {each.address for each in nodes(answer.tree)} == {"ana.death-dc", "ana.status", ""}
