"""Diagnosis: which clause a wrong number leaves out; the number is derived again without each clause in turn."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Protocol, TypeVar

Out = TypeVar("Out")
Value = TypeVar("Value")


class Part(Protocol):
    """A part of a sum: its name in a record, its amount, and whether it counts."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def amount(self) -> int:
        """The points."""

    @property
    def counts(self) -> bool:
        """Whether a clause lets it count; if not, one bars it."""


def omission(stated: Value, derived: Callable[[Out], Value], outs: Iterable[Out]) -> Out | None:
    """Return the first of these without which the derived value equals the stated one; None if there is none."""
    return next((each for each in outs if derived(each) == stated), None)


def total_without(total: int, parts: Iterable[Part]) -> int:
    """Return a sum without the clauses of these parts: parts that counted do not, and barred ones count."""
    return total + sum(-each.amount if each.counts else each.amount for each in parts)


def said_totals(
    total: int | None, face: int | None, parts: Iterable[Part], said: Mapping[str, int], barred: Collection[str]
) -> tuple[int, ...]:
    """Return the totals of a roll by its recorded parts, right or wrong: the due one with their errors, and die and parts.

    `said` are the recorded parts, `barred` the names of those that do not count.
    """
    due = {each.name: each.amount for each in parts}
    off = sum(amount - due.get(name, 0) for name, amount in said.items() if name in due or name in barred)
    by_rule = () if total is None else (total + off,)
    return by_rule if face is None else (*by_rule, face + sum(said.values()))
