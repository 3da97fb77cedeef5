"""Replay of long logs from the file: an event of many against one of 1,000 (14), two passes against one (13)."""

from pathlib import Path

from benchmarks.logs import Streamed, written
from benchmarks.measuring import Measurement, Work, in_turn, median_of_pairs
from encounterlog.log.logs import LogView
from projections.replay.replay import replay, resume

FEW, MANY, FEWER = 1_000, 1_000_000, 30_000
PASSES = 30_000
"""The number of events for the comparison of passes."""


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure the ruleset plain; a short log is replayed several times, so that both take long enough."""
    most, runs = (FEWER, 3) if short else (MANY, 3)
    few, many = (written(folder / f"growth-{events}.jsonl", "plain", events) for events in (FEW, most))
    rows = [_growth(few, many, most, runs)]
    many.unlink()
    return [*rows, *_passes(written(folder / "passes.jsonl", "plain", PASSES), runs)]


def _growth(few: Path, many: Path, most: int, runs: int) -> Measurement:
    times = 20

    def short_ones() -> None:
        for _ in range(times):
            replay(Streamed(few))

    works: dict[str, Work] = {"few": short_ones, "many": lambda: replay(Streamed(many))}
    taken = in_turn(works, runs, warm=0)
    ratio = median_of_pairs(taken["many"], taken["few"]) * times * FEW / most
    each = tuple(seconds / most * 1e6 for seconds in taken["many"])
    return Measurement(f"replay, {most:,} events against {FEW:,}", "µs an event", each, ratio, 1.1, least=False)


def _passes(path: Path, runs: int) -> list[Measurement]:
    """Compare a replay as commands do it, which looks for corrections first, with one that knows that there are none."""

    def one_pass() -> None:
        records = iter(Streamed(path))
        resume(replay([next(records)]), records)

    works: dict[str, Work] = {"one pass": one_pass, "two passes": lambda: replay(LogView(str(path)))}
    taken = in_turn(works, runs)
    ratio = median_of_pairs(taken["two passes"], taken["one pass"])
    each = {name: tuple(seconds / PASSES * 1e6 for seconds in taken[name]) for name in works}
    return [
        Measurement(f"replay of {PASSES:,} events in one pass", "µs an event", each["one pass"]),
        Measurement("replay in two, corrections first", "µs an event", each["two passes"], ratio, 1.15, least=False),
    ]
