"""Diagnosis: which clause a wrong number leaves out; the number is derived again without each clause in turn."""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

Out = TypeVar("Out")
Value = TypeVar("Value")


class Part(Protocol):
    """A part of a sum: its amount, and whether it counts."""

    @property
    def amount(self) -> int:
        """The points."""

    @property
    def counts(self) -> bool:
        """Whether a clause lets it count; if not, one bars it."""


def left_out(stated: Value, derived: Callable[[Out], Value], outs: Iterable[Out]) -> Out | None:
    """Return the first of these without which the derived value equals the stated one; None if there is none."""
    return next((each for each in outs if derived(each) == stated), None)


def without(total: int, parts: Iterable[Part]) -> int:
    """Return a sum without the clauses of these parts: parts that counted do not, and barred ones count."""
    return total + sum(-each.amount if each.counts else each.amount for each in parts)
