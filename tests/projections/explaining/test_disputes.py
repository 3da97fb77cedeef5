"""Disputes: a stated value that the facts give otherwise is traced to the fact at which the two accounts part."""

from typing import Any

from hypothesis import given, strategies as st

from eventstore.events import Checked, ConditionGained, Struck
from eventstore.record import Recorded
from projections.explaining.disputes import Parting
from projections.explaining.past import Past
from projections.explaining.why import explain_finding
from projections.time import Where
from tests.projections.explaining.blame import hit, joined, log


def checked(**values: Any) -> Checked:
    return Checked(values={name.replace("_", "."): value for name, value in values.items()})


def parting(records: list[Recorded], event: int, until: Where | None = None) -> Parting:
    (found,) = explain_finding(Past(records, until), event=event)
    (one,) = found.partings
    return one


def test_the_last_statement_that_agrees_and_what_followed_are_named() -> None:
    one = parting(log(joined(20), hit(2), checked(ana_hp=18), hit(3), hit(4), checked(ana_hp=9)), 7)
    assert (one.address, one.stated, one.derived) == ("ana.hp", 9, 11)
    assert (one.agreed, one.value, one.differed) == (4, 18, 7)
    assert [(each.seq, each.before, each.after) for each in one.touches] == [(5, 18, 15), (6, 15, 11)]
    assert (one.parted, one.without) == (None, ())


def test_the_accounts_part_where_the_derived_value_was_last_as_stated() -> None:
    records = log(joined(20), checked(ana_hp=20), hit(3), hit(4), checked(ana_hp=17))
    assert (parting(records, 6).parted, parting(records, 6).without) == (5, (5,))


def test_a_fact_told_twice_is_one_without_which_it_would_be_as_stated() -> None:
    one = parting(log(joined(20), hit(3), hit(3), hit(4), checked(ana_hp=13)), 6)
    assert (one.agreed, [each.seq for each in one.touches]) == (None, [2, 3, 4, 5])
    assert (one.parted, one.without) == (None, (3, 4))


def test_where_nothing_touched_the_value_none_is_named() -> None:
    one = parting(log(joined(20), checked(ana_hp=20), checked(ana_hp=16)), 4)
    assert (one.touches, one.parted) == ((), None)


def test_of_several_statements_that_differ_the_first_one_bounds_the_search() -> None:
    records = log(joined(20), checked(ana_hp=20), hit(7), checked(ana_hp=16), hit(2), checked(ana_hp=14))
    one = parting(records, 7)
    assert (one.agreed, one.differed, one.stated, one.derived) == (3, 5, 14, 11)
    assert ([each.seq for each in one.touches], one.parted) == ([4], 4)


def test_a_statement_that_agrees_again_begins_a_new_search() -> None:
    records = log(joined(20), checked(ana_hp=19), hit(7), checked(ana_hp=13), hit(2), checked(ana_hp=10))
    one = parting(records, 7)
    assert (one.agreed, one.differed, [each.seq for each in one.touches]) == (5, 7, [6])


def test_a_statement_overtaken_by_a_correction_parts_at_what_was_corrected() -> None:
    one = parting(log(joined(20), hit(3), checked(ana_hp=17), Struck(event=3)), 4)
    assert [(each.seq, each.became, each.by_record) for each in one.touches] == [(2, "", None), (3, "struck", 5)]


def test_each_value_of_a_statement_has_its_own_parting() -> None:
    prone = ConditionGained(condition="prone", targets=("ana",))
    records = log(joined(20), hit(3), prone, checked(ana_hp=20, ana_conditions="none"))
    found = explain_finding(Past(records), event=5)
    parted = {one.address: one.parted for each in found for one in each.partings}
    assert parted == {"ana.hp": 3, "ana.conditions": 4}


def test_a_finding_that_is_no_disputed_state_has_no_parting() -> None:
    records = log(joined(20), checked(bo_hp=3, ana_hp="many"))
    assert [each.partings for each in explain_finding(Past(records), event=3)] == [(), ()]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.data())
def test_a_blow_that_one_account_lacks_is_found(amounts: list[int], data: st.DataObject) -> None:
    lacking = data.draw(st.integers(0, len(amounts) - 1))
    left = 100 - sum(amounts) + amounts[lacking]
    one = parting(log(joined(100), checked(ana_hp=100), *map(hit, amounts), checked(ana_hp=left)), len(amounts) + 4)
    assert lacking + 4 in one.without
