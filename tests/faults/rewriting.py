"""Faults 38 to 41: what a chain alone cannot show, and an anchor can: a log rewritten, cut off, replaced, spliced."""

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from eventstore.chain import Anchor
from eventstore.damage import verification
from eventstore.errors import WrongVersion
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft, decode, written
from eventstore.store import STORE, Verified
from tests.encounterlog.support import encounter
from tests.eventstore import verifier
from tests.eventstore.logs import AT, rehashed, rounds, walk
from tests.faults.campaign import Run, fault
from tests.faults.judging import readable
from tests.faults.tampering import LINES, LOG, OTHER, found, note, refused

ANCHORS = [Anchor(seq, decode(line).hash) for seq, line in enumerate(LINES, 1)]


def sound(run: Run, case: str, data: bytes) -> Verified:
    """Return what verify says of a log in which nothing can be found by itself."""
    says = verification(walk(data))
    if not says.sound or says.anchor != "unanchored" or verifier.first_fault(data)[0]:
        run.breach("I4", case, f"does not verify: {says.problem}, {verifier.first_fault(data)}")
    return says


def anchored(run: Run, case: str, data: bytes, expected: dict[Anchor, str]) -> None:
    """Hold what verify says of a log and of each anchor against what is expected; count each time that it tells."""
    for anchor, word in expected.items():
        says = verification(walk(data), anchor)
        if says.anchor != word or says.sound != (word == "matches"):
            run.breach("I1", case, f"against the anchor at {anchor.seq} it is {says.anchor!r}, not {word!r}")
            run.counts.lost += word != "matches"
        run.counts.refused += says.anchor not in ("matches", "unanchored")


class Edit(NamedTuple):
    """Is what a forger does to a line before he makes the chain anew: what stands there, and instead of it."""

    name: str
    old: bytes
    new: bytes


EDITS = (
    Edit("the event", b'"text":"', b'"text":"not '),
    Edit("a number", b'"amount":2', b'"amount":9'),
    Edit("the round", b'"round":', b'"round":4'),
    Edit("the type", b'"type":"dreamt"', b'"type":"slept"'),
    Edit("who wrote it", b'"by":"gm"', b'"by":"ana"'),
    Edit("when", b'"at":"2026', b'"at":"2019'),
    Edit("the key", b'"key":"', b'"key":"other-'),
    Edit("a secret told", b',"secret":true', b""),
    Edit("the salt", b'"salt":"0', b'"salt":"f'),
    Edit("the encounter", b'"encounter":"q7k2"', b'"encounter":"q7k3"'),
)


@fault(38, "the chain made again after an edit")
def forged_chains(run: Run) -> None:
    """Edit each line and make digests and chain anew: alone the log is sound, and said to be unanchored; anchors tell.

    A signature is an anchor that is signed: what it is held against is the same.
    """
    for edit, seq, forged in _forgeries():
        run.counts.cases += 1
        case = f"{edit} at line {seq}"
        says = sound(run, case, forged)
        words = {anchor: "matches" if anchor.seq < seq else "rewritten" for anchor in ANCHORS[: says.records]}
        anchored(run, case, forged, words | dict.fromkeys(ANCHORS[says.records :], "cut off"))
    with run.folder(real=False) as folder:
        (folder / "a.jsonl").write_bytes(rehashed([line.replace(b'"amount":2', b'"amount":9') for line in LINES]))
        for command, code in ((("verify",), 0), (("verify", "--anchor", ANCHORS[-1]), 1)):
            run.counts.cases += 1
            done = encounter(*command, folder / "a.jsonl")
            if done.exit_code != code:
                run.breach("I1", f"encounter {command}", f"exit code {done.exit_code}: {done.output}")


def _forgeries() -> Iterator[tuple[str, int, bytes]]:
    for seq, line in enumerate(LINES, 1):
        before, after = LINES[: seq - 1], LINES[seq:]
        for edit in EDITS:
            if edit.old in line:
                yield edit.name, seq, rehashed([*before, line.replace(edit.old, edit.new, 1), *after])
        if b'"batch"' not in line:
            if seq > 1:
                yield "a line taken out", seq, rehashed([*before, *_renumbered(after, seq)])
            added = [note(seq + 1, "slipped in"), *_renumbered(after, seq + 2)]
            yield "a line put in after it", seq + 1, rehashed([*before, line, *added])


def _renumbered(lines: Sequence[bytes], first: int) -> list[bytes]:
    return [b'{"seq":%d%b' % (seq, line[line.index(b",") :]) for seq, line in enumerate(lines, first)]


@fault(39, "the tail cut off by k acked records")
def cut_tails(run: Run) -> None:
    """Cut off each number of records, and each number of bytes: a chain cannot tell, says so, and an anchor tells."""
    for kept in range(1, len(LINES)):
        case, data = f"{len(LINES) - kept} records cut off", b"".join(LINES[:kept])
        run.counts.cases += 1
        torn = b'"batch":[1,' in LINES[kept - 1]
        whole = kept - torn
        says = verification(walk(data)) if torn else sound(run, case, data)
        if says.records != whole or (says.problem is not None) != torn or (torn and not says.problem.torn):  # type: ignore[union-attr]
            run.breach("I4", case, f"{says.records} records, {says.problem}")
        expected = dict.fromkeys(ANCHORS[:whole], "matches") | dict.fromkeys(ANCHORS[whole:], "cut off")
        # with a torn tail a log is not sound, whatever the anchor says
        anchored(run, case, data, {each: word for each, word in expected.items() if not torn or word != "matches"})
        _cut_is_noticed_by_writers(run, case, data, whole)
    ends = {len(b"".join(LINES[:count])) for count in range(len(LINES) + 1)}
    for size in {*range(len(LINES[0]), len(LOG), run.some(7, 1))} - ends - {end - 1 for end in ends}:
        run.counts.cases += 1
        anchored(run, f"cut at byte {size}", LOG[:size], {ANCHORS[-1]: "cut off"})


