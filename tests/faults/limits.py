"""Faults 58, 60, 62 and 63: clocks that jump, what is at a limit and beyond it, types of later versions."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from freezegun import freeze_time

from encounterlog.cli.main import COMMANDS
from eventstore.chain import withheld
from eventstore.errors import Malformed, TooLarge
from eventstore.events import CombatantJoined, DamageDealt, Noted
from eventstore.form import DEEPEST, LONGEST_LINE
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft, RecordedUnknown, written
from eventstore.store import LARGEST_APPEND, MOST_EVENTS
from projections.replay.replay import replay
from projections.views.view import show
from tests.encounterlog.support import encounter
from tests.eventstore import verifier
from tests.eventstore.logs import AT, OPENING, drafts, log_of, read, rehashed, rounds
from tests.faults.campaign import DoesNotApply, Run, fault
from tests.faults.judging import Story, judge

# ---------------------------------------------------------------- 58: clocks

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


# ---------------------------------------------------------------- 60: limits


class Limit(NamedTuple):
    name: str
    most: int
    append: Callable[[JsonlStore, int], Any]


def _facts(store: JsonlStore, count: int) -> Any:
    return store.append(rounds(0, 1) * count, by="gm", at=AT)


def of_length(count: int) -> Draft:
    """Return a fact whose line has that many bytes, with seq 2."""
    line = log_of(drafts(OPENING), drafts(CombatantJoined(combatant="a", sheet={"x": ""}))).splitlines(keepends=True)[1]
    return Draft(CombatantJoined(combatant="a", sheet={"x": "x" * (count - len(line))}))


def _long_line(store: JsonlStore, count: int) -> Any:
    return store.append([of_length(count)], by="gm", at=AT)


def _many_bytes(store: JsonlStore, count: int) -> Any:
    """Append long lines in a batch, so many bytes in all; their envelopes say that they are of a batch."""
    number = count // (LONGEST_LINE - 100)
    envelope = sum(len(f',"batch":[{place},{number + 1}]') for place in range(1, number + 2))
    digits = sum(len(str(seq)) - 1 for seq in range(2, number + 3))
    rest = count - number * (LONGEST_LINE - 100) - envelope - digits
    return store.append([*[of_length(LONGEST_LINE - 100)] * number, of_length(rest)], by="gm", at=AT)


def _deep(store: JsonlStore, depth: int) -> Any:
    value: Any = 1
    for _ in range(depth - 2):
        value = [value]
    return store.append(drafts(CombatantJoined(combatant="a", sheet={"x": value})), by="gm", at=AT)


def _by(store: JsonlStore, count: int) -> Any:
    return store.append(rounds(1, 1), by="🐉" * count, at=AT)


def _key(store: JsonlStore, count: int) -> Any:
    return store.append(rounds(1, 1), by="gm", at=AT, key='"' * count)


def _id(store: JsonlStore, count: int) -> Any:
    return store.append(drafts(DamageDealt(target="x" * count, amount=1)), by="gm", at=AT)


def _name(store: JsonlStore, count: int) -> Any:
    return store.append(drafts(CombatantJoined(combatant="a", name="ü" * count, sheet={})), by="gm", at=AT)


def _text(store: JsonlStore, count: int) -> Any:
    return store.append(drafts(Noted(text="\x00" * count)), by="gm", at=AT)


def _number(store: JsonlStore, count: int) -> Any:
    return store.append(drafts(DamageDealt(target="orc-1", amount=count)), by="gm", at=AT)


LIMITS = (
    Limit("facts in one append", MOST_EVENTS, _facts),
    Limit("bytes in one line", LONGEST_LINE, _long_line),
    Limit("bytes in one append", LARGEST_APPEND, _many_bytes),
    Limit("levels", DEEPEST, _deep),
    Limit("characters of who writes", 120, _by),
    Limit("characters of a key", 120, _key),
    Limit("characters of an id", 64, _id),
    Limit("characters of a name", 120, _name),
    Limit("characters of a text", 2000, _text),
    Limit("a number", 2**53 - 1, _number),
)
BEYOND = (
    Limit("facts in one append", 100_000, _facts),
    Limit("bytes in one line", 10 << 20, _long_line),
    Limit("levels", 100_000, _deep),
)


@fault(60, "at every limit and one beyond; 100,000 facts in one append; a payload of 10 MiB")
def beyond_limits(run: Run) -> None:
    """Append what is just within each limit, and one more, and far more: taken whole, or refused before a byte is written."""
    for name, most, append in LIMITS:
        if run.short and most == LARGEST_APPEND:  # takes a minute
            run.counts.untried = f"{name}, {most:,}, only in the full campaign"
            continue
        _at_a_limit(run, name, append, most, fits=True)
        _at_a_limit(run, name, append, most + 1, fits=False)
    for name, much, append in BEYOND:
        _at_a_limit(run, name, append, much, fits=False)


def long_lines(run: Run) -> None:
    """Append the longest line that there may be, and one that is longer by a byte."""
    for much in (LONGEST_LINE, LONGEST_LINE + 1):
        _at_a_limit(run, "bytes in one line", _long_line, much, fits=much == LONGEST_LINE)


def _at_a_limit(run: Run, name: str, append: Callable[[JsonlStore, int], Any], much: int, *, fits: bool) -> None:
    run.counts.cases += 1
    case = f"{name}: {much:,}"[:80]
    with run.folder() as folder, run.within(run.some(20, 120), case):
        path = folder / "a.jsonl"
        with create(path, drafts(OPENING), by="gm", at=AT) as store:
            before = path.read_bytes()
            try:
                done = append(store, much)
            except (TooLarge, Malformed) as error:
                done = None
                run.counts.refused += 1
                _names_the_limit(run, case, str(error))
                if path.read_bytes() != before:
                    run.breach("I3", case, "something was written")
            if (done is not None) != fits:
                run.breach("I6", case, "was taken" if done else "was not taken")
            records = list(JsonlStore(path).read())
            if records[1:] != list(done.records if done else ()) or not JsonlStore(path).verify().sound:
                run.breach("I1", case, f"{len(records)} records can be read of it")
        if fits and verifier.first_fault(path.read_bytes())[0]:
            run.breach("I4", case, f"the verifier says {verifier.first_fault(path.read_bytes())}")


def _names_the_limit(run: Run, case: str, says: str) -> None:
    words = ("limit", "at most", "allowed", "deeper", "depth", "beyond")
    if len(says) > 300 or not any(word in says for word in words):
        run.breach("I6", case, f"does not name the limit: {says[:300]}")


# ---------------------------------------------------------------- 62, 63: types of later versions

LATER = (
    b'{"type":"damage_dealt.2","target":"orc-1","worse":[{"\xc3\xbc":-1}]}',
    b'{"type":"dreamt","of":"sheep","again":true,"text":"\\u001b[31m\xe2\x80\xae"}',
    b'{"type":"amended","event":2,"replacement":{"type":"dreamt.17","of":[[[]],{}]}}',
    b'{"type":"inserted","after":2,"fact":{"type":"damage_dealt.9007"}}',
    b'{"type":"encounter_closed"}',
    b'{"type":"empty"}',
)
"""Events as later versions may write them, and one as an earlier one wrote it."""


def _later_log() -> bytes:
    """Return a log with these events in it: alone, in a batch, secret, with keys, one of them withheld."""
    batch = [Draft(Noted(text=f"event {number}"), secret=number == 1, key=f"k{number}") for number in range(len(LATER))]
    data = log_of(drafts(OPENING), drafts(CombatantJoined(combatant="orc-1", sheet={})), batch, batch[:1], rounds(1, 1))
    for number, event in enumerate(LATER):
        data = data.replace(b'{"type":"noted","text":"event %d"}' % number, event)
    lines = rehashed(data.splitlines(keepends=True)).splitlines(keepends=True)
    return b"".join([*lines[:3], withheld(lines[3]), *lines[4:]])


@fault(62, "events of unknown types survive reading, copying, export and import")
def unknown_types(run: Run) -> None:
    """Read, copy and append to a log with events of later versions: byte for byte they stay what they are."""
    data = _later_log()
    lines = data.splitlines()
    with run.folder() as folder:
        path, copy = folder / "a.jsonl", folder / "b.jsonl"
        path.write_bytes(data)
        records = list(JsonlStore(path).read())
        for record, line in zip(records, lines, strict=True):
            run.counts.cases += 1
            if written(record) != line:
                run.breach("I1", f"record {record.seq}", f"is written {written(record)!r} again")
        unknown = tuple(record.seq for record in records if isinstance(record, RecordedUnknown))
        found = JsonlStore(path).verify()
        if not found.sound or found.unknown != unknown or len(unknown) != 5 or found.withheld != (4,):
            run.breach("I4", "verify", f"{found}")
        copy.write_bytes(b"".join(written(record) + b"\n" for record in records))
        for each in (path, copy):
            judge(run, f"after reading, {each.name}", Story(records), JsonlStore(each), each.read_bytes())
            if not each.read_bytes().startswith(data):
                run.breach("I1", each.name, "what was there was changed")
        for command in ("show", "log", "audit", "replay", "verify", "list", "head"):
            _is_shown(run, command, folder if command == "list" else path)
        _exported(run, path, folder)


def _is_shown(run: Run, command: str, path: Path) -> None:
    for words in ((), ("--json",)):
        run.counts.cases += 1
        done = encounter(command, path, *words)
        if done.exit_code not in (0, 1) or "of encounterlog itself" in done.output or "\x1b" in done.stdout:
            run.breach("I6", f"encounter {command} {' '.join(words)}", f"{done.exit_code}: {done.output[:300]!r}")


def _exported(run: Run, path: Path, folder: Path) -> None:
    if not {"export", "import"} <= COMMANDS.keys():
        run.counts.untried = "export and import: there are no such commands yet"
        return
    out, back = folder / "out.jsonl", folder / "back.jsonl"
    for words in (("export", "jsonl", path, "--to", out), ("import", "jsonl", out, back)):
        run.counts.cases += 1
        done = encounter(*words)
        if done.exit_code:
            run.breach("I6", f"encounter {words[0]}", done.output)
            return
    if back.read_bytes() != path.read_bytes():
        run.breach("I1", "export and import", "the log is another one")


@fault(63, "a snapshot made by an earlier version of a fold")
def old_snapshots(_run: Run) -> None:
    """Say why there is nothing to reject."""
    raise DoesNotApply("there are no snapshots: every view is folded from the log each time")
