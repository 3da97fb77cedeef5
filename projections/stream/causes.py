"""Causes: the chain of facts from which a fact follows."""

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import TypeVar

from eventstore.events import ConditionGained, DamageDealt, EffectStarted, Fact, Healed
from projections.occurrence import Occurrence
from projections.state import State

E = TypeVar("E", bound=Fact)


def is_uncaused(fact: Occurrence[Fact]) -> bool:
    """Return whether a fact is an outcome whose cause is neither recorded nor certain; an effect or a condition with a source has one."""
    match fact.event:
        case DamageDealt() | Healed():
            return not fact.cause
        case EffectStarted(source=None) | ConditionGained(source=None):
            return not fact.cause
    return False


def causes(state: State, cause: int) -> Iterator[Occurrence[Fact]]:
    """Yield a fact's cause, the cause of that, and so on, within this round; a cycle ends where it closes."""
    return cause_chain(state.moments, cause)


def cause_records(state: State, cause: int) -> tuple[int, ...]:
    """Return the record of a fact's cause, then that of the cause's cause, and so on, within this round."""
    facts, found = state.moments, [cause]
    while cause in facts and (cause := facts[cause].cause) not in found:
        found.append(cause)
    return tuple(found)


def cause_chain(facts: Mapping[int, Occurrence[E]], cause: int) -> Iterator[Occurrence[E]]:
    """Yield a fact's cause, the cause of that, and so on, as far as they are among these; a cycle ends where it closes."""
    seen: set[int] = set()
    while cause in facts and cause not in seen:
        seen.add(cause)
        yield facts[cause]
        cause = facts[cause].cause


def find_origin(state: State, cause: int, among: Container[int]) -> int:
    """Return the first in a chain of causes of this round that is among these seqs, or 0."""
    return next((seq for seq in cause_records(state, cause) if seq in among), 0)


def reached_by(causes: Mapping[int, int], seqs: Iterable[int]) -> dict[int, int]:
    """Return these records, and those whose chain of causes reaches one of them, each with that one."""
    found, before = {seq: seq for seq in seqs}, 0
    while len(found) > before:  # again, since an inserted fact may come before its cause
        before = len(found)
        for seq, cause in causes.items():
            if cause in found:
                found.setdefault(seq, found[cause])
    return found
