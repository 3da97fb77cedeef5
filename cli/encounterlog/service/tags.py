"""Entity tags: those of a log are its head, "SEQ:HASH"; those of a view also name its role and its question."""

import re
from collections.abc import Sequence
from hashlib import sha256

from encounterlog.service.problems import Problem
from eventstore.chain import Anchor
from eventstore.errors import Malformed

ANY = "*"
_TAG = re.compile(r'(W/)?"([\x21\x23-\x7e]*)"')
_LIST = re.compile(rf"\s*{_TAG.pattern}\s*(?:,\s*{_TAG.pattern}\s*)*")


def of_head(head: Anchor) -> str:
    """Return the tag of a log that ends there."""
    return f'"{head}"'


def of_view(head: Anchor, *about: object) -> str:
    """Return the tag of an answer that is derived from a log, for an audience and a question."""
    return f'"{head}:{sha256(repr(about).encode()).hexdigest()[:16]}"'


def matches(header: str | None, tag: str) -> bool:
    """Return whether an If-None-Match names a tag; raise Problem if it is malformed."""
    if header is None:
        return False
    return header.strip() == ANY or any(f'"{each}"' == tag for each, _ in _parsed("If-None-Match", header))


def expected(header: str | None) -> tuple[Anchor, ...] | None:
    """Return the heads that an If-Match names, None if it names no condition; raise Problem for any other."""
    if header is None or header.strip() == ANY:
        return None
    found = _parsed("If-Match", header)
    if any(weak for _, weak in found):
        raise Problem("bad-tag", "If-Match: a weak tag matches nothing", 'such as If-Match: "12:ab…"', field="If-Match")
    return tuple(_anchor(text) for text, _ in found)


def anchor(header: str, text: str) -> Anchor:
    """Return the SEQ:HASH in a header; raise Problem for anything else."""
    try:
        return Anchor.parse(text)
    except Malformed as error:
        raise Problem("bad-tag", f"{header}: {error.reason}", "the id of an event is SEQ:HASH", field=header) from None


def _anchor(text: str) -> Anchor:
    try:
        return Anchor.parse(text)
    except Malformed:
        raise Problem(
            "bad-tag", 'If-Match: a tag is not "SEQ:HASH"', "GET …/head has the present one", field="If-Match"
        ) from None


def _parsed(name: str, header: str) -> Sequence[tuple[str, bool]]:
    """Return the tags of a header, and whether each is weak; raise Problem if there is none, or an empty one."""
    if not _LIST.fullmatch(header):
        raise Problem("bad-tag", f"{name}: not an entity tag, nor a list of them", 'such as "12:ab…"', field=name)
    found = [(one[2], bool(one[1])) for one in _TAG.finditer(header)]
    if any(not text for text, _ in found):
        raise Problem("bad-tag", f"{name}: an empty tag is no condition", "leave the header out", field=name)
    return found


LONGEST_KEY = 60
"""The longest Idempotency-Key: the log's own has 120 characters, and holds more than it."""


def key(given: str | None) -> str | None:
    """Return the key of an Idempotency-Key, None without one; raise Problem if it is malformed."""
    if given is None:
        return None
    text = given.strip().removeprefix('"').removesuffix('"')
    if not (1 <= len(text) <= LONGEST_KEY and text.isascii() and text.isprintable()):
        raise Problem(
            "bad-request", f"Idempotency-Key: 1 to {LONGEST_KEY} printable characters", field="Idempotency-Key"
        )
    return text
