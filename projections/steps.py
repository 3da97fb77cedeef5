"""Steps: each fact of the telling with what it changed."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from eventstore.record import Recorded
from projections.replay import Replay, replay
from projections.state import State, Told
from projections.time import Where
from projections.values import Derived, value_of

WATCHED = ("hp", "temp", "nld", "status", "conditions", "effects", "casting", "concentration")


class Change(Struct, frozen=True):
    """Is a derived value that a fact changed, by its address."""

    address: str
    before: Any
    after: Any


class Step(Struct, frozen=True):
    """Is a fact of the telling and what it changed."""

    told: Told[Any]
    changes: tuple[Change, ...]


def steps(records: Iterable[Recorded], until: Where | None, see: Callable[[Step, State], None]) -> Replay:
    """Replay a log and show each step, with the state after it."""
    before: dict[str, Any] = {}

    def look(state: State, told: Told[Any]) -> None:
        nonlocal before
        now = _values(state)
        changed = [Change(k, before.get(k), v) for k, v in now.items() if k in before and before[k] != v]
        before = now
        see(Step(told, tuple(changed)), state)

    return replay(records, until, after=look)


def _values(state: State) -> dict[str, Any]:
    wanted = ["order", *(f"{who}.{field}" for who in state.combatants for field in WATCHED)]
    return {address: derived.value for address in wanted if isinstance(derived := value_of(state, address), Derived)}
