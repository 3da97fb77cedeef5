"""Forks: a log that is corrected in a fork comes to the same as one that was told in that way from the beginning."""

from typing import Any

import pytest
from msgspec import structs

from eventstore.events import (
    ActionTaken,
    Amended,
    Checked,
    ConditionGained,
    Correction,
    DamageDealt,
    Inserted,
    RoundStarted,
    Struck,
)
from eventstore.record import Recorded
from projections.explaining.forks import Account, Fork, find_differences, fork_records
from projections.proving.proof import records_of
from projections.replay.replay import consequences
from projections.rulesets import keys
from projections.stream.corrections import absolute
from tests.projections.explaining.blame import hit, joined, log
from tests.projections.forgotten import come_to, fact_of, forgettable, references
from tests.projections.stage import encounters, one_in

EACH = 8
"""Of so many records of an encounter one is corrected, with --whole."""


def told(play: Any) -> list[Recorded]:
    return [structs.replace(each, event=absolute(fact_of(each), each.seq)) for each in records_of(play)]


def never_told(records: list[Recorded], seq: int) -> list[Recorded]:
    """Return a log without a record, with the numbers of those after it one lower."""
    rest = records[: seq - 1]
    for each in records[seq:]:
        moved = {name: to - (to > seq) for name, to in references(each).items()}
        rest.append(structs.replace(each, seq=each.seq - 1, event=structs.replace(fact_of(each), **moved)))
    return rest


def without_places(found: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what a log comes to without the numbers of events in findings, which a strike does not move."""
    findings, *rest = found
    return sorted(each[1:] for each in findings), *rest


@pytest.mark.slow
def test_a_fork_equals_a_log_written_that_way_from_the_beginning(whole: bool) -> None:
    compared = 0
    for play in one_in(1 if whole else 36, encounters(), 6):
        records = told(play)
        if any(isinstance(each.event, Correction | Checked) for each in records):
            continue
        seqs = forgettable(records)
        in_place = come_to(records)
        for seq in one_in(EACH, seqs, play.line) if whole else one_in(len(seqs) // 4 + 1, seqs):
            fact, where = fact_of(records[seq - 1]), f"{play.source}, line {play.line}, record {seq}"
            short = never_told(records, seq)
            assert come_to(fork_records(short, Fork((Inserted(after=seq - 1, fact=fact),)))) == in_place, where
            if not consequences(records, {seq}):
                struck = come_to(fork_records(records, Fork((Struck(event=seq),))))
                assert without_places(struck) == without_places(come_to(short)), where
            if isinstance(amount := getattr(fact, "amount", None), int):
                other = structs.replace(fact, amount=amount + 1)
                amended = come_to(fork_records(records, Fork((Amended(event=seq, replacement=other),))))
                place = [structs.replace(each, event=other) if each.seq == seq else each for each in records]
                assert amended == come_to(place), where
            compared += 1
    assert compared


@pytest.mark.slow
def test_another_reading_equals_a_log_that_was_opened_in_it(whole: bool) -> None:
    for play in one_in(1 if whole else 18, encounters(), 7):
        records = records_of(play)
        for option in Account(records).state.rules.catalogue().option if whole else ():
            for value in one_in(4, option.values, play.line):
                opened = records_of(play, play.options | {option.name: value})
                assert come_to(fork_records(records, Fork((), {option.name: value}))) == come_to(opened)


def test_what_differs_is_named_with_the_record_from_which_it_differs() -> None:
    records = log(joined(), hit(4), hit(7))
    found = find_differences(Account(records), Account(fork_records(records, Fork((Struck(event=3),)))))
    assert [(each.address, each.before, each.after, each.since) for each in found.values] == [("ana.hp", 3, 7, 3)]
    assert (found.since, found.gone, found.new, found.senseless, found.none) == (3, (), (), (), False)


def test_a_value_that_is_the_same_at_first_differs_where_it_parts() -> None:
    second = DamageDealt(target="ana", amount=7, nonlethal=True)
    records = log(joined(), hit(4), hit(2), hit(1), ConditionGained(condition="prone", targets=("ana",)))
    other = fork_records(records, Fork((Struck(event=4), Amended(event=6, replacement=second))))
    found = find_differences(Account(records), Account(other), 4)
    assert {each.address: each.since for each in found.values} == {"ana.hp": 4, "ana.conditions": 6, "ana.nld": 6}


def test_a_fork_that_changes_nothing_differs_in_nothing() -> None:
    records = log(joined(), hit(4))
    found = find_differences(
        Account(records), Account(fork_records(records, Fork((Amended(event=3, replacement=hit(4)),))))
    )
    assert found.none


def test_facts_that_no_longer_make_sense_are_listed_and_stand() -> None:
    records = log(joined(), hit(4))
    found = find_differences(Account(records), Account(fork_records(records, Fork((Struck(event=2),)))))
    assert [(each.fact.seq, each.why) for each in found.senseless] == [(3, "ana has not joined")]
    assert [one.event for one in found.new] == [3]


@pytest.mark.parametrize("key", keys())
def test_rows_of_a_round_that_is_over_are_compared_in_every_ruleset(key: str) -> None:
    """Strike acts of the first round of fights with several rounds, until a row of that round differs."""
    for play in encounters(key):
        records = told(play)
        as_it_is = Account(records)
        if as_it_is.state.clock.round < 2:
            continue
        for each in records:
            if isinstance(each.event, ActionTaken):
                found = find_differences(
                    as_it_is, Account(fork_records(records, Fork((Struck(event=each.seq),)))), each.seq
                )
                if any(row.round == 1 and row.before and row.before.event == each.seq for row in found.rows):
                    return
    assert key == "plain"  # which has no script of several rounds


def test_a_fork_begins_with_the_first_fact_changed_through_corrections() -> None:
    records = log(joined(), hit(4), hit(2), Struck(event=3), Struck(event=5), Inserted(after=4, fact=hit(1)))
    starts = [
        Fork(corrections).first_change(records)
        for corrections in (
            (Struck(event=4),),
            (Struck(event=6),),
            (Struck(event=7),),
            (Amended(event=4, replacement=hit(1)), Struck(event=5)),
            (Inserted(after=2, fact=hit(1)),),
        )
    ]
    assert starts == [4, 3, 4, 3, 2]
    assert (Fork((Struck(event=4),), {"x": "y"}).first_change(records), Fork().first_change(records)) == (1, 1)


def test_a_strike_that_is_struck_changes_what_it_struck() -> None:
    records = log(joined(), RoundStarted(round=1), hit(4), RoundStarted(round=2), Struck(event=4))
    fork = Fork((Struck(event=6),))
    start = fork.first_change(records)
    found = find_differences(Account(records, None, start), Account(fork_records(records, fork), None, start), start)
    assert [(each.address, each.before, each.after, each.since) for each in found.values] == [("ana.hp", 14, 10, 4)]
