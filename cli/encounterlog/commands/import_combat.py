"""`encounter import`: create a log from a combat that another program recorded, or from another log."""

from pathlib import Path

import click

from encounterlog.bulk.how import How
from encounterlog.errors import Refused
from encounterlog.importers import IMPORTERS
from encounterlog.importers.transcript import USUAL
from encounterlog.storage.stores import address
from encounterlog.terminal import options, output
from encounterlog.terminal.many_options import of_many
from eventstore.address import LogAddress


@click.command(cls=options.OfFormats, formats=IMPORTERS)
@click.argument("kind", metavar="FORMAT", type=options.Format(IMPORTERS))
@click.argument("source", type=options.Located(folders=True, stdin=True))
@click.argument("file", type=options.Located(folders=True))
@click.option(
    "--ruleset",
    metavar="KEY",
    default="",
    help=f"The ruleset of the log, which must take recordings; by default {USUAL}. For events any; by default the mapping's.",
)
@click.option(
    "--map",
    "mapping",
    metavar="FILE",
    default="",
    help="For events: the file that maps each kind of line to facts.",
)
@click.option(
    "--edition",
    metavar="YEAR",
    default="",
    help="The edition, for a ruleset with reference documents; by default the first. A creature with the name and the numbers of one of its monsters has that stat block.",
)
@click.option("--title", help="The title of the encounter; by default that of the recording.")
@click.option("--talk", is_flag=True, help="Keep people's talk, as notes.")
@options.network_drive
@options.by
@of_many
@options.as_json
def command(
    kind: str,
    source: LogAddress,
    file: LogAddress,
    ruleset: str,
    mapping: str,
    edition: str,
    title: str | None,
    talk: bool,
    network_drive: bool,
    by: str,
    how: How | None,
    as_json: bool,
) -> int:
    """Create the log FILE from SOURCE, a recorded combat or another log; - is standard input.

    The deeds of people and the program become facts. Each state in the recording is kept as statements, and compared
    with the values derived from the facts. Values that differ are set right. The table at the end counts, for each kind of
    value, the states in which it agreed by itself, was set right with a cause, or was set right without; the last are
    listed with their lines. With the ruleset of its game the log also has the recording's sheets, the options that
    fit the bot, and an audit by the rules. The exit code is 0 if the log was written, even if values differ.

    Another log (FORMAT jsonl) is verified and copied byte for byte, with its title, writers and times. A torn tail is not
    copied.

    If SOURCE is a folder, each of its recordings (*.jsonl, *.jsonl.gz) becomes a log of the folder FILE and is audited; a line
    each is printed, as by encounter audit FOLDER, and the exit code is the highest. With --resume it skips recordings
    whose log is there already.
    """
    from encounterlog.importers import importing  # with rulesets and grammar, which the help does not need
    from encounterlog.text_pages import imported as page

    folder = isinstance(source, str) and Path(source).is_dir() and not IMPORTERS[kind].folder
    if how or folder:
        _check_for_many(source, file, for_one=title is not None or network_drive or talk or bool(edition))
        importing.check_mapping(kind, mapping, ruleset)
        return _import_all(
            kind, Path(str(source)), Path(str(file)), ruleset, mapping, by, how or How(), as_json=as_json
        )
    done = importing.run(
        kind,
        address(source),
        address(file),
        title,
        by,
        network_drive=network_drive,
        talk=talk,
        ruleset=ruleset,
        mapping=mapping,
        edition=edition,
    )
    if as_json:
        output.json(done)
    else:
        output.lines(page.page(done))
    return 0


def _check_for_many(source: LogAddress, file: LogAddress, *, for_one: bool) -> None:
    """Raise Refused unless both are folders, and no option was given that is only for one recording."""
    if not (isinstance(source, str) and isinstance(file, str)):
        raise Refused(
            "usage", "a folder of recordings becomes a folder of logs", "encounter import FORMAT FOLDER FOLDER"
        )
    if for_one:
        says = "--title, --talk, --edition and --network-drive are for one recording"
        raise Refused("usage", says, "encounter import FORMAT SOURCE FILE")


def _import_all(
    kind: str, source: Path, folder: Path, ruleset: str, mapping: str, by: str, how: How, *, as_json: bool
) -> int:
    from encounterlog.importers import importing  # as above
    from encounterlog.terminal import many_logs

    importing.check_ruleset(kind, ruleset)
    return many_logs.import_all(kind, source, folder, by, how, ruleset=ruleset, mapping=mapping, as_json=as_json)
