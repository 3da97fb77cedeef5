"""The audit of a log, as `encounter audit` asks for it."""

from typing import Any

from msgspec import Struct

from encounterlog.reading.logs import Log, explained
from projections.judging.audit import Audit, audit
from projections.judging.missing import Completeness, Missing
from projections.judging.unjudged import Unjudged, Unjudging
from projections.time import Where


class Untold(Struct, frozen=True):
    """What a log leaves untold: what is missing, and which clauses that leaves unjudged; None if the ruleset does not say what they need."""

    missing: tuple[Missing, ...]
    unjudged: tuple[Unjudged, ...] | None


def audited(log: Log, where: Where | None, *, complete: bool) -> tuple[Audit, Untold | None]:
    """Return the audit of a log up to a point and, if wanted, what the log leaves untold; raise Failure."""
    missing, unjudged = Completeness(), Unjudging()
    with explained(log, where):
        if where is None and not complete and (kept := log.folded):
            return kept.audited(), None
        looks = {"before": missing.look, "after": unjudged.look} if complete else {}
        done = audit(log, where, **looks)
    log.note_revision()
    state = done.replay.state
    return done, Untold(tuple(missing.all(state)), unjudged.all(state)) if complete else None


def json_of(done: Audit, untold: Untold | None) -> dict[str, Any]:
    """Return what `encounter audit --json` prints."""
    cited = done.replay.state.rules.catalogue().lean_on(one.rule for one in done.findings)
    found: dict[str, Any] = {"findings": done.findings, "leans_on": cited}
    if untold is not None:
        found["missing"] = untold.missing
        if untold.unjudged is not None:
            found["unjudged"] = untold.unjudged
    return found
