"""The round as a list of turns, each with what was done in it."""

from typing import Any

from eventstore.events import ActionTaken
from projections.rulesets.plain.order import slots
from projections.rulesets.plain.state import Act, PlainState, Turn
from projections.rulesets.plain.turns import turn_begins
from projections.rulesets.ruleset import derives
from projections.state import Because, Combatant, Entry, Slot, Told
from projections.time import Point


@derives("turn.as-recorded", on=ActionTaken)
def acts(state: PlainState, told: Told[ActionTaken]) -> None:
    """Keep an act of the round."""
    state.acts.append(Act(told.seq, told.event.combatant, told.event.action, told.point))


def entries(state: PlainState) -> tuple[Entry, ...]:
    """Return the turns of the round as they were, their acts, and who is still due."""
    rows = [_turn(turn, who) for turn in state.turns for who in turn.members] + [_act(act) for act in state.acts]
    had = {who for turn in state.turns for who in turn.members}
    rows.sort(key=lambda row: (row.order, row.events))
    waiting = [(slot, who) for slot in slots(state) for who in slot.combatants if who not in had]
    return (*rows, *(_due(state, slot, who) for slot, who in waiting))


def _turn(turn: Turn, who: str) -> Entry:
    return Entry(
        point=turn.point,
        combatant=who,
        status="done" if turn.ended or who in turn.through else "begun",
        because=Because(turn_begins.rules[:1], tuple(seq for seq in (turn.seq, turn.ended) if seq)),
        action="turn",
        events=(turn.seq,),
        order=(turn.point.turn, 0),
    )


def _act(act: Act) -> Entry:
    return Entry(
        point=act.point,
        combatant=act.combatant,
        status="done",
        because=Because(acts.rules, (act.seq,)),
        action=act.action.kind,
        name=act.action.name,
        events=(act.seq,),
        order=(act.point.turn, 1),
    )


def _due(state: PlainState, slot: Slot, who: str) -> Entry:
    now = state.clock.point
    return Entry(
        point=Point(now.round),
        combatant=who,
        status="due" if state.clock.open or not now.round else "lost",
        because=slot.because,
        action="turn",
    )


def casting(_state: PlainState, _one: Combatant) -> Entry | None:
    """Return nothing: here a spell takes effect when somebody says so."""
    return None


def budget(_state: PlainState, one: Combatant) -> dict[str, Any]:
    """Return the counted resources that are left."""
    return dict(one.resources)
