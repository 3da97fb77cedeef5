"""`encounter srd`: what the free reference documents, or a campaign's folder, say of a monster or a spell, in numbers."""

import click

from encounterlog import srd
from encounterlog.errors import Refused
from encounterlog.terminal import options, output
from encounterlog.text_pages import srd as page
from projections.rulesets.fifth_edition.srd.records import Monster, Spell


@click.command(
    epilog="\b\nencounter srd goblin\nencounter srd fireball --edition 2024 --json\nencounter srd --campaign red-hills ash goblin"
)
@click.argument("name", nargs=-1)
@click.option("--edition", metavar="YEAR", default="2014", show_default=True, help="The edition: 2014 or 2024.")
@click.option("--campaign", metavar="FOLDER", help="What this folder of a campaign knows, instead of the document.")
@click.option("--names", is_flag=True, help="List the names of all monsters and spells.")
@options.as_json
def command(name: tuple[str, ...], edition: str, campaign: str | None, names: bool, as_json: bool) -> None:
    """Print what the System Reference Document of an edition says of the monster or the spell NAME: numbers and types, no text.

    A name may be in the plural. For one that several have, all of them are listed, with --json as --names lists them. A combatant with srd=NAME on the sheet, such
    as join goblin*4 makes them in 5e, has these numbers where the sheet says nothing else.
    """
    said, where, monsters, spells = " ".join(name), edition, srd.monsters(edition), srd.spells(edition)
    if campaign is not None:
        from encounterlog.core import campaigns

        own = campaigns.in_folder(campaign)
        where, monsters, spells = own.name, own.monsters, own.spells
    if names:
        listed = _names((*monsters, *spells))
        if as_json:
            output.json(listed)
        else:
            output.lines(page.names(listed))
        return
    if not name:
        raise Refused("usage", "missing argument 'NAME'", "such as encounter srd goblin; --names lists all")
    found = srd.among(monsters, spells, said)
    if as_json and len(found) == 1:
        output.json(found[0])
    elif len(found) == 1:
        output.lines(page.lines(found[0], where))
    elif not found:
        raise page.unknown(said, where, monsters, spells)
    elif as_json:
        output.json(_names(found))
    else:
        output.lines(page.several(said, found))


def _names(those: tuple[Monster | Spell, ...]) -> dict[str, list[str]]:
    """Return the names of monsters and of spells."""
    return {
        "monsters": [one.name for one in those if isinstance(one, Monster)],
        "spells": [one.name for one in those if isinstance(one, Spell)],
    }
