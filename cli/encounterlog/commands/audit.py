"""`encounter audit`: check every fact against the rules."""

from typing import Any

import click

from encounterlog.bulk import locations
from encounterlog.bulk.how import How
from encounterlog.core.logs import LogView
from encounterlog.errors import Refused
from encounterlog.questions.audit import QUESTION
from encounterlog.storage.stores import address
from encounterlog.terminal import options
from encounterlog.terminal.answering import answered
from encounterlog.terminal.many_options import of_many
from encounterlog.terminal.question_commands import asks

LOGS = click.argument(
    "logs", metavar="FILE|FOLDER|URL...", nargs=-1, required=True, type=options.LogPath(readable=False)
)


@asks(QUESTION, LOGS, options.audience, of_many)
def command(
    logs: tuple[str, ...], audience: str | None, as_of: int | None, how: How | None, as_json: bool, **fields: Any
) -> int:
    """Print the findings of one log, or a line for each of several."""
    if not how and locations.is_one(logs):
        log = LogView(address(logs[0]), secrets=audience != "players", as_of=as_of, shows=QUESTION.shows)
        return answered(QUESTION, log, as_json=as_json, **fields)
    if fields["where"] or as_of is not None or fields["complete"] or audience:
        raise Refused("usage", "--at, --as-of, --for and --complete are for one log", "encounter audit FILE")
    from encounterlog.terminal import many_logs

    return many_logs.audit(logs, how or How(), as_json=as_json)
