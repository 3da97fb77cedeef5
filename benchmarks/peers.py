"""Replay of one fold against pyeventsourcing, which reads the same facts from its SQLite recorder and verifies nothing (11)."""

from pathlib import Path

from benchmarks.logs import Streamed, written
from benchmarks.measuring import Measurement, Work, in_turn, median_of_pairs
from benchmarks.replay import hit_points
from eventstore.record import newest

EVENTS = 10_000
PEER, VERIFIED, BARE = "pyeventsourcing get, SQLite (peer)", "one fold, verified", "one fold, not verified"
TARGETS = {VERIFIED: 6, BARE: 14}


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure 10,000 events; without the peer, say so."""
    runs = 3 if short else 7
    path = written(folder / "peers.jsonl", "plain", EVENTS)
    works: dict[str, Work] = {
        VERIFIED: lambda: hit_points(iter(Streamed(path))),
        BARE: lambda: hit_points(map(newest.decode, path.open("rb", buffering=1 << 18))),
    }
    missing = "pyeventsourcing is not installed"
    try:
        from benchmarks.eventsourced import reading
    except ImportError:
        pass
    else:
        works[PEER] = reading(folder / "peers.sqlite", [record.event for record in Streamed(path) if record.event])
    taken = in_turn(works, runs)
    return [
        Measurement(
            name,
            "µs an event",
            tuple(seconds / EVENTS * 1e6 for seconds in taken[name]),
            ratio=median_of_pairs(taken[PEER], taken[name]) if PEER in taken and name != PEER else None,
            target=TARGETS.get(name),
            note="" if PEER in taken else missing,
        )
        for name in works
    ]
