"""`encounter amend`: put other fields into a fact."""

import click

from encounterlog.core import correcting
from encounterlog.core.logs import LogView
from encounterlog.terminal import corrections, options, output
from eventstore.address import LogAddress


@click.command(
    epilog="\b\nencounter amend ford.jsonl 19 amount=3 --because misread\nencounter amend ford.jsonl 18 action.name=spear"
)
@options.file
@click.argument("seq", metavar="N", type=options.Whole(1))
@click.argument("fields", metavar="FIELD=VALUE...", nargs=-1, required=True)
@options.correction
def command(
    file: LogAddress,
    seq: int,
    fields: tuple[str, ...],
    how: options.Writing,
) -> int:
    """Amend record N of the log FILE: these fields change, all others stay.

    A field inside another is written with a dot; a value is JSON, or else text. The record stays in the file as it is.
    """
    log = LogView(file, network_drive=how.network_drive)
    code = corrections.write(log, [correcting.amendment(seq, fields, how.because)], how)
    output.notes(correcting.struck_before(log, (seq,)))
    return code
