"""The consequences of records: the facts that they caused, and those that these caused in their turn."""

from projections.replay.replay import consequences
from tests.projections.logs import hit, insert, joins, records, strike

ULF, BO = joins("ulf"), joins("bo")  # records 2 and 3 in each log here


def test_consequences_of_a_record_are_what_it_caused_with_their_origins() -> None:
    log = records(ULF, BO, hit("ulf", 1), hit("bo", 1, cause=4), hit("ulf", 1, cause=5), hit("bo", 1))
    assert consequences(log, [4]) == {5: 4, 6: 4}
    assert consequences(log, [5]) == {6: 5}
    assert consequences(log, [6, 7]) == {}


def test_what_several_records_caused_is_the_consequence_of_each() -> None:
    log = records(ULF, BO, hit("ulf", 1), hit("bo", 1), hit("ulf", 1, cause=5), hit("bo", 1, cause=4))
    assert consequences(log, [4, 5]) == {6: 5, 7: 4}


def test_what_was_inserted_before_its_cause_is_a_consequence_too() -> None:
    log = records(ULF, BO, hit("ulf", 1), hit("bo", 1, cause=4), insert(4, hit("ulf", 1, cause=5)))
    assert consequences(log, [4]) == {5: 4, 6: 4}


def test_what_is_struck_already_is_no_consequence() -> None:
    log = records(ULF, BO, hit("ulf", 1), hit("bo", 1, cause=4), strike(5))
    assert consequences(log, [4]) == {}
