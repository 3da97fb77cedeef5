"""Damage: checking a whole log more strictly than reading does; why a line or a file is faulty, in words and with a hint; and torn
tails, the remains of an interrupted append.
"""

import re
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Protocol

from eventstore import form
from eventstore.chain import Anchor, Broken, verify_line
from eventstore.disk import BUFFER
from eventstore.ending import FARTHEST
from eventstore.errors import CorruptLog, Malformed
from eventstore.record import (
    KNOWN,
    Recorded,
    RecordedUnknown,
    check_stamp,
    decode,
    decode_whole,
    encode_record,
    ends_batch,
    event_text,
)
from eventstore.store import MOST_EVENTS, Compared, Problem, Verified
from eventstore.wording import visible

_SEQ = rb'\{"seq":([0-9]{1,16}),'
_FIRST = b'{"seq":1,"at":"'
_ENDS = rb'"hash":"[^"]{64}"\}\s*\Z'
REPAIR = "bring back a copy; or see what can be kept: encounter repair FILE --dry-run"
"""The hint for a log that is damaged, and not only torn."""
FORGED = "it was not written by encounterlog; see what can be kept: encounter repair FILE --dry-run"
"""The hint for a line that fits the chain and is still refused."""
_EDITED = "an editor or a transfer changed the file; see whether all is there: encounter repair FILE --dry-run"
_ANOTHER = "encounter new makes a log"

_STARTS = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF", "a PDF"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x1f\x8b", "compressed with gzip"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd"),
    (b"BZh", "compressed with bzip2"),
    (b"\xfd7zXZ", "compressed with xz"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
    (b"\x7fELF", "a program"),
)
_TEXTS = (
    (b"", "holds nothing but blanks or NUL bytes", _ANOTHER),
    (b"[", "is a JSON array", "a log has one JSON object a line"),
    (b"{", "is JSON spread over several lines", "a log has one JSON object a line"),
    (b'{"type"', "holds bare facts", "encounter new LOG, then encounter append LOG FILE"),
    (b'{"', "is JSON", _ANOTHER),
)
_ALONE = (b"", b"{")
"""Beginnings that identify a file only if nothing else is in the line."""


_STRANGE: tuple[tuple[Callable[[bytes], bool], str, str], ...] = (
    (lambda text: text.startswith(b"\xef\xbb\xbf"), "begins with a byte order mark", _EDITED),
    (lambda text: text.endswith(b"\r\n"), "ends with CR LF", _EDITED),
    (lambda text: b"\0" in text, "holds NUL bytes: a piece of the file was never written, or was overwritten", REPAIR),
    (lambda text: text == b"\n", "is empty", _EDITED),
)


def describe_foreign_file(first: bytes, *, more: bool) -> tuple[str, str] | None:
    """Return a description of a file whose first line is not that of a log; None if it may be a damaged log.

    `more` says whether there is anything after that line.
    """
    start = first.removeprefix(b"\xef\xbb\xbf")
    if re.match(_SEQ, start) or _FIRST.startswith(first) or re.search(_ENDS, start):
        return None
    for magic, name in _STARTS:
        if first.startswith(magic):
            return f"is {name}, not an encounter log", "unpack it first" if "compressed" in name else _ANOTHER
    text = start.strip(b" \t\r\n\0")
    if not text and more:
        return None
    for begins, what, hint in _TEXTS:
        if text == begins or (begins not in _ALONE and text.startswith(begins)):
            return f"{what}, not an encounter log", hint
    return ("is text" if _is_text(text) else "is a file of another kind") + ", not an encounter log", _ANOTHER


def batch_fault(found: tuple[int, int] | None, place: int, size: int) -> str:
    """Return why a record does not continue the batch before it."""
    if found is None:
        return f"a batch breaks off: place {place} of {size} is due, a record of its own stands here"
    at, of = found
    if place > 1:
        return f"a batch breaks off: place {place} of {size} is due, place {at} of {of} stands here"
    if at == 1:
        return f"begins a batch of {of:,}; 2 to {MOST_EVENTS:,} make one"
    return f"is place {at} of a batch of {of}, which begins nowhere"


def line_fault(text: bytes, seq: int, previous: str) -> tuple[str, str]:
    """Return why this line (with its newline) cannot be the record `seq` after the hash `previous`, and a hint."""
    for strange, why, hint in _STRANGE:
        if strange(text):
            return why, hint
    bare = text[:-1]
    if (found := re.match(_SEQ, bare)) and int(found[1]) != seq:
        return _describe_misplaced(bare, int(found[1]), seq, previous), REPAIR
    try:
        verify_line(bare, previous)
    except Broken as error:
        return _json_fault(bare) or str(error), REPAIR
    return _form_fault(bare), FORGED


def _describe_misplaced(bare: bytes, found: int, seq: int, previous: str) -> str:
    meant = re.sub(_SEQ, b'{"seq":%d,' % seq, bare, count=1)
    with suppress(Broken):
        verify_line(meant, previous)
        return f"its number was changed to {found}"
    if found > seq:
        lost = "a line is missing" if found == seq + 1 else f"{found - seq} lines are missing"
        return f"holds seq {found}: {lost}, or they were moved"
    if found == seq - 1 and bare[-66:-2].decode("ascii", "replace") == previous:
        return f"holds seq {found}: the line before stands twice"
    return f"holds seq {found}: an earlier line stands here again"


def _json_fault(bare: bytes) -> str:
    """Return the reason if a line is not even JSON, which is more helpful than a broken chain."""
    try:
        form.read_json(bare)
    except Malformed as error:
        return f"is not what was written here: {error}"
    return ""


