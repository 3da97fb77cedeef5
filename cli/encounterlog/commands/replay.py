"""`encounter replay`: every fact with the values that it changed, stepped through or listed."""

from typing import Any

import click

from encounterlog.core.logs import LogView
from encounterlog.questions.replay import QUESTION
from encounterlog.terminal import editing as terminal
from encounterlog.terminal import options
from encounterlog.terminal.answering import answered
from encounterlog.terminal.question_commands import asks
from eventstore.address import LogAddress

LISTED = click.option("--list", "listed", is_flag=True, help="Print the list at a terminal, too.")


@asks(QUESTION, options.file, LISTED, options.audience)
def command(
    file: LogAddress, listed: bool, audience: str | None, as_of: int | None, as_json: bool, **fields: Any
) -> int:
    """Step through the log at a terminal, or list its facts."""
    log, is_limited = (
        LogView(file, secrets=audience != "players", as_of=as_of),
        fields["number"] is not None or fields["actor"],
    )
    if not (listed or as_json or is_limited) and terminal.is_full():
        from encounterlog.terminal import stepping

        return stepping.run(log, fields["where"])
    return answered(QUESTION, log, as_json=as_json, **fields)
