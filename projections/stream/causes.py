"""Causes: the chain of facts from which a fact follows."""

from collections.abc import Container, Iterator, Mapping
from typing import Any

from eventstore.events import ConditionGained, DamageDealt, EffectStarted, Healed
from projections.occurrence import Occurrence
from projections.state import State


def is_uncaused(fact: Occurrence[Any]) -> bool:
    """Say whether a fact is an outcome whose cause is neither recorded nor certain; an effect or a condition with a source has one."""
    match fact.event:
        case DamageDealt() | Healed():
            return not fact.cause
        case EffectStarted(source=None) | ConditionGained(source=None):
            return not fact.cause
    return False


def causes(state: State, cause: int) -> Iterator[Occurrence[Any]]:
    """Yield a fact's cause, the cause of that, and so on, within this round; a cycle ends where it closes."""
    return chain(state.moments, cause)


def lineage(state: State, fact: Occurrence[Any]) -> tuple[int, ...]:
    """Return the record of a fact's cause, that of the cause of that, and so on, within this round."""
    return fact.cause, *(each.cause for each in causes(state, fact.cause))


def chain(facts: Mapping[int, Occurrence[Any]], cause: int) -> Iterator[Occurrence[Any]]:
    """Yield a fact's cause, the cause of that, and so on, as far as they are among these; a cycle ends where it closes."""
    seen: set[int] = set()
    while cause in facts and cause not in seen:
        seen.add(cause)
        yield facts[cause]
        cause = facts[cause].cause


def origin(state: State, cause: int, among: Container[int]) -> int:
    """Return the first in a chain of causes of this round that is among these seqs, or 0."""
    if not cause or cause in among:
        return cause
    facts, seen = state.round.facts, {0}
    while cause not in among and cause in facts and cause not in seen:
        seen.add(cause)
        cause = facts[cause].cause
    return cause if cause in among else 0
