"""The round as a list of turns, each with what was done in it."""

from eventstore.events import ActionTaken
from projections.because import NOTHING_CITED, Because, Derived
from projections.fight import TimelineRow
from projections.folds.rows import row_of_act, row_of_due, row_of_turn
from projections.folds.vitals import has_stood
from projections.mechanics.acts import Act
from projections.mechanics.turnlist import Turn
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.rulesets.plain.order import reasons_by_place
from projections.rulesets.plain.state import PlainState
from projections.time import Point


@derives("turn.as-recorded", on=ActionTaken)
def keep_act(state: PlainState, fact: Occurrence[ActionTaken]) -> None:
    """Keep an act of the round."""
    state.round.acts.append(Act(fact.seq, fact.event.combatant, fact.event.action, fact.point))


def timeline_rows(state: PlainState) -> tuple[TimelineRow, ...]:
    """Return the rows of the round's turns, those put off, the acts, and the combatants who are still due."""
    rows = [_turn_row(turn) for turn in _turns_of_round(state)] + [_act_row(act) for act in state.round.acts]
    rows.sort(key=lambda row: row.order)
    waited = _places_waited_for(state, reasons_by_place(state))
    return (*rows, *(_due_row(state, who, why) for who, why in waited.items()))


def _turns_of_round(state: PlainState) -> list[Turn]:
    return [*state.round.turns, *state.turns.in_hand.values()]


def _places_waited_for(state: PlainState, places: dict[str, Because]) -> dict[str, Because]:
    waiting = _combatants_without_turn(state, places) if state.clock.round_event else []
    return {who: places[who] for who in waiting if is_waited_for(state, who)}


def _combatants_without_turn(state: PlainState, places: dict[str, Because]) -> list[str]:
    had = {turn.combatant for turn in _turns_of_round(state)}
    return [who for who in places if who not in had]


@derives("turn.down-not-due")
def is_waited_for(state: PlainState, who: str) -> bool:
    """Return whether a combatant's turn is still to come: one who is down, or out by a ruling, has none."""
    return not state.is_out(who)


@derives("turn.as-recorded", "round.as-recorded")
def combatants_due(state: PlainState) -> Derived[list[str]]:
    """Return the combatants due in this round, citing their places, the turns had so far, and statuses."""
    places = reasons_by_place(state)
    waiting = _places_waited_for(state, places) if state.clock.open else {}
    had = [seq for turn in _turns_of_round(state) if turn.combatant in places for seq in turn.events]
    why = sum(waiting.values(), Because(combatants_due.rules, (*state.clock.events, *had)))
    return Derived(list(waiting), why + _why_no_turn(state, places) + state.rules.schedule.why_absent(state))


def _why_no_turn(state: PlainState, places: dict[str, Because]) -> Because:
    """Return why those without a turn in an open round are up or down, unless they are up as they joined."""
    ones = [state.combatants[who] for who in _combatants_without_turn(state, places)] if state.clock.open else []
    why = [one.standing for one in ones if not has_stood(state, one)]
    return Because(is_waited_for.rules, (), tuple(why)) if why else NOTHING_CITED


def _turn_row(turn: Turn) -> TimelineRow:
    ended = (turn.ended,) if turn.ended else ()
    rules = ("turn.as-recorded", "turn.put-off") if turn.held else ("turn.as-recorded",)
    return row_of_turn(turn, Because(rules, (*turn.events, *ended)), turn.point.turn)


def _act_row(act: Act) -> TimelineRow:
    because, order = Because(keep_act.rules, (act.seq,)), (act.point.turn, act.seq)
    return row_of_act(act.point, act.combatant, act.action, "done", because, events=(act.seq,), order=order)


def _due_row(state: PlainState, who: str, because: Because) -> TimelineRow:
    if state.clock.open:
        return row_of_due(state, who, because)
    because += Because((), state.clock.events[1:2])
    return TimelineRow(Point(state.clock.round), who, "lost", because, action="turn")
