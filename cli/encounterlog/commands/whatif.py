"""`encounter whatif`: the differences in a fork in memory."""

from typing import Any

import click

from encounterlog.core import forking
from encounterlog.core.logs import LogView
from encounterlog.questions.whatif import QUESTION, ask_of
from encounterlog.terminal import options, output
from encounterlog.terminal.answering import printed
from encounterlog.terminal.question_commands import asks
from eventstore.address import LogAddress

SAVE = click.option("--save", metavar="OTHER", type=options.Located(), help="Write the fork as a new log.")


@asks(QUESTION, options.file, SAVE, options.audience, options.network_drive, options.by)
def command(
    file: LogAddress,
    as_of: int | None,
    save: LogAddress | None,
    audience: str | None,
    network_drive: bool,
    by: str,
    as_json: bool,
    **fields: Any,
) -> int:
    """Print what is different, and save the fork if that is wanted."""
    if save is not None and as_of is not None:
        raise click.UsageError("--save does not go with --as-of: a fork begins where the log ends")
    if save is not None and audience is not None:
        raise click.UsageError("--save does not go with --for: a fork has the records of the whole log")
    log = LogView(file, secrets=audience != "players", as_of=as_of)
    fork, drafts = forking.fork_of(log, fields["strikes"], fields["amends"], fields["inserts"], fields["chosen"])
    code = printed(ask_of(log, fork, fields["where"]), log, as_json=as_json)
    if save is not None:
        count = forking.save(log, fork, drafts, save, by, network_drive=network_drive)
        output.notes([f"{save}: {count} records, forked from {file}"])
    return code
