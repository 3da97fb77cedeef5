"""The lists of this repository for the law of reasons: exceptions with their reasons, and how much may not be comparable."""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from encounterlog_rulelab.laws import Break, Known, Verdict, judge_log
from encounterlog_rulelab.reasons import EngineLog, Subject

HERE = Path(__file__).parent


class Allowed(Struct, frozen=True, forbid_unknown_fields=True):
    """A break that is allowed: of a law, at addresses of a pattern, by facts of a type (or `option NAME`, or any: *), and why.

    `only` names the corpus that needs it: fixtures, plays, or random.
    """

    ruleset: str
    law: str
    address: str
    event: str
    reason: str
    only: str = "fixtures"

    def allows(self, ruleset: str, one: Break) -> bool:
        """Say whether this is the break that is meant."""
        same = (self.ruleset, self.law) == (ruleset, one.law) and self.event in (one.kind, "*")
        return same and fnmatchcase(one.address, self.address)


class Ceiling(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The limits for a ruleset's fixtures: how much may be not comparable or undecided, and how many breaks wait for
    repair.

    While `random_logs_wait`, random logs may break the law.
    """

    not_comparable: int = 0
    in_one_only: int = 0
    undecided: int = 0
    breaks: int = 0
    random_logs_wait: bool = False


def allowing(known: Sequence[Allowed], ruleset: str, one: Break) -> Allowed | None:
    """Return the first exception that allows a break, if one does."""
    return next((each for each in known if each.allows(ruleset, one)), None)


class Outcome(NamedTuple):
    """The breaks of the law, with the log's name; the exceptions that were needed; how much there was to judge."""

    breaks: list[tuple[str, Break]]
    needed: set[Allowed]
    counts: Counter[str]


def exceptions(path: Path = HERE / "exceptions.toml") -> tuple[Allowed, ...]:
    """Return the exceptions."""
    return msgspec.convert(tomllib.loads(path.read_text("utf-8")).get("exception", ()), tuple[Allowed, ...])


def ceilings(path: Path = HERE / "ceilings.toml") -> dict[str, Ceiling]:
    """Return the ceilings by ruleset."""
    return msgspec.convert(tomllib.loads(path.read_text("utf-8")), dict[str, Ceiling])


def outcome_of(
    ruleset: str,
    subjects: Iterable[Subject],
    known: Sequence[Allowed],
    judging: Callable[[EngineLog, Known], Verdict] = judge_log,
) -> Outcome:
    """Hold these logs against the law, or the part of it that `judging` holds them against."""
    found = Outcome([], set(), Counter())
    for subject in subjects:
        verdict = judging(EngineLog(subject.records), lambda one: allowing(known, ruleset, one) is not None)
        found.counts.update(verdict.counts)
        for one in verdict.breaks:
            if allowed := allowing(known, ruleset, one):
                found.needed.add(allowed)
            else:
                found.breaks.append((subject.name, one))
    return found


def risen(ruleset: str, counts: Counter[str], ceiling: Ceiling) -> Iterator[str]:
    """Yield what has risen above its ceiling."""
    for name, limit in (
        ("not comparable", ceiling.not_comparable),
        ("addresses in one only", ceiling.in_one_only),
        ("undecided", ceiling.undecided),
    ):
        if counts[name] > limit:
            yield f"{ruleset}: {name}: {counts[name]}, above the ceiling of {limit} (tests/tools/reasons/ceilings.toml)"


def idle(ruleset: str, known: Iterable[Allowed], needed: set[Allowed], corpora: set[str]) -> Iterator[str]:
    """Yield the exceptions that nothing needs, of those that these corpora should."""
    for one in known:
        if one.ruleset == ruleset and one.only in corpora and one not in needed:
            yield f"{ruleset}: nothing needs the exception {one.law} {one.address} {one.event} ({one.reason})"
