"""Fault 74: a service that is killed at each step of a request that writes: facts, a line, a proposal that is accepted."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from msgspec import Struct

from eventstore.events import DamageDealt
from eventstore.jsonl import JsonlStore
from tests.faults.campaign import Run, fault
from tests.faults.services import LONG, NAME, disk, followed, held
from tests.faults.serving import (
    FATAL,
    MARKS,
    STEPS,
    Follows,
    Running,
    answer_of,
    client,
    post,
    running,
    token_for,
    told,
)
from tests.faults.together import LOG, until

Send = Callable[[httpx.Client, str, str], httpx.Response | None]
Answer = httpx.Response | None


def post_line(http: httpx.Client, place: str, text: str) -> Answer:
    """Write a note as a line of the language under its text as the key; None if no answer came."""
    return answer_of(http, f"{place}/lines", {"line": f"note {text}"}, text)


@fault(
    74,
    "a service killed at each step of a request (facts, a line, a proposal accepted), with and without a power cut; repeated with its key",
)
def killed(run: Run) -> None:
    for kind, (turns, tries) in KINDS.items():
        for turn in range(run.some(1, turns)):
            for step in STEPS:
                for lost in (True, False) if not run.short or step == "written" else (True,):
                    case = f"{kind}, killed {step}, {'with a power cut' if lost else 'alone'}, {turn}"
                    with run.within(LONG, case):
                        tries(run, case, step, lost=lost)


class Fight(Struct):
    """A log, its service, which may be another one after a while, a game master and a follower."""

    folder: Path
    stack: ExitStack
    http: httpx.Client
    now: Running
    follows: Follows

    def serve(self, **how: Any) -> None:
        self.now = self.stack.enter_context(running(self.folder, NAME, **how))


@contextmanager
def fight(run: Run, step: str, *, lost: bool) -> Iterator[Fight]:
    with disk(run) as folder, ExitStack() as stack:
        token, _ = token_for(folder, NAME)
        http = stack.enter_context(client(token))
        now = stack.enter_context(running(folder, NAME, step=step, lost=lost))
        made = Fight(folder, stack, http, now, Follows(lambda: made.now.place, token))
        stack.enter_context(made.follows)
        yield made


def begins(run: Run, case: str, fight: Fight) -> bool:
    first = post(fight.http, fight.now.place, "before")
    if first is None or first.status_code != 201:
        run.breach("I6", case, f"the first request is answered by {first}")
        return False
    until(lambda: "before" in fight.follows.texts)
    return True


def died(run: Run, case: str, fight: Fight, answer: Answer) -> bool:
    """Wait until the service is dead, and serve the log again; say whether what was fatal is in it."""
    if not fight.now.killed():
        run.breach("I6", case, "the service was not killed")
    whole = (fight.folder / LOG).read_bytes().rpartition(b"\n")[0]
    there = any(mark in whole for mark in MARKS)
    if answer is not None and not (answer.status_code == 201 and there):
        run.breach("I1", case, f"{answer.status_code} was answered, and the log {'has' if there else 'lacks'} it")
    fight.serve()
    return there


def ends(run: Run, case: str, fight: Fight, *texts: str) -> None:
    post(fight.http, fight.now.place, "after")
    until(lambda: fight.follows.texts[-1:] == ["after"])
    followed(run, case, fight.follows)
    held(run, case, fight.folder, ["before", *texts, "after"], fight.follows.shown)


# ---------------------------------------------------------------- what is written at once


def killed_at(run: Run, case: str, step: str, *, lost: bool, send: Send = post) -> None:
    """Kill a service at a step of the second of three requests, and repeat that at the next service."""
    with fight(run, step, lost=lost) as here:
        if not begins(run, case, here):
            return
        answer = send(here.http, here.now.place, FATAL)
        there = died(run, case, here, answer)
        again, last = (send(here.http, here.now.place, FATAL) for _ in range(2))
        _repeated(run, case, there=there, answers=(answer, again, last))
        ends(run, case, here, FATAL)


def _repeated(run: Run, case: str, *, there: bool, answers: tuple[Answer, Answer, Answer]) -> None:
    """Hold the answers to a request that was repeated twice: what was written is answered again, and not written twice."""
    answer, again, last = answers
    if again is None or last is None or again.status_code != (200 if there else 201) or last.status_code != 200:
        run.breach("I2", case, f"repeated, it is answered by {again} and {last}")
    elif told(again) != told(last) or (answer is not None and told(answer) != told(again)):
        run.breach(
            "I2", case, f"repeated, it is answered otherwise: {answer and told(answer)}, {told(again)}, {told(last)}"
        )


# ---------------------------------------------------------------- a proposal that is accepted

BLOW = {"type": "damage_dealt", "target": "ogre", "amount": 2, "source": FATAL}
THOSE = [
    {"type": "combatant_joined", "combatant": name, "side": side, "sheet": {"hp": 9}}
    for name, side in ((FATAL, "party"), ("ogre", "foes"))
]


def accepted_at(run: Run, case: str, step: str, *, lost: bool) -> None:
    """Kill a service at a step of the request that accepts a proposal; its player proposes it again, under its key."""
    with fight(run, step, lost=lost) as here:
        token, _ = token_for(here.folder, NAME, "player", combatants=(FATAL,), writes=True)
        player = here.stack.enter_context(client(token))
        _expect(run, case, "who joins", answer_of(here.http, f"{here.now.place}/records", THOSE, "joined"), 201)
        if not begins(run, case, here):
            return
        made = _proposed(run, case, here, player, 202)
        there = died(run, case, here, _accepted(here, made))
        _expect(run, case, "a proposal of before, accepted", _accepted(here, made), 404)
        if not there:
            again = _proposed(run, case, here, player, 202)
            _expect(run, case, "the proposal, accepted", _accepted(here, again), 201)
            _expect(run, case, "the proposal, accepted twice", _accepted(here, again), 200)
        _proposed(run, case, here, player, 200)
        ends(run, case, here)
        with JsonlStore(here.folder / LOG) as store:
            blows = sum(isinstance(record.event, DamageDealt) for record in store.read())
        if blows != 1:
            run.breach("I2" if blows else "I1", case, f"the blow that was accepted is in the log {blows} times")


def _proposed(run: Run, case: str, here: Fight, player: httpx.Client, status: int) -> str:
    """Propose the blow under its key, and return the id of the proposal, "" where it is in the log already."""
    answer = answer_of(player, f"{here.now.place}/records", BLOW, "blow")
    _expect(run, case, "a proposal", answer, status)
    return str(answer.json().get("proposed", "")) if answer is not None else ""


def _accepted(here: Fight, proposal: str) -> Answer:
    """Accept a proposal; the key is what the service dies of."""
    return answer_of(here.http, f"{here.now.place}/proposals/{proposal}", {"accept": True}, FATAL)


def _expect(run: Run, case: str, what: str, answer: Answer, status: int) -> None:
    if answer is None or answer.status_code != status:
        run.breach("I6", case, f"{what} is answered by {answer and answer.text[:600]}, not by {status}")


KINDS: dict[str, tuple[int, Callable[..., None]]] = {
    "facts": (8, killed_at),
    "a line": (2, partial(killed_at, send=post_line)),
    "a proposal": (2, accepted_at),
}
"""What is asked for: how often each step of it is tried, and how."""
