"""`encounter undo`, `redo`, `strike`, `amend` and `ruling`: corrections, each of which is one append, or a dry run."""

import json
import sys
from collections.abc import Sequence
from typing import Annotated, Literal

import click
from msgspec import Struct

from encounterlog.ask import compare
from encounterlog.cli import appended, output
from encounterlog.cli.add import add
from encounterlog.cli.failures import FINE
from encounterlog.cli.options import By, File, NetworkDrive, argument, command, option, whole
from encounterlog.errors import Refused
from encounterlog.log import appending, correcting, folded_log
from encounterlog.log.folded_log import kept_view
from encounterlog.log.logs import LogView
from encounterlog.words.layout import count_noun
from eventstore.address import LogAddress
from eventstore.record import upcast
from projections.explaining.forks import Fork

WITH, ALONE, STOP = "with", "alone", "stop"
CONSEQUENCES = option(
    "--with-consequences/--alone",
    "Strike the consequences of the struck facts, too, or leave them; without either, a terminal asks.",
    default=None,
)
_COUNT = argument("number", "[N]", type=whole(1), default=1)
_AFTER = option("--after SEQ", "Write only if the log still ends with this record.")
_DRY_RUN = option("--dry-run", "Write nothing; show the facts that would be written, and their changes.")


class Writing(Struct, frozen=True):
    """How corrections of a log are written: their reason, the record that it must end with, by whom, or not at all."""

    because: Annotated[str | None, option("--because TEXT", "The reason; it is kept in the log.")]
    after: Annotated[int | None, _AFTER]
    dry_run: Annotated[bool, _DRY_RUN]
    network_drive: NetworkDrive
    by: By

    def log(self, file: LogAddress) -> LogView:
        """Return the log that is corrected."""
        return kept_view(file, network_drive=self.network_drive)


def _write(log: LogView, facts: Sequence[correcting.Fact], how: Writing, *, if_unchanged: bool = False) -> int:
    """Append corrections as one batch, unless others have written since the log was read if `if_unchanged`, or show their changes."""
    lines = appending.read_fact_lines("\n".join(map(json.dumps, facts)).encode())
    if how.dry_run:
        appending.check_readable(log)
        drafts = appending.drafts_of(log, lines)
        fork = Fork(tuple(upcast(draft.event) for draft in drafts))
        actual, other, found = correcting.diff_with_fork(log, fork, None)
        says = f"{count_noun(len(drafts), 'fact')} would be appended:"
        output.print_lines([says, *correcting.describe_appended(log, drafts)])
        output.print_lines(compare.format_differences(found, actual, other, ("as it is", "then")))
        return FINE
    read = log.last.seq if if_unchanged and log.last else None
    done = appending.append_lines(log, lines, by=how.by, after=read if how.after is None else how.after, key=None)
    output.print_lines([*correcting.describe_appended(log, done.drafts), *done.says])
    appended.print_findings(folded_log.new_findings(done))
    return FINE


def _ask_about_consequences(says: str, lines: list[str]) -> bool:
    """Return whether the user at a terminal strikes these facts, too; raise Refused to stop, and where nobody can be asked."""
    if not _is_interactive():
        hint = "--with-consequences strikes them too, --alone leaves them"
        raise Refused("usage", f"{says}; nothing was written", hint, lines)
    output.print_lines([f"{says}:", *lines])
    chosen: str = click.prompt("strike them too", type=click.Choice(("with", "alone", "stop")), default="stop")
    if chosen == "stop":
        raise Refused("usage", "nothing was written")
    return chosen == "with"


def _is_interactive() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


@command(_COUNT, CONSEQUENCES, examples="encounter undo ford.jsonl 2     the last two appends")
def undo(file: File, number: int, with_consequences: bool | None, how: Writing) -> int:
    """Take back the last append to the log FILE, or the last N; facts that were appended together go together.

    Nothing is erased: an undo is a strike, and encounter redo strikes that. Undo again to go further back. The
    consequences of an undone fact are shown first. At a terminal the command asks about them; elsewhere it wants
    --with-consequences or --alone, and ends with 2 if neither is given.
    """
    log = how.log(file)
    facts = correcting.undoing_strikes(log, number, how.because, with_consequences, _ask_about_consequences)
    return _write(log, facts, how, if_unchanged=True)


