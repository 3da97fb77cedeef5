"""The audit: every fact checked against the rules, in the state before it. Findings are data."""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct, structs

from eventstore.errors import Malformed, StoreError
from eventstore.events import Checked, Event, Fact
from eventstore.record import Recorded
from eventstore.wording import short_repr
from projections.judging import bookkeeping, known_words
from projections.judging.book import catalogue, rename_options
from projections.judging.statements import Judged, judge_statement, mark_outdated, verdict_words
from projections.occurrence import Occurrence, is_a
from projections.replay.replay import Observer, Replay, replay
from projections.ruleset.catalogue import Option
from projections.ruleset.ruleset import Breach, Series, Subject, checks_of, derives
from projections.state import State
from projections.stream.variants import with_option
from projections.time import Where


class Finding(Struct, frozen=True):
    """A finding of the audit about one event: the rule, a sentence, what was expected and found, and why.

    `line` is the line of the event's present content in the file; `ruled` the seq of the ruling that waives it, if one
    does; `id` its number in the audit, from 1.
    """

    rule: str
    severity: str
    event: int
    line: int
    says: str
    expected: str
    found: str
    because: tuple[int, ...]
    ruled: int | None = None
    id: int = 0

    def __repr__(self) -> str:
        return short_repr(self, f"{self.id}: {self.severity} of {self.rule} at {self.event}, {self.says}")


class Audit(Struct, frozen=True):
    """The outcome of an audit: findings in the order of their events, and the problem if the log cannot be read whole.

    `disputed` are the seqs of statements that differ from the derived values; `shown_by` maps the number of a finding to the
    record that showed it, its own or a later one.
    """

    findings: tuple[Finding, ...]
    problem: StoreError | None
    replay: Replay
    disputed: frozenset[int] = frozenset()
    shown_by: dict[int, int] = {}

    def __repr__(self) -> str:
        return short_repr(
            self, f"{len(self.findings)} findings, {self.breaches} breaches{', and a problem' if self.problem else ''}"
        )

    @property
    def breaches(self) -> int:
        """The number of breaches that no ruling waives."""
        return sum(1 for one in self.findings if one.severity == "breach" and one.ruled is None)


Memory = set[tuple[object, ...]]
"""The findings that an audit has reported, so that it does not repeat them; no derived value reads it."""
Shown = list[tuple[Finding, int]]
"""Findings, each with the record that showed it."""


def audit(
    records: Iterable[Recorded],
    until: Where | None = None,
    *,
    before: Observer | None = None,
    after: Observer | None = None,
) -> Audit:
    """Run the checks of the log's ruleset, and the common ones, over the corrected stream, up to a point if one is given.

    `before` is called with each fact and the state before it, `after` with the state after it.
    """
    auditor = Auditor(before)
    return auditor.make_audit(records, replay(records, until, before=auditor.observe_fact, after=after), until)


class Auditor:
    """An audit in progress, which looks at each fact in the state before it; `before` is called after each look."""

    def __init__(self, before: Observer | None = None) -> None:
        self._before = before
        self._memory: Memory = set()
        self._findings: Shown = []
        self._wrong: list[Judged] = []

    def observe_fact(self, state: State, fact: Occurrence[Event]) -> None:
        """Check a fact in the state before it."""
        if state.rules.late and state.rules.schedule.opens_round(state, fact):
            self._keep_finding(check_round_end(state, self._memory), fact)
        self._keep_finding(check_fact(state, fact, self._memory), fact)
        if is_a(fact, Checked):
            self._wrong.extend(each for each in judge_statement(state, fact) if not each.agrees)
        if self._before:
            self._before(state, fact)

    def _keep_finding(self, found: Iterable[Finding], by: Occurrence[Fact]) -> None:
        self._findings.extend((one, by.seq) for one in found)

    def make_audit(self, records: Iterable[Recorded], done: Replay, until: Where | None = None) -> Audit:
        """Return the audit of these records after a look at every fact of their replay; more facts may follow.

        Findings that depend on a point that the text and the log leave open are left out.
        """
        findings = _firm_findings(self.findings(records, done), records, done.state, until)
        ruled = _apply_waivers((one for one, _ in findings), done.state)
        numbered = (structs.replace(one, id=number) for number, one in enumerate(ruled, 1))
        shown_by = {number: by for number, (_, by) in enumerate(findings, 1)}
        disputed = frozenset(each.fact.seq for each in self._wrong if each.derived and not each.expected_kind)
        return Audit(tuple(numbered), done.problem, done, disputed, shown_by)

    def findings(self, records: Iterable[Recorded], done: Replay) -> Shown:
        """Return all findings in the order of their events, each with the record that showed it; findings on points
        that the text leaves open are included.
        """
        at_the_end = check_round_end(done.state, {*self._memory})
        at_the_end += _statement_findings(mark_outdated(records, done, self._wrong), done.state)
        at_the_end += (one for one in wrong_corrections(done) if one.event <= done.records)
        at_the_end += [*facts_without_effect(done), *unreadable_records(done)]
        at_the_end += [*facts_with_struck_causes(done.state), *wrong_options(done.state)]
        return sorted([*self._findings, *((one, one.event) for one in at_the_end)], key=lambda pair: pair[0].event)


