"""The search for the head that an export was made from, in the export itself or beside it."""

import json
import re
from pathlib import Path

from encounterlog.errors import Refused
from eventstore.chain import Anchor

LARGEST = 1 << 30
"""The largest export that is read, in bytes."""
_ANCHOR = r"([0-9]{1,16}:[0-9a-f]{64})"
_PLACES = {
    "---\n": rf'---\nhead: "{_ANCHOR}"\n',
    "#": rf"# [0-9]+ records?, head {_ANCHOR}\n",
    "<svg": rf"<svg\b[^<>]*>\s*<metadata>head {_ANCHOR}</metadata>",
    "<?xml": rf"<\?xml[^<>]*\?>\s*<svg\b[^<>]*>\s*<metadata>head {_ANCHOR}</metadata>",
    "<!doctype html>": rf'<!doctype html>\s*(?:<html\b[^<>]*>\s*)?<head>\s*(?:<meta charset=[^<>]*>\s*)?<meta name="encounterlog-head" content="{_ANCHOR}"',
}
"""The beginnings of texts, with the place of the head in each: front matter, a comment, metadata."""
_LAST = re.compile(rf"\n-# head {_ANCHOR}\n?\Z")


def head_of(out: Path) -> Anchor:
    """Return the head that an export names; raise Refused if none can be found."""
    beside = out.with_name(f"{out.name}.head")
    data = _read(out)
    found = _in_parquet(out) if data.startswith(b"PAR1") else _in_text(data.decode(errors="replace"))
    if found is None and beside.is_file():
        found = _anchored(_read(beside).decode(errors="replace").strip())
    if found is None:
        hint = "an export names it where encounter export put it; of CSV the head is in OUT.head"
        raise Refused("usage", f"{out} names no head: it does not say from which log it was made", hint)
    return found


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(LARGEST)
    except (OSError, ValueError) as error:
        why = (getattr(error, "strerror", None) or str(error)).lower()
        raise Refused("usage", f"{path}: {why}", "name the export") from None


def _in_text(text: str) -> Anchor | None:
    for begins, pattern in _PLACES.items():
        if text[: len(begins)].lower() == begins:
            found = re.match(pattern, text, re.IGNORECASE)
            return _anchored(found[1]) if found else None
    if text.startswith("{"):
        return _in_lines(text) if text.startswith('{"seq":1,') else _in_json(text)
    last = _LAST.search(text)
    return _anchored(last[1]) if last else None


def _in_json(text: str) -> Anchor | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    head = value.get("head")
    return _anchored(head) if isinstance(head, str) else None


def _in_lines(text: str) -> Anchor | None:
    """Return the head of a log that was exported as it is: its last line."""
    try:
        last = json.loads(text.rstrip("\n").rpartition("\n")[2])
        return _anchored(f"{last['seq']}:{last['hash']}")
    except (ValueError, RecursionError, KeyError, TypeError):
        return None


def _in_parquet(path: Path) -> Anchor | None:
    from encounterlog.exporters.parquet import library

    try:
        about = library().read_schema(path).metadata or {}
    except (OSError, ValueError):  # no Parquet after all
        return None
    return _anchored(about.get(b"head", b"").decode(errors="replace"))


def _anchored(text: str) -> Anchor | None:
    found = re.fullmatch(_ANCHOR, text)
    return Anchor.parse(found[1]) if found else None
