"""The page of `encounter audit`: one block for each finding, with the clause that it cites."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from encounterlog.text.layout import alarm, count, heading, joined, numbers, one_line, wrap
from encounterlog.text.phrases import NOT_THERE
from projections.judging import book
from projections.judging.audit import Audit, Finding
from projections.ruleset.ruleset import Ruleset

if TYPE_CHECKING:
    from encounterlog.reading.auditing import Lacking
    from projections.judging.unjudged import Unjudged

Key = TypeVar("Key")


def page(done: Audit) -> list[str]:
    """Return the page of an audit."""
    state = done.replay.state
    lines = [line for finding in done.findings for line in block(finding, state.rules, numbered=True)]
    disputed = [one.id for one in done.findings if one.event in done.disputed]
    ask = f"encounter why FILE finding {disputed[0]}" if disputed else ""
    return [
        *lines,
        f"{summed(done) or 'no findings'} in {count(done.replay.records, 'record')}",
        *(wrap(f"where a stated value and the facts differ: {ask}") if ask else ()),
    ]


def lacking(found: "Lacking", done: Audit) -> Iterator[str]:
    """Yield the missing facts, each with all its places, and then by clause the judgements that failed for them."""
    yield ""
    for says, places in _grouped((one.says, f"{place(one.line, one.event)} ({one.when})") for one in found.missing):
        yield from wrap(f"{', '.join(places)}: {says}", "    ", "")
    yield f"{count(len(found.missing), 'thing')} missing" if found.missing else "nothing is missing"
    if found.unjudged is not None:
        yield from unjudged(found.unjudged, len(done.replay.state.rules.catalogue().rule))


def unjudged(found: Sequence["Unjudged"], clauses: int) -> Iterator[str]:
    """Yield the clauses that could not be judged, with the fields that facts lacked, clauses with the same lack together; or that
    all could.
    """
    yield ""
    if not found:
        yield "every clause could be judged"
        return
    texts = (
        (one.rule, f"{one.facts} of {one.of} {one.says}, first in {place(one.line, one.event)} ({one.when})")
        for one in found
    )
    lacks = ((tuple(those), rule) for rule, those in _grouped(texts))
    for those, rules in _grouped(lacks):
        yield from wrap(f"{', '.join(rules)}: {'; '.join(those)}", "    ", "")
    yield f"{len({one.rule for one in found})} of {count(clauses, 'clause')} could not always be judged"


def _grouped(pairs: Iterable[tuple[Key, str]]) -> Iterable[tuple[Key, list[str]]]:
    """Return the texts of each key, the keys in the order in which they first occur."""
    found: dict[Key, list[str]] = {}
    for key, text in pairs:
        found.setdefault(key, []).append(text)
    return found.items()


def place(line: int, event: int) -> str:
    """Return where an event is: the line of its present content, and its number where that is another."""
    return f"line {line}" if line == event else f"line {line}, event {event}"


def clause_of(rules: Ruleset, rule: str) -> str:
    """Return the text of a clause in its catalogue, or nothing if it is unknown."""
    books = book.catalogue() if rule.startswith("log.") else rules.catalogue()
    found = books.clause(rule)
    return one_line(found.says) if found else ""


def headline(one: Finding, *, numbered: bool = False) -> Iterator[str]:
    """Yield the place of a finding, its severity, its sentence, and the rule that it cites; on demand after its number."""
    weight = f"{one.severity}, ruled by event {one.ruled}" if one.ruled else one.severity
    word = alarm(weight) if one.severity == "breach" and not one.ruled else weight
    where = place(one.line, one.event)
    number = f"{one.id}. " if numbered else ""
    yield from wrap(f"{one.says} ({one.rule})", "    ", joined([heading(f"{number}{where}"), " (", word, "): "]))


def block(one: Finding, rules: Ruleset, *, numbered: bool = False) -> Iterator[str]:
    """Yield the block of one finding, if wanted with its number in the audit."""
    yield from headline(one, numbered=numbered)
    if one.expected or one.found:
        yield from wrap(f"expected {one.expected or 'nothing'}, found {one.found or 'nothing'}", "    ")
    yield from wrap(f"because of event{'s' if len(one.because) > 1 else ''} {numbers(one.because)}", "    ")
    if words := clause_of(rules, one.rule):
        yield from wrap(f"The rule: {words}", "    ")
    if chart := rules.catalogue().leans_on(one.rule):
        yield from wrap(f"It leans on {chart}, {NOT_THERE}: this is a reading of it.", "    ")
    yield ""


def summed(done: Audit) -> str:
    """Return the number of findings of each severity; nothing if there are none."""
    ruled = sum(1 for one in done.findings if one.ruled is not None)
    notices = sum(1 for one in done.findings if one.severity != "breach" and one.ruled is None)
    parts = [count(done.breaches, "breach")] if done.breaches else []
    parts += [count(notices, "notice")] if notices else []
    parts += [f"{ruled} ruled"] if ruled else []
    return ", ".join(parts)
