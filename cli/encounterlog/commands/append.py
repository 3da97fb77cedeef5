"""`encounter append`: add facts to a log as JSON lines, all or nothing."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from encounterlog.core import appending
from encounterlog.core.logs import LogView
from encounterlog.errors import Refused
from encounterlog.terminal import appended, options, output, prompt
from encounterlog.terminal.failures import FINE
from eventstore.address import LogAddress
from eventstore.store import LARGEST_APPEND

if TYPE_CHECKING:
    from eventstore.store import Mode


@click.command(epilog='\b\necho \'{"type":"round_started","round":1}\' | encounter append ford.jsonl')
@options.file
@click.argument("events", default="-", metavar="[EVENTS|-]", type=options.FilePath(readable=False))
@click.option(
    "--after", type=options.Whole(), metavar="SEQ", help="Append only if the log still ends with this record."
)
@click.option(
    "--key", metavar="TEXT", help="An idempotency key: repeated with the same key, the same facts are not added again."
)
@click.option(
    "--with-consequences",
    is_flag=True,
    help="Strike with a record all that it caused; without this, a notice names the facts that stand.",
)
@options.mode
@options.network_drive
@options.by
def command(
    file: LogAddress,
    events: Path,
    after: int | None,
    key: str | None,
    with_consequences: bool,
    mode: "Mode",
    network_drive: bool,
    by: str,
) -> int:
    """Append facts to the log FILE, all or nothing.

    One JSON object per line, from the file EVENTS or from standard input. A line is a fact, {"type": ...}, or
    {"event": {...}, "secret": true, "key": ...} to mark it secret or give it a key. If any line is malformed, nothing
    is written, and each such line is listed with its number, field and reason. A fact that breaks a rule of the game is
    written; the findings that it raises are printed on standard error. Lines typed at a terminal are checked and
    written one by one; there, and in the place of EVENTS, help lists the types of facts.

    A time may be written as "1 round", an action as "attack" or "cast sleep". In an amended fact, a replacement
    without a type has only the fields that change.
    """
    if key is not None and with_consequences:
        raise click.UsageError(
            "--key does not go with --with-consequences: the consequences may differ the second time"
        )
    log = LogView(file, network_drive=network_drive)
    appending.check_readable(log)
    if str(events) == "-" and key is None and sys.stdin.isatty():
        return prompt.run(log, by=by, after=after, mode=mode, with_consequences=with_consequences)
    text = b"help" if str(events) == "help" and not events.exists() else _text(events)
    if text.split()[:1] == [b"help"]:
        return _help(text)
    facts = appending.facts(text)
    done = appending.append(log, facts, by=by, after=after, key=key, mode=mode, with_consequences=with_consequences)
    output.lines(done.says)
    appended.report(done)
    return FINE


def _help(text: bytes) -> int:
    """Print what the prompt answers to this question for help."""
    output.lines(prompt.help_(b" ".join(text.split()[1:]).decode(errors="replace")))
    return FINE


def _text(events: Path) -> bytes:
    """Return the whole input; raise Refused if the file cannot be read."""
    if str(events) == "-":
        return sys.stdin.buffer.read(LARGEST_APPEND + 1)
    try:
        with events.open("rb") as file:
            return file.read(LARGEST_APPEND + 1)
    except (OSError, ValueError) as error:
        hint = "facts come from a file or from standard input: echo '{…}' | encounter append FILE -"
        typed = str(events).lstrip().startswith(("{", "["))
        why = str(getattr(error, "strerror", None) or error).lower()
        raise Refused("refused", f"{events}: {why}", hint if typed else "") from None
