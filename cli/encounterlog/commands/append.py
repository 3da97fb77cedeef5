"""`encounter append`: facts as JSON lines into a log, all or nothing."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from encounterlog.edge import options, output
from encounterlog.edge.failures import FINE, REFUSED, Failure

if TYPE_CHECKING:
    from eventstore.store import Mode


@click.command(epilog='\b\necho \'{"type":"round_started","round":1}\' | encounter append ford.jsonl')
@options.file
@click.argument("events", default="-", metavar="[EVENTS|-]", type=click.Path(path_type=Path, readable=False))
@click.option("--after", type=click.IntRange(min=0), metavar="SEQ", help="Only if the log still ends with this record.")
@click.option("--key", metavar="TEXT", help="Makes it safe to repeat: the same facts under the same key add nothing.")
@options.mode
@options.network_drive
@options.by
def command(
    file: Path, events: Path, after: int | None, key: str | None, mode: "Mode", network_drive: bool, by: str
) -> int:
    """Append facts to the log FILE, all or nothing.

    One JSON object a line, from the file EVENTS or from standard input. A line is a fact, {"type": ...}, or
    {"event": {...}, "secret": true, "key": ...} where more is to be said. Lines that are wrong are refused, each with
    its number, field and reason, and then nothing at all is written. What only breaks a rule of the game is written
    down, and said: encounter audit finds it. Typed at a terminal, each line is checked and written at once.

    Times may be written "1 round", actions "attack" or "cast sleep". In amended, a replacement without a type gives only
    what changes.
    """
    from encounterlog.reading.logs import Log
    from encounterlog.writing import appending, raised

    log = Log(file, network_drive=network_drive)
    appending.check_readable(log)
    if str(events) == "-" and key is None and sys.stdin.isatty():
        from encounterlog.writing import prompt

        return prompt.run(file, by=by, after=after, mode=mode, network_drive=network_drive)
    done = appending.append(log, appending.facts(_text(events)), by=by, after=after, key=key, mode=mode)
    output.lines(done.says)
    output.notes(raised.lines(done))
    return FINE


def _text(events: Path) -> bytes:
    """Read all of the input."""
    from eventstore.store import LARGEST_APPEND

    if str(events) == "-":
        return sys.stdin.buffer.read(LARGEST_APPEND + 1)
    try:
        with events.open("rb") as file:
            return file.read(LARGEST_APPEND + 1)
    except (OSError, ValueError) as error:
        hint = "facts come from a file or from standard input: echo '{…}' | encounter append FILE -"
        typed = str(events).lstrip().startswith(("{", "["))
        why = str(getattr(error, "strerror", None) or error).lower()
        raise Failure(REFUSED, f"{events}: {why}", hint if typed else "") from None
