"""The campaign bites: each of some stores that are wrong in one thing fails it, and ours does not."""

from collections.abc import Callable
from contextlib import suppress

import pytest

from eventstore.errors import Busy, OutcomeUnknown, StoreError
from tests.eventstore.logs import rounds
from tests.faults import wrong_stores
from tests.faults.campaign import Run
from tests.faults.crashes import at_every_moment
from tests.faults.files import creating
from tests.faults.nights import lives
from tests.faults.recovering import after_failing_syncs, seen
from tests.faults.stories import LAST, a_log_of, at_call, at_the_end
from tests.faults.telling import REAL, Make, cut, hold

Part = Callable[[Run, Make], None]


def at_every_call(run: Run, make: Make) -> None:
    at_every_moment(run, "lost", [0], make)


def all_died(run: Run, make: Make) -> None:
    at_every_moment(run, "kept", [0], make)


def torn_tails(run: Run, make: Make) -> None:
    for last in LAST:
        for size in (1, 100, 300):
            cut(run, last, at_the_end(last, make), 0, "prefix", size)


def side_by_side(run: Run, make: Make) -> None:
    """Another appends before each call of an append; nobody has done anything after which a log may be refused."""

    def happens() -> None:
        with suppress(Busy):
            telling.append(other, rounds(5, 1))

    for nth in range(1, 10):
        telling, store = a_log_of([rounds(1, 2)], make)
        other = telling.open()
        at_call(telling, nth, happens)
        with suppress(OutcomeUnknown):
            telling.append(store, rounds(7, 2))
        telling.beside = None
        hold(run, f"another appends before call {nth}", telling.last, telling.machine)
    if run.counts.refused:
        run.breach("I6", "two append at once", "they spoiled the log")


def some_lives(run: Run, make: Make) -> None:
    lives(run, 40, make)


PARTS: list[Part] = [
    at_every_call,
    all_died,
    torn_tails,
    side_by_side,
    some_lives,
    creating,
    seen,
    after_failing_syncs,
]
WRONG: list[tuple[Make, Part, str]] = [
    (Make(process=wrong_stores.NeverSyncs), at_every_call, "I1"),
    (Make(process=wrong_stores.NeverSyncs), some_lives, "I1"),
    (Make(process=wrong_stores.SyncsAgain), after_failing_syncs, "I1"),
    (Make(process=wrong_stores.NeverSyncsFolders), at_every_call, "I1"),
    (Make(process=wrong_stores.NeverSyncsFolders), creating, "I1"),
    (Make(process=wrong_stores.CutsMore), torn_tails, "I1"),
    (Make(process=wrong_stores.NeverCuts), torn_tails, "I6"),
    (Make(process=wrong_stores.NeverLocks), side_by_side, "I6"),
    (Make(wrong_stores.Hasty), at_every_call, "I1"),
    (Make(wrong_stores.Hasty), some_lives, "I1"),
    (Make(wrong_stores.LineByLine), all_died, "I3"),
    (Make(wrong_stores.Forgetful), all_died, "I2"),
    (Make(wrong_stores.ReadsUnsynced), seen, "I5"),
    (Make(wrong_stores.ThrowsAway), torn_tails, "I6"),
]


def named(value: object) -> str:
    if isinstance(value, Make):
        return (value.store if value.store is not REAL.store else value.process).__name__
    return getattr(value, "__name__", str(value))


def ran(part: Part, make: Make) -> Run:
    run = Run(0, short=True, seed=1)
    with suppress(*(() if make is REAL else (StoreError, AssertionError))):
        part(run, make)
    return run


@pytest.mark.parametrize("part", PARTS, ids=named)
def test_our_store_passes(part: Part) -> None:
    run = ran(part, REAL)
    assert run.counts.cases > 10
    assert run.counts.wrong == []


@pytest.mark.parametrize(("make", "part", "invariant"), WRONG, ids=named)
def test_a_wrong_store_fails(make: Make, part: Part, invariant: str) -> None:
    found = {why.split()[0] for why in ran(part, make).counts.wrong}
    assert invariant in found
