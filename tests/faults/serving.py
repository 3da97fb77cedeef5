"""A service for the campaign: a process that dies at one step of a request, who asks it, and who follows its stream."""

import errno
import json
import os
import random
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Self

import anyio
import httpx

from encounterlog.places import time_and_chance as clock
from encounterlog.places.remote import trusted_certificates
from encounterlog.places.shelves import FolderShelf, Shelf, open_shelf
from encounterlog.places.tokens import Role
from encounterlog.service.app import make_server
from encounterlog.service.people import mint_token
from encounterlog.service.settings import Limits, Settings
from eventstore.address import Url
from eventstore.disk import Disk
from eventstore.record import Recorded, decode
from tests.faults.processes import Child, Say
from tests.faults.together import LIFE, PLACES, Halting, children, heard

FATAL = "fatal"
"""The key, and the text, of the request at a step of which the service dies."""
MARKS = tuple(f'"{field}":"{FATAL}"'.encode() for field in ("text", "source"))
"""What stands in the record that it writes: a note with that text, or a blow of a combatant of that name."""
BEFORE = ("asked", "body read")
AFTERWARDS = ("before the answer", "in the answer", "after the answer", "before the stream", "after the stream")
STEPS = (*BEFORE, *PLACES, *AFTERWARDS)
"""The steps of a request that writes, in their order: those of the request, those in the append, answer and stream."""
CHANCE = 0.15
"""How long what is written and not yet durable is left in the file, in seconds, for whoever would show it too early."""
ALL = Limits(requests=10**6, heartbeat=0.1)
LONGEST = 30.0
Name = Callable[[], str]


class Losing(Halting):
    """Is a disk that knows what of a log is durable."""

    synced = 0
    failing: tuple[int, ...] = ()
    """Which of the syncs fail, counted from 1."""
    _syncs, _log = 0, 0

    def sync(self, fd: int) -> None:
        status = self.fstat(fd)
        self._log = self._log or status.st_ino
        if status.st_size != self.synced or status.st_ino != self._log:  # a reader's brings nothing to the disk
            self._syncs += 1
            if self._syncs in self.failing:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
        size = self.fstat(fd).st_size
        Disk.sync(self, fd)
        self.synced = size
        self._at("synced")


class OnDisk(FolderShelf):
    def __init__(self, folder: Path, disk: Disk) -> None:
        super().__init__(folder, disk=disk)


class Mortal:
    """Is an application that dies at one step of the request that has the fatal key."""

    def __init__(self, app: Any, step: str, disk: Halting | None, die: Callable[[], None]) -> None:
        self._app, self._step, self._disk, self._die = app, step, disk, die
        self._answered: anyio.Event | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and (b"idempotency-key", FATAL.encode()) in scope["headers"]:
            await self._at_the_request(scope, receive, send)
        elif scope["type"] == "http" and scope["path"].endswith("/events"):
            state = scope.get("state", {})
            if pass_on := state.get("pass_on"):  # what is fatal waits, and is sent as all else
                state["pass_on"] = lambda chunk: not _is_fatal(chunk) and pass_on(chunk)
            await self._app(scope, receive, partial(self._streamed, send))
        else:
            await self._app(scope, receive, send)

    async def _at_the_request(self, scope: Any, receive: Any, send: Any) -> None:
        self._at("asked")
        if self._disk is not None:
            self._disk.armed = True

        async def received() -> Any:
            message = await receive()
            if not message.get("more_body", False):
                self._at("body read")
            return message

        await self._app(scope, received, partial(self._answers, send))

    async def _answers(self, send: Any, message: Any) -> None:
        starts = message["type"] == "http.response.start"
        self._at("before the answer" if starts else "in the answer")
        await send(message)
        if not starts and not message.get("more_body", False):
            self._heard().set()
            self._at("after the answer")

    async def _streamed(self, send: Any, message: Any) -> None:
        fatal = _is_fatal(message.get("body", b""))
        if fatal and self._step in ("before the stream", "after the answer"):
            await self._heard().wait()
        if fatal:
            self._at("before the stream")
        await send(message)
        if fatal:
            self._at("after the stream")

    def _heard(self) -> anyio.Event:
        if self._answered is None:
            self._answered = anyio.Event()
        return self._answered

    def _at(self, step: str) -> None:
        if step == self._step:
            self._die()


def _is_fatal(data: bytes) -> bool:
    return any(mark in data for mark in MARKS)


def serve(
    place: Path | Url,
    say: Say,
    *,
    step: str = "",
    lost: bool = False,
    limits: Limits = ALL,
    failing: tuple[int, ...] = (),
    files: int = 0,
    jumping: bool = False,
) -> None:
    """Serve a folder or a database until the step comes, or a signal; with `lost`, what is not durable dies as well."""
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115 – as long as this process
    if jumping:
        _let_the_clock_jump()
    if files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    disk = Losing(step, lambda: None, armed=False)
    disk.failing = failing
    logs = list(place.glob("*.jsonl")) if isinstance(place, Path) else []
    disk.synced = logs[0].stat().st_size if logs else 0

    def die() -> None:
        if step in PLACES:
            time.sleep(CHANCE)
        if lost:
            os.truncate(logs[0], disk.synced)
        os.kill(os.getpid(), signal.SIGKILL)

    disk.does = die
    shelf: Shelf = OnDisk(place, disk) if isinstance(place, Path) else open_shelf(place.given)
    settings = Settings(port=0, limits=limits)
    made = make_server(shelf, settings, lambda port: say("serves", port))
    made.config.app = Mortal(made.config.app, step, disk, die)
    made.run()