def _cut_is_noticed_by_writers(run: Run, case: str, data: bytes, whole: int) -> None:
    """Let a writer who has read more append on condition of it."""
    with run.folder(real=False) as folder, JsonlStore(folder / "a.jsonl") as store:
        (folder / "a.jsonl").write_bytes(LOG)
        list(store.read())
        (folder / "a.jsonl").write_bytes(data)
        stale_writer(run, case, store, whole)


def stale_writer(run: Run, case: str, store: JsonlStore, stands: int) -> None:
    """Hold a handle that knew all of a log against what is left of it: it must not go on with what is no longer there."""
    before = store.path.read_bytes()
    try:
        store.append(rounds(7, 1), by="gm", at=AT, after=len(LINES))
    except WrongVersion as error:
        run.counts.refused += 1
        if (error.expected, error.found) != (len(LINES), stands) or store.path.read_bytes() != before:
            run.breach("I6", case, f"was told {error}")
    else:
        run.breach("I1", case, "went on after records that are not there")
    done = store.append([Draft(Noted(text="the end"), key="end")], by="gm", at=AT)
    own = [record for record in done.records if record.by != STORE]
    told, problem = readable(JsonlStore(store.path))
    if problem or [written(each) for each in told[-1:]] != [written(each) for each in own]:
        run.counts.lost += 1
        run.breach("I1", case, f"what was appended after it cannot be read: {problem}")
    if not store.verify().sound or store.verify(ANCHORS[-1]).sound:
        run.breach("I4", case, f"after an append: {store.verify(ANCHORS[-1])}")


Way = Callable[[Path, bytes], None]


def _by_rename(path: Path, data: bytes) -> None:
    path.with_name("older").write_bytes(data)
    path.with_name("older").replace(path)


def _with_its_times(path: Path, data: bytes) -> None:
    before = path.stat()
    path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


WAYS: tuple[Way, ...] = (_by_rename, _with_its_times)


def _reader(path: Path) -> JsonlStore:
    path.write_bytes(LOG)
    store = JsonlStore(path)
    list(store.read())
    return store


def _writer(path: Path) -> JsonlStore:
    """Append the last record as it stands in the log, salt and all."""
    path.write_bytes(b"".join(LINES[:-1]))
    salts = [bytes.fromhex(decode(LINES[-1]).salt or "")]
    store = JsonlStore(path, entropy=lambda size: salts.pop() if salts else os.urandom(size))
    store.append([Draft(Noted(text="the end"), key="end")], by="gm", at=AT)
    assert path.read_bytes() == LOG
    return store


HANDLES = (_reader, _writer)


@fault(40, "the whole log replaced by an older copy, or by a forged one")
def rollbacks(run: Run) -> None:
    """Put an older copy in the place of a log: a handle that knew more notices, and an anchor tells everybody."""
    ends = [count for count in range(1, len(LINES)) if b'"batch":[1,' not in LINES[count - 1]]
    forged = rehashed([line.replace(b'"the end"', b'"not yet"') for line in LINES])
    for way, knows in product(WAYS, HANDLES):
        who = f"{way.__name__}, {knows.__name__}"
        for kept in ends:
            with run.folder(real=False) as folder, knows(folder / "a.jsonl") as store:
                way(store.path, b"".join(LINES[:kept]))
                _rolled_back(run, f"{who}, back to {kept}", store, kept)
        with run.folder(real=False) as folder, knows(folder / "a.jsonl") as store:
            way(store.path, forged)
            _replaced(run, f"{who}, forged", store)


def _rolled_back(run: Run, case: str, store: JsonlStore, kept: int) -> None:
    run.counts.cases += 1
    if JsonlStore(store.path).verify(ANCHORS[-1]).anchor != "cut off":
        run.breach("I1", case, "the anchor does not tell")
    stale_writer(run, case, store, kept)


def _replaced(run: Run, case: str, store: JsonlStore) -> None:
    """Let a handle go on with a log of the same length, in which only the last line is another one."""
    run.counts.cases += 1
    store.append(rounds(7, 1), by="gm", at=AT, after=len(LINES))
    if found(JsonlStore(store.path).verify).line or store.verify(ANCHORS[-1]).anchor != "rewritten":
        run.counts.lost += 1
        run.breach("I1", case, f"went on with a chain that is not there: {JsonlStore(store.path).verify().problem}")


@fault(41, "lines of another log spliced in")
def spliced(run: Run) -> None:
    """Put lines of another log in the place of those with the same seqs: the first that does not follow is named.

    The opening of another log is good by itself, so it is the line after it that does not follow.
    """
    count = len(LINES)
    with run.folder(real=False) as folder:
        path = folder / "a.jsonl"
        for first in range(count):
            tail, one = [*LINES[:first], *OTHER[first:]], [*LINES[:first], OTHER[first], *LINES[first + 1 :]]
            if first:
                refused(run, f"another log's tail from line {first + 1}", path, b"".join(tail))
            refused(run, f"another log's line {first + 1}", path, b"".join(one), max(first + 1, 2))
        refused(run, "another log after it", path, LOG + b"".join(OTHER))
