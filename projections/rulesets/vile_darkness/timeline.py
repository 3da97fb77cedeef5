"""The timeline: what was done, what runs, what is still due, in the order of the round's slots."""

from typing import Any

from msgspec import structs

from projections.because import Because
from projections.rulesets.vile_darkness.order import waiting
from projections.rulesets.vile_darkness.place import key_of, slot_of
from projections.rulesets.vile_darkness.state import Act, Casting, Key, VileState
from projections.rulesets.vile_darkness.table import LASTING, row_of
from projections.rulesets.vile_darkness.works import due, point_of, status, under_way, window
from projections.state import Combatant, Entry
from projections.time import Point


def entries(state: VileState) -> tuple[Entry, ...]:
    """Return the timeline of the round in the order of its keys."""
    if not state.clock.round:
        return ()
    rows = [_act(state, each) for each in state.round.acts.values() if each.kind not in LASTING]
    rows += [_work(state, each) for each in state.works]
    rows += [_due(state, each) for each in waiting(state) if not each.work]
    return tuple(sorted(rows, key=lambda row: (row.order, row.events)))


def _entry(state: VileState, act: Act, status: str, because: Because, **more: Any) -> Entry:
    key, slot = key_of(state, act), slot_of(state, act)
    own = key.value or Key(state.clock.round, 0)
    return Entry(
        Point(own.round, segment=act.segment),
        act.who,
        status,
        because,
        action=act.kind,
        name=act.action.name,
        cost=act.action.cost or row_of(state, act).weight,
        phase=slot.value or None,
        order=structs.astuple(own),
        key=structs.asdict(own),
        **more,
    )


def _act(state: VileState, act: Act) -> Entry:
    return _entry(state, act, "done", Because((), (act.seq,), {}, (slot_of(state, act),)), events=(act.seq,))


def _work(state: VileState, casting: Casting) -> Entry:
    how, when, found = status(state, casting), due(state, casting).value, window(state, casting)
    act = next((each for each in state.round.acts_of.get(casting.who, ()) if each.work == casting.seq), None)
    shown = act or Act(casting.seq, casting.who, casting.kind, _action(casting), work=casting.seq)
    row = _entry(state, shown, how.value, how.because, events=(casting.seq,))
    last = point_of(found.value[1])
    begun = point_of(found.value[0])
    return structs.replace(row, point=begun, due=when, until=last)


def _action(casting: Casting) -> Any:
    from eventstore.shapes import Action

    return Action(kind=casting.kind, name=casting.name)


def _due(state: VileState, act: Act) -> Entry:
    found = slot_of(state, act)
    because = Because((), (state.combatants[act.who].joined,), {}, (found,))
    return structs.replace(_entry(state, act, "due", because), action=None, name=None, cost=None)


def casting(state: VileState, one: Combatant) -> Entry | None:
    """Return the work that somebody is at."""
    found = under_way(state, one.id)
    return _work(state, found[-1]) if found else None


def budget(state: VileState, one: Combatant) -> dict[str, Any]:
    """Return whether somebody has its major action of the round left."""
    from projections.rulesets.vile_darkness.majors import left

    return {"major": left(state, one).value}
