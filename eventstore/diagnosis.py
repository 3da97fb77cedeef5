"""Diagnosis of a faulty line or file: the reason in words, and a hint. Speed does not matter here."""

import re
from codecs import getincrementaldecoder
from collections.abc import Callable

from eventstore import form
from eventstore.chain import Broken, verified
from eventstore.errors import Malformed
from eventstore.record import decode, event_text
from eventstore.store import MOST_EVENTS
from eventstore.versions import KNOWN

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


def kind(first: bytes, *, more: bool) -> tuple[str, str] | None:
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


def batch(found: tuple[int, int] | None, place: int, size: int) -> str:
    """Return why a record does not continue the batch before it."""
    if found is None:
        return f"a batch breaks off: place {place} of {size} is due, a record of its own stands here"
    at, of = found
    if place > 1:
        return f"a batch breaks off: place {place} of {size} is due, place {at} of {of} stands here"
    if at == 1:
        return f"begins a batch of {of:,}; 2 to {MOST_EVENTS:,} make one"
    return f"is place {at} of a batch of {of}, which begins nowhere"


def line(text: bytes, seq: int, previous: str) -> tuple[str, str]:
    """Return why this line (with its newline) cannot be the record `seq` after the hash `previous`, and a hint."""
    for strange, why, hint in _STRANGE:
        if strange(text):
            return why, hint
    bare = text[:-1]
    if (found := re.match(_SEQ, bare)) and int(found[1]) != seq:
        return _misplaced(bare, int(found[1]), seq, previous), REPAIR
    try:
        verified(bare, previous)
    except Broken as error:
        return _damaged(bare) or str(error), REPAIR
    return _form(bare), FORGED


def _misplaced(bare: bytes, found: int, seq: int, previous: str) -> str:
    meant = re.sub(_SEQ, b'{"seq":%d,' % seq, bare, count=1)
    if _fits(meant, previous):
        return f"its number was changed to {found}"
    if found > seq:
        lost = "a line is missing" if found == seq + 1 else f"{found - seq} lines are missing"
        return f"holds seq {found}: {lost}, or they were moved"
    if found == seq - 1 and bare[-66:-2].decode("ascii", "replace") == previous:
        return f"holds seq {found}: the line before stands twice"
    return f"holds seq {found}: an earlier line stands here again"


def _fits(bare: bytes, previous: str) -> bool:
    try:
        verified(bare, previous)
    except Broken:
        return False
    return True


def _damaged(bare: bytes) -> str:
    """Return the reason if a line is not even JSON, which is more helpful than a broken chain."""
    try:
        form.read_json(bare)
    except Malformed as error:
        return f"is not what was written here: {error}"
    return ""


def _form(bare: bytes) -> str:
    """Return why a line that fits the chain is still refused."""
    try:
        value = form.read_json(bare)
        event = value.get("event")
        if isinstance(event, dict) and b',"event":{' in bare and b'},"salt":"' in bare:
            check = form.check_closely if str(event.get("type")) in KNOWN else form.check_unknown
            check(event_text(bare))
        decode(bare)
    except (ValueError, Malformed) as error:
        return f"is not a record: {form.visible(str(error))[:200]}"
    return "is not in the canonical form (order of keys, spaces, escapes, omitted fields)"


def _is_text(start: bytes) -> bool:
    try:
        text = getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return text.replace("\t", " ").isprintable()
