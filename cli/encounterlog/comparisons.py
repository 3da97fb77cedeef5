"""The differences of two orders, two states, or findings and expected ones, or an engine and a script, in lines for the failure of a test."""

from collections.abc import Iterator, Sequence
from typing import TypeGuard, TypeVar

from encounterlog.at import At, Order
from encounterlog.scripted import Disagreement
from projections.judging.audit import Finding

Kind = TypeVar("Kind")


def compared(op: str, left: object, right: object) -> list[str] | None:
    """Return the differences of two values of ours, line by line; None for others."""
    if isinstance(left, At) and isinstance(right, At):
        return [f"state {op} state", *_states(left, right)]
    if isinstance(left, Order) or isinstance(right, Order):
        return [f"order {op} order", *_orders(left, right)]
    if are(left, Finding):
        return [f"findings {op} {right!r}", *(_finding(one) for one in left)]
    if are(left, Disagreement):
        return [f"disagreements {op} {right!r}", *(f"line {one.line}: {one.says}" for one in left)]
    return None


def are(value: object, kind: type[Kind]) -> TypeGuard[Sequence[Kind]]:
    """Return whether a value is a sequence of one kind, and not empty."""
    return isinstance(value, tuple | list) and bool(value) and all(isinstance(one, kind) for one in value)


def _states(left: At, right: At) -> Iterator[str]:
    one, other = left.values(), right.values()
    for address in dict.fromkeys((*one, *other)):
        here, there = one.get(address, "not there"), other.get(address, "not there")
        if here != there:
            cites = left[address].because.events if address in one else ()
            yield f"{address}: {here!r} != {there!r}{f', because of {_numbers(cites)}' if cites else ''}"


def _numbers(events: Sequence[int]) -> str:
    return f"record{'s' if len(events) > 1 else ''} {', '.join(map(str, events))}"


def _orders(left: object, right: object) -> Iterator[str]:
    if not (isinstance(left, list | tuple) and isinstance(right, list | tuple)):
        yield f"{left!r} != {right!r}"
        return
    for order in (left, right):
        yield " > ".join(_slot(order, place) for place in range(len(order))) or "nobody"
    common = zip(left, right, strict=False)
    place = next((place for place, (one, other) in enumerate(common) if one != other), min(len(left), len(right)))
    if place < max(len(left), len(right)):
        yield f"they part at place {place + 1}: {_slot(left, place)} != {_slot(right, place)}"


def _slot(order: Sequence[object], place: int) -> str:
    if place >= len(order):
        return "nobody"
    slot = order[place]
    return " & ".join(map(str, slot)) if isinstance(slot, list | tuple) else repr(slot)


def _finding(one: Finding) -> str:
    return f"record {one.event}: {one.rule} ({one.severity}): {one.says}"
