"""The ledger: uses count until they are renewed."""

from projections.mechanics import ledger
from projections.mechanics.ledger import Ledger


def used(*seqs: int, what: str = "action") -> Ledger:
    """Return a ledger in which ana has used something."""
    found = Ledger()
    for seq in seqs:
        ledger.use(found, "ana", what, seq)
    return found


def test_uses_count_and_are_the_reason() -> None:
    count = ledger.used(used(4, 7), "ana", "action")
    assert (count.value, count.because.events) == (2, (4, 7))
    assert ledger.used(used(4), "bo", "action").value == 0


def test_uses_against_one_count_for_that_one() -> None:
    found = Ledger()
    ledger.use(found, "ana", "free", 4, "kex")
    ledger.use(found, "ana", "free", 5, "lum")
    assert ledger.used(found, "ana", "free", "kex").because.events == (4,)


def test_a_use_can_be_left_out_of_the_count() -> None:
    assert ledger.used(used(4, 7), "ana", "action", but={4}).value == 1


def test_what_is_renewed_has_not_been_used_because_of_the_renewal() -> None:
    found = used(4)
    ledger.renew(found, "action", 9, "ana")
    count = ledger.used(found, "ana", "action")
    assert (count.value, count.because.events) == (0, (9,))


def test_a_renewal_of_what_was_not_used_is_no_reason() -> None:
    found = used(4)
    ledger.renew(found, "action", 9, "ana")
    ledger.renew(found, "action", 12, "ana")
    assert ledger.used(found, "ana", "action").because.events == ()


def test_everybody_can_be_renewed_at_once() -> None:
    found = used(4)
    ledger.use(found, "bo", "action", 5)
    ledger.use(found, "bo", "reaction", 6)
    ledger.renew(found, "action", 9)
    counts = [ledger.used(found, who, what).value for who, what in (("ana", "action"), ("bo", "action"))]
    assert (counts, ledger.used(found, "bo", "reaction").value) == ([0, 0], 1)
