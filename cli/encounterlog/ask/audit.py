"""The facts that break the rules, each with its clause, and what the log lacks."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from encounterlog.ask import AT, Answer, Argument, Kind, Question
from encounterlog.log.logs import LogView, name_log_in_errors
from encounterlog.words.layout import alarm, count_noun, format_numbers, heading, joined, one_line, wrap
from encounterlog.words.phrases import NOT_THERE
from projections.judging import book
from projections.judging.audit import Audit, Finding, audit
from projections.judging.missing import Completeness, Missing
from projections.judging.unjudged import Unjudged, Unjudging
from projections.ruleset.ruleset import Ruleset
from projections.time import Where


class Audited(Struct, frozen=True):
    """The output of `encounter audit --json`.

    `leans_on` are the documents that the rules of the findings refer to and that the text of the ruleset does not contain.
    `missing` only with --complete, `unjudged` only where the ruleset says what its clauses need.
    """

    findings: tuple[Finding, ...]
    leans_on: dict[str, str]
    missing: tuple[Missing, ...] | UnsetType = UNSET
    unjudged: tuple[Unjudged, ...] | UnsetType = UNSET


def format_audit(done: Audit) -> list[str]:
    """Return the page of an audit."""
    state = done.replay.state
    lines = [line for finding in done.findings for line in format_finding(finding, state.rules, numbered=True)]
    disputed = [one.id for one in done.findings if one.event in done.disputed]
    lines.append(f"{count_by_severity(done) or 'no findings'} in {count_noun(done.replay.records, 'record')}")
    ask = "where a stated value and the facts differ: encounter why FILE finding"
    return [*lines, *(line for one in disputed[:1] for line in wrap(f"{ask} {one}"))]


def _format_unjudged_clauses(found: Sequence[Unjudged], clauses: int) -> Iterator[str]:
    firsts = ((one, f"first in {_format_place(one)} ({one.when})") for one in found)
    says = ((one.rule, f"{one.facts} of {one.of} {one.says}, {first}") for one, first in firsts)
    for those, rules in _group_by_key((tuple(those), rule) for rule, those in _group_by_key(says)):
        yield from wrap(f"{', '.join(rules)}: {'; '.join(those)}", "    ", "")
    judged = f"{len({one.rule for one in found})} of {count_noun(clauses, 'clause')} could not always be judged"
    yield judged if found else "every clause could be judged"


def _group_by_key(pairs: Iterable[tuple[Hashable, str]]) -> Iterable[tuple[Any, list[str]]]:
    found: dict[Any, list[str]] = {}
    for key, text in pairs:
        found.setdefault(key, []).append(text)
    return found.items()


def _format_place(one: Finding | Missing | Unjudged) -> str:
    return f"line {one.line}" if one.line == one.event else f"line {one.line}, event {one.event}"


def clause_text(rules: Ruleset, rule: str) -> str:
    """Return the text of a clause in its catalogue, or nothing if it is unknown."""
    found = (book.catalogue() if rule.startswith("log.") else rules.catalogue()).clause(rule)
    return one_line(found.says) if found else ""


def format_headline(one: Finding, *, numbered: bool = False) -> Iterator[str]:
    """Yield the place of a finding, its severity, its sentence, and the rule that it cites; on demand after its number."""
    weight = f"{one.severity}, ruled by event {one.ruled}" if one.ruled else one.severity
    word = alarm(weight) if one.severity == "breach" and not one.ruled else weight
    where = heading(f"{f'{one.id}. ' if numbered else ''}{_format_place(one)}")
    yield from wrap(f"{one.says} ({one.rule})", "    ", joined([where, " (", word, "): "]))


def format_finding(one: Finding, rules: Ruleset, *, numbered: bool = False) -> Iterator[str]:
    """Yield the block of one finding, if wanted with its number in the audit."""
    yield from format_headline(one, numbered=numbered)
    if one.expected or one.found:
        yield from wrap(f"expected {one.expected or 'nothing'}, found {one.found or 'nothing'}", "    ")
    yield from wrap(f"because of event{'s' if len(one.because) > 1 else ''} {format_numbers(one.because)}", "    ")
    if words := clause_text(rules, one.rule):
        yield from wrap(f"The rule: {words}", "    ")
    if chart := rules.catalogue().document_needed(one.rule):
        yield from wrap(f"It leans on {chart}, {NOT_THERE}: this is a reading of it.", "    ")
    yield ""


def count_by_severity(done: Audit) -> str:
    """Return the number of findings of each severity; nothing if there are none."""
    ruled = sum(1 for one in done.findings if one.ruled is not None)
    counted = {"breach": done.breaches, "notice": len(done.findings) - done.breaches - ruled}
    parts = [count_noun(number, what) for what, number in counted.items() if number]
    return ", ".join([*parts, *([f"{ruled} ruled"] if ruled else [])])


def ask(log: LogView, where: Where | None = None, complete: bool = False) -> Answer:
    """Return the findings up to a point and, if wanted, what the log lacks."""
    missing, unjudged = Completeness(), Unjudging()
    with name_log_in_errors(log, where):
        kept = log.folded if where is None and not complete else None
        looks = {"before": missing.observe_fact, "after": unjudged.observe_fact} if complete else {}
        done = kept.audit_log() if kept else audit(log, where, **looks)
    state, clauses = done.replay.state, done.replay.state.rules.catalogue()
    lacks = tuple(missing.missing_facts(state)) if complete else UNSET
    unknown = unjudged.unjudged_clauses(state) if complete else None

    def lines() -> Iterator[str]:
        yield from format_audit(done)
        if lacks is not UNSET:
            yield ""
            for lack, places in _group_by_key((one.says, f"{_format_place(one)} ({one.when})") for one in lacks):
                yield from wrap(f"{', '.join(places)}: {lack}", "    ", "")
            yield f"{count_noun(len(lacks), 'thing')} missing" if lacks else "nothing is missing"
        yield from ("", *_format_unjudged_clauses(unknown, len(clauses.rule))) if unknown is not None else ()

    def data() -> Audited:
        leans_on = clauses.documents_needed(one.rule for one in done.findings)
        return Audited(done.findings, leans_on, lacks, UNSET if unknown is None else unknown)

    return Answer(data, lines, bool(done.breaches))


AUDIT = Question(
    "audit", """Check every fact of the log FILE against its rules, and list what breaks them.

    Each finding has a number (encounter why FILE finding 3 explains the third) and names the rule, the line, and the
    events that show it. The exit code is 1 if there are breaches that no
    ruling waives.

    This command, and show, report the gaps of the running round, such as a saving throw that is due, as if the log
    were over. append, add and play report them when the next round begins, and not at all if none does.

    With --complete it also lists the gaps of the log, each with its place: a turn with neither action nor pass, damage
    without an attack, an effect that never ended, a declaration that was never resolved, a die that was promised and
    not logged. If the ruleset names the needs of its clauses, it then lists the clauses that could not be judged,
    each with the number of facts that lacked something, and the first of them. None of these is a breach, and the exit code is that of the findings.

    Of several logs, those of a FOLDER (*.jsonl), of a database (postgresql://USER@HOST/DATABASE), or objects below a URL (s3://,
    gs://, az://, file://), it prints a line each, in their order: records, breaches, notices, and the problem of an unreadable log, which stops nothing. With
    --json that is an object a line: log, head, ruleset, revision, records, breaches, notices, problem, ms. The exit code is
    the highest of theirs. If a worker is killed, its log is tried again, and then reported. With --out and --resume, a later
    run reads every log but audits only those that changed.
    """,
    (AT, Argument("complete", "complete", Kind.FLAG, "List also what the log lacks.")),
    ask, "encounterlog.ask.audit:Audited", shows="checking",
)  # fmt: skip
