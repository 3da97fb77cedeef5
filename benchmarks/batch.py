"""Many facts at once: durable appends of 16 and of 100 against the floor of the same bytes (3), making records alone (6)."""

import itertools
import os
from hashlib import sha256
from pathlib import Path

from benchmarks.append import AT, OPENING, floor, fresh, script
from benchmarks.measuring import Measurement, Work, in_turn, median_of_pairs
from eventstore.chain import START
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft, encode
from eventstore.writing import make_lines

TARGETS = {16: 0.7, 100: 0.5}
"""The sizes of appends, and the share of the floor that each shall reach."""
MAKING = 100
MAKING_TARGET = 0.33


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure; `folder` is on the disk to be measured."""
    events, runs = (1600, 5) if short else (4800, 11)
    drafts = [Draft(event) for event in itertools.islice(script(), events)]
    path = folder / "batch.jsonl"
    works: dict[str, tuple[Work, str, float | None]] = {}
    for size, target in TARGETS.items():
        least = f"{size} events: write + fdatasync (floor)"
        works[least] = floor(path, drafts, size), least, None
        works[f"{size} events an append"] = _appending(path, drafts, size), least, target
    least = "msgspec encode + two SHA-256 (floor)"
    works[least] = _hashing(drafts), least, None
    works[f"making records alone, {MAKING} at once"] = _making(drafts), least, MAKING_TARGET
    taken = in_turn({name: work for name, (work, _, _) in works.items()}, runs)
    return [
        Measurement(
            name,
            "µs an event",
            tuple(seconds / events * 1e6 for seconds in taken[name]),
            ratio=median_of_pairs(taken[least], taken[name]),
            target=target,
        )
        for name, (_, least, target) in works.items()
    ]


def _appending(path: Path, drafts: list[Draft], size: int) -> Work:
    def work() -> None:
        with JsonlStore(fresh(path)) as store:
            for start in range(0, len(drafts), size):
                store.append(drafts[start : start + size], by="gm", at=AT)

    return work


def _hashing(drafts: list[Draft]) -> Work:
    """Return the least work of a record: its event encoded and hashed, and as many bytes hashed as stand before it."""
    envelope = b"0" * 64 + b"x" * 150

    def work() -> None:
        for draft in drafts:
            sha256(encode(draft.event)).digest()
            sha256(envelope).digest()

    return work


def _making(drafts: list[Draft]) -> Work:
    opening = make_lines([Draft(OPENING)], START, by="gm", at=AT, entropy=os.urandom).end

    def work() -> None:
        place = opening
        for start in range(0, len(drafts), MAKING):
            place = make_lines(drafts[start : start + MAKING], place, by="gm", at=AT, entropy=os.urandom).end

    return work
