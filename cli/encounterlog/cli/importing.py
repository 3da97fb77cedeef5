"""`encounter import`: create a log from a combat that another program recorded, or from another log."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated

from encounterlog.bulk.checking import How
from encounterlog.cli import options, output
from encounterlog.cli.many import Workers, import_all
from encounterlog.cli.options import LOG_OR_FOLDER, SOURCE, By, Json, NetworkDrive, argument, command, option
from encounterlog.errors import Refused
from encounterlog.importers import IMPORTERS, importing
from encounterlog.importers.importing import Imported
from encounterlog.importers.transcript import USUAL
from encounterlog.places.stores import parse_address
from encounterlog.words.layout import count_noun, heading, table, wrap
from eventstore.address import LogAddress

_RULESET = (
    f"The ruleset of the log, which must take recordings; by default {USUAL}. For events any; by default the mapping's."
)
_EDITION = "The edition, for a ruleset with reference documents; by default the first. A creature with the name and the numbers of one of its monsters has that stat block."


@command(
    option("--ruleset KEY", _RULESET, default=""),
    option("--map FILE", "For events: the file that maps each kind of line to facts.", "mapping", default=""),
    option("--edition YEAR", _EDITION, default=""),
    name="import",
    kind=options.OfFormats,
    formats=IMPORTERS,
)
def import_(
    kind: Annotated[str, argument("kind", "FORMAT", type=options.Format(IMPORTERS))],
    source: Annotated[LogAddress, argument("source", type=SOURCE)],
    file: Annotated[LogAddress, argument("file", type=LOG_OR_FOLDER)],
    ruleset: str,
    mapping: str,
    edition: str,
    title: Annotated[str | None, option("--title", "The title of the encounter; by default that of the recording.")],
    talk: Annotated[bool, option("--talk", "Keep people's talk, as notes.")],
    network_drive: NetworkDrive,
    by: By,
    workers: Workers,
    as_json: Json,
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
    how = workers.how()
    if how or folder:
        if not (isinstance(source, str) and isinstance(file, str)):
            hint = "encounter import FORMAT FOLDER FOLDER"
            raise Refused("usage", "a folder of recordings becomes a folder of logs", hint)
        if title is not None or network_drive or talk or edition:
            says = "--title, --talk, --edition and --network-drive are for one recording"
            raise Refused("usage", says, "encounter import FORMAT SOURCE FILE")
        importing.check_mapping(kind, ruleset=ruleset, mapping=mapping)
        importing.check_ruleset(kind, ruleset)
        return import_all(Path(source), Path(file), how or How(), by, (kind, ruleset, mapping), as_json=as_json)
    places = (parse_address(source), parse_address(file))
    rules = {"ruleset": ruleset, "mapping": mapping, "edition": edition}
    done = importing.run_import(kind, *places, title, by, network_drive=network_drive, talk=talk, **rules)
    output.print_value(done, format_import, as_json)
    return 0


COLUMNS = ("", "agreed", "set right with a cause", "set right without", "differs")


def format_import(done: Imported) -> list[str]:
    """Return the page of an import."""
    head = f"{done.file}: {done.title}, {count_noun(done.records, 'record')}"
    problems = [_format_row(one.line, one.what) for one in done.problems]
    if done.same:
        failed = _format_part("problem", problems) if problems else []
        return [*wrap(f"{head}, byte for byte", "    ", ""), f"head {done.head}", *failed]
    repairs = [_format_row(one.line, one.says) for one in done.repairs if one.cause is None]
    counts = (
        (done.left_out, "message", "of people's talk"),
        (done.ignored, "line", "that the mapping ignores"),
        (done.after_end, "row", "after the end of the fight"),
    )
    left_out = " and ".join(f"{count_noun(number, what)} {which}" for number, what, which in counts if number)
    compared = ["The recording shows no states that the facts could be compared with."]
    if done.states:
        title = f"The facts against the {count_noun(done.states, 'state')} of the recording"
        agreed = ((one, one.states - one.agree) for one in done.respects)
        counted = ((one.name, one.by_itself, one.with_cause, one.without_cause, differ) for one, differ in agreed)
        rows = table([COLUMNS, *(tuple(map(str, row)) for row in counted)])
        said = ((one, f"{one.address}: stated {one.stated}, the facts give {one.derived}") for one in done.differences)
        differences = [_format_row(one.line, says, one.cause) for one, says in said]
        compared = [heading(title), *rows, *_format_part("difference", differences)]
    return [
        *wrap(head, "    ", ""),
        *(wrap(done.begins, "    ", "") if done.begins else []),
        "",
        *compared,
        *_format_part("value", repairs, " set right without a cause", done.unexplained),
        *_format_part("problem", problems),
        *(["", f"left out: {left_out}"] if left_out else []),
    ]


def _format_part(what: str, rows: Sequence[list[str]], which: str = "", number: int | None = None) -> list[str]:
    number = len(rows) if number is None else number
    title = count_noun(number, what) if number else f"no {what}s"
    return ["", heading(f"{title}{which}"), *chain.from_iterable(rows)]


def _format_row(line: int, says: str, cause: str = "") -> list[str]:
    return [*wrap(says, "      ", f"  line {line}: "), *(wrap(cause, "      ") if cause else [])]
