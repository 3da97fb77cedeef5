"""Faults of a service: killed at each step of a request, its database restarted, bodies that trickle, streams too many or revoked."""

import signal
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import chain, product
from pathlib import Path
from typing import Any

import httpx
from msgspec import structs

from encounterlog.places.shelves import FolderShelf
from encounterlog.places.tokens import Token
from encounterlog.service.settings import Limits
from encounterlog.service.streams import Streams
from eventstore.address import Url
from eventstore.jsonl import JsonlStore
from eventstore.postgres.store import PostgresStore
from eventstore.record import Recorded
from eventstore.store import STORE
from tests.eventstore.logs import AT
from tests.faults import servers, together
from tests.faults.campaign import Run, fault
from tests.faults.judging import Story, judge
from tests.faults.serving import ALL, Follows, Running, client, post, running, texts_of, token_for
from tests.faults.together import LOG, side_by_side, until

LONG = 60
"""How many seconds a case may take before it counts as a hang."""
NAME = "ford"
DEFINED = frozenset({200, 201, 503})
"""What a writer may be answered while the service or its database is disturbed."""


@contextmanager
def disk(run: Run) -> Iterator[Path]:
    with run.folder(real=False) as folder:
        together.begun(folder)
        yield folder


def held(run: Run, case: str, place: Path | Url, texts: Sequence[str], seen: Sequence[Recorded] = ()) -> None:
    """Hold a log: these notes are in it, each once, and no other; and what was shown is there."""
    if isinstance(place, Path):
        path = place / LOG
        with JsonlStore(path) as store:
            _held(run, case, store, path.read_bytes(), texts, seen)
    else:
        with servers.opened(place) as log:
            _held(run, case, log, b"".join(log.lines()), texts, seen)


def _held(
    run: Run, case: str, store: JsonlStore | PostgresStore, data: bytes, texts: Sequence[str], seen: Sequence[Recorded]
) -> None:
    records = [record for record in store.read() if record.by != STORE]
    judge(run, case, Story(records, [], list(seen)), store, data)
    there, wanted = Counter(texts_of(records)), Counter(texts)
    if lost := wanted - there:
        run.counts.lost += lost.total()
        run.breach("I1", case, f"{list(lost)} was answered for, and is not there")
    if invented := there - wanted:
        run.counts.invented += invented.total()
        run.breach("I2", case, f"{list(invented)} is there once too often")


def followed(run: Run, case: str, follows: Follows) -> None:
    """Hold what a follower took: each record once, without a gap."""
    if [record.seq for record in follows.taken] != list(range(1, len(follows.taken) + 1)):
        run.breach("I5", case, f"a follower saw a gap or a double: {[record.seq for record in follows.taken]}")


def soon(happened: Callable[[], object]) -> None:
    for _ in range(100 * LONG):
        if happened():
            return
        time.sleep(0.01)


def insisting(run: Run, case: str, http: httpx.Client, places: Iterator[str], text: str) -> httpx.Response | None:
    """Append, and repeat it under its key until it is answered for."""
    for place in places:
        answer = post(http, place, text)
        if answer is not None and answer.status_code in (200, 201):
            return answer
        if answer is not None and answer.status_code not in DEFINED:
            run.breach("I6", case, f"{text}: the answer is {answer.status_code}: {answer.text[:200]}")
            return None
        run.counts.refused += 1
        time.sleep(0.05)
    run.breach("I6", case, f"{text} could not be written for 30 s")
    return None


# ---------------------------------------------------------------- 75


@fault(75, "a service whose database is restarted and killed under load")
def database_restarted(run: Run) -> None:
    for turn in range(run.some(1, 8)):
        how = (signal.SIGQUIT, signal.SIGINT)[turn % 2]
        case = f"{how.name}, {turn}"
        with run.within(LONG, case):
            restarted(run, case, servers.begun(NAME), how, run.chance.uniform(0.1, 0.6))


def restarted(run: Run, case: str, log: Url, how: signal.Signals, after: float) -> None:
    """Let four clients write through two services of a database, and one follow at each, while it is restarted."""
    place = log.at(*log.segments[:-1])
    token, _ = token_for(place, NAME)
    stop, done, wrong = [False], list[str](), list[str]()
    with ExitStack() as stack:
        both = [stack.enter_context(running(place, NAME)) for _ in range(2)]
        follow = [stack.enter_context(Follows(partial(lambda one: one.place, one), token)) for one in both]

        def write(name: int) -> None:
            number = 0
            with client(token) as http:
                while not stop[0]:
                    number += 1
                    places = chain.from_iterable([both[name % 2].place, both[1 - name % 2].place] for _ in range(300))
                    if insisting(run, case, http, places, text := f"{case} {name}.{number}") is None:
                        wrong.append(text)
                        return
                    done.append(text)

        def disturb() -> None:
            try:
                time.sleep(after)
                servers.private().restart(how)
                time.sleep(0.3)
            finally:
                stop[0] = True

        side_by_side(*(partial(write, name) for name in range(4)), disturb)
        with servers.opened(log) as store:
            end = store.head().seq
        for each in follow:
            until(lambda each=each: each.taken and each.taken[-1].seq >= end)  # type: ignore[misc]
            followed(run, case, each)
        shown = [record for each in follow for record in each.shown]
    if not wrong:
        held(run, case, log, done, shown)


