"""The corrected stream: strikes, amendments, insertions, and corrections of these."""

import pytest
from msgspec import structs

from eventstore.events import AttackRolled, Struck
from projections.stream.corrections import absolute, corrected_facts, corrections_of
from tests.projections.logs import (
    act,
    amend,
    bears,
    changes,
    fact,
    findings,
    hit,
    hp,
    insert,
    joins,
    play,
    records,
    rules,
    strike,
)

ULF = joins("ulf", 100)  # record 2 in each log here


def ulf(*facts: str) -> int | None:
    return hp(play(ULF, *facts))["ulf"]


# strikes


def test_a_struck_fact_is_out_of_the_telling_and_shown_as_struck() -> None:
    state = play(ULF, hit("ulf", 3), strike(3))
    assert hp(state) == {"ulf": 100}
    assert [told.seq for told in state.struck] == [3]
    assert state.struck_by == {3: 4}


@pytest.mark.parametrize(("strikes", "left"), [(1, 100), (2, 97), (3, 100), (4, 97), (501, 100), (5000, 97)])
def test_striking_a_strike_takes_it_back_to_any_depth(strikes: int, left: int) -> None:
    assert ulf(hit("ulf", 3), *(strike(3 + n) for n in range(strikes))) == left


def test_a_record_struck_twice_stays_out_when_one_strike_is_taken_back() -> None:
    assert ulf(hit("ulf", 3), strike(3), strike(3), strike(4)) == 100


def test_only_a_reference_below_0_counts_back() -> None:
    assert [absolute(Struck(event=seq), 9) for seq in (-1, 0, 1)] == [Struck(event=seq) for seq in (8, 0, 1)]
    back_twice = absolute(AttackRolled(combatant="ulf", cause=-1, confirms=-2), 9)
    assert back_twice == AttackRolled(combatant="ulf", cause=8, confirms=7)


def test_the_strike_of_a_correction_takes_the_correction_out_and_no_record() -> None:
    told = records(ULF, hit("ulf", 3), strike(3), amend(3, hit("ulf", 4)), strike(4), strike(5))
    assert corrections_of(told).struck == {}


def test_striking_a_joining_leaves_the_blow_at_a_stranger_without_hold() -> None:
    told = (ULF, joins("grim", 7), hit("grim", 3), bears("haze", "ulf", "grim"), strike(3))
    state = play(*told)
    assert hp(state) == {"ulf": 100}
    assert list(state.effects) == [(5, "ulf")]
    assert rules(*told) == [("log.stranger", 4), ("log.stranger", 5)]


# amendments


def test_an_amendment_stands_in_the_place_of_the_record() -> None:
    state = play(ULF, hit("ulf", 3), hit("ulf", 10), amend(3, hit("ulf", 50)))
    assert hp(state) == {"ulf": 40}
    assert changes(state) == [2, 3, 4]


def test_a_finding_about_amended_words_names_the_line_of_the_amendment() -> None:
    (one,) = findings(ULF, hit("ulf", 3), amend(3, hit("ulf", -5)))
    assert (one.rule, one.event, one.line) == ("pool.amount", 3, 4)


def test_of_several_amendments_the_last_that_stands_counts() -> None:
    blow = (hit("ulf", 3), amend(3, hit("ulf", 10)), amend(3, hit("ulf", 20)))
    assert ulf(*blow) == 80
    assert ulf(*blow, strike(5)) == 90
    assert ulf(*blow, strike(5), strike(4)) == 97


def test_an_amendment_of_an_amendment_has_the_place_of_the_first_record() -> None:
    chain = (hit("ulf", 3), amend(3, hit("ulf", 10)), amend(4, hit("ulf", 20)), amend(5, hit("ulf", 30)))
    assert ulf(*chain) == 70
    assert ulf(*chain, strike(6)) == 80


def test_an_amendment_of_one_that_was_taken_back_lapses_with_a_notice() -> None:
    chain = (ULF, hit("ulf", 3), amend(3, hit("ulf", 10)), amend(4, hit("ulf", 20)), strike(4))
    assert hp(play(*chain)) == {"ulf": 97}
    assert [(one.rule, one.event, one.severity) for one in findings(*chain)] == [("log.correction", 5, "notice")]


def test_a_struck_record_stays_struck_when_it_is_amended() -> None:
    assert ulf(hit("ulf", 3), strike(3), amend(3, hit("ulf", 10))) == 100
    assert ulf(hit("ulf", 3), strike(3), amend(3, hit("ulf", 10)), strike(4)) == 90


def test_references_inside_a_replacement_count_from_the_record_replaced() -> None:
    state = play(ULF, act("ulf", segment=4), hit("ulf", 3), hit("ulf", 1), amend(4, hit("ulf", 3, cause=-1)))
    assert state.moments[4].cause == 3
    assert state.moments[4].point.segment == 4


def test_a_strike_cannot_be_amended() -> None:
    told = (ULF, hit("ulf", 3), strike(3), amend(4, hit("ulf", 10)))
    assert hp(play(*told)) == {"ulf": 100}
    assert rules(*told) == [("log.correction", 5)]


# insertions


