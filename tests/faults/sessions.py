"""Faults of a database's sessions: other defaults, stopped clients, logs made and removed, groups of appends, forks."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from itertools import product
from typing import get_args
from unittest.mock import patch

import psycopg

from eventstore.address import Url
from eventstore.committing import Append
from eventstore.errors import AlreadyThere, NotThere, NotWritten, OutcomeUnknown, StoreError
from eventstore.events import Noted
from eventstore.postgres import appending, connections, keeping
from eventstore.postgres.connections import Database
from eventstore.postgres.migrating import migrate_tables
from eventstore.record import Draft, Recorded
from eventstore.store import Mode, Request
from tests.eventstore.logs import AT, OPENING, drafts, log_of
from tests.faults.campaign import NotTried, Run, fault
from tests.faults.databases import COMMIT, LONG, _shared, held, note
from tests.faults.judging import Story
from tests.faults.processes import Say
from tests.faults.servers import AFTER, Cut, Line, begun, opened, private
from tests.faults.together import children, ended, heard
from tests.servers import NoServer, Server

# ---------------------------------------------------------------- 79


@fault(79, "a database whose defaults are serializable and no timeouts; a writer stopped while it holds the lock")
def other_defaults(run: Run) -> None:
    for direct in (True, False):
        defaults(run, direct=direct)
    stopped(run)


def defaults(run: Run, *, direct: bool) -> None:
    """Let several programs append at once, on connections to the server itself or as behind a pool."""
    with sessions(direct=direct):
        _shared(run, "straight" if direct else "as behind a pool", begun("defaults", elsewhere()))


def stopped(run: Run) -> None:
    server = elsewhere()
    for turn in range(run.some(1, 5)):
        with run.within(LONG, f"stopped, {turn}"):
            _stopped(run, f"stopped, {turn}", begun("stopped", server))


@cache
def elsewhere() -> Server:
    """Return a server whose defaults are none of ours, with tables in it; raise NotTried where there is none."""
    try:
        made = Server("default_transaction_isolation=serializable", "idle_in_transaction_session_timeout=0")
    except NoServer as reason:
        raise NotTried(str(reason)) from None
    with Database(Url(made.url())) as database:
        migrate_tables(database)
    return made


@contextmanager
def sessions(*, direct: bool) -> Iterator[None]:
    """Let connections be taken for those to the server itself, or for those behind a pool, which keep nothing."""
    with patch.object(connections, "_is_direct", lambda _: direct):
        yield


def _stopped(run: Run, case: str, log: Url) -> None:
    """Stop a writer that has the lock; another one appends within its wait, and the stopped one has written nothing."""
    with opened(log) as store, children(partial(_stops, log)) as (child,):
        acked = list(store.read())
        heard(child, "has the lock")
        os.waitid(os.P_PID, child.pid, os.WSTOPPED | os.WNOWAIT)
        try:
            acked += store.append(note("beside it"), by="gm", at=AT).records
        except StoreError as error:
            run.breach("I6", case, f"a stopped writer keeps the others out: {error}")
        child.go_on()
        for word, *_ in ended(run, case, child):
            if word == "acked":
                run.breach("I1", case, "what the server had ended was acked")
        run.counts.refused += 1
        store.append(note("afterwards"), by="gm", at=AT)
    held(run, case, log, Story(acked, [note("stopped"), note("afterwards")]))


def _stops(log: Url, say: Say) -> None:
    decided = appending.Writer._decide_appends

    def stopping(self: appending.Writer, *given: object) -> object:
        say("has the lock", None)
        os.kill(os.getpid(), signal.SIGSTOP)
        return decided(self, *given)  # type: ignore[arg-type]

    appending.Writer._decide_appends = stopping  # type: ignore[method-assign, assignment]
    with opened(log) as store:
        try:
            store.append(note("stopped"), by="gm", at=AT)
            say("acked", None)
        except (NotWritten, OutcomeUnknown):
            say("refused", None)


# ---------------------------------------------------------------- 80


@fault(80, "a log made in a database, the connection cut before, in and after the commit; its keys; one removed")
def made_and_removed(run: Run) -> None:
    made(run)
    with run.within(LONG, "keys"):
        keys_of_a_copy(run)
        nothing_left(run)


def made(run: Run) -> None:
    for turn in range(run.some(1, 10)):
        for when in get_args(Cut):
            with run.within(LONG, f"made, cut {when}, {turn}"):
                _made(run, f"made, cut {when}, {turn}", when)


def _made(run: Run, case: str, when: Cut) -> None:
    log, lines = _free("made"), log_of(drafts(OPENING)).splitlines(keepends=True)
    with Line(private()) as line, Database(line.address(log)) as database:
        keeping.list_names(database)
        line.cut(COMMIT, when)
        try:
            keeping.create_log(database, log, log.name, lines)
        except OutcomeUnknown:
            run.counts.refused += 1
        except StoreError as error:
            run.breach("I6", case, f"{type(error).__name__} is not the outcome of a lost connection: {error}")
        else:
            run.breach("I6", case, "it returned, though the connection was cut")
        there = False
        try:  # it waits until the server is done with the first
            keeping.create_log(database, log, log.name, lines)
        except AlreadyThere:
            there = True
        if there != (when == AFTER):
            run.breach("I6", case, "what was cut is not the commit")
    with opened(log) as store:
        held(run, case, log, Story(list(store.read())))


def _free(name: str) -> Url:
    log = begun(name)
    with opened(log) as store:
        keeping.remove_log(store._database, log, name, store.head())
    return log


def keys_of_a_copy(run: Run, case: str = "keys of a log that was copied") -> None:
    """An append whose key is on a later fact is repeated after its log was copied into a database."""
    batch = [Draft(Noted(text="a")), Draft(Noted(text="b"), key="b"), Draft(Noted(text="c"))]
    log = _free("copied")
    with Database(log) as database:
        keeping.create_log(database, log, log.name, log_of(drafts(OPENING), batch).splitlines(keepends=True))
    with opened(log) as store:
        acked = list(store.read())
        try:
            again = store.append(batch, by="gm", at=AT).again
        except StoreError as error:
            run.breach("I2", case, f"a repeated append is refused: {error}")
        else:
            if not again:
                run.breach("I2", case, "a repeated append is there twice")
    held(run, case, log, Story(acked))


def nothing_left(run: Run, case: str = "removed") -> None:
    """A log that is removed leaves no row."""
    log = begun("removed")
    with opened(log) as store, psycopg.connect(private().url(), autocommit=True) as owner:
        store.append(note("keyed"), by="gm", at=AT, key="k")
        (number,) = owner.execute("select id from log where name = 'removed'").fetchone() or (0,)
        keeping.remove_log(store._database, log, log.name, store.head())
        for table in (b"record", b"key"):
            left = owner.execute(b"select 1 from %b where log = %%s" % table, (number,)).fetchall()
            if left:
                run.breach("I2", case, f"{len(left)} rows of a removed log are left in {table.decode()}")
        with suppress(NotThere):
            store.head()
            run.breach("I2", case, "a removed log is there")
    run.counts.cases += 1


# ---------------------------------------------------------------- 81


@fault(81, "a database that may lose what it confirmed: durable and flushed appends of several threads in one group")
def of_several_modes(run: Run) -> None:
    for number, modes in enumerate(_groups(run.some(2, 3))):
        with run.within(LONG, "+".join(modes)):
            _grouped(run, f"{'+'.join(modes)}, {number}", modes)


def _groups(most: int) -> Iterator[tuple[Mode, ...]]:
    for size in range(1, most + 1):
        yield from product(get_args(Mode), repeat=size)


def _grouped(run: Run, case: str, modes: Sequence[Mode]) -> None:
    log, unsafe = begun("modes"), "&options=-csynchronous_commit%3Doff"
    with opened(Url(f"{log.given}{unsafe}")) as store:
        acked: list[Recorded] = list(store.read())  # so that the append can go straight
        jobs = [Append(Request(note(f"{place} {mode}"), "gm", AT, None, mode)) for place, mode in enumerate(modes)]
        store._writer.write_appends(jobs)
        for job in jobs:
            try:
                acked += job.result(log).records
            except NotWritten:
                run.counts.refused += 1
                if job.request.mode == "flushed":
                    run.breach("I6", case, "what may be lost is refused")
            else:
                if job.request.mode == "durable":
                    run.breach("I1", case, "a server that may lose it acked a durable append")
    held(run, case, log, Story(acked))


# ---------------------------------------------------------------- 82


@fault(82, "a process that forks while it has connections to a database; parent and child append at once")
def forked(run: Run) -> None:
    for turn in range(run.some(1, 10)):
        with run.within(LONG, f"{turn}"):
            _forked(run, f"{turn}", run.some(5, 30))


def _forked(run: Run, case: str, count: int) -> None:
    log = begun("forked")
    with opened(log, wait=30) as store:
        acked = list(store.read())
        acked += store.append(note("before"), by="gm", at=AT).records
        own = _process(store._database)

        def appends(name: str, say: Callable[..., object]) -> None:
            for number in range(count):
                say("acked", store.append(note(f"{name} {number}"), by=name, at=AT).last)

        def child(say: Say) -> None:
            theirs = _process(store._database)
            say("asks", theirs)
            if theirs != own:  # else both would wait for each other's answers
                appends("child", say)

        with children(child) as (one,):
            heard(one, "asks")
            if any(said == ["asks", own] for said in one.said):
                run.breach("I6", case, "a child process asks on a connection of its parent")
                return
            mine: list[int] = []
            appends("parent", lambda _, seq: mine.append(seq))
            theirs = [said[1] for said in ended(run, case, one) if said[0] == "acked"]
        records = list(store.read())
        if [record.seq for record in records if record.by == "child"] != theirs:
            run.breach("I1", case, "what the child was acked is not what is there")
        if [record.seq for record in records if record.by == "parent"] != mine:
            run.breach("I1", case, "what the parent was acked is not what is there")
    held(run, case, log, Story(records, [], acked))


def _process(database: Database) -> int:
    with database.connection() as connection:
        return connection.info.backend_pid
