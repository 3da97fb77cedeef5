"""Fault 89: all phones of a table ask a service for the page's data after each append, whole or what is new."""

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import httpx
from msgspec import structs

from eventstore.events import CombatantJoined, DamageDealt, RoundStarted
from tests.eventstore.logs import OPENING, drafts, log_of
from tests.faults.attacks import long_log, wrote
from tests.faults.campaign import Run, fault
from tests.faults.services import LONG, NAME
from tests.faults.serving import Running, client, running, token_for
from tests.faults.together import LOG, side_by_side

PHONES = 30
QUICK = 0.05
"""How much of the processor it may take to tell the first phone what is new, in seconds; the others are told the same."""
SMALL = 20_000
"""How many bytes may be told of an append."""


@fault(89, "a stampede on a service: all phones ask for the page's data after each append, whole or what is new")
def stampede(run: Run) -> None:
    run.counts.remark = f"{_whole(run)}; {_new(run, run.some(2_000, 20_000))}"


def _whole(run: Run) -> str:
    """Let one phone ask for all of the page, and thirty; return how long they took."""
    took: dict[int, float] = {}
    with run.within(10 * LONG, "stampede"), long_log(run, 600) as folder:
        gm, *tokens = _tokens(folder)
        with running(folder, NAME) as service, client(gm) as http:
            for number in (1, PHONES) * run.some(1, 5):
                wrote(run, "stampede", http, service, f"{time.monotonic_ns()}")
                start, told = time.monotonic(), list[bytes]()
                side_by_side(*(partial(_page, service, token, told) for token in tokens[:number]))
                took[number] = max(took.get(number, 0.0), time.monotonic() - start)
                run.counts.cases += number
                if len(set(told)) != 1:
                    run.breach("I5", f"{number} phones", f"they are told {len(set(told))} different things")
            if took[PHONES] > 4 * took[1] + 2:
                run.breach("I6", f"{PHONES} phones", f"they take {took[PHONES]:.1f} s, one takes {took[1]:.1f} s")
    return f"one phone {took[1]:.2f} s, thirty {took[PHONES]:.2f} s"


def _new(run: Run, records: int) -> str:
    """Let thirty phones ask for what is new on a long log; return how large that is, and what it costs the service."""
    first, others, sizes = list[float](), list[float](), list[int]()
    with run.within(20 * LONG, f"{records} records"), run.folder(real=False) as folder:
        (folder / LOG).write_bytes(_fought(records))
        gm, *tokens = _tokens(folder)
        with running(folder, NAME, life=20 * LONG) as service, client(gm) as http:
            head = _asked(service, tokens[0])["head"]
            for number in range(run.some(3, 8)):
                wrote(run, "a long log", http, service, f"{number}")
                told = list[bytes]()
                first.append(_spent(service, partial(_page, service, tokens[0], told, since=head)))
                asks = [partial(_page, service, token, told, since=head) for token in tokens[1:]]
                others.append(_spent(service, partial(side_by_side, *asks)))
                sizes += map(len, told)
                run.counts.cases += len(told)
                if len(set(told)) != 1 or b'"since"' not in told[0]:
                    run.breach("I5", f"append {number}", f"they are told {len(set(told))} different things")
                head = _asked(service, tokens[0])["head"]
    if max(sizes) > SMALL or median(first) > QUICK:
        run.breach("I6", f"{records} records", f"an append costs {max(sizes)} bytes and {median(first):.3f} s")
    return (
        f"of {records:,} records what is new is {max(sizes):,} bytes, and costs the processor {1000 * median(first):.0f} ms, "
        f"for {PHONES - 1} more phones {1000 * median(others):.0f} ms"
    )


def _fought(records: int) -> bytes:
    names = [f"c{number}" for number in range(10)]
    joined = [CombatantJoined(combatant=name, side="foes", sheet={"hp": 9999}) for name in names]
    facts = [
        RoundStarted(round=number // 2 + 1) if number % 2 == 0 else DamageDealt(target=names[number % 10], amount=1)
        for number in range(records - len(joined) - 1)
    ]
    opening = structs.replace(OPENING, ruleset="plain")
    return log_of(drafts(opening), drafts(*joined), *(drafts(each) for each in facts))


def _tokens(folder: Path) -> list[str]:
    return [token_for(folder, NAME)[0], *(token_for(folder, NAME, "spectator")[0] for _ in range(PHONES))]


def _page(service: Running, token: str, told: list[bytes], since: str = "") -> None:
    told.append(_answer(service, token, since).content)


def _asked(service: Running, token: str) -> Any:
    return _answer(service, token).json()


def _answer(service: Running, token: str, since: str = "") -> httpx.Response:
    with client(token) as http:
        http.timeout = 10 * LONG
        return http.get(f"{service.url}/e/{NAME}/data", params={"since": since} if since else {}).raise_for_status()


def _spent(service: Running, work: Callable[[], object]) -> float:
    before = _processor(service)
    work()
    return _processor(service) - before


def _processor(service: Running) -> float:
    fields = Path(f"/proc/{service.child.pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
