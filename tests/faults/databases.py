"""Faults of a database: cut in a commit, restarted, failed over to a stale copy, shared by programs, behind a pool."""

import random
import shutil
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import get_args

from eventstore.address import Url
from eventstore.chain import Anchor
from eventstore.errors import Busy, NotReadable, NotWritten, OutcomeUnknown, Rewritten, StoreError, WrongVersion
from eventstore.events import Noted
from eventstore.postgres import connections
from eventstore.postgres.store import PostgresStore
from eventstore.record import Draft, Recorded
from tests.eventstore.logs import AT, drafts
from tests.faults.campaign import Run, fault
from tests.faults.judging import Story, judge
from tests.faults.processes import Say
from tests.faults.servers import AFTER, Cut, Line, begun, opened, pool, private
from tests.faults.together import children, ended, side_by_side

LONG = 120
"""How many seconds a case may take before it counts as a hang."""
COMMIT = b"COMMIT\0"
"""A commit as it is sent: a statement that ends there, unlike the name of a setting."""
STATEMENT, TRANSACTION = "an append of one statement", "the commit of a transaction"
PREPARING = "the preparation of a statement"
APPENDS = (STATEMENT, TRANSACTION, PREPARING)
"""What of an append is cut. A statement is prepared without values, when it is repeated, and decides as soon as it arrives with them."""


def note(text: str) -> list[Draft]:
    return drafts(Noted(text=text))


def held(run: Run, case: str, log: Url, story: Story) -> list[Recorded]:
    with opened(log) as store:
        return judge(run, case, story, store, b"".join(store.lines()))


# ---------------------------------------------------------------- 69


@fault(69, "a database: the connection cut before, in and after a commit; the append repeated")
def cut_in_a_commit(run: Run, appends: Sequence[str] = APPENDS) -> None:
    cuts: Sequence[Cut] = get_args(Cut)
    turns = [(how, when, keyed) for how in appends for when in cuts for keyed in (True, False)]
    for turn in range(run.some(1, 10)):
        for how, when, keyed in turns:
            case = f"{how}, cut {when}, {'with a key' if keyed else 'without'}, {turn}"
            with run.within(LONG, case), Line(private()) as line:
                _cut(run, case, begun("cut"), line, how, when, f"{case}" if keyed else None)


def _cut(run: Run, case: str, log: Url, line: Line, how: str, when: Cut, key: str | None) -> None:
    with opened(line.address(log)) as store, opened(log) as other:
        acked = list(store.read())
        for number in range(connections.PREPARED if how == PREPARING else 1):
            own = key and f"{key} {number}"  # with a key it is a statement of its own
            acked += store.append(note(f"before {case}, {number}"), by="gm", at=AT, key=own).records
        if how == TRANSACTION:  # somebody came in between: it takes the lock
            acked += other.append(note(f"between {case}"), by="gm", at=AT).records
        line.cut(_word(how, case), when)
        batch: Sequence[Draft] = note(f"cut {case}")
        try:
            store.append(batch, by="gm", at=AT, key=key)
        except OutcomeUnknown:
            run.counts.refused += 1
        except StoreError as error:
            run.breach("I6", case, f"{type(error).__name__} is not the outcome of a lost connection: {error}")
        else:
            run.breach("I6", case, "it returned, though the connection was cut")
        if not line.is_whole:
            run.breach("I6", case, "nothing was cut: what decides the append was not sent")
        done = when == AFTER and how != PREPARING
        if has_come(log, f"cut {case}", wanted=done) != done:
            run.breach("I6", case, "what was cut is not what decides the append")
        flying = [batch]
        if key is not None:
            acked += store.append(batch, by="gm", at=AT, key=key).records
            flying = []
        records = held(run, case, log, Story(acked, flying))
        if key is not None and [record.key for record in records].count(key) != 1:
            run.breach("I2", case, "what was repeated with its key is there twice")


def _word(how: str, case: str) -> bytes:
    words = {STATEMENT: f'"text":"cut {case}"'.encode(), TRANSACTION: COMMIT, PREPARING: b"insert into record"}
    return words[how]


