"""`encounter add`: one line of the table grammar."""

from typing import TYPE_CHECKING

import click

from encounterlog.terminal import options
from encounterlog.terminal.adding import add
from eventstore.address import LogAddress

if TYPE_CHECKING:
    from eventstore.store import Mode


@click.command(
    context_settings={"allow_interspersed_args": False},
    epilog="\b\nencounter add ford.jsonl join Brand party hp=14\nencounter add ford.jsonl b o 14 6\n"
    "encounter add ford.jsonl b -6n\nencounter add ford.jsonl help",
)
@options.file
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--after", type=options.Whole(), metavar="SEQ", help="Append only if the log still ends with this record."
)
@click.option("--seed", metavar="TEXT", help="Roll dice from a seed, always the same, for scripts.")
@click.option("--word", metavar="NAME:WORD", help="An entropy word of another person for dice of a chain.")
@options.mode
@options.network_drive
@options.by
def command(
    file: LogAddress,
    words: tuple[str, ...],
    after: int | None,
    seed: str | None,
    word: str | None,
    mode: "Mode",
    network_drive: bool,
    by: str,
) -> int:
    """Add one line of the table grammar to the log FILE, and print its facts as sentences.

    Options stand before FILE; everything after it is the line. `b o 14 6` means: Brand attacks the ogre, rolls 14, hits
    for 6. Names may be as short as they are unique. In a shell, quote a word that begins with a quotation mark, # or
    ?, or that contains blanks. `encounter add FILE help` lists the forms. If a refusal offers lines at a terminal,
    Enter writes the first, 2 and 3 the others, and any other key nothing.
    """
    return add(file, words, after=after, seed=seed, word=word, mode=mode, network_drive=network_drive, by=by)
