"""Faults 87, 88, 91 and 92: questions to a service that nobody waits for, half-sent heads, streams that nobody reads, a clock that jumps."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event

import httpx
from msgspec import structs

from eventstore.address import Url
from tests.eventstore.logs import OPENING, drafts, log_of, rounds
from tests.faults.campaign import Run, fault
from tests.faults.processes import limit
from tests.faults.services import LONG, NAME, disk, held
from tests.faults.serving import ALL, Follows, Running, client, post, running, token_for
from tests.faults.together import LOG, side_by_side, until

QUICK = 0.5
"""How long an append may take under attack, in seconds, on a machine that has nothing else to do."""
RECORDS, MANY = 3000, 50


@contextmanager
def long_log(run: Run, records: int = RECORDS) -> Iterator[Path]:
    with run.folder(real=False) as folder:
        (folder / LOG).write_bytes(log_of(drafts(OPENING), rounds(1, records)))
        yield folder


def longest(stop: Event, work: Callable[[int], object]) -> float:
    most, number = 0.0, 0
    while not stop.is_set() or number < 5:
        number += 1
        start = time.monotonic()
        work(number)
        most = max(most, time.monotonic() - start)
        time.sleep(0.02)
    return most


def wrote(run: Run, case: str, http: httpx.Client, service: Running, text: str) -> None:
    answer = post(http, service.place, text)
    if answer is None or answer.status_code != 201:
        run.breach("I6", case, f"who writes as usual is answered by {answer}")


# ---------------------------------------------------------------- 87


@fault(87, "questions to a service that nobody waits for: forty at once, again and again, beside who writes")
def abandoned(run: Run) -> None:
    with run.within(10 * LONG, "forty questions"), long_log(run) as folder:
        run.counts.remark = _abandoned(run, folder)


def _abandoned(run: Run, place: Path | Url) -> str:
    tokens = [token_for(place, NAME)[0] for _ in range(8)]
    with running(place, NAME) as service, client(tokens[0]) as http:
        alone = _beside(run, service, http, lambda: time.sleep(1))
        attacked = _beside(run, service, http, lambda: _attack(service, tokens, run.some(3, 40)))
        run.counts.cases += run.some(3, 40) * 40
        slow = max(QUICK, 10 * alone["an append"])
        for what, took in attacked.items():
            if took > slow:
                run.breach("I6", what, f"it took {took:.2f} s under attack, {alone[what]:.2f} s without")
        several = http.get(f"{service.place}/whatif", params={"strike": list(range(2, 2 + MANY + 1))})
        if several.status_code != 413:
            run.breach("I6", "more corrections than are allowed", f"the answer is {several.status_code}")
    told = ", ".join(f"{what} at most {took:.2f} s" for what, took in attacked.items())
    return f"{told}, without the attack {alone['an append']:.2f} s"


def _beside(run: Run, service: Running, http: httpx.Client, attack: Callable[[], object]) -> dict[str, float]:
    stop, took = Event(), dict[str, float]()

    def attacks() -> None:
        try:
            attack()
        finally:
            stop.set()

    def appends() -> None:
        name = time.monotonic_ns()
        took["an append"] = longest(
            stop, lambda number: wrote(run, "beside questions", http, service, f"{name}.{number}")
        )

    def looks() -> None:
        with httpx.Client(timeout=LONG) as anybody:
            took["/healthz"] = longest(stop, lambda _: anybody.get(f"{service.url}/healthz"))

    side_by_side(attacks, appends, looks)
    return took


def _attack(service: Running, tokens: list[str], waves: int) -> None:
    for _ in range(waves):
        _ask(service, tokens)


def _ask(service: Running, tokens: list[str]) -> None:
    query = "&".join(f"strike={number}" for number in range(2, 2 + MANY))
    path = f"{service.place.removeprefix(service.url)}/whatif?{query}"
    asked = [_sent(service, f"GET {path}", tokens[place % len(tokens)]) for place in range(40)]
    time.sleep(0.1)
    for raw in asked:
        raw.close()


def _sent(service: Running, what: str, token: str = "", more: bytes = b"\r\n") -> socket.socket:
    raw = socket.create_connection(("127.0.0.1", int(service.url.rpartition(":")[2])), timeout=LONG)
    raw.sendall(f"{what} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n".encode() + more)
    return raw


# ---------------------------------------------------------------- 88


@fault(88, "half-sent heads to a service, more than it may have files open")
def half_sent(run: Run) -> None:
    import resource

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with run.within(10 * LONG, "half sent"), disk(run) as folder, ExitStack() as stack:
        token, _ = token_for(folder, NAME)
        service = stack.enter_context(running(folder, NAME, files=1024))
        http = stack.enter_context(client(token))
        wrote(run, "before", http, service, "before")
        stack.enter_context(limit(resource.RLIMIT_NOFILE, min(most, 8192)))
        slowest = 0.0
        for wave in range(run.some(1, 10)):
            half = [_half(service, token) for _ in range(1200)]
            start = time.monotonic()
            with client(token) as other:
                wrote(run, "beside half-sent heads", other, service, f"beside {wave}")
            slowest = max(slowest, time.monotonic() - start)
            for raw in half:
                raw.close()
            run.counts.cases += len(half)
        if slowest > 4:
            run.breach("I6", "1,200 half-sent heads", f"a new connection waits {slowest:.1f} s")
        wrote(run, "afterwards", http, service, "afterwards")
        run.counts.remark = f"a new connection and its append took {slowest:.2f} s at most"


def _half(service: Running, token: str) -> socket.socket:
    with suppress(ConnectionError):
        return _sent(service, "GET /healthz", token, b"X-Slow: ")
    return socket.socket()


# ---------------------------------------------------------------- 91


@fault(91, "streams of a service that are never read, beside who writes; what the service keeps in memory")
def never_read(run: Run) -> None:
    with run.within(20 * LONG, "never read"), disk(run) as folder:
        token, _ = token_for(folder, NAME)
        limits = structs.replace(ALL, patience=2.0, backlog=1 << 17)
        with running(folder, NAME, life=20 * LONG, limits=limits) as service, client(token) as http:
            place = service.place.removeprefix(service.url)
            wrote(run, "before", http, service, "before")
            before, end, number, slowest = _memory(service), time.monotonic() + run.some(5, 600), 0, 0.0
            repeated = 0
            while time.monotonic() < end:
                raws = [_sent(service, f"GET {place}/events", token) for _ in range(5)]
                for _ in range(100):
                    number += 1
                    start = time.monotonic()
                    answer = _note(http, service.place, number)
                    if answer is None:  # a machine that stands still for two seconds ends a connection
                        answer, repeated = _note(http, service.place, number), repeated + 1
                    slowest = max(slowest, time.monotonic() - start)
                    if answer is None or answer.status_code not in (200, 201):
                        run.breach("I6", "beside streams that nobody reads", f"an append is answered by {answer}")
                for raw in raws:
                    raw.close()
                run.counts.cases += 5
            grown = _memory(service) - before
    own = number * 10_000  # records are kept, decoded
    if grown > own + (64 << 20):
        run.breach("I6", "streams that nobody reads", f"memory grew by {grown >> 20} MiB with {number} records")
    run.counts.remark = f"{number} records, memory grew by {grown >> 20} MiB, the slowest append took {slowest:.2f} s, {repeated} repeated"


def _note(http: httpx.Client, place: str, number: int) -> httpx.Response | None:
    fact, headers = {"type": "noted", "text": "x" * 1500}, {"idempotency-key": f"{number}"}
    try:
        return http.post(f"{place}/records", json=fact, headers=headers)
    except httpx.TransportError:
        return None


def _memory(service: Running) -> int:
    return int(Path(f"/proc/{service.child.pid}/statm").read_text("ascii").split()[1]) * 4096


# ---------------------------------------------------------------- 92


@fault(92, "a service whose clock jumps by years, and whose askers claim to come from elsewhere")
def other_times_and_places(run: Run) -> None:
    with run.within(LONG, "clock"), disk(run) as folder:
        token, _ = token_for(folder, NAME)
        with (
            running(folder, NAME, jumping=True) as service,
            client(token) as http,
            Follows(lambda: service.place, token) as follows,
        ):
            texts = [f"{number}" for number in range(run.some(10, 100))]
            for text in texts:
                wrote(run, "a clock that jumps", http, service, text)
            until(lambda: follows.texts[-1:] == texts[-1:])
            again = post(http, service.place, texts[0])
            if again is None or again.status_code != 200 or [text for text in follows.texts if text in texts] != texts:
                run.breach(
                    "I5", "a clock that jumps", f"repeated, it is answered by {again}; shown was {follows.texts}"
                )
        held(run, "a clock that jumps", folder, texts, follows.shown)