def has_come(log: Url, text: str, *, wanted: bool) -> bool:
    with opened(log) as store:
        for _ in range(100 if wanted else 1):
            if f'"text":"{text}"'.encode() in b"".join(store.lines()):
                return True
            time.sleep(0.05)
    return False


# ---------------------------------------------------------------- 70


@fault(70, "a database server restarted and killed under load")
def restarted(run: Run) -> None:
    for turn in range(run.some(3, 24)):
        how = (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL)[turn % 3]
        case = f"{how.name}, {turn}"
        with run.within(LONG, case):
            _restarted(run, case, begun("restarted"), how, run.chance.uniform(0.1, 0.6))


def _restarted(run: Run, case: str, log: Url, how: signal.Signals, after: float) -> None:
    stop, seen, faults = threading.Event(), list[Recorded](), list[StoreError]()
    with opened(log) as store:
        acked = list(store.read())

    def write(name: int) -> None:
        number = 0
        with opened(log) as store:
            while not stop.is_set():
                number += 1
                acked.extend(_insisting(run, case, store, note(f"{name}.{number}"), f"{case} {name}.{number}"))

    def follow() -> None:
        with opened(log) as store:
            try:
                for record in store.follow(stop=stop):
                    seen.append(record)
            except StoreError as error:
                faults.append(error)

    def disturb() -> None:
        try:
            time.sleep(after)
            private().restart(how)
            time.sleep(0.5)
        finally:
            stop.set()

    side_by_side(*(partial(write, name) for name in range(8)), follow, disturb)
    if faults:
        run.breach("I5", case, f"a follower ended with {faults[0]!r}")
    if [record.seq for record in seen] != list(range(1, len(seen) + 1)):
        run.breach("I5", case, "a follower saw a gap or a double")
    records = held(run, case, log, Story(sorted(acked, key=lambda record: record.seq), [], seen))
    keys = [record.key for record in records if record.key]
    if len(keys) != len(set(keys)):
        run.breach("I2", case, "an append that was repeated with its key is there twice")


def _insisting(run: Run, case: str, store: PostgresStore, batch: Sequence[Draft], key: str) -> Sequence[Recorded]:
    for _ in range(600):
        try:
            return store.append(batch, by="gm", at=AT, key=key).records
        except (OutcomeUnknown, NotWritten, NotReadable, Busy):
            run.counts.refused += 1
            time.sleep(0.05)
    run.breach("I6", case, f"{key} could not be written for 30 s")
    return ()


# ---------------------------------------------------------------- 71


@fault(71, "a database failed over to a stale copy of its server, by hand")
def failed_over(run: Run, only: str = "") -> None:
    for turn in range(run.some(1, 4)):
        for name, append in _AFTERWARDS.items() if not only else [(only, _AFTERWARDS[only])]:
            case = f"{name}, {turn}"
            with run.within(LONG, case):
                _fail_over(run, case, append)


def _fail_over(run: Run, case: str, afterwards: Callable[[PostgresStore, Anchor], str]) -> None:
    server, log = private(), begun("stale")
    copy = server.folder / "copy"
    with opened(log) as store, opened(log) as following:
        acked = list(store.read())
        acked += list(store.append(note("copied"), by="gm", at=AT).records)
        server.stop()
        shutil.copytree(server.data, copy)
        _own(server.data, copy)
        server.start()
        last = store.append(note("not copied"), by="gm", at=AT, key="last").records[0]
        seen = following.follow()
        while next(seen).seq < last.seq:
            pass
        server.stop()
        shutil.rmtree(server.data)
        copy.rename(server.data)
        server.start()
        try:
            next(seen)
            run.breach("I5", case, "a follower was not told that what it saw is gone")
        except Rewritten:
            run.counts.refused += 1
        anchor = Anchor(last.seq, last.hash)
        if why := afterwards(store, anchor):
            run.breach("I6", case, why)
        run.counts.refused += 1
        with opened(log) as fresh:
            if fresh.verify(anchor).sound:
                run.breach("I6", case, "an anchor of what is gone shows nothing")
    held(run, case, log, Story(acked, [note("not copied"), note("after")]))


