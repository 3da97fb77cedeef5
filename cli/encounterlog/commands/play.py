"""`encounter play`: the table prompt."""

from typing import TYPE_CHECKING

import click

from encounterlog.terminal import options
from encounterlog.terminal import playing as table
from eventstore.address import LogAddress

if TYPE_CHECKING:
    from eventstore.store import Mode


@click.command(epilog="\b\nencounter play ford.jsonl\nencounter play --plain ford.jsonl")
@options.file
@click.option(
    "--plain",
    is_flag=True,
    help="Print only new facts: nothing stays in view and no cursor moves, for screen readers.",
)
@click.option("--seed", metavar="TEXT", help="Roll dice from a seed, always the same.")
@options.mode
@options.network_drive
@options.by
def command(file: LogAddress, plain: bool, seed: str | None, mode: "Mode", network_drive: bool, by: str) -> int:
    """Type lines of the table grammar into the log FILE, each written before the next prompt.

    Below the prompt stand the clock, the order, and the next combatant with their remaining resources. Each fact is
    echoed as a sentence, and a broken rule is reported at once. Tab completes names and words, first those of
    combatants who may act. On the empty line below a refusal
    Enter writes the first of the lines that it offers, 2 and 3 the others (with --plain, followed by Enter), and Esc goes back to the line. F2,
    or Esc and ?, explains the typed value or the broken rule; ? lists the forms, u takes the last line back; quit or
    Ctrl-D ends.
    Ctrl-C sets the line aside, and the Up key brings it back.

    `word NAME WORD` gives another person's entropy word for the next dice of a chain (encounter dice). Several lines can be pasted, or come from standard input; then the exit code is 4 if one was refused.
    """
    return table.run(file, plain=plain, seed=seed, by=by, mode=mode, network_drive=network_drive)
