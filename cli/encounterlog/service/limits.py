"""Limits: the rate of a token's requests, the size of a body and the time in which it must arrive."""

import time
from collections.abc import AsyncIterator

import anyio
from starlette.requests import ClientDisconnect, Request

from encounterlog.service.problems import Problem
from encounterlog.service.settings import Limits

_MANY = 10_000
"""The number of askers that are remembered; beyond it, those who were silent for a minute are forgotten."""


class Rates:
    """The rate of each asker's requests: as many as a minute allows at once, then one for each that time gives back."""

    def __init__(self, each_minute: int) -> None:
        self._most, self._each = float(each_minute), each_minute / 60.0
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, asker: str, cost: int = 1) -> None:
        """Count a request, or one that costs as much as several; raise Problem with the seconds to wait if nothing is left."""
        now = time.monotonic()
        left, since = self._left.get(asker, (self._most, now))
        left = min(self._most, left + (now - since) * self._each)
        if left < 1:
            refused = Problem("too-many-requests", f"more than {self._most:.0f} requests a minute", "ask more slowly")
            refused.headers["retry-after"] = str(max(1, round((1 - left) / self._each)))
            raise refused
        self._left[asker] = (left - cost, now)
        if len(self._left) > _MANY:
            self._left = {each: kept for each, kept in self._left.items() if now - kept[1] < 60}

    def give_back(self, asker: str) -> None:
        """Count a request no longer."""
        if asker in self._left:
            left, since = self._left[asker]
            self._left[asker] = (left + 1, since)


async def read_body(request: Request, limits: Limits) -> bytes:
    """Return the whole body of a request; raise Problem if it is too large, too slow, or was cut off."""
    declared = request.headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and int(declared) > limits.body:
        raise _too_large(limits)
    try:
        with anyio.fail_after(limits.patience):
            return await _read_limited(request.stream(), limits)
    except TimeoutError:
        raise Problem("too-slow", f"the body did not arrive within {limits.patience:g} s", "send it again") from None
    except ClientDisconnect:
        raise Problem("too-slow", "the body was cut off; nothing was written", "send it again") from None


async def _read_limited(pieces: AsyncIterator[bytes], limits: Limits) -> bytes:
    body = bytearray()
    async for piece in pieces:
        body += piece
        if len(body) > limits.body:
            raise _too_large(limits)
    return bytes(body)


def _too_large(limits: Limits) -> Problem:
    return Problem("too-large", f"the body is larger than {limits.body:,} bytes", "send it in parts")
