"""The faults of a fact, with their clauses: one function looks at the fact, and each clause has a check."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import TypeVar

from msgspec import Struct

from eventstore.events import Fact
from projections.fight import Fight
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import Breach, Check, Exemption, check


class Fault(Struct, frozen=True, gc=False):
    """A fault: its clauses, its words, the expected and the found value, the records that show it. The first clause, the most
    specific, reports it: one mistake is one finding. A fault that is `once` for the same (what, whom, when) is not reported
    again. `severity` says how grave it is; `about` is an earlier fact that it is about;
    a `silent` fault depends on a point that the text leaves open.
    """

    rules: tuple[str, ...]
    says: str
    expected: str
    found: str
    because: tuple[int, ...] = ()
    once: tuple[object, ...] = ()
    severity: str = "breach"
    about: Occurrence[Fact] | None = None
    silent: bool = False

    @property
    def clause(self) -> str:
        """The clause that reports it: the first, the most specific."""
        return self.rules[0]

    @property
    def breach(self) -> Breach:
        """The breach that reports it."""
        return Breach(**{name: getattr(self, name) for name in Breach.__struct_fields__})


def group_by_clause(those: Iterable[str], clause_of: Callable[[str], str]) -> dict[str, list[str]]:
    """Group combatants whom a fault concerns by the clause to cite for each."""
    found: dict[str, list[str]] = {}
    for each in those:
        found.setdefault(clause_of(each), []).append(each)
    return found


S = TypeVar("S", bound=Fight)
F = TypeVar("F")

Faults = Callable[[S, F], Iterable[Fault]]
"""A function that looks at a fact and yields its faults."""
FaultsCheck = Check[[S, F, tuple[Fault, ...]]]
"""A check that is handed the faults of a fact, if it has any."""


def checks_by(
    *rules: str, on: Iterable[type[Fact]] | type[Fact], group: str = "", rank: int = 0, unless: Exemption | None = None
) -> Callable[[Faults[S, F]], tuple[FaultsCheck[S, F], ...]]:
    """Mark a function that yields faults: it becomes a check for each of these clauses, which reports the faults by
    that clause, except where `unless` exempts the fact from it; in a group only the first of these clauses that has one.
    """

    def mark(faults: Faults[S, F]) -> tuple[FaultsCheck[S, F], ...]:
        def found(state: S, fact: F) -> tuple[Fault, ...] | None:
            those = tuple(faults(state, fact))
            if group and len(those) > 1:
                counting = (rule for rule in rules if not (unless and unless(state, fact, rule)))
                first = next((rule for rule in counting if any(each.clause == rule for each in those)), "")
                those = tuple(each for each in those if each.clause == first)
            return those or None

        return tuple(
            check(rule, on=on, subject=found, group=group, rank=rank, unless=unless)(_faults_by(rule, faults))
            for rule in dict.fromkeys(rules)
        )

    return mark


def _faults_by(rule: str, faults: Faults[S, F]) -> Callable[[S, F, tuple[Fault, ...]], tuple[Breach, ...]]:
    @wraps(faults)
    def faults_by(_state: S, _fact: F, found: tuple[Fault, ...]) -> tuple[Breach, ...]:
        return tuple(each.breach for each in found if each.clause == rule)

    faults_by.__name__ = f"{faults.__name__} by {rule}"
    return faults_by


def first_reason(*reasons: tuple[object, str, str]) -> tuple[str, str]:
    """Return the clause and the words of the first reason that holds; empty ones if none does."""
    return next(((rule, says) for holds, rule, says in reasons if holds), ("", ""))
