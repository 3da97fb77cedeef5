"""The audit of a log, as `encounter audit` asks for it."""

from typing import Any

from encounterlog.reading.logs import Log, explained
from projections.judging.audit import Audit, audit
from projections.judging.missing import Completeness, Missing
from projections.time import Where


def audited(log: Log, where: Where | None, *, complete: bool) -> tuple[Audit, tuple[Missing, ...] | None]:
    """Return the audit of a log up to a point and, if wanted, what the log leaves untold; raise Failure."""
    untold = Completeness()
    with explained(log, where):
        if where is None and not complete and (kept := log.folded):
            return kept.audited(), None
        done = audit(log, where, before=untold.look if complete else None)
    log.note_revision()
    return done, tuple(untold.all(done.replay.state)) if complete else None


def json_of(done: Audit, missing: tuple[Missing, ...] | None) -> dict[str, Any]:
    """Return what `encounter audit --json` prints."""
    cited = done.replay.state.rules.catalogue().lean_on(one.rule for one in done.findings)
    return {"findings": done.findings, "leans_on": cited} | ({"missing": missing} if missing is not None else {})
