"""`encounter log`: the corrected stream, one fact per line."""

from typing import Any

import click

from encounterlog.core.logs import LogView
from encounterlog.questions.log import QUESTION
from encounterlog.reading.listing import Filter
from encounterlog.terminal import options
from encounterlog.terminal.answering import answered
from encounterlog.terminal.question_commands import asks
from eventstore.address import LogAddress

FOLLOW = click.option("--follow", is_flag=True, help="Keep printing facts as they are appended, until Ctrl-C.")


@asks(QUESTION, options.file, FOLLOW, options.audience)
def command(
    file: LogAddress, follow: bool, audience: str | None, as_of: int | None, as_json: bool, **fields: Any
) -> int:
    """List the facts of the log, and with --follow those that are appended meanwhile."""
    if not follow:
        return answered(QUESTION, LogView(file, secrets=audience != "players", as_of=as_of), as_json=as_json, **fields)
    if fields["expression"] is not None or fields["turns"]:
        raise click.UsageError("--where does not go with --follow: it asks for values of the corrected stream")
    if as_of is not None:
        raise click.UsageError("--follow does not go with --as-of: new facts are later")
    if audience:
        raise click.UsageError("--follow does not go with --for players: a service shows them new facts")
    from encounterlog.terminal import following

    wanted = Filter(fields["number"], fields["actor"], fields["kind"])
    return following.log(file, wanted, struck=fields["struck"], as_json=as_json)
