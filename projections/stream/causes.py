"""Causes: what a fact of this round came out of, and what that came out of."""

from collections.abc import Container, Iterator
from typing import Any

from projections.occurrence import Occurrence
from projections.state import State


def causes(state: State, cause: int) -> Iterator[Occurrence[Any]]:
    """Yield what a fact came out of, what that came out of, and so on, of this round; a circle ends where it closes."""
    seen: set[int] = set()
    while cause in state.moments and cause not in seen:
        seen.add(cause)
        yield state.moments[cause]
        cause = state.moments[cause].cause


def origin(state: State, cause: int, among: Container[int]) -> int:
    """Return the first in a line of causes that is among these seqs, or 0."""
    if cause in among:
        return cause
    return next((fact.cause for fact in causes(state, cause) if fact.cause in among), 0)