def _own(like: Path, folder: Path) -> None:
    owner = like.stat()
    for path in (folder, *folder.rglob("*")):
        shutil.chown(path, owner.st_uid, owner.st_gid)


def _unconditional(store: PostgresStore, anchor: Anchor) -> str:
    with suppress(Rewritten):
        store.append(note("after"), by="gm", at=AT)
        return f"it was appended although record {anchor.seq}, which was acked, is gone"
    return ""


def _conditional(store: PostgresStore, anchor: Anchor) -> str:
    with suppress(WrongVersion):
        store.append(note("after"), by="gm", at=AT, after=anchor.seq)
        return f"it was appended after record {anchor.seq}, which is gone"
    return ""


def _repeated(store: PostgresStore, anchor: Anchor) -> str:
    done = store.append(note("not copied"), by="gm", at=AT, key="last")
    return f"the key of record {anchor.seq}, which is gone, is taken for known" if done.again else ""


def _behind_as_many(store: PostgresStore, anchor: Anchor) -> str:
    """Let another append first, so that the log ends at the same seq as the one that is gone."""
    with opened(store.path) as other:
        other.append(note("after"), by="gm", at=AT)
    if why := _unconditional(store, anchor):
        return why
    with opened(store.path) as fresh:
        return str(fresh.verify().problem or "")


_AFTERWARDS = {
    "an append": _unconditional,
    "an append on a condition": _conditional,
    "a repeated append": _repeated,
    "an append behind as many of another": _behind_as_many,
}


# ---------------------------------------------------------------- 72


@fault(72, "a database served by four programs at once")
def shared(run: Run) -> None:
    _shared(run, "straight", begun("shared"))


def _shared(run: Run, case: str, log: Url) -> None:
    count = run.some(10, 40)
    with run.within(LONG, case), children(*(partial(_append, log, number, count) for number in range(4))) as hands:
        said = [each for child in hands for each in ended(run, case, child)]
    with opened(log) as store:
        records = list(store.read())
    texts = [record.event.text for record in records if isinstance(record.event, Noted)]
    for word, text, *_ in said:
        if word == "acked" and texts.count(text) != 1:
            run.counts.lost += 1
            run.breach("I1", case, f"{text} was acked and stands {texts.count(text)} times")
    if len(texts) != sum(word == "acked" for word, *_ in said):
        run.breach("I2", case, "there is what nobody appended")
    run.counts.refused += sum(word == "refused" for word, *_ in said)
    held(run, case, log, Story(records))


def _append(log: Url, number: int, count: int, say: Say) -> None:
    with opened(log, wait=30) as store:
        side_by_side(*(partial(_append_all, store, f"{number}.{thread}", count, say) for thread in range(2)))


def _append_all(store: PostgresStore, name: str, count: int, say: Say) -> None:
    chance, after = random.Random(name), 3
    for place in range(count):
        text, conditional = f"{name}.{place}", chance.random() < 0.5
        while True:
            try:
                after = store.append(note(text), by=name, at=AT, after=after if conditional else None).last
            except WrongVersion as error:
                say("refused", text, error.found)
                after = error.found
            else:
                say("acked", text, after)
                break


# ---------------------------------------------------------------- 73


@fault(73, "a database behind a pool that gives each transaction another connection, and swallows LISTEN")
def pooled(run: Run) -> None:
    with pool(private()) as url:
        begun("pooled")
        log = url.at(*url.segments, "pooled")
        _shared(run, "pooled", log)
        _followed(run, "followed", log)


def _followed(run: Run, case: str, log: Url) -> None:
    stop, seen = threading.Event(), list[int]()
    with run.within(LONG, case), opened(log) as store, opened(log) as other:
        last = store.head().seq + 20

        def follow() -> None:
            for record in other.follow(stop=stop):
                seen.append(record.seq)
                if record.seq == last:
                    stop.set()

        def write() -> None:
            for number in range(20):
                store.append(note(f"followed {number}"), by="gm", at=AT)

        side_by_side(follow, write)
        run.counts.cases += 1
        if seen != list(range(1, last + 1)):
            run.breach("I5", case, "a follower saw a gap or a double")
