"""`encounter export`: write a verified log in some format, to a new file or to standard output."""

import shlex
import sys
from pathlib import Path
from typing import Annotated, Literal

import click

from encounterlog.cli import output
from encounterlog.cli.failures import FINE, print_error, usage_fault
from encounterlog.cli.options import Audience, File, Format, Json, OfFormats, argument, command, option
from encounterlog.errors import Refused
from encounterlog.exporters import EXPORTERS, ROUND, STATEMENTS, TABLE, ZONE, exporting, load_exporter
from encounterlog.exporters.session import Session, Wanted
from encounterlog.places.stores import check_free, open_store
from encounterlog.words.layout import clip, count_noun, format_numbers, wrap
from encounterlog.words.refusals import refusal_of_problem
from eventstore import copying


class _Export(OfFormats):
    """The command, which says how words in another order are meant."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of a command line; raise Refused with the right order where a format is among two or three words."""
        words = tuple(args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            kind = next((word for word in words if word in EXPORTERS), "")
            files = [word for word in words if word != kind]
            if not kind or len(files) not in (1, 2) or any(word.startswith("-") for word in words):
                raise
            log, *out = sorted(files, key=lambda file: not Path(file).exists())  # what is to be created is not there
            hint = shlex.join(("encounter", "export", kind, log, *(("--to", *out) if out else ())))
            raise usage_fault(error, hint) from None


_ROUNDS = "Only this round, or these; 0 is the time before the first. By default all; svg takes the last."
_WITHHOLD = "Leave out the payload of this record, or of all secret ones and their amendments that no ruling has revealed; may be repeated."


@command(
    option(f"{ZONE} ZONE", "The time zone of moments, as Europe/Berlin; by default the system's.", "zone"),
    kind=_Export,
    formats=EXPORTERS,
)
def export(
    kind: Annotated[str, argument("kind", "FORMAT", type=Format(EXPORTERS))],
    file: File,
    to: Annotated[Path | None, option("--to OUT", "The file to create; by default standard output.")],
    number: Annotated[str | None, option(f"{ROUND} N|N-M", _ROUNDS, "number")],
    audience: Audience,
    table: Annotated[Literal["events", "rounds"] | None, option(TABLE, "The table; by default events.")],
    zone: str | None,
    statements: Annotated[bool, option(STATEMENTS, "Include statements that agree with the facts.")],
    withhold: Annotated[tuple[str, ...], option("--withhold SEQ|secret", _WITHHOLD)],
    as_json: Json,
) -> int:
    """Export the log FILE in a FORMAT, to standard output or into the new file OUT.

    Every line is verified first; a damaged log is not exported. A torn tail, left by an interrupted append, is not part
    of the log: it is left out and reported, and the exit code is then 3.

    It prints the head of the log, for you to keep as an anchor; on standard error if the export goes to standard output. A
    withheld payload leaves its digest behind: digest and chain still verify, and the record is shown as *withheld*. The
    first record cannot be withheld. On a terminal, invisible characters are escaped; a file or pipe gets the export byte
    for byte.
    """
    to_stdout = to is None or str(to) == "-"
    if as_json and to_stdout:
        raise Refused("usage", "--json cannot be printed along with the export", "name a file for the export: --to OUT")
    given = {ROUND: number, TABLE: table, ZONE: zone, STATEMENTS: statements or None}
    exporting.check_options(kind, (name for name, value in given.items() if value is not None))
    wanted = Wanted(exporting.parse_rounds(number), table or "events", exporting.parse_time_zone(zone), statements)
    out, for_players, hidden = None if to_stdout else to, audience == "players", exporting.parse_withhold(withhold)
    row = EXPORTERS[kind]
    if out is None and (row.needs_file or (row.form == "binary" and sys.stdout.isatty())):
        raise Refused("usage", f"{kind} is not text, and not printed", "name a file for the export: --to OUT")
    beside = out.parent / f"{out.name}.head" if out and row.beside else None  # for the head, which has no place in it
    for each in filter(None, (out, beside)):
        check_free(str(each))
    store = open_store(file, shows=out is not None or not sys.stdout.isatty())
    copy = exporting.copy_of(store, file, hidden, for_players=for_players)
    pieces = load_exporter(kind)(Session(copy, wanted, for_players=for_players))
    if out is None:
        output.write_pieces(pieces, as_json=row.form != "text")
    else:
        copying.create_file(out, pieces)
    if out and beside:
        try:
            copying.create_file(beside, [f"{copy.head}\n".encode()])
        except BaseException:
            out.unlink(missing_ok=True)
            raise
    withheld, unknown, problem = tuple(copy.withheld), copy.found.unknown, copy.found.problem
    done = exporting.Exported(str(out or "-"), copy.records, str(copy.head), withheld, unknown, problem)
    if as_json:
        output.print_json(done)
    else:
        made = f"{count_noun(done.records, 'record')} exported"
        lines = [made] if to_stdout else wrap(f"{done.file}: {made}")
        lines.append(f"head {done.head}")
        lines += [clip(f"withheld: {format_numbers(withheld)}")] if withheld else []
        lines += [clip(f"of unknown type: {format_numbers(unknown)}")] if unknown else []
        (output.print_notes if to_stdout else output.print_lines)(lines)
    return print_error(refusal_of_problem(file, problem)) if problem else FINE
