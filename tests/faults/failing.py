"""Faults 25 to 35: a disk that is full, fails, is closed to us or slow, at each call that a writer or a reader makes."""

import errno
import os
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any

from eventstore.disk import Disk
from eventstore.errors import NotReadable, NotWritten, OutcomeUnknown, StoreError
from eventstore.jsonl import JsonlStore
from eventstore.store import Mode
from tests.eventstore.logs import AT, OPENING, drafts, log_of, read, rounds
from tests.faults.campaign import Run, fault
from tests.faults.memfs import How, MemFS, Process
from tests.faults.processes import Heard, Say, limit
from tests.faults.recording import FORD, Batch, Recording, cut, hold
from tests.faults.recovering import after_failing_syncs, gone_on_after_a_failed_sync, opened_again_after_a_failed_sync
from tests.faults.stories import a_log_of, torn
from tests.faults.together import GOOD, acked_in, appends, begun, children, ended, held

EVER = 10**6
"""How often something goes wrong that never goes well."""
LOSING: tuple[How, ...] = ("lost", "any")


def _after_a_cut(last: str, left: str) -> Recording:
    moment = torn(last, left)
    return Recording.after(moment, moment.machine)


BEGINNINGS: dict[str, Callable[[], Recording]] = {
    "a log": lambda: a_log_of([rounds(1, 2)])[0],
    "no log": lambda: Recording(MemFS()),
    "a batch cut short": partial(_after_a_cut, "a batch", "half of it"),
    "a tail of zeros": partial(_after_a_cut, "a record", "zeros"),
    "a line feed missing": partial(_after_a_cut, "a keyed record", "all but its line feed"),
}
"""What a writer finds."""
WRITES: list[tuple[Batch, str | None, Mode]] = [
    (rounds(1, 1), None, "durable"),
    (volley := rounds(7, 3), "salvo", "durable"),
    (rounds(2, 1), None, "flushed"),
    (volley, "salvo", "durable"),
    (rounds(3, 40), "charge", "durable"),
]
"""What he appends: the facts, their key, and how safely."""


def writes(run: Run, case: str, recording: Recording, disk: Process) -> list[str]:
    """Append by one handle, after making the log where there is none; return what came of each: `acked`, or an error."""
    found: list[str] = []
    while FORD.name not in recording.machine.names(FORD.parent) and len(found) < 3:
        found.append(came(run, case, lambda: recording.create(disk=disk)))
    if "OutcomeUnknown" not in found and FORD.name in recording.machine.names(FORD.parent):  # else he looks first
        store = recording.handle(disk)
        for batch, key, mode in WRITES:
            found.append(came(run, case, partial(recording.append, store, batch, key=key, mode=mode)))
    return found


def came(run: Run, case: str, work: Callable[[], object]) -> str:
    try:
        work()
    except (NotWritten, NotReadable, OutcomeUnknown) as error:
        run.counts.refused += 1
        if not (str(error) and error.hint):
            run.breach("I6", case, f"{type(error).__name__} without a reason or a hint: {error}")
        return type(error).__name__
    except OSError as error:
        run.breach("I6", case, f"{error!r} came out of the store")
        return "OSError"
    return "acked"


def ends(run: Run, case: str, recording: Recording) -> None:
    """Judge the log as it stands, after a power cut, and once another repeated what has a key on a disk that is well."""
    hold(run, case, recording.survived, recording.machine.clone())
    for seed, how in enumerate(LOSING):
        cut(run, case, recording.last, seed, how)
    if FORD.name in recording.machine.names(FORD.parent):
        other = recording.open()
        for key, batch in list(recording.keyed.items()):
            recording.append(other, batch, key=key)
        hold(run, f"{case}, repeated", recording.survived, recording.machine)


def begins(run: Run) -> Iterator[tuple[str, Recording, Process]]:
    for name, beginning in list(BEGINNINGS.items())[: run.some(3, 9)]:
        recording = beginning()
        yield name, recording, recording.machine.process()


