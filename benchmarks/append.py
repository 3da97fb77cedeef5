"""Durable appends against the floor, write and fdatasync of the same bytes (targets 1 and 2)."""

import itertools
import os
import random
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import Row, in_turn, median_of_pairs
from eventstore.disk import MACHINE
from eventstore.events import (
    ActionTaken,
    AttackRolled,
    DamageDealt,
    EncounterOpened,
    Event,
    Noted,
    RoundStarted,
    TurnStarted,
)
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft
from eventstore.shapes import Action, Dice, Part

AT = "2026-11-20T19:04:05.123456Z"
OPENING = EncounterOpened(format=1, encounter="q7k2", title="Ford", ruleset="osric", revision=1, options={})
NAMES = ("halvaine", "brother-aldous", "sister-wren", "tamsin-quick", "orc-1", "orc-2", "orc-chief", "mage-of-vey")
FLOOR = "write + fdatasync (floor)"


def script(seed: int = 7) -> Iterator[Event]:
    """Yield a plausible fight without end, the same for the same seed."""
    dice = random.Random(seed)
    for number in itertools.count(1):
        yield RoundStarted(round=number)
        for name in NAMES:
            target, face, hurt = dice.choice(NAMES), dice.randint(1, 20), dice.randint(1, 8)
            parts = (Part(name="longsword", dice=Dice(notation="1d8", faces=(hurt,))),)
            yield TurnStarted(combatant=name)
            yield ActionTaken(combatant=name, action=Action(kind="attack", name="longsword", targets=(target,)))
            yield AttackRolled(combatant=name, target=target, die=face, hit=face > 9, cause=-1)
            if face > 9:
                yield DamageDealt(target=target, amount=hurt, source=name, parts=parts, cause=-1)
        yield Noted(text="The rope bridge creaks; nobody wants to be the last across, least of all the mage.")


def run(folder: Path, short: bool) -> list[Row]:
    """Measure; `folder` is empty and on the disk that is meant."""
    events, runs = (100, 3) if short else (300, 7)
    drafts = [Draft(event) for event in itertools.islice(script(), events)]
    path = folder / "append.jsonl"
    lines = _lines(path, drafts)

    def floor() -> None:
        fd = os.open(_fresh(path), os.O_RDWR | os.O_APPEND)
        for line in lines:
            os.write(fd, line)
            MACHINE.sync(fd)
        os.close(fd)

    def kept_open() -> None:
        with JsonlStore(_fresh(path)) as store:
            for draft in drafts:
                store.append([draft], by="gm", at=AT)

    def opened_each_time() -> None:
        _fresh(path)
        for draft in drafts:
            with JsonlStore(path, trusting=True) as store:
                store.append([draft], by="gm", at=AT)

    def verified_each_time() -> None:
        _fresh(path)
        for draft in drafts:
            with JsonlStore(path) as store:
                store.append([draft], by="gm", at=AT)

    targets = {
        FLOOR: (floor, None),
        "append, handle kept open": (kept_open, 0.85),
        "open, append, close; last records verified": (opened_each_time, 0.75),
        f"open, append, close; all verified (to {events})": (verified_each_time, None),
    }
    taken = in_turn({name: work for name, (work, _) in targets.items()}, runs)
    return [
        Row(
            name,
            "µs an event",
            tuple(seconds / events * 1e6 for seconds in taken[name]),
            ratio=median_of_pairs(taken[FLOOR], taken[name]),
            target=target,
        )
        for name, (_, target) in targets.items()
    ]


def _fresh(path: Path) -> Path:
    path.unlink(missing_ok=True)
    create(path, [Draft(OPENING)], by="gm", at=AT).close()
    return path


def _lines(path: Path, drafts: list[Draft]) -> list[bytes]:
    """Return the lines that the appends will write, for the floor to write the same."""
    with JsonlStore(_fresh(path)) as store:
        store.append(drafts, by="gm", at=AT)
    return path.read_bytes().splitlines(keepends=True)[1:]
