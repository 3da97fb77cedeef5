"""The table of a log, at which its lines are read."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from encounterlog.core.folded_log import LARGEST, TableAuditor
from encounterlog.core.logs import LogView, explained, tolerant
from eventstore.address import Url
from eventstore.paths import folder_of
from projections.language.notation.table import Suggest, Table
from projections.ruleset.documents import OPTION

if TYPE_CHECKING:
    from encounterlog.core.suggesting import Ask

Roll = Callable[[str], str]


def table_of(log: LogView, roll: Roll | None, suggest: "Ask | None" = None) -> Table:
    """Return the table of a log; raise the fault of the log, unless it is only a torn tail."""
    with explained(log):
        table = kept.table if (kept := log.folded) else Table(tolerant(log))
        table.roll, table.suggest = roll, by(suggest)
        return _with_campaign(log, table)


def by(ask: "Ask | None") -> Suggest | None:
    """Return what a table asks about a refused line; None without a model."""
    if ask is None:
        return None
    from encounterlog.core.suggesting import lines  # only where there is a model

    return partial(lines, ask)


def _with_campaign(log: LogView, table: Table) -> Table:
    """Return a table after the campaign of its log was looked for, if it has one; if it is not found, the log has a note."""
    state = table.done.state
    said = state.option(OPTION)
    if said and (documents := state.rules.documents()):
        from encounterlog.core.documents import provide  # only for a log with a campaign

        beside = None if isinstance(log.place, Url) else folder_of(log.place)
        note = provide(documents, said, beside)
        log.notes += [each for each in (note,) if each and each not in log.notes]
    return table


def looked_at(log: LogView, roll: Roll | None, suggest: "Ask | None") -> tuple[Table, TableAuditor | None]:
    """Return the table of a log, and an auditor who checked its facts in the same replay, if they are not too many."""
    with explained(log):
        if kept := log.folded:
            return table_of(log, roll, suggest), kept.auditor
    records = list(tolerant(log))
    auditor = TableAuditor() if len(records) < LARGEST else None
    with explained(log):
        table = Table(records, roll=roll, suggest=by(suggest), before=auditor.look if auditor else None)
        return _with_campaign(log, table), auditor
