"""Long logs from a seed, on disk, which can be read repeatedly."""

import itertools
from collections.abc import Iterator
from pathlib import Path

from benchmarks.append import AT, NAMES
from benchmarks.replay import AT_ONCE, fight
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft, Recorded


def written(path: Path, ruleset: str, events: int) -> Path:
    """Write a log of so many events of a plausible fight, appended some at a time."""
    facts = itertools.islice(fight(ruleset, NAMES), events)
    with create(path, [Draft(next(facts))], by="gm", at=AT) as store:
        while drafts := [Draft(event) for event in itertools.islice(facts, AT_ONCE)]:
            store.append(drafts, by="gm", at=AT, mode="flushed")
    return path


class Streamed:
    """The records of a log, read and verified again each time."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __iter__(self) -> Iterator[Recorded]:
        return JsonlStore(self.path).read()
