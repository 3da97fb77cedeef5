"""The audit of a log, as `encounter audit` asks for it."""

from msgspec import UNSET, Struct, UnsetType

from encounterlog.core.logs import LogView, explained
from projections.judging.audit import Audit, Finding, audit
from projections.judging.missing import Completeness, Missing
from projections.judging.unjudged import Unjudged, Unjudging
from projections.time import Where


class Lacking(Struct, frozen=True):
    """The gaps of a log: the missing facts, and the clauses that cannot be judged without them; None if the ruleset does not name
    their needs.
    """

    missing: tuple[Missing, ...]
    unjudged: tuple[Unjudged, ...] | None


def audited(log: LogView, where: Where | None, *, complete: bool) -> tuple[Audit, Lacking | None]:
    """Return the audit of a log up to a point and, if wanted, what the log lacks; raise Refused."""
    missing, unjudged = Completeness(), Unjudging()
    with explained(log, where):
        if where is None and not complete and (kept := log.folded):
            return kept.audited(), None
        looks = {"before": missing.look, "after": unjudged.look} if complete else {}
        done = audit(log, where, **looks)
    log.note_revision()
    state = done.replay.state
    return done, Lacking(tuple(missing.all(state)), unjudged.all(state)) if complete else None


class Audited(Struct, frozen=True):
    """The output of `encounter audit --json`.

    `leans_on` are the documents that the rules of the findings refer to and that the text of the ruleset does not contain.
    `missing` only with --complete, `unjudged` only where the ruleset says what its clauses need.
    """

    findings: tuple[Finding, ...]
    leans_on: dict[str, str]
    missing: tuple[Missing, ...] | UnsetType = UNSET
    unjudged: tuple[Unjudged, ...] | UnsetType = UNSET


def output_of(done: Audit, lacks: Lacking | None) -> Audited:
    """Return what `encounter audit --json` prints."""
    leans_on = done.replay.state.rules.catalogue().lean_on(one.rule for one in done.findings)
    if lacks is None:
        return Audited(done.findings, leans_on)
    return Audited(done.findings, leans_on, lacks.missing, UNSET if lacks.unjudged is None else lacks.unjudged)
