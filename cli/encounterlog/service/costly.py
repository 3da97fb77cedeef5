"""Costly questions: a few at a time, in threads of their own, and ended soon after nobody waits for the answer."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

import anyio

from projections.stopping import Abandoned, as_long_as

MOST = 4
"""The number of costly questions that are worked on at once; of each token one."""
UNIT = 20_000
"""How many records, times corrections, a question may have that counts as one request."""
T = TypeVar("T")


class Lane:
    """The queue of costly questions: waiting takes no thread, and a client that leaves meanwhile costs nothing."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._places: anyio.Semaphore | None = None
        self._own: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()

    async def answer(self, asker: str, work: Callable[[], T]) -> T:
        """Return the answer to a question, or raise the error of its work; end the work if this is cancelled."""
        self._places = self._places or anyio.Semaphore(self._most)
        own = self._own.setdefault(asker, anyio.Lock())
        async with own, self._places:
            worker = Worker(work, asyncio.get_running_loop())
            worker.start()
            try:
                await worker.over.wait()
            except BaseException:
                worker.wanted = False
                with anyio.CancelScope(shield=True):  # until it ends it has its place
                    await worker.over.wait()
                raise
            return worker.result()


class Worker(threading.Thread, Generic[T]):
    """A thread that works on one question, and ends between two records of a replay once the answer is not wanted."""

    def __init__(self, work: Callable[[], T], loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(name="question", daemon=True)
        self.over, self.wanted = asyncio.Event(), True
        self._work, self._loop = work, loop
        self._found: list[T] = []
        self._error: BaseException | None = None

    def run(self) -> None:
        """Work, and notify the event loop at the end."""
        try:
            with as_long_as(lambda: self.wanted):
                self._found.append(self._work())
        except Abandoned:  # nothing of the work is to be kept
            pass
        except BaseException as error:  # noqa: BLE001 – the asker gets the error
            self._error = error
        with suppress(RuntimeError):  # the service has ended
            self._loop.call_soon_threadsafe(self.over.set)

    def result(self) -> T:
        """Return the result of the work, or raise its error."""
        if self._error is not None:
            raise self._error
        return self._found[0]


async def unless_gone(receive: Any, work: Callable[[], Awaitable[T]]) -> T | None:
    """Return the result of some work, None if its asker leaves first; raise the error of the work."""
    found: list[T] = []
    errors: list[Exception] = []
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(until_gone, receive, tasks.cancel_scope)
        try:
            found.append(await work())
        except Exception as error:  # noqa: BLE001 – raised below, where it is in no group
            errors.append(error)
        tasks.cancel_scope.cancel()
    if errors:
        raise errors[0]
    return found[0] if found else None


async def until_gone(receive: Any, scope: anyio.CancelScope) -> None:
    """Cancel a scope when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()
