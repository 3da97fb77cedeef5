"""Faults 58, 59 and 63: clocks that jump, and what this store does not have: ids of events, snapshots."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from freezegun import freeze_time

from eventstore.events import Noted
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft
from projections.replay.replay import replay
from projections.views.view import show
from tests.encounterlog.support import encounter
from tests.eventstore.logs import AT, OPENING, drafts, log_of, read, rounds
from tests.faults.campaign import DoesNotApply, Run, fault
from tests.faults.judging import Story, judge

HOURS = (
    ("an ordinary evening", "2026-11-20T19:00:00"),
    ("an hour back", "2026-11-20T18:00:00"),
    ("the very same moment", "2026-11-20T18:00:00"),
    ("a year on", "2027-11-20T18:00:00"),
    ("before the leap second of 2016", "2016-12-31T23:59:59.999999"),
    ("after it", "2017-01-01T00:00:00"),
    ("before summer time", "2026-03-29T00:59:59.999999"),
    ("after it", "2026-03-29T01:00:00"),
    ("the hour that comes twice in autumn", "2026-10-25T00:30:00"),
    ("once more", "2026-10-25T01:30:00"),
    ("a clock that was never set", "1970-01-01T00:00:00"),
    ("February 29", "2028-02-29T12:00:00"),
    ("the end of 32 bits", "2038-01-19T03:14:08"),
    ("the end of a file system's times", "2446-05-10T22:38:56"),
    ("the last year there is", "9999-12-31T23:59:59.999999"),
)
ZONES = ("UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Kiritimati", "right/UTC", "XYZ-25:61", "nonsense", "")


@fault(58, "clock and zone jump between appends")
def jumping_clocks(run: Run) -> None:
    """Append while the clock jumps and the zone changes: `at` says what the clock said, and orders nothing."""
    with run.folder() as folder:
        path = folder / "a.jsonl"
        with freeze_time("2026-11-20T19:00:00") as clock:
            encounter("new", path, "--ruleset", "plain")
            for number, (name, hour) in enumerate(HOURS):
                clock.move_to(hour)
                with zone(ZONES[number % len(ZONES)]):
                    _at_that_hour(run, f"{name}, {hour}", path, hour)
        _is_in_order(run, path)


@contextmanager
def zone(name: str) -> Iterator[None]:
    before = os.environ.get("TZ")
    os.environ["TZ"] = name
    time.tzset()
    try:
        yield
    finally:
        os.environ.pop("TZ") if before is None else os.environ.update(TZ=before)
        time.tzset()


def _at_that_hour(run: Run, case: str, path: Path, hour: str) -> None:
    run.counts.cases += 1
    done = encounter("append", path, stdin=f'{{"type":"noted","text":"{hour}"}}')
    *_, record = JsonlStore(path).read()
    stamp = hour.ljust(19) + ("" if "." in hour else ".000000") + "Z"
    if done.exit_code or record.event != Noted(text=hour) or record.at != stamp:
        run.breach("I1", case, f"{done.output} {record.at} {record.event}")


def _is_in_order(run: Run, path: Path) -> None:
    """Hold the log against one that was written by a steady clock."""
    records = list(JsonlStore(path).read())
    story = Story(records)
    if [record.event for record in records[1:]] != [Noted(text=hour) for _, hour in HOURS]:
        run.breach("I4", "the clock jumped", "the records are in another order")
    steady = read(log_of(*([Draft(record.event)] for record in records if record.event is not None)))
    if show(replay(records).state) != show(replay(steady).state):
        run.breach("I7", "the clock jumped", "it folds to another state than with a steady clock")
    judge(run, "the clock jumped", story, JsonlStore(path), path.read_bytes())
    for command in ("show", "log", "audit", "replay", "verify"):
        run.counts.cases += 1
        done = encounter(command, path)
        if done.exit_code:
            run.breach("I6", f"encounter {command}", done.output)


@fault(59, "one event id in another stream")
def same_key_elsewhere(run: Run) -> None:
    """Use a key in two logs: they know nothing of each other."""
    with run.folder() as folder:
        for name in ("one", "other"):
            run.counts.cases += 1
            with create(folder / name, drafts(OPENING), by="gm", at=AT) as store:
                first, again = (store.append(rounds(1, 2), by="gm", at=AT, key="k") for _ in range(2))
                if (first.again, again.again, again.records) != (False, True, first.records) or store.head().seq != 3:
                    run.breach("I2", f"the key in log {name}", f"{first}, {again}")
    raise DoesNotApply(
        "events have no ids; a record is named by its encounter and seq. One idempotency key in two logs, the nearest "
        "thing, is two keys"
    )


@fault(63, "a snapshot made by an earlier version of a fold")
def old_snapshots(_run: Run) -> None:
    """Say why there is nothing to reject."""
    raise DoesNotApply("there are no snapshots: every view is folded from the log each time")
