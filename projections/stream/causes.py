"""Causes: the chain of facts of this round from which a fact follows."""

from collections.abc import Container, Iterator
from typing import Any

from projections.occurrence import Occurrence
from projections.state import State


def causes(state: State, cause: int) -> Iterator[Occurrence[Any]]:
    """Yield a fact's cause, the cause of that, and so on, within this round; a cycle ends where it closes."""
    seen: set[int] = set()
    while cause in state.moments and cause not in seen:
        seen.add(cause)
        yield state.moments[cause]
        cause = state.moments[cause].cause


def origin(state: State, cause: int, among: Container[int]) -> int:
    """Return the first in a chain of causes that is among these seqs, or 0."""
    if cause in among:
        return cause
    return next((fact.cause for fact in causes(state, cause) if fact.cause in among), 0)
