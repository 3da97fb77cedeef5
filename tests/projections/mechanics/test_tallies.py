"""Tallies: marks count up to a limit, each with its reason; the one that is full first decides."""

import pytest

from projections.because import Because
from projections.mechanics import tallies
from projections.mechanics.tallies import Tallies, Tally

THREE = {"gasps": Tally("gasps", 3, "safe", "gasps.three"), "gulps": Tally("gulps", 2, "lost", "gulps.two")}


def because(seq: int) -> Because:
    return Because((), (seq,))


def marked(*told: tuple[str, int]) -> Tallies:
    """Return the tallies of a fight in which ana got these marks."""
    found = Tallies()
    for name, seq in told:
        tallies.add_marks(found, "ana", name, because(seq))
    return found


def test_marks_are_counted_by_tally_and_by_whom_and_are_the_reason() -> None:
    kept = marked(("gasps", 4), ("gulps", 5), ("gasps", 9))
    tallies.add_marks(kept, "bo", "gasps", because(7))
    found = {
        (who, name): tallies.count(kept, who, name) for who, name in (("ana", "gasps"), ("ana", "gulps"), ("bo", "x"))
    }
    assert [(each.value, each.because.flat().events) for each in found.values()] == [(2, (4, 9)), (1, (5,)), (0, ())]


@pytest.mark.parametrize(("told", "full"), [
    ([("gulps", 4)], None),
    ([("gulps", 4), ("gasps", 5), ("gasps", 6)], None),
    ([("gulps", 4), ("gasps", 5), ("gulps", 6)], ("lost", ("gulps.two",), (4, 6))),
    ([("gasps", 4), ("gasps", 5), ("gasps", 6)], ("safe", ("gasps.three",), (4, 5, 6))),
    ([("gulps", 4), ("gulps", 5), ("gulps", 6)], ("lost", ("gulps.two",), (4, 5, 6))),
])  # fmt: skip
def test_a_tally_with_all_its_marks_is_full_because_of_them(
    told: list[tuple[str, int]], full: tuple[str, tuple[str, ...], tuple[int, ...]] | None
) -> None:
    found = tallies.full_tally(marked(*told), "ana", THREE.values())
    flat = found and found.because.flat()
    assert (found and flat and (found.value.status, flat.rules, flat.events)) == full


def test_clearing_what_has_no_marks_is_no_reason() -> None:
    kept = marked(("gasps", 4))
    tallies.clear_marks(kept, "bo", because(8))
    assert tallies.count(kept, "bo", "gasps").because.flat().events == ()


def test_a_number_of_marks_can_be_put_in_place_of_those_that_were_there() -> None:
    kept = marked(("gasps", 4), ("gasps", 5), ("gulps", 6))
    tallies.set_marks(kept, "ana", "gasps", 1, because(9))
    tallies.set_marks(kept, "bo", "gulps", 2, because(10))
    found = [tallies.count(kept, who, name) for who, name in (("ana", "gasps"), ("ana", "gulps"), ("bo", "gulps"))]
    assert [(each.value, each.because.flat().events) for each in found] == [(1, (9,)), (1, (6,)), (2, (10,))]


def test_a_tally_put_to_0_has_that_as_its_reason_until_it_is_more() -> None:
    kept = Tallies()
    tallies.set_marks(kept, "ana", "failures", 0, because(2))
    tallies.set_marks(kept, "bo", "failures", 2, because(2))
    assert kept.emptied == {("ana", "failures"): because(2)}
    tallies.set_marks(kept, "ana", "failures", 1, because(2))
    assert kept.emptied == {}


def test_clearing_somebody_forgets_what_emptied_its_own_tallies_alone() -> None:
    kept = Tallies()
    for who in ("ana", "bo"):
        tallies.set_marks(kept, who, "successes", 1, because(2))
        tallies.set_marks(kept, who, "failures", 0, because(2))
    tallies.clear_marks(kept, "ana", because(2))
    assert kept.emptied == {("bo", "failures"): because(2)}
