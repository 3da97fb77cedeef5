"""Fault 85: histories of a log in a file, in PostgreSQL and behind a service, whose clients and servers are killed."""

import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import httpx

from eventstore.address import Url
from eventstore.chain import Anchor
from eventstore.errors import Busy, NotReadable, NotWritten, OutcomeUnknown, WrongVersion
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore
from eventstore.postgres.store import PostgresStore
from eventstore.record import Recorded
from tests.eventstore.logs import AT, drafts
from tests.faults.campaign import NotTried, Run, fault
from tests.faults.history import History, Operation, Shown
from tests.faults.processes import Child, Said, Say
from tests.faults.servers import begun, opened, private
from tests.faults.services import NAME
from tests.faults.serving import client, running, token_for
from tests.faults.together import begun as begun_in, children, side_by_side

CLIENTS, THREADS = 3, 2
RETRIES = 60
PAUSE = 0.02
"""How long a client waits before it repeats what it heard nothing of, in seconds."""


class Log(Protocol):
    """A log as a client sees it. Answers are words of `history.Answer`, with what they say."""

    def append(self, name: str, size: int, after: Anchor | None, *, keyed: bool) -> list[Any]: ...

    def look(self, after: Anchor | None) -> list[Any]: ...


Opens = Callable[[], AbstractContextManager[Log]]


class InStore:
    def __init__(self, store: JsonlStore | PostgresStore) -> None:
        self.store = store

    def append(self, name: str, size: int, after: Anchor | None, *, keyed: bool) -> list[Any]:
        batch = drafts(*[Noted(text=name)] * size)
        try:
            done = self.store.append(
                batch, by="gm", at=AT, after=after.seq if after else None, key=name if keyed else None
            )
        except WrongVersion as error:
            return ["conflict", 0, error.found, ""]
        except OutcomeUnknown:
            return ["unknown"]
        except (NotWritten, NotReadable, Busy):
            return ["refused"]
        return ["again" if done.again else "done", done.first, done.last, done.records[-1].hash]

    def look(self, after: Anchor | None) -> list[Any]:
        try:
            end = self.store.head() if after is None else after
            for record in self.store.read(after) if after else ():
                end = Anchor(record.seq, record.hash)
        except (NotReadable, Busy):
            return ["refused"]
        return ["seen", 0, end.seq, end.hash]


class Behind:
    """A log behind a service, which may be another process each time; `place` is where it is at the moment."""

    def __init__(self, place: Callable[[], str], token: str) -> None:
        self._place, self._http = place, client(token)

    def append(self, name: str, size: int, after: Anchor | None, *, keyed: bool) -> list[Any]:
        headers = {"if-match": f'"{after}"'} if after else {}
        headers |= {"idempotency-key": name} if keyed else {}
        try:
            facts = [{"type": "noted", "text": name}] * size
            answer = self._http.post(f"{self._place()}/records", json=facts, headers=headers)
        except httpx.ConnectError:
            return ["refused"]
        except httpx.TransportError:
            return ["unknown"]
        told = answer.json()
        if answer.status_code == 412:
            return ["conflict", 0, int(told["found"].partition(":")[0]), told["found"].partition(":")[2]]
        if answer.status_code not in (200, 201):
            unknown = told["type"].endswith(("#outcome-unknown", "#bug"))
            return ["unknown"] if unknown else ["refused"]
        return ["again" if told["again"] else "done", told["first"], told["last"], told["head"].partition(":")[2]]

    def look(self, after: Anchor | None) -> list[Any]:
        del after
        try:
            answer = self._http.get(f"{self._place()}/head")
        except httpx.TransportError:
            return ["refused"]
        return ["seen", 0, answer.json()["seq"], answer.json()["hash"]] if answer.status_code == 200 else ["refused"]


# ---------------------------------------------------------------- clients


def works(opens: Opens, who: str, end: float, say: Say) -> None:
    """Append and look, in several threads, until the time is over; say of each operation when it began, and ended."""
    with opens() as log:
        side_by_side(*(partial(_works, log, f"{who}.{thread}", end, say) for thread in range(THREADS)))


def _works(log: Log, who: str, end: float, say: Say) -> None:
    chance, place, number = random.Random(who), None, 0
    while time.monotonic() < end:
        number += 1
        if chance.random() < 0.4:
            told = _asked(say, who, "", None, partial(log.look, place if chance.random() < 0.7 else None))
        else:
            name, size, keyed = f"{who}.{number}", chance.choice((1, 1, 2, 3)), chance.random() < 0.6
            after = place if chance.random() < 0.4 else None
            for _ in range(RETRIES if keyed else 1):
                told = _asked(say, who, name, after, partial(log.append, name, size, after, keyed=keyed))
                if told[0] not in ("unknown", "refused"):
                    break
                time.sleep(PAUSE)
        if told[0] in ("done", "again", "seen"):
            place = Anchor(told[2], told[3])
        time.sleep(chance.random() * PAUSE / 2)


def _asked(say: Say, who: str, name: str, after: Anchor | None, work: Callable[[], list[Any]]) -> list[Any]:
    number = f"{who} {time.monotonic_ns()}"
    say("asks", number, who, name, after.seq if after else None, time.monotonic())
    told = work()
    say("told", number, time.monotonic(), *told)
    return told


