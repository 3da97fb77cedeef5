"""Faults 13 to 15: the power goes while a log is put in order, and after somebody saw what was not safe yet."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from typing import get_args

from eventstore.errors import CorruptLog, NotALog, NotWritten, OutcomeUnknown, StoreError, WrongVersion
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore
from eventstore.record import Recorded
from eventstore.store import STORE, Mode
from tests.eventstore.logs import AT, OPENING, drafts, log_of, read, rounds
from tests.faults.campaign import Run, fault
from tests.faults.judging import Story
from tests.faults.memfs import How, MemFS, Process
from tests.faults.recording import FORD, REAL, Make, Moment, Recording, cut, hold
from tests.faults.stories import BLOCKS, LAST, TORN, an_evening, at_call, filler, recovered, torn


@fault(13, "crash during recovery, and during the second one")
def in_recovery(run: Run, make: Make = REAL) -> None:
    chance = run.chance
    _replaced(run, make)
    for last, left in product(LAST, TORN):
        first = torn(last, left, make)
        tail = _tail(first)
        for second in recovered(first).moments:
            for how in ("lost", "kept", "any"):
                case = f"{last}, {left}"
                back = cut(run, case, second, chance.randrange(1000), how)
                _still_there(run, f"{case}, {second.case}, {how}", tail, back)
                if run.short and chance.random() < 0.95:
                    continue
                again = recovered(Recording.after(second, back).last)
                for third in again.moments:
                    seed = chance.randrange(1000)
                    _still_there(
                        run, f"{case}, the third cut {third.case}", tail, cut(run, f"{case}, again", third, seed)
                    )


def _replaced(run: Run, make: Make) -> None:
    """All die at a call of a repair that puts a new file in the place of the log; another writes on, and the power goes."""
    good = log_of(drafts(OPENING), rounds(1, 2))
    found = Moment(0, "begin", MemFS(), Story(read(good)), make=make)
    found.machine.put(FORD, good.replace(b"\n", b"\r\n"))
    repairing = Recording.after(found, found.machine.clone())
    repairing.repair()
    for moment in [*repairing.moments, repairing.last]:
        recording = Recording.after(moment, moment.machine.clone())
        with suppress(CorruptLog):
            recording.append(recording.open(), rounds(3, 1))
        for seed in range(run.some(3, 30)):
            back = recording.last.machine.crash(seed)
            Recording.after(moment, back).repair()  # which does nothing where that is done
            hold(run, f"a log with CR LF, repaired, {moment.case} all died, any {seed}", recording.last, back)


def _tail(moment: Moment) -> bytes:
    data = moment.machine.get(moment.path)
    good = moment.make.opened(moment.machine.clone()).verify()
    return data[good.problem.offset :] if good.problem else b""


def _still_there(run: Run, case: str, tail: bytes, machine: MemFS) -> None:
    """What was cut off is in one piece somewhere, at every moment."""
    if not any(tail in machine.get(FORD.with_name(name)) for name in machine.names(FORD.parent)):
        run.breach("I6", case, "what was cut off is in no file")


@fault(14, "crash after the cut, before its note")
def before_the_note(run: Run, make: Make = REAL) -> None:
    """Whoever writes next says what was cut off, though it was another who did."""
    for last, left in product(LAST, TORN):
        if left == "all but its line feed":  # nothing is cut off
            continue
        moments = recovered(torn(last, left, make)).moments
        cuts = [place for place, moment in enumerate(moments) if moment.call == "truncate"]
        for moment in moments[cuts[0] + 1 : cuts[0] + 5]:
            for seed in range(run.some(3, 100)):
                back = cut(run, f"{last}, {left}", moment, seed)
                store = make.opened(back)
                try:
                    store.append(rounds(30, 1), by="gm", at=AT)
                except CorruptLog:  # rubbish, which was judged
                    continue
                notes = [record for record in store.read() if record.by == STORE and isinstance(record.event, Noted)]
                if not any(".torn-" in note.event.text for note in notes if isinstance(note.event, Noted)):
                    run.breach("I6", f"{last}, {left}, {moment.case}, any {seed}", "nothing says what was cut off")


# ---------------------------------------------------------------- what was shown


def reads(recording: Recording) -> None:
    recording.read(recording.open())


def repeats(recording: Recording) -> None:
    for key, batch in list(recording.keyed.items()):
        with suppress(CorruptLog, NotALog):
            recording.append(recording.open(), batch, key=key)


def writes_too_late(recording: Recording) -> None:
    with suppress(StoreError):
        recording.append(recording.open(), rounds(1, 1), after=1)


@fault(15, "crash between write and fdatasync; a reader saw the bytes")
def seen(run: Run, make: Make = REAL) -> None:
    """All processes die at a call, somebody looks, and the power goes; or somebody looks at every call."""
    for block in BLOCKS[: run.some(1, 2)]:
        evenings = an_evening(make, block)
        for moment in [*evenings.moments, evenings.last]:
            if moment.call == "open" or moment.path.name not in moment.machine.names(moment.path.parent):
                continue
            for look in (reads, repeats, writes_too_late):
                recording = Recording.after(moment, moment.machine.clone(), seed=look.__name__)
                look(recording)
                for how in ("lost", "garbage", "any"):
                    case = f"blocks of {block}, {moment.case} all died, one {look.__name__}"
                    for seed in range(run.some(1, 10)):
                        cut(run, case, recording.last, seed, how)
    told_by_the_same_hand(run, make)
    for last, left, nth in product(list(LAST)[: run.some(2, 5)], TORN, range(3, 27, run.some(2, 1))):
        _slow_reader(run, make, last, left, nth)


def told_by_the_same_hand(run: Run, make: Make = REAL) -> None:
    """A handle that gave facts to the system alone is asked for them: what it tells then is durable."""
    ways: tuple[How, ...] = ("lost", "any")
    for how, look in product(ways, (_repeats_by, _writes_too_late_by, _reads_by)):
        recording = Recording(MemFS(), make, seed=look.__name__)
        recording.create()
        store = recording.open()
        recording.append(store, rounds(1, 2), key="flushed", mode="flushed")
        look(recording, store)
        cut(run, f"given to the system, then {look.__name__}", recording.last, 0, how)
        told_on_the_short_path(run, how, make)


def told_on_the_short_path(run: Run, how: How = "lost", make: Make = REAL) -> None:
    """What a handle gave to the system alone right after a durable append, it brings to the disk before it tells it."""
    recording = Recording(MemFS(), make)
    store = recording.create()
    for mode in get_args(Mode):
        recording.append(store, rounds(1, 1), mode=mode)
    for _ in range(2):
        with suppress(WrongVersion):
            recording.append(store, rounds(1, 1), after=1)
    cut(run, "given to the system on the short path, then asked for", recording.last, 0, how)


def _repeats_by(recording: Recording, store: JsonlStore) -> None:
    recording.append(store, rounds(1, 2), key="flushed", mode="flushed")


def _writes_too_late_by(recording: Recording, store: JsonlStore) -> None:
    with suppress(WrongVersion):
        recording.append(store, rounds(1, 1), after=1)


def _reads_by(recording: Recording, store: JsonlStore) -> None:
    recording.read(store)


class ReadsLittle(Process):
    """Reads a line at a time, where others read ahead."""

    buffer = 64


def _slow_reader(run: Run, make: Make, last: str, left: str, nth: int) -> None:
    """Who began to read before a log is put in order reads on before the nth call of that, and the power goes."""
    first = torn(last, left, make)
    recording = Recording.after(first, first.machine.clone(), seed=nth)
    reading = Make(make.store, ReadsLittle).opened(recording.machine).read()
    recording.show([next(reading)])
    at_call(recording, nth, lambda: recording.show(_rest(reading)))
    recording.append(recording.open(), rounds(20, 4))
    for later in recording.moments:
        cut(run, f"{last}, {left}, one read on before call {nth}", later, 0, "lost")


def _rest(reading: Iterator[Recorded]) -> list[Recorded]:
    found: list[Recorded] = []
    with suppress(CorruptLog):
        found.extend(reading)
    return found


# ---------------------------------------------------------------- for a disk that fails first


def gone_on_after_a_failed_sync(run: Run, make: Make = REAL) -> None:
    """A sync fails that was to bring what was flushed before to the disk as well; the handle is asked to go on."""
    for block, flushed in product(BLOCKS, (1, 3)):
        recording = Recording(MemFS(block=block), make, seed=block)
        store = recording.create()
        for number in range(flushed):
            recording.append(store, [*rounds(number, 1), filler(block)], mode="flushed")
        recording.process_of(store).fail("sync", 1)
        for number in range(5, 8):
            with suppress(OutcomeUnknown, NotWritten):
                recording.append(store, rounds(number, 1))
        for seed, how in enumerate(_LOSING):
            cut(run, f"the sync failed after {flushed} flushed, blocks of {block}", recording.last, seed, how)


def opened_again_after_a_failed_sync(run: Run, make: Make = REAL) -> None:
    """A sync fails that was to bring what was flushed before to the disk as well; the log is opened again for that reason."""
    for block, flushed in product(BLOCKS, (0, 3)):
        recording = Recording(MemFS(block=block), make, seed=block)
        store = recording.create()
        recording.append(store, rounds(9, 1))
        for number in range(flushed):
            recording.append(store, [*rounds(number, 1), filler(block)], mode="flushed")
        recording.process_of(store).fail("sync", 1)
        with suppress(OutcomeUnknown):
            recording.append(store, rounds(5, 1))
        for number in range(6, 8):
            try:
                recording.append(store, rounds(number, 1))
                run.breach("I6", "a handle whose sync failed", "it writes on")
            except NotWritten:
                run.counts.refused += 1
        again = recording.open(doubt=store.unwritable)
        for number in range(8, 10):
            recording.append(again, rounds(number, 1))
        if again.unwritable:
            run.breach("I6", "opened again", again.unwritable)
        for moment in [*recording.moments[-12:], recording.last]:
            for seed, how in enumerate(_LOSING):
                cut(run, f"opened again, {flushed} flushed, blocks of {block}", moment, seed, how)


_LOSING: tuple[How, ...] = ("lost", "any", "any")


def after_failing_syncs(run: Run, make: Make = REAL) -> None:
    """A sync fails, once, the next one succeeds; the process goes on, then another does; and the power goes."""
    for nth, block in product(range(1, 4), BLOCKS):
        recording = Recording(MemFS(block=block), make, seed=(nth, block))
        store = recording.create()
        recording.process_of(store).fail("sync", nth)
        for number in range(1, 6):
            with suppress(OutcomeUnknown, NotWritten):
                recording.append(store, [*rounds(number, 1), filler(block)], key=f"round {number}")
        other = recording.open()
        for key, batch in list(recording.keyed.items()):
            recording.append(other, batch, key=key)
        for seed in range(6):
            cut(run, f"sync {nth} failed, blocks of {block}", recording.last, seed)
