"""Faults 36, 37, 43 to 45: a log that was changed from outside is refused, and the line is named.

Of such a log acked events are not there any more, and that is said: it counts as refused. What would count as lost is a
change that nobody is told of.
"""

import os
import stat
from collections.abc import Callable, Container, Iterator, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import NamedTuple

from eventstore.chain import GENESIS, Anchor, withheld
from eventstore.damage import verification
from eventstore.errors import CorruptLog, KeyReused, NotALog
from eventstore.events import CombatantJoined, DamageDealt, Noted
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft, EncounterClosed1, decode, written
from eventstore.store import STORE, Verified
from projections.replay.replay import replay
from projections.views.view import show
from tests.encounterlog.support import encounter
from tests.eventstore import verifier
from tests.eventstore.logs import AT, OPENING, drafts, line_of, log_of, rehashed, rounds, small_log, walk
from tests.faults.campaign import Run, fault
from tests.faults.judging import readable

PATIENCE = 5
"""How many seconds anything may take before it counts as a hang; nothing here needs one."""


def _lines() -> list[bytes]:
    """Return nine records: batches, a key, a secret, text beyond ASCII, an unknown type, an earlier version of another."""
    data = log_of(
        drafts(OPENING),
        [
            Draft(CombatantJoined(combatant="orc-1", side="orcs", sheet={"hp": 6}), key="joining"),
            Draft(Noted(text='Übt „Pfeil“\n"3/4"'), secret=True),
        ],
        drafts(DamageDealt(target="orc-1", amount=2)),
        drafts(Noted(text="to be another")),
        drafts(EncounterClosed1()),
        rounds(1, 2),
        [Draft(Noted(text="the end"), key="end")],
    )
    lines = data.splitlines(keepends=True)
    lines[4] = lines[4].replace(b'{"type":"noted","text":"to be another"}', b'{"type":"dreamt","of":"sheep"}')
    return rehashed(lines).splitlines(keepends=True)


LINES = _lines()
LOG = b"".join(LINES)
OTHER = rehashed([line.replace(b'"encounter":"q7k2"', b'"encounter":"zz99"') for line in LINES]).splitlines(True)
"""Another log, with the same seqs."""


# ---------------------------------------------------------------- what is held against what


class Found(NamedTuple):
    """Is what somebody says of a log: the line at fault, 0 where there is none, below 0 for a torn tail; and why."""

    line: int
    why: str


def found(work: Callable[[], object]) -> Found:
    try:
        done = work()
    except CorruptLog as error:
        return Found(-error.line if error.torn else error.line, error.why)
    except NotALog as error:
        return Found(1, error.why)
    if isinstance(done, Verified) and done.problem:
        return Found(-done.problem.line if done.problem.torn else done.problem.line, done.problem.why)
    return Found(0, "")


def differing(data: bytes, good: Sequence[bytes] = LINES) -> int:
    """Return the number of the first line in which a log is no longer as it was."""
    lines = data.splitlines(keepends=True)
    return next(
        (place for place, (new, old) in enumerate(zip(lines, good, strict=False), 1) if new != old), len(good) + 1
    )


def refused(
    run: Run, case: str, path: Path, data: bytes, line: int = 0, why: str = "", silent: Container[str] = ()
) -> None:
    """Hold a changed log against what must come of it: all name the line and say why, and nobody shows or writes more.

    `line` is the first one that is no longer as it was, where it is not given; `silent` are those who need not find it.
    """
    run.counts.cases += 1
    line = line or differing(data)
    path.write_bytes(data)
    asked: dict[str, Callable[[], object]] = {
        "reading": lambda: list(JsonlStore(path).read()),
        "head": JsonlStore(path).head,
        "verify": JsonlStore(path).verify,
        "append": lambda: append(path),
    }
    with run.within(PATIENCE, case):
        says = {who: found(ask) for who, ask in asked.items() if who not in silent}
        theirs = {} if "the verifier" in silent else {"the verifier": Found(*verifier.first_fault(data))}
        _hold(run, case, says | theirs, line, why)
        shown = b"\n".join(written(record) for record in readable(JsonlStore(path))[0])
        if not data.startswith(shown):
            run.breach("I2", case, "something else was read than stands there")
        if shown and "reading" not in silent and data[: len(shown) + 1].count(b"\n") >= line:
            run.counts.invented += 1
            run.breach("I2", case, f"line {line} was shown")
    if path.read_bytes() != data or names(path) != [path.name]:
        run.breach("I6", case, f"looking at it changed it: {names(path)}")


