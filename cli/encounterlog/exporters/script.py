"""An encounter script in notation: run again, it gives the same facts."""

from collections.abc import Iterator

from encounterlog.errors import Refused
from encounterlog.exporters.session import Session
from eventstore.events import EncounterOpened
from eventstore.record import Recorded
from projections.judging.book import rename_options
from projections.language.notation.table import Table
from projections.proving.formatting import fact_lines, title_line

ENOUGH = 200  # the number of records that are looked at together


def write(session: Session) -> Iterator[bytes]:
    """Yield the lines of a script; raise Refused for a log with facts that it cannot hold."""
    copy = session.copy
    for record in copy:
        if record.event is None:  # before anything is written
            why = "withheld" if record.withheld else "of a type unknown to this version"
            hint = "a script holds whole facts; encounter export jsonl keeps a record whose payload is not there"
            raise Refused("refused", f"{copy.path}: record {record.seq} is {why}", hint)
    records = iter(copy)
    first = next(records)
    assert isinstance(first.event, EncounterOpened)  # noqa: S101 – else it is no log
    options = "".join(f"option {name} {value}\n" for name, value in rename_options(first.event.options).items())
    head = f"# {copy.head.seq} records, head {copy.head}\nruleset {first.event.ruleset}\n{options}"
    yield f"{head}\n{title_line(first.event.title)}\n".encode()
    table = Table([first], script=True)
    pending: list[tuple[str, Recorded]] = []
    for record in records:
        label = "secret " if record.secret else ""
        if pending and (pending[0][0] != label or len(pending) == ENOUGH):
            yield from _format_records(table, pending)
            pending = []
        pending.append((label, record))
    yield from _format_records(table, pending)


def _format_records(table: Table, pending: list[tuple[str, Recorded]]) -> Iterator[bytes]:
    labelled = [(label, record.event) for label, record in pending]
    for line in fact_lines(table, labelled):  # type: ignore[arg-type]  # none is withheld, see above
        yield f"{line}\n".encode()
