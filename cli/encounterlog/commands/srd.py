"""`encounter srd`: a monster or a spell of the free reference documents, or of a campaign's folder, in numbers."""

import click

from encounterlog.core.documents import documents as found_documents
from encounterlog.core.documents import refusing
from encounterlog.errors import Refused
from encounterlog.terminal import options, output
from encounterlog.text_pages import documents as page
from projections.ruleset.documents import Record


@click.command(
    epilog="\b\nencounter srd goblin\nencounter srd fireball --edition 2024 --json\nencounter srd --campaign red-hills ash goblin"
)
@click.argument("name", nargs=-1)
@click.option("--edition", metavar="YEAR", help="The edition, such as 2024; by default that of logs which name none.")
@click.option("--campaign", metavar="FOLDER", help="The entry of this campaign's folder, instead of the document's.")
@click.option("--names", is_flag=True, help="List the names of all monsters and spells.")
@options.as_json
def command(name: tuple[str, ...], edition: str | None, campaign: str | None, names: bool, as_json: bool) -> None:
    """Print the monster or the spell NAME as the System Reference Document of an edition has it: numbers and types, no text.

    A name may be in the plural. For one that several have, all of them are listed, with --json as --names lists them. A
    combatant with srd=NAME on the sheet, as after join goblin*4, has these numbers unless the sheet has others.
    """
    documents = found_documents()
    said, where = " ".join(name), edition or documents.editions[0]
    with refusing():
        records = documents.records(where)
    if campaign is not None:
        from encounterlog.core import campaigns

        own = campaigns.in_folder(documents, campaign)
        where, records = own.name, own.records()
    if names:
        listed = _names(records)
        if as_json:
            output.json(listed)
        else:
            output.lines(page.names(listed))
        return
    if not name:
        raise Refused("usage", "missing argument 'NAME'", "such as encounter srd goblin; --names lists all")
    meant = documents.meant(records, said)
    found = [one for those in meant.values() for one in those]
    if as_json and len(found) == 1:
        output.json(found[0])
    elif len(found) == 1:
        output.lines(documents.lines(found[0], where))
    elif not found:
        raise page.unknown(documents, said, where, records)
    elif as_json:
        output.json(_names(meant))
    else:
        output.lines(page.several(documents, said, found))


def _names(records: dict[str, tuple[Record, ...]]) -> dict[str, list[str]]:
    """Return the names of records, by their kinds in the plural."""
    return {f"{kind}s": [one.name for one in those] for kind, those in records.items()}