def _hold(run: Run, case: str, says: dict[str, Found], line: int, why: str) -> None:
    run.counts.refused += 1
    for who, one in says.items():
        if one.line != line:
            run.breach("I4", case, f"line {line} was changed, {who} names {one.line}: {one.why}")
        elif not one.why or (why not in one.why and who != "the verifier"):
            run.breach("I6", case, f"{who} says {one.why!r}, not {why or 'why'}")


def append(path: Path, after: int | None = None, key: str | None = None) -> int:
    with JsonlStore(path) as store:
        return store.append(drafts(Noted(text="more")), by="gm", at=AT, after=after, key=key).first


def names(path: Path) -> list[str]:
    return sorted(each.name for each in path.parent.iterdir())


def note(seq: int, text: str) -> bytes:
    """Return a line that follows no other; `rehashed` makes it fit."""
    return line_of(Draft(Noted(text=text)), seq, AT, "gm", None, "0" * 32, GENESIS)


# ---------------------------------------------------------------- 36, 37


@fault(36, "each bit of a small log flipped, one at a time")
def flipped_bits(run: Run) -> None:
    """Flip every bit: none is neutral, for every byte is hashed, or is a hash, or ends a line, the last one, too."""
    small = small_log().splitlines(keepends=True)
    bare = [*small[:3], withheld(small[3])]
    some = run.chance.sample(range(len(small_log()) * 8), run.some(100, 2000))
    with run.folder(real=False) as folder:
        for name, lines, first in (("small", small, 1), ("ending in a batch", small[:3], 3), ("withheld", bare, 4)):
            log, ends = b"".join(lines), [number for number, line in enumerate(lines, 1) for _ in line]
            for at, line in enumerate(ends):
                for bit in range(8) if line >= first else ():
                    case = f"{name}, bit {bit} of byte {at}"
                    changed = _flipped(log, at, bit)
                    _flip_is_found(run, case, changed, line)
                    if lines is small and at * 8 + bit in some:
                        refused(run, case, folder / "a.jsonl", changed, line)


