"""The round as a list of turns, each with what was done in it."""

from typing import Any

from eventstore.events import ActionTaken
from projections.because import Because
from projections.occurrence import Occurrence
from projections.rulesets.plain.order import placed
from projections.rulesets.plain.state import Act, PlainState, Turn
from projections.rulesets.plain.turns import turn_begins, turn_is_put_off
from projections.rulesets.ruleset import derives
from projections.state import Combatant, Entry
from projections.time import Point


@derives("turn.as-recorded", on=ActionTaken)
def acts(state: PlainState, fact: Occurrence[ActionTaken]) -> None:
    """Keep an act of the round."""
    state.acts.append(Act(fact.seq, fact.event.combatant, fact.event.action, fact.point))


def entries(state: PlainState) -> tuple[Entry, ...]:
    """Return the turns of the round as they were, their acts, and who is still due."""
    turns = [turn for turn in state.turns if turn.point.round == state.clock.point.round]
    rows = [_turn(state, turn, who) for turn in turns for who in turn.members] + [_act(act) for act in state.acts]
    had = {who for turn in turns for who in turn.members}
    rows.sort(key=lambda row: (row.order, row.events))
    said = state.clock.round_event or state.clock.point.round
    waiting = [(who, why) for who, why in placed(state).items() if said and who not in had]
    return (*rows, *(_due(state, who, why) for who, why in waiting))


def _turn(state: PlainState, turn: Turn, who: str) -> Entry:
    events = tuple(sorted({seq for seq in (turn.seq, turn.held, turn.resumed) if seq}))
    put_off = turn_is_put_off.rules if turn.held or turn.resumed else ()
    return Entry(
        point=turn.point,
        combatant=who,
        status=_status(state, turn, who),
        because=Because((*turn_begins.rules[:1], *put_off), (*events, *((turn.ended,) if turn.ended else ()))),
        action="turn",
        events=events,
        order=(turn.point.turn, 0),
    )


def _status(state: PlainState, turn: Turn, who: str) -> str:
    """Return how far a turn has come: put off, lost so, begun while the clock says that it is theirs, or else done."""
    if turn.is_held:
        return "lost" if turn.ended else "held"
    goes_on = not turn.ended and who not in turn.through and who in (state.clock.turn, *state.clock.together)
    return "begun" if goes_on else "done"


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


def _due(state: PlainState, who: str, because: Because) -> Entry:
    now = state.clock.point
    return Entry(
        point=Point(now.round),
        combatant=who,
        status="due" if state.clock.open else "lost",
        because=because,
        action="turn",
    )


def casting(_state: PlainState, _one: Combatant) -> Entry | None:
    """Return nothing: here a spell takes effect when somebody says so."""
    return None


def budget(_state: PlainState, one: Combatant) -> dict[str, Any]:
    """Return the counted resources that are left."""
    return dict(one.resources)