# ---------------------------------------------------------------- 76


@fault(76, "bodies and heads of requests that trickle, or are cut off, beside somebody who writes")
def trickling(run: Run) -> None:
    for turn in range(run.some(1, 6)):
        with run.within(LONG, f"{turn}"), disk(run) as folder:
            trickle(run, f"{turn}", folder, run.some(12, 40))


def trickle(run: Run, case: str, folder: Path, number: int) -> None:
    """Let many send their bodies letter by letter, and one write as usual meanwhile."""
    token, _ = token_for(folder, NAME)
    slow: list[bytes] = []
    with running(folder, NAME, limits=structs.replace(ALL, patience=0.5)) as service, client(token) as http:

        def dawdle(place: int) -> None:
            slow.append(_dawdled(service, token, _WAYS[place % len(_WAYS)]))

        def write() -> None:
            for place in range(10):
                answer = post(http, service.place, f"{place}")
                if answer is None or answer.status_code != 201:
                    run.breach("I6", case, f"who is not slow is answered by {answer}")

        side_by_side(*(partial(dawdle, place) for place in range(number)), write)
        again = post(http, service.place, "0")
        if again is None or again.status_code != 200:
            run.breach("I6", case, f"afterwards it is answered by {again}")
    run.counts.refused += len(slow)
    if unexpected := [said for said in slow if said and not said.startswith((b"HTTP/1.1 408", b"HTTP/1.1 400"))]:
        run.breach("I6", case, f"one who is slow is answered by {unexpected[0][:80]!r}")
    held(run, case, folder, [f"{place}" for place in range(10)])


_FACT = b'{"type":"noted","text":"slow"}'
_WAYS = ("body", "cut body", "head", "cut head")
"""What trickles, or is cut off in the middle; of each body the fact itself has come, and not its end."""


def _dawdled(service: Running, token: str, way: str) -> bytes:
    """Send a request slowly, or a part of it and no more, until the connection is closed; return what was answered."""
    port = int(service.url.rpartition(":")[2])
    path = service.place.removeprefix(service.url)
    head = f"POST {path}/records HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n".encode()
    more = b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % (len(_FACT) + 10_000)
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as raw, suppress(ConnectionError):
        raw.sendall(head + (more + _FACT if "body" in way else b""))
        if "cut" in way:
            raw.shutdown(socket.SHUT_WR)
        raw.settimeout(0.05)
        for _ in range(20 * LONG):
            with suppress(TimeoutError):
                return raw.recv(1 << 16)
            if "cut" not in way:
                raw.sendall(b" " if way == "body" else b"X")
        return b"no answer at all"
    return b""


# ---------------------------------------------------------------- 77


@fault(77, "one stream beyond what a token may have, and beyond what the service may have")
def too_many(run: Run) -> None:
    for turn in range(run.some(1, 6)):
        for most, whole in ((3, 100), (100, 3)):
            case = f"{most} of a token, {whole} of the service, {turn}"
            with run.within(LONG, case), disk(run) as folder:
                one_more(run, case, folder, structs.replace(ALL, streams=most, all_streams=whole))


def one_more(run: Run, case: str, folder: Path, limits: Limits) -> None:
    """Open as many streams as are allowed and one more: that is refused, the others miss nothing, and a place that is left is free."""
    tokens = [token_for(folder, NAME, "spectator")[0] for _ in range(4)] if limits.streams > limits.all_streams else []
    token, _ = token_for(folder, NAME)
    with ExitStack() as stack:
        service = stack.enter_context(running(folder, NAME, limits=limits))
        http = stack.enter_context(client(token))
        *own, last = tokens or [token] * 4
        streams = [stack.enter_context(Follows(lambda: service.place, each)) for each in own]
        until(lambda: all(len(each.taken) == 3 for each in streams))
        with Follows(lambda: service.place, last) as beyond:
            until(lambda: beyond.status)
        if (beyond.status, beyond.shown) != (503, []) or not beyond.retry.isdigit():
            run.breach("I6", case, f"the one beyond is answered {beyond.status}, Retry-After {beyond.retry!r}")
        run.counts.refused += 1
        texts = [f"{number}" for number in range(5)]
        for text in texts:
            post(http, service.place, text)
        until(lambda: all(each.texts[-1:] == ["4"] for each in streams))
        for each in streams:
            followed(run, case, each)
        streams[0].leave()
        stack.enter_context(joined := Follows(lambda: service.place, last))
        until(lambda: joined.texts[-1:] == ["4"])
        held(run, case, folder, texts, [record for each in streams for record in each.shown])


# ---------------------------------------------------------------- 78


