"""The cost of an answer: why, blame and whatif against show, in one process, at 1,000 events, for every ruleset."""

from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import Measurement, Work, median_of_pairs
from benchmarks.replay import SCRIPTS
from benchmarks.rules import in_memory, timed
from eventstore.events import DamageDealt, Struck
from eventstore.record import Recorded
from projections.explaining.blame import find_touches
from projections.explaining.forks import Account, Differences, Fork, find_differences, fork_records
from projections.explaining.past import Past
from projections.explaining.why import Answer, explain_value, weigh_answers
from projections.judging.audit import audit
from projections.rulesets import keys
from projections.views.view import show

EVENTS, MOST = 1_000, 3


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure every ruleset that has a script in benchmarks/replay.py."""
    del folder  # nothing is written
    return [row for key in keys() if key in SCRIPTS for row in _rows(key, 1 if short else 3)]


def _rows(key: str, runs: int) -> Iterator[Measurement]:
    records = in_memory(key, EVENTS)
    hurt = next(each for each in reversed(records) if isinstance(each.event, DamageDealt))
    address = f"{hurt.event.target}.hp"  # type: ignore[union-attr]
    fork = Fork((Struck(event=hurt.seq),))
    works: dict[str, Work] = {
        "show": lambda: show(audit(records).replay.state),
        "why": lambda: _why(records, address),
        "blame": lambda: find_touches(records, address),
        "whatif": lambda: _whatif(records, fork),
    }
    taken = timed(works, runs)
    for what in ("why", "blame", "whatif"):
        ratio = median_of_pairs(taken[what], taken["show"])
        milliseconds = tuple(each * 1_000 for each in taken[what])
        yield Measurement(f"{key}: {what} {address} against show", "ms", milliseconds, ratio, MOST, least=False)


def _why(records: list[Recorded], address: str) -> list[Answer]:
    past = Past(records)
    answer = explain_value(past, address)
    return weigh_answers(past, [answer] if answer else [])


def _whatif(records: list[Recorded], fork: Fork) -> Differences:
    start = fork.first_change(records)
    return find_differences(Account(records, start=start), Account(fork_records(records, fork), start=start), start)