def failed(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def each_call(run: Run, name: str, number: int, *told: str, then: str = "", step: int = 1, **how: Any) -> None:
    """Let the nth call of a name fail, for n = 1, 2, 3 … until there is no nth, and `then` others for ever.

    Somebody must be told of it by one of these errors, if there are any.
    """
    for nth in count(1, step):
        harmed = False
        for beginning, recording, disk in begins(run):
            case = f"{beginning}, {name} {nth} fails: {errno.errorcode[number]}{', and ' * bool(then)}{then}"
            disk.fail(name, nth, failed(number), **how)
            if then:
                disk.fail(then, 1, failed(number), times=EVER)
            found = writes(run, case, recording, disk)
            calls = [each.name for each in disk.calls].count(name)
            harmed = harmed or calls >= nth
            if calls >= nth and told and not {*told} & {*found}:
                run.breach("I6", case, f"nobody was told: {found}")
            if name == "sync" and "OutcomeUnknown" in found and calls > nth:
                run.breach("I6", case, "a handle synced again after a sync that failed")
            ends(run, case, recording)
        if not harmed:
            break


# ---------------------------------------------------------------- no room, and room again


@fault(25, "ENOSPC: zero bytes written")
def nothing_fits(run: Run) -> None:
    for case, recording, disk in begins(run):
        disk.fail("write", 1, failed(errno.ENOSPC), times=EVER)
        if {*(found := writes(run, case, recording, disk))} != {"NotWritten"}:
            run.breach("I6", case, f"nothing fits, and it ended with {found}")
        ends(run, case, recording)


@fault(26, "ENOSPC after a short write")
def a_part_fits(run: Run) -> None:
    for room in range(1, 900, run.some(150, 7)):
        for name, recording, disk in begins(run):
            case = f"{name}, room for {room} bytes"
            disk.fail("write", 1, short=room)
            disk.fail("write", 2, failed(errno.ENOSPC), times=EVER)
            if "NotWritten" not in (found := writes(run, case, recording, disk)) or {*found} - {"acked", "NotWritten"}:
                run.breach("I6", case, f"it ended with {found}")
            ends(run, case, recording)


@fault(27, "EFBIG after a short write (RLIMIT_FSIZE)")
def a_limit_is_reached(run: Run) -> None:
    """The system itself writes a part, on a real disk."""
    size = len(log_of(drafts(OPENING), rounds(1, 2), rounds(7, 3))) - len(GOOD)
    for room in range(0, size + 100, run.some(60, 3)):
        case, said = f"no file beyond {len(GOOD) + room} bytes", Heard()
        with run.folder(real=False) as folder, JsonlStore(begun(folder)) as store:
            for _ in range(2):
                with limit(resource.RLIMIT_FSIZE, len(GOOD) + room):
                    appends(store, "volley", said, volley)
            if room < size and any(word != "failed" for word, *_ in said):
                run.breach("I6", case, "what did not fit was acked")
            appends(store, "and on", said)
            if said[-1][0] != "acked":
                run.breach("I6", case, f"with room again it is refused: {said[-1]}")
            held(run, case, folder / FORD.name, [*read(GOOD), *acked_in(said)])


@fault(35, "room comes back")
def room_comes_back(run: Run) -> None:
    """A handle that found no room, twice, goes on once there is, without any repair."""
    for room in range(0, 600, run.some(200, 20)):
        for number in (errno.ENOSPC, errno.EDQUOT):
            for name, recording, disk in begins(run):
                case, refused = f"{name}, room for {room} bytes, then more", run.counts.refused
                disk.fail("write", 1, failed(number), short=room, times=2)
                found = writes(run, case, recording, disk)
                if found != ["NotWritten"] * 2 + ["acked"] * (len(found) - 2):
                    run.breach("I6", case, f"with room again it ended with {found}")
                refused = run.counts.refused
                ends(run, case, recording)
                if run.counts.refused > refused:
                    run.breach("I6", case, "with room again it is refused")


# ---------------------------------------------------------------- writing, syncing

CALLS = (
    "open",
    "try_lock",
    "pread",
    "truncate",
    "fstat",
    "stat",
    "close",
    "read",
    "link",
    "unlink",
    "rename",
    "unlock",
)
"""What a writer calls beside `write`, `sync` and `sync_folder`; what the most goes by stands first."""


@fault(28, "EIO on write")
def writing_fails(run: Run) -> None:
    each_call(run, "write", errno.EIO, "NotWritten")
    for room in (7, 300):
        each_call(run, "write", errno.EIO, "OutcomeUnknown", "NotWritten", then="truncate", short=room)
    for name in CALLS[: run.some(5, 20)]:
        each_call(run, name, errno.EIO, step=run.some(9, 1))


@fault(29, "EIO on fdatasync, the next one succeeds")
def syncing_fails(run: Run) -> None:
    the_system_is_asked_once(run)
    for number in (errno.EIO, errno.ENOSPC, errno.EDQUOT)[: run.some(1, 3)]:
        each_call(run, "sync", number, "OutcomeUnknown", "NotWritten")
    each_call(run, "sync", errno.EIO, "OutcomeUnknown", "NotWritten", then="truncate")
    after_failing_syncs(run)
    gone_on_after_a_failed_sync(run)
    opened_again_after_a_failed_sync(run)


class FailsOnce(Disk):
    """The machine's disk, where the first sync fails and every later one succeeds, as systems do."""

    _full = None

    def __init__(self) -> None:
        self.asked = 0

    def _data(self, fd: int) -> None:  # type: ignore[override]
        self.asked += 1
        if self.asked == 1:
            raise failed(errno.EIO)
        os.fsync(fd)


def the_system_is_asked_once(run: Run) -> None:
    """What the system says of a sync counts the first time: the append is not acked, and the handle writes no more."""
    case = "the first sync fails"
    with run.folder() as folder, JsonlStore(begun(folder), disk=(disk := FailsOnce())) as store:
        run.counts.cases += 1
        found = [
            came(run, case, partial(store.append, batch, by="gm", at=AT)) for batch in (rounds(1, 1), rounds(7, 3))
        ]
        if found != ["OutcomeUnknown", "NotWritten"] or disk.asked != 1:
            run.breach("I6", case, f"it ended with {found}; the system was asked {disk.asked} times")


@fault(30, "EIO on the sync of a folder")
def syncing_a_folder_fails(run: Run) -> None:
    each_call(run, "sync_folder", errno.EIO, "OutcomeUnknown", "NotWritten")
    each_call(run, "sync_folder", errno.EIO, "OutcomeUnknown", "NotWritten", then="unlink")


@fault(31, "EINTR and short writes, again and again")
def interrupted(run: Run) -> None:
    for most in (1, 7, 100, 512)[: run.some(3, 4)]:
        for name, recording, disk in begins(run):
            case = f"{name}, {most} bytes at once"
            disk.fail("write", 1, short=most, times=EVER)
            if {*(found := writes(run, case, recording, disk))} != {"acked"}:
                run.breach("I6", case, f"it ended with {found}")
            ends(run, case, recording)
    for seconds in (0.001, 0.0002):
        case = f"a signal every {seconds * 1000} ms"
        with run.folder(real=False) as folder:
            path = begun(folder)
            with children(partial(_under_signals, path, seconds, run.some(30, 600))) as (child,):
                said = ended(run, case, child)
            held(run, case, path, [*read(GOOD), *acked_in(said)])


def _under_signals(path: Any, seconds: float, number: int, say: Say) -> None:
    """Append while a signal comes again and again, by which calls of the system end early."""
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.siginterrupt(signal.SIGALRM, True)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    with JsonlStore(path) as store:
        for place in range(number):
            appends(store, f"{place} " + "x" * 1000, say)


@fault(32, "EMFILE on open, EACCES and EROFS on reopen")
def not_permitted(run: Run) -> None:
    """What the system itself says to who may not write, tests of the store and fault 64 show."""
    for number in (errno.EMFILE, errno.EACCES, errno.EROFS):
        each_call(run, "open", number, times=1)
        each_call(run, "open", number, "NotWritten", "NotReadable", "OutcomeUnknown", times=EVER)


# ---------------------------------------------------------------- reading

WAYS: dict[str, Callable[[JsonlStore], list[object]]] = {
    "read": lambda store: [sum(1 for _ in store.read())],
    "head": lambda store: [store.head().seq],
    "verify": lambda store: [(found := store.verify()).records, found.problem.why if found.problem else ""],
}


def _looked(run: Run, case: str, way: str, disk: Process) -> list[object]:
    found: list[object] = []
    with suppress(StoreError):
        if (told := came(run, case, lambda: found.extend(WAYS[way](JsonlStore(FORD, disk=disk))))) != "acked":
            return [told]
        return found
    return ["refused"]


@fault(33, "a read error in the middle is not the end")
def reading_fails(run: Run) -> None:
    long = log_of(drafts(OPENING), *(rounds(number, 100) for number in range(run.some(10, 45))))
    zeros = bytes(-len(long) % 512 + 512)
    logs = {
        "a short log": GOOD,
        "a long batch cut short": long[:-100],
        "a long log, zeros and lines": long + zeros + (b"x" * 300_000 + b"\n") * 4,
        "a long log and zeros": long + bytes(2 << 20),
        "a long log, whose last append lacks its first block": long + zeros + b"x" * 300_000,
    }
    for name, data in list(logs.items())[: run.some(3, 9)]:
        machine = MemFS()
        machine.put(FORD, data)
        for way in WAYS:
            whole = _looked(run, name, way, machine.clone().process())
            for call in ("read", "pread", "sync", "open", "fstat", "try_lock"):
                for nth in count(1):
                    disk = machine.clone().process()
                    disk.fail(call, nth)
                    case = f"{name}, {way}, {call} {nth} fails"
                    run.counts.cases += 1
                    if (seen := _looked(run, case, way, disk)) not in (whole, ["NotReadable"]):
                        run.breach("I1", case, f"it gives {seen}, not {whole}")
                    if [each.name for each in disk.calls].count(call) < nth:
                        break