_WORDS = re.compile(r"[\w-]+(?:\.\w[\w.<>-]*)?")
COMMON = checks_of(bookkeeping, known_words)
"""The checks of every log, independent of its ruleset."""


def check_fact(state: State, fact: Occurrence[Fact], memory: Memory) -> list[Finding]:
    """Return the findings about one fact, from the state before it."""
    kind = type(fact.event)
    found: list[Finding] = []
    _run_checks(COMMON.get(kind, ()), state, fact, fact, memory, found)
    if own := state.rules.checks.get(kind):
        _run_checks(own, state, fact, state.rules.reading(state, fact), memory, found)
    return found


def check_round_end(state: State, memory: Memory) -> list[Finding]:
    """Return the findings that can be made only when a round is over, or the log ends."""
    found: list[Finding] = []
    late = state.rules.late
    for fact in tuple(state.moments.values()) if late else ():
        if own := late.get(type(fact.event)):
            _run_checks(own, state, fact, state.rules.reading(state, fact), memory, found)
    return found


def _run_checks(
    checks: tuple[Series, ...],
    state: State,
    fact: Occurrence[Fact],
    reading: object,
    memory: Memory,
    found: list[Finding],
) -> None:
    """Add to `found` what these checks find; of a group, only the first check that finds something reports."""
    reported: set[str] = set()
    for series, handed in _series_with_arguments(checks, state, reading):
        for each in series.checks:
            breaches = None if reported and each.group in reported else each.function(*handed)
            if not breaches or each.is_exempt(state, reading):
                continue
            several = breaches if isinstance(breaches, tuple) else (breaches,)
            if not (several := tuple(one for one in several if not one.silent or _reports_silent_texts(state))):
                continue
            if each.group:
                reported.add(each.group)
            for one in several:
                key = (each.rule, *one.once)
                if not _is_doubtful(state, one) and not (one.once and key in memory):
                    memory.add(key)
                    found.append(_make_finding(each.rule, one, fact, state))


def _series_with_arguments(
    checks: tuple[Series, ...], state: State, reading: object
) -> Iterator[tuple[Series, tuple[object, ...]]]:
    """Yield the series that have a subject here or need none, each with the arguments of its checks."""
    subjects: dict[Subject, object] = {}
    for series in checks:
        if (of := series.subject) is None:
            yield series, (state, reading)
            continue
        if of not in subjects:
            subjects[of] = of(state, reading)
        if (about := subjects[of]) is not None:
            yield series, (state, reading, about)


def _is_doubtful(state: State, breach: Breach) -> bool:
    cited = (each for each in state.conditions.values() if each.perhaps_of and each.seq in breach.because)
    return any((each.perhaps_of, each.bearer) not in state.effects for each in cited)


def _make_finding(rule: str, breach: Breach, fact: Occurrence[Fact], state: State) -> Finding:
    because, about = breach.because or (fact.seq,), breach.about or fact
    says, expected, found = (_with_names(text, state) for text in (breach.says, breach.expected, breach.found))
    return Finding(rule, breach.severity, about.seq, about.line, says, expected, found, because)


def _with_names(text: str, state: State) -> str:
    """Return a text of a finding with the names of combatants in place of their ids; a single letter may be an article."""
    known = state.combatants
    return _WORDS.sub(lambda word: known[word[0]].name if len(word[0]) > 1 and word[0] in known else word[0], text)


def _statement_findings(found: Iterable[Judged], state: State) -> Iterator[Finding]:
    """Yield a finding for each statement and rule, which names every value concerned."""
    rows: dict[tuple[int, str, bool], list[Judged]] = {}
    for each in found:
        rows.setdefault((each.fact.seq, each.cited_rule, each.overtaken), []).append(each)
    for (_, rule, overtaken), row in rows.items():
        says, expected, stated = (
            "; ".join(words) for words in zip(*(verdict_words(state, one) for one in row), strict=True)
        )
        expected = "a value" if rule == "log.address" else expected
        because = sorted({seq for one in row if one.derived for seq in one.derived.because.events})
        severity = "notice" if overtaken else "breach"
        yield _make_finding(rule, Breach(says, expected, stated, tuple(because), severity), row[0].fact, state)


