"""Repairing a damaged log: its intact part is kept, the rest set aside, and the log notes what was done.

First comes a plan, as data. It is carried out in three steps: the same plan is made again while nobody else can write, the part
to be removed is copied into a file beside the log, and only then the log is changed. After an interruption the log is as before,
or as planned, or intact with a side file that it does not mention yet: the next writer notes it.

Editors and transfers change line ends, blanks, a byte order mark without touching a record: the chain proves that nothing is
lost, as either the corrected lines are a log, or they are not.
"""

import os
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from hashlib import sha256
from itertools import chain

from msgspec import Struct, structs

from eventstore import files
from eventstore.chain import START, Anchor, LogPosition
from eventstore.committing import Writer
from eventstore.damage import verify_walk
from eventstore.disk import MACHINE, Disk
from eventstore.ending import unsettled_end
from eventstore.errors import CorruptLog, NotALog, NotReadable, NotWritten, StoreError
from eventstore.events import Noted
from eventstore.form import LONGEST_LINE
from eventstore.known_part import Knowledge
from eventstore.open_log import WAIT, OpenLog
from eventstore.paths import AnyPath, plain_path
from eventstore.queue import lets_go_in_children
from eventstore.reading import Walk, open_for_reading, walk_from
from eventstore.record import Draft, Recorded, check_stamp, decode, encode_record, event_text
from eventstore.store import STORE, Problem
from eventstore.wording import visible
from eventstore.writing import Entropy, make_lines


def _ensure_newline(line: bytes) -> bytes:
    return (line if line.endswith(b"}") else line[:-1]) + b"\n"


MENDS: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
    ("the end of the last line", _ensure_newline),
    ("a byte order mark", lambda line: line.removeprefix(b"\xef\xbb\xbf")),
    ("CR LF at the ends of lines", lambda line: line[:-2] + b"\n" if line.endswith(b"\r\n") else line),
    ("blanks around lines", lambda line: line.strip(b" \t\r\n") + b"\n"),
    ("empty lines", lambda line: b"" if line == b"\n" else line),
)
"""The changes that editors make without touching a record, each with its removal from a line."""


