"""The fixtures of the fifth edition without what most logs do not record: nothing is found that was not found with it."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

from msgspec import structs

from eventstore.events import (
    ActionHeld,
    ActionTaken,
    Checked,
    ConditionGained,
    ConditionLost,
    EffectEnded,
    EffectStarted,
    Moved,
    Noted,
    Placed,
)
from eventstore.record import Recorded
from projections.judging.audit import audit
from projections.proving.plays import Play
from projections.proving.proof import records_of
from tests.few import few
from tests.projections.stage import FIXTURES, script

Strip = Callable[[Recorded], Recorded]

LEANS = ("frightened", "grappled", "hidden", "invisible", "poisoned", "prone", "restrained", "squeezing")
"""Conditions that lean rolls and decide none of them by themselves."""
HELPS = ("dodge", "help", "hide")
"""Kinds of acts that lean rolls."""


def unsaid(record: Recorded) -> Recorded:
    """Return a remark in the place of a record, so that all others keep their numbers."""
    return structs.replace(record, event=Noted(text="nobody recorded this"))


def with_event(record: Recorded, **fields: object) -> Recorded:
    assert record.event
    return structs.replace(record, event=structs.replace(record.event, **fields))


def without_positions(record: Recorded) -> Recorded:
    if isinstance(record.event, Placed):
        return unsaid(record)
    return with_event(record, path=()) if isinstance(record.event, Moved) else record


def without_movement(record: Recorded) -> Recorded:
    """Take out moves, with the squares that are wrong without them, and statements of what is left to move."""
    event = record.event
    about = isinstance(event, Checked) and all(name.endswith(".left.movement") for name in event.values)
    return unsaid(record) if about or isinstance(event, Moved | Placed) else record


def without_costs(record: Recorded) -> Recorded:
    event = record.event
    if isinstance(event, ActionTaken | ActionHeld) and event.action:
        return with_event(record, action=structs.replace(event.action, cost=None))
    return with_event(record, cost=None) if isinstance(event, Moved) else record


def without_leanings(record: Recorded) -> Recorded:
    event = record.event
    if isinstance(event, ConditionGained | ConditionLost) and event.condition.casefold() in LEANS:
        return unsaid(record)
    if isinstance(event, ActionTaken) and event.action.kind in HELPS:
        return unsaid(record)
    if isinstance(event, EffectEnded) and event.effect.casefold() in LEANS:
        return unsaid(record)
    if isinstance(event, EffectStarted):
        return unsaid(record) if event.effect.casefold() in LEANS else with_event(record, aim=())
    return record


STRIPS: dict[str, tuple[Strip, ...]] = {
    "positions": (without_positions,), "movement": (without_movement,), "costs": (without_costs,), "causes of advantage": (without_leanings,),
    "positions and costs": (without_positions, without_costs), "all of it": (without_movement, without_costs, without_leanings),
}  # fmt: skip
SCRIPTS = sorted((FIXTURES / "5e").glob("*.enc"))


def stripped(play: Play, strips: tuple[Strip, ...]) -> list[Recorded]:
    found = [*records_of(play)]
    for strip in strips:
        found = [strip(record) for record in found]
    return found


@few(10, ("path", "what"), product(SCRIPTS, STRIPS))
def test_what_nobody_recorded_raises_no_finding(path: Path, what: str) -> None:
    (play,) = script(path)
    known = {one.event for one in audit([*records_of(play)]).findings}
    bare = stripped(play, STRIPS[what])
    assert bare != [*records_of(play)] or "bot" in play.source
    found = [(one.event, one.rule, one.says) for one in audit(bare).findings if one.event not in known]
    assert found == []
