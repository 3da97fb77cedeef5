"""The outcome of holding logs of one ruleset against the law: the breaks, and the cases that could not be judged."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from eventstore.record import Recorded
from projections.proving.plays import Play
from projections.proving.proof import records_of
from projections.proving.reasons.engine import EngineLog
from projections.proving.reasons.known import Allowed, Ceiling, allowing
from projections.proving.reasons.laws import TO_DO, UNDECIDED, Break, Known, Verdict, judge
from projections.proving.rulebook import plays
from projections.ruleset.ruleset import Ruleset


class Subject(NamedTuple):
    """A log with the name that a break of it is printed with."""

    name: str
    records: list[Recorded]


class Outcome(NamedTuple):
    """The breaks of the law, with the log's name; the exceptions that were needed; how much there was to judge."""

    breaks: list[tuple[str, Break]]
    needed: set[Allowed]
    counts: Counter[str]


def encounters(scripts: Iterable[Play]) -> Iterator[Subject]:
    """Yield the logs of plays that are whole encounters."""
    for play in scripts:
        yield Subject(f"{play.source}:{play.line}", records_of(play))


def rulebook(ruleset: Ruleset) -> Iterator[Subject]:
    """Yield the logs of a rulebook's plays."""
    for play in plays(ruleset):
        yield Subject(f"{ruleset.key}/rulebook/{play.source}:{play.line}", records_of(play))


def outcome_of(
    ruleset: str,
    subjects: Iterable[Subject],
    known: Sequence[Allowed],
    judging: Callable[[EngineLog, Known], Verdict] | None = None,
) -> Outcome:
    """Hold these logs against the law, or the part of it that `judging` holds them against."""
    found = Outcome([], set(), Counter())
    for subject in subjects:
        verdict = (judging or judge)(EngineLog(subject.records), lambda one: allowing(known, ruleset, one) is not None)
        found.counts.update(verdict.counts)
        for one in verdict.breaks:
            if allowed := allowing(known, ruleset, one):
                found.needed.add(allowed)
            else:
                found.breaks.append((subject.name, one))
    return found


def line_of(name: str, one: Break) -> str:
    """Return a break as a line: law, log, place, address, value, fact, and what was expected."""
    fact = f"option {one.fact}" if one.kind.startswith("option ") else f"event {one.fact} ({one.kind})"
    return f"{one.law} {name}, at {one.place}: {one.address} is {one.value!r}: {fact} {one.expected}"


def counted(ruleset: str, counts: Counter[str]) -> str:
    """Return how much there was to judge, and how much could not be."""
    return (
        f"{ruleset}: of {counts['pairs']} places {counts['not comparable']} not comparable, "
        f"{counts['addresses in one only']} addresses in one variant only; "
        f"of {counts['citations']} citations {counts['undecided']} undecided"
    )


class Open(NamedTuple):
    """A group of citations that are undecided: how many, why, and what to do so that they are decided."""

    citations: int
    why: str
    do: str


def left_open(counts: Counter[str]) -> Iterator[Open]:
    """Yield the groups of citations that are undecided, the largest first: these are no breaks."""
    for name, number in counts.most_common():
        if name.startswith(UNDECIDED):
            why = name.removeprefix(UNDECIDED)
            yield Open(number, why, TO_DO[why])


def risen(ruleset: str, counts: Counter[str], ceiling: Ceiling) -> Iterator[str]:
    """Yield what has risen above its ceiling."""
    for name, limit in (
        ("not comparable", ceiling.not_comparable),
        ("addresses in one only", ceiling.in_one_only),
        ("undecided", ceiling.undecided),
    ):
        if counts[name] > limit:
            yield f"{ruleset}: {name}: {counts[name]}, above the ceiling of {limit} (tests/reasons/ceilings.toml)"


def idle(ruleset: str, known: Iterable[Allowed], needed: set[Allowed], corpora: set[str]) -> Iterator[str]:
    """Yield the exceptions that nothing needs, of those that these corpora should."""
    for one in known:
        if one.ruleset == ruleset and one.only in corpora and one not in needed:
            yield f"{ruleset}: nothing needs the exception {one.law} {one.address} {one.event} ({one.reason})"