def _let_the_clock_jump() -> None:
    """Let the clock say another time each time it is asked, of some years around now."""
    chance = random.Random("clock")

    class Jumping(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.now(tz) + timedelta(days=chance.randint(-400, 700))

    clock.datetime = Jumping  # type: ignore[attr-defined]


# ---------------------------------------------------------------- who asks, who follows


class Running:
    def __init__(self, child: Child, name: str) -> None:
        self.child, self._name = child, name
        heard(child, "serves")
        ports = [port for word, port in child.said if word == "serves"]
        self.url = f"http://127.0.0.1:{ports[0] if ports else 9}"

    @property
    def place(self) -> str:
        return f"{self.url}/v1/encounters/{self._name}"

    def killed(self) -> bool:
        return self.child.end() == -signal.SIGKILL


@contextmanager
def running(place: Path | Url, name: str, *, life: int = LIFE, **how: Any) -> Iterator[Running]:
    with children(lambda say: serve(place, say, **how), life=life) as (child,):
        yield Running(child, name)


def token_for(place: Path | Url, name: str, role: Role = "gm", **given: Any) -> tuple[str, str]:
    shelf = FolderShelf(place) if isinstance(place, Path) else open_shelf(place.given)
    text, token = mint_token(role, name, **given)
    shelf.tokens.add(token)
    shelf.close()
    return text, token.id


def client(token: str) -> httpx.Client:
    return httpx.Client(headers={"authorization": f"Bearer {token}"}, timeout=LONGEST, verify=trusted_certificates())


def post(http: httpx.Client, place: str, text: str) -> httpx.Response | None:
    """Append a note under its text as the key; None if no answer came."""
    return answer_of(http, f"{place}/records", {"type": "noted", "text": text}, text)


def answer_of(http: httpx.Client, address: str, body: Any, key: str) -> httpx.Response | None:
    """Send a body under a key; return the answer, None if none came."""
    try:
        return http.post(address, json=body, headers={"idempotency-key": key})
    except httpx.TransportError:
        return None


class Follows:
    """Follows a stream as a browser does: after an interruption it goes on from the last id it was given.

    `shown` is all that it was ever shown, `taken` what it holds: appends whose id came, each once.
    """

    def __init__(self, place: Name, token: str) -> None:
        self._place, self._token, self._stop = place, token, threading.Event()
        self.shown, self.taken, self.said = list[Recorded](), list[Recorded](), list[str]()
        self.status, self.retry = 0, ""
        self._id = ""
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(LONGEST)

    def leave(self) -> None:
        self.__exit__()

    @property
    def texts(self) -> list[str]:
        return texts_of(self.taken)

    @property
    def over(self) -> bool:
        return "revoked" in self.said or self.status in (401, 403)

    def _follow(self) -> None:
        with client(self._token) as http:
            while not self._stop.is_set() and not self.over:
                with suppress(httpx.TransportError):
                    self._once(http)
                self._stop.wait(0.02)

    def _once(self, http: httpx.Client) -> None:
        headers = {"last-event-id": self._id} if self._id else {}
        timeout = httpx.Timeout(LONGEST, read=5)
        with http.stream("GET", f"{self._place()}/events", headers=headers, timeout=timeout) as answer:
            self.status, self.retry = answer.status_code, answer.headers.get("retry-after", "")
            kind, batch = "", list[Recorded]()
            for line in answer.iter_lines() if self.status == 200 else ():
                name, _, value = line.partition(": ")
                if name in ("id", "event"):
                    self._id, kind = (value, kind) if name == "id" else (self._id, value)
                elif name == "data" and not kind:
                    batch.append(decode(value.encode()))
                    self.shown.append(batch[-1])
                elif not line:
                    self._ends(kind, batch)
                    kind = ""
                if self._stop.is_set():
                    return

    def _ends(self, kind: str, batch: list[Recorded]) -> None:
        """Take over what an event says; an append counts when its id has come."""
        if kind and kind != "beat":
            self.said.append(kind)
        if kind == "reset" and not self._id:
            self.taken.clear()
        if batch and self._id.partition(":")[0] == str(batch[-1].seq):
            self.taken += batch
            batch.clear()


def texts_of(records: list[Recorded]) -> list[str]:
    return [getattr(record.event, "text", "") for record in records if type(record.event).__name__ == "Noted"]


def told(answer: httpx.Response) -> dict[str, Any]:
    """Return what an answer says was written: the first record, the last, and the head."""
    value = json.loads(answer.text)
    return {name: value.get(name) for name in ("first", "last", "head")}