class _Pieces:
    """Pieces of bytes, readable as the lines of a log."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces, self._rest = filter(None, pieces), b""

    def readline(self, limit: int = LONGEST_LINE, /) -> bytes:
        """Return the next line, or so many bytes of it."""
        self._rest = self._rest or next(self._pieces, b"")
        line, self._rest = self._rest[:limit], self._rest[limit:]
        return line


MOST_TOLD = 10
"""The number of records set aside that are reported in full."""

_LONGEST = 2 * LONGEST_LINE
_NOTHING = "no append before it is whole, so there is nothing to keep; make the log again, or bring back a copy"


class Plan(Struct, frozen=True):
    """The plan of a repair; without a problem there is nothing to do.

    The first `records` records up to `head`, which are `kept` bytes, stay in the log. `aside` bytes go into a file that is
    named like the log and `side`; their SHA-256 is `digest`. Of the lines put aside, `whole` are records by themselves, and
    `lost` are the first of these. Where `mended` names changes around the records, all of them stay, and the file goes aside as
    it was. `note` is the log's own note on it, `by` the person who wants it.
    """

    by: str
    problem: Problem | None
    records: int
    head: Anchor | None
    kept: int
    aside: int = 0
    side: str = ""
    digest: str = ""
    whole: tuple[int, ...] = ()
    lost: tuple[Recorded, ...] = ()
    mended: tuple[str, ...] = ()
    note: str = ""


def plan_repair(path: AnyPath, *, by: str, wait: float = WAIT, disk: Disk = MACHINE) -> Plan:
    """Return the plan of a repair, and change nothing.

    Raises CorruptLog and NotALog where nothing can be kept, NotReadable, Busy.
    """
    path = plain_path(path)
    with open_for_reading(disk, path) as (fd, _):
        status, rest = unsettled_end(disk, fd, path, wait)
        try:
            return _plan_open_log(_Log(disk, path, fd, status.st_size, rest), by)
        except OSError as error:
            raise NotReadable(path, files.system_message(error)) from None


def carried_out(
    plan: Plan,
    path: AnyPath,
    *,
    at: str,
    entropy: Entropy = os.urandom,
    wait: float = WAIT,
    network_drive: bool = False,
    disk: Disk = MACHINE,
) -> Anchor | None:
    """Carry out a plan and note it, durably; return the new end of the log.

    Raises as planning does, and NotWritten where the log is another now, or what is to go cannot be kept; OutcomeUnknown.
    """
    if plan.problem is None:
        return plan.head
    check_stamp(at)
    path = plain_path(path)
    held = OpenLog(path, disk, wait, network_drive=network_drive)
    lets_go_in_children(held)
    with closing(held), held.hold_lock() as status:
        log = _Log(disk, path, held.fd, status.st_size)
        if _plan_open_log(log, plan.by) != plan:
            why = "the log was changed after the repair was planned"
            raise NotWritten(path, why, "look at it again: encounter repair FILE --dry-run")
        if plan.mended:
            return _replace_log(log, plan, at, entropy, held.warning)
        held.put_aside(plan.kept, log.size, plan.records + 1, _side_file_kind(plan.problem))
        last = Writer(held, Knowledge(held), entropy).append_note(plan.note, plan.side, at=at)
        return Anchor(last.seq, last.hash)


# ---------------------------------------------------------------- planning


class _Log(Struct, frozen=True):
    """An open log and its size; `rest` is its end, since a writer may cut that off meanwhile."""

    disk: Disk
    path: str
    fd: int
    size: int
    rest: bytes = b""

    def walk(self) -> Walk:
        return walk_from(self.disk, self.fd, self.path, self.size, START, self.rest)

    def end_of_good(self, size: int) -> LogPosition:
        """Return the place after the last whole batch before a fault, which may lack its line feed."""
        walk = walk_from(self.disk, self.fd, self.path, size, START)
        with suppress(CorruptLog, NotALog):
            for _ in walk:
                pass
        return LogPosition(walk.offset - walk.unended, walk.seq, walk.hash)

    def digest_from(self, start: int) -> str:
        """Return the SHA-256 of all from a place on."""
        found = sha256()
        for piece in files.read_pieces(self.disk, self.fd, start, self.size):
            found.update(piece)
        return found.hexdigest()

    def lines_from(self, offset: int = 0) -> Iterator[bytes]:
        with self.disk.reader(self.fd) as file:
            file.seek(offset)
            yield from iter(lambda: file.readline(_LONGEST), b"")

    def mended_lines(self, names: set[str]) -> Iterator[bytes]:
        """Yield the corrected lines, without those removed; `names` collects what was corrected."""
        for line in self.lines_from():
            better = line
            for name, mend in MENDS:
                before, better = better, mend(better)
                if better != before:
                    names.add(name)
            yield better

    def walk_mended(self) -> tuple[Walk, tuple[str, ...]]:
        """Return a walk through the corrected lines, and what was corrected."""
        names = set[str]()
        size = sum(map(len, self.mended_lines(names)))
        walk = Walk(self.path, _Pieces(self.mended_lines(set())), size)
        return walk, tuple(name for name, _ in MENDS if name in names)


def _plan_open_log(log: _Log, by: str) -> Plan:
    """Return the plan of a repair of an open log; raise as `planned` does."""
    refusal: StoreError
    try:
        found = verify_walk(log.walk())
        problem = found.problem
        if problem is None:
            return Plan(by, None, found.records, found.head, log.size)
        refusal = CorruptLog(log.path, problem.line, problem.offset, problem.why, _NOTHING)
    except NotReadable:
        raise
    except NotALog as error:
        refusal, problem = error, Problem(1, 0, error.why)
    plan = (None if problem.torn else _plan_without_loss(log, by, problem)) or _plan_with_cut(log, by, problem)
    if plan is None:
        refusal.hint = _repair_by_hand(log) or refusal.hint
        raise refusal
    return structs.replace(plan, note=_repair_note(plan, problem))


def _plan_without_loss(log: _Log, by: str, problem: Problem) -> Plan | None:
    """Return a plan that loses nothing, if all records are there once their lines are corrected."""
    walk, done = log.walk_mended()
    with suppress(NotALog):
        if verify_walk(walk).problem is None:
            side = files.next_side_suffix(log.disk, log.path, 1, "damaged")
            head, digest = Anchor(walk.seq, walk.hash), log.digest_from(0)
            return Plan(by, problem, walk.seq, head, walk.offset, log.size, side, digest, mended=done)
    return None


def _repair_by_hand(log: _Log) -> str:
    """Return which records would be intact with corrected lines, if there is a further fault; "" if none would."""
    walk, done = log.walk_mended()
    with suppress(NotALog):
        verify_walk(walk)
    corrected = ", ".join(sorted(done))
    says = f"{walk.seq} records would be good; put this right in a copy and repair that: {corrected}"
    return says if done and walk.seq else ""


def _plan_with_cut(log: _Log, by: str, problem: Problem) -> Plan | None:
    place = log.end_of_good(problem.offset)
    if not place.seq:
        return None
    side = files.next_side_suffix(log.disk, log.path, place.seq + 1, _side_file_kind(problem))
    whole, lost = _whole_lines_after(log, place)
    head, digest = Anchor(place.seq, place.hash), log.digest_from(place.offset)
    return Plan(by, problem, place.seq, head, place.offset, log.size - place.offset, side, digest, whole, lost)


def _side_file_kind(problem: Problem) -> str:
    return "torn" if problem.torn else "damaged"


def _repair_note(plan: Plan, problem: Problem) -> str:
    if plan.mended:
        done = f"Put right: {', '.join(plan.mended)}; every record is as it was. The file as it was is kept"
    else:
        done = f"What stood here from byte {plan.kept} on was cut off, {plan.aside} bytes; it is kept"
    says = f"Repaired by {plan.by}: line {problem.line} (byte {problem.offset}): {problem.why}. {done} beside the log"
    return unicodedata.normalize("NFC", visible(f"{says}: *{plan.side}, SHA-256 {plan.digest}"))


def _whole_lines_after(log: _Log, place: LogPosition) -> tuple[tuple[int, ...], tuple[Recorded, ...]]:
    """Return which lines after a place are records by themselves, and the first of these records."""
    found: dict[int, Recorded | None] = {}
    number = place.seq + 1
    for line in log.lines_from(place.offset):
        if record := _find_whole_record(line.strip()):
            found[number] = record if len(found) < MOST_TOLD else None
        number += line.endswith(b"\n")
    return tuple(found), tuple(record for record in found.values() if record)


def _find_whole_record(line: bytes) -> Recorded | None:
    """Return a line as a record, whatever precedes it, if its digest proves its event."""
    try:
        record = decode(line)
    except ValueError:
        return None
    if record.salt is None or encode_record(record) != line:
        return None
    body = b'"event":%b,"salt":"%b"' % (event_text(line), record.salt.encode())
    return record if sha256(body).hexdigest() == record.digest else None


def _replace_log(log: _Log, plan: Plan, at: str, entropy: Entropy, warning: str) -> Anchor:
    walk, _ = log.walk_mended()
    for _record in walk:
        pass
    place, added = walk.place, []
    for text in [warning, plan.note] if warning and not walk.warned else [plan.note]:
        lines = make_lines([Draft(Noted(text=text))], place, by=STORE, at=at, entropy=entropy)
        place = lines.end
        added.append(lines.data)
    try:
        files.keep_aside(log.disk, log.fd, 0, log.size, log.path, 1, "damaged")
        files.replace_file(log.disk, log.fd, log.path, chain(log.mended_lines(set()), added))
    except OSError as error:
        raise NotWritten(log.path, files.system_message(error), files.write_hint(error)) from None
    return Anchor(place.seq, place.hash)