@fault(78, "a token revoked in mid-stream and between two appends, here and by another process")
def revoked(run: Run) -> None:
    for turn in range(run.some(1, 8)):
        for here in (True, False):
            case = f"revoked {'here' if here else 'elsewhere'}, {turn}"
            with run.within(LONG, case), disk(run) as folder:
                revoke(run, case, folder, here=here)


def revoke(run: Run, case: str, folder: Path, *, here: bool) -> None:
    """Revoke the token of one who writes and follows while another one writes: neither goes on with it."""
    (gm, _), (text, number) = token_for(folder, NAME), token_for(folder, NAME)
    written, stop = list[str](), [False]
    with ExitStack() as stack:
        service = stack.enter_context(running(folder, NAME, limits=structs.replace(ALL, revoked=0.2)))
        http, other = stack.enter_context(client(gm)), stack.enter_context(client(text))
        follows = stack.enter_context(Follows(lambda: service.place, text))

        def write() -> None:
            place = 0
            while not stop[0]:
                place += 1
                answer = post(http, service.place, f"{place}")
                written.extend([f"{place}"] if answer is not None and answer.status_code == 201 else [])
                time.sleep(0.01)

        def disturb() -> None:
            try:
                soon(lambda: len(follows.texts) > 2)
                _revoke(http, service, folder, number, here=here)
                refused = post(other, service.place, "revoked")
                if refused is None or refused.status_code != 401:
                    run.breach("I6", case, f"who writes with a revoked token is answered by {refused}")
                soon(lambda: follows.over)
            finally:
                stop[0] = True

        side_by_side(write, disturb)
        shown = len(follows.shown)
        post(http, service.place, "late")
        with Follows(lambda: service.place, text) as again:
            until(lambda: again.status)
        if again.status != 401 or len(follows.shown) != shown or follows.said != ["revoked"]:
            run.breach(
                "I5", case, f"a revoked token: its stream said {follows.said}, the next one is answered {again.status}"
            )
        run.counts.refused += 2
        followed(run, case, follows)
        held(run, case, folder, [*written, "late"], follows.shown)


def _revoke(http: httpx.Client, service: Running, folder: Path, number: str, *, here: bool) -> None:
    if here:
        http.delete(f"{service.place}/tokens/{number}").raise_for_status()
    else:
        shelf = FolderShelf(folder)
        shelf.tokens.revoke(number, AT)
        shelf.close()


# ---------------------------------------------------------------- 83


@fault(83, "events that come while a stream still reads what it has missed")
def each_event_once(run: Run) -> None:
    """Whatever came before what was missed had been read, and after it: each event is sent, once, in its order."""
    nothing: Any = None
    for missed, came, late in product(range(run.some(5, 9)), repeat=3):
        streams, sent = Streams(nothing, nothing, Limits(all_streams=1)), list[int]()
        stream = streams.enter(Token(id="", digest="", role="gm"), NAME, None)
        last = missed + came + late
        for seq in range(1, missed + came + 1):  # it is entered first, and reads then
            stream.send_events(seq, b"%d " % seq)
        sent += range(1, missed + 1)
        stream.last = missed
        sent += map(int, stream.take().split())
        for seq in range(missed + came + 1, last + 1):
            stream.send_events(seq, b"%d " % seq)
        sent += map(int, stream.take().split())
        run.counts.cases += 1
        if sent != [*range(1, last + 1)]:
            run.breach("I5", f"{missed} missed, {came} came meanwhile, {late} later", f"it was sent {sent}")


# ---------------------------------------------------------------- 84


@fault(84, "a service whose disk fails a sync; it opens the log again")
def sync_failed(run: Run) -> None:
    for nth in range(1, run.some(3, 8)):
        with run.within(LONG, f"sync {nth} fails"), disk(run) as folder:
            failed_once(run, f"sync {nth} fails", folder, nth)


def failed_once(run: Run, case: str, folder: Path, nth: int) -> None:
    """The nth append is not confirmed, and each after it is; until then it is said which log cannot be written."""
    token, _ = token_for(folder, NAME)
    with running(folder, NAME, failing=(nth, nth + 1)) as service, client(token) as http:
        for place in range(1, nth + 3):
            answer = post(http, service.place, f"{place}")
            kind = "" if answer is None else answer.json().get("type", "").rpartition("#")[2]
            wanted = {nth: "outcome-unknown"}.get(place, "")
            if kind != wanted:
                run.breach("I6", case, f"append {place} is answered by {answer} {kind}, not {wanted or 'done'}")
            if place == nth:  # the second failure is that of the first attempt to bring it to the disk
                ready = [http.get(f"{service.url}/readyz") for _ in range(2)]
                if [each.status_code for each in ready] != [503, 200] or NAME not in ready[0].json().get("logs", ()):
                    run.breach("I6", case, f"it says of itself {[each.text for each in ready]}")
                run.counts.refused += 1
        again = post(http, service.place, f"{nth}")
        if again is None or again.status_code not in (200, 201):
            run.breach("I6", case, f"repeated, the one whose outcome was unknown is answered by {again}")
    held(run, case, folder, [f"{place}" for place in range(1, nth + 3)])
