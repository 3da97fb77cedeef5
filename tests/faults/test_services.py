"""The faults of services bite: each of some services that are wrong in one thing fails them, and ours does not."""

import signal
from collections.abc import Callable
from functools import partial
from typing import Any

import anyio
import pytest
from msgspec import structs
from starlette.responses import JSONResponse, Response

from encounterlog.service import app, guard, streams, writing
from eventstore import following
from tests.faults import servers, services, serving, steps
from tests.faults.biting_checks import named, notices
from tests.faults.campaign import Fault, Run
from tests.faults.wrong_stores import Swap

pytestmark = pytest.mark.slow

STEPS = ("asked", "written", "after the answer", "before the stream")
"""Of those at which a service is killed, the ones that are tried here; the campaign tries all."""


def killed(run: Run, *, at: str) -> None:
    _within(run, lambda: steps.killed_at(run, at, at, lost=True))


def killed_as_it_accepts(run: Run, *, at: str) -> None:
    _within(run, lambda: steps.accepted_at(run, at, at, lost=True))


def _within(run: Run, does: Callable[[], None]) -> None:
    with run.within(60, "a part"):  # however shortly its own waits are set
        does()


def trickling(run: Run) -> None:
    with services.disk(run) as folder:
        _within(run, lambda: services.trickle(run, "slow", folder, 4))


def revoked(run: Run, *, here: bool) -> None:
    with services.disk(run) as folder:
        _within(run, lambda: services.revoke(run, "revoked", folder, here=here))


def restarted(run: Run) -> None:
    log = servers.begun(services.NAME)
    _within(run, lambda: services.restarted(run, "restarted", log, signal.SIGINT, 0.3))


# ---------------------------------------------------------------- what is wrong with each

_missed, _body, _as_proposer = streams.missed_events, guard.read_body, writing._call_of_proposer


def _but_the_first(*given: Any) -> Any:
    last, events = _missed(*given)
    next(events, b"")
    return last, events


def _says_so_anyway(*_: object) -> Response:
    """Answer for what failed."""
    return JSONResponse({"first": 1, "last": 1, "head": ""}, 201)


async def _as_it_is(request: Any, most: Any) -> bytes:
    """Take for the body what has come of it."""
    found = bytearray()
    try:
        async for piece in request.stream():
            found += piece.rstrip()
            if found:
                break
    except Exception:  # noqa: BLE001 – it is wrong on purpose
        return bytes(found)
    return bytes(found) or await _body(request, most)


def _without_a_key(*given: Any) -> Any:
    return structs.replace(_as_proposer(*given), headers={"content-type": "application/json"})


async def _never(_: Any) -> None:
    """Look at no token."""


def _says_all_is_settled(disk: Any, fd: int, *_: object, **__: object) -> Any:
    return disk.fstat(fd), b""


def _from_the_start(known: Any, name: str, _: object, *how: Any) -> Any:
    return _missed(known, name, None, *how)


def _one_more(self: streams.Streams, *given: Any) -> streams.Stream:
    """Let anybody in."""
    return streams.Stream(self, *given)


WRONG: list[tuple[Swap, Fault, str]] = [
    (Swap("keys are forgotten", writing, "retry_key", lambda _: None), partial(killed, at="after the answer"), "I2"),
    (Swap("what is accepted has no key", writing, "_call_of_proposer", _without_a_key), partial(killed_as_it_accepts, at="after the answer"), "I6"),
    (Swap("nothing is brought to the disk", serving.Losing, "sync", lambda *_: None), partial(killed, at="after the answer"), "I1"),
    (Swap("what is not durable is shown", following, "unsettled_end", _says_all_is_settled), partial(killed, at="written"), "I5"),
    (Swap("of what was missed the first is left out", streams, "missed_events", _but_the_first), partial(killed, at="asked"), "I5"),
    (Swap("a stream is always begun anew", streams, "missed_events", _from_the_start), partial(killed, at="before the stream"), "I5"),
    (Swap("a part of a body is taken for all of it", guard, "read_body", _as_it_is), trickling, "I2"),
    (Swap("who is slow is waited for", anyio, "fail_after", lambda _: anyio.CancelScope()), trickling, "I6"),
    (Swap("there may be any number of streams", streams.Streams, "enter", _one_more), services.too_many, "I6"),
    (Swap("streams of a revoked token go on", streams.Streams, "end_revoked", lambda *_: None), partial(revoked, here=True), "I5"),
    (Swap("what another process revokes is not looked at", streams.Streams, "watch_tokens", _never), partial(revoked, here=False), "I5"),
    (Swap("what failed is answered for", app.Answering, "answer_error", _says_so_anyway), restarted, "I1"),
]  # fmt: skip
"""What is wrong in one function, and the part of the campaign that notices it by which invariant."""


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("part", [killed, killed_as_it_accepts])
@pytest.mark.parametrize("step", STEPS)
def test_our_service_passes(step: str, part: Callable[..., None]) -> None:
    run = Run(0, short=True, seed=1)
    part(run, at=step)
    assert (run.counts.cases, run.counts.wrong) == (1, [])


@pytest.mark.in_turn(4)
@pytest.mark.parametrize(("swap", "part", "invariant"), WRONG, ids=named)
def test_a_service_with_one_wrong_function_fails(
    swap: Swap, part: Fault, invariant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(swap.room, swap.name, swap.instead)
    monkeypatch.setattr(services, "LONG", 5)
    monkeypatch.setattr(serving, "CHANCE", 1.0)
    assert notices(part, invariant)