@command(_COUNT, examples="encounter redo ford.jsonl")
def redo(file: File, number: int, how: Writing) -> int:
    """Take back the last undo of the log FILE, or the last N, as long as nothing else was appended since."""
    log = how.log(file)
    return _write(log, correcting.redoing_strikes(log, number, how.because), how, if_unchanged=True)


@command(
    argument("seqs", "N...", type=whole(1), required=True),
    CONSEQUENCES,
    examples="encounter strike ford.jsonl 19 --because 'wrong target'",
)
def strike(file: File, seqs: tuple[int, ...], with_consequences: bool | None, how: Writing) -> int:
    """Take the records N out of the corrected stream of the log FILE; they stay in the file, with the strike.

    The consequences of a struck fact are shown first. At a terminal the command asks about them; elsewhere it wants
    --with-consequences or --alone, and ends with 2 if neither is given. To take back a strike, strike it.
    """
    log = how.log(file)
    strikes = correcting.make_strikes(log, seqs, how.because, with_consequences, _ask_about_consequences)
    output.print_notes(correcting.struck_before(log, seqs))
    return _write(log, strikes, how, if_unchanged=True)


@command(
    argument("seq", "N", type=whole(1)),
    argument("fields", "FIELD=VALUE...", required=True),
    examples="encounter amend ford.jsonl 19 amount=3 --because misread\n"
    "encounter amend ford.jsonl 18 action.name=spear",
)
def amend(file: File, seq: int, fields: tuple[str, ...], how: Writing) -> int:
    """Amend record N of the log FILE: these fields change, all others stay.

    A field inside another is written with a dot; a value is JSON, or else text. The record stays in the file as it is.
    A note becomes facts at its place with into: encounter amend FILE 17 into Ana hits orc 1 for 5
    """
    if fields[0] == "into":
        if how.because or how.dry_run:
            raise Refused("usage", "amend FILE N into LINE takes neither --because nor --dry-run", "leave it out")
        words = (" ".join(("amend", str(seq), *fields)),)
        given = {"file": file, "words": words, "after": how.after, "network_drive": how.network_drive, "by": how.by}
        code: int = click.get_current_context().invoke(add, **given)
        return code
    log = how.log(file)
    code = _write(log, [correcting.make_amendment(seq, fields, how.because)], how)
    output.print_notes(correcting.struck_before(log, (seq,)))
    return code


@command(
    option("--combatant ID", "A combatant that it is about, in order; repeatable.", "combatants"),
    examples="encounter ruling ford.jsonl waiver 'the rope held' --event 19 --because 'we agreed'\n"
    "encounter ruling ford.jsonl override 'Ana stands' --set ana.status=up\n"
    "encounter ruling ford.jsonl tie 'Ana before Bo' --combatant ana --combatant bo",
)
def ruling(
    file: File,
    kind: Annotated[Literal["tie", "waiver", "override", "grant", "fact", "reveal"], argument("kind")],
    decision: Annotated[str, argument("decision")],
    event: Annotated[int | None, option("--event N", "The record that it is about.", type=whole(1))],
    rule: Annotated[str | None, option("--rule ID", "The clause that it is about.")],
    subject: Annotated[str | None, option("--subject WORD", "Its subject, in a word.")],
    combatants: tuple[str, ...],
    pairs: Annotated[tuple[str, ...], option("--set ADDRESS=VALUE", "A value that it sets; repeatable.")],
    how: Writing,
) -> int:
    """Record a ruling in the log FILE: it settles a tie, waives a breach, overrides a value, grants something.

    DECISION is the decision, --because its reason. A waived breach is shown as ruled, not hidden. reveal puts a
    secret record, --event N, back into the players' view.
    """
    values = correcting.parse_fields(pairs, "ADDRESS")
    about = {"event": event, "rule": rule, "subject": subject, "combatants": combatants, "values": values}
    if kind == "override" and not values:
        such = "--set ADDRESS=VALUE, such as --set ana.status=up"
        output.print_notes([f"note: it sets no value, so that nothing changes: {such}"])
    if kind == "reveal" and event is None:
        output.print_notes(["note: it reveals nothing: --event N names the record"])
    return _write(how.log(file), [correcting.make_ruling(kind, decision, how.because, about)], how)