def follows(store: Callable[[], AbstractContextManager[JsonlStore | PostgresStore]], who: str, say: Say) -> None:
    with store() as log:
        for record in log.follow():
            say("saw", who, record.seq, record.hash, time.monotonic())


def history_of(said: Sequence[Said]) -> History:
    """Return what was said as a history; an operation without an answer came to nobody knows what."""
    found: dict[str, Operation] = {}
    history = History()
    for word, *rest in said:
        match word, rest:
            case "asks", [number, who, name, after, start]:
                found[number] = Operation(who, name, start, after=after)
            case "told", [number, end, answer, *more]:
                first, last, digits = more or (0, 0, "")
                found[number] = replace(found[number], end=end, answer=answer, first=first, last=last, hash=digits)
            case "saw", [who, seq, digits, at]:
                history.shown.append(Shown(who, seq, digits, at))
            case _:
                raise AssertionError(f"a client said {word} {rest}")
    history.operations = sorted(found.values(), key=lambda one: one.start)
    return history


# ---------------------------------------------------------------- recorded


def recorded(
    opens: Opens,
    store: Callable[[], AbstractContextManager[JsonlStore | PostgresStore]],
    seconds: float,
    chance: random.Random,
    disturb: Callable[[], object] = lambda: None,
) -> tuple[History, list[Recorded]]:
    """Let clients work and one follow; kill clients, and disturb what they ask, now and then; return what they say, and the log."""
    end, said, number = time.monotonic() + seconds, list[Said](), 0
    with children(partial(follows, store, "follower")) as (follower,):
        living: list[Child] = []
        try:
            while time.monotonic() < end:
                while len(living) < CLIENTS:
                    number += 1
                    living.append(Child(partial(works, opens, f"{number}", end)))
                time.sleep(chance.uniform(0.1, 0.5))
                disturb()
                if chance.random() < 0.5:
                    victim = living.pop(chance.randrange(len(living)))
                    victim.kill()
                    said += victim.said
            for child in living:
                child.end()
        finally:
            for child in living:
                child.kill()
                said += child.said
        time.sleep(0.3)
        said += follower.said
    with store() as log:
        return history_of(said), list(log.read())


@contextmanager
def in_a_file(_: random.Random) -> Iterator[tuple[Opens, Any, Callable[[], object]]]:
    with tempfile.TemporaryDirectory() as name:
        path = begun_in(Path(name))
        yield partial(_open_file, path), partial(_store_of, path), lambda: None


@contextmanager
def _store_of(path: Path) -> Iterator[JsonlStore]:
    with JsonlStore(path, wait=30) as store:
        yield store


@contextmanager
def _open_file(path: Path) -> Iterator[Log]:
    with _store_of(path) as store:
        yield InStore(store)


@contextmanager
def in_postgres(chance: random.Random) -> Iterator[tuple[Opens, Any, Callable[[], object]]]:
    log = begun("history")

    def disturb() -> None:
        if chance.random() < 0.15:
            private().restart(chance.choice((signal.SIGINT, signal.SIGQUIT)))

    yield partial(_open_database, log), partial(opened, log), disturb


@contextmanager
def _open_database(log: Url) -> Iterator[Log]:
    with opened(log) as store:
        yield InStore(store)


@contextmanager
def behind_a_service(chance: random.Random) -> Iterator[tuple[Opens, Any, Callable[[], object]]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = begun_in(folder)
        token, _ = token_for(folder, NAME)
        where = folder / "where"
        now = [_served(folder)]
        service = now[0].__enter__()
        where.write_text(service.place)

        def disturb() -> None:
            if chance.random() < 0.3:
                now[0].__exit__(None, None, None)
                now[0] = _served(folder)
                draft = folder / "where.new"
                draft.write_text(now[0].__enter__().place)
                draft.rename(where)

        try:
            yield partial(_open_service, where, token), partial(_store_of, path), disturb
        finally:
            now[0].__exit__(None, None, None)


def _served(folder: Path) -> AbstractContextManager[Any]:
    return running(folder, NAME)


@contextmanager
def _open_service(where: Path, token: str) -> Iterator[Log]:
    yield Behind(where.read_text, token)


KINDS = {"a file": in_a_file, "PostgreSQL": in_postgres, "a service": behind_a_service}


@fault(85, "histories of clients and followers, killed and restarted: one order explains every answer")
def explained(run: Run, kinds: Sequence[str] = tuple(KINDS)) -> None:
    chance, remarks = run.chance, list[str]()
    for name, kind in ((each, KINDS[each]) for each in kinds):
        try:
            with kind(chance) as (opens, store, disturb):
                history, log = recorded(opens, store, run.some(3, 60), chance, disturb)
        except NotTried as reason:
            run.counts.untried = f"{name}: {reason}"
            continue
        run.counts.cases += len(history.operations)
        run.counts.refused += sum(each.answer in ("refused", "conflict") for each in history.operations)
        for why in history.faults(log):
            run.breach("I1", name, why)
        unknown = sum(each.answer == "unknown" for each in history.operations)
        remarks.append(f"{name}: {len(history.operations)} operations, {unknown} without an answer")
    run.counts.remark = "; ".join(remarks)
