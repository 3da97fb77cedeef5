"""Corrections from the command line: the facts that depend on a struck one are shown first; all of it is one append, or a dry run."""

import json
import sys
from collections.abc import Sequence

import click

from encounterlog.core import appending, correcting
from encounterlog.core.correcting import ALONE, WITH, Choice
from encounterlog.core.logs import LogView
from encounterlog.errors import Refused
from encounterlog.terminal import appended, output
from encounterlog.terminal.failures import FINE
from encounterlog.terminal.options import Writing
from encounterlog.text.layout import count
from encounterlog.text_pages import difference
from eventstore.record import upcast
from projections.explaining.forks import Account, Fork, differences, forked
from projections.explaining.past import readable

STOP = "stop"


def write(log: LogView, facts: Sequence[correcting.Fact], how: Writing, *, if_unchanged: bool = False) -> int:
    """Append corrections as one batch, or only show their changes; return the exit code.

    With `if_unchanged` they are refused if another writer has appended since the log was read to choose them.
    """
    lines = appending.facts("\n".join(map(json.dumps, facts)).encode())
    if how.dry_run:
        appending.check_readable(log)
        drafts = appending.drafts_of(log, lines)
        fork = Fork(tuple(upcast(draft.event) for draft in drafts))
        start = fork.start(readable(log))
        actual = Account(log, start=start)
        other = Account(forked(actual.records, fork), start=start)
        output.lines([f"{count(len(drafts), 'fact')} would be appended:", *correcting.listed(log, drafts)])
        output.lines(difference.page(differences(actual, other, start), actual, other, ("as it is", "then")))
        return FINE
    read = log.last.seq if if_unchanged and log.last else None
    done = appending.append(log, lines, by=how.by, after=read if how.after is None else how.after, key=None)
    output.lines([*correcting.listed(log, done.drafts), *done.says])
    appended.report(done)
    return FINE


def choice(with_consequences: bool | None) -> Choice:
    """Return an option's choice for the facts that depend on a struck one; without it a user at a terminal is asked."""
    if with_consequences is None:
        return _asked if at_a_terminal() else None
    return WITH if with_consequences else ALONE


def _asked(hanging: list[str]) -> str:
    """Return the choice of the user at a terminal; raise Refused if it is to stop."""
    output.lines(hanging)
    chosen: str = click.prompt("strike them too", type=click.Choice((WITH, ALONE, STOP)), default=STOP)
    if chosen == STOP:
        raise Refused("usage", "nothing was written")
    return chosen


def at_a_terminal() -> bool:
    """Say whether a user can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()
