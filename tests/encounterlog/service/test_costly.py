"""Costly questions: few at a time, one of each token, ended when nobody waits; and connections beyond what may be open."""

import time
from collections.abc import Callable
from typing import Any

import anyio
import pytest

from encounterlog.service.guard import Gate, Lane
from projections.stopping import go_on


class Working:
    """Work that goes on until it is told to end, and counts how much of it goes on at once."""

    def __init__(self) -> None:
        self.now = self.most = self.begun = 0
        self.stop = False

    def __call__(self) -> str:
        self.begun += 1
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            while not self.stop:
                go_on()
                time.sleep(0.001)
        finally:
            self.now -= 1
        return "done"


async def never() -> Any:
    """Hear nothing of a client, who stays."""
    await anyio.sleep_forever()


async def soon(happened: Callable[[], object]) -> None:
    with anyio.fail_after(20):
        while not happened():
            await anyio.sleep(0.002)


def test_four_questions_are_worked_on_at_once_and_one_of_each_token() -> None:
    async def asks() -> None:
        lane, several, own = Lane(), Working(), Working()
        async with anyio.create_task_group() as tasks:
            for number in range(9):
                tasks.start_soon(lane.answer, f"token {number}", several, never)
            await soon(lambda: several.now == 4)
            await anyio.sleep(0.02)
            assert several.begun == 4
            several.stop = True
        async with anyio.create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(lane.answer, "one token", own, never)
            await soon(lambda: own.now)
            own.stop = True
        assert (several.begun, own.begun, own.most) == (9, 3, 1)

    anyio.run(asks)


def test_what_nobody_waits_for_is_ended_or_never_begun() -> None:
    async def asks() -> None:
        lane, work = Lane(1), Working()
        left = anyio.Event()

        async def receive() -> dict[str, str]:
            await left.wait()
            return {"type": "http.disconnect"}

        found: list[str | None] = []

        async def asked(token: str) -> None:
            found.append(await lane.answer(token, work, receive))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(asked, "one")
            tasks.start_soon(asked, "other")
            await soon(lambda: work.now)
            left.set()
        assert (found, work.begun, work.now) == ([None, None], 1, 0)
        work.stop = True
        assert await lane.answer("one", work, never) == "done"

    anyio.run(asks)


def test_what_goes_wrong_with_a_question_is_its_answer() -> None:
    async def asks() -> None:
        with pytest.raises(ZeroDivisionError):
            await Lane().answer("token", lambda: 1 // 0, never)

    anyio.run(asks)


class Connection:
    def __init__(self, address: str, *, idle: bool = True) -> None:
        self.address, self.is_idle, self.ended = address, idle, False

    def abort(self) -> None:
        self.ended = True


def test_one_connection_too_many_ends_the_oldest_that_waits_of_the_address_with_the_most(
    capsys: pytest.CaptureFixture[str],
) -> None:
    gate: Any = Gate(5)
    made = [
        Connection("table"),
        Connection("attacker", idle=False),
        Connection("attacker"),
        Connection("attacker"),
        Connection("attacker"),
    ]
    for each in made:
        gate.enter(each)
    for number in (2, 3):
        gate.enter(Connection("table", idle=False))
        assert [each.ended for each in made] == [False, False, True, number == 3, False]
    for _ in range(2):
        gate.enter(Connection("table", idle=False))
    assert [each.ended for each in made] == [True, False, True, True, True]
    gate.enter(last := Connection("table", idle=False))
    assert last.ended
    assert capsys.readouterr().err.count("more than 5") == 1
