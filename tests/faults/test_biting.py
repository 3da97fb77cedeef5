"""The campaign bites: each of some stores that are wrong in one thing fails it, and ours does not."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest

from eventstore.errors import Busy, OutcomeUnknown, TooLarge
from eventstore.form import LONGEST_LINE
from tests.eventstore.logs import rehashed, rounds, small_log
from tests.faults import wrong_stores
from tests.faults.biting_checks import named, notices
from tests.faults.campaign import Fault, Run
from tests.faults.crashes import at_every_moment
from tests.faults.databases import STATEMENT, TRANSACTION, cut_in_a_commit, failed_over
from tests.faults.exchanged import as_long_and_as_old, gone, grown_while_read, replaced, resumed_in_another
from tests.faults.failing import the_system_is_asked_once
from tests.faults.files import creating
from tests.faults.followed import replaced_while_followed
from tests.faults.forks import forks
from tests.faults.groups import keys_of_all, shared
from tests.faults.histories import explained
from tests.faults.nights import lives
from tests.faults.payloads import strange
from tests.faults.powercuts import of_a_real_disk
from tests.faults.recording import REAL, Make, cut, hold
from tests.faults.recovering import (
    after_failing_syncs,
    gone_on_after_a_failed_sync,
    opened_again_after_a_failed_sync,
    seen,
    told_by_the_same_hand,
    told_on_the_short_path,
)
from tests.faults.services import each_event_once
from tests.faults.sessions import defaults, forked, keys_of_a_copy, made, nothing_left, of_several_modes, stopped
from tests.faults.stories import LAST, a_log_of, at_call, at_the_end, of_length
from tests.faults.tampering import every_line, refused

pytestmark = pytest.mark.slow

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
            recording.append(other, rounds(5, 1))

    for nth in range(1, 10):
        recording, store = a_log_of([rounds(1, 2)], make)
        other = recording.open()
        at_call(recording, nth, happens)
        with suppress(OutcomeUnknown):
            recording.append(store, rounds(7, 2))
        recording.beside = None
        hold(run, f"another appends before call {nth}", recording.last, recording.machine)
    if run.counts.refused:
        run.breach("I6", "two append at once", "they spoiled the log")


def forged(run: Run) -> None:
    path = rehashed(
        [line.replace(b'"amount":2', b'"amount":2,"source":"../../etc"') for line in small_log().splitlines(True)]
    )
    with run.folder(real=False) as folder:
        refused(run, "a path for an id", folder / "a.jsonl", path, 4)


def long_lines(run: Run) -> None:
    recording, store = a_log_of([])
    with suppress(TooLarge):
        recording.append(store, [of_length(LONGEST_LINE + 1)])
        run.breach("I6", "a line that is too long", "was taken")


def beside_others(run: Run) -> None:
    side_by_side(run, REAL)


def some_lives(run: Run, make: Make) -> None:
    lives(run, 20, make)


PARTS: list[Part] = [
    at_every_call,
    all_died,
    torn_tails,
    side_by_side,
    some_lives,
    creating,
    told_by_the_same_hand,
    replaced_while_followed,
    as_long_and_as_old,
    shared,
    strange,
    gone_on_after_a_failed_sync,
    after_failing_syncs,
]
WRONG: list[tuple[Make, Part, str]] = [
    (Make(process=wrong_stores.NeverSyncs), at_every_call, "I1"),
    (Make(process=wrong_stores.NeverSyncs), some_lives, "I1"),
    (Make(process=wrong_stores.SyncsAgain), after_failing_syncs, "I1"),
    (Make(process=wrong_stores.NeverSyncsFolders), at_every_call, "I1"),
    (Make(process=wrong_stores.NeverSyncsFolders), creating, "I1"),
    (Make(process=wrong_stores.CutsMore), torn_tails, "I6"),
    (Make(process=wrong_stores.NeverCuts), torn_tails, "I6"),
    (Make(process=wrong_stores.NeverLocks), side_by_side, "I6"),
    (Make(process=wrong_stores.SeesNoOther), replaced, "I1"),
    (Make(wrong_stores.Hasty), at_every_call, "I1"),
    (Make(wrong_stores.Hasty), some_lives, "I1"),
    (Make(wrong_stores.LineByLine), all_died, "I3"),
    (Make(wrong_stores.Forgetful), all_died, "I2"),
    (Make(wrong_stores.ReadsUnsynced), seen, "I5"),
    (Make(wrong_stores.ThrowsAway), torn_tails, "I6"),
]


SWAPPED: list[tuple[str, Fault, str]] = [
    ("a failed sync is told to the leader only", shared, "I1"),
    ("a flushed append cancels the sync", shared, "I1"),
    ("an interrupted leader leaves the others acked", shared, "I1"),
    ("what is flushed on the short path counts as synced", told_on_the_short_path, "I5"),
    ("a reader keeps the state of after its walk", grown_while_read, "I1"),
    ("a reader goes on in another file", resumed_in_another, "I4"),
    ("a handle does not say that its own record is gone", gone, "I6"),
    ("a log opened again is not brought to the disk", opened_again_after_a_failed_sync, "I1"),
    ("nothing is brought to the disk", of_a_real_disk, "I1"),
    ("a handle knows the end of the log once and for all", partial(explained, kinds=["a file"]), "I1"),
    ("a stream repeats an event", each_event_once, "I5"),
    ("what is read back is not compared", strange, "I1"),
    ("what is read back together is not compared", strange, "I1"),
    ("every fifth line is not verified", every_line, "I4"),
    ("a sync is repeated inside the disk", the_system_is_asked_once, "I6"),
    ("keys of later facts are forgotten by the writer", keys_of_all, "I2"),
    ("keys of later facts are forgotten by who reads", keys_of_all, "I2"),
    ("the length of lines is not checked", long_lines, "I6"),
    ("what is flushed counts as synced", told_by_the_same_hand, "I1"),
    ("a follower does not see that the file is another", replaced_while_followed, "I5"),
    ("a handle goes on after a sync that failed", gone_on_after_a_failed_sync, "I1"),
    ("what was not written whole is left there", shared, "I2"),
    ("what others wrote is told before it is durable", told_by_the_same_hand, "I1"),
    ("a handle does not look at what others wrote", beside_others, "I6"),
    ("the straight path does not look at what others wrote", beside_others, "I6"),
    ("the last record is not looked at again", as_long_and_as_old, "I6"),
    ("a second name is not brought to the disk", creating, "I1"),
    ("ids are not checked by the writer", strange, "I6"),
    ("ids are not checked by who reads", forged, "I4"),
    ("what types do not say is not checked by the writer", strange, "I6"),
    ("a fork is written in its place at once", forks, "I3"),
    ("a fork keeps the hashes of the other log", forks, "I4"),
]
"""What is wrong in one function, and the part of the campaign that notices it by which invariant."""


IN_A_DATABASE: list[tuple[str, Fault, str]] = [
    ("a lost commit counts as not written", partial(cut_in_a_commit, appends=[TRANSACTION]), "I6"),
    ("a lost statement counts as not written", partial(cut_in_a_commit, appends=[STATEMENT]), "I6"),
    ("a creation whose commit is lost counts as not written", made, "I6"),
    (
        "the hash of the log's end is not compared",
        partial(failed_over, only="an append behind as many of another"),
        "I6",
    ),
    ("safety is asked where all of a group are durable", of_several_modes, "I1"),
    ("connections are kept over a fork", forked, "I6"),
    ("a removed log leaves its keys", nothing_left, "I2"),
    ("a copied key leads to its record, not its append", keys_of_a_copy, "I2"),
    ("a session is as the server has it", partial(defaults, direct=True), "I6"),
    ("a transaction is as the server has it", partial(defaults, direct=False), "I6"),
    ("who has stopped keeps the lock", stopped, "I6"),
]
"""The same for the store in PostgreSQL."""


def test_our_store_passes(whole: bool) -> None:
    for part in PARTS if whole else PARTS[1::3]:
        run = Run(0, short=True, seed=1)
        part(run, REAL)
        assert run.counts.cases > 1, named(part)
        assert run.counts.wrong == [], named(part)


@pytest.mark.parametrize(("make", "part", "invariant"), WRONG, ids=named)
def test_a_wrong_store_fails(make: Make, part: Part, invariant: str) -> None:
    assert notices(lambda run: part(run, make), invariant)


def test_every_wrong_function_is_tried() -> None:
    assert {wrong for wrong, _, _ in SWAPPED} == set(wrong_stores.SWAPS)
    assert {wrong for wrong, _, _ in IN_A_DATABASE} == set(wrong_stores.WRONG_DATABASES)


def test_every_wrong_function_stands_for_one_that_there_is() -> None:
    swaps = wrong_stores.SWAPS | wrong_stores.WRONG_DATABASES
    assert [wrong for wrong, swap in swaps.items() if not hasattr(swap.room, swap.name)] == []


@pytest.mark.in_turn(4)
@pytest.mark.parametrize(("wrong", "part", "invariant"), IN_A_DATABASE, ids=named)
def test_a_store_in_a_database_with_one_wrong_function_fails(
    wrong: str, part: Fault, invariant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    swap = wrong_stores.WRONG_DATABASES[wrong]
    monkeypatch.setattr(swap.room, swap.name, swap.instead)
    assert notices(part, invariant)


@pytest.mark.in_turn(4)
@pytest.mark.parametrize(("wrong", "part", "invariant"), SWAPPED, ids=named)
def test_a_store_with_one_wrong_function_fails(
    wrong: str, part: Fault, invariant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    swap = wrong_stores.SWAPS[wrong]
    monkeypatch.setattr(swap.room, swap.name, swap.instead)
    assert notices(part, invariant)
