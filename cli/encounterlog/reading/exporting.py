"""Exporting: a verified log in some format, to a new file or to standard output."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from msgspec import Struct

from encounterlog.edge import output
from encounterlog.edge.stores import check_free, open_store
from encounterlog.errors import Refused, misspelt
from encounterlog.exporters import EXPORTERS, exporter
from encounterlog.exporters.session import Session, Wanted
from eventstore import copying
from eventstore.address import LogAddress
from eventstore.copying import Copy
from eventstore.errors import Malformed
from eventstore.store import Problem, Store
from eventstore.withholding import Withhold
from projections.stream.audience import withholding

HIDDEN = "secret"
"""The word for all records that are marked secret."""


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


def run(
    kind: str,
    file: LogAddress,
    out: Path | None,
    withhold: Withhold,
    wanted: Wanted | None = None,
    *,
    for_players: bool = False,
) -> Exported:
    """Export a log to a new file, whole or not at all, or to standard output if none is given."""
    _check(kind, out)
    store = open_store(file, shows=out is not None or not output.to_terminal())
    copy = _copy(store, file, withhold, for_players=for_players)
    _write(kind, out, exporter(kind)(Session(copy, wanted, for_players=for_players)))
    if out is not None and EXPORTERS[kind].beside:
        _write_head(out, copy)
    return Exported(
        file=str(out or "-"),
        records=copy.records,
        head=str(copy.head),
        withheld=tuple(copy.withheld),
        unknown=copy.found.unknown,
        problem=copy.found.problem,
    )


def exported(kind: str, store: Store, name: LogAddress, *, for_players: bool = False) -> bytes:
    """Return a log in a format, as bytes; raise Refused, and what the store raises."""
    if kind not in EXPORTERS:
        raise misspelt("format", kind, EXPORTERS, f"the formats are {', '.join(EXPORTERS)}")
    copy = _copy(store, name, Withhold(frozenset()), for_players=for_players)
    return b"".join(exporter(kind)(Session(copy, for_players=for_players)))


def _copy(store: Store, name: LogAddress, withhold: Withhold, *, for_players: bool) -> Copy:
    copy = Copy(store, name, Withhold(withhold.seqs))
    if withhold.secrets or for_players:
        copy.withhold = withholding(copy, withhold.seqs)
    return copy


def beside(out: Path) -> Path:
    """Return the name of the file with the head of an export that has no place for it."""
    return out.parent / f"{out.name}.head"


def _check(kind: str, out: Path | None) -> None:
    """Raise Refused where an export cannot go."""
    row = EXPORTERS[kind]
    if out is None and (row.needs_file or (row.form == "binary" and output.to_terminal())):
        raise Refused("usage", f"{kind} is not text, and not printed", "name a file for the export: --to OUT")
    for each in [out, *([beside(out)] if row.beside else [])] if out else []:
        check_free(str(each))


def _write(kind: str, out: Path | None, pieces: Iterable[bytes]) -> None:
    if out is not None:
        copying.create(out, pieces)
    elif EXPORTERS[kind].form == "text":
        output.text(pieces)
    else:
        output.data(pieces)


def _write_head(out: Path, copy: Copy) -> None:
    """Write the file beside an export; without it the export is removed, too."""
    try:
        copying.create(beside(out), [f"{copy.head}\n".encode()])
    except BaseException:
        out.unlink(missing_ok=True)
        raise


# ---------------------------------------------------------------- what is typed


def chosen(words: Sequence[str]) -> Withhold:
    """Return what to withhold from seqs and the word secret; raise Malformed."""
    return Withhold(frozenset(_seq(word) for word in words if word != HIDDEN), HIDDEN in words)


def _seq(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 17):
        raise Malformed("withhold", f"'{word[:40]}' names no record", f"give the number of a record, or {HIDDEN}")
    return int(word)


def rounds(words: str | None) -> range | None:
    """Return the rounds of --round: one, or from the first to the last of two; raise Refused."""
    if words is None:
        return None
    found = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", words)
    if found is None or int(found[2] or found[1]) < int(found[1]):
        raise Refused(
            "usage", f"--round: '{words[:40]}' names no rounds", "--round 3, or from round 2 to 4: --round 2-4"
        )
    return range(int(found[1]), int(found[2] or found[1]) + 1)


def zone(name: str | None) -> ZoneInfo | None:
    """Return a time zone by its name, None for the system's; raise Refused for an unknown one."""
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        raise misspelt("time zone", name, available_timezones() | {"UTC"}, "such as Europe/Berlin, or UTC") from None


def check_options(kind: str, given: Iterable[str]) -> None:
    """Raise Refused if an option was given that a format does not take."""
    for option in given:
        if option not in EXPORTERS[kind].options:
            takes = [name for name, row in EXPORTERS.items() if option in row.options]
            raise Refused("usage", f"{kind} takes no {option}", f"{', '.join(takes)}: these do" if takes else "")
