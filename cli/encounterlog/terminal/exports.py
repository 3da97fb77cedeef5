"""Exports to a new file or to standard output."""

from collections.abc import Iterable
from pathlib import Path

from encounterlog.errors import Refused
from encounterlog.exporters import EXPORTERS, exporter
from encounterlog.exporters.exporting import Exported, copy_of
from encounterlog.exporters.session import Session, Wanted
from encounterlog.storage.stores import check_free, open_store
from encounterlog.terminal import output
from eventstore import copying
from eventstore.address import LogAddress
from eventstore.copying import Copy
from eventstore.withholding import Withhold


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
    copy = copy_of(store, file, withhold, for_players=for_players)
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
