"""The application: requests are admitted, read within limits, answered in a thread, and written down."""

import os
import sys
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from encounterlog.places.shelves import Shelf
from encounterlog.places.tokens import Token
from encounterlog.service import bodies, calls, guard, pages, people
from encounterlog.service.calls import Call, Service
from encounterlog.service.guard import UNIT, Lane
from encounterlog.service.problems import MEDIA, Problem, problem_of, write_line
from encounterlog.service.reading import OTHERWISE, count_corrections
from encounterlog.service.routes import ROWS, Endpoint
from encounterlog.service.settings import HEADERS, Settings

CACHED = "private, no-transform"
VARY = "Authorization, Cookie"
"""The headers on which an answer depends, in addition to its address: they identify the asker."""
_GOOD = 10_000  # the number of tokens that are remembered as valid
THREADS = 8
"""The number of requests that are worked on at once: Python runs one thread at a time, and the others wait for the disk."""
T = TypeVar("T")


def make_application(shelf: Shelf, settings: Settings) -> Any:
    """Return the ASGI application that serves a shelf."""
    service = Service(shelf, settings)
    paths: dict[str, dict[str, Endpoint]] = {}
    for row in ROWS:
        paths.setdefault(row.path, {})[row.method] = row
    answer = Answering(service)
    routes = [Route(path, answer.make_endpoint(rows), methods=list(rows)) for path, rows in paths.items()]
    handlers: Any = {HTTPException: answer.answer_misrouted, Exception: answer.answer_error}

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[dict[str, Any]]:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(service.streams.watch_tokens)
            yield {"streams": service.streams}
            service.streams.stop()
            tasks.cancel_scope.cancel()

    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    app.router.redirect_slashes = False
    return _admit_and_record(app, settings)


def _admit_and_record(app: Any, settings: Settings) -> Any:
    says, hint = "only the private network is served without encryption", "--tls-cert, or --proxy"
    refusal = response_of(Problem("forbidden", says, hint))
    is_plain_network = settings.lan and not settings.encrypted and not settings.proxy

    async def recording(scope: Any, receive: Any, send: Any) -> Any:
        if scope["type"] != "http":
            return await app(scope, receive, send)
        begun, status, size = time.perf_counter(), 0, 0

        async def sent(message: Any) -> None:
            nonlocal status, size
            status = message.get("status", status)
            size += len(message.get("body", b""))
            await send(message)

        try:
            is_served = not is_plain_network or guard.is_near(scope.get("client"))
            await (app if is_served else refusal)(scope, receive, sent)
        finally:
            if settings.log_requests or status >= 500:
                client, more = (scope.get("client") or ("", 0))[0], scope.get("state", {})
                asked = {"method": scope["method"], "path": scope["path"][:300], "client": client}
                passed, took = size + more.get("passed", 0), round(1000 * (time.perf_counter() - begun), 1)
                write_line(**asked, token=more.get("token", ""), status=status, bytes=passed, ms=took)

    return recording


