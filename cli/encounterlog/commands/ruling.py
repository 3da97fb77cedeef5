"""`encounter ruling`: the game master's word."""

from collections.abc import Mapping

import click

from encounterlog.core import correcting
from encounterlog.core.logs import LogView
from encounterlog.terminal import corrections, options, output
from eventstore.address import LogAddress

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
@options.correction
def command(
    file: LogAddress,
    kind: str,
    decision: str,
    event: int | None,
    rule: str | None,
    subject: str | None,
    combatants: tuple[str, ...],
    pairs: tuple[str, ...],
    how: options.Writing,
) -> int:
    """Record a ruling in the log FILE: it settles a tie, waives a breach, overrides a value, grants something.

    DECISION is the decision, --because its reason. A waived breach is shown as ruled, not hidden. reveal puts a
    secret record, --event N, back into the players' view.
    """
    values = correcting.values(pairs)
    about = {"event": event, "rule": rule, "subject": subject, "combatants": combatants, "values": values}
    output.notes(_without_effect(kind, values, event))
    log = LogView(file, network_drive=how.network_drive)
    fact = correcting.ruling(kind, decision, how.because, about)
    return corrections.write(log, [fact], how)


def _without_effect(kind: str, values: Mapping[str, object], event: int | None) -> list[str]:
    """Return a note if a ruling lacks what it needs to change anything."""
    if kind == "override" and not values:
        return ["note: it sets no value, so that nothing changes: --set ADDRESS=VALUE, such as --set ana.status=up"]
    if kind == "reveal" and event is None:
        return ["note: it reveals nothing: --event N names the record"]
    return []
