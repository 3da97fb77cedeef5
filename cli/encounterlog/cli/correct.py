"""`encounter undo`, `redo`, `strike`, `amend` and `ruling`: corrections.

The facts that depend on a struck one are shown first; all of it is one append, or a dry run.
"""

import json
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import click
from msgspec import Struct

from encounterlog.ask import compare
from encounterlog.cli import appended, options, output
from encounterlog.cli.add import add
from encounterlog.cli.failures import FINE
from encounterlog.errors import Refused
from encounterlog.log import appending, correcting, forking, write
from encounterlog.log.folded_log import kept_view
from encounterlog.log.logs import LogView
from encounterlog.words.layout import count_noun
from eventstore.address import LogAddress
from eventstore.record import upcast
from projections.explaining.forks import Fork

WITH, ALONE, STOP = "with", "alone", "stop"


class Writing(Struct, frozen=True):
    """How corrections of a log are written: their reason, the record that it must end with, by whom, or not at all."""

    log: LogView
    because: str | None
    after: int | None
    dry_run: bool
    network_drive: bool
    by: str


def _correction_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options that all corrections have; it gets their values, and the log, as `how`."""

    @wraps(command)
    def run(file: LogAddress, **given: Any) -> int:
        values = {name: given.pop(name) for name in ("because", "after", "dry_run", "network_drive", "by")}
        how = Writing(kept_view(file, network_drive=values["network_drive"]), **values)
        return command(**given, how=how)

    made: Callable[..., int] = run
    for option in (options.by, options.network_drive, options.dry_run, options.after, options.because):
        made = option(made)
    return made


def _write_corrections(facts: Sequence[correcting.Fact], how: Writing, *, if_unchanged: bool = False) -> int:
    """Append corrections as one batch, or only show their changes; return the exit code.

    With `if_unchanged` they are refused if another writer has appended since the log was read to choose them.
    """
    log = how.log
    lines = appending.read_fact_lines("\n".join(map(json.dumps, facts)).encode())
    if how.dry_run:
        appending.check_readable(log)
        drafts = appending.drafts_of(log, lines)
        fork = Fork(tuple(upcast(draft.event) for draft in drafts))
        actual, other, found = forking.diff_with_fork(log, fork, None)
        count = count_noun(len(drafts), "fact")
        output.print_lines([f"{count} would be appended:", *correcting.describe_appended(log, drafts)])
        output.print_lines(compare.format_differences(found, actual, other, ("as it is", "then")))
        return FINE
    read = log.last.seq if if_unchanged and log.last else None
    done = appending.append_lines(log, lines, by=how.by, after=read if how.after is None else how.after, key=None)
    output.print_lines([*correcting.describe_appended(log, done.drafts), *done.says])
    appended.print_findings(write.new_findings(done))
    return FINE


def _ask_about_consequences(says: str, lines: list[str]) -> bool:
    """Return whether the user at a terminal strikes these facts, too; raise Refused to stop, and where nobody can be asked."""
    if not _is_interactive():
        hint = "--with-consequences strikes them too, --alone leaves them"
        raise Refused("usage", f"{says}; nothing was written", hint, lines)
    output.print_lines([f"{says}:", *lines])
    chosen: str = click.prompt("strike them too", type=click.Choice((WITH, ALONE, STOP)), default=STOP)
    if chosen == STOP:
        raise Refused("usage", "nothing was written")
    return chosen == WITH


def _is_interactive() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


@click.command(epilog="\b\nencounter undo ford.jsonl 2     the last two appends")
@options.file
@click.argument("number", metavar="[N]", type=options.Whole(1), default=1)
@options.consequences
@_correction_options
def undo(number: int, with_consequences: bool | None, how: Writing) -> int:
    """Take back the last append to the log FILE, or the last N; facts that were appended together go together.

    Nothing is erased: an undo is a strike, and encounter redo strikes that. Undo again to go further back. The
    consequences of an undone fact are shown first. At a terminal the command asks about them; elsewhere it wants
    --with-consequences or --alone, and ends with 2 if neither is given.
    """
    facts = correcting.undoing_strikes(how.log, number, how.because, with_consequences, _ask_about_consequences)
    return _write_corrections(facts, how, if_unchanged=True)


@click.command(epilog="\b\nencounter redo ford.jsonl")
@options.file
@click.argument("number", metavar="[N]", type=options.Whole(1), default=1)
@_correction_options
def redo(number: int, how: Writing) -> int:
    """Take back the last undo of the log FILE, or the last N, as long as nothing else was appended since."""
    return _write_corrections(correcting.redoing_strikes(how.log, number, how.because), how, if_unchanged=True)


@click.command(epilog="\b\nencounter strike ford.jsonl 19 --because 'wrong target'")
@options.file
@click.argument("seqs", metavar="N...", type=options.Whole(1), nargs=-1, required=True)
@options.consequences
@_correction_options
def strike(seqs: tuple[int, ...], with_consequences: bool | None, how: Writing) -> int:
    """Take the records N out of the corrected stream of the log FILE; they stay in the file, with the strike.

    The consequences of a struck fact are shown first. At a terminal the command asks about them; elsewhere it wants
    --with-consequences or --alone, and ends with 2 if neither is given. To take back a strike, strike it.
    """
    strikes = correcting.make_strikes(how.log, seqs, how.because, with_consequences, _ask_about_consequences)
    output.print_notes(correcting.struck_before(how.log, seqs))
    return _write_corrections(strikes, how, if_unchanged=True)


@click.command(
    epilog="\b\nencounter amend ford.jsonl 19 amount=3 --because misread\nencounter amend ford.jsonl 18 action.name=spear"
)
@options.file
@click.argument("seq", metavar="N", type=options.Whole(1))
@click.argument("fields", metavar="FIELD=VALUE...", nargs=-1, required=True)
@_correction_options
def amend(seq: int, fields: tuple[str, ...], how: Writing) -> int:
    """Amend record N of the log FILE: these fields change, all others stay.

    A field inside another is written with a dot; a value is JSON, or else text. The record stays in the file as it is.
    A note becomes facts at its place with into: encounter amend FILE 17 into Ana hits orc 1 for 5
    """
    if fields[0] == "into":
        if how.because or how.dry_run:
            raise Refused("usage", "amend FILE N into LINE takes neither --because nor --dry-run", "leave it out")
        line = " ".join(("amend", str(seq), *fields))
        given = {"after": how.after, "network_drive": how.network_drive, "by": how.by}
        code: int = click.get_current_context().invoke(add, file=how.log.path, words=(line,), **given)
        return code
    code = _write_corrections([correcting.make_amendment(seq, fields, how.because)], how)
    output.print_notes(correcting.struck_before(how.log, (seq,)))
    return code


KINDS = ("tie", "waiver", "override", "grant", "fact", "reveal")


@click.command(
    epilog="\b\nencounter ruling ford.jsonl waiver 'the rope held' --event 19 --because 'we agreed'\n"
    "encounter ruling ford.jsonl override 'Ana stands' --set ana.status=up\n"
    "encounter ruling ford.jsonl tie 'Ana before Bo' --combatant ana --combatant bo"
)
@options.file
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("decision")
@click.option("--event", type=options.Whole(1), metavar="N", help="The record that it is about.")
@click.option("--rule", metavar="ID", help="The clause that it is about.")
@click.option("--subject", metavar="WORD", help="Its subject, in a word.")
@click.option(
    "--combatant", "combatants", multiple=True, metavar="ID", help="A combatant that it is about, in order; repeatable."
)
@click.option("--set", "pairs", multiple=True, metavar="ADDRESS=VALUE", help="A value that it sets; repeatable.")
@_correction_options
def ruling(
    kind: str,
    decision: str,
    event: int | None,
    rule: str | None,
    subject: str | None,
    combatants: tuple[str, ...],
    pairs: tuple[str, ...],
    how: Writing,
) -> int:
    """Record a ruling in the log FILE: it settles a tie, waives a breach, overrides a value, grants something.

    DECISION is the decision, --because its reason. A waived breach is shown as ruled, not hidden. reveal puts a
    secret record, --event N, back into the players' view.
    """
    values = correcting.parse_values(pairs)
    about = {"event": event, "rule": rule, "subject": subject, "combatants": combatants, "values": values}
    if kind == "override" and not values:
        lacks = "it sets no value, so that nothing changes: --set ADDRESS=VALUE, such as --set ana.status=up"
        output.print_notes([f"note: {lacks}"])
    if kind == "reveal" and event is None:
        output.print_notes(["note: it reveals nothing: --event N names the record"])
    fact = correcting.make_ruling(kind, decision, how.because, about)
    return _write_corrections([fact], how)