class Answering:
    """The handling of a request: its token and rate, then the endpoint, in a thread, then the answer."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self._rates = guard.Rates(service.settings.limits.requests)
        self._threads = anyio.CapacityLimiter(THREADS)
        self._lane = Lane()
        # the digests of tokens that opened something: a holder of one is not kept out by others at the same address
        self._good: OrderedDict[str, None] = OrderedDict()

    def make_endpoint(self, rows: dict[str, Endpoint]) -> Callable[[Request], Awaitable[Response]]:
        """Return the function that answers at a path."""

        async def answer(request: Request) -> Response:
            row = rows["GET" if request.method == "HEAD" else request.method]
            if row.does is None and request.method == "HEAD":
                return await self.answer_misrouted(request, HTTPException(405, headers={"allow": "GET"}))
            try:
                reply = await self._answer_request(row, request)
            except Exception as error:  # noqa: BLE001 – every error is an answer
                return self.answer_error(request, error)
            if row.does is not None:  # the headers of a stream are its own
                cached = CACHED if "etag" in reply.headers else "no-store"
                for name, value in (HEADERS | {"cache-control": cached, "vary": VARY}).items():
                    reply.headers.setdefault(name, value)
            return reply

        return answer

    async def _answer_request(self, row: Endpoint, request: Request) -> Response:
        headers, address = request.headers, f"from {request.client.host if request.client else ''}"
        if "content-length" in headers and "transfer-encoding" in headers:
            refused = Problem("bad-request", "Content-Length and Transfer-Encoding together", "give one of them")
            refused.headers["connection"] = "close"  # a proxy on its way may have believed the other length
            raise refused
        name = request.path_params.get("name", "") if row.about_one else ""
        tokens = await self._check_tokens(row, headers, name, address) if row.roles else ()
        token = tokens[0] if tokens else Token(id="", digest="", role="spectator")
        request.scope.setdefault("state", {})["token"] = token.id
        asker = token.id or address
        self._rates.count_request(asker)
        site = f"{request.url.scheme}://{headers.get('host', '')}"
        by_page = request.method not in ("GET", "HEAD") and "authorization" not in headers
        if by_page and headers.get("origin", site) != site:  # with a cookie, or a form, that changes something
            raise Problem("forbidden", "the request comes from a page of another site")
        base = self.service.settings.base or site
        asked = row.read(bodies.parse_form(request.scope["query_string"], "query"))
        call = Call(self.service, token, tokens, name, request.path_params, asked, headers, base)
        if row.body:
            if (media := bodies.media_kind(call.media)) not in row.body:
                says = f"a body of type '{media[:60]}' is not taken here"
                raise Problem("wrong-media-type", says, f"one of {', '.join(row.body)}")
            call.body = await guard.read_body(request, self.service.settings.limits)
        if row.does is None:
            given = headers.get("last-event-id") or asked.get("after") or ""
            after = calls.parse_anchor("Last-Event-ID", given) if given else None
            await self._in_thread(partial(self.service.shelf.store, name))  # raises what is wrong with it
            return self.service.streams.enter(token, name, after)
        work = partial(row.does, call)
        if not row.costly and not call.asked.keys() & OTHERWISE:
            return await self._in_thread(work)
        # a question that may take long is answered as long as its asker waits, and counts as many requests as it costs
        self._rates.count_request(asker, self.service.logs.size_of(name) * max(1, count_corrections(call)) // UNIT)
        call.looked = await self._in_thread(call.view_for_asker)
        reply = await self._lane.answer(asker, work, request.receive)
        if reply is None:
            raise Problem("too-slow", "nobody waits for the answer any more")
        return reply

    async def _check_tokens(self, row: Endpoint, headers: Headers, name: str, address: str) -> tuple[Token, ...]:
        """Return the tokens of a request, the one that counts first; raise Problem if they do not allow it."""
        digests, refused = people.digests_in_request(headers, name), f"refused {address.removeprefix('from ')}"
        is_known = any(each in self._good for each in digests)
        if not is_known:
            self._rates.count_request(refused)  # before it is looked up; given back if it opens something
        found = await self._in_thread(partial(self._admitted_tokens, row, digests, name))
        if not is_known:
            self._rates.give_back(refused)
        self._good |= dict.fromkeys(one.digest for one in found)
        while len(self._good) > _GOOD:
            self._good.popitem(last=False)
        return found

    def _admitted_tokens(self, row: Endpoint, digests: list[str], name: str) -> tuple[Token, ...]:
        found = people.valid_tokens(self.service.shelf, digests)
        token = found[0]
        if row.about_one:
            if token.role != "operator" and not row.creates and token.encounter != name:
                raise Problem("forbidden", "this token does not open that encounter", "it may be one of another table")
            if token.role not in row.roles:
                says = f"the role {token.role} does not allow this"
                raise Problem("forbidden", says, f"it is for {' and '.join(sorted(row.roles))}")
            if not row.writes:
                people.check_log(self.service.logs, token)
        return found

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await anyio.to_thread.run_sync(work, limiter=self._threads)

    def answer_error(self, request: Request, error: Exception) -> Response:
        """Answer a request with its error; of one of the service itself, the places in the code are recorded, without values."""
        problem = problem_of(error, request.path_params.get("name", ""))
        path = request.url.path[:200]
        if problem.kind == "bug":
            frames = traceback.extract_tb(error.__traceback__)[-12:]
            write_line(
                bug=type(error).__name__,
                path=path,
                places=[f"{each.filename}:{each.lineno} {each.name}" for each in frames],
            )
        if problem.kept:
            write_line(problem=problem.kind, path=path, why=problem.kept)
        return response_of(problem, for_people=pages.is_page_wanted(request.headers.get("accept", "")))

    async def answer_misrouted(self, request: Request, error: Exception) -> Response:
        """Answer a request for something that does not exist."""
        kind = "no-such-method" if getattr(error, "status_code", 404) == 405 else "not-found"
        problem = Problem(kind, f"{request.method} {request.url.path[:200]}", "GET /openapi.json lists the endpoints")
        problem.headers |= getattr(error, "headers", None) or {}
        return response_of(problem, for_people=pages.is_page_wanted(request.headers.get("accept", "")))


def response_of(problem: Problem, *, for_people: bool = False) -> Response:
    """Return a problem as a response, as a page if a person asks; it is never cached."""
    made = pages.refusal_page(problem) if for_people else Response(problem.body(), problem.status, media_type=MEDIA)
    made.headers.update(HEADERS | {"cache-control": "no-store", "vary": f"{VARY}, Accept"} | problem.all_headers())
    return made


GRACE = 0.5  # how long requests may still take once the server is to stop, in seconds; cut-off appends lose nothing
BACKLOG = 100  # how many connections are accepted at once, before any of them is counted
SWITCH = 0.001  # seconds after which a thread lets another one run: short work does not wait long for costly work
KEPT = 75  # seconds that a connection stays open between two requests, longer than the usual clients keep one unused


class Server(uvicorn.Server):
    """A server whose streams are asked to connect again before it stops; a signal ends it, and is not raised again."""

    def __init__(self, config: uvicorn.Config, started: Any = None) -> None:
        super().__init__(config)
        self._began = started

    def handle_exit(self, sig: int, frame: Any) -> None:  # noqa: ARG002 – uvicorn's signature
        """Stop; at once, if it is asked a second time."""
        self.force_exit = self.should_exit
        self.should_exit = True

    async def startup(self, sockets: Any = None) -> None:
        """Begin to listen, and report the address."""
        sys.setswitchinterval(SWITCH)
        await super().startup(sockets)
        if self.started and self._began is not None:
            self._began(self.servers[0].sockets[0].getsockname()[1])

    async def on_tick(self, counter: int) -> bool:
        """Cut connections whose clients send or take nothing, twice a second."""
        for connection in tuple(self.server_state.connections) if counter % 5 == 0 else ():
            connection.cut_if_stuck()  # type: ignore[union-attr]  # they are all of the protocol below
        return await super().on_tick(counter)

    async def shutdown(self, sockets: Any = None) -> None:
        """End all streams, then everything else that is open."""
        self.lifespan.state["streams"].stop()
        await super().shutdown(sockets)


def make_server(shelf: Shelf, settings: Settings, started: Any = None) -> Server:
    """Return the server of a shelf; `started` is called with the port once it listens."""
    config = uvicorn.Config(
        make_application(shelf, settings),
        host=settings.host,
        port=settings.port,
        http=guard.limited_protocol(settings.limits),
        ws="none",
        loop="encounterlog.service.guard:Loop",
        log_config=None,
        access_log=False,
        proxy_headers=bool(settings.proxy),  # nobody else is believed about the address and scheme of requests
        forwarded_allow_ips=settings.proxy,
        server_header=False,
        date_header=True,
        backlog=BACKLOG,
        timeout_keep_alive=KEPT,
        timeout_graceful_shutdown=GRACE,  # type: ignore[arg-type]  # asyncio.wait_for takes it, and half a second, too
        ssl_certfile=settings.certificate or None,
        ssl_keyfile=settings.key or None,
    )
    return Server(config, started)


def exit_if_threads_remain() -> None:
    """End the process at once if threads still work for requests that nobody waits for; the store survives that."""
    if [each for each in threading.enumerate() if each is not threading.main_thread() and not each.daemon]:
        os._exit(0)
