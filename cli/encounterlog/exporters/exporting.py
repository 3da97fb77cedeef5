"""Exporting: a verified log in some format, and the search for the head that an export was made from."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from msgspec import Struct

from encounterlog.errors import Refused, misspelt_word
from encounterlog.exporters import EXPORTERS, load_exporter
from encounterlog.exporters.session import Session
from encounterlog.exporters.tables import import_pyarrow
from eventstore.address import LogAddress
from eventstore.chain import Anchor
from eventstore.copying import Copy
from eventstore.errors import Malformed
from eventstore.files import system_message
from eventstore.store import Problem, Store
from eventstore.withholding import Withhold
from projections.stream.audience import records_withheld

LARGEST = 1 << 30  # the largest export that is read, in bytes
_ANCHOR = r"([0-9]{1,16}:[0-9a-f]{64})"
_PLACES = (
    rf'---\nhead: "{_ANCHOR}"\n',
    rf"# [0-9]+ records?, head {_ANCHOR}\n",
    rf"(?:<\?xml[^<>]*\?>\s*)?<svg\b[^<>]*>\s*<metadata>head {_ANCHOR}</metadata>",
    rf'<!doctype html>\s*(?:<html\b[^<>]*>\s*)?<head>\s*(?:<meta charset=[^<>]*>\s*)?<meta name="encounterlog-head" content="{_ANCHOR}"',
)
"""The beginnings of texts that name a head: front matter, a comment, metadata."""
_LAST = re.compile(rf"\n-# head {_ANCHOR}\n?\Z")


def head_of(out: Path) -> Anchor:
    """Return the head that an export names, or else the file beside it; raise Refused if none can be found."""
    for named in _named_heads(out):
        if found := re.fullmatch(_ANCHOR, named):
            return Anchor.parse(found[1])
    hint = "an export names it where encounter export put it; of CSV the head is in OUT.head"
    raise Refused("usage", f"{out} names no head: it does not say from which log it was made", hint)


def _named_heads(out: Path) -> Iterator[str]:
    data = _read_beginning(out)
    if data.startswith(b"PAR1"):
        with suppress(OSError, ValueError):  # no Parquet after all
            about = import_pyarrow().parquet.read_schema(out).metadata or {}
            yield about.get(b"head", b"").decode(errors="replace")
    elif (text := data.decode(errors="replace")).startswith("{"):
        with suppress(ValueError, RecursionError, KeyError, TypeError):
            is_log = text.startswith('{"seq":1,')
            found = json.loads(text.rstrip("\n").rpartition("\n")[2] if is_log else text)
            yield f"{found['seq']}:{found['hash']}" if is_log else str(found["head"])
    else:
        begins = filter(None, (re.match(pattern, text, re.IGNORECASE) for pattern in _PLACES))
        ends = None if text.startswith(("---", "#", "<")) else _LAST.search(text)  # they name it at their beginning
        if named := next(begins, None) or ends:
            yield named[1]
    beside = out.with_name(f"{out.name}.head")
    if beside.is_file():
        yield _read_beginning(beside).decode(errors="replace").strip()


def _read_beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(LARGEST)
    except (OSError, ValueError) as error:
        raise Refused("usage", f"{path}: {system_message(error)}", "name the export") from None


HIDDEN = "secret"  # the word for all records that are marked secret


class Exported(Struct, frozen=True):
    """The outcome of an export; `head`, as SEQ:HASH, is the anchor of the exported log.

    `withheld` are the records whose payload is not in the export, `problem` says where a torn tail was left out.
    """

    file: str
    records: int
    head: str
    withheld: tuple[int, ...]
    unknown: tuple[int, ...]
    problem: Problem | None


def export_to_bytes(kind: str, store: Store, name: LogAddress, *, for_players: bool = False) -> bytes:
    """Return a log in a format, as bytes; raise Refused, and what the store raises."""
    if kind not in EXPORTERS:
        raise misspelt_word("format", kind, EXPORTERS, f"the formats are {', '.join(EXPORTERS)}")
    copy = copy_of(store, name, Withhold(frozenset()), for_players=for_players)
    return b"".join(load_exporter(kind)(Session(copy, for_players=for_players)))


def copy_of(store: Store, name: LogAddress, withhold: Withhold, *, for_players: bool) -> Copy:
    """Return a verified copy of a log, without what is withheld."""
    copy = Copy(store.read(), name, Withhold(withhold.seqs))
    if withhold.secrets or for_players:
        copy.withhold = records_withheld(copy, withhold.seqs)
    return copy


def parse_withhold(words: Sequence[str]) -> Withhold:
    """Return what to withhold from seqs and the word secret; raise Malformed."""
    seqs = [word for word in words if word != HIDDEN]
    for word in seqs:
        if not (word.isascii() and word.isdigit() and len(word) < 17):
            raise Malformed("withhold", f"'{word[:40]}' names no record", f"give the number of a record, or {HIDDEN}")
    return Withhold(frozenset(map(int, seqs)), HIDDEN in words)


def parse_rounds(words: str | None) -> range | None:
    """Return the rounds of --round: one, or from the first to the last of two; raise Refused."""
    if words is None:
        return None
    found = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", words)
    if found is None or int(found[2] or found[1]) < int(found[1]):
        hint = "--round 3, or from round 2 to 4: --round 2-4"
        raise Refused("usage", f"--round: '{words[:40]}' names no rounds", hint)
    return range(int(found[1]), int(found[2] or found[1]) + 1)


def parse_time_zone(name: str | None) -> ZoneInfo | None:
    """Return a time zone by its name, None for the system's; raise Refused for an unknown one."""
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        known = available_timezones() | {"UTC"}
        raise misspelt_word("time zone", name, known, "such as Europe/Berlin, or UTC") from None


def check_options(kind: str, given: Iterable[str]) -> None:
    """Raise Refused if an option was given that a format does not take."""
    for option in given:
        if option not in EXPORTERS[kind].options:
            takes = [name for name, row in EXPORTERS.items() if option in row.options]
            raise Refused("usage", f"{kind} takes no {option}", f"{', '.join(takes)}: these do" if takes else "")
