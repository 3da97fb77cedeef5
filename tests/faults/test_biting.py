"""The campaign bites: each of some stores that are wrong in one thing fails it, and ours does not."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest

from encounterlog.service.streams import Stream
from eventstore import committing, copying, files, following, known_part, reading, writing
from eventstore.committing import Writer
from eventstore.disk import Disk
from eventstore.errors import Busy, OutcomeUnknown, TooLarge
from eventstore.form import LONGEST_LINE
from eventstore.jsonl import JsonlStore
from eventstore.known_part import Knowledge
from eventstore.open_log import OpenLog
from eventstore.postgres import appending, keeping, statements
from eventstore.postgres.connections import Database
from eventstore.reading import Walk
from eventstore.record import encode_record
from eventstore.store import Request
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
)
from tests.faults.services import each_event_once
from tests.faults.sessions import defaults, forked, keys_of_a_copy, made, nothing_left, of_several_modes, stopped
from tests.faults.stories import LAST, a_log_of, at_call, at_the_end, of_length
from tests.faults.tampering import every_line, refused
from tests.faults.wrong_stores import Swap

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


SWAPPED: list[tuple[Swap, Fault, str]] = [
    (Swap("a failed sync is told to the leader only", Writer, "_write_together", wrong_stores._told_to_the_leader_only), shared, "I1"),
    (Swap("a flushed append cancels the sync", committing, "_is_awaited", lambda jobs: all(j.request.mode == "durable" for j in jobs)), shared, "I1"),
    (Swap("an interrupted leader leaves the others acked", Writer, "_write_together", wrong_stores._acked_though_interrupted), shared, "I1"),
    (Swap("a reader keeps the state of after its walk", Knowledge, "read_on", wrong_stores._state_of_later), grown_while_read, "I1"),
    (Swap("a reader goes on in another file", known_part, "_only_grew", wrong_stores._grew_anywhere), resumed_in_another, "I4"),
    (Swap("a handle does not say that its own record is gone", Knowledge, "caught_up", wrong_stores._says_nothing), gone, "I6"),
    (Swap("a log opened again is not brought to the disk", OpenLog, "_write_again", wrong_stores._believes_the_disk), opened_again_after_a_failed_sync, "I1"),
    (Swap("nothing is brought to the disk", Disk, "sync", lambda *_: None), of_a_real_disk, "I1"),
    (Swap("a handle knows the end of the log once and for all", JsonlStore, "head", wrong_stores._knows_the_end), partial(explained, kinds=["a file"]), "I1"),
    (Swap("a stream repeats an event", Stream, "take", wrong_stores._takes_all), each_event_once, "I5"),
    (Swap("what is read back is not compared", writing, "_decode_written", wrong_stores._checked_unless(wrong_stores._is_not_compared)), strange, "I1"),
    (Swap("what is read back together is not compared", writing, "_decode_usual_lines", wrong_stores._only_decoded), strange, "I1"),
    (Swap("every fifth line is not verified", reading, "_decode_usual", wrong_stores._every_fifth_goes), every_line, "I4"),
    (Swap("a sync is repeated inside the disk", Disk, "sync", wrong_stores._syncs_again), the_system_is_asked_once, "I6"),
    (Swap("keys of later facts are forgotten by the writer", Request, "keys", property(wrong_stores._of_the_first)), keys_of_all, "I2"),
    (Swap("keys of later facts are forgotten by who reads", Walk, "_take_batch", wrong_stores._keeps_the_first_key), keys_of_all, "I2"),
    (Swap("the length of lines is not checked", writing, "_decode_written", wrong_stores._checked_unless(wrong_stores._is_not_measured)), long_lines, "I6"),
    (Swap("what is flushed counts as synced", Knowledge, "keep_written", wrong_stores._flushed_is_synced), told_by_the_same_hand, "I1"),
    (Swap("a follower does not see that the file is another", following, "file_identity", lambda _: (0, 0)), replaced_while_followed, "I5"),
    (Swap("a handle goes on after a sync that failed", OpenLog, "_poison", wrong_stores._goes_on), gone_on_after_a_failed_sync, "I1"),
    (Swap("what was not written whole is left there", OpenLog, "_take_back", wrong_stores._left_there), shared, "I2"),
    (Swap("what others wrote is told before it is durable", committing, "_reports_other_records", lambda _: False), told_by_the_same_hand, "I1"),
    (Swap("a handle does not look at what others wrote", Knowledge, "caught_up", wrong_stores._looks_at_nothing), beside_others, "I6"),
    (Swap("the last record is not looked at again", OpenLog, "has_record", lambda *_: True), as_long_and_as_old, "I6"),
    (Swap("a second name is not brought to the disk", files, "sync_name", lambda *_: None), creating, "I1"),
    (Swap("ids are not checked by the writer", writing, "_decode_written", wrong_stores._checked_unless(wrong_stores._has_no_ids)), strange, "I6"),
    (Swap("ids are not checked by who reads", reading, "are_proper", lambda _: True), forged, "I4"),
    (Swap("what types do not say is not checked by the writer", writing, "_decode_written", wrong_stores._checked_unless(wrong_stores._is_only_compared)), strange, "I6"),
    (Swap("a fork is written in its place at once", copying, "create_file", wrong_stores._written_in_place), forks, "I3"),
    (Swap("a fork keeps the hashes of the other log", copying, "_chained_again", lambda record, _: encode_record(record) + b"\n"), forks, "I4"),
]  # fmt: skip
"""What is wrong in one function, and the part of the campaign that notices it by which invariant."""


IN_A_DATABASE: list[tuple[Swap, Fault, str]] = [
    (Swap("a lost commit counts as not written", appending.Writer, "_behind_lock", wrong_stores._commit_is_sure), partial(cut_in_a_commit, appends=[TRANSACTION]), "I6"),
    (Swap("a lost statement counts as not written", appending.Writer, "_took_short_path", wrong_stores._statement_is_sure), partial(cut_in_a_commit, appends=[STATEMENT]), "I6"),
    (Swap("a creation whose commit is lost counts as not written", keeping, "_open_transaction", wrong_stores._creation_is_sure), made, "I6"),
    (Swap("the hash of the log's end is not compared", statements, "append_statement", wrong_stores._without_the_hash), partial(failed_over, only="an append behind as many of another"), "I6"),
    (Swap("safety is asked where all of a group are durable", appending, "_needs_safety", lambda jobs: all(job.request.mode == "durable" for job in jobs)), of_several_modes, "I1"),
    (Swap("connections are kept over a fork", Database, "after_fork", lambda _: None), forked, "I6"),
    (Swap("a removed log leaves its keys", keeping, "_OF_LOGS", (b"record",)), nothing_left, "I2"),
    (Swap("a copied key leads to its record, not its append", keeping, "_batch_bounds", lambda one: (one.seq, one.seq)), keys_of_a_copy, "I2"),
    (Swap("a session is as the server has it", Database, "_set_timeouts", lambda *_: None), partial(defaults, direct=True), "I6"),
    (Swap("a transaction is as the server has it", statements, "BEGIN", "begin"), partial(defaults, direct=False), "I6"),
    (Swap("who has stopped keeps the lock", statements, "timeout_settings", lambda scope, wait: f"set {scope} lock_timeout = {int(wait * 1000)}"), stopped, "I6"),
]  # fmt: skip
"""The same for the store in PostgreSQL."""


def test_our_store_passes(whole: bool) -> None:
    for part in PARTS if whole else PARTS[1::3]:
        run = Run(0, short=True, seed=1)
        part(run, REAL)
        assert run.counts.cases, named(part)
        assert run.counts.wrong == [], named(part)


@pytest.mark.parametrize(("make", "part", "invariant"), WRONG, ids=named)
def test_a_wrong_store_fails(make: Make, part: Part, invariant: str) -> None:
    assert notices(lambda run: part(run, make), invariant)


def test_every_wrong_function_stands_for_one_that_there_is() -> None:
    assert [swap.wrong for swap, *_ in (*SWAPPED, *IN_A_DATABASE) if not hasattr(swap.room, swap.name)] == []


@pytest.mark.in_turn(4)
@pytest.mark.parametrize(("swap", "part", "invariant"), [*SWAPPED, *IN_A_DATABASE], ids=named)
def test_a_store_with_one_wrong_function_fails(
    swap: Swap, part: Fault, invariant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(swap.room, swap.name, swap.instead)
    assert notices(part, invariant)
