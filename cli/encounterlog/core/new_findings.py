"""The findings that new facts raise, reported when they are appended; the facts are in the log all the same."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from encounterlog.core.logs import LogView
from encounterlog.core.table_of_log import LARGEST
from encounterlog.core.write import Done
from eventstore.events import Amended, Inserted, RulingMade, Struck
from projections.judging.audit import Audit, Finding, audit


class New(Struct, frozen=True):
    """The findings that an append raised, or why they could not be determined."""

    findings: tuple[Finding, ...] = ()
    problem: str = ""


def found(done: Done, audited: Callable[[], Audit] | None = None) -> New:
    """Return the findings that an append raised; an error here changes nothing about the written facts.

    `audited` returns the audit of the log after the append; without it, that of the log and what was appended.
    """
    try:
        return New(() if done.written.again or done.written.last > LARGEST else tuple(raised(done, audited)))
    except Exception as error:  # noqa: BLE001 – an exit code of failure would say that nothing was written
        return New(problem=str(error))


def raised(done: Done, audited: Callable[[], Audit] | None = None) -> list[Finding]:
    """Return the findings that are about the new facts, cite them, were revealed by them, or come from their corrections and rulings.

    Notices with the same text and the same reasons count once here; the audit lists each.
    """
    corrects = any(isinstance(draft.event, Struck | Amended | Inserted | RulingMade) for draft in done.drafts)
    before = _audited(done.before).findings if corrects else ()
    found = audited() if audited else _audited(done.before.grown(done.written.records))
    new = [one for one in found.findings if one.ruled is None]
    if corrects:
        known = {_key(one) for one in before if one.ruled is None}
        return [one for one in new if _key(one) not in known]
    first = done.written.first
    said = {_same(one) for one in new if one.event < first}
    fresh = (one for one in new if max(one.event, *one.because, found.shown_by[one.id]) >= first)
    return [*_once(fresh, said)]


def _once(found: Iterable[Finding], said: set[tuple[str, str, tuple[int, ...]]]) -> Iterator[Finding]:
    """Yield findings without the notices that repeat one that was `said`, or another of the findings."""
    for one in found:
        if one.severity != "notice" or _same(one) not in said:
            yield one
        said.add(_same(one))


def _audited(log: LogView) -> Audit:
    kept = log.folded
    return kept.audited() if kept else audit(log)


def _same(one: Finding) -> tuple[str, str, tuple[int, ...]]:
    return one.rule, one.says, one.because


def _key(one: Finding) -> tuple[str, int, str]:
    return one.rule, one.event, one.says