def _flipped(data: bytes, at: int, bit: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


def _flip_is_found(run: Run, case: str, changed: bytes, line: int) -> None:
    run.counts.cases += 1
    says = {"verify": found(lambda: verification(walk(changed))), "the verifier": Found(*verifier.first_fault(changed))}
    _hold(run, case, says, line, "")


STRANGERS: dict[str, bytes] = {
    "an empty line": b"\n",
    "an empty object": b"{}\n",
    "text": b"foo\n",
    "a bare fact": b'{"type":"round_started","round":1}\n',
    "NUL bytes": b"\0\0\0\n",
    "a line of another log": OTHER[2],
    "an opening": OTHER[0],
}


@fault(37, "a line deleted, doubled, moved, swapped, put in, at every place")
def moved_lines(run: Run) -> None:
    """Change the order of lines in every way: the first that is no longer in its place is named.

    Lines that are missing at the end are fault 39.
    """
    with run.folder(real=False) as folder:
        for case, lines in _rearranged():
            line = 2 if lines[0] == OTHER[0] else 0  # an opening is good by itself
            refused(run, case, folder / "a.jsonl", b"".join(lines), line)


def _rearranged() -> Iterator[tuple[str, list[bytes]]]:
    count = len(LINES)
    for first in range(count):
        without = LINES[:first] + LINES[first + 1 :]
        if first < count - 1:
            yield f"without line {first + 1}", without
        for to in range(count + 1):
            yield f"line {first + 1} once more before {to + 1}", [*LINES[:to], LINES[first], *LINES[to:]]
        for to in {*range(count)} - {first}:
            yield f"line {first + 1} moved to {to + 1}", [*without[:to], LINES[first], *without[to:]]
    for one, other in combinations(range(count), 2):
        swapped = list(LINES)
        swapped[one], swapped[other] = swapped[other], swapped[one]
        yield f"lines {one + 1} and {other + 1} swapped", swapped
    for name, line in STRANGERS.items():
        for to in range(count + 1):
            yield f"{name} before line {to + 1}", [*LINES[:to], line, *LINES[to:]]


# ---------------------------------------------------------------- 43: payloads withheld


@fault(43, "payloads withheld, put back, and others put in their place")
def withheld_payloads(run: Run) -> None:
    """Withhold every selection of payloads: the chain holds, and it is said; put back they are proven, others refused."""
    last = len(LINES)
    with run.folder(real=False) as folder:
        path = folder / "a.jsonl"
        selections = [set(some) for size in (1, 2, last - 1) for some in combinations(range(2, last + 1), size)]
        for gone in selections:
            run.counts.cases += 1
            case, data = f"withheld {sorted(gone)}", _without(gone)
            path.write_bytes(data)
            says = JsonlStore(path).verify(Anchor(last, decode(LINES[-1]).hash))
            if not says.sound or says.withheld != tuple(sorted(gone)) or verifier.first_fault(data)[0]:
                run.breach("I4", case, f"{says}, {verifier.first_fault(data)}")
            if {record.seq for record in JsonlStore(path).read() if record.withheld} != gone:
                run.breach("I1", case, "readers do not see what is withheld")
            if append(path) != last + 1 or JsonlStore(path).verify().withheld != tuple(sorted(gone)):
                run.breach("I6", case, "cannot be written any more")
        refused(run, "the opening withheld", path, withheld(LINES[0]) + b"".join(LINES[1:]))
        for seq in range(2, last + 1):
            for case, line in _put_back(seq):
                refused(run, f"{case} in record {seq}", path, b"".join([*LINES[: seq - 1], line, *LINES[seq:]]))
        _retried(run, path)


def _without(gone: Container[int]) -> bytes:
    return b"".join(withheld(line) if seq in gone else line for seq, line in enumerate(LINES, 1))


def _put_back(seq: int) -> Iterator[tuple[str, bytes]]:
    """Yield a line with what is not its payload."""
    line, other = LINES[seq - 1], LINES[seq % len(LINES)]
    bare, body = withheld(line), _body(line)
    cut = bare.index(b',"hash":"')
    event, salt = body[: body.index(b',"salt":')], body[body.index(b',"salt":') :]
    strange = {
        "the payload of another record": _body(other),
        "another salt": event + b',"salt":"%b"' % (b"f" * 32),
        "another event": b',"event":{"type":"noted","text":"nothing"}' + salt,
        "the event without its salt": event,
        "the salt without its event": salt,
        "the payload twice": body + body,
        "nothing of an event": b',"event":{}' + salt,
    }
    for case, payload in strange.items():
        yield case, bare[:cut] + payload + bare[cut:]


def _body(line: bytes) -> bytes:
    return line[line.index(b',"event":') : line.rindex(b',"hash":"')]


def _retried(run: Run, path: Path) -> None:
    """Repeat an append whose event is withheld: nobody can tell whether it is the same."""
    run.counts.cases += 1
    path.write_bytes(_without({len(LINES)}))
    try:
        append(path, key="end")
    except KeyReused as error:
        run.counts.refused += 1
        if "withheld" not in error.why:
            run.breach("I6", "an append repeated whose event is withheld", f"is refused for {error.why!r}")
    else:
        run.breach("I6", "an append repeated whose event is withheld", "was taken for the same, or for another")


# ---------------------------------------------------------------- 44: files beside the log

BESIDE = (
    "{log}.torn-10-1", "{log}.torn-10-2", "{log}.damaged-10-1", "{log}.torn-2-1", "{log}.torn-x", "{log}.sig", "{log}~",
    "{log}.lock", "{log}.idx", "{log}.snapshot", ".encounterlog-0123456789ab.new", "~$a.jsonl", "a (conflict).jsonl",
)  # fmt: skip
"""Files that the store makes, may make some day, or that others make, beside a log."""


def _empty(path: Path) -> None:
    path.touch()


def _garbage(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 8)


def _of_another_log(path: Path) -> None:
    path.write_bytes(b"".join(OTHER))


def _folder(path: Path) -> None:
    path.mkdir()


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _link_to_nothing(path: Path) -> None:
    path.symlink_to("nowhere")


def _link_to_the_log(path: Path) -> None:
    path.symlink_to("a.jsonl")


KINDS: tuple[Callable[[Path], None], ...] = (
    _empty, _garbage, _of_another_log, _folder, _pipe, _link_to_nothing, _link_to_the_log,
)  # fmt: skip


@fault(44, "corrupt and foreign files beside the log")
def files_beside(run: Run) -> None:
    """Put files of every kind beside a log: nothing is read from them, nothing in them changes, the log goes on.

    There is neither index nor snapshot nor checkpoint: every view is worked out from the log alone.
    """
    for name, kind, tail in product(BESIDE, KINDS, (b"", LINES[1][:100])):
        run.counts.cases += 1
        case = f"{name}, {kind.__name__}, {'torn' if tail else 'whole'}"
        with run.folder(real=False) as folder, run.within(PATIENCE, case):
            path = folder / "a.jsonl"
            path.write_bytes(LOG + tail)
            beside = folder / name.format(log=path.name)
            kind(beside)
            before = _state(beside)
            _goes_on(run, case, path)
            if _state(beside) != before:
                run.breach("I1", case, "the file beside it was changed")


def _state(path: Path) -> tuple[int, bytes]:
    mode = path.lstat().st_mode
    return mode, path.read_bytes() if stat.S_ISREG(mode) else b""


def _goes_on(run: Run, case: str, path: Path) -> None:
    before, problem = readable(JsonlStore(path))
    torn = isinstance(problem, CorruptLog) and problem.torn
    if [written(record) + b"\n" for record in before] != LINES or not (problem is None or torn):
        run.breach("I1", case, f"it cannot be read: {problem}")
    append(path)
    after, problem = readable(JsonlStore(path))
    told = [record for record in after[len(before) :] if record.by != STORE]
    if problem or after[: len(before)] != before or [record.event for record in told] != [Noted(text="more")]:
        run.breach("I6", case, f"after an append: {problem}, {told}")
    if show(replay([*before, *told]).state) != show(replay(after).state) and len(after) == len(before) + 1:
        run.breach("I7", case, "it folds to another state")
    if not JsonlStore(path).verify().sound or verifier.first_fault(path.read_bytes())[0]:
        run.breach("I4", case, f"does not verify: {verifier.first_fault(path.read_bytes())}")
    listed = encounter("list", path.parent)
    if path.name not in listed.output or "of encounterlog itself" in listed.output:
        run.breach("I6", case, f"encounter list says {listed.output!r}")


# ---------------------------------------------------------------- 45: every line


@fault(45, "every line verified, the last but one, too")
def every_line(run: Run) -> None:
    """Change each line of a longer log: found by reading, verify and the first append of a handle.

    There are no segments, so what has to be covered is the lines.
    """
    batches = [rounds(number, number % 4 + 1) for number in range(1, run.some(25, 120))]
    good = log_of(drafts(OPENING), *batches).splitlines(keepends=True)
    with run.folder(real=False) as folder:
        path = folder / "a.jsonl"
        for seq, line in enumerate(good, 1):
            for old, new in ((b'"salt":"0', b'"salt":"1'), (b'"by":"gm"', b'"by":"me"')):
                data = b"".join([*good[: seq - 1], line.replace(old, new), *good[seq:]])
                refused(run, f"{new.decode()} in line {seq} of {len(good)}", path, data, seq)