@derives("log.correction")
def wrong_corrections(done: Replay) -> Iterator[Finding]:
    """Yield findings for corrections of records that cannot be corrected, and for corrections that do not count."""
    for seq, says in done.corrections.strays.items():
        yield Finding("log.correction", "breach", seq, seq, says, "a record before it", "none", (seq,))
    for seq, says in done.corrections.lapsed.items():
        yield Finding("log.correction", "notice", seq, seq, says, "a correction that counts", "none", (seq,))


@derives("log.stranger", "log.sheet")
def facts_without_effect(done: Replay) -> Iterator[Finding]:
    """Yield the facts that have no effect, with the objection."""
    for fact, rule, says in done.state.refused:
        yield _make_finding(rule, Breach(f"{says}: the fact has no effect"), fact, done.state)


@derives("log.unread")
def unreadable_records(done: Replay) -> Iterator[Finding]:
    """Yield the records whose payload is withheld or unknown."""
    for seq in done.state.unread:
        says = "the payload is withheld, or of an unknown type: no value takes it into account"
        yield Finding("log.unread", "notice", seq, seq, says, "a payload", "none", (seq,))


@derives("log.consequence")
def facts_with_struck_causes(state: State) -> Iterator[Finding]:
    """Yield the facts that were not struck although their cause was, each reported at the strike."""
    for fact in state.orphans:
        cause, strike = fact.cause, state.struck_by[fact.cause]
        says = f"record {cause} was struck, but record {fact.seq}, which it caused, was not"
        yield Finding("log.consequence", "notice", strike, strike, says, "both or neither", "one", (cause, fact.seq))


@derives("log.option")
def wrong_options(state: State) -> Iterator[Finding]:
    """Yield the options that are unknown, or have an unknown value."""
    known = {option.name: option for book in (catalogue(), state.rules.catalogue()) for option in book.option}
    for name, value in rename_options(state.options).items():
        if name in state.rules.patterns and re.fullmatch(state.rules.patterns[name], value):
            continue
        if name not in known or value not in known[name].values:
            values = ", ".join(known[name].values) if name in known else "an option of the ruleset"
            yield Finding("log.option", "breach", 1, 1, f"option {name} is {value}", values, value, (1,))


# ---------------------------------------------------------------- findings on points that the text leaves open

SILENT_TEXTS = "silent-texts"
"""The option, which every log can have, that reports findings on points about which a ruleset's text is silent. By
default none is reported: neither a `silent` breach, which has no text behind it, nor one that stands only by the default
of an option that settles an open point (`Option.silent`) and that the log does not state.
"""


def _reports_silent_texts(state: State) -> bool:
    return state.options.get(SILENT_TEXTS) == "reported"


def _firm_findings(found: Shown, records: Iterable[Recorded], state: State, until: Where | None) -> Shown:
    """Return the findings that stand under each value of the options for open points."""
    if not found or _reports_silent_texts(state):
        return found
    for option in state.rules.catalogue().option:
        for value in option.values if option.silent and option.name not in state.options else ():
            if value != state.option(option.name) and any(one.rule in option.silent for one, _ in found):
                found = _findings_also_under(found, option, with_option(records, option.name, value), until)
    return found


def _findings_also_under(found: Shown, option: Option, other: Iterable[Recorded], until: Where | None) -> Shown:
    auditor = Auditor()
    try:
        done = replay(other, until, before=auditor.observe_fact)
    except Malformed:  # under this value, the log does not have the point up to which it is audited
        return found
    there = {(one.rule, one.event) for one, _ in auditor.findings(other, done)}
    return [each for each in found if each[0].rule not in option.silent or (each[0].rule, each[0].event) in there]


def _apply_waivers(findings: Iterable[Finding], state: State) -> Iterator[Finding]:
    """Yield the findings, each with the first waiver that names its event, its rule, or both."""
    waivers: dict[tuple[int | None, str | None], int] = {}
    for fact in state.rulings:
        event = fact.event
        if event.ruling == "waiver":
            waivers.setdefault((event.event, event.rule), fact.seq)
    for one in findings:
        which = ((one.event, one.rule), (one.event, None), (None, one.rule))
        yield structs.replace(one, ruled=next((waivers[key] for key in which if key in waivers), None))
