"""Exporting: a verified log in some format, to a new file or to standard output."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from encounterlog.edge import output
from encounterlog.edge.failures import USAGE, Failure
from encounterlog.edge.stores import open_store
from encounterlog.exporters import exporter
from eventstore import copying
from eventstore.copying import Copy, Withhold
from eventstore.errors import Malformed
from eventstore.store import Problem

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


def run(kind: str, file: Path, out: Path | None, withhold: Withhold) -> Exported:
    """Export a log to a new file, whole or not at all, or to standard output if none is given."""
    if out is not None and (out.is_symlink() or out.exists()):
        raise Failure(USAGE, f"{out} is already there", "choose another name")
    copy = Copy(open_store(file), file, withhold)
    pieces = exporter(kind)(copy)
    if out is None:
        output.data(pieces)
    else:
        copying.create(out, pieces)
    return Exported(
        file=str(out or "-"),
        records=copy.records,
        head=str(copy.head),
        withheld=tuple(copy.withheld),
        unknown=copy.found.unknown,
        problem=copy.found.problem,
    )


def chosen(words: Sequence[str]) -> Withhold:
    """Return what to withhold from seqs and the word secret; raise Malformed."""
    return Withhold(frozenset(_seq(word) for word in words if word != HIDDEN), HIDDEN in words)


def _seq(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 17):
        raise Malformed("withhold", f"'{word[:40]}' names no record", f"give the number of a record, or {HIDDEN}")
    return int(word)
