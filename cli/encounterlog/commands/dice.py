"""`encounter dice`: a chain of commitments from which dice are drawn, so that nobody can doubt them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

import click

from encounterlog.core import chains
from encounterlog.core.logs import LogView, tolerant
from encounterlog.terminal import options, output
from encounterlog.terminal.failures import FINE
from encounterlog.text_pages import fairness as page
from eventstore.address import LogAddress
from projections.explaining.fairness import fairness

if TYPE_CHECKING:
    from eventstore.record import Recorded


@click.command(
    epilog="\b\nencounter dice ford.jsonl start     before the fight\nencounter add --word ana:heron ford.jsonl b o d20+5 d8\n"
    "encounter verify ford.jsonl --dice"
)
@options.file
@click.argument("action", metavar="[start]", type=click.Choice(["start"]), required=False)
@click.option("--because", metavar="TEXT", help="The reason for a second chain, such as a lost secret.")
@click.option("--seed", metavar="TEXT", help="Make the secret from a seed, always the same, for scripts.")
@options.network_drive
@options.audience
@options.by
@options.as_json
def command(
    file: LogAddress,
    action: Literal["start"] | None,
    because: str | None,
    seed: str | None,
    network_drive: bool,
    audience: str | None,
    by: str,
    as_json: bool,
) -> int:
    """Show the origin of the dice of the log FILE; with start, begin a chain from which they are drawn.

    The command draws a secret and hashes it 10,000 times; the recorded last hash fixes all dice before they are
    rolled. Each roll reveals one hash more and takes a fresh entropy word of another person, from a browser that has
    the page open or from --word: such dice are proven. With an entropy word of the secret's holder they are bound;
    all others are typed. The secret is in FILE.dice, for its owner alone.

    No chain is begun while one can still be used, unless its secret is lost: say so with --because. encounter verify FILE --dice reports it.
    """
    if action and audience:
        raise click.UsageError("start does not go with --for: a chain is begun in the whole log")
    log = LogView(file, secrets=audience != "players", network_drive=network_drive)
    begun = chains.begin(log, by=by, seed=seed, because=because) if action == "start" else None
    return _print(begun or tolerant(log), as_json=as_json)


def _print(records: "Iterable[Recorded]", *, as_json: bool) -> int:
    """Print where the dice of these records come from."""
    found = fairness(records)
    if as_json:
        output.json(page.document(found))
    else:
        output.lines(page.page(found))
    return FINE
