"""Durable appends, one fact each, against the floor, write and fdatasync of the same bytes, and against peers (1, 2, 4)."""

import itertools
import os
import random
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measuring import Measurement, Work, in_turn, median_of_pairs
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
from eventstore.record import Draft, encode
from eventstore.shapes import Action, Dice, Part

AT = "2026-11-20T19:04:05.123456Z"
OPENING = EncounterOpened(format=1, encounter="q7k2", title="Ford", ruleset="osric", revision=1, options={})
NAMES = ("halvaine", "brother-aldous", "sister-wren", "tamsin-quick", "orc-1", "orc-2", "orc-chief", "mage-of-vey")
FLOOR, OWN = "write + fdatasync (floor)", "append, handle kept open"
SQLITE, EVENTSOURCING = "sqlite3, WAL, FULL, a commit each (peer)", "pyeventsourcing, SQLite, a save each (peer)"
PEERS = {SQLITE: 1.1, EVENTSOURCING: 1.6}
"""The peers, and the least factor by which they shall take longer than we."""


def script(seed: int = 7, names: Sequence[str] = NAMES) -> Iterator[Event]:
    """Yield a plausible fight of these combatants without end, the same for the same seed."""
    dice = random.Random(seed)
    for number in itertools.count(1):
        yield RoundStarted(round=number)
        for name in names:
            target, face, hurt = dice.choice(names), dice.randint(1, 20), dice.randint(1, 8)
            parts = (Part(name="longsword", dice=Dice(notation="1d8", faces=(hurt,))),)
            yield TurnStarted(combatant=name)
            yield ActionTaken(combatant=name, action=Action(kind="attack", name="longsword", targets=(target,)))
            yield AttackRolled(combatant=name, target=target, die=face, hit=face > 9, cause=-1)
            if face > 9:
                yield DamageDealt(target=target, amount=hurt, source=name, parts=parts, cause=-1)
        yield Noted(text="The rope bridge creaks; nobody wants to be the last across, least of all the mage.")


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure; `folder` is empty and on the disk to be measured."""
    events, runs = (100, 5) if short else (300, 9)
    drafts = [Draft(event) for event in itertools.islice(script(), events)]
    path = folder / "append.jsonl"

    def kept_open() -> None:
        with JsonlStore(fresh(path)) as store:
            for draft in drafts:
                store.append([draft], by="gm", at=AT)

    def verified_each_time() -> None:
        fresh(path)
        for draft in drafts:
            with JsonlStore(path) as store:
                store.append([draft], by="gm", at=AT)

    shares = {
        FLOOR: (floor(path, drafts, 1), None),
        "the calls of an append: lock, look, write + fdatasync, look": (calls(path, drafts), None),
        OWN: (kept_open, 0.8),
        f"open, append, close; all verified (to {events})": (verified_each_time, None),
    }
    peers = _peers(folder, drafts)
    works = {name: work for name, (work, _) in shares.items()} | peers
    taken = in_turn(works, runs)
    per_event = {name: tuple(seconds / events * 1e6 for seconds in each) for name, each in taken.items()}
    return [
        *(
            Measurement(name, "µs an event", per_event[name], median_of_pairs(taken[FLOOR], taken[name]), target)
            for name, (_, target) in shares.items()
        ),
        *(
            Measurement(
                name, "µs an event", per_event[name], median_of_pairs(taken[name], taken[OWN]), PEERS[name], note=_NOTE
            )
            for name in peers
        ),
        *(
            Measurement(name, "", (), note="not installed: pip install --group bench")
            for name in PEERS.keys() - peers.keys()
        ),
    ]


_NOTE = "times as long as our append, handle kept open"


def _peers(folder: Path, drafts: Sequence[Draft]) -> dict[str, Work]:
    """Return the installed peers, each with its work: the same facts, each durable before the next."""

    def sqlite() -> None:
        path = folder / "peer.sqlite"
        _remove(path)
        table = sqlite3.connect(path, isolation_level=None)
        table.execute("pragma journal_mode=wal")
        table.execute("pragma synchronous=full")
        table.execute("create table event (seq integer primary key, body text not null)")
        for seq, draft in enumerate(drafts, 1):
            table.execute("insert into event values (?, ?)", (seq, encode(draft.event).decode()))
        table.close()

    try:
        from benchmarks.eventsourced import saved
    except ImportError:
        return {SQLITE: sqlite}

    def eventsourcing() -> None:
        path = folder / "peer.eventsourcing"
        _remove(path)
        saved(path, [draft.event for draft in drafts])

    return {SQLITE: sqlite, EVENTSOURCING: eventsourcing}


def _remove(path: Path) -> None:
    """Remove a database with its side files."""
    for each in path.parent.glob(f"{path.name}*"):
        each.unlink()


def blocks_of(path: Path, drafts: Sequence[Draft], size: int) -> list[bytes]:
    """Return the bytes that appends of so many facts write, one block for each append."""
    with JsonlStore(fresh(path)) as store:
        for start in range(0, len(drafts), size):
            store.append(drafts[start : start + size], by="gm", at=AT)
    lines = path.read_bytes().splitlines(keepends=True)[1:]
    return [b"".join(lines[start : start + size]) for start in range(0, len(lines), size)]


def floor(path: Path, drafts: Sequence[Draft], size: int) -> Work:
    """Return the least work of durable appends of so many facts: a write and a sync of the same bytes."""
    blocks = blocks_of(path, drafts, size)

    def work() -> None:
        fd = os.open(fresh(path), os.O_RDWR | os.O_APPEND)
        for block in blocks:
            os.write(fd, block)
            MACHINE.sync(fd)
        os.close(fd)

    return work


def calls(path: Path, drafts: Sequence[Draft]) -> Work:
    """Return the system calls of appends of a fact each, on ready bytes, with nothing decided between them."""
    blocks, name = blocks_of(path, drafts, 1), str(path)

    def work() -> None:
        fd = os.open(fresh(path), os.O_RDWR | os.O_APPEND)
        for block in blocks:
            MACHINE.try_lock(fd, shared=False)
            MACHINE.stat(name)
            MACHINE.pread(fd, 67, 0)
            os.write(fd, block)
            MACHINE.sync(fd)
            MACHINE.stat(name)
            MACHINE.unlock(fd)
        os.close(fd)

    return work


def fresh(path: Path) -> Path:
    """Create the log again, with only its opening."""
    path.unlink(missing_ok=True)
    create(path, [Draft(OPENING)], by="gm", at=AT).close()
    return path
