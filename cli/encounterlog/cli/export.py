"""`encounter export`: write a verified log in some format, to a new file or to standard output."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from encounterlog.cli import failures, options, output
from encounterlog.errors import Refused
from encounterlog.exporters import EXPORTERS, ROUND, STATEMENTS, TABLE, ZONE, exporting, load_exporter
from encounterlog.exporters.exporting import Exported, copy_of
from encounterlog.exporters.session import Session, Table, Wanted
from encounterlog.places.stores import check_free, open_store
from encounterlog.words.layout import clip, count_noun, format_numbers, wrap
from encounterlog.words.refusals import refusal_of_problem
from eventstore import copying
from eventstore.address import LogAddress
from eventstore.copying import Copy


class _Export(options.OfFormats):
    """The command, which says how words in another order are meant."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of a command line; raise Refused with the right order where a format is among two or three words."""
        words = tuple(args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if hint := _corrected_command(words):
                raise failures.usage_fault(error, hint) from None
            raise


def _corrected_command(words: Sequence[str]) -> str:
    """Return the command that a format, a log and perhaps a file to create are words of; "" where they are not."""
    kind = next((word for word in words if word in EXPORTERS), "")
    files = [word for word in words if word != kind]
    if not kind or len(files) not in (1, 2) or any(word.startswith("-") for word in words):
        return ""
    log, *out = sorted(files, key=lambda file: not Path(file).exists())  # what is to be created is not there
    return shlex.join(("encounter", "export", kind, log, *(("--to", *out) if out else ())))


@click.command(cls=_Export, formats=EXPORTERS)
@click.argument("kind", metavar="FORMAT", type=options.Format(EXPORTERS))
@options.file
@click.option(
    "--to", "out", metavar="OUT", type=options.FilePath(), help="The file to create; by default standard output."
)
@click.option(
    ROUND,
    "number",
    metavar="N|N-M",
    help="Only this round, or these; 0 is the time before the first. By default all; svg takes the last.",
)
@options.audience
@click.option(TABLE, "table", type=click.Choice(("events", "rounds")), help="The table; by default events.")
@click.option(ZONE, "zone", metavar="ZONE", help="The time zone of moments, as Europe/Berlin; by default the system's.")
@click.option(STATEMENTS, "statements", is_flag=True, help="Include statements that agree with the facts.")
@click.option(
    "--withhold",
    "hidden",
    multiple=True,
    metavar="SEQ|secret",
    help="Leave out the payload of this record, or of all secret ones and their amendments that no ruling has revealed; may be repeated.",
)
@options.as_json
def export(
    kind: str,
    file: LogAddress,
    out: Path | None,
    number: str | None,
    audience: str | None,
    table: str | None,
    zone: str | None,
    statements: bool,
    hidden: tuple[str, ...],
    as_json: bool,
) -> int:
    """Export the log FILE in a FORMAT, to standard output or into the new file OUT.

    Every line is verified first; a damaged log is not exported. A torn tail, left by an interrupted append, is not part
    of the log: it is left out and reported, and the exit code is then 3.

    It prints the head of the log, for you to keep as an anchor; on standard error if the export goes to standard output. A
    withheld payload leaves its digest behind: digest and chain still verify, and the record is shown as *withheld*. The
    first record cannot be withheld. On a terminal, invisible characters are escaped; a file or pipe gets the export byte
    for byte.
    """
    to_stdout = out is None or str(out) == "-"
    if as_json and to_stdout:
        raise Refused("usage", "--json cannot be printed along with the export", "name a file for the export: --to OUT")
    given = {ROUND: number, TABLE: table, ZONE: zone, STATEMENTS: statements or None}
    exporting.check_options(kind, (name for name, value in given.items() if value is not None))
    shape: Table = "rounds" if table == "rounds" else "events"
    wanted = Wanted(exporting.parse_rounds(number), shape, exporting.parse_time_zone(zone), statements)
    to = None if to_stdout else out
    for_players = audience == "players"
    withhold = exporting.parse_withhold(hidden)
    _check_destination(kind, to)
    store = open_store(file, shows=to is not None or not sys.stdout.isatty())
    copy = copy_of(store, file, withhold, for_players=for_players)
    pieces = load_exporter(kind)(Session(copy, wanted, for_players=for_players))
    if to is None:
        output.write_pieces(pieces, as_json=EXPORTERS[kind].form != "text")
    else:
        copying.create_file(to, pieces)
        if EXPORTERS[kind].beside:
            _write_head(to, copy)
    withheld, unknown, problem = tuple(copy.withheld), copy.found.unknown, copy.found.problem
    done = Exported(str(to or "-"), copy.records, str(copy.head), withheld, unknown, problem)
    if as_json:
        output.print_json(done)
    else:
        (output.print_notes if to_stdout else output.print_lines)(_page_of(done, to_stdout))
    return failures.print_error(refusal_of_problem(file, problem)) if problem else failures.FINE


def _page_of(done: Exported, to_stdout: bool) -> list[str]:
    made = f"{count_noun(done.records, 'record')} exported"
    lines = [made] if to_stdout else wrap(f"{done.file}: {made}")
    lines.append(f"head {done.head}")
    lines += [clip(f"withheld: {format_numbers(done.withheld)}")] if done.withheld else []
    lines += [clip(f"of unknown type: {format_numbers(done.unknown)}")] if done.unknown else []
    return lines


def head_file_beside(out: Path) -> Path:
    """Return the name of the file with the head of an export that has no place for it."""
    return out.parent / f"{out.name}.head"


def _check_destination(kind: str, out: Path | None) -> None:
    """Raise Refused where an export cannot go."""
    row = EXPORTERS[kind]
    if out is None and (row.needs_file or (row.form == "binary" and sys.stdout.isatty())):
        raise Refused("usage", f"{kind} is not text, and not printed", "name a file for the export: --to OUT")
    for each in [out, *([head_file_beside(out)] if row.beside else [])] if out else []:
        check_free(str(each))


def _write_head(out: Path, copy: Copy) -> None:
    """Write the file beside an export; without it the export is removed, too."""
    try:
        copying.create_file(head_file_beside(out), [f"{copy.head}\n".encode()])
    except BaseException:
        out.unlink(missing_ok=True)
        raise
