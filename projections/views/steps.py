"""Steps: each fact of the telling with what it changed."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from eventstore.record import Recorded
from projections.folds.addresses import NOTHING, order_of, value_of
from projections.folds.replay import Replay, replay
from projections.occurrence import Occurrence
from projections.state import State
from projections.time import Where

POOLS = ("hp", "temp", "nld")
"""What is read off a combatant as it stands: their reasons are long, and not asked for here."""
WATCHED = ("status", "conditions", "effects", "casting", "concentration")


class Change(Struct, frozen=True):
    """Is a derived value that a fact changed, by its address."""

    address: str
    before: Any
    after: Any


class Step(Struct, frozen=True):
    """Is a fact of the telling and what it changed."""

    fact: Occurrence[Any]
    changes: tuple[Change, ...]


def steps(records: Iterable[Recorded], until: Where | None, see: Callable[[Step, State], None]) -> Replay:
    """Replay a log and show each step, with the state after it."""
    before: dict[str, Any] = {}

    def look(state: State, fact: Occurrence[Any]) -> None:
        nonlocal before
        now = _values(state)
        changed = [Change(k, before.get(k), v) for k, v in now.items() if k in before and before[k] != v]
        before = now
        see(Step(fact, tuple(changed)), state)

    return replay(records, until, after=look)


def _values(state: State) -> dict[str, Any]:
    found: dict[str, Any] = {"order": [list(slot.combatants) for slot in order_of(state)]}
    for who, one in state.combatants.items():
        for field in POOLS:
            points = getattr(one, field)
            found[f"{who}.{field}"] = NOTHING if points is None else points
        for field in WATCHED:
            derived = value_of(state, f"{who}.{field}")
            found[f"{who}.{field}"] = derived.value if derived else NOTHING
    return found
