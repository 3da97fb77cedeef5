"""Words that are taken as they stand, such as a detail, end where something else is told; what is told of several befalls each."""

import pytest

from projections.grammar.table import Table
from projections.rulesets import RULESETS
from tests.projections.grammar.test_line_context import heard
from tests.projections.grammar.test_never_another_meaning import TURNS, refused, three
from tests.projections.grammar.test_phrases import said

CLOCK = ("turn_started", "segment_reached", "phase_reached")


def one_after_the_other(at: Table, *lines: str) -> list[dict[str, object]]:
    """Return the facts of several lines, each after the one before, without those by which the clock moved."""
    found: list[dict[str, object]] = []
    for line in lines:
        found += said(at, line)
        at.hear(line)
    return found


@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("orc is stunned until the end of its next turn", ". ana hits orc for 5"),
        ("orc is stunned until the end of its next turn", ", ana hits orc for 5"),
        ("orc is stunned until he wakes", "; ana hits orc for 5"),
        ("orc is stunned until he is healed", " and ana hits orc for 5"),
        ("orc is charmed until bo attacks it", ", ana hits orc for 5"),
        ("orc is prone while asleep", ", bo -5"),
        ("orc is stunned by the trap", ", bo -5"),
        ("orc hides behind the tree", ", bo -5"),
        ("place ana 2,3", " and bo -3"),
        ("place ana behind the tree", " then bo -3"),
    ],
)
def test_a_sentence_behind_words_that_are_taken_as_they_stand_is_told_too(key: str, first: str, then: str) -> None:
    at = three(key)
    parts = (first, then.lstrip(",;. ").removeprefix("and ").removeprefix("then "))
    told = [fact["type"] for fact in said(at, f"{first}{then}") if fact["type"] not in CLOCK]
    assert told == [fact["type"] for fact in one_after_the_other(at, *parts)]


def test_a_part_without_a_name_befalls_whom_the_words_before_it_are_about() -> None:
    told = said(three("plain"), "orc is blinded by the light and takes 3")
    assert [fact.get("detail", fact.get("amount")) for fact in told] == ["by the light", 3]


@pytest.mark.parametrize("key", TURNS)
@pytest.mark.parametrize("then", [", orc -3", "; orc -3", ". orc -3", ", bo hits orc for 3"])
@pytest.mark.parametrize(
    "line", ["ana delays until orc moves", "ana waits for bo", "ana readies an attack if orc moves"]
)
def test_what_is_awaited_ends_where_something_happens(key: str, line: str, then: str) -> None:
    at = three(key)
    told = at.tell(f"{line}{then}").facts
    assert [type(fact).__name__ for fact in told][-1] == "DamageDealt"
    assert not any(then[-5:] in str(getattr(fact, "awaiting", "")) for fact in told)


@pytest.mark.parametrize(
    "awaited",
    ["orc moves and attacks bo", "orc moves, attacks or casts", "orc moves and bo is down", "orc or bo moves"],
)
def test_several_things_may_be_awaited(awaited: str) -> None:
    (held,) = said(three("plain"), f"ana readies an attack if {awaited}")
    assert held["awaiting"] == awaited


def test_points_behind_a_place_are_no_place() -> None:
    assert all(
        "damage" not in fact["type"]
        for each in refused(three("plain"), "place bo 2,3 orc -3").offers
        for fact in said(three("plain"), each)
    )


@pytest.mark.parametrize("key", TURNS)
@pytest.mark.parametrize("why", ["because of ana", "from ana's blow", "by ana", "due to ana"])
def test_a_cause_behind_a_time_takes_nothing_from_it(key: str, why: str) -> None:
    at = three(key)
    (told,) = said(at, f"orc is stunned until the end of ana's next turn {why}")
    (timed,) = said(at, "orc is stunned until the end of ana's next turn")
    assert (told["source"], told["duration"]) == ("ana", timed["duration"])


@pytest.mark.parametrize("key", TURNS)
@pytest.mark.parametrize("why", ["because of the trap", "or until healed"])
def test_words_behind_a_time_are_a_detail_beside_it(key: str, why: str) -> None:
    (told,) = said(three(key), f"orc is stunned until the end of its next turn {why}")
    assert told["detail"] == why
    assert told["duration"]["of"] == "orc"
