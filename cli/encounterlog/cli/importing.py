"""`encounter import`: create a log from a combat that another program recorded, or from another log."""

from collections.abc import Iterator
from pathlib import Path

import click

from encounterlog.bulk import How
from encounterlog.cli import many, options, output
from encounterlog.cli.many import add_bulk_options
from encounterlog.errors import Refused
from encounterlog.importers import IMPORTERS, importing
from encounterlog.importers.importing import Difference, Imported, Respect
from encounterlog.importers.transcript import USUAL
from encounterlog.places.stores import parse_address
from encounterlog.words.layout import count_noun, heading, table, wrap
from eventstore.address import LogAddress
from eventstore.wording import visible


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
    "--map", "mapping", metavar="FILE", default="", help="For events: the file that maps each kind of line to facts."
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
@add_bulk_options
@options.as_json
def import_(
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
    folder = isinstance(source, str) and Path(source).is_dir() and not IMPORTERS[kind].folder
    if how or folder:
        _check_for_many(source, file, for_one=title is not None or network_drive or talk or bool(edition))
        importing.check_mapping(kind, mapping, ruleset)
        importing.check_ruleset(kind, ruleset)
        return many.import_all(
            kind,
            Path(str(source)),
            Path(str(file)),
            by,
            how or How(),
            ruleset=ruleset,
            mapping=mapping,
            as_json=as_json,
        )
    done = importing.run_import(
        kind,
        parse_address(source),
        parse_address(file),
        title,
        by,
        network_drive=network_drive,
        talk=talk,
        ruleset=ruleset,
        mapping=mapping,
        edition=edition,
    )
    output.print_value(done, format_import, as_json)
    return 0


def _check_for_many(source: LogAddress, file: LogAddress, *, for_one: bool) -> None:
    """Raise Refused unless both are folders, and no option was given that is only for one recording."""
    if not (isinstance(source, str) and isinstance(file, str)):
        says = "a folder of recordings becomes a folder of logs"
        raise Refused("usage", says, "encounter import FORMAT FOLDER FOLDER")
    if for_one:
        says = "--title, --talk, --edition and --network-drive are for one recording"
        raise Refused("usage", says, "encounter import FORMAT SOURCE FILE")


def format_import(done: Imported) -> list[str]:
    """Return the page of an import."""
    if done.same:
        return _format_copy(done)
    head = f"{visible(done.file)}: {visible(done.title)}, {count_noun(done.records, 'record')}"
    return [
        *wrap(head, "    ", ""),
        *(wrap(visible(done.begins), "    ", "") if done.begins else []),
        "",
        *_format_comparison(done),
        *_format_part(
            done.unexplained,
            "value set right without a cause",
            _format_repairs(done),
            "values set right without a cause",
        ),
        *_format_part(len(done.problems), "problem", _format_problems(done)),
        *(["", f"left out: {' and '.join(left_out)}"] if (left_out := list(_left_out(done))) else []),
    ]


def _format_comparison(done: Imported) -> list[str]:
    if not done.states:
        return ["The recording shows no states that the facts could be compared with."]
    return [
        heading(f"The facts against the {count_noun(done.states, 'state')} of the recording"),
        *table(_agreement_rows(done.respects)),
        *_format_part(len(done.differences), "difference", _format_differences(done.differences)),
    ]


def _left_out(done: Imported) -> Iterator[str]:
    if done.left_out:
        yield f"{count_noun(done.left_out, 'message')} of people's talk"
    if done.ignored:
        yield f"{count_noun(done.ignored, 'line')} that the mapping ignores"
    if done.after_end:
        yield f"{count_noun(done.after_end, 'row')} after the end of the fight"


def _agreement_rows(respects: tuple[Respect, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the number of states in which each kind of value agreed, and how."""
    yield ("", "agreed", "set right with a cause", "set right without", "differs")
    for one in respects:
        differ = one.states - one.agree
        yield (one.name, str(one.by_itself), str(one.with_cause), str(one.without_cause), str(differ))


def _format_copy(done: Imported) -> list[str]:
    head = f"{visible(done.file)}: {visible(done.title)}, {count_noun(done.records, 'record')}, byte for byte"
    problems = _format_part(len(done.problems), "problem", _format_problems(done)) if done.problems else []
    return [*wrap(head, "    ", ""), f"head {done.head}", *problems]


def _format_part(number: int, what: str, lines: Iterator[str], several: str = "") -> list[str]:
    several = several or f"{what}s"
    return ["", heading(f"{number:,} {what if number == 1 else several}" if number else f"no {several}"), *lines]


def _format_differences(found: tuple[Difference, ...]) -> Iterator[str]:
    for one in found:
        says = f"{one.address}: stated {one.stated}, the facts give {one.derived}"
        yield from wrap(visible(says), "      ", f"  line {one.line}: ")
        yield from wrap(visible(one.cause), "      ", "      ") if one.cause else ()


def _format_repairs(done: Imported) -> Iterator[str]:
    for one in done.repairs:
        if one.cause is None:
            yield from wrap(visible(one.says), "      ", f"  line {one.line}: ")


def _format_problems(done: Imported) -> Iterator[str]:
    for one in done.problems:
        yield from wrap(visible(one.what), "      ", f"  line {one.line}: ")