def test_a_forgotten_fact_stands_after_the_record_that_it_names() -> None:
    state = play(ULF, hit("ulf", 200), fact("healed", target="ulf", amount=30), insert(2, hit("ulf", 7)))
    assert changes(state) == [2, 5, 3, 4]


def test_insertions_keep_their_order_and_those_after_one_follow_it() -> None:
    told = (
        ULF,
        hit("ulf", 1),
        insert(2, hit("ulf", 2)),
        insert(2, hit("ulf", 3)),
        insert(4, hit("ulf", 4)),
        insert(6, hit("ulf", 5)),
    )
    assert changes(play(*told)) == [2, 4, 6, 7, 5, 3]


def test_an_insertion_can_be_amended_and_struck_and_brought_back() -> None:
    told = (insert(2, hit("ulf", 5)), amend(3, hit("ulf", 10)))
    assert ulf(*told) == 90
    assert ulf(*told, strike(4)) == 95
    assert ulf(*told, strike(3)) == 100
    assert ulf(*told, strike(3), strike(5)) == 90


def test_a_struck_insertion_is_shown_and_what_stands_after_it_stays() -> None:
    state = play(ULF, insert(2, hit("ulf", 5)), insert(3, hit("ulf", 1)), strike(3))
    assert hp(state) == {"ulf": 99}
    assert state.struck_by == {3: 5}


def test_an_insertion_may_follow_a_struck_record_and_the_first_one() -> None:
    state = play(ULF, hit("ulf", 5), strike(3), insert(3, hit("ulf", 1)), insert(1, joins("ana", 9)))
    assert hp(state) == {"ana": 9, "ulf": 99}


def test_references_inside_an_insertion_count_from_the_insertion() -> None:
    state = play(ULF, act("ulf", segment=4), act("ulf"), insert(3, hit("ulf", 1, cause=-2)))
    assert state.moments[5].cause == 3


def test_an_inserted_fact_is_by_whoever_inserts_it_and_as_secret() -> None:
    told = records(ULF, insert(2, hit("ulf", 5)))
    words = corrections_of(told).inserted[2][0]
    assert (words.seq, words.by, words.secret) == (3, "gm", False)


def test_what_is_inserted_after_a_correction_stands_in_its_place() -> None:
    corrections = (strike(99), insert(99, hit("ulf", 9)), amend(2, joins("ulf", 50)))
    told = (ULF, *corrections, *(insert(seq, hit("ulf", seq)) for seq in (3, 4, 5)), hit("ulf", 1))
    assert changes(play(*told)) == [2, 6, 7, 8, 9]


def test_a_fact_is_secret_if_its_record_or_what_replaces_it_is() -> None:
    blow = hit("ulf", 3)
    for secret in ({3}, {4}, {3, 4}, set[int]()):
        for log in (records(ULF, blow, amend(3, blow)), records(ULF, insert(2, blow), amend(3, blow))):
            marked = [structs.replace(each, secret=each.seq in secret) for each in log]
            facts = [fact.secret for fact, _ in corrected_facts(marked, corrections_of(marked))]
            assert facts == [False, False, bool(secret)]


# strays


@pytest.mark.parametrize(
    "stray",
    [strike(1), strike(99), strike(4), strike(-7), amend(1, hit("ulf", 9)), amend(9, hit("ulf", 9)), insert(9, ULF)],
)
def test_a_correction_that_cannot_be_meant_takes_no_hold_and_is_found(stray: str) -> None:
    told = (ULF, hit("ulf", 3), stray)
    assert hp(play(*told)) == {"ulf": 97}
    assert rules(*told) == [("log.correction", 4)]


def test_an_amendment_of_an_insertion_without_hold_lapses_with_a_notice() -> None:
    told = (ULF, insert(9, hit("ulf", 3)), amend(3, hit("ulf", 4)))
    assert [(one.event, one.severity) for one in findings(*told)] == [(3, "breach"), (4, "notice")]


def test_a_fact_has_the_first_record_of_the_append_that_it_came_with() -> None:
    told = records(ULF, hit("ulf", 3), hit("ulf", 4), hit("ulf", 5))
    told[2:4] = [structs.replace(each, batch=(place, 2)) for place, each in enumerate(told[2:4], 1)]
    assert [fact.append for fact, _ in corrected_facts(told, corrections_of(told))] == [1, 2, 3, 3, 5]


def test_a_record_that_cannot_be_read_is_no_fact() -> None:
    told = [structs.replace(each, event=None) if each.seq == 3 else each for each in records(ULF, hit("ulf", 3))]
    assert [fact.seq for fact, _ in corrected_facts(told, corrections_of(told))] == [1, 2]


def test_a_stray_that_is_struck_is_no_finding() -> None:
    assert rules(ULF, hit("ulf", 3), strike(99), strike(4)) == []


@pytest.mark.slow
def test_five_thousand_chained_corrections_of_each_kind_are_no_burden() -> None:
    many = 5000
    amendments = [amend(3 + n, hit("ulf", 1 + n % 7)) for n in range(many)]
    assert ulf(hit("ulf", 3), *amendments) == 100 - (1 + (many - 1) % 7)
    insertions = [insert(2 + n, hit("ulf", 1)) for n in range(many)]
    assert ulf(*insertions) == 100 - many
