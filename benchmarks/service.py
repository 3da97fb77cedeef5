"""The service: a durable append over HTTP as a share of the store's own; events to many followers; memory of a stream (17)."""

import asyncio
import json
import os
import resource
import statistics
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.append import AT, OPENING
from benchmarks.measuring import Measurement, in_turn, median_of_pairs
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft, encode

if TYPE_CHECKING:
    import httpx

    from tests.encounterlog.service.served import Served

OWN, HTTP = "the store's own append (floor)", "append over HTTP, connection kept open"
FOLLOWERS = 1, 100, 1000
AT_ONCE_LATEST = 250
"""The time in ms in which an append is to reach the last of a thousand followers."""
LENGTHS = 1_000, 10_000, 100_000
APPEND, SHOW, NEWS = "append over HTTP", "show after it", "news of the page after it"
LATEST = {APPEND: 10, NEWS: 50}
"""The time in ms, at the median, in which they are to be there."""
NAMES = "one", "many"


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure a server in a process of its own on this machine, which the followers share with it."""
    try:
        from tests.encounterlog.service.served import served
    except ImportError as error:
        return [Measurement(HTTP, "", (), note=f"not tried: {error}")]
    with suppress(ValueError, OSError):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    place = folder / "service"
    place.mkdir(exist_ok=True)
    for name in (*NAMES, "floor"):
        create(place / f"{name}.jsonl", [Draft(OPENING)], by="gm", at=AT).close()
    options = ("--requests", 10**9, "--streams", 2000, "--patience", 60)
    with served(place, *options) as server:
        rows = _appends(server, place, LENGTHS[:2], 60, 3) if short else _appends(server, place, LENGTHS, 300, 7)
        for count in FOLLOWERS[:2] if short else FOLLOWERS:
            rows += asyncio.run(_followed(server, count, 20 if short else 60))
        return rows


def _appends(server: "Served", place: Path, lengths: tuple[int, ...], events: int, runs: int) -> list[Measurement]:
    drafts = [Draft(Noted(text=f"The rain goes on for hour {number}.")) for number in range(events)]
    facts = [encode(draft.event) for draft in drafts]
    store, (token, _) = JsonlStore(place / "floor.jsonl"), server.token("gm", "one")
    with server.client(token, "one") as client:

        def own() -> None:
            for draft in drafts:
                store.append([draft], by="gm", at=AT)

        def over_http() -> None:
            for fact in facts:
                client.post("records", content=fact, headers={"content-type": "application/json"}).raise_for_status()

        taken = in_turn({OWN: own, HTTP: over_http}, runs)
        rows = _by_length(client, facts[0], place / "one.jsonl", lengths)
    store.close()
    share = median_of_pairs(taken[OWN], taken[HTTP])
    each = {name: tuple(one / events for one in found) for name, found in taken.items()}
    note = "also decided on, judged and audited"
    return [
        Measurement(OWN, "µs", _micro(each[OWN])),
        Measurement(HTTP, "µs", _micro(each[HTTP]), ratio=share, note=note),
        *rows,
    ]


def _by_length(client: "httpx.Client", fact: bytes, log: Path, lengths: tuple[int, ...]) -> list[Measurement]:
    """Return the time of an append, and of the state and the news of the page after it, for a log, and for longer ones."""
    media, rows = {"content-type": "application/x-ndjson"}, list[Measurement]()
    page = str(client.base_url).replace("/v1/encounters/", "/e/") + "data"
    for size in lengths:
        while (missing := size - sum(1 for _ in log.open("rb"))) > 0:
            client.post("records", content=(fact + b"\n") * min(missing, 500), headers=media).raise_for_status()
        head = client.get(page).raise_for_status().json()["head"]
        taken: dict[str, list[float]] = {APPEND: [], SHOW: [], NEWS: []}
        for _ in range(20):
            _timed(taken[APPEND], lambda: client.post("records", content=fact, headers=media))
            _timed(taken[SHOW], lambda: client.get("show"))
            since = head
            news = _timed(taken[NEWS], lambda: client.get(page, params={"since": since}))  # noqa: B023 – called at once
            head = news.json()["values"]["head"]
        rows += [_at_length(name, size, each) for name, each in taken.items()]
    return rows


def _timed(taken: list[float], ask: "Callable[[], httpx.Response]") -> "httpx.Response":
    """Return a response, and note the time that it took."""
    start = time.perf_counter()
    response = ask().raise_for_status()
    taken.append(time.perf_counter() - start)
    return response


def _at_length(name: str, size: int, taken: list[float]) -> Measurement:
    what, target = f"{name}, log of {size:,} records", LATEST.get(name)
    if target is None:
        return Measurement(what, "µs", _micro(tuple(taken)))
    return Measurement(what, "µs", _micro(tuple(taken)), 1e3 * statistics.median(taken), target, least=False, note="ms")


def _micro(seconds: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(one * 1e6 for one in seconds)


async def _followed(server: "Served", count: int, events: int) -> list[Measurement]:
    token, _ = server.token("gm", "many")
    before = _memory(server.process.pid)
    head = json.loads(server.client(token, "many").get("head").content)
    place = f"{head['seq']}:{head['hash']}"
    streams = [await _stream(server.port, token, place) for _ in range(count)]
    memory = (_memory(server.process.pid) - before) / count
    late: list[float] = []
    begun, worked = time.perf_counter(), _worked(server.process.pid)
    with server.client(token, "many") as client:
        for _ in range(events):
            start = time.perf_counter()
            await asyncio.to_thread(
                lambda: client.post("records", json={"type": "noted", "text": "x"}).raise_for_status()
            )
            await asyncio.gather(*(_next(reader) for reader, _ in streams))
            late.append(time.perf_counter() - start)
    spent, worked = time.perf_counter() - begun, _worked(server.process.pid) - worked
    for _, writer in streams:
        writer.close()
    who, latest = f"{count:,} follower{'s' * (count > 1)}", 1000 * statistics.median(late)
    target = AT_ONCE_LATEST if count == FOLLOWERS[-1] else None
    return [
        Measurement(f"{who}: from an append to the last one that has it", "ms", (latest,), latest, target, least=False),
        Measurement(f"{who}: events in a second", "", (count * events / spent,)),
        Measurement(
            f"{who}: processor time of the server for one event to one of them", "µs", (worked / events / count * 1e6,)
        ),
        Measurement(f"{who}: memory of a stream", "KiB", (memory,)),
    ]


async def _stream(port: int, token: str, place: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    target = f"/v1/encounters/many/events?after={place}"
    writer.write(f"GET {target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    await reader.readuntil(b"event: beat\n")
    return reader, writer


async def _next(reader: asyncio.StreamReader) -> None:
    while b'data: {"seq"' not in await reader.readline():
        pass


def _worked(process: int) -> float:
    """Return the processor time of a process in seconds, if the system gives it (Linux)."""
    with suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _memory(process: int) -> float:
    """Return the memory of a process in KiB, where the system tells (Linux)."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text("ascii").splitlines():
            if line.startswith("VmRSS:"):
                return float(line.split()[1])
    return 0.0