def _form_fault(bare: bytes) -> str:
    """Return why a line that fits the chain is still refused."""
    try:
        value = form.read_json(bare)
        event = value.get("event")
        if isinstance(event, dict) and b',"event":{' in bare and b'},"salt":"' in bare:
            check = form.check_closely if str(event.get("type")) in KNOWN else form.check_unknown
            check(event_text(bare))
        decode(bare)
    except (ValueError, Malformed) as error:
        return f"is not a record: {visible(str(error))[:200]}"
    return "is not in the canonical form (order of keys, spaces, escapes, omitted fields)"


def _is_text(start: bytes) -> bool:
    try:
        text = getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return text.replace("\t", " ").isprintable()


class Stream(Protocol):
    """A source of the bytes of a log."""

    def readline(self, limit: int = -1, /) -> bytes:
        """Return the next line, or so many bytes of it."""


TORN = "the last append was cut short"
TORN_HINT = "the next append cuts it off and keeps it beside the log"
NO_LINE_FEED = "ends with something else where its line feed was"
CHANGED_HINT = "the record itself is whole; encounter repair FILE --dry-run shows what can be kept"

_BLOCK = 512
_ZEROS = rb"\0+"
_RECORD_END = rb'"(?:salt":"[0-9a-f]{32}|digest":"[0-9a-f]{64})","hash":"[0-9a-f]{64}"\}'


def whole_part(line: bytes) -> bytes:
    """Return the record, with a line feed, that a line begins with if something else follows it; else nothing.

    The last record of a log, shown without its line feed, looks like this after a power cut during the next append. If only
    blanks and a line feed follow, an editor changed the line.
    """
    found = re.search(_RECORD_END, line)
    if found is None or (line[-1:] == b"\n" and not line[found.end() :].strip()):
        return b""
    whole = line[: found.end()] + b"\n"
    record = decode_whole(whole)
    return whole if record and ends_batch(record) else b""


def is_unwritten(line: bytes, at: int, rest: Iterable[bytes], seq: int, borders: frozenset[int]) -> bool:
    """Return whether there are zeros in place of blocks, and from there on only the rest of one append.

    An append of which a block was lost while a later one was kept looks like this. Zeros elsewhere mean other damage. `line`
    begins at a byte, the `rest` of the lines follows it; `seq` is that of the last whole record, and the append to come
    begins and ends at the `borders`.
    """
    if not _has_hole(line, at, borders):
        return False
    for each in rest:
        at += len(line)
        line = each
        if each[-1:] == b"\n" and not _continues_append(each, seq) and not _has_hole(each, at, borders):
            return False
    return True


def _continues_append(line: bytes, seq: int) -> bool:
    """Return whether a line may be part of the append that begins after the last whole one."""
    record = decode_whole(line)
    if record is None or record.batch is None:
        return False
    return record.batch[0] > 1 and record.seq - record.batch[0] == seq


def _has_hole(line: bytes, at: int, borders: frozenset[int]) -> bool:
    holes = [(at + zeros.start(), at + zeros.end()) for zeros in re.finditer(_ZEROS, line)]
    return bool(holes) and all(not each % _BLOCK or each in borders for hole in holes for each in hole)


def only_zeros(file: Stream, count: int) -> bool:
    """Return whether the rest of a file, `count` bytes, is zeros: the length reached the disk, the data did not."""
    if count > FARTHEST:
        return False  # no append is so long
    return all(not block.strip(b"\0") for block in iter(lambda: file.readline(BUFFER), b""))


_HEX = re.compile(r"[0-9a-f]*")


def verify_walk(walk: Iterable[Recorded], anchor: Anchor | None = None) -> Verified:
    """Check every line of a walk, and the log against an anchor; raise NotALog if it is not a log."""
    head: Anchor | None = None
    problem: Problem | None = None
    records = batches = offset = 0
    withheld, unknown, at_anchor = list[int](), list[int](), ""
    try:
        for record in walk:
            check_record(record)
            offset += len(encode_record(record)) + 1
            records += 1
            batches += ends_batch(record)
            head = Anchor(record.seq, record.hash)
            if record.withheld:
                withheld.append(record.seq)
            if isinstance(record, RecordedUnknown):
                unknown.append(record.seq)
            if anchor is not None and record.seq == anchor.seq:
                at_anchor = record.hash
    except CorruptLog as error:
        problem = Problem(error.line, error.offset, error.why, error.hint, error.torn)
    except Malformed as error:
        problem = Problem(records + 1, offset, f"is not a record: {error}", error.hint or FORGED)
    compared: Compared = "unanchored"
    if anchor is not None and at_anchor:
        compared = "matches" if at_anchor == anchor.hash else "rewritten"
    elif anchor is not None:
        compared = "cut off" if problem is None or problem.torn else "not reached"
    return Verified(records, batches, head, tuple(withheld), tuple(unknown), problem, compared)


def check_record(record: Recorded) -> None:
    """Check the requirements of FORMAT.md that reading does not: moments, digits, text of the envelope; raise Malformed."""
    check_stamp(record.at)
    for name, text in (("by", record.by), ("key", record.key or "")):
        if not form.is_normal(text):
            raise Malformed(name, "is not text in Unicode normal form C")
    for name, text in (("digest", record.digest), ("salt", record.salt or "")):
        if not _HEX.fullmatch(text):
            raise Malformed(name, "is not in hexadecimal digits")
